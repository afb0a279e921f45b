#include "cli/import/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/import/cursor.h"
#include "cli/import/history_page.h"
#include "cli/import/jobs.h"
#include "common/base/alloc.h"
#include "common/crypt/crypt.h"
#include "common/msg/types.h"

#define BLOB_BYTES_MAX (192u << 10) /* of a script or environment that comes */
#define TELL_JOBS      20000        /* between two words of progress */

/* A run that waits for the row of its job. */
struct waiting {
    struct history_job job;
    uint64_t script, environment; /* hash_inx; 0: it has none */
};

struct walk {
    struct history *history;
    struct cursor jobs, steps;
    struct dump *texts; /* for looking at scripts and environments */
    struct waiting *waiting;
    uint32_t waiting_n;
    struct history_page page;
    uint64_t jobs_n;
};

/* Returns the highest number of a job that comes, of those up to `last`. */
static uint32_t highest_job(const struct survey *survey, uint32_t last)
{
    for (uint32_t i = survey->numbers_n; i > 0; i--) {
        if (survey->numbers[i - 1].id <= last)
            return survey->numbers[i - 1].id;
    }
    return 0;
}

static int begin(struct history *history, uint32_t highest, struct import_begun *ret,
                 struct err *err)
{
    const struct import_begin request = {
        .highest_job = highest,
        .cluster = (char *)(uintptr_t)history->cluster,
    };
    int rc = client_call(history->client, MSG_IMPORT_BEGIN, &request, MSG_IMPORT_BEGUN, ret, err);

    history->number = rc == 0 ? ret->number : 0;
    return rc;
}

/* Numbers above MaxJobId are none that later jobs could go on from: then those below it are told,
 * too. */
int history_begin(struct history *history, struct err *err)
{
    const uint32_t highest = highest_job(history->survey, UINT32_MAX);
    AUTO(import_begun) struct import_begun begun;
    int rc = begin(history, highest, &begun, err);

    if (rc == 0 && begun.next_job <= highest)
        plan_note(history->plan,
                  highest > begun.last_job
                      ? "numbers above MaxJobId: later jobs may get them again"
                      : "numbers that later jobs get again: they have begun again after MaxJobId",
                  "%u", highest);
    if (rc < 0 || !begun.last_job || highest <= begun.last_job)
        return rc;
    return begin(history, highest_job(history->survey, begun.last_job), &begun, err);
}

/* ---- scripts and environments ---- */

/* Reads a text by its number. Environments are one variable a line there: a line without a name
 * goes on with the one before. */
static int read_text(struct walk *walk, const struct text_places *places, uint64_t hash, int column,
                     struct strbuf *out, struct err *err)
{
    const struct dump_place *place = text_places_find(places, hash);
    const struct foreign_layout *layout;
    struct foreign_row row;
    struct dump_row raw;
    int rc;

    if (!place)
        return 0;
    dump_seek(walk->texts, place);
    rc = dump_next(walk->texts, &raw, err);
    if (rc <= 0)
        return rc;
    layout = survey_layout(walk->history->survey, raw.place.layout, err);
    if (!layout)
        return -E_NOT_SUPPORTED;
    row = survey_row(walk->history->survey, layout, &raw);
    if (foreign_text(&row, column))
        strbuf_add(out, foreign_cell(&row, column)->text, foreign_cell(&row, column)->n);
    return 0;
}

static bool begins_variable(const char *line, size_t n)
{
    size_t i = 0;

    while (i < n && line[i] != '=' && line[i] != '\n' && line[i] != ' ')
        i++;
    return i > 0 && i < n && line[i] == '=';
}

/* Makes "NAME=value" strings, each with its zero byte, of lines. */
static void split_environment(struct strbuf *text)
{
    for (size_t i = 0; i < text->len; i++) {
        if (text->data[i] == '\n' &&
            (i + 1 == text->len || begins_variable(text->data + i + 1, text->len - i - 1)))
            text->data[i] = '\0';
    }
    if (text->len && text->data[text->len - 1] != '\0')
        strbuf_addc(text, '\0');
}

/* Adds a script or an environment that a body is to name. */
static int add_text(struct walk *walk, const struct waiting *run, bool is_script,
                    struct history_blob **blobs, uint32_t *n, struct err *err)
{
    const struct survey *survey = walk->history->survey;
    const uint64_t hash = is_script ? run->script : run->environment;
    struct job_body *body = run->job.body;
    struct blob *name = is_script ? &body->script_sha256 : &body->environment_sha256;
    AUTO(strbuf) struct strbuf text = { 0 };
    struct history_blob *blob;
    int rc = hash ? read_text(walk, is_script ? &survey->scripts : &survey->environments, hash,
                              is_script ? (int)SCRIPT_batch_script : (int)ENVIRONMENT_env_vars,
                              &text, err)
                  : 0;

    if (rc < 0 || text.len == 0)
        return rc;
    if (!is_script)
        split_environment(&text);
    if (text.len > BLOB_BYTES_MAX) {
        plan_note(walk->history->plan, "jobs come without a script or environment that is too long",
                  "%u", run->job.job->id);
        return 0;
    }
    blob = ARRAY_PUSH(*blobs, *n);
    blob->hash = hash * 2 + !is_script;
    blob->data = (struct blob){ .data = xmemdup(text.data, text.len), .n = (uint32_t)text.len };
    name->data = xmalloc(SHA256_BYTES);
    name->n = SHA256_BYTES;
    crypt_sha256(text.data, text.len, name->data);
    return 0;
}

/* ---- jobs ---- */

/* Returns how many runs of the job wait for it. */
static uint32_t runs_of(const struct walk *walk, uint32_t id)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < walk->waiting_n; i++)
        n += walk->waiting[i].job.job->id == id;
    return n;
}

/* Reads the steps of the present row of jobs; others' are passed over. */
static int take_steps(struct walk *walk, struct history_job *job, struct err *err)
{
    const uint64_t inx = walk->jobs.key;
    struct cursor *steps = &walk->steps;
    int rc = 0;

    while (rc == 0 && steps->is_there && steps->key <= inx) {
        if (job && steps->key == inx && !foreign_u32(&steps->row, STEP_deleted, 0)) {
            struct step_record *step = ARRAY_PUSH(job->steps, job->steps_n);

            step_record_init(step);
            step_convert(walk->history->foreign, &steps->row, job->job, step);
            if (step->step_id == STEP_BATCH)
                job->job->spec->kind = JOB_KIND_BATCH;
        }
        rc = foreign_error(&steps->row, err);
        if (rc == 0)
            rc = cursor_next(steps, err);
    }
    return rc;
}

static int read_job(struct walk *walk, bool is_run, struct waiting *ret, struct err *err)
{
    struct foreign_row *row = &walk->jobs.row;
    struct history_job *job = &ret->job;
    uint32_t runs;
    int rc;

    history_job_init(job);
    job->job = xmalloc(sizeof(*job->job));
    job_record_init(job->job);
    job->body = xmalloc(sizeof(*job->body));
    job_body_init(job->body);
    job->is_earlier_run = is_run;
    job_convert(walk->history->foreign, row, walk->history->plan, job->job, job->body);
    runs = runs_of(walk, job->job->id);
    job->job->restarts = runs;
    job->job->launch_number = runs + (job->job->nodes_n > 0);
    ret->script = foreign_u64(row, JOB_script_hash_inx, 0);
    ret->environment = foreign_u64(row, JOB_env_hash_inx, 0);
    rc = take_steps(walk, job, err);
    return rc < 0 ? rc : foreign_error(row, err);
}

static void clear_waiting(struct waiting *waiting)
{
    history_job_clear(&waiting->job);
}

/* Hands the job to the page, with the runs of it that wait. */
static int send_job(struct walk *walk, struct waiting *last, struct err *err)
{
    const uint32_t id = last->job.job->id;
    struct history_job *jobs = NULL;
    struct history_blob *blobs = NULL;
    uint32_t jobs_n = 0, blobs_n = 0, kept = 0;
    int rc = 0;

    for (uint32_t i = 0; i < walk->waiting_n; i++) {
        if (walk->waiting[i].job.job->id != id) {
            walk->waiting[kept++] = walk->waiting[i];
            continue;
        }
        if (rc == 0)
            rc = add_text(walk, &walk->waiting[i], true, &blobs, &blobs_n, err);
        *ARRAY_PUSH(jobs, jobs_n) = walk->waiting[i].job;
    }
    walk->waiting_n = kept;
    if (rc == 0)
        rc = add_text(walk, last, true, &blobs, &blobs_n, err);
    if (rc == 0)
        rc = add_text(walk, last, false, &blobs, &blobs_n, err);
    *ARRAY_PUSH(jobs, jobs_n) = last->job;
    if (rc == 0)
        rc = history_page_add(&walk->page, jobs, jobs_n, blobs, blobs_n, err);
    else
        for (uint32_t i = 0; i < jobs_n; i++)
            history_job_clear(&jobs[i]);
    for (uint32_t i = 0; i < blobs_n; i++)
        free(blobs[i].data.data);
    free(blobs);
    free(jobs);
    return rc;
}

static void leave_out(struct walk *walk, uint32_t id, enum job_fate fate)
{
    static const char *const why[] = {
        [JOB_IS_ALIVE] = "jobs do not come: they had not ended",
        [JOB_IS_DELETED] = "jobs do not come: they were deleted there",
        [JOB_IS_NONE] = "jobs do not come: they have no number, or ended before they began",
    };

    plan_count(walk->history->plan, PLAN_JOBS, FATE_LEFT);
    plan_note(walk->history->plan, why[fate], "%u", id);
}

static int take_job(struct walk *walk, struct err *err)
{
    struct foreign_row *row = &walk->jobs.row;
    const enum job_fate fate = job_fate_of(walk->history->survey, row);
    struct waiting read;
    int rc = foreign_error(row, err);

    if (rc < 0)
        return rc;
    if (fate != JOB_COMES && fate != JOB_COMES_AS_RUN) {
        leave_out(walk, foreign_u32(row, JOB_id_job, 0), fate);
        return take_steps(walk, NULL, err);
    }
    rc = read_job(walk, fate == JOB_COMES_AS_RUN, &read, err);
    if (rc < 0) {
        clear_waiting(&read);
        return rc;
    }
    if (fate == JOB_COMES)
        return send_job(walk, &read, err);
    *ARRAY_PUSH(walk->waiting, walk->waiting_n) = read;
    return 0;
}

/* What waits still is of jobs that are not over. */
static void leave_waiting(struct walk *walk)
{
    for (uint32_t i = 0; i < walk->waiting_n; i++) {
        plan_count(walk->history->plan, PLAN_RUNS, FATE_LEFT);
        plan_note(walk->history->plan, "earlier runs do not come: their job had not ended", "%u",
                  walk->waiting[i].job.job->id);
        clear_waiting(&walk->waiting[i]);
    }
    free(walk->waiting);
}

static int walk_jobs(struct walk *walk, struct err *err)
{
    int rc = 0;

    while (rc == 0 && walk->jobs.is_there) {
        rc = take_job(walk, err);
        if (rc == 0)
            rc = cursor_next(&walk->jobs, err);
        if (++walk->jobs_n % TELL_JOBS == 0)
            walk->history->tell(FOREIGN_JOB, walk->jobs_n, walk->history->tell_ctx);
    }
    return rc < 0 ? rc : history_page_send(&walk->page, err);
}

static void note_rest(struct history *history)
{
    const struct survey *survey = history->survey;

    for (uint32_t i = 0; i < survey->tables[FOREIGN_RESV].n; i++) {
        const struct foreign_row row = survey_kept(survey, &survey->tables[FOREIGN_RESV].at[i]);

        plan_note(history->plan, "reservations do not come: there are none here yet", "%s",
                  foreign_text(&row, RESV_resv_name));
    }
}

int history_run(struct history *history, struct err *err)
{
    struct walk walk = { .history = history };
    int rc;

    history_page_init(&walk.page, history);
    walk.texts = dump_fork(history->survey->dump);
    rc = cursor_begin(&walk.jobs, history->survey, FOREIGN_JOB, JOB_job_db_inx, err);
    if (cursor_begin(&walk.steps, history->survey, FOREIGN_STEP, STEP_job_db_inx,
                     rc < 0 ? NULL : err) < 0 &&
        rc == 0)
        rc = -EINVAL;
    if (rc == 0)
        rc = history_events(history, err);
    if (rc == 0)
        rc = walk_jobs(&walk, err);
    if (rc == 0)
        rc = history_sums(history, err);
    leave_waiting(&walk);
    note_rest(history);
    history_page_clear(&walk.page);
    cursor_end(&walk.jobs);
    cursor_end(&walk.steps);
    dump_free(walk.texts);
    return rc;
}
