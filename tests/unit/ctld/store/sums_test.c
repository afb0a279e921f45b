/* Sums of what jobs held: each run once, whatever happens, and the same as its record says. */
#include "unit/check_main.h"

#include <sqlite3.h>
#include <time.h>

#include "common/msg/amend.h"
#include "common/msg/cluster_event.h"
#include "common/msg/job_sums.h"
#include "common/msg/node.h"
#include "common/msg/types.h"
#include "unit/ctld/store/store_rig.h"

#define DAY  INT64_C(1795651200) /* 2026-11-26, UTC */
#define HOUR 3600

static void make_dir(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    rig_make_dir();
}

/* A job of bob in chem that held four cpus of one node from `start` to `end`. */
static void fill_job(struct job_record *job, uint32_t id, int64_t start, int64_t end)
{
    struct job_node *node;

    job_record_init(job);
    job->spec = xcalloc(1, sizeof(*job->spec));
    job_spec_init(job->spec);
    job->spec->account = xstrdup("chem");
    job->user_name = xstrdup("bob");
    job->partition = xstrdup("main");
    job->id = id;
    job->launch_number = 1;
    job->ncpus = 4;
    job->state = JOB_COMPLETE;
    job->eligible_time = job->start_time = start;
    job->end_time = end;
    node = ARRAY_PUSH(job->nodes, job->nodes_n);
    job_node_init(node);
    node->name = xstrdup("n1");
    node->memory = 100;
}

static void note_job(struct turn_changes *turn, uint32_t kind, const struct job_record *job)
{
    rig_note(turn, kind, job_record_schema(), job, job->id, 0);
    turn->changes[turn->changes_n - 1].run = job->launch_number;
    turn->changes[turn->changes_n - 1].is_end = kind == CHANGE_JOB && job_state_is_over(job->state);
}

static void commit_turn(struct store *store, struct turn_changes *turn)
{
    const uint64_t number = turn->turn = store_committed(store) + 1;

    store_commit(store, turn);
    rig_wait_until_committed(store, number);
}

static void commit_job(struct store *store, uint32_t kind, const struct job_record *job)
{
    struct turn_changes turn;

    turn_changes_init(&turn);
    note_job(&turn, kind, job);
    commit_turn(store, &turn);
}

static struct rig_answer sums_between(struct store *store, int64_t from, int64_t until, int64_t now)
{
    const struct sums_list list = { .from = from, .until = until };

    return rig_ask(store, MSG_SUMS_LIST, &list, now);
}

struct total {
    uint64_t jobs, cpu, mem;
};

/* What all have held together. */
static struct total total_between(struct store *store, int64_t from, int64_t until, int64_t now)
{
    const struct rig_answer answer = sums_between(store, from, until, now);
    const struct sum_info *sums = answer.rows;
    struct total total = { 0 };

    for (uint32_t i = 0; i < answer.n; i++) {
        total.jobs += sums[i].jobs;
        ck_assert_str_eq(sums[i].held[SUM_CPU].tres, "cpu");
        total.cpu += sums[i].held[SUM_CPU].amount;
        total.mem += sums[i].held[SUM_MEM].amount;
    }
    store_rows_free(MSG_SUM_INFO, answer.rows, answer.n);
    return total;
}

static uint64_t cpu_of_day(struct store *store)
{
    return total_between(store, DAY, DAY + 24 * HOUR, DAY + 24 * HOUR).cpu;
}

START_TEST(what_a_job_held_is_cut_by_the_hours_in_which_it_ran)
{
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;
    struct total hour;

    fill_job(&job, 7, DAY + 600, DAY + HOUR + 1200);
    commit_job(store, CHANGE_JOB, &job);

    hour = total_between(store, DAY, DAY + HOUR, DAY + 24 * HOUR);
    ck_assert_uint_eq(hour.cpu, 4 * 3000);
    ck_assert_uint_eq(hour.mem, 100 * 3000);
    ck_assert_uint_eq(hour.jobs, 1);
    hour = total_between(store, DAY + HOUR, DAY + 2 * HOUR, DAY + 24 * HOUR);
    ck_assert_uint_eq(hour.cpu, 4 * 1200);
    ck_assert_uint_eq(hour.jobs, 1);
    ck_assert_uint_eq(total_between(store, DAY, DAY + 24 * HOUR, DAY).jobs, 1);
    ck_assert_uint_eq(cpu_of_day(store), 4 * 4200);
    ck_assert_uint_eq(total_between(store, DAY + 2 * HOUR, DAY + 3 * HOUR, DAY).jobs, 0);
    store_free(store);
}
END_TEST

START_TEST(a_sum_tells_who_held_and_of_sizes_how_many_cpus)
{
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;
    const struct sums_list list = { .from = DAY, .until = DAY + HOUR, .sizes = true };
    struct rig_answer answer;
    const struct sum_info *sum;

    fill_job(&job, 7, DAY, DAY + 10);
    job.spec->wckey = xstrdup("w");
    job.spec->licenses = xstrdup("matlab:3");
    commit_job(store, CHANGE_JOB, &job);
    answer = rig_ask(store, MSG_SUMS_LIST, &list, DAY);

    ck_assert_uint_eq(answer.n, 1);
    sum = answer.rows;
    ck_assert_str_eq(sum->account, "chem");
    ck_assert_str_eq(sum->user, "bob");
    ck_assert_str_eq(sum->partition, "main");
    ck_assert_str_eq(sum->wckey, "w");
    ck_assert_uint_eq(sum->cpus, 4);
    ck_assert_uint_eq(sum->held_n, SUM_TRES_N + 1);
    ck_assert_str_eq(sum->held[SUM_TRES_N].tres, "license/matlab");
    ck_assert_uint_eq(sum->held[SUM_TRES_N].amount, 30);
    store_rows_free(MSG_SUM_INFO, answer.rows, answer.n);
    store_free(store);
}
END_TEST

START_TEST(only_what_is_asked_for_is_told)
{
    static char *chem[] = { "chem" }, *other[] = { "other" }, *none[] = { "" };
    static const struct {
        struct sums_list list;
        uint32_t n;
    } rows[] = {
        { { .accounts = chem, .accounts_n = 1 }, 1 },
        { { .accounts = other, .accounts_n = 1 }, 0 },
        { { .users = other, .users_n = 1 }, 0 },
        { { .partitions = other, .partitions_n = 1 }, 0 },
        { { .wckeys = none, .wckeys_n = 1 }, 1 },
        { { .wckeys = other, .wckeys_n = 1 }, 0 },
    };
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;

    fill_job(&job, 7, DAY, DAY + 10);
    commit_job(store, CHANGE_JOB, &job);
    job.id = 8;
    job.state = JOB_RUNNING;
    commit_job(store, CHANGE_JOB, &job);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct sums_list list = rows[i].list;
        struct rig_answer answer;

        list.from = DAY;
        list.until = DAY + HOUR;
        answer = rig_ask(store, MSG_SUMS_LIST, &list, DAY + 20);
        ck_assert_uint_eq(answer.n, rows[i].n);
        if (answer.n)
            ck_assert_uint_eq(((struct sum_info *)answer.rows)->jobs, 2);
        store_rows_free(MSG_SUM_INFO, answer.rows, answer.n);
    }
    store_free(store);
}
END_TEST

START_TEST(a_job_that_runs_counts_until_now)
{
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;

    fill_job(&job, 7, DAY + HOUR, DAY + 20 * HOUR);
    job.state = JOB_RUNNING; /* its end is when its limit ends it */
    commit_job(store, CHANGE_JOB, &job);

    ck_assert_uint_eq(total_between(store, DAY, DAY + 24 * HOUR, DAY + HOUR + 5).cpu, 20);
    ck_assert_uint_eq(total_between(store, DAY, DAY + HOUR, DAY + 9 * HOUR).jobs, 0);
    job.state = JOB_COMPLETE;
    job.end_time = DAY + HOUR + 7;
    commit_job(store, CHANGE_JOB, &job);
    ck_assert_uint_eq(cpu_of_day(store), 28);
    store_free(store);
}
END_TEST

START_TEST(a_record_that_is_written_again_counts_once)
{
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;
    struct turn_changes turn;

    fill_job(&job, 7, DAY, DAY + 10);
    commit_job(store, CHANGE_JOB, &job);
    store_free(store);
    store = rig_start(); /* and a restart in between */
    turn_changes_init(&turn);
    note_job(&turn, CHANGE_JOB, &job);
    turn.changes[0].is_end = false; /* its nodes are clean */
    commit_turn(store, &turn);

    ck_assert_uint_eq(cpu_of_day(store), 40);
    store_free(store);
}
END_TEST

START_TEST(each_run_of_a_requeued_job_counts_once)
{
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;

    fill_job(&job, 7, DAY, DAY + 10);
    job.state = JOB_RUNNING;
    commit_job(store, CHANGE_JOB, &job);
    job.state = JOB_CANCELLED;
    commit_job(store, CHANGE_RUN, &job);
    job.state = JOB_PENDING;
    job.restarts = 1;
    commit_job(store, CHANGE_JOB, &job);
    ck_assert_uint_eq(cpu_of_day(store), 40);
    job.state = JOB_COMPLETE;
    job.launch_number = 2;
    job.start_time = job.eligible_time = DAY + 100;
    job.end_time = DAY + 101;
    commit_job(store, CHANGE_JOB, &job);
    ck_assert_uint_eq(cpu_of_day(store), 44);
    store_free(store);
}
END_TEST

START_TEST(a_job_that_is_requeued_when_it_was_over_does_not_count_twice)
{
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;
    struct turn_changes turn;

    fill_job(&job, 7, DAY, DAY + 10);
    commit_job(store, CHANGE_JOB, &job);
    turn_changes_init(&turn);
    note_job(&turn, CHANGE_RUN, &job);
    job.state = JOB_PENDING;
    job.restarts = 1;
    note_job(&turn, CHANGE_JOB, &job);
    commit_turn(store, &turn);

    ck_assert_uint_eq(cpu_of_day(store), 40);
    store_free(store);
}
END_TEST

/* The record of the end was replaced by that of the wait that follows. */
START_TEST(a_job_that_ends_and_waits_again_in_one_turn_counts_once)
{
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;
    struct turn_changes turn;

    fill_job(&job, 7, DAY, DAY + 10);
    turn_changes_init(&turn);
    job.state = JOB_PENDING;
    job.restarts = 1;
    note_job(&turn, CHANGE_JOB, &job);
    turn.changes[0].is_end = true;
    job.state = JOB_FAILED;
    note_job(&turn, CHANGE_RUN, &job);
    commit_turn(store, &turn);

    ck_assert_uint_eq(cpu_of_day(store), 40);
    store_free(store);
}
END_TEST

START_TEST(a_job_that_is_cancelled_before_its_nodes_are_clean_counts_once)
{
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;

    fill_job(&job, 7, DAY, DAY + 10);
    job.state = JOB_CANCELLED;
    commit_job(store, CHANGE_RUN, &job);
    job.restarts = 1;
    job.end_time = DAY + 500;
    commit_job(store, CHANGE_JOB, &job);

    ck_assert_uint_eq(cpu_of_day(store), 40);
    store_free(store);
}
END_TEST

static void on_purged(const struct store_purged *done, const struct err *err, void *ctx)
{
    ck_assert_ptr_null(err);
    *(uint64_t *)ctx = done->left[ARCHIVE_JOBS] + 1;
}

START_TEST(a_purge_of_jobs_leaves_their_sums)
{
    const struct store_purge what = { .what = { .jobs_before = DAY + HOUR } };
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;
    struct turn_changes turn;
    uint64_t purged = 0;

    fill_job(&job, 7, DAY, DAY + 10);
    commit_job(store, CHANGE_JOB, &job);
    turn_changes_init(&turn);
    rig_note(&turn, CHANGE_JOB_RETIRE, NULL, NULL, 7, 0);
    turn.changes[0].run = 1;
    commit_turn(store, &turn);
    ck_assert(store_purge(store, &what, on_purged, &purged));
    while (!purged)
        rig_wait_for_news(store);

    ck_assert_uint_eq(purged, 1 + 1);
    ck_assert_uint_eq(cpu_of_day(store), 40);
    store_free(store);
}
END_TEST

/* A job that runs for days beside many short ones. */
static void fill_random(struct job_record *job, uint32_t id)
{
    const int64_t start = DAY - 40 * 24 * HOUR + rand() % (80 * 24 * HOUR);
    const int64_t length = rand() % 4 ? rand() % 5000 : rand() % (10 * 24 * HOUR);

    fill_job(job, id, start, start + length);
    job->ncpus = 1 + (uint32_t)rand() % 4;
    if (rand() % 4 == 0) {
        job->pre_suspend_s = length / 4;
        job->suspend_time = start + length / 2;
    }
    if (rand() % 5 == 0)
        job->state = JOB_RUNNING;
}

#define RANDOM_JOBS_N 300

/* Notes a job that comes into the history without an end. */
static void note_open(struct turn_changes *turn, const struct job_record *job)
{
    struct change *change;

    note_job(turn, CHANGE_JOB, job);
    change = ARRAY_PUSH(turn->changes, turn->changes_n);
    change_init(change);
    change->kind = CHANGE_JOB_RETIRE;
    change->job_id = job->id;
    change->run = job->launch_number;
    change->goes_on = true;
}

static void commit_end(struct store *store, uint32_t job_id)
{
    uint32_t set[] = { AMENDMENT_TAG_ends };
    const struct job_amendment amendment = { .set = set, .set_n = 1 };
    struct turn_changes turn;

    turn_changes_init(&turn);
    rig_note(&turn, CHANGE_AMEND, job_amendment_schema(), &amendment, job_id, 0);
    turn.changes[0].run = 1;
    commit_turn(store, &turn);
}

START_TEST(a_job_that_came_without_an_end_counts_until_it_is_ended)
{
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;
    struct turn_changes turn;

    turn_changes_init(&turn);
    fill_job(&job, 7, DAY + 600, 0);
    job.state = JOB_RUNNING;
    note_open(&turn, &job);
    commit_turn(store, &turn);

    ck_assert_uint_eq(total_between(store, DAY, DAY + HOUR, DAY + HOUR).cpu, 4 * 3000);
    commit_end(store, 7);
    ck_assert_uint_eq(total_between(store, DAY, DAY + HOUR, DAY + HOUR).cpu, 0);
    commit_end(store, 7);
    ck_assert_uint_eq(total_between(store, DAY, DAY + HOUR, DAY + HOUR).cpu, 0);
    store_free(store);
}
END_TEST

START_TEST(a_job_that_lives_is_not_ended_so)
{
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;

    fill_job(&job, 7, DAY + 600, 0);
    job.state = JOB_RUNNING;
    commit_job(store, CHANGE_JOB, &job);
    commit_end(store, 7);

    ck_assert_uint_eq(total_between(store, DAY, DAY + HOUR, DAY + HOUR).cpu, 4 * 3000);
    store_free(store);
}
END_TEST

static void commit_amendment(struct store *store, uint32_t job_id, const char *wckey)
{
    uint32_t set[] = { AMENDMENT_TAG_wckey };
    const struct job_amendment amendment = { .set = set,
                                             .set_n = 1,
                                             .wckey = (char *)(uintptr_t)wckey };
    struct turn_changes turn;

    turn_changes_init(&turn);
    rig_note(&turn, CHANGE_AMEND, job_amendment_schema(), &amendment, job_id, 0);
    turn.changes[0].run = 1;
    commit_turn(store, &turn);
}

static uint64_t cpu_of_wckey(struct store *store, const char *wckey)
{
    const struct rig_answer answer = sums_between(store, DAY, DAY + 24 * HOUR, DAY + 24 * HOUR);
    const struct sum_info *sums = answer.rows;
    uint64_t cpu = 0;

    for (uint32_t i = 0; i < answer.n; i++) {
        if (strcmp(sums[i].wckey ? sums[i].wckey : "", wckey) == 0)
            cpu += sums[i].held[SUM_CPU].amount;
    }
    store_rows_free(MSG_SUM_INFO, answer.rows, answer.n);
    return cpu;
}

START_TEST(what_a_job_held_goes_to_the_wckey_that_it_is_given_later)
{
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;

    fill_job(&job, 7, DAY + 600, DAY + 1600);
    commit_job(store, CHANGE_JOB, &job);
    job_record_clear(&job);
    fill_job(&job, 8, DAY + 600, DAY + 700);
    commit_job(store, CHANGE_JOB, &job);

    commit_amendment(store, 7, "night");

    ck_assert_uint_eq(cpu_of_wckey(store, "night"), 4 * 1000);
    ck_assert_uint_eq(cpu_of_wckey(store, ""), 4 * 100);
    ck_assert_uint_eq(total_between(store, DAY, DAY + HOUR, DAY + HOUR).jobs, 2);
    store_free(store);
}
END_TEST

START_TEST(a_job_that_is_not_there_is_not_made_by_what_is_changed_of_it)
{
    struct store *store = rig_start();

    commit_amendment(store, 7, "night");

    ck_assert_uint_eq(cpu_of_day(store), 0);
    store_free(store);
}
END_TEST

START_TEST(sums_are_those_of_the_records_over_any_hours)
{
    const int64_t now = DAY + 50 * 24 * HOUR;
    static struct job_record jobs[RANDOM_JOBS_N];
    struct store *store = rig_start();
    struct turn_changes turn;

    srand(7);
    turn_changes_init(&turn);
    for (uint32_t i = 0; i < RANDOM_JOBS_N; i++) {
        fill_random(&jobs[i], i + 1);
        note_job(&turn, CHANGE_JOB, &jobs[i]);
    }
    commit_turn(store, &turn);

    for (int round = 0; round < 100; round++) {
        const int64_t from = DAY - (50 * 24 - rand() % (100 * 24)) * HOUR;
        const int64_t until = from + rand() % (rand() % 2 ? 60 : 60 * 24) * HOUR;
        const struct total total = total_between(store, from, until, now);
        struct total expected = { 0 };

        for (uint32_t i = 0; i < RANDOM_JOBS_N; i++) {
            struct span spans[JOB_SPANS_MAX];
            int64_t ran = 0;

            for (uint32_t k = 0, n = job_spans(&jobs[i], now, spans); k < n; k++)
                ran += span_within(&spans[k], from, until);
            expected.cpu += (uint64_t)ran * jobs[i].ncpus;
            expected.mem += (uint64_t)ran * 100;
            expected.jobs += ran > 0;
        }
        ck_assert_uint_eq(total.cpu, expected.cpu);
        ck_assert_uint_eq(total.mem, expected.mem);
        ck_assert_uint_ge(total.jobs, expected.jobs); /* also those suspended all the time */
        ck_assert_uint_le(total.jobs, expected.jobs + RANDOM_JOBS_N / 10);
    }
    for (uint32_t i = 0; i < RANDOM_JOBS_N; i++)
        job_record_clear(&jobs[i]);
    store_free(store);
}
END_TEST

static void note_event(struct turn_changes *turn, char *node, int64_t since, int64_t until,
                       uint64_t n)
{
    AUTO(cluster_event) struct cluster_event event;
    struct acct_amount *amount;

    cluster_event_init(&event);
    event.node = xstrdup(node);
    event.since = since;
    event.until = until;
    event.state = NODE_DOWN;
    amount = ARRAY_PUSH(event.tres, event.tres_n);
    acct_amount_init(amount);
    amount->tres = xstrdup("cpu");
    amount->amount = n;
    rig_note(turn, CHANGE_CLUSTER_EVENT, cluster_event_schema(), &event, 0, 0);
}

/* Of 8 cpus, 4 run from 00:00 to 01:00, a node of 4 is down from 00:30 to 01:30 and its event is
 * told twice, and a job of 4 waits from 01:00 on; it is 02:00. */
START_TEST(the_time_of_the_cluster_is_shared_out_until_now)
{
    const struct utilization_list list = { .from = DAY, .until = DAY + 24 * HOUR };
    struct store *store = rig_start();
    AUTO(job_record) struct job_record job;
    const struct utilization_info *info;
    struct turn_changes turn;
    struct rig_answer answer;

    turn_changes_init(&turn);
    note_event(&turn, NULL, DAY, 0, 8);
    note_event(&turn, (char[]){ "n1" }, DAY + 1800, 0, 4);
    fill_job(&job, 7, DAY, DAY + HOUR);
    note_job(&turn, CHANGE_JOB, &job);
    commit_turn(store, &turn);
    turn_changes_init(&turn);
    note_event(&turn, (char[]){ "n1" }, DAY + 1800, DAY + 5400, 4);
    job.id = 8;
    job.state = JOB_PENDING;
    job.eligible_time = DAY + HOUR;
    job.start_time = job.end_time = 0;
    job_node_clear(&job.nodes[--job.nodes_n]);
    note_job(&turn, CHANGE_JOB, &job);
    commit_turn(store, &turn);
    answer = rig_ask(store, MSG_UTILIZATION_LIST, &list, DAY + 2 * HOUR);

    info = answer.rows;
    ck_assert_str_eq(info->tres, "cpu");
    ck_assert_uint_eq(info->count, 8);
    ck_assert_uint_eq(info->allocated, 4 * HOUR);
    ck_assert_uint_eq(info->down, 4 * HOUR);
    ck_assert_uint_eq(info->planned, 4 * HOUR);
    ck_assert_uint_eq(info->over, 0);
    ck_assert_uint_eq(info->idle, 4 * HOUR);
    store_rows_free(MSG_UTILIZATION_INFO, answer.rows, answer.n);
    store_free(store);
}
END_TEST

/* A job that ended, and an earlier run of it, as a program left them that knew no sums. */
START_TEST(an_older_database_gets_the_sums_of_its_jobs)
{
    AUTO_FREE char *path = xasprintf("%s/sluice.db", rig_dir);
    FILE *file = fopen("data/store/version-6.sql", "re");
    char text[8192] = "";
    struct store *store;
    sqlite3 *db;

    rig_is_about_a_file();
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_lt(fread(text, 1, sizeof(text) - 1, file), sizeof(text) - 1);
    fclose(file);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    store = rig_start();

    ck_assert_uint_eq(cpu_of_day(store), 4 * (4200 + 100));
    ck_assert_uint_eq(total_between(store, DAY, DAY + HOUR, DAY).cpu, 4 * 3000);
    store_free(store);
}
END_TEST

CHECK_MAIN_WITH(sums, make_dir, rig_remove_dir,
                CASE(what_a_job_held_is_cut_by_the_hours_in_which_it_ran),
                CASE(a_sum_tells_who_held_and_of_sizes_how_many_cpus),
                CASE(only_what_is_asked_for_is_told), CASE(a_job_that_runs_counts_until_now),
                CASE(a_record_that_is_written_again_counts_once),
                CASE(each_run_of_a_requeued_job_counts_once),
                CASE(a_job_that_is_requeued_when_it_was_over_does_not_count_twice),
                CASE(a_job_that_ends_and_waits_again_in_one_turn_counts_once),
                CASE(a_job_that_is_cancelled_before_its_nodes_are_clean_counts_once),
                CASE(a_purge_of_jobs_leaves_their_sums),
                CASE(a_job_that_came_without_an_end_counts_until_it_is_ended),
                CASE(a_job_that_lives_is_not_ended_so),
                CASE(what_a_job_held_goes_to_the_wckey_that_it_is_given_later),
                CASE(a_job_that_is_not_there_is_not_made_by_what_is_changed_of_it),
                CASE(sums_are_those_of_the_records_over_any_hours),
                CASE(the_time_of_the_cluster_is_shared_out_until_now),
                CASE(an_older_database_gets_the_sums_of_its_jobs))
