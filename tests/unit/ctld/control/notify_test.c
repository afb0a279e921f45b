/* scontrol notify: words for who sits before a job. */
#include "unit/check_main.h"

#include <string.h>

#include "unit/ctld/control/lab.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/follow.h"

static int notify(struct lab *lab, uint32_t uid, uint32_t job)
{
    struct caller caller = lab_caller(uid);
    const struct job_notify request = { .job_id = job, .text = (char *)(uintptr_t) "hello" };
    int rc = control_notify(lab_act(lab, &caller), &request, NULL);

    lab_settle(lab);
    return rc;
}

START_TEST(the_client_of_a_job_is_told)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t id = lab_allocate(lab, "", NULL);

    lab_quiet(lab);
    ck_assert_int_eq(notify(lab, LAB_USER, id), 0);
    ck_assert_ptr_nonnull(strstr(strbuf_text(&lab->said), "warned"));
    ck_assert_int_eq(notify(lab, LAB_OTHER, id), -E_USER_ID);
    lab_free(lab);
}
END_TEST

START_TEST(a_batch_script_has_it_on_its_stderr)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t batch = lab_submit(lab, "");

    lab_quiet(lab);
    ck_assert_int_eq(notify(lab, LAB_USER, batch), 0);
    ck_assert_ptr_nonnull(strstr(strbuf_text(&lab->orders), "say hello in 1\n"));
    lab_free(lab);
}
END_TEST

START_TEST(where_nobody_listens_it_is_refused)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    lab_allocate(lab, "", NULL);
    const uint32_t waits = lab_allocate(lab, "", NULL);

    ck_assert_int_eq(notify(lab, LAB_USER, waits), -E_DISABLED);
    ck_assert_int_eq(notify(lab, 0, 99), -E_JOB_ID);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(notify, CASE(the_client_of_a_job_is_told), CASE(a_batch_script_has_it_on_its_stderr),
           CASE(where_nobody_listens_it_is_refused))
