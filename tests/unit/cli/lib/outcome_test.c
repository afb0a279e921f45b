#include "unit/check_main.h"

#include "cli/lib/outcome.h"

/* A Slurm 22.05.8 prints the same with squeue -o %r (blanks) and scontrol show job (underscores).
 */
static const struct {
    uint32_t reason;
    const char *text;
    char blank;
    const char *shown;
} reasons[] = {
    { REASON_NONE, NULL, ' ', "None" },
    { REASON_RESOURCES, "Resources: held by job 3", ' ', "Resources" },
    { REASON_NODES_UNAVAILABLE, NULL, ' ', "ReqNodeNotAvail" },
    { REASON_NODES_UNAVAILABLE, "ReqNodeNotAvail, UnavailableNodes:worker-4", ' ',
      "ReqNodeNotAvail, UnavailableNodes:worker-4" },
    { REASON_NODES_UNAVAILABLE, "ReqNodeNotAvail, UnavailableNodes:worker-4", '_',
      "ReqNodeNotAvail,_UnavailableNodes:worker-4" },
    { REASON_NODES_UNAVAILABLE, "ReqNodeNotAvail, May be reserved for other job", '_',
      "ReqNodeNotAvail,_May_be_reserved_for_other_job" },
};

START_TEST(reason_is_slurms_word_with_the_nodes_that_cannot_be_had)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO(job_record) struct job_record job;

    job_record_init(&job);
    job.reason = reasons[_i].reason;
    job.reason_text = xstrdup(reasons[_i].text);
    outcome_add_reason(&job, reasons[_i].blank, &out);

    ck_assert_str_eq(strbuf_text(&out), reasons[_i].shown);
}
END_TEST

START_TEST(who_waits_is_told_why_where_slurm_tells_it)
{
    ck_assert_str_eq(outcome_wait_words(REASON_PARTITION_DOWN), "Partition in DOWN state");
    ck_assert_str_eq(outcome_wait_words(REASON_PARTITION_TIME_LIMIT),
                     "Requested partition configuration not available now");
    ck_assert_ptr_null(outcome_wait_words(REASON_RESOURCES));
}
END_TEST

CHECK_MAIN(outcome, CASE(who_waits_is_told_why_where_slurm_tells_it),
           LOOP_CASE(reason_is_slurms_word_with_the_nodes_that_cannot_be_had, ARRAY_N(reasons)))
