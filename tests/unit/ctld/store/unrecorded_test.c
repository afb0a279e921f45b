/* What of a job the history is not to keep is on disk while the controller has the job, and nobody
 * else is told of it. */
#include "unit/check_main.h"

#include "common/msg/job_sums.h"
#include "ctld/control/act/turn.h"
#include "ctld/store/sql/sqlite.h"
#include "unit/ctld/store/store_rig.h"

#define START INT64_C(1795651200)

static struct job_record *make_job(uint32_t unrecorded)
{
    struct job_record *job = xcalloc(1, sizeof(*job));
    struct job_node *node;

    job_record_init(job);
    job->spec = xcalloc(1, sizeof(*job->spec));
    job_spec_init(job->spec);
    job->spec->account = xstrdup("chem");
    job->user_name = xstrdup("bob");
    job->partition = xstrdup("main");
    job->id = 7;
    job->ncpus = 4;
    job->eligible_time = START;
    job->unrecorded = unrecorded;
    node = ARRAY_PUSH(job->nodes, job->nodes_n);
    job_node_init(node);
    node->name = xstrdup("n1");
    return job;
}

static struct job_record *free_job(struct job_record *job)
{
    job_record_clear(job);
    free(job);
    return NULL;
}

static void commit(struct store *store, struct turn *turn)
{
    const uint64_t number = turn->changes.turn = store_committed(store) + 1;

    store_commit(store, &turn->changes);
    rig_wait_until_committed(store, number);
    turn_clear(turn);
}

/* One run of ten seconds with one step; each in a turn of its own. */
static void run(struct store *store, struct job_record *job)
{
    AUTO(step_record) struct step_record step;
    struct turn turn;

    step_record_init(&step);
    step.job_id = job->id;
    step.launch_number = ++job->launch_number;
    step.unrecorded = job->unrecorded;
    job->state = JOB_RUNNING;
    job->start_time = START + 10 * (job->launch_number - 1);
    turn_init(&turn);
    turn_note_job(&turn, job);
    turn_note_step(&turn, &step);
    commit(store, &turn);
    job->state = JOB_COMPLETE;
    job->end_time = job->start_time + 10;
}

static void note_end(struct store *store, struct job_record *job, bool waits_again)
{
    AUTO(job_body) struct job_body body;
    struct turn turn;

    job_body_init(&body);
    turn_init(&turn);
    if (waits_again) {
        turn_note_run(&turn, job, &body);
        job->state = JOB_PENDING;
        turn_note_job(&turn, job);
    } else {
        turn_note_job_end(&turn, job, &body);
    }
    commit(store, &turn);
}

static void retire(struct store *store, const struct job_record *job)
{
    struct turn turn;

    turn_init(&turn);
    turn_note_job_retired(&turn, job);
    commit(store, &turn);
}

/* ---- who looks ---- */

struct look {
    struct strbuf text;
    bool is_over;
};

static void on_page(struct jobs_page *page, uint64_t next, const struct err *err, void *ctx)
{
    struct look *look = ctx;

    ck_assert_ptr_null(err);
    ck_assert_uint_eq(next, 0);
    for (uint32_t i = 0; i < page->n; i++)
        strbuf_addf(&look->text, " r%u:%u", page->jobs[i].job->launch_number,
                    page->jobs[i].steps_n);
    look->is_over = true;
}

static void look_at_history(struct store *store, struct look *look)
{
    AUTO(history_list) struct history_list filter;

    history_list_init(&filter);
    filter.duplicates = true;
    strbuf_adds(&look->text, "history");
    store_history(store, 0, &filter, 0, on_page, look);
}

static void on_rows(void *rows, uint32_t n, const struct err *err, void *ctx)
{
    const struct sum_info *sums = rows;
    struct look *look = ctx;
    uint64_t cpu_s = 0;

    ck_assert_ptr_null(err);
    for (uint32_t i = 0; i < n; i++)
        cpu_s += sums[i].held[SUM_CPU].amount;
    strbuf_addf(&look->text, "; cpu %llu", (unsigned long long)cpu_s);
    store_rows_free(MSG_SUM_INFO, rows, n);
    look->is_over = true;
}

/* Looks ten seconds after the start of the last run. */
static void look_at_sums(struct store *store, struct look *look)
{
    const struct sums_list list = { .from = START, .until = START + 3600 };

    store_rows(store, 0, MSG_SUMS_LIST, &list, START + 20, on_rows, look);
}

static void add_kinds(struct look *look, const struct turn_changes *turn)
{
    static const char *const names[] = { [CHANGE_JOB] = "job",
                                         [CHANGE_JOB_RETIRE] = "retire",
                                         [CHANGE_STEP] = "step",
                                         [CHANGE_RUN] = "run" };

    for (uint32_t i = 0; i < turn->changes_n; i++)
        strbuf_addf(&look->text, " %s", names[turn->changes[i].kind]);
}

static void on_log(struct turn_changes *turns, uint32_t n, uint64_t from, const struct err *err,
                   void *ctx)
{
    struct look *look = ctx;

    (void)from;
    ck_assert_ptr_null(err);
    for (uint32_t i = 0; i < n; i++)
        add_kinds(look, &turns[i]);
    look->is_over = true;
}

static void look_at_log(struct store *store, struct look *look)
{
    strbuf_adds(&look->text, "; log");
    store_log(store, 0, on_log, look);
}

static void on_copy(struct turn_changes *piece, uint64_t turn, const struct err *err, void *ctx)
{
    struct look *look = ctx;

    (void)turn;
    ck_assert_ptr_null(err);
    add_kinds(look, piece);
    look->is_over = true;
}

static void look_at_copy(struct store *store, struct look *look)
{
    strbuf_adds(&look->text, "; copy");
    store_copy(store, true, on_copy, look); /* first come records of other kinds: there are none */
    while (!look->is_over)
        rig_wait_for_news(store);
    look->is_over = false;
    store_copy(store, false, on_copy, look);
}

static void skip_number(const char *name, int64_t number, void *ctx)
{
    (void)name, (void)number, (void)ctx;
}

static void skip_kept(const struct kept_kind *kind, const void *record, void *ctx)
{
    (void)kind, (void)record, (void)ctx;
}

static void on_job(struct job_record *job, const struct job_body *body, void *ctx)
{
    (void)job, (void)body;
    strbuf_adds(&((struct look *)ctx)->text, " job");
}

static void on_step(const struct step_record *step, void *ctx)
{
    (void)step;
    strbuf_adds(&((struct look *)ctx)->text, " step");
}

static void on_alive(uint64_t turn, const struct err *err, void *ctx)
{
    (void)turn;
    ck_assert_ptr_null(err);
    ((struct look *)ctx)->is_over = true;
}

static void look_at_alive(struct store *store, struct look *look)
{
    static const struct store_loader loader = { skip_number, skip_kept, on_job, on_step };

    strbuf_adds(&look->text, "; alive");
    store_alive(store, &loader, on_alive, look);
}

static void assert_looks(struct store *store, const char *expected)
{
    static void (*const looks[])(struct store *, struct look *) = { look_at_history, look_at_sums,
                                                                    look_at_log, look_at_copy,
                                                                    look_at_alive };
    struct look look = { 0 };

    for (size_t i = 0; i < ARRAY_N(looks); i++) {
        look.is_over = false;
        looks[i](store, &look);
        while (!look.is_over)
            rig_wait_for_news(store);
    }
    ck_assert_str_eq(strbuf_text(&look.text), expected);
    strbuf_clear(&look.text);
}

static const struct {
    uint32_t unrecorded;
    const char *running, *gone;
} stories[] = {
    { UNRECORDED_NOTHING,
      "history r1:1 r2:1; cpu 80; log job step run job job step; copy job run step step;"
      " alive job step",
      "history r1:1 r2:1; cpu 80; log job step run job job step job retire;"
      " copy job retire run step step; alive" },
    { UNRECORDED_STEPS,
      "history r1:0 r2:0; cpu 80; log job run job job; copy job run; alive job step",
      "history r1:0 r2:0; cpu 80; log job run job job job retire; copy job retire run; alive" },
    { UNRECORDED_ALL, "history; cpu 0; log; copy; alive job step",
      "history; cpu 0; log; copy; alive" },
};

START_TEST(only_who_starts_again_sees_what_is_not_recorded)
{
    struct store *store = rig_start();
    struct job_record *job = make_job(stories[_i].unrecorded);

    store_log_keep(store, true);
    run(store, job);
    note_end(store, job, true);
    run(store, job);
    assert_looks(store, stories[_i].running);
    note_end(store, job, false);
    retire(store, job);
    assert_looks(store, stories[_i].gone);
    job = free_job(job);
    store_free(store);
}
END_TEST

/* Returns how many rows the tables have in all of jobs and steps. */
static int64_t rows_left(void)
{
    AUTO_FREE char *path = xasprintf("%s/sluice.db", rig_dir);
    struct sql *db;
    int64_t n = -1;

    ck_assert_int_eq(sqlite_open_reader(path, &db, NULL), 0);
    ck_assert_int_ge(sql_number(db,
                                "SELECT (SELECT count(*) FROM {jobs}) + (SELECT count(*) FROM"
                                " {steps}) + (SELECT count(*) FROM {runs})",
                                &n, NULL),
                     0);
    sql_close(db);
    return n;
}

START_TEST(nothing_stays_of_a_job_that_is_not_recorded)
{
    struct job_record *job = make_job(UNRECORDED_ALL);
    struct store *store;

    rig_is_about_a_file();
    store = rig_start();
    run(store, job);
    note_end(store, job, true);
    run(store, job);
    note_end(store, job, false);
    retire(store, job);
    store_free(store);
    job = free_job(job);
    ck_assert_int_eq(rows_left(), 0);
}
END_TEST

CHECK_MAIN_WITH(unrecorded, rig_make_dir, rig_remove_dir,
                LOOP_CASE(only_who_starts_again_sees_what_is_not_recorded, ARRAY_N(stories)),
                CASE(nothing_stays_of_a_job_that_is_not_recorded))
