/* Who is in a step, and what is done to them. */
#include "noded/cgroup/hierarchy.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "noded/cgroup/descent.h"
#include "noded/cgroup/files.h"

#define FREEZE_CHECKS 25
#define FREEZE_NS     200000

int cgroup_members(const struct cgroup *cgroup, pid_t **ret_pids)
{
    uint32_t n = 0;

    *ret_pids = NULL;
    if (cgroup->mode != CGROUP_NONE)
        cgroup_files_pids(cgroup->dirs[TRACK], ret_pids, &n);
    else if (cgroup->owner > 0)
        descent_pids(cgroup->owner, ret_pids, &n);
    return (int)n;
}

int cgroup_signal(const struct cgroup *cgroup, int signal, pid_t except)
{
    AUTO_FREE pid_t *pids = NULL;
    int n = cgroup_members(cgroup, &pids), signalled = 0;

    for (int i = 0; i < n; i++) {
        if (pids[i] == except || pids[i] == getpid())
            continue;
        (void)kill(pids[i], signal); /* it may just have ended */
        signalled++;
    }
    return signalled;
}

static bool is_frozen(const struct cgroup *cgroup)
{
    AUTO(strbuf) struct strbuf state = { 0 };

    if (cgroup->mode == CGROUP_V2)
        return cgroup_file_number(cgroup->dirs[TRACK], "cgroup.events", "frozen") == 1;
    return cgroup_file_read(cgroup->dirs[TRACK], "freezer.state", &state) < 0 ||
           strncmp(strbuf_text(&state), "FROZEN", 6) == 0;
}

static void set_frozen(const struct cgroup *cgroup, bool frozen)
{
    if (cgroup->mode == CGROUP_V2)
        (void)cgroup_file_write(cgroup->dirs[TRACK], "cgroup.freeze", frozen ? "1" : "0");
    else
        (void)cgroup_file_write(cgroup->dirs[TRACK], "freezer.state", frozen ? "FROZEN" : "THAWED");
}

/* Frozen members cannot fork, nor end and give their pid to another process, while we count. */
static int kill_frozen(const struct cgroup *cgroup, pid_t except)
{
    const struct timespec pause = { .tv_nsec = FREEZE_NS };
    int n;

    set_frozen(cgroup, true);
    for (int i = 0; i < FREEZE_CHECKS && !is_frozen(cgroup); i++)
        (void)nanosleep(&pause, NULL);
    n = cgroup_signal(cgroup, SIGKILL, except);
    set_frozen(cgroup, false); /* v1 delivers a SIGKILL only to the thawed */
    return n;
}

int cgroup_kill(const struct cgroup *cgroup, pid_t except)
{
    AUTO_FREE pid_t *pids = NULL;
    int n = cgroup_members(cgroup, &pids);

    if (n == 0 || (n == 1 && pids[0] == except))
        return 0;
    if (cgroup->mode == CGROUP_NONE) {
        (void)cgroup_signal(cgroup, SIGSTOP, except);
        return cgroup_signal(cgroup, SIGKILL, except);
    }
    if (cgroup->mode == CGROUP_V2 && except == 0 &&
        cgroup_file_write(cgroup->dirs[TRACK], "cgroup.kill", "1") == 0)
        return n;
    return kill_frozen(cgroup, except);
}
