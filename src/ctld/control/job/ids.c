/* Numbers of jobs: they rise, and begin again after MaxJobId. */
#include "ctld/control/job/ids.h"

#include <errno.h>

#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"

#define JOB_ID_MAX 67043328 /* Slurm's default MaxJobId */

static uint32_t first_id(const struct model *model)
{
    return model->config.first_job_id ? model->config.first_job_id : 1;
}

static uint32_t last_id(const struct model *model)
{
    return model->config.max_job_id ? model->config.max_job_id : JOB_ID_MAX;
}

/* Returns how many ids are taken. An array's id is mostly that of a job, too. */
static uint32_t taken_n(const struct model *model)
{
    const struct array *array, *next;
    uint32_t n = HASH_COUNT(model->jobs);

    HASH_ITER (hh, model->arrays, array, next)
        n += !model_find_job(model, array->id);
    return n;
}

int job_check_ids(const struct control *control, uint32_t wanted, struct err *err)
{
    const struct model *model = control->model;
    const uint32_t first = first_id(model), last = last_id(model);
    const uint64_t needed = (uint64_t)model->ids_owed + wanted;
    const uint64_t at_most = (uint64_t)HASH_COUNT(model->jobs) + HASH_COUNT(model->arrays);
    const uint64_t ids_n = first > last ? 0 : (uint64_t)last - first + 1;

    if (at_most + needed > ids_n && taken_n(model) + needed > ids_n)
        return err_set(err, EAGAIN,
                       "all job ids from FirstJobId=%u to MaxJobId=%u are in use; raise MaxJobId",
                       first, last);
    if (model->id_round + 1 >= JOB_ROUNDS_N && model->next_job_id + model->ids_owed + wanted > last)
        return err_set(err, EAGAIN, "job ids have begun again %u times; raise MaxJobId=%u",
                       model->id_round, last);
    return 0;
}

/*
 * True if the node holds a step of an id that is still to be given. Ids of earlier rounds are
 * higher, but a node is believed only what this cluster can have given: its word must neither use
 * up all rounds nor leave the range of ids.
 */
static bool is_ahead(const struct model *model, const struct step_report *held)
{
    const uint32_t round = job_round(held->launch_number);

    if (held->job_id < first_id(model) || held->job_id > last_id(model))
        return false;
    return round == model->id_round + 1 ||
           (round == model->id_round && held->job_id >= model->next_job_id);
}

void job_learn_ids(struct act *act, const struct node_register *reg)
{
    struct model *model = act->control->model;

    for (uint32_t i = 0; i < reg->held_n; i++) {
        const struct step_report *held = &reg->held[i];

        if (!is_ahead(model, held))
            continue;
        model->id_round = job_round(held->launch_number);
        model->next_job_id = held->job_id + 1;
        turn_note_number(act->turn, CONTROL_NUMBER_ID_ROUND, model->id_round);
        turn_note_number(act->turn, CONTROL_NUMBER_NEXT_JOB, model->next_job_id);
    }
}

static void set_round(struct act *act, uint32_t round)
{
    struct model *model = act->control->model;

    if (round == model->id_round || round >= JOB_ROUNDS_N)
        return;
    if (model->id_round == model->first_round) { /* ids have not begun again by this */
        model->first_round = round;
        turn_note_number(act->turn, CONTROL_NUMBER_FIRST_ROUND, round);
    }
    model->id_round = round;
    turn_note_number(act->turn, CONTROL_NUMBER_ID_ROUND, round);
}

void job_learn_id(struct act *act, uint32_t id, uint32_t launch_number)
{
    struct model *model = act->control->model;
    const bool may_rise = model->id_round == model->first_round && id <= last_id(model);
    const uint32_t round = job_round(launch_number);

    if (round > model->id_round)
        set_round(act, round);
    if (id < model->next_job_id)
        return;
    if (may_rise) {
        model->next_job_id = id + 1;
        turn_note_number(act->turn, CONTROL_NUMBER_NEXT_JOB, model->next_job_id);
    } else if (round == model->id_round) {
        set_round(act, round + 1);
    }
}

uint32_t job_last_id(const struct control *control)
{
    return last_id(control->model);
}

uint32_t job_next_id(const struct control *control)
{
    const struct model *model = control->model;
    const uint32_t known = HASH_COUNT(model->jobs) + HASH_COUNT(model->arrays);
    uint32_t id = model->next_job_id;

    for (uint32_t tries = 0; tries <= known; tries++, id++) {
        if (id > last_id(model))
            id = first_id(model);
        /* An array keeps its id as long as any of its tasks is known. */
        if (!model_find_job(model, id) && !model_find_array(model, id))
            return id;
    }
    return 0;
}

void job_give_id(struct act *act, struct job_record *rec)
{
    struct model *model = act->control->model;

    rec->id = job_next_id(act->control);
    if (rec->id < model->next_job_id) { /* the ids begin again */
        model->id_round++;
        turn_note_number(act->turn, CONTROL_NUMBER_ID_ROUND, model->id_round);
    }
    model->next_job_id = rec->id + 1;
    rec->launch_number = model->id_round << JOB_RUN_BITS;
    turn_note_number(act->turn, CONTROL_NUMBER_NEXT_JOB, model->next_job_id);
}
