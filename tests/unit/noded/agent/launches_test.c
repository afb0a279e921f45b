/* Launches that wait: for a blob which does not come, and for root. */
#include "unit/check_main.h"

#include "fuzz/session_doubles.h"
#include "noded/agent/launches.h"

/* What is asked of root, which answers when a test does. */
static struct {
    uint32_t asked_n;
    root_answer_fn *answer;
    void *ctx;
} asked;

void root_ask(struct root *root, enum priv_verb verb, const struct strbuf *bytes, const int *fds,
              uint32_t fds_n, root_answer_fn *fn, void *ctx)
{
    (void)root;
    (void)verb;
    (void)bytes;
    (void)fds;
    (void)fds_n;
    asked.asked_n++;
    asked.answer = fn;
    asked.ctx = ctx;
}

struct told {
    uint32_t reports_n, job_id;
    int code;
};

static void on_report(void *ctx, const struct step_report *report)
{
    struct told *told = ctx;

    told->reports_n++;
    told->job_id = report->job_id;
    told->code = report->code;
}

static void order(struct launches *launches, struct rpc_session *session, bool has_environment)
{
    static uint8_t sha256[SHA256_BYTES], signature[PRIV_SIGNATURE_N];
    AUTO(order_launch) struct order_launch launch;
    struct launch_cred cred;
    struct launch_body body;
    struct err err = { 0 };
    char label[] = LAUNCH_CRED_LABEL, text[] = "x";

    order_launch_init(&launch);
    launch_cred_init(&cred);
    launch_body_init(&body);
    cred.label = label;
    cred.cluster = cred.node = cred.boot_id = cred.user_name = text;
    cred.job_id = body.job_id = 12;
    cred.incarnation = cred.launch_number = 1;
    cred.body_sha256 = (struct blob){ sha256, sizeof(sha256) };
    if (has_environment)
        body.environment_sha256 = (struct blob){ sha256, sizeof(sha256) };
    launch.cred = schema_encode_blob(launch_cred_schema(), &cred);
    launch.body = schema_encode_blob(launch_body_schema(), &body);
    launch.signature = (struct blob){ xmemdup(signature, sizeof(signature)), sizeof(signature) };
    ck_assert_msg(launches_order(launches, session, &launch, &err) == 0, "%s", err.text);
}

START_TEST(a_blob_that_ends_before_it_is_whole_ends_the_launch)
{
    struct log *log = log_new_daemon("test", LOG_QUIET);
    struct told told = { 0 };
    struct launches *launches = launches_new(NULL, log, on_report, &told);
    struct rpc_session session = { .is_open = true };
    const struct rpc_frame end = { .type = MSG_STREAM_END,
                                   .request = LAUNCHES_REQUEST_MIN + 1,
                                   .flags = RPC_REPLY | RPC_END };

    order(launches, &session, true);
    ck_assert_uint_eq(told.reports_n, 0);
    ck_assert_uint_eq(asked.asked_n, 0);
    ck_assert(launches_take_end(launches, &end));

    ck_assert_uint_eq(told.reports_n, 1);
    ck_assert_uint_eq(told.job_id, 12);
    ck_assert_int_eq(told.code, EIO);
    launches_free(launches);
    log_free(log);
}
END_TEST

START_TEST(a_launch_is_of_the_session_that_brought_it_until_root_is_done)
{
    struct log *log = log_new_daemon("test", LOG_QUIET);
    struct told told = { 0 };
    struct launches *launches = launches_new(NULL, log, on_report, &told);
    struct rpc_session session = { .is_open = true };
    const struct step_report step = { .job_id = 12, .launch_number = 1 };
    const struct step_report later = { .job_id = 12, .launch_number = 2 };

    order(launches, &session, false);
    ck_assert_uint_eq(asked.asked_n, 1);

    ck_assert(launches_is_ordered(launches, &step));
    ck_assert(!launches_is_ordered(launches, &later));
    if (_i == 0)
        launches_session_lost(launches);
    else
        asked.answer(asked.ctx, 0, NULL);
    ck_assert(!launches_is_ordered(launches, &step));
    launches_free(launches);
    log_free(log);
}
END_TEST

CHECK_MAIN(launches, CASE(a_blob_that_ends_before_it_is_whole_ends_the_launch),
           LOOP_CASE(a_launch_is_of_the_session_that_brought_it_until_root_is_done, 2))
