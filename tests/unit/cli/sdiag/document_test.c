#include "unit/check_main.h"

#include <string.h>

#include "cli/sdiag/document.h"
#include "common/msg/types.h"

static char *name_root(uint32_t uid)
{
    return uid == 0 ? xstrdup("root") : NULL;
}

START_TEST(exporters_find_their_members_in_the_document)
{
    static const char *const members[] = {
        "\"server_thread_count\": 3,",
        "\"agent_queue_size\": 0,",
        "\"dbd_agent_queue_size\": 0,",
        "\"schedule_cycle_last\": 85,",
        "\"schedule_cycle_mean\": 1034,",
        "\"schedule_cycle_per_minute\": 4,",
        "\"bf_depth_mean\": 2,",
        "\"bf_cycle_last\": 85,",
        "\"bf_cycle_mean\": 1034,",
        "\"bf_backfilled_jobs\": 6,",
        "\"bf_last_backfilled_jobs\": 1,",
        "\"bf_backfilled_het_jobs\": 0,",
        "\"message_type\": \"REQUEST_PARTITION_INFO\",",
        "\"user\": \"root\",",
        "\"schedule_exit\": {\n      \"end_job_queue\": 9,",
        "\"bf_exit\": {\n      \"end_job_queue\": 4,",
        "\"bf_max_job_start\": 2,",
        "\"bf_max_job_test\": 3,",
    };
    struct rpc_count by_type[] = { { MSG_PARTITION_LIST, 15, 3419 } };
    struct rpc_count by_user[] = { { 0, 109, 79060 } };
    const struct diag diag = { .since = 1000,
                               .cycles = 4,
                               .cycle_last_us = 85,
                               .cycle_total_us = 4136,
                               .cycle_depth_total = 8,
                               .backfilled_jobs = 1,
                               .backfilled_ever = 6,
                               .sessions = 3,
                               .ended_at_queue = 4,
                               .ended_at_starts = 2,
                               .ended_at_tests = 3,
                               .by_type = by_type,
                               .by_type_n = 1,
                               .by_user = by_user,
                               .by_user_n = 1 };
    const struct sdiag_view view = { .now = 1075, .user_name = name_root };
    AUTO(strbuf) struct strbuf out = { 0 };

    struct json_writer json = json_writer_new(JSON_INDENTED, &out);

    json_open_object(&json, NULL);
    sdiag_statistics(&diag, &view, &json);
    json_close(&json);

    for (size_t i = 0; i < ARRAY_N(members); i++)
        ck_assert_msg(strstr(strbuf_text(&out), members[i]) != NULL, "%s not in %s", members[i],
                      strbuf_text(&out));
}
END_TEST

CHECK_MAIN(document, CASE(exporters_find_their_members_in_the_document))
