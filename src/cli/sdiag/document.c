#include "cli/sdiag/document.h"

#include "cli/lib/document.h"
#include "cli/sdiag/names.h"

static void put_count(struct json_writer *json, const char *key, uint64_t number)
{
    json_add_int(json, key, (int64_t)number);
}

/* Writes a number that in other documents may be missing or without end. */
static void put_number(struct json_writer *json, const char *key, uint64_t number)
{
    document_number(json, key, true, false, (int64_t)number);
}

/* Writes 0 for what is counted in Slurm, and does not happen here. */
static void put_zeros(struct json_writer *json, const char *const *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_count(json, keys[i], 0);
}

static uint64_t mean(uint64_t total, uint64_t n)
{
    return n ? total / n : 0;
}

static void put_jobs(struct json_writer *json, const struct diag *diag, int64_t now)
{
    put_count(json, "jobs_submitted", diag->jobs_submitted);
    put_count(json, "jobs_started", diag->jobs_started);
    put_count(json, "jobs_completed", diag->jobs_completed);
    put_count(json, "jobs_canceled", diag->jobs_canceled);
    put_count(json, "jobs_failed", diag->jobs_failed);
    put_count(json, "jobs_pending", diag->jobs_pending);
    put_count(json, "jobs_running", diag->jobs_running);
    put_number(json, "job_states_ts", (uint64_t)now);
}

static void put_main(struct json_writer *json, const struct diag *diag, int64_t now)
{
    static const char *const others[] = { "default_queue_depth", "max_job_start", "max_rpc_cnt",
                                          "max_sched_time", "licenses" };
    uint64_t minutes = now > diag->since ? (uint64_t)(now - diag->since) / 60 : 0;

    put_count(json, "schedule_cycle_max", diag->cycle_max_us);
    put_count(json, "schedule_cycle_last", diag->cycle_last_us);
    put_count(json, "schedule_cycle_sum", diag->cycle_total_us);
    put_count(json, "schedule_cycle_total", diag->cycles);
    put_count(json, "schedule_cycle_mean", mean(diag->cycle_total_us, diag->cycles));
    put_count(json, "schedule_cycle_mean_depth", mean(diag->cycle_depth_total, diag->cycles));
    put_count(json, "schedule_cycle_per_minute", mean(diag->cycles, minutes));
    put_count(json, "schedule_cycle_depth", diag->cycle_depth_total);
    json_open_object(json, "schedule_exit");
    put_count(json, "end_job_queue", sdiag_passes(diag));
    put_zeros(json, others, ARRAY_N(others));
    json_close(json);
    put_count(json, "schedule_queue_length", diag->queue_length);
}

static void put_backfill(struct json_writer *json, const struct diag *diag)
{
    static const char *const others[] = { "bf_max_time", "bf_node_space_size", "state_changed" };

    put_count(json, "bf_backfilled_jobs", diag->backfilled_ever);
    put_count(json, "bf_last_backfilled_jobs", diag->backfilled_jobs);
    put_count(json, "bf_backfilled_het_jobs", 0);
    put_count(json, "bf_cycle_counter", diag->cycles);
    put_count(json, "bf_cycle_mean", mean(diag->cycle_total_us, diag->cycles));
    put_count(json, "bf_depth_mean", mean(diag->cycle_depth_total, diag->cycles));
    put_count(json, "bf_depth_mean_try", mean(diag->depth_try_total, diag->cycles));
    put_count(json, "bf_cycle_sum", diag->cycle_total_us);
    put_count(json, "bf_cycle_last", diag->cycle_last_us);
    put_count(json, "bf_cycle_max", diag->cycle_max_us);
    json_open_object(json, "bf_exit");
    put_count(json, "end_job_queue", diag->ended_at_queue);
    put_count(json, "bf_max_job_start", diag->ended_at_starts);
    put_count(json, "bf_max_job_test", diag->ended_at_tests);
    put_zeros(json, others, ARRAY_N(others));
    json_close(json);
    put_count(json, "bf_last_depth", diag->depth_last);
    put_count(json, "bf_last_depth_try", diag->depth_try_last);
    put_count(json, "bf_depth_sum", diag->cycle_depth_total);
    put_count(json, "bf_depth_try_sum", diag->depth_try_total);
    put_count(json, "bf_queue_len", diag->queue_length);
    put_count(json, "bf_queue_len_mean", mean(diag->queue_total, diag->cycles));
    put_count(json, "bf_queue_len_sum", diag->queue_total);
    put_count(json, "bf_table_size", diag->table_size);
    put_count(json, "bf_table_size_sum", diag->table_total);
    put_count(json, "bf_table_size_mean", mean(diag->table_total, diag->cycles));
    put_number(json, "bf_when_last_cycle", (uint64_t)diag->cycle_last_at);
    json_add_bool(json, "bf_active", false);
}

static void add_times(struct json_writer *json, const struct rpc_count *count)
{
    put_count(json, "total_time", count->total_us);
    put_number(json, "average_time", mean(count->total_us, count->count));
}

static void put_by_type(struct json_writer *json, const struct diag *diag)
{
    static const char *const queueing[] = { "queued", "dropped", "cycle_last", "cycle_max" };

    json_open_array(json, "rpcs_by_message_type");
    for (uint32_t i = 0; i < diag->by_type_n; i++) {
        const struct rpc_name name = rpc_name_of(diag->by_type[i].type);

        json_open_object(json, NULL);
        put_count(json, "type_id", name.number);
        json_add_text(json, "message_type", name.text);
        put_count(json, "count", diag->by_type[i].count);
        put_zeros(json, queueing, ARRAY_N(queueing));
        add_times(json, &diag->by_type[i]);
        json_close(json);
    }
    json_close(json);
}

static void put_by_user(struct json_writer *json, const struct diag *diag,
                        const struct sdiag_view *view)
{
    json_open_array(json, "rpcs_by_user");
    for (uint32_t i = 0; i < diag->by_user_n; i++) {
        AUTO_FREE char *name = sdiag_user(view, diag->by_user[i].type);

        json_open_object(json, NULL);
        put_count(json, "user_id", diag->by_user[i].type);
        json_add_text(json, "user", name);
        put_count(json, "count", diag->by_user[i].count);
        add_times(json, &diag->by_user[i]);
        json_close(json);
    }
    json_close(json);
}

static void put_pending(struct json_writer *json, const struct diag *diag)
{
    json_open_array(json, "pending_rpcs");
    for (uint32_t i = 0; i < diag->pending_n; i++) {
        const struct rpc_name name = rpc_name_of(diag->pending[i].type);

        json_open_object(json, NULL);
        put_count(json, "type_id", name.number);
        json_add_text(json, "message_type", name.text);
        put_count(json, "count", diag->pending[i].count);
        json_close(json);
    }
    json_close(json);
}

void sdiag_statistics(const struct diag *diag, const struct sdiag_view *view,
                      struct json_writer *json)
{
    json_open_object(json, "statistics");
    put_count(json, "parts_packed", 1);
    put_number(json, "req_time", (uint64_t)view->now);
    put_number(json, "req_time_start", (uint64_t)diag->since);
    put_count(json, "server_thread_count", diag->sessions);
    put_count(json, "agent_queue_size", 0);
    put_count(json, "agent_count", 0);
    put_count(json, "agent_thread_count", 0);
    put_count(json, "dbd_agent_queue_size", (uint32_t)diag->dbd_behind);
    put_count(json, "gettimeofday_latency", diag->clock_us);
    put_main(json, diag, view->now);
    put_jobs(json, diag, view->now);
    put_backfill(json, diag);
    put_by_type(json, diag);
    put_by_user(json, diag, view);
    put_pending(json, diag);
    document_word(json, "pending_rpcs_by_hostlist", NULL);
    json_close(json);
}
