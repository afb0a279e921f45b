#include "ctld/control/act/turn.h"

#include <string.h>

#include "common/msg/amend.h"
#include "common/msg/event.h"
#include "common/msg/sums.h"

void turn_init(struct turn *turn)
{
    *turn = (struct turn){ 0 };
    turn_changes_init(&turn->changes);
}

static void clear_effect(struct effect *effect)
{
    if (effect->msg)
        schema_clear(msg_schema(effect->type), effect->msg);
    free(effect->msg);
    free(effect->node);
}

static void clear_program(struct program_order *order)
{
    for (uint32_t i = 0; i < order->environment_n; i++)
        free(order->environment[i]);
    free(order->environment);
}

static void clear_trigger(struct trigger_order *order)
{
    free(order->program);
    free(order->argument);
}

void turn_clear(struct turn *turn)
{
    turn_changes_clear(&turn->changes);
    for (uint32_t i = 0; i < turn->effects_n; i++)
        clear_effect(&turn->effects[i]);
    free(turn->effects);
    for (uint32_t i = 0; i < turn->mails_n; i++)
        mail_clear(&turn->mails[i]);
    free(turn->mails);
    for (uint32_t i = 0; i < turn->programs_n; i++)
        clear_program(&turn->programs[i]);
    free(turn->programs);
    for (uint32_t i = 0; i < turn->triggers_n; i++)
        clear_trigger(&turn->triggers[i]);
    free(turn->triggers);
    for (uint32_t i = 0; i < turn->reservations_n; i++)
        free(turn->reservations[i].name);
    free(turn->reservations);
    turn_init(turn);
}

static struct change *add_change(struct turn *turn, enum change_kind kind)
{
    struct change *change = ARRAY_PUSH(turn->changes.changes, turn->changes.changes_n);

    change_init(change);
    change->kind = kind;
    return change;
}

static void set_blob(struct blob *blob, const void *data, size_t n)
{
    free(blob->data);
    blob->data = xmemdup(data, n);
    blob->n = (uint32_t)n;
}

static void set_message(struct blob *blob, const struct schema *schema, const void *msg)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    schema_encode(schema, msg, &bytes);
    set_blob(blob, bytes.data, bytes.len);
}

static void set_record(struct change *change, const struct schema *schema, const void *msg)
{
    set_message(&change->record, schema, msg);
}

/* How many changes back an earlier change of the same thing is looked for. One that is farther back
 * is written twice, which is harmless. */
#define LOOK_BACK 64

/* Finds a record's earlier change in the turn: a record is kept as it is the last time. */
static struct change *find_change(struct turn *turn, enum change_kind kind, uint32_t job_id,
                                  uint32_t step_id, const char *name)
{
    const uint32_t n = turn->changes.changes_n;

    for (uint32_t i = n; i > 0 && n - i < LOOK_BACK; i--) {
        struct change *change = &turn->changes.changes[i - 1];

        if (change->kind == kind && change->job_id == job_id && change->step_id == step_id &&
            (!name || strcmp(change->name, name) == 0))
            return change;
    }
    return NULL;
}

void turn_note_job(struct turn *turn, const struct job_record *job)
{
    struct change *change = find_change(turn, CHANGE_JOB, job->id, 0, NULL);

    /* An earlier job of the same id may just have left. */
    if (!change || job_round(change->run) != job_round(job->launch_number))
        change = add_change(turn, CHANGE_JOB);
    change->job_id = job->id;
    change->run = job->launch_number;
    change->unrecorded = job->unrecorded;
    set_record(change, job_record_schema(), job);
}

void turn_note_job_end(struct turn *turn, const struct job_record *job, const struct job_body *body)
{
    struct change *change;

    turn_note_job(turn, job);
    change = find_change(turn, CHANGE_JOB, job->id, 0, NULL);
    change->is_end = true;
    set_message(&change->body, job_body_schema(), body);
}

void turn_note_run(struct turn *turn, const struct job_record *job, const struct job_body *body)
{
    struct change *change = add_change(turn, CHANGE_RUN);

    change->job_id = job->id;
    change->run = job->launch_number;
    change->unrecorded = job->unrecorded;
    set_record(change, job_record_schema(), job);
    set_message(&change->body, job_body_schema(), body);
}

void turn_note_past(struct turn *turn, const struct job_record *job, bool is_earlier_run)
{
    struct change *change = add_change(turn, is_earlier_run ? CHANGE_RUN : CHANGE_JOB);

    change->job_id = job->id;
    change->run = job->launch_number;
    change->is_end = !is_earlier_run && job_state_is_over(job->state);
    change->is_past = true;
    set_record(change, job_record_schema(), job);
    if (!is_earlier_run)
        turn_note_job_retired(turn, job);
}

void turn_note_amendment(struct turn *turn, uint32_t job_id, uint32_t run,
                         const struct job_amendment *amendment)
{
    struct change *change = add_change(turn, CHANGE_AMEND);

    change->job_id = job_id;
    change->run = run;
    set_record(change, job_amendment_schema(), amendment);
}

void turn_note_job_retired(struct turn *turn, const struct job_record *job)
{
    struct change *change = add_change(turn, CHANGE_JOB_RETIRE);

    change->job_id = job->id;
    change->run = job->launch_number;
    change->unrecorded = job->unrecorded;
    change->goes_on = !job_state_is_over(job->state);
}

void turn_note_step(struct turn *turn, const struct step_record *step)
{
    struct change *change = find_change(turn, CHANGE_STEP, step->job_id, step->step_id, NULL);

    if (!change || change->run != step->launch_number)
        change = add_change(turn, CHANGE_STEP);
    change->job_id = step->job_id;
    change->run = step->launch_number;
    change->step_id = step->step_id;
    change->unrecorded = step->unrecorded;
    set_record(change, step_record_schema(), step);
}

/* Returns the change of a kept record in this turn, made where there is none yet. */
static struct change *kept_change(struct turn *turn, const struct kept_kind *kind, const char *key)
{
    struct change *change = find_change(turn, CHANGE_KEPT, 0, 0, key);

    if (!change || change->kept != kind->number) {
        change = add_change(turn, CHANGE_KEPT);
        change->kept = kind->number;
        xstrset(&change->name, key);
    }
    return change;
}

void turn_note_kept(struct turn *turn, const struct kept_kind *kind, const void *record)
{
    AUTO_FREE char *key = kept_key(kind, record);

    set_record(kept_change(turn, kind, key), kind->schema(), record);
}

void turn_note_kept_gone(struct turn *turn, const struct kept_kind *kind, const char *key)
{
    set_blob(&kept_change(turn, kind, key)->record, NULL, 0);
}

void turn_note_node(struct turn *turn, const struct node_record *node)
{
    turn_note_kept(turn, kept_kind_find(KEPT_NODE), node);
}

void turn_note_cluster_event(struct turn *turn, const struct cluster_event *event)
{
    set_record(add_change(turn, CHANGE_CLUSTER_EVENT), cluster_event_schema(), event);
}

void turn_note_sums(struct turn *turn, const struct sums_whole *whole)
{
    set_record(add_change(turn, CHANGE_SUMS_WHOLE), sums_whole_schema(), whole);
}

void turn_note_event(struct turn *turn, const struct event_record *event)
{
    struct change *change = add_change(turn, CHANGE_EVENT);

    change->job_id = event->job_id;
    change->run = event->run;
    set_record(change, event_record_schema(), event);
}

void turn_note_purge(struct turn *turn, const struct purge_record *purge)
{
    set_record(add_change(turn, CHANGE_PURGE), purge_record_schema(), purge);
}

void turn_note_number(struct turn *turn, const char *name, int64_t number)
{
    struct change *change = find_change(turn, CHANGE_NUMBER, 0, 0, name);

    if (!change)
        change = add_change(turn, CHANGE_NUMBER);
    xstrset(&change->name, name);
    change->number = number;
}

static struct change *note_blob(struct turn *turn, const uint8_t sha256[SHA256_BYTES],
                                const void *data, uint32_t n)
{
    struct change *change = add_change(turn, CHANGE_BLOB);

    set_blob(&change->sha256, sha256, SHA256_BYTES);
    set_blob(&change->record, data, n);
    return change;
}

void turn_note_blob(struct turn *turn, const uint8_t sha256[SHA256_BYTES], const void *data,
                    uint32_t n)
{
    note_blob(turn, sha256, data, n);
}

void turn_note_body(struct turn *turn, const uint8_t sha256[SHA256_BYTES], const void *data,
                    uint32_t n)
{
    note_blob(turn, sha256, data, n)->is_body = true;
}

static struct effect *add_effect(struct turn *turn, enum effect_kind kind, uint32_t type, void *msg)
{
    struct effect *effect = ARRAY_PUSH(turn->effects, turn->effects_n);

    *effect = (struct effect){ .kind = kind, .step_id = COUNT_UNSET, .type = type, .msg = msg };
    return effect;
}

void turn_order(struct turn *turn, const char *node, uint32_t type, void *msg)
{
    add_effect(turn, EFFECT_ORDER, type, msg)->node = xstrdup(node);
}

void turn_event(struct turn *turn, uint32_t job_id, uint32_t step_id, uint32_t type, void *msg,
                bool last)
{
    struct effect *effect = add_effect(turn, EFFECT_EVENT, type, msg);

    effect->job_id = job_id;
    effect->step_id = step_id;
    effect->last = last;
}
