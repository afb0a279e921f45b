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

START_TEST(a_job_comes_under_no_qos_that_would_have_refused_it)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t large, small;

    set_qos(&desk, "work", "flags", (struct qos_record){ .flags = QOS_DENY_ON_LIMIT });
    set_qos(&desk, "part", "flags", (struct qos_record){ .flags = QOS_DENY_ON_LIMIT });
    ck_assert_int_eq(send(&desk, 0), 0);
    set_limit(&desk, "qos", "max_tres_per_job", "cpu=1");
    set_limit(&desk, "partqos", "max_tres_per_job", "cpu=1");
    large = lab_submit_as(lab, ANN, "part=debug time=60 hold=1 qos=normal ntasks=2 mem=1");
    small = lab_submit_as(lab, ANN, "part=debug time=60 hold=1 qos=normal ntasks=1 mem=1");

    ck_assert_str_ne(change(lab, large, NULL, SPEC_TAG_qos, "qos=work"), "");
    ck_assert_str_ne(change(lab, large, NULL, SPEC_TAG_partition, "part=main"), "");
    ck_assert_str_eq(change(lab, large, NULL, SPEC_TAG_ntasks, "ntasks=3"), "");
    ck_assert_str_eq(change(lab, small, NULL, SPEC_TAG_qos, "qos=work"), "");
    ck_assert_str_eq(change(lab, small, NULL, SPEC_TAG_partition, "part=main"), "");
    desk_free(&desk);
}
END_TEST

/* main has the QOS part, debug none. */
START_TEST(a_waiting_job_counts_in_all_partitions_that_it_names)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t first, other;

    set_limit(&desk, "partqos", "max_submit_per_user", "2");
    first = lab_submit_as(lab, ANN, "part=debug,main hold=1 mem=1");
    ck_assert_uint_ne(lab_submit_as(lab, ANN, "part=debug,main hold=1 mem=1"), 0);
    ck_assert_uint_eq(lab_submit_as(lab, ANN, "part=debug,main hold=1 mem=1"), 0);
    ck_assert_uint_eq(lab_submit_as(lab, ANN, "part=main hold=1 mem=1"), 0);
    other = lab_submit_as(lab, ANN, "part=debug hold=1 mem=1");
    ck_assert_str_ne(change(lab, other, NULL, SPEC_TAG_partition, "part=debug,main"), "");

    /* Once it runs in debug it is none of main's. */
    lab_hold(lab, ANN, first, HOLD_RELEASE);
    ck_assert_str_eq(lab_job(lab, first)->rec.partition, "debug");
    ck_assert_str_eq(lab_state(lab, first), "RUNNING");
    ck_assert_str_eq(change(lab, other, NULL, SPEC_TAG_partition, "part=debug,main"), "");
    ck_assert_uint_eq(lab_submit_as(lab, ANN, "part=main hold=1 mem=1"), 0);
    desk_free(&desk);
}
END_TEST

/* Partitions whose QOS is one, and limits of associations, count a job once. */
START_TEST(a_job_that_names_several_partitions_counts_once)
{
    struct desk desk = limit_desk(ENFORCED);

    set_limit(&desk, "user", "max_submit_jobs", "2");
    ck_assert_uint_ne(lab_submit_as(desk.lab, ANN, "part=debug,main hold=1 mem=1"), 0);
    ck_assert_uint_ne(lab_submit_as(desk.lab, ANN, "part=debug,main hold=1 mem=1"), 0);
    ck_assert_uint_eq(lab_submit_as(desk.lab, ANN, "part=debug,main hold=1 mem=1"), 0);
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(limit_count, CASE(a_task_that_is_changed_counts_alone),
           CASE(a_job_comes_under_no_qos_that_would_have_refused_it),
           CASE(a_waiting_job_counts_in_all_partitions_that_it_names),
           CASE(a_job_that_names_several_partitions_counts_once))
