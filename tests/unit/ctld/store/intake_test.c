#include "unit/check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "common/msg/event.h"
#include "common/msg/node.h"
#include "common/msg/sums.h"
#include "common/msg/types.h"
#include "ctld/store/archive.h"
#include "unit/ctld/store/intake_rig.h"

/* ---- purging and loading ---- */

struct purged {
    bool is_over;
    struct store_purged done;
    struct err err;
};

static void on_purged(const struct store_purged *done, const struct err *err, void *ctx)
{
    *(struct purged *)ctx = (struct purged){ true, *done, err ? *err : (struct err){ 0 } };
}

static char *archive_file(const char *name)
{
    return xasprintf("%s/%s", rig_dir, name);
}

/* Purges with an archive of this kind, named as it is. */
static struct store_purged purge(struct store *store, enum archive_kind kind,
                                 const struct purge_record *what)
{
    AUTO_FREE char *path = archive_file(store_archive_name(kind));
    struct store_purge how = { .what = *what, .cluster = "lab" };
    struct purged purged = { .is_over = false };

    how.archives[kind] = path;
    ck_assert(store_purge(store, &how, on_purged, &purged));
    while (!purged.is_over)
        rig_wait_for_news(store);
    ck_assert_msg(!purged.err.code, "%s", purged.err.text);
    return purged.done;
}

struct loaded {
    bool is_over;
    struct store_loaded done;
    struct err err;
};

static void on_loaded(const struct store_loaded *done, const struct err *err, void *ctx)
{
    *(struct loaded *)ctx = (struct loaded){ true, *done, err ? *err : (struct err){ 0 } };
}

static struct loaded try_load(struct store *store, const char *name, bool is_trial)
{
    AUTO_FREE char *path = archive_file(name);
    AUTO(archive_head) struct archive_head head = { 0 };
    struct loaded loaded = { .is_over = false };
    int fd;

    if (archive_open(path, &fd, &head, &loaded.err) < 0)
        return loaded;
    ck_assert(store_load_archive(store, fd, path, &head, is_trial, on_loaded, &loaded));
    while (!loaded.is_over)
        rig_wait_for_news(store);
    return loaded;
}

static struct store_loaded load(struct store *store, const char *name)
{
    const struct loaded loaded = try_load(store, name, false);

    ck_assert_msg(!loaded.err.code, "%s", loaded.err.text);
    return loaded.done;
}

/* ---- looking ---- */

static void on_page(struct jobs_page *page, uint64_t next, const struct err *err, void *ctx)
{
    struct strbuf *out = ctx;

    ck_assert_ptr_null(err);
    ck_assert_uint_eq(next, 0);
    for (uint32_t i = 0; i < page->n; i++)
        schema_encode(history_job_schema(), &page->jobs[i], out);
    strbuf_addf(out, "%u", page->n);
}

/* All that is told of the jobs, as bytes. */
static struct strbuf history(struct store *store)
{
    AUTO(history_list) struct history_list filter;
    struct strbuf out = { 0 };

    history_list_init(&filter);
    filter.duplicates = true;
    store_history(store, 0, &filter, 0, on_page, &out);
    while (!out.len)
        rig_wait_for_news(store);
    return out;
}

struct answer {
    bool came;
    void *rows;
    uint32_t n;
};

static void on_rows(void *rows, uint32_t n, const struct err *err, void *ctx)
{
    ck_assert_ptr_null(err);
    *(struct answer *)ctx = (struct answer){ true, rows, n };
}

static struct answer ask(struct store *store, uint32_t type, const void *request)
{
    struct answer answer = { .came = false };

    store_rows(store, 0, type, request, LATER, on_rows, &answer);
    while (!answer.came)
        rig_wait_for_news(store);
    return answer;
}

/* Cpu seconds that are summed between two moments, and how many jobs there were. */
static uint64_t cpu_between(struct store *store, int64_t from, int64_t until, uint64_t *ret_jobs)
{
    const struct sums_list list = { .from = from, .until = until };
    const struct answer answer = ask(store, MSG_SUMS_LIST, &list);
    const struct sum_info *sums = answer.rows;
    uint64_t cpu = 0;

    for (uint32_t i = 0; i < answer.n; i++) {
        cpu += sums[i].held[0].amount;
        if (ret_jobs)
            *ret_jobs += sums[i].jobs;
    }
    store_rows_free(MSG_SUM_INFO, answer.rows, answer.n);
    return cpu;
}

static uint64_t cpu(struct store *store)
{
    return cpu_between(store, DAY, LATER, NULL);
}

static const struct purge_record all_jobs = { .jobs_before = LATER };

/* ---- jobs and steps ---- */

START_TEST(what_is_loaded_is_as_it_was_and_twice_changes_nothing)
{
    struct store *store = rig_start();

    fill(store, JOBS);
    AUTO(strbuf) struct strbuf before = history(store);
    const uint64_t sums = cpu(store);
    purge(store, ARCHIVE_STEPS, &(struct purge_record){ .steps_before = LATER });
    purge(store, ARCHIVE_JOBS, &all_jobs);
    AUTO(strbuf) struct strbuf empty = history(store);
    const struct store_loaded jobs = load(store, "job"), steps = load(store, "step");
    const struct store_loaded again = load(store, "job"), steps_again = load(store, "step");
    AUTO(strbuf) struct strbuf after = history(store);

    ck_assert_str_eq(strbuf_text(&empty), "0");
    ck_assert_uint_eq(jobs.came, JOBS + 1); /* and an earlier run */
    ck_assert_uint_eq(jobs.highest_job, JOBS);
    ck_assert_uint_eq(steps.came, 2 * JOBS);
    ck_assert_uint_eq(again.came, 0);
    ck_assert_uint_eq(again.were_there, JOBS + 1);
    ck_assert_uint_eq(steps_again.were_there, 2 * JOBS);
    ck_assert_uint_eq(after.len, before.len);
    ck_assert_int_eq(memcmp(after.data, before.data, before.len), 0);
    ck_assert_uint_eq(cpu(store), sums);
    store_free(store);
}
END_TEST

START_TEST(steps_whose_job_is_not_there_are_left_out)
{
    struct store *store = rig_start();

    fill(store, JOBS);
    purge(store, ARCHIVE_STEPS, &all_jobs);
    const struct store_loaded steps = load(store, "step");

    ck_assert_uint_eq(steps.came, 0);
    ck_assert_uint_eq(steps.other, 2 * JOBS);
    store_free(store);
}
END_TEST

/* Moves the archives of a kind from the store of one directory to another, empty one. */
static struct store *another_store(struct store *store, enum archive_kind kind)
{
    AUTO_FREE char *path = archive_file(store_archive_name(kind));
    AUTO_FREE char *kept = xasprintf("%s.kept", rig_dir);
    AUTO_FREE char *back = NULL;

    store_free(store);
    ck_assert_int_eq(rename(path, kept), 0);
    rig_remove_dir();
    rig_make_dir();
    back = archive_file(store_archive_name(kind));
    ck_assert_int_eq(rename(kept, back), 0);
    turn_number = 0;
    return rig_start();
}

START_TEST(jobs_of_another_database_are_summed_once)
{
    struct store *store = rig_start();
    uint64_t jobs = 0;

    fill(store, JOBS);
    const uint64_t sums = cpu(store);
    purge(store, ARCHIVE_JOBS, &all_jobs);
    store = another_store(store, ARCHIVE_JOBS);
    ck_assert_uint_eq(cpu(store), 0);
    ck_assert_uint_eq(load(store, "job").came, JOBS + 1);
    ck_assert_uint_eq(cpu_between(store, DAY, LATER, &jobs), sums);
    ck_assert_uint_gt(jobs, 0);
    load(store, "job");
    ck_assert_uint_eq(cpu(store), sums);
    purge(store, ARCHIVE_STEPS, &all_jobs);
    ck_assert_uint_eq(load(store, "job").came, JOBS + 1);

    ck_assert_uint_eq(cpu(store), sums);
    store_free(store);
}
END_TEST

START_TEST(a_job_whose_number_another_one_has_stays_out)
{
    struct store *store = rig_start();
    struct turn_changes turn;

    fill(store, JOBS);
    purge(store, ARCHIVE_JOBS, &all_jobs);
    store = another_store(store, ARCHIVE_JOBS);
    begin_turn(&turn);
    note_job(&turn, 2);
    for (uint32_t i = 0; i < turn.changes_n; i++) {
        AUTO(job_record) struct job_record job;
        struct change *change = &turn.changes[i];

        job_record_init(&job);
        if (change->kind != CHANGE_JOB)
            continue;
        ck_assert_int_eq(
            schema_decode(job_record_schema(), change->record.data, change->record.n, &job, NULL),
            0);
        job.submit_time++;
        free(change->record.data);
        change->record = schema_encode_blob(job_record_schema(), &job);
    }
    commit(store, &turn);
    const struct store_loaded loaded = load(store, "job");

    ck_assert_uint_eq(loaded.other, 1);
    ck_assert_uint_eq(loaded.came, JOBS);
    store_free(store);
}
END_TEST

/* ---- a purge that is killed ---- */

static off_t size_of(const char *path)
{
    struct stat stat_of;

    return stat(path, &stat_of) < 0 ? 0 : stat_of.st_size;
}

#define MANY 900 /* that are all older than LATER */

/* Begins a purge in a child, and kills it when some of the archive is written. */
static void kill_a_purge(const char *path)
{
    struct timespec moment = { .tv_nsec = 200000 };
    int status;
    pid_t child = fork();

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        struct store *store = rig_start();

        purge(store, ARCHIVE_JOBS, &all_jobs);
        _exit(0);
    }
    while (size_of(path) < 200000 && waitpid(child, &status, WNOHANG) == 0)
        nanosleep(&moment, NULL);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
}

START_TEST(a_purge_that_was_killed_loses_no_job_and_has_none_twice)
{
    struct store *store = rig_start();
    AUTO_FREE char *path = archive_file("job");
    uint64_t left = 0;

    fill(store, MANY);
    const uint64_t sums = cpu(store);
    store_free(store);
    kill_a_purge(path);
    store = rig_start();
    left = purge(store, ARCHIVE_JOBS, &all_jobs).left[ARCHIVE_JOBS];
    const struct store_loaded first = load(store, "job");
    uint64_t came = first.came;
    if (left)
        came += load(store, "job.2").came;

    ck_assert_uint_eq(came, MANY + 1);
    ck_assert_uint_eq(cpu(store), sums);
    store_free(store);
}
END_TEST

static int jobs_in_file(sqlite3 *db)
{
    sqlite3_stmt *stmt = NULL;
    int n = 0;

    if (sqlite3_prepare_v2(db, "SELECT count(*) FROM jobs", -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW)
        n = sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    return n;
}

/* Begins a load in a child, and kills it when some jobs have come. */
static void kill_a_load(void)
{
    AUTO_FREE char *path = archive_file("sluice.db");
    struct timespec moment = { .tv_nsec = 200000 };
    sqlite3 *db;
    int status;
    pid_t child = fork();

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        load(rig_start(), "job");
        _exit(0);
    }
    ck_assert_int_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    while (jobs_in_file(db) == 0 && waitpid(child, &status, WNOHANG) == 0)
        nanosleep(&moment, NULL);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    sqlite3_close(db);
}

START_TEST(a_load_that_was_killed_is_done_again_and_sums_each_job_once)
{
    rig_is_about_a_file();
    struct store *store = rig_start();

    fill(store, MANY);
    const uint64_t sums = cpu(store);
    purge(store, ARCHIVE_JOBS, &all_jobs);
    store = another_store(store, ARCHIVE_JOBS);
    store_free(store);
    kill_a_load();
    store = rig_start();
    const struct store_loaded loaded = load(store, "job");

    ck_assert_uint_gt(loaded.were_there, 0);
    ck_assert_uint_eq(loaded.were_there + loaded.came, MANY + 1);
    ck_assert_uint_eq(cpu(store), sums);
    store_free(store);
}
END_TEST

/* ---- events, log, usage ---- */

static void note_event(struct turn_changes *turn, const char *node, int64_t since, int64_t until)
{
    struct cluster_event event;
    struct acct_amount *amount;

    cluster_event_init(&event);
    event.node = xstrdup(node);
    event.since = since;
    event.until = until;
    event.state = NODE_DOWN;
    event.reason = xstrdup(node ? "broken" : NULL);
    amount = ARRAY_PUSH(event.tres, event.tres_n);
    acct_amount_init(amount);
    amount->tres = xstrdup("cpu");
    amount->amount = node ? 4 : 8;
    rig_note(turn, CHANGE_CLUSTER_EVENT, cluster_event_schema(), &event, 0, 0);
    cluster_event_clear(&event);
}

static uint64_t down_time(struct store *store)
{
    const struct utilization_list list = { .from = DAY, .until = DAY + 86400 };
    const struct answer answer = ask(store, MSG_UTILIZATION_LIST, &list);
    const struct utilization_info *infos = answer.rows;
    uint64_t down = 0;

    for (uint32_t i = 0; i < answer.n; i++)
        down += infos[i].down;
    store_rows_free(MSG_UTILIZATION_INFO, answer.rows, answer.n);
    return down;
}

static uint32_t events_told(struct store *store)
{
    const struct cluster_event_list list = { .from = DAY };
    const struct answer answer = ask(store, MSG_CLUSTER_EVENT_LIST, &list);

    store_rows_free(MSG_CLUSTER_EVENT, answer.rows, answer.n);
    return answer.n;
}

START_TEST(an_event_that_was_purged_counts_still_and_comes_back)
{
    struct store *store = rig_start();
    struct turn_changes turn;

    begin_turn(&turn);
    note_event(&turn, NULL, DAY, 0);
    note_event(&turn, "n1", DAY + HOUR, DAY + 2 * HOUR);
    note_event(&turn, "n2", DAY + 4 * HOUR, 0); /* goes on */
    commit(store, &turn);
    const uint64_t down = down_time(store);
    const struct purge_record what = { .events_before = LATER };

    ck_assert_uint_gt(down, 4 * HOUR);
    ck_assert_uint_eq(purge(store, ARCHIVE_EVENTS, &what).left[ARCHIVE_EVENTS], 1);
    ck_assert_uint_eq(events_told(store), 2);
    ck_assert_uint_eq(down_time(store), down);
    ck_assert_uint_eq(purge(store, ARCHIVE_EVENTS, &what).left[ARCHIVE_EVENTS], 0);
    ck_assert_uint_eq(load(store, "event").came, 1);
    ck_assert_uint_eq(load(store, "event").were_there, 1);
    ck_assert_uint_eq(events_told(store), 3);
    ck_assert_uint_eq(down_time(store), down);
    purge(store, ARCHIVE_EVENTS,
          &(struct purge_record){ .events_before = LATER, .usage_before = LATER });
    ck_assert_uint_lt(down_time(store), down);
    store_free(store);
}
END_TEST

static void on_events(struct event_record *events, uint32_t n, struct event_place next,
                      bool is_last, const struct err *err, void *ctx)
{
    struct strbuf *out = ctx;

    (void)next;
    ck_assert(is_last && !err);
    for (uint32_t i = 0; i < n; i++) {
        strbuf_addf(out, "%u@%u.%u ", events[i].kind, (unsigned)events[i].turn, events[i].place);
        event_record_clear(&events[i]);
    }
    strbuf_addc(out, '.');
    free(events);
}

static char *log_of(struct store *store)
{
    AUTO(event_list) struct event_list filter;
    struct strbuf out = { 0 };

    event_list_init(&filter);
    store_events(store, 0, &filter, (struct event_place){ 0 }, on_events, &out);
    while (!out.len)
        rig_wait_for_news(store);
    return strbuf_steal(&out);
}

/* Two events of each kind, an hour between the turns. */
static void fill_log(struct store *store)
{
    for (int i = 0; i < 2; i++) {
        static const uint32_t kinds[] = { EVENT_NODE_CHANGED, EVENT_ACCOUNTING };
        struct turn_changes turn;

        begin_turn(&turn);
        for (size_t k = 0; k < ARRAY_N(kinds); k++) {
            struct event_record event;

            event_record_init(&event);
            event.kind = kinds[k];
            event.time_ms = (DAY + i * 3 * HOUR) * 1000;
            event.what = (char *)(uintptr_t) "Add Users";
            event.text = (char *)(uintptr_t) "alice";
            rig_note(&turn, CHANGE_EVENT, event_record_schema(), &event, 0, 0);
        }
        commit(store, &turn);
    }
}

START_TEST(transactions_and_other_events_leave_each_at_their_age)
{
    struct store *store = rig_start();

    turn_number = 0;
    fill_log(store);
    purge(store, ARCHIVE_LOG, &(struct purge_record){ .events_before = DAY + HOUR });
    AUTO_FREE char *without_log = log_of(store);
    purge(store, ARCHIVE_TRANSACTIONS, &(struct purge_record){ .transactions_before = LATER });
    AUTO_FREE char *without_both = log_of(store);
    load(store, "txn");
    AUTO_FREE char *with = log_of(store);
    const struct store_loaded again = load(store, "txn");

    ck_assert_str_eq(without_log, "29@1.1 20@2.0 29@2.1 .");
    ck_assert_str_eq(without_both, "20@2.0 .");
    ck_assert_str_eq(with, "29@1.1 20@2.0 29@2.1 .");
    ck_assert_uint_eq(again.were_there, 2);
    store_free(store);
}
END_TEST

START_TEST(usage_leaves_when_all_of_its_period_is_old_and_comes_back_once)
{
    struct store *store = rig_start();
    const struct purge_record what = { .usage_before = DAY + 3 * HOUR };

    fill(store, JOBS);
    const uint64_t sums = cpu(store);
    const uint64_t hours = cpu_between(store, DAY, DAY + 3 * HOUR, NULL);
    const struct store_purged purged = purge(store, ARCHIVE_USAGE, &what);
    const uint64_t hours_purged = cpu_between(store, DAY, DAY + 3 * HOUR, NULL);
    const uint64_t day_kept = cpu_between(store, DAY, DAY + 86400, NULL);
    const struct store_loaded loaded = load(store, "usage");
    const struct store_loaded again = load(store, "usage");

    ck_assert_uint_gt(hours, 0);
    ck_assert_uint_gt(purged.left[ARCHIVE_USAGE], 0);
    ck_assert_uint_eq(hours_purged, 0);
    ck_assert_uint_eq(day_kept, sums);
    ck_assert_uint_eq(loaded.came, purged.left[ARCHIVE_USAGE]);
    ck_assert_uint_eq(again.came, 0);
    ck_assert_uint_eq(cpu_between(store, DAY, DAY + 3 * HOUR, NULL), hours);
    store_free(store);
}
END_TEST

/* ---- what is no archive ---- */

static void write_file(const char *path, const char *text, size_t n)
{
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    ck_assert_int_eq((int)write(fd, text, n), (int)n);
}

static void expect_refusal(struct store *store, const char *name, const char *text)
{
    const struct loaded loaded = try_load(store, name, false);
    AUTO(strbuf) struct strbuf after = history(store);

    ck_assert_msg(loaded.err.code && strstr(loaded.err.text, text), "%s: '%s', not '%s'", name,
                  loaded.err.text, text);
    ck_assert_str_eq(strbuf_text(&after), "0");
}

#define BYTES(text) text, sizeof(text) - 1

static const struct {
    const char *bytes;
    size_t n;
    const char *text;
} strange[] = {
    { BYTES(""), "it is empty" },
    { BYTES("hello\n"), "no archive: its first line is another" },
    { BYTES("INSERT INTO x VALUES (1);\n"), "statements in SQL" },
    { BYTES("#jobid|array_job_id\n"), "of an earlier version" },
    { BYTES("\x26\0\0\0\0\0\x6b\x09\x60\x05\x05\x8d\0\0\0\x04lab"), "packed archive of Slurm's" },
    { BYTES("#sluice archive 9|job|lab|0000000000000001|0000000000000001\n"), "another version" },
    { BYTES("#sluice archive 1|job|lab|1|1\n"), "first line is damaged" },
    { BYTES("#sluice archive 1|job|lab|0000000000000001|0000000000000001\n#x\n#end 0\n"), NULL },
    { BYTES("#sluice archive 1|job|lab|0000000000000001|0000000000000001\n#x\n#end 1\n"),
      "another number of records" },
    { BYTES("#sluice archive 1|job|lab|0000000000000001|0000000000000001\n#x\na|b\n"),
      "line 3: no record of an archive of jobs" },
    { BYTES("#sluice archive 1|usage|lab|0000000000000001|0000000000000001\n#x\n#end 0\n"),
      "has left another database" },
    { BYTES("#sluice archive 1|job|lab|0000000000000001|0000000000000001\n#x\n#end 0\nx"),
      "something stands behind" },
};

START_TEST(what_is_no_archive_is_refused_in_words)
{
    struct store *store = rig_start();
    AUTO_FREE char *path = archive_file("strange");

    write_file(path, strange[_i].bytes, strange[_i].n);

    if (strange[_i].text)
        expect_refusal(store, "strange", strange[_i].text);
    else
        ck_assert_uint_eq(load(store, "strange").records, 0);
    store_free(store);
}
END_TEST

/* Returns the text of the archive of jobs that left this store, which is freed. */
static char *text_of_archive(struct store *store, size_t *ret_n)
{
    AUTO_FREE char *path = archive_file("job");
    AUTO_CLOSE int fd = -1;
    char *text;

    fill(store, JOBS);
    purge(store, ARCHIVE_JOBS, &all_jobs);
    *ret_n = (size_t)size_of(path);
    text = xmalloc(*ret_n + 1);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    ck_assert_int_eq((int)read(fd, text, *ret_n), (int)*ret_n);
    text[*ret_n] = '\0';
    return text;
}

START_TEST(a_file_that_is_cut_anywhere_brings_nothing)
{
    struct store *store = rig_start();
    AUTO_FREE char *path = archive_file("cut");
    size_t n;
    AUTO_FREE char *text = text_of_archive(store, &n);

    for (size_t cut = 1; cut < n; cut += 1 + n / 60) {
        write_file(path, text, cut);
        const struct loaded loaded = try_load(store, "cut", false);
        AUTO(strbuf) struct strbuf after = history(store);

        ck_assert_int_ne(loaded.err.code, 0);
        ck_assert_str_eq(strbuf_text(&after), "0");
    }
    ck_assert_uint_eq(load(store, "job").came, JOBS + 1);
    store_free(store);
}
END_TEST

START_TEST(a_damaged_record_lets_nothing_come)
{
    struct store *store = rig_start();
    AUTO_FREE char *path = archive_file("damaged");
    size_t n;
    AUTO_FREE char *text = text_of_archive(store, &n);

    *(strstr(text, "\n#end") - 1) = 'x'; /* in the last record */
    write_file(path, text, n);

    expect_refusal(store, "damaged", "no record of an archive of jobs");
    store_free(store);
}
END_TEST

/* Gives a job a reason that there is not. */
static void forge(struct change *change)
{
    AUTO(job_record) struct job_record job;

    ck_assert_int_eq(
        schema_decode(job_record_schema(), change->record.data, change->record.n, &job, NULL), 0);
    job.reason = 9999;
    free(change->record.data);
    change->record = schema_encode_blob(job_record_schema(), &job);
}

START_TEST(a_record_that_no_controller_writes_is_refused_in_words)
{
    struct store *store = rig_start();
    struct turn_changes turn;

    begin_turn(&turn);
    note_job(&turn, 2);
    for (uint32_t i = 0; i < turn.changes_n; i++) {
        if (turn.changes[i].kind == CHANGE_JOB)
            forge(&turn.changes[i]);
    }
    commit(store, &turn);
    purge(store, ARCHIVE_JOBS, &all_jobs);

    expect_refusal(store, "job", "line 3: job 2 waits for reason 9999, which there is not");
    store_free(store);
}
END_TEST

START_TEST(a_trial_brings_nothing)
{
    struct store *store = rig_start();

    fill(store, JOBS);
    purge(store, ARCHIVE_JOBS, &all_jobs);
    const struct loaded loaded = try_load(store, "job", true);
    AUTO(strbuf) struct strbuf after = history(store);

    ck_assert_int_eq(loaded.err.code, 0);
    ck_assert_uint_eq(loaded.done.records, JOBS + 1);
    ck_assert_str_eq(strbuf_text(&after), "0");
    store_free(store);
}
END_TEST

START_TEST(a_line_without_end_and_what_is_no_file_are_refused)
{
    static const char head[] = "#sluice archive 1|job|lab|0000000000000001|0000000000000001\n#x\n";
    struct store *store = rig_start();
    AUTO_FREE char *longer = archive_file("long");
    AUTO_FREE char *fifo = archive_file("fifo");

    write_file(longer, head, strlen(head));
    ck_assert_int_eq(truncate(longer, 1 << 30), 0);
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);

    expect_refusal(store, "long", "line 3 is longer than");
    expect_refusal(store, "fifo", "no regular file");
    expect_refusal(store, ".", "no regular file");
    expect_refusal(store, "nothing", "No such file");
    store_free(store);
}
END_TEST

static void make_dir(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    turn_number = 0;
    rig_make_dir();
}

CHECK_MAIN_WITH(
    intake, make_dir, rig_remove_dir, CASE(what_is_loaded_is_as_it_was_and_twice_changes_nothing),
    CASE(steps_whose_job_is_not_there_are_left_out), CASE(jobs_of_another_database_are_summed_once),
    CASE(a_job_whose_number_another_one_has_stays_out),
    CASE(a_purge_that_was_killed_loses_no_job_and_has_none_twice),
    CASE(a_load_that_was_killed_is_done_again_and_sums_each_job_once),
    CASE(an_event_that_was_purged_counts_still_and_comes_back),
    CASE(transactions_and_other_events_leave_each_at_their_age),
    CASE(usage_leaves_when_all_of_its_period_is_old_and_comes_back_once),
    LOOP_CASE(what_is_no_archive_is_refused_in_words, ARRAY_N(strange)),
    CASE(a_file_that_is_cut_anywhere_brings_nothing), CASE(a_damaged_record_lets_nothing_come),
    CASE(a_record_that_no_controller_writes_is_refused_in_words), CASE(a_trial_brings_nothing),
    CASE(a_line_without_end_and_what_is_no_file_are_refused))
