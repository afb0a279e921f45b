#include <string.h>
#include <utlist.h>

#include "ctld/model/array.h"
#include "ctld/model/body.h"
#include "ctld/model/gres.h"
#include "ctld/model/namesakes.h"

struct job *model_find_job(const struct model *model, uint32_t job_id)
{
    struct job *job;

    HASH_FIND(hh, model->jobs, &job_id, sizeof(job_id), job);
    return job;
}

/* Returns a token's key: a client chooses it, so it counts only among what belongs together. */
static char *token_key(uint32_t of, const char *token)
{
    return token ? xasprintf("%u %s", of, token) : NULL;
}

struct job *model_find_token(const struct model *model, uint32_t uid, const char *token)
{
    AUTO_FREE char *key = token_key(uid, token);
    struct job *job = NULL;

    if (key)
        HASH_FIND(by_token, model->job_by_token, key, strlen(key), job);
    return job;
}

struct step *model_find_step_token(const struct model *model, uint32_t job_id, const char *token)
{
    AUTO_FREE char *key = token_key(job_id, token);
    struct step *step = NULL;

    if (key)
        HASH_FIND(by_token, model->step_by_token, key, strlen(key), step);
    return step;
}

static struct step *before(const struct job *job, const struct step *step)
{
    return step == job->steps ? NULL : step->prev;
}

/* Finds a step from the end: in a long loop, news comes of the last ones. */
struct step *job_find_step(const struct job *job, uint32_t step_id)
{
    struct step *step = job->steps ? job->steps->prev : NULL;

    while (step && step->rec.step_id > step_id)
        step = before(job, step);
    return step && step->rec.step_id == step_id ? step : NULL;
}

static void add_to_hashes(struct model *model, struct job *job)
{
    HASH_ADD(hh, model->jobs, rec.id, sizeof(job->rec.id), job);
    if (job->token_key)
        HASH_ADD_KEYPTR(by_token, model->job_by_token, job->token_key, strlen(job->token_key), job);
}

struct job *model_add_job(struct model *model, const struct job_record *rec, struct body *body)
{
    struct job_record copy;

    schema_copy(job_record_schema(), &copy, rec);
    return model_take_job(model, &copy, body);
}

struct job *model_take_job(struct model *model, struct job_record *rec, struct body *body)
{
    struct job *job = xcalloc(1, sizeof(*job));
    const struct partition *part = NULL;

    job->rec = *rec;
    job_record_init(rec);
    job_set_body(model, job, body);
    if (job->rec.partition)
        part = model_find_partition(model, job->rec.partition);
    job->partition = part ? part->index : PARTITION_NONE;
    job->token_key = token_key(job->rec.uid, job->rec.spec->token);
    add_to_hashes(model, job);
    model_join_array(model, job);
    model_join_namesakes(model, job);
    return job;
}

static void drop_step(struct model *model, struct step *step)
{
    DL_DELETE(step->job->steps, step);
    if (step->token_key)
        HASH_DELETE(by_token, model->step_by_token, step);
    step_record_clear(&step->rec);
    step_request_clear(&step->request);
    free(step->token_key);
    free(step);
}

void model_drop_job(struct model *model, struct job *job)
{
    HASH_DELETE(hh, model->jobs, job);
    if (job->token_key)
        HASH_DELETE(by_token, model->job_by_token, job);
    model_leave_array(model, job);
    model_leave_namesakes(model, job);
    while (job->steps)
        drop_step(model, job->steps);
    body_unref(model, job->body);
    job_request_clear(&job->request);
    job_record_clear(&job->rec);
    free(job->nodes);
    free(job->pots);
    free(job->token_key);
    free(job);
    model->jobs_dropped++;
}

void model_move_jobs(struct model *to, struct model *from)
{
    for (struct job *job = from->jobs, *next; job; job = next) {
        const struct partition *part;

        next = job->hh.next;
        HASH_DELETE(hh, from->jobs, job);
        if (job->token_key)
            HASH_DELETE(by_token, from->job_by_token, job);
        part = job->rec.partition ? model_find_partition(to, job->rec.partition) : NULL;
        job->partition = part ? part->index : PARTITION_NONE;
        add_to_hashes(to, job);
    }
    to->bodies = STEAL(from->bodies);
    to->arrays = STEAL(from->arrays);
    to->namesakes = STEAL(from->namesakes);
    to->step_by_token = STEAL(from->step_by_token);
    to->ids_owed = from->ids_owed;
    to->jobs_dropped = from->jobs_dropped;
}

/* Drops ended steps from the list of live ones only. */
static void drop_ended(struct job *job)
{
    struct step **place = &job->live;

    while (*place) {
        if ((*place)->rec.state == STEP_ENDED)
            *place = (*place)->live_next;
        else
            place = &(*place)->live_next;
    }
}

void model_drop_ended_steps(struct model *model, struct job *job)
{
    struct step *next;

    drop_ended(job);
    for (struct step *step = job->steps; step; step = next) {
        next = step->next;
        if (step->rec.state == STEP_ENDED)
            drop_step(model, step);
    }
}

void job_revive_step(struct step *step)
{
    struct step **place = &step->job->live;

    drop_ended(step->job);
    while (*place && (*place)->rec.step_id < step->rec.step_id)
        place = &(*place)->live_next;
    if (*place == step)
        return;
    step->live_next = *place;
    *place = step;
}

struct step *model_add_step(struct model *model, struct job *job, const struct step_record *rec)
{
    struct step *step = xcalloc(1, sizeof(*step));
    struct step *last = job->steps ? job->steps->prev : NULL;

    schema_copy(step_record_schema(), &step->rec, rec);
    step->job = job;
    while (last && last->rec.step_id >= rec->step_id)
        last = before(job, last);
    if (last)
        DL_APPEND_ELEM(job->steps, last, step);
    else
        DL_PREPEND(job->steps, step);
    step->token_key = rec->spec ? token_key(rec->job_id, rec->spec->token) : NULL;
    if (step->token_key)
        HASH_ADD_KEYPTR(by_token, model->step_by_token, step->token_key, strlen(step->token_key),
                        step);
    if (rec->state != STEP_ENDED)
        job_revive_step(step);
    return step;
}

static void hold_node(struct node *node, const struct job_node *place)
{
    for (uint32_t i = 0; i < place->cpus_n; i++) {
        if (place->cpus[i] >= node->cpus_used.size)
            continue;
        bitset_add(&node->cpus_used, place->cpus[i]);
        node->cpu_jobs[place->cpus[i]]++;
    }
    if (place->memory != MB_UNSET)
        node->memory_used_mb += place->memory;
    node_hold_gres(node, place);
    node->jobs_n++;
}

static void begin_completing(struct node *node, const struct job_node *place)
{
    node->completing_n++;
    node->completing_cpus += place->cpus_n;
}

static void hold_leaving(struct model *model, struct job *job)
{
    for (uint32_t i = 0; i < job->rec.leaving_n; i++) {
        struct node *node = model_find_node(model, job->rec.leaving[i].name);

        if (!node)
            continue;
        hold_node(node, &job->rec.leaving[i]);
        begin_completing(node, &job->rec.leaving[i]);
    }
}

void model_hold_nodes(struct model *model, struct job *job)
{
    const bool completing = job->rec.flags & JOB_FLAG_COMPLETING;

    free(job->nodes);
    job->nodes = xcalloc(job->rec.nodes_n, sizeof(*job->nodes));
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        const struct job_node *place = &job->rec.nodes[i];
        struct node *node = model_find_node(model, place->name);

        job->nodes[i] = node ? node->index : NODE_NONE;
        if (!node || place->clean)
            continue;
        hold_node(node, place);
        if (completing)
            begin_completing(node, place);
    }
    hold_leaving(model, job);
    model->version++;
}

static void free_node(struct model *model, struct node *node, const struct job_node *place,
                      bool completing)
{
    for (uint32_t i = 0; i < place->cpus_n; i++) {
        if (place->cpus[i] < node->cpus_used.size && --node->cpu_jobs[place->cpus[i]] == 0)
            bitset_del(&node->cpus_used, place->cpus[i]);
    }
    if (place->memory != MB_UNSET)
        node->memory_used_mb -= place->memory;
    node_release_gres(node, place);
    node->jobs_n--;
    if (completing) {
        node->completing_n--;
        node->completing_cpus -= place->cpus_n;
    }
    model->version++;
}

void model_free_node(struct model *model, struct job *job, uint32_t position)
{
    struct node *node = model_node(model, job->nodes[position]);

    if (node)
        free_node(model, node, &job->rec.nodes[position], job->rec.flags & JOB_FLAG_COMPLETING);
}

void model_part_nodes(struct model *model, struct job *job, const struct bitset *keep)
{
    struct job_record *rec = &job->rec;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < rec->nodes_n; i++) {
        struct node *node = model_node(model, job->nodes[i]);

        if (bitset_has(keep, i)) {
            job->nodes[kept] = job->nodes[i];
            rec->nodes[kept++] = rec->nodes[i];
        } else if (rec->nodes[i].clean || !node) {
            job_node_clear(&rec->nodes[i]);
        } else {
            begin_completing(node, &rec->nodes[i]);
            *ARRAY_PUSH(rec->leaving, rec->leaving_n) = rec->nodes[i];
        }
    }
    rec->nodes_n = kept;
    model->version++;
}

struct job_node model_free_leaving(struct model *model, struct job *job, uint32_t index)
{
    struct job_record *rec = &job->rec;
    struct job_node place = rec->leaving[index];
    struct node *node = model_find_node(model, place.name);

    if (node)
        free_node(model, node, &place, true);
    rec->leaving[index] = rec->leaving[--rec->leaving_n];
    return place;
}

void model_begin_completing(struct model *model, struct job *job)
{
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        struct node *node = model_node(model, job->nodes[i]);

        if (node && !job->rec.nodes[i].clean)
            begin_completing(node, &job->rec.nodes[i]);
    }
}

void job_forget_nodes(struct job *job)
{
    for (uint32_t i = 0; i < job->rec.nodes_n; i++)
        job_node_clear(&job->rec.nodes[i]);
    free(job->rec.nodes);
    job->rec.nodes = NULL;
    job->rec.nodes_n = 0;
    xstrset(&job->rec.node_list, NULL);
    free(job->nodes);
    job->nodes = NULL;
}
