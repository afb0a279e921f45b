/* Limits on how many jobs wait or run, where jobs change, or name several partitions. What is
 * expected was seen on a Slurm 22.05. */
#include "unit/check_main.h"

#include "unit/ctld/control/limit_desk.h"

/* Sets a field of the job, or of some tasks of an array, as ann; returns what is refused. */
static const char *change(struct lab *lab, uint32_t job, const char *tasks, uint32_t tag,
                          const char *spec)
{
    AUTO(job_update) struct job_update request;

    job_update_init(&request);
    request.job_id = job;
    request.tasks = tasks ? xstrdup(tasks) : NULL;
    request.spec = xmalloc(sizeof(*request.spec));
    lab_job_spec(spec, request.spec);
    *ARRAY_PUSH(request.set, request.set_n) = tag;
    return lab_change(lab, ANN, &request);
}

START_TEST(a_task_that_is_changed_counts_alone)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t array;

    set_limit(&desk, "qos", "max_submit_per_user", "2");
    array = lab_submit_as(lab, ANN, "array=1-6 hold=1 qos=normal mem=1");
    ck_assert_str_eq(change(lab, array, "1", SPEC_TAG_qos, "qos=work"), "");
    ck_assert_str_ne(change(lab, array, "2-3", SPEC_TAG_qos, "qos=work"), "");
    ck_assert_str_eq(change(lab, array, "2", SPEC_TAG_qos, "qos=work"), "");
    ck_assert_str_ne(change(lab, array, "3", SPEC_TAG_qos, "qos=work"), "");
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(limit_count, CASE(a_task_that_is_changed_counts_alone))
