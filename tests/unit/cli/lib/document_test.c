#include "unit/check_main.h"

#include "cli/lib/job_document.h"
#include "cli/lib/node_document.h"

static struct json *nested(struct json *json, const char *key)
{
    struct json *inner = json_find(json, key);

    ck_assert_ptr_nonnull(inner);
    return inner;
}

static void ck_json(const struct json *json, const char *expected)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    json_format_yaml(json, 0, &text);
    ck_assert_str_eq(strbuf_text(&text), expected);
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
    struct job_spec spec;
    struct job_record job;
    struct job_info info;
    const struct report_context ctx = { .now = 1000 };
    const struct job_row row = { .info = &info, .job = &job, .cluster = "lab" };
    AUTO(document_kind) struct document_kind kind = { 0 };

    job_spec_init(&spec);
    job_record_init(&job);
    job_info_init(&info);
    info.job = &job;
    job.spec = &spec;
    job.id = 7;
    job.state = JOB_FAILED;
    job.flags = JOB_FLAG_COMPLETING;
    job.exit_status = 3 << 8;
    spec.time_limit = 90;
    spec.mail_type = "END,FAIL";
    ck_assert_int_eq(document_kind_init(&kind, &job_document, NULL), 0);

    AUTO(json) struct json *json = document_record(&kind, &ctx, &row);

    ck_json(nested(json, "job_id"), "7\n");
    ck_json(nested(json, "account"), "\"\"\n");
    ck_json(nested(json, "job_state"), "- \"FAILED\"\n- \"COMPLETING\"\n");
    ck_json(nested(json, "time_limit"), "set: true\ninfinite: false\nnumber: 2\n");
    ck_json(nested(json, "time_minimum"), "set: false\ninfinite: false\nnumber: 0\n");
    ck_json(nested(json, "deadline"), "set: true\ninfinite: false\nnumber: 0\n");
    ck_json(nested(json, "mail_type"), "- \"END\"\n- \"FAIL\"\n");
    ck_json(nested(json, "job_resources"), "null\n");
    ck_json(nested(nested(json, "exit_code"), "status"), "- \"ERROR\"\n");
    ck_json(nested(nested(json, "exit_code"), "return_code"),
            "set: true\ninfinite: false\nnumber: 3\n");
}
END_TEST

CHECK_MAIN(document, CASE(every_path_leads_to_a_value),
           CASE(a_job_has_the_shapes_of_the_data_parser))
