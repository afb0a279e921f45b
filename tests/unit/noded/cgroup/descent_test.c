#include "unit/check_main.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "noded/cgroup/descent.h"

START_TEST(a_name_with_parentheses_does_not_hide_parent_and_state)
{
    pid_t parent = 0;
    char state = 0;

    ck_assert_int_eq(descent_parse_stat("7 (a) S 1 (b)) R 42 7 7", &parent, &state), 0);
    ck_assert_int_eq(parent, 42);
    ck_assert_int_eq(state, 'R');
    ck_assert_int_eq(descent_parse_stat("7 (a)", &parent, &state), -EINVAL);
    ck_assert_int_eq(descent_parse_stat("", &parent, &state), -EINVAL);
}
END_TEST

START_TEST(a_process_that_left_its_session_is_still_found)
{
    int ready[2];
    pid_t escaped = 0, child;

    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    ck_assert_int_eq(pipe(ready), 0);
    child = fork();
    if (child == 0) {
        pid_t grandchild = fork();
        if (grandchild == 0) {
            setsid();
            pid_t self = getpid();
            if (write(ready[1], &self, sizeof(self)) < 0)
                _exit(1);
            for (;;)
                pause();
        }
        _exit(0);
    }
    waitpid(child, NULL, 0);
    ck_assert_int_eq(read(ready[0], &escaped, sizeof(escaped)), sizeof(escaped));

    AUTO_FREE pid_t *pids = NULL;
    uint32_t n = 0;
    descent_pids(getpid(), &pids, &n);

    ck_assert_uint_eq(n, 1);
    ck_assert_int_eq(pids[0], escaped);
    kill(escaped, SIGKILL);
    ck_assert_int_eq(waitpid(escaped, NULL, 0), escaped);
}
END_TEST

CHECK_MAIN(descent, CASE(a_name_with_parentheses_does_not_hide_parent_and_state),
           CASE(a_process_that_left_its_session_is_still_found))
