#include "unit/check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "unit/ctld/store/store_rig.h"

/* Job n ended at 1000 * n, has its script named n, and one step. */
static void note_job(struct turn_changes *turn, uint32_t id, bool alive)
{
    AUTO(job_record) struct job_record job;
    AUTO(step_record) struct step_record step;
    uint8_t script[SHA256_BYTES] = { (uint8_t)id };

    job_record_init(&job);
    job.spec = xcalloc(1, sizeof(*job.spec));
    job_spec_init(job.spec);
    job.id = id;
    job.state = alive ? JOB_RUNNING : JOB_COMPLETE;
    job.end_time = 1000 * id;
    job.spec->name = xstrdup("a|b");
    rig_note_body(turn, &job, script);
    rig_note(turn, CHANGE_JOB, job_record_schema(), &job, id, 0);
    step_record_init(&step);
    step.job_id = id;
    step.state = alive ? STEP_RUNNING : STEP_ENDED;
    step.end_state = JOB_COMPLETE;
    step.name = xstrdup("batch");
    rig_note(turn, CHANGE_STEP, step_record_schema(), &step, id, 0);
    if (!alive)
        rig_note(turn, CHANGE_JOB_RETIRE, NULL, NULL, id, 0);
}

static void note_blob(struct turn_changes *turn, uint8_t name)
{
    const uint8_t sha256[SHA256_BYTES] = { name };

    rig_note_blob(turn, sha256, "#!", 2);
}

/* Jobs 1 to 5, of which 2 runs still though it is said to have ended; a blob 9 that nobody names.
 */
static struct store *fill(void)
{
    struct store *store = rig_start();
    struct turn_changes turn;

    turn_changes_init(&turn);
    turn.turn = 1;
    for (uint8_t id = 1; id <= 5; id++) {
        note_blob(&turn, id);
        note_job(&turn, id, id == 2);
    }
    note_blob(&turn, 9);
    store_commit(store, &turn);
    rig_wait_until_committed(store, 1);
    return store;
}

struct outcome {
    bool is_over;
    struct store_purged done;
    int code;
};

static void on_purged(const struct store_purged *done, const struct err *err, void *ctx)
{
    *(struct outcome *)ctx = (struct outcome){ true, *done, err ? err->code : 0 };
}

static struct outcome purge(struct store *store, const struct store_purge *what)
{
    struct outcome outcome = { 0 };

    ck_assert(store_purge(store, what, on_purged, &outcome));
    ck_assert(!store_purge(store, what, on_purged, &outcome));
    while (!outcome.is_over)
        rig_wait_for_news(store);
    return outcome;
}

static void on_page(struct jobs_page *page, uint64_t next, const struct err *err, void *ctx)
{
    struct strbuf *out = ctx;

    ck_assert_ptr_null(err);
    ck_assert_uint_eq(next, 0);
    for (uint32_t i = 0; i < page->n; i++)
        strbuf_addf(out, "%u:%u ", page->jobs[i].job->id, page->jobs[i].steps_n);
    strbuf_addc(out, '.');
}

/* "1:1 2:1 .": what is left, with how many steps. */
static char *left(struct store *store)
{
    AUTO(history_list) struct history_list filter;
    struct strbuf out = { 0 };

    history_list_init(&filter);
    store_history(store, 0, &filter, 0, on_page, &out);
    while (!out.len)
        rig_wait_for_news(store);
    return strbuf_steal(&out);
}

static void on_blob(const struct blob_chunk *piece, const struct err *err, void *ctx)
{
    (void)piece;
    *(int *)ctx = err ? err->code : -1;
}

/* -1, or why not. */
static int look_for_piece(struct store *store, uint8_t name, uint32_t offset)
{
    uint8_t sha256[SHA256_BYTES] = { name };
    int code = 0;

    store_blob(store, 0, sha256, offset, on_blob, &code);
    while (!code)
        rig_wait_for_news(store);
    return code;
}

static bool has_blob(struct store *store, uint8_t name)
{
    return look_for_piece(store, name, 0) == -1;
}

START_TEST(old_jobs_go_with_their_steps_and_blobs)
{
    struct store *store = fill();
    const struct store_purge what = { .what.jobs_before = 4000 };

    struct outcome outcome = purge(store, &what);
    AUTO_FREE char *jobs = left(store);

    ck_assert_int_eq(outcome.code, 0);
    ck_assert_uint_eq(outcome.done.left[ARCHIVE_JOBS], 2);
    ck_assert_uint_eq(outcome.done.blobs, 5); /* scripts, bodies, and 9 */
    ck_assert_str_eq(jobs, "2:1 4:1 5:1 .");
    ck_assert(!has_blob(store, 1));
    ck_assert(has_blob(store, 2));
    ck_assert(!has_blob(store, 3));
    ck_assert(has_blob(store, 5));
    ck_assert(!has_blob(store, 9));
    store_free(store);
}
END_TEST

START_TEST(steps_can_go_before_their_jobs)
{
    struct store *store = fill();
    const struct store_purge what = { .what.steps_before = 5000, .steps_since = 2000 };

    struct outcome outcome = purge(store, &what);
    AUTO_FREE char *jobs = left(store);

    ck_assert_uint_eq(outcome.done.left[ARCHIVE_STEPS], 2);
    ck_assert_uint_eq(outcome.done.blobs, 0);
    ck_assert_str_eq(jobs, "1:1 2:1 3:0 4:0 5:1 .");
    ck_assert(has_blob(store, 9));
    store_free(store);
}
END_TEST

START_TEST(blobs_that_nobody_names_can_go_alone)
{
    struct store *store = fill();
    const struct store_purge what = { .what.blobs = true };

    struct outcome outcome = purge(store, &what);

    ck_assert_uint_eq(outcome.done.left[ARCHIVE_JOBS], 0);
    ck_assert_uint_eq(outcome.done.blobs, 1);
    ck_assert(has_blob(store, 1));
    store_free(store);
}
END_TEST

/* Job 1 ran with one body, and has got another since; both name a script. */
START_TEST(a_blob_that_goes_while_it_is_read_is_said_to_be_gone)
{
    struct store *store = rig_start();
    const struct store_purge what = { .what.blobs = true };
    const uint8_t sha256[SHA256_BYTES] = { 9 };
    AUTO_FREE char *data = xcalloc(1, BLOB_CHUNK_MAX + 1);
    struct turn_changes turn;

    turn_changes_init(&turn);
    turn.turn = 1;
    rig_note_blob(&turn, sha256, data, BLOB_CHUNK_MAX + 1);
    store_commit(store, &turn);
    rig_wait_until_committed(store, 1);
    int before = look_for_piece(store, 9, BLOB_CHUNK_MAX);
    purge(store, &what);

    ck_assert_int_eq(before, -1);
    ck_assert_int_eq(look_for_piece(store, 9, BLOB_CHUNK_MAX), ENOENT);
    store_free(store);
}
END_TEST

START_TEST(a_body_of_an_earlier_run_stays_with_what_it_names)
{
    struct store *store = fill();
    const struct store_purge what = { .what.blobs = true };
    AUTO(job_record) struct job_record job;
    uint8_t scripts[][SHA256_BYTES] = { { 21 }, { 22 } };
    struct turn_changes turn;

    job_record_init(&job);
    job.spec = xcalloc(1, sizeof(*job.spec));
    job_spec_init(job.spec);
    job.id = 1;
    turn_changes_init(&turn);
    turn.turn = 2;
    for (uint32_t i = 0; i < 2; i++) {
        note_blob(&turn, scripts[i][0]);
        free(job.body_sha256.data);
        rig_note_body(&turn, &job, scripts[i]);
        rig_note(&turn, i == 0 ? CHANGE_RUN : CHANGE_JOB, job_record_schema(), &job, 1, 0);
    }
    store_commit(store, &turn);
    rig_wait_until_committed(store, 2);

    purge(store, &what);

    ck_assert(has_blob(store, 21));
    ck_assert(has_blob(store, 22));
    ck_assert(!has_blob(store, 1)); /* nobody has it any more */
    ck_assert(has_blob(store, 3));
    store_free(store);
}
END_TEST

static char *file_text(const char *path)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    char text[4096];
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

    text[n > 0 ? n : 0] = '\0';
    return xstrdup(text);
}

START_TEST(what_goes_is_archived_first_in_files_of_its_own)
{
    struct store *store = fill();
    AUTO_FREE char *jobs = xasprintf("%s/jobs", rig_dir);
    AUTO_FREE char *steps = xasprintf("%s/steps", rig_dir);
    AUTO_FREE char *second = xasprintf("%s.2", jobs);
    const struct store_purge once = { .what.jobs_before = 3000,
                                      .archives[ARCHIVE_JOBS] = jobs,
                                      .archives[ARCHIVE_STEPS] = steps };
    const struct store_purge again = { .what.jobs_before = 4000, .archives[ARCHIVE_JOBS] = jobs };

    purge(store, &once);
    purge(store, &again);
    AUTO_FREE char *first_text = file_text(jobs);
    AUTO_FREE char *second_text = file_text(second);
    AUTO_FREE char *steps_text = file_text(steps);

    ck_assert_ptr_nonnull(strstr(first_text, "#jobid|array_job_id|"));
    ck_assert_ptr_nonnull(strstr(first_text, "\n1|0||"));
    ck_assert_ptr_nonnull(strstr(first_text, "|a\\x7cb|COMPLETED|"));
    ck_assert_ptr_null(strstr(first_text, "\n3|"));
    ck_assert_ptr_nonnull(strstr(second_text, "\n3|0||"));
    ck_assert_ptr_nonnull(strstr(steps_text, "\n1|0|0|batch|COMPLETED|0|||"));
    store_free(store);
}
END_TEST

START_TEST(what_cannot_be_archived_stays)
{
    struct store *store = fill();
    const struct store_purge what = { .what.jobs_before = 4000,
                                      .archives[ARCHIVE_JOBS] = "/nowhere/jobs" };

    struct outcome outcome = purge(store, &what);
    AUTO_FREE char *jobs = left(store);

    ck_assert_int_eq(outcome.code, ENOENT);
    ck_assert_str_eq(jobs, "1:1 2:1 3:1 4:1 5:1 .");
    store_free(store);
}
END_TEST

/* A file that may not grow stands for a disk that is full. */
START_TEST(an_archive_on_a_full_disk_has_no_half_lines_and_goes_on_later)
{
    struct store *store = fill();
    AUTO_FREE char *path = xasprintf("%s/jobs", rig_dir);
    const struct store_purge what = { .what.jobs_before = 4000, .archives[ARCHIVE_JOBS] = path };
    struct rlimit limit, small;

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    small = limit;
    small.rlim_cur = 300;
    AUTO_FREE char *before = left(store);
    setrlimit(RLIMIT_FSIZE, &small);
    struct outcome full = purge(store, &what);
    setrlimit(RLIMIT_FSIZE, &limit);
    AUTO_FREE char *then = left(store);

    ck_assert_int_ne(full.code, 0);
    ck_assert_uint_eq(full.done.left[ARCHIVE_JOBS], 0);
    ck_assert_str_eq(then, before);
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_int_eq(purge(store, &what).code, 0);
    AUTO_FREE char *text = file_text(path);
    ck_assert_ptr_nonnull(strstr(text, "\n3|0||"));
    store_free(store);
}
END_TEST

/* Job 1 had more steps than fit into one bite; so it is over before the next. */
START_TEST(a_bite_ends_when_a_job_had_many_steps)
{
    struct store *store = fill();
    const struct store_purge what = { .what.jobs_before = 6000 };
    struct turn_changes turn;

    turn_changes_init(&turn);
    turn.turn = 2;
    for (uint32_t id = 1; id <= 3; id += 2) {
        for (uint32_t step_id = 1; step_id <= 1500; step_id++) {
            AUTO(step_record) struct step_record step;

            step_record_init(&step);
            step.job_id = id;
            step.step_id = step_id;
            step.state = STEP_ENDED;
            rig_note(&turn, CHANGE_STEP, step_record_schema(), &step, id, step_id);
        }
    }
    store_commit(store, &turn);
    rig_wait_until_committed(store, 2);

    struct outcome outcome = purge(store, &what);
    AUTO_FREE char *jobs = left(store);

    ck_assert_uint_eq(outcome.done.left[ARCHIVE_STEPS], 3004);
    ck_assert_uint_eq(outcome.done.left[ARCHIVE_JOBS], 4);
    ck_assert_str_eq(jobs, "2:1 .");
    store_free(store);
}
END_TEST

CHECK_MAIN_WITH(purge, rig_make_dir, rig_remove_dir, CASE(old_jobs_go_with_their_steps_and_blobs),
                CASE(steps_can_go_before_their_jobs), CASE(blobs_that_nobody_names_can_go_alone),
                CASE(a_blob_that_goes_while_it_is_read_is_said_to_be_gone),
                CASE(a_body_of_an_earlier_run_stays_with_what_it_names),
                CASE(what_goes_is_archived_first_in_files_of_its_own),
                CASE(what_cannot_be_archived_stays),
                CASE(an_archive_on_a_full_disk_has_no_half_lines_and_goes_on_later),
                CASE(a_bite_ends_when_a_job_had_many_steps))
