#include "cli/sdiag/document.h"

#include "cli/lib/document.h"
#include "cli/sdiag/names.h"

static void put_count(struct json *object, const char *key, uint64_t number)
{
    json_put_int(object, key, (int64_t)number);
}

/* A number that in other documents may be missing or without end. */
static void put_number(struct json *object, const char *key, uint64_t number)
{
    json_put(object, key, document_number(true, false, (int64_t)number));
}

static uint64_t mean(uint64_t total, uint64_t n)
{
    return n ? total / n : 0;
}

static void put_jobs(struct json *statistics, const struct diag *diag, int64_t now)
{
    put_count(statistics, "jobs_submitted", diag->jobs_submitted);
    put_count(statistics, "jobs_started", diag->jobs_started);
    put_count(statistics, "jobs_completed", diag->jobs_completed);
    put_count(statistics, "jobs_canceled", diag->jobs_canceled);
    put_count(statistics, "jobs_failed", diag->jobs_failed);
    put_count(statistics, "jobs_pending", diag->jobs_pending);
    put_count(statistics, "jobs_running", diag->jobs_running);
    put_number(statistics, "job_states_ts", (uint64_t)now);
}

static void put_main(struct json *statistics, const struct diag *diag, int64_t now)
{
    uint64_t minutes = now > diag->since ? (uint64_t)(now - diag->since) / 60 : 0;

    put_count(statistics, "schedule_cycle_max", diag->cycle_max_us);
    put_count(statistics, "schedule_cycle_last", diag->cycle_last_us);
    put_count(statistics, "schedule_cycle_sum", diag->cycle_total_us);
    put_count(statistics, "schedule_cycle_total", diag->cycles);
    put_count(statistics, "schedule_cycle_mean", mean(diag->cycle_total_us, diag->cycles));
    put_count(statistics, "schedule_cycle_mean_depth", mean(diag->cycle_depth_total, diag->cycles));
    put_count(statistics, "schedule_cycle_per_minute", mean(diag->cycles, minutes));
    put_count(statistics, "schedule_cycle_depth", diag->cycle_depth_total);
    put_count(statistics, "schedule_queue_length", diag->queue_length);
}

static void put_backfill(struct json *statistics, const struct diag *diag)
{
    put_count(statistics, "bf_backfilled_jobs", diag->backfilled_ever);
    put_count(statistics, "bf_last_backfilled_jobs", diag->backfilled_jobs);
    put_count(statistics, "bf_backfilled_het_jobs", 0);
    put_count(statistics, "bf_cycle_counter", diag->cycles);
    put_count(statistics, "bf_cycle_mean", mean(diag->cycle_total_us, diag->cycles));
    put_count(statistics, "bf_depth_mean", mean(diag->cycle_depth_total, diag->cycles));
    put_count(statistics, "bf_depth_mean_try", mean(diag->depth_try_total, diag->cycles));
    put_count(statistics, "bf_cycle_sum", diag->cycle_total_us);
    put_count(statistics, "bf_cycle_last", diag->cycle_last_us);
    put_count(statistics, "bf_cycle_max", diag->cycle_max_us);
    put_count(statistics, "bf_last_depth", diag->depth_last);
    put_count(statistics, "bf_last_depth_try", diag->depth_try_last);
    put_count(statistics, "bf_depth_sum", diag->cycle_depth_total);
    put_count(statistics, "bf_depth_try_sum", diag->depth_try_total);
    put_count(statistics, "bf_queue_len", diag->queue_length);
    put_count(statistics, "bf_queue_len_mean", mean(diag->queue_total, diag->cycles));
    put_count(statistics, "bf_queue_len_sum", diag->queue_total);
    put_count(statistics, "bf_table_size", diag->table_size);
    put_count(statistics, "bf_table_size_sum", diag->table_total);
    put_count(statistics, "bf_table_size_mean", mean(diag->table_total, diag->cycles));
    put_number(statistics, "bf_when_last_cycle", (uint64_t)diag->cycle_last_at);
    json_put_bool(statistics, "bf_active", false);
}

static struct json *requests_by_type(const struct diag *diag)
{
    struct json *list = json_new_array();

    for (uint32_t i = 0; i < diag->by_type_n; i++) {
        const struct rpc_count *count = &diag->by_type[i];
        const struct rpc_name name = rpc_name_of(count->type);
        struct json *entry = json_new_object();

        json_put_text(entry, "message_type", name.text);
        put_count(entry, "type_id", name.number);
        put_count(entry, "count", count->count);
        put_count(entry, "total_time", count->total_us);
        put_number(entry, "average_time", mean(count->total_us, count->count));
        json_push(list, entry);
    }
    return list;
}

static struct json *requests_by_user(const struct diag *diag, const struct sdiag_view *view)
{
    struct json *list = json_new_array();

    for (uint32_t i = 0; i < diag->by_user_n; i++) {
        const struct rpc_count *count = &diag->by_user[i];
        AUTO_FREE char *name = sdiag_user(view, count->type);
        struct json *entry = json_new_object();

        json_put_text(entry, "user", name);
        put_count(entry, "user_id", count->type);
        put_count(entry, "count", count->count);
        put_count(entry, "total_time", count->total_us);
        put_number(entry, "average_time", mean(count->total_us, count->count));
        json_push(list, entry);
    }
    return list;
}

static struct json *pending_requests(const struct diag *diag)
{
    struct json *list = json_new_array();

    for (uint32_t i = 0; i < diag->pending_n; i++) {
        const struct rpc_name name = rpc_name_of(diag->pending[i].type);
        struct json *entry = json_new_object();

        put_count(entry, "type_id", name.number);
        json_put_text(entry, "message_type", name.text);
        put_count(entry, "count", diag->pending[i].count);
        json_push(list, entry);
    }
    return list;
}

struct json *sdiag_statistics(const struct diag *diag, const struct sdiag_view *view)
{
    struct json *statistics = json_new_object();

    put_number(statistics, "req_time", (uint64_t)view->now);
    put_number(statistics, "req_time_start", (uint64_t)diag->since);
    put_count(statistics, "server_thread_count", diag->sessions);
    put_count(statistics, "agent_queue_size", 0);
    put_count(statistics, "agent_count", 0);
    put_count(statistics, "agent_thread_count", 0);
    put_count(statistics, "dbd_agent_queue_size", 0);
    put_count(statistics, "gettimeofday_latency", diag->clock_us);
    put_main(statistics, diag, view->now);
    put_jobs(statistics, diag, view->now);
    put_backfill(statistics, diag);
    json_put(statistics, "rpcs_by_message_type", requests_by_type(diag));
    json_put(statistics, "rpcs_by_user", requests_by_user(diag, view));
    json_put(statistics, "pending_rpcs", pending_requests(diag));
    json_put(statistics, "pending_rpcs_by_hostlist", json_new_array());
    return statistics;
}
