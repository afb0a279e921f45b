#include "unit/check_main.h"

#include <sqlite3.h>

#include "ctld/store/db.h"
#include "unit/ctld/store/store_rig.h"

static void fill_job(struct job_record *job, uint32_t id, uint32_t array, uint32_t run)
{
    job_record_init(job);
    job->spec = xcalloc(1, sizeof(*job->spec));
    job_spec_init(job->spec);
    job->id = id;
    job->uid = 1000;
    job->array_job_id = array;
    job->launch_number = run;
    job->state = JOB_RUNNING;
}

static void note_job(struct turn_changes *turn, uint32_t kind, const struct job_record *job)
{
    rig_note(turn, kind, job_record_schema(), job, job->id, 0);
    turn->changes[turn->changes_n - 1].run = job->launch_number;
}

static void note_step(struct turn_changes *turn, uint32_t job_id, uint32_t run, uint32_t step_id)
{
    AUTO(step_record) struct step_record step;

    step_record_init(&step);
    step.job_id = job_id;
    step.step_id = step_id;
    step.launch_number = run;
    rig_note(turn, CHANGE_STEP, step_record_schema(), &step, job_id, step_id);
    turn->changes[turn->changes_n - 1].run = run;
}

static void commit(struct store *store, struct turn_changes *turn)
{
    uint64_t number = turn->turn;

    store_commit(store, turn);
    rig_wait_until_committed(store, number);
}

/* "7r1:2 7r2:1 ": job, run, how many steps; an earlier run in parentheses. */
static void on_page(struct jobs_page *page, uint64_t next, const struct err *err, void *ctx)
{
    struct strbuf *out = ctx;

    ck_assert_ptr_null(err);
    ck_assert_uint_eq(next, 0);
    for (uint32_t i = 0; i < page->n; i++)
        strbuf_addf(out, page->jobs[i].is_earlier_run ? "(%ur%u:%u) " : "%ur%u:%u ",
                    page->jobs[i].job->id, page->jobs[i].job->launch_number, page->jobs[i].steps_n);
    strbuf_adds(out, ".");
}

static char *list_by(struct store *store, const struct history_list *filter)
{
    struct strbuf out = { 0 };

    store_history(store, 0, filter, 0, on_page, &out);
    while (!out.len)
        rig_wait_for_news(store);
    return strbuf_steal(&out);
}

static char *list(struct store *store, uint32_t job, bool duplicates)
{
    AUTO(history_list) struct history_list filter;

    history_list_init(&filter);
    filter.duplicates = duplicates;
    if (job)
        *ARRAY_PUSH(filter.job_ids, filter.job_ids_n) = job;
    return list_by(store, &filter);
}

static char *list_of(struct store *store, uint32_t uid)
{
    AUTO(history_list) struct history_list filter;

    history_list_init(&filter);
    *ARRAY_PUSH(filter.uids, filter.uids_n) = uid;
    return list_by(store, &filter);
}

START_TEST(a_requeued_job_keeps_its_earlier_run_and_that_runs_steps)
{
    struct store *store = rig_start();
    struct turn_changes turn;
    AUTO(job_record) struct job_record job;

    fill_job(&job, 7, 0, 1);
    turn_changes_init(&turn);
    turn.turn = 1;
    note_job(&turn, CHANGE_JOB, &job);
    note_step(&turn, 7, 1, STEP_BATCH);
    note_step(&turn, 7, 1, 0);
    note_job(&turn, CHANGE_RUN, &job);
    job.state = JOB_PENDING;
    note_job(&turn, CHANGE_JOB, &job);
    commit(store, &turn);
    AUTO_FREE char *waiting = list(store, 0, true);
    turn.turn = 2;
    job.state = JOB_RUNNING;
    job.launch_number = 2;
    note_job(&turn, CHANGE_JOB, &job);
    note_step(&turn, 7, 2, STEP_BATCH);
    commit(store, &turn);
    AUTO_FREE char *all = list(store, 7, true);
    AUTO_FREE char *last = list(store, 7, false);

    ck_assert_str_eq(waiting, "(7r1:2) 7r1:0 .");
    ck_assert_str_eq(all, "(7r1:2) 7r2:1 .");
    ck_assert_str_eq(last, "7r2:1 .");
    store_free(store);
}
END_TEST

START_TEST(a_window_finds_a_run_of_a_job_that_was_requeued_after_it)
{
    struct store *store = rig_start();
    struct turn_changes turn;
    AUTO(job_record) struct job_record job;
    AUTO(history_list) struct history_list filter;

    fill_job(&job, 7, 0, 1);
    job.submit_time = 1000;
    turn_changes_init(&turn);
    turn.turn = 1;
    note_job(&turn, CHANGE_RUN, &job);
    job.submit_time = 2000;
    job.launch_number = 2;
    note_job(&turn, CHANGE_JOB, &job);
    commit(store, &turn);
    history_list_init(&filter);
    filter.until = 1500;
    AUTO_FREE char *last = list_by(store, &filter);
    filter.duplicates = true;
    AUTO_FREE char *all = list_by(store, &filter);

    ck_assert_str_eq(last, ".");
    ck_assert_str_eq(all, "(7r1:0) 7r2:0 .");
    store_free(store);
}
END_TEST

START_TEST(an_id_that_is_used_again_hides_no_job)
{
    const uint32_t again = 1u << JOB_RUN_BITS;
    struct store *store = rig_start();
    struct turn_changes turn;
    AUTO(job_record) struct job_record job;

    fill_job(&job, 7, 0, 2);
    job.state = JOB_COMPLETE;
    turn_changes_init(&turn);
    turn.turn = 1;
    note_step(&turn, 7, 1, STEP_BATCH);
    note_job(&turn, CHANGE_RUN, &job);
    note_job(&turn, CHANGE_JOB, &job);
    note_step(&turn, 7, 2, STEP_BATCH);
    note_job(&turn, CHANGE_JOB_RETIRE, &job);
    job.uid = 2000;
    job.launch_number = again + 1;
    note_job(&turn, CHANGE_JOB, &job);
    note_step(&turn, 7, again + 1, STEP_BATCH);
    note_step(&turn, 7, again + 1, 0);
    commit(store, &turn);
    AUTO_FREE char *all = list(store, 7, true);
    AUTO_FREE char *last = list(store, 7, false);
    AUTO_FREE char *earlier = list_of(store, 1000);

    ck_assert_str_eq(all, "(7r2:1) 7r2:0 7r1048577:2 .");
    ck_assert_str_eq(last, "7r1048577:2 .");
    ck_assert_str_eq(earlier, "7r2:0 .");
    store_free(store);
}
END_TEST

/* Job 7 waits again after a run in chem, and was moved to phys meanwhile. */
START_TEST(an_account_finds_runs_that_were_in_it)
{
    struct store *store = rig_start();
    struct turn_changes turn;
    AUTO(job_record) struct job_record job;
    AUTO(history_list) struct history_list filter;

    fill_job(&job, 7, 0, 1);
    job.spec->account = xstrdup("chem");
    turn_changes_init(&turn);
    turn.turn = 1;
    note_step(&turn, 7, 1, 0);
    note_job(&turn, CHANGE_RUN, &job);
    xstrset(&job.spec->account, "phys");
    job.launch_number = 2;
    note_step(&turn, 7, 2, 0);
    note_job(&turn, CHANGE_JOB, &job);
    job.id = 8;
    note_step(&turn, 8, 2, 0);
    note_job(&turn, CHANGE_JOB, &job);
    commit(store, &turn);
    history_list_init(&filter);
    filter.duplicates = true;
    *ARRAY_PUSH(filter.accounts, filter.accounts_n) = xstrdup("chem");
    AUTO_FREE char *chem = list_by(store, &filter);
    xstrset(&filter.accounts[0], "phys");
    AUTO_FREE char *phys = list_by(store, &filter);
    *ARRAY_PUSH(filter.accounts, filter.accounts_n) = xstrdup("chem");
    filter.no_steps = true;
    AUTO_FREE char *both = list_by(store, &filter);

    ck_assert_str_eq(chem, "(7r1:1) .");
    ck_assert_str_eq(phys, "7r2:1 8r2:1 .");
    ck_assert_str_eq(both, "(7r1:0) 7r2:0 8r2:0 .");
    store_free(store);
}
END_TEST

START_TEST(the_id_of_an_array_finds_its_tasks)
{
    struct store *store = rig_start();
    struct turn_changes turn;

    turn_changes_init(&turn);
    turn.turn = 1;
    for (uint32_t id = 5; id < 10; id++) {
        AUTO(job_record) struct job_record job;

        fill_job(&job, id, id == 6 || id == 8 ? 6 : 0, 0);
        note_job(&turn, CHANGE_JOB, &job);
    }
    commit(store, &turn);
    AUTO_FREE char *array = list(store, 6, false);
    AUTO_FREE char *task = list(store, 8, false);

    ck_assert_str_eq(array, "6r0:0 8r0:0 .");
    ck_assert_str_eq(task, "8r0:0 .");
    store_free(store);
}
END_TEST

struct fetched {
    bool done;
    int code;
    uint32_t n, total;
    uint8_t name[SHA256_BYTES];
};

static void on_blob(const struct blob_chunk *piece, const struct err *err, void *ctx)
{
    struct fetched *fetched = ctx;

    *fetched = (struct fetched){ true, err ? err->code : 0, piece->data.n, piece->total, { 0 } };
    if (!err)
        memcpy(fetched->name, piece->sha256.data, SHA256_BYTES);
}

static struct fetched fetch(struct store *store, uint32_t job, bool environment, uint32_t uid)
{
    const struct job_script ask = { .job_id = job, .environment = environment };
    struct fetched fetched = { 0 };

    store_job_blob(store, 0, &ask, uid, on_blob, &fetched);
    while (!fetched.done)
        rig_wait_for_news(store);
    return fetched;
}

START_TEST(the_first_piece_of_a_script_tells_the_name_of_the_whole)
{
    struct store *store = rig_start();
    AUTO_FREE char *script = xcalloc(1, BLOB_CHUNK_MAX + 7);
    struct turn_changes turn;
    AUTO(job_record) struct job_record job;
    uint8_t sha256[SHA256_BYTES] = { 1, 2, 3 };

    fill_job(&job, 7, 0, 1);
    turn_changes_init(&turn);
    turn.turn = 1;
    rig_note_blob(&turn, sha256, script, BLOB_CHUNK_MAX + 7);
    rig_note_body(&turn, &job, sha256);
    note_job(&turn, CHANGE_JOB, &job);
    commit(store, &turn);
    const struct fetched first = fetch(store, 7, false, 1000);

    ck_assert_uint_eq(first.n, BLOB_CHUNK_MAX);
    ck_assert_uint_eq(first.total, BLOB_CHUNK_MAX + 7);
    ck_assert_mem_eq(first.name, sha256, SHA256_BYTES);
    store_free(store);
}
END_TEST

START_TEST(a_script_is_told_to_its_owner_only)
{
    struct store *store = rig_start();
    struct turn_changes turn;
    AUTO(job_record) struct job_record job;
    uint8_t sha256[SHA256_BYTES] = { 1, 2, 3 };

    fill_job(&job, 7, 0, 1);
    turn_changes_init(&turn);
    turn.turn = 1;
    rig_note_blob(&turn, sha256, "#!", 2);
    rig_note_body(&turn, &job, sha256);
    note_job(&turn, CHANGE_JOB, &job);
    commit(store, &turn);

    ck_assert_uint_eq(fetch(store, 7, false, 1000).n, 2);
    ck_assert_uint_eq(fetch(store, 7, false, STORE_ANYBODY).n, 2);
    ck_assert_int_eq(fetch(store, 7, false, 1001).code, EPERM);
    ck_assert_int_eq(fetch(store, 7, true, 1000).code, E_NO_SCRIPT);
    ck_assert_int_eq(fetch(store, 8, false, 1000).code, E_JOB_ID);
    store_free(store);
}
END_TEST

/*
 * A database as an older program left it, with one job of an array that has two steps. Kept as
 * text: a new version adds the file of the one before it.
 */
static void make_version(int version)
{
    AUTO_FREE char *path = xasprintf("%s/sluice.db", rig_dir);
    AUTO_FREE char *kept = xasprintf("data/store/version-%d.sql", version);
    FILE *file = fopen(kept, "re");
    char text[8192] = "";
    char *why = NULL;
    sqlite3 *db;

    rig_is_about_a_file();
    ck_assert_msg(file != NULL, "%s", kept);
    ck_assert_uint_lt(fread(text, 1, sizeof(text) - 1, file), sizeof(text) - 1);
    fclose(file);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(db, text, NULL, NULL, &why) == SQLITE_OK, "%s", why);
    sqlite3_close(db);
}

static void count_step(const struct step_record *step, void *ctx)
{
    ck_assert_uint_eq(step->launch_number, 3);
    (*(uint32_t *)ctx)++;
}

static void skip_job(struct job_record *job, const struct job_body *body, void *ctx)
{
    (void)job;
    (void)body;
    (void)ctx;
}

/* A job of before bodies were, as it comes out of a migration. */
static void check_body(struct job_record *job, const struct job_body *body, void *ctx)
{
    ck_assert_uint_eq(job->body_sha256.n, SHA256_BYTES);
    ck_assert_str_eq(job->spec->name, "old");
    ck_assert_str_eq(body->work_dir, "/home/ann");
    ck_assert_str_eq(body->std_out, "out-%j");
    ck_assert_str_eq(body->command, "/home/ann/job.sh");
    ck_assert_uint_eq(body->script_sha256.n, SHA256_BYTES);
    *(bool *)ctx = true;
}

static void skip_step(const struct step_record *step, void *ctx)
{
    (void)step;
    (void)ctx;
}

static void check_number(const char *name, int64_t number, void *ctx)
{
    (void)ctx;
    if (strcmp(name, "next_job") == 0)
        ck_assert_int_eq(number, 12);
}

static void check_kept(const struct kept_kind *kind, const void *record, void *ctx)
{
    AUTO_FREE char *key = kept_key(kind, record);

    (void)ctx;
    ck_assert_str_eq(key, kind->number == KEPT_NODE ? "n1" : "7");
}

START_TEST(an_older_database_is_brought_up_to_date)
{
    const struct store_loader loader = { check_number, check_kept, skip_job, count_step };
    AUTO_FREE char *copy = xasprintf("%s/sluice.db.version-%d", rig_dir, _i + 1);
    struct store *store;
    uint32_t steps = 0;

    make_version(_i + 1);
    store = rig_open();
    ck_assert_int_eq(store_load(store, &loader, &steps, NULL), 0);
    ck_assert_int_eq(store_start(store, NULL), 0);
    AUTO_FREE char *array = list(store, 7, false);

    ck_assert_uint_eq(steps, 2);
    ck_assert_str_eq(array, "9r3:2 .");
    ck_assert_int_eq(access(copy, F_OK), 0); /* what it was before */
    store_free(store);
}
END_TEST

static void on_runs(struct jobs_page *page, uint64_t next, const struct err *err, void *ctx)
{
    ck_assert_ptr_null(err);
    ck_assert_uint_eq(next, 0);
    for (uint32_t i = 0; i < page->n; i++)
        ck_assert_str_eq(page->jobs[i].body->work_dir, "/home/ann");
    *(uint32_t *)ctx = page->n;
}

START_TEST(jobs_of_before_there_were_bodies_have_one)
{
    const struct store_loader loader = { check_number, check_kept, check_body, skip_step };
    AUTO(history_list) struct history_list filter;
    struct store *store;
    bool is_seen = false;
    uint32_t runs = 0;

    make_version(5);
    store = rig_open();
    ck_assert_int_eq(store_load(store, &loader, &is_seen, NULL), 0);
    ck_assert_int_eq(store_start(store, NULL), 0);
    history_list_init(&filter);
    filter.duplicates = true;
    store_history(store, 0, &filter, 0, on_runs, &runs);
    while (!runs)
        rig_wait_for_news(store);

    ck_assert(is_seen);
    ck_assert_uint_eq(runs, 2);
    ck_assert_uint_eq(fetch(store, 9, false, STORE_ANYBODY).n, strlen("#!/bin/sh\ntrue\n"));
    store_free(store);
}
END_TEST

/* Notes a body of this name, which is no hash of it: two names may begin alike so. */
static void note_body(struct turn_changes *turn, const struct blob *name, const char *work_dir)
{
    AUTO(job_body) struct job_body body;
    struct change *change;

    job_body_init(&body);
    body.work_dir = xstrdup(work_dir);
    rig_note(turn, CHANGE_BLOB, job_body_schema(), &body, 0, 0);
    change = &turn->changes[turn->changes_n - 1];
    change->sha256 = blob_copy(name);
    change->is_body = true;
}

static void on_bodies(struct jobs_page *page, uint64_t next, const struct err *err, void *ctx)
{
    struct strbuf *out = ctx;

    ck_assert_ptr_null(err);
    ck_assert_uint_eq(next, 0);
    for (uint32_t i = 0; i < page->n; i++)
        strbuf_addf(out, "%u:%s ", page->jobs[i].job->id, page->jobs[i].body->work_dir);
    strbuf_adds(out, ".");
}

START_TEST(each_job_has_its_own_body_where_users_take_turns)
{
    static uint8_t bytes[3][SHA256_BYTES] = { { 7, 1 }, { 7, 2 }, { 8, 1 } };
    static const char *const dirs[] = { "/a", "/b", "/c" };
    static const uint32_t bodies[] = { 0, 1, 0, 2, 0, 1 };
    struct store *store = rig_start();
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO(history_list) struct history_list filter;
    struct turn_changes turn;

    turn_changes_init(&turn);
    turn.turn = 1;
    for (uint32_t i = 0; i < ARRAY_N(dirs); i++)
        note_body(&turn, &(struct blob){ bytes[i], SHA256_BYTES }, dirs[i]);
    for (uint32_t i = 0; i < ARRAY_N(bodies); i++) {
        AUTO(job_record) struct job_record job;

        fill_job(&job, i + 1, 0, 1);
        job.body_sha256 = blob_copy(&(struct blob){ bytes[bodies[i]], SHA256_BYTES });
        note_job(&turn, CHANGE_JOB, &job);
    }
    commit(store, &turn);
    history_list_init(&filter);
    store_history(store, 0, &filter, 0, on_bodies, &out);
    while (!out.len)
        rig_wait_for_news(store);

    ck_assert_str_eq(strbuf_text(&out), "1:/a 2:/b 3:/a 4:/c 5:/a 6:/b .");
    store_free(store);
}
END_TEST

CHECK_MAIN_WITH(history, rig_make_dir, rig_remove_dir,
                CASE(a_requeued_job_keeps_its_earlier_run_and_that_runs_steps),
                CASE(a_window_finds_a_run_of_a_job_that_was_requeued_after_it),
                CASE(an_id_that_is_used_again_hides_no_job),
                CASE(an_account_finds_runs_that_were_in_it),
                CASE(each_job_has_its_own_body_where_users_take_turns),
                CASE(the_id_of_an_array_finds_its_tasks),
                CASE(the_first_piece_of_a_script_tells_the_name_of_the_whole),
                CASE(a_script_is_told_to_its_owner_only),
                CASE(jobs_of_before_there_were_bodies_have_one),
                LOOP_CASE(an_older_database_is_brought_up_to_date, STORE_SCHEMA_VERSION - 1))
