#include "cli/import/history_page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/msg/types.h"
#include "common/rpc/frame.h"

#define PAGE_JOBS  200
#define PAGE_BYTES (RPC_BODY_MAX - (64u << 10))

void history_page_init(struct history_page *page, struct history *history)
{
    *page = (struct history_page){ .history = history };
    import_page_init(&page->msg);
}

void history_page_clear(struct history_page *page)
{
    import_page_clear(&page->msg);
    free(page->hashes);
    page->hashes = NULL;
    page->hashes_n = 0;
    page->size = 0;
}

/* ---- what the controller has ---- */

/* A job of the page, and what the controller says of its number. */
struct sighting {
    uint32_t id;
    int64_t submitted;
    bool is_there, is_other, is_open;
};

struct looking {
    struct sighting *at; /* sorted by id */
    uint32_t n;
};

static int compare_sightings(const void *a, const void *b)
{
    const uint32_t left = ((const struct sighting *)a)->id,
                   right = ((const struct sighting *)b)->id;

    return left < right ? -1 : left > right;
}

static struct sighting *find_sighting(const struct looking *looking, uint32_t id)
{
    const struct sighting key = { .id = id };

    return looking->n ? bsearch(&key, looking->at, looking->n, sizeof(key), compare_sightings)
                      : NULL;
}

static int on_there(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    AUTO(history_job) struct history_job there;
    struct sighting *sighting;
    int rc;

    if (type != MSG_HISTORY_JOB)
        return 0;
    rc = rpc_decode(frame, history_job_schema(), &there, NULL);
    sighting = rc < 0 ? NULL : find_sighting(ctx, there.job->id);
    if (!sighting)
        return rc;
    if (there.job->submit_time == sighting->submitted) {
        sighting->is_there = true;
        sighting->is_open = !there.job->end_time;
    } else {
        sighting->is_other = true;
    }
    return 0;
}

/* A job's earlier runs have been submitted before it: its last row counts. */
static void gather_sightings(const struct history_page *page, struct looking *looking)
{
    for (uint32_t i = 0; i < page->msg.jobs_n; i++) {
        const struct history_job *job = &page->msg.jobs[i];

        if (!job->is_earlier_run)
            *ARRAY_PUSH(looking->at, looking->n) =
                (struct sighting){ .id = job->job->id, .submitted = job->job->submit_time };
    }
    if (looking->n)
        qsort(looking->at, looking->n, sizeof(*looking->at), compare_sightings);
}

static int look(struct history_page *page, struct looking *looking, struct err *err)
{
    AUTO(history_list) struct history_list list;

    history_list_init(&list);
    gather_sightings(page, looking);
    for (uint32_t i = 0; i < looking->n; i++)
        *ARRAY_PUSH(list.job_ids, list.job_ids_n) = looking->at[i].id;
    if (!list.job_ids_n)
        return 0;
    xstrset(&list.cluster, page->history->cluster);
    return client_ask(page->history->client, MSG_HISTORY_LIST, &list, NULL, on_there, looking, err);
}

/* ---- what comes of each ---- */

static void count(const struct history_page *page, const struct history_job *job,
                  enum plan_fate fate)
{
    plan_count(page->history->plan, job->is_earlier_run ? PLAN_RUNS : PLAN_JOBS, fate);
    for (uint32_t i = 0; i < job->steps_n; i++)
        plan_count(page->history->plan, PLAN_STEPS, fate);
}

static enum plan_fate fate_of(struct history_page *page, const struct history_job *job,
                              const struct looking *looking)
{
    const struct sighting *sighting = find_sighting(looking, job->job->id);

    if (sighting && sighting->is_there) {
        page->history->open_n += sighting->is_open && !job->job->end_time;
        return FATE_EQUAL;
    }
    if (!sighting || !sighting->is_other)
        return FATE_NEW;
    if (!job->is_earlier_run)
        plan_note(page->history->plan, "jobs do not come: another job has their number here", "%u",
                  job->job->id);
    return FATE_KEPT;
}

/* Leaves in the page what the controller does not have. */
static void sift(struct history_page *page, const struct looking *looking)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < page->msg.jobs_n; i++) {
        struct history_job job = page->msg.jobs[i];
        const enum plan_fate fate = fate_of(page, &job, looking);

        if (fate == FATE_NEW) {
            page->msg.jobs[n++] = job;
            continue;
        }
        count(page, &job, fate);
        history_job_clear(&job);
    }
    page->msg.jobs_n = n;
}

static bool is_refused(const struct import_taken *taken, uint32_t id)
{
    for (uint32_t i = 0; i < taken->refused_n; i++) {
        if (taken->refused[i] == id)
            return true;
    }
    return false;
}

static void count_sent(const struct history_page *page, const struct import_taken *taken)
{
    for (uint32_t i = 0; i < page->msg.jobs_n; i++) {
        const struct history_job *job = &page->msg.jobs[i];
        const bool refused = is_refused(taken, job->job->id);

        count(page, job, refused ? FATE_KEPT : FATE_NEW);
        page->history->open_n += !refused && !job->job->end_time;
        if (refused && !job->is_earlier_run)
            plan_note(page->history->plan, "jobs do not come: another job has their number here",
                      "%u", job->job->id);
    }
}

int history_page_send(struct history_page *page, struct err *err)
{
    AUTO(import_taken) struct import_taken taken;
    struct looking looking = { 0 };
    int rc = page->history->client ? look(page, &looking, err) : 0;

    import_taken_init(&taken);
    if (rc == 0) {
        sift(page, &looking);
        page->msg.number = page->history->number;
        xstrset(&page->msg.cluster, page->history->cluster);
        if (page->msg.number && page->msg.jobs_n)
            rc = client_call(page->history->client, MSG_IMPORT_PAGE, &page->msg, MSG_IMPORT_TAKEN,
                             &taken, err);
    }
    if (rc == 0)
        count_sent(page, &taken);
    free(looking.at);
    history_page_clear(page);
    return rc;
}

/* ---- gathering ---- */

static size_t size_of(const struct history_job *job)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    schema_encode(history_job_schema(), job, &bytes);
    return bytes.len + 16;
}

static void cut_steps(const struct history_page *page, struct history_job *job)
{
    uint32_t n = job->steps_n / 2;

    for (uint32_t i = n; i < job->steps_n; i++) {
        step_record_clear(&job->steps[i]);
        plan_count(page->history->plan, PLAN_STEPS, FATE_LEFT);
    }
    job->steps_n = n;
}

static bool has_blob(const struct history_page *page, uint64_t hash)
{
    for (uint32_t i = 0; i < page->hashes_n; i++) {
        if (page->hashes[i] == hash)
            return true;
    }
    return false;
}

static size_t size_of_blobs(const struct history_page *page, const struct history_blob *blobs,
                            uint32_t n)
{
    size_t size = 0;

    for (uint32_t i = 0; i < n; i++)
        size += has_blob(page, blobs[i].hash) ? 0 : blobs[i].data.n + 16;
    return size;
}

static void take_blobs(struct history_page *page, struct history_blob *blobs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct import_blob *blob;

        if (has_blob(page, blobs[i].hash))
            continue;
        blob = ARRAY_PUSH(page->msg.blobs, page->msg.blobs_n);
        import_blob_init(blob);
        blob->data = blob_copy(&blobs[i].data);
        *ARRAY_PUSH(page->hashes, page->hashes_n) = blobs[i].hash;
    }
}

int history_page_add(struct history_page *page, struct history_job *jobs, uint32_t jobs_n,
                     struct history_blob *blobs, uint32_t blobs_n, struct err *err)
{
    size_t size = 0;
    int rc = 0;

    for (uint32_t i = 0; i < jobs_n; i++) {
        size_t one = size_of(&jobs[i]);

        while (one > HISTORY_JOB_MAX / jobs_n && jobs[i].steps_n) {
            if (!jobs[i].is_earlier_run)
                plan_note(page->history->plan,
                          "jobs come without their last steps: they have more than one request "
                          "takes",
                          "%u", jobs[i].job->id);
            cut_steps(page, &jobs[i]);
            one = size_of(&jobs[i]);
        }
        size += one;
    }
    if (page->msg.jobs_n >= PAGE_JOBS ||
        page->size + size + size_of_blobs(page, blobs, blobs_n) > PAGE_BYTES)
        rc = history_page_send(page, err);
    if (rc < 0) {
        for (uint32_t i = 0; i < jobs_n; i++)
            history_job_clear(&jobs[i]);
        return rc;
    }
    page->size += size + size_of_blobs(page, blobs, blobs_n);
    take_blobs(page, blobs, blobs_n);
    for (uint32_t i = 0; i < jobs_n; i++)
        *ARRAY_PUSH(page->msg.jobs, page->msg.jobs_n) = jobs[i];
    return 0;
}
