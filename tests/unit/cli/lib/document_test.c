#include "unit/check_main.h"

#include "cli/lib/job_document.h"
#include "cli/lib/node_document.h"
#include "unit/json_read.h"

/* The record of a row, read back. */
static json_t *record(const struct document_table *table, const struct report_context *ctx,
                      const void *row)
{
    AUTO(document_kind) struct document_kind kind = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct json_writer json = json_writer_new(JSON_INDENTED, &text);

    ck_assert_int_eq(document_kind_init(&kind, table, NULL), 0);
    document_record(&kind, ctx, row, &json, NULL);
    return read_json(&text);
}

START_TEST(every_path_leads_to_a_value)
{
    const struct document_table *const tables[] = { &job_document, &node_document,
                                                    &partition_document };

    for (size_t i = 0; i < ARRAY_N(tables); i++) {
        AUTO(document_kind) struct document_kind kind = { 0 };
        struct err err = { 0 };

        ck_assert_msg(document_kind_init(&kind, tables[i], &err) == 0, "%s", err.text);
    }
}
END_TEST

START_TEST(a_job_has_the_shapes_of_the_data_parser)
{
    struct job_body body = { .work_dir = (char[]){ "/home/ann" } };
    struct job_spec spec;
    struct job_record job;
    struct job_info info;
    const struct report_context ctx = { .now = 1000 };
    const struct job_row row = { .info = &info, .job = &job, .cluster = "lab" };
    json_t *json;

    job_spec_init(&spec);
    job_record_init(&job);
    job_info_init(&info);
    info.job = &job;
    info.body = &body;
    job.spec = &spec;
    job.id = 7;
    job.state = JOB_FAILED;
    job.flags = JOB_FLAG_COMPLETING;
    job.exit_status = 3 << 8;
    job.eligible_time = 500;
    job.accrue_time = 600;
    job.start_time = 700;
    spec.time_limit = 90;
    spec.mail_type = "END,FAIL";

    json = record(&job_document, &ctx, &row);

    ck_json(json, "job_id", "7");
    ck_json(json, "account", "''");
    ck_json(json, "current_working_directory", "'/home/ann'");
    ck_json(json, "job_state", "['FAILED', 'COMPLETING']");
    ck_json(json, "time_limit", "{'set': true, 'infinite': false, 'number': 2}");
    ck_json(json, "time_minimum", "{'set': false, 'infinite': false, 'number': 0}");
    ck_json(json, "deadline", "{'set': true, 'infinite': false, 'number': 0}");
    ck_json(json, "eligible_time.number", "500");
    ck_json(json, "accrue_time.number", "600");
    ck_json(json, "last_sched_evaluation.number", "700");
    ck_json(json, "mail_type", "['END', 'FAIL']");
    ck_json(json, "job_resources", "null");
    ck_json(json, "power", "{'flags': []}");
    ck_json(json, "exit_code.status", "['ERROR']");
    ck_json(json, "exit_code.return_code", "{'set': true, 'infinite': false, 'number': 3}");
    json_decref(json);
}
END_TEST

START_TEST(keys_with_dots_share_the_objects_they_lead_to)
{
    struct partition_info part;
    const struct partition_document_row row = { &part, "lab" };
    const struct report_context ctx = { .now = 1000 };
    json_t *json;

    partition_info_init(&part);
    part.state = PARTITION_DRAIN;
    part.total_cpus = 8;
    part.total_nodes = 2;

    json = record(&partition_document, &ctx, &row);

    ck_json(json, "nodes", "{'allowed_allocation': '', 'configured': '', 'total': 2}");
    ck_json(json, "cpus", "{'task_binding': 0, 'total': 8}");
    ck_json(json, "maximums.oversubscribe.flags", "[]");
    ck_json(json, "maximums.time", "{'set': false, 'infinite': false, 'number': 0}");
    ck_json(json, "partition.state", "['DRAIN']");
    ck_json(json, "suspend_time.set", "false");
    json_decref(json);
}
END_TEST

CHECK_MAIN(document, CASE(every_path_leads_to_a_value),
           CASE(a_job_has_the_shapes_of_the_data_parser),
           CASE(keys_with_dots_share_the_objects_they_lead_to))
