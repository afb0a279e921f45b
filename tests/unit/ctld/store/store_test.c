#include "unit/check_main.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "common/msg/trigger.h"
#include "unit/ctld/store/store_rig.h"

static void note_job(struct turn_changes *turn, uint32_t id, uint32_t uid, uint32_t state)
{
    AUTO(job_record) struct job_record job;

    job_record_init(&job);
    job.id = id;
    job.uid = uid;
    job.state = state;
    job.submit_time = 1000 + id;
    job.end_time = job_state_is_over(state) ? 2000 + id : 0;
    job.partition = xstrdup("compute");
    job.spec = xcalloc(1, sizeof(*job.spec));
    job_spec_init(job.spec);
    job.spec->name = xasprintf("job%u", id);
    rig_note(turn, CHANGE_JOB, job_record_schema(), &job, id, 0);
}

static void commit_job(struct store *store, uint64_t number, uint32_t id, uint32_t uid,
                       uint32_t state)
{
    struct turn_changes turn;

    turn_changes_init(&turn);
    turn.turn = number;
    note_job(&turn, id, uid, state);
    store_commit(store, &turn);
}

struct seen {
    uint32_t jobs, steps, nodes, triggers, last_trigger, last_job, state_of_last;
    int64_t number;
};

static void see_number(const char *name, int64_t number, void *ctx)
{
    if (strcmp(name, "clock") == 0)
        ((struct seen *)ctx)->number = number;
}

static void see_kept(const struct kept_kind *kind, const void *record, void *ctx)
{
    struct seen *seen = ctx;

    seen->nodes += kind->number == KEPT_NODE;
    if (kind->number == KEPT_TRIGGER) {
        seen->triggers++;
        seen->last_trigger = ((const struct trigger_record *)record)->id;
    }
}

static void see_job(struct job_record *job, const struct job_body *body, void *ctx)
{
    (void)body;
    struct seen *seen = ctx;

    seen->jobs++;
    seen->last_job = job->id;
    seen->state_of_last = job->state;
}

static void see_step(const struct step_record *step, void *ctx)
{
    (void)step;
    ((struct seen *)ctx)->steps++;
}

static struct seen load(struct store *store)
{
    const struct store_loader loader = { see_number, see_kept, see_job, see_step };
    struct seen seen = { 0 };
    struct err err = { 0 };

    ck_assert_msg(store_load(store, &loader, &seen, &err) == 0, "%s", err.text);
    return seen;
}

START_TEST(what_was_committed_is_there_after_a_restart)
{
    struct store *store = rig_start();

    commit_job(store, 1, 7, 1000, JOB_PENDING);
    commit_job(store, 2, 7, 1000, JOB_RUNNING);
    rig_wait_until_committed(store, 2);
    store_free(store);
    store = rig_open();
    struct seen seen = load(store);

    ck_assert_uint_eq(seen.jobs, 1);
    ck_assert_uint_eq(seen.state_of_last, JOB_RUNNING);
    ck_assert_uint_eq(store_committed(store), 2);
    store_free(store);
}
END_TEST

static void commit_trigger(struct store *store, uint64_t number, uint32_t id, bool is_there)
{
    const struct trigger_record trigger = { .id = id,
                                            .events = TRIGGER_UP,
                                            .program = (char *)(uintptr_t) "/tell" };
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct turn_changes turn;
    struct change *change;

    turn_changes_init(&turn);
    turn.turn = number;
    change = ARRAY_PUSH(turn.changes, turn.changes_n);
    change_init(change);
    change->kind = CHANGE_KEPT;
    change->kept = KEPT_TRIGGER;
    change->name = xasprintf("%u", id);
    schema_encode(trigger_record_schema(), &trigger, &bytes);
    if (is_there)
        change->record = (struct blob){ xmemdup(bytes.data, bytes.len), (uint32_t)bytes.len };
    store_commit(store, &turn);
}

START_TEST(triggers_are_there_until_they_are_gone)
{
    struct store *store = rig_start();

    commit_trigger(store, 1, 3, true);
    commit_trigger(store, 2, 4, true);
    commit_trigger(store, 3, 3, false);
    rig_wait_until_committed(store, 3);
    store_free(store);
    store = rig_open();
    struct seen seen = load(store);

    ck_assert_uint_eq(seen.triggers, 1);
    ck_assert_uint_eq(seen.last_trigger, 4);
    store_free(store);
}
END_TEST

START_TEST(a_committed_turn_survives_kill_9)
{
    int ready[2];
    char byte;

    ck_assert_int_eq(pipe(ready), 0);
    pid_t child = fork();

    if (child == 0) {
        struct store *store = rig_start();

        for (uint32_t i = 1; i <= 20; i++)
            commit_job(store, i, i, 1000, JOB_PENDING);
        rig_wait_until_committed(store, 20);
        _exit(write(ready[1], "x", 1) == 1 && pause());
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    struct store *store = rig_open();

    ck_assert_uint_eq(load(store).jobs, 20);
    store_free(store);
}
END_TEST

START_TEST(a_second_controller_on_the_directory_is_refused)
{
    struct store *store = rig_open(), *second = NULL;
    struct err err = { 0 };

    ck_assert_int_eq(store_open(rig_place(), &second, &err), -EBUSY);
    ck_assert_ptr_nonnull(strstr(err.text, "in use by another"));
    store_free(store);
}
END_TEST

START_TEST(a_newer_schema_is_refused)
{
    AUTO_FREE char *path = xasprintf("%s/sluice.db", rig_dir);
    struct store *store = NULL;
    struct err err = { 0 };
    sqlite3 *db;

    store_free(rig_open());
    if (rig_is_mariadb()) {
        rig_exec_mariadb("INSERT INTO {schema} VALUES (99)");
    } else {
        ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
        ck_assert_int_eq(sqlite3_exec(db, "PRAGMA user_version=99", NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
    }

    ck_assert_int_eq(store_open(rig_place(), &store, &err), -E_STORE);
    ck_assert_ptr_nonnull(strstr(err.text, "schema 99"));
}
END_TEST

START_TEST(a_file_that_is_no_database_is_refused_with_its_path)
{
    AUTO_FREE char *command = xasprintf("seq 2000 > '%s/sluice.db'", rig_dir);
    struct store *store = NULL;
    struct err err = { 0 };

    rig_is_about_a_file();
    ck_assert_int_eq(system(command), 0);

    ck_assert_int_lt(store_open(rig_place(), &store, &err), 0);
    ck_assert_ptr_nonnull(strstr(err.text, rig_dir));
}
END_TEST

struct page {
    bool done;
    uint32_t n, first, steps_of_first, first_step;
    uint64_t next;
};

static void on_page(struct jobs_page *jobs, uint64_t next, const struct err *err, void *ctx)
{
    struct page *page = ctx;

    ck_assert_ptr_null(err);
    page->done = true;
    page->n = jobs->n;
    page->next = next;
    if (jobs->n) {
        page->first = jobs->jobs[0].job->id;
        page->steps_of_first = jobs->jobs[0].steps_n;
        page->first_step = jobs->jobs[0].steps_n ? jobs->jobs[0].steps[0].step_id : 0;
    }
}

static struct page history(struct store *store, const struct history_list *filter, uint64_t after)
{
    struct page page = { 0 };

    store_history(store, 0, filter, after, on_page, &page);
    while (!page.done)
        rig_wait_for_news(store);
    return page;
}

START_TEST(a_retired_job_is_history_and_no_longer_alive)
{
    struct store *store = rig_start();
    AUTO(history_list) struct history_list filter;
    struct turn_changes turn;

    commit_job(store, 1, 7, 1000, JOB_COMPLETE);
    turn_changes_init(&turn);
    turn.turn = 2;
    rig_note(&turn, CHANGE_JOB_RETIRE, NULL, NULL, 7, 0);
    store_commit(store, &turn);
    rig_wait_until_committed(store, 2);
    history_list_init(&filter);

    ck_assert_uint_eq(history(store, &filter, 0).n, 1);
    store_free(store);
    store = rig_open();
    ck_assert_uint_eq(load(store).jobs, 0);
    store_free(store);
}
END_TEST

START_TEST(history_filters_and_pages)
{
    struct store *store = rig_start();
    AUTO(history_list) struct history_list filter;

    for (uint32_t i = 1; i <= STORE_PAGE + 10; i++)
        commit_job(store, i, i, i % 2 ? 1000 : 1001, i % 3 ? JOB_COMPLETE : JOB_PENDING);
    rig_wait_until_committed(store, STORE_PAGE + 10);
    history_list_init(&filter);

    ck_assert_uint_eq(history(store, &filter, 0).n, STORE_PAGE);
    ck_assert_uint_eq(history(store, &filter, history(store, &filter, 0).next).n, 10);
    *ARRAY_PUSH(filter.uids, filter.uids_n) = 1001;
    ck_assert_uint_eq(history(store, &filter, 0).first, 2);
    *ARRAY_PUSH(filter.job_ids, filter.job_ids_n) = 4;
    *ARRAY_PUSH(filter.job_ids, filter.job_ids_n) = 5;
    ck_assert_uint_eq(history(store, &filter, 0).n, 1);
    filter.from = 5000;
    ck_assert_uint_eq(history(store, &filter, 0).n, 0);
    store_free(store);
}
END_TEST

START_TEST(the_batch_step_comes_first)
{
    struct store *store = rig_start();
    AUTO(history_list) struct history_list filter;
    const uint32_t ids[] = { 0, STEP_BATCH, 1 };
    struct turn_changes turn;

    commit_job(store, 1, 7, 1000, JOB_RUNNING);
    turn_changes_init(&turn);
    turn.turn = 2;
    for (size_t i = 0; i < ARRAY_N(ids); i++) {
        AUTO(step_record) struct step_record step;

        step_record_init(&step);
        step.job_id = 7;
        step.step_id = ids[i];
        rig_note(&turn, CHANGE_STEP, step_record_schema(), &step, 7, ids[i]);
    }
    store_commit(store, &turn);
    rig_wait_until_committed(store, 2);
    history_list_init(&filter);
    struct page page = history(store, &filter, 0);

    ck_assert_uint_eq(page.steps_of_first, 3);
    ck_assert_uint_eq(page.first_step, STEP_BATCH);
    store_free(store);
}
END_TEST

struct fetched {
    bool done;
    uint8_t *data;
    uint32_t n, total;
    int code;
};

static void on_blob(const struct blob_chunk *piece, const struct err *err, void *ctx)
{
    *(struct fetched *)ctx = (struct fetched){ .done = true,
                                               .data = xmemdup(piece->data.data, piece->data.n),
                                               .n = piece->data.n,
                                               .total = piece->total,
                                               .code = err ? err->code : 0 };
}

/* The caller frees its data. */
static struct fetched fetch_piece(struct store *store, const uint8_t *sha256, uint32_t offset)
{
    struct fetched fetched = { 0 };

    store_blob(store, 0, sha256, offset, on_blob, &fetched);
    while (!fetched.done)
        rig_wait_for_news(store);
    return fetched;
}

#define ASKERS_N 5

static struct asking {
    uint32_t uids[ASKERS_N], n; /* in the order of the answers */
} asking;

static void note_asker(const struct blob_chunk *piece, const struct err *err, void *ctx)
{
    (void)piece;
    (void)err;
    asking.uids[asking.n++] = *(const uint32_t *)ctx;
}

START_TEST(users_are_answered_by_turns)
{
    static const uint32_t asked[ASKERS_N] = { 7, 7, 7, 8, 0 }, answered[] = { 7, 8, 0, 7, 7 };
    struct store *store = rig_open();

    asking.n = 0;
    for (uint32_t i = 0; i < ASKERS_N; i++)
        store_blob(store, asked[i], (const uint8_t[SHA256_BYTES]){ 0 }, 0, note_asker,
                   (void *)(uintptr_t)&asked[i]);
    ck_assert_int_eq(store_start(store, NULL), 0);
    while (asking.n < ASKERS_N)
        rig_wait_for_news(store);

    for (uint32_t i = 0; i < ASKERS_N; i++)
        ck_assert_uint_eq(asking.uids[i], answered[i]);
    store_free(store);
}
END_TEST

static void commit_blob(struct store *store, uint64_t number, const uint8_t *name, const void *data,
                        uint32_t n)
{
    struct turn_changes turn;

    turn_changes_init(&turn);
    turn.turn = number;
    rig_note_blob(&turn, name, data, n);
    store_commit(store, &turn);
    rig_wait_until_committed(store, number);
}

START_TEST(a_blob_comes_back_and_an_unknown_one_is_said_to_be)
{
    struct store *store = rig_start();
    const uint8_t name[SHA256_BYTES] = { 1, 2, 3 }, other[SHA256_BYTES] = { 9 };

    commit_blob(store, 1, name, "script", 6);
    struct fetched got = fetch_piece(store, name, 0), none = fetch_piece(store, other, 0);

    ck_assert_uint_eq(got.total, 6);
    ck_assert_uint_eq(got.n, 6);
    ck_assert_mem_eq(got.data, "script", 6);
    ck_assert_int_eq(none.code, ENOENT);
    free(got.data);
    free(none.data);
    store_free(store);
}
END_TEST

static uint8_t *make_long(uint32_t n)
{
    uint8_t *data = xmalloc(n);

    for (uint32_t i = 0; i < n; i++)
        data[i] = (uint8_t)(i * 2654435761u >> 24);
    return data;
}

/* A blob as long as a piece or shorter is in one. */
static const uint32_t lengths[] = {
    0,       1, BLOB_CHUNK_MAX, BLOB_CHUNK_MAX + 1, 2 * BLOB_CHUNK_MAX, 2 * BLOB_CHUNK_MAX + 5000,
    BLOB_MAX
};

START_TEST(a_blob_comes_in_pieces_that_make_the_whole)
{
    const uint32_t n = lengths[_i];
    struct store *store = rig_start();
    const uint8_t name[SHA256_BYTES] = { 1, 2, 3 };
    AUTO_FREE uint8_t *data = make_long(n);
    uint32_t at = 0;

    commit_blob(store, 1, name, data, n);
    do {
        const uint32_t left = n - at;
        struct fetched got = fetch_piece(store, name, at);

        ck_assert_int_eq(got.code, 0);
        ck_assert_uint_eq(got.total, n);
        ck_assert_uint_eq(got.n, left < BLOB_CHUNK_MAX ? left : BLOB_CHUNK_MAX);
        ck_assert(got.n == 0 || memcmp(got.data, data + at, got.n) == 0);
        at += got.n;
        free(got.data);
    } while (at < n);
    store_free(store);
}
END_TEST

START_TEST(what_lies_behind_the_end_of_a_blob_is_refused)
{
    struct store *store = rig_start();
    const uint8_t name[SHA256_BYTES] = { 1, 2, 3 };

    commit_blob(store, 1, name, "script", 6);
    struct fetched got = fetch_piece(store, name, 7);

    ck_assert_int_eq(got.code, E_STORE);
    free(got.data);
    store_free(store);
}
END_TEST

START_TEST(a_damaged_change_fails_the_store_and_says_so)
{
    struct store *store = rig_start();
    struct turn_changes turn;
    struct err why = { 0 };
    struct change *change;

    turn_changes_init(&turn);
    turn.turn = 1;
    change = ARRAY_PUSH(turn.changes, turn.changes_n);
    change_init(change);
    change->kind = CHANGE_JOB;
    change->record = (struct blob){ xmemdup("\xff\xff", 2), 2 };
    store_commit(store, &turn);
    rig_wait_for_news(store);

    ck_assert(store_failed(store, &why));
    ck_assert_uint_eq(store_committed(store), 0);
    ck_assert_ptr_nonnull(strstr(why.text, "job_record"));
    store_free(store);
}
END_TEST

CHECK_MAIN_WITH(
    store, rig_make_dir, rig_remove_dir, CASE(what_was_committed_is_there_after_a_restart),
    CASE(triggers_are_there_until_they_are_gone), CASE(a_committed_turn_survives_kill_9),
    CASE(a_second_controller_on_the_directory_is_refused), CASE(a_newer_schema_is_refused),
    CASE(a_file_that_is_no_database_is_refused_with_its_path),
    CASE(a_retired_job_is_history_and_no_longer_alive), CASE(history_filters_and_pages),
    CASE(the_batch_step_comes_first), CASE(a_blob_comes_back_and_an_unknown_one_is_said_to_be),
    LOOP_CASE(a_blob_comes_in_pieces_that_make_the_whole, ARRAY_N(lengths)),
    CASE(what_lies_behind_the_end_of_a_blob_is_refused), CASE(users_are_answered_by_turns),
    CASE(a_damaged_change_fails_the_store_and_says_so))
