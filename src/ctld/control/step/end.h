/* end.h - how steps end, and what nodes report of them. */
#pragma once

#include "common/msg/step.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/job/finish.h"
#include "ctld/model/model.h"

/* True if the step ends when one of its processes is killed for memory. */
bool step_ends_for_memory(const struct control *control, const struct step *step);

/* Tells who follows the step where it stands. */
void step_tell_state(struct step *step, struct turn *turn);

/* Adds a stream that follows the step, and tells it where the step stands. */
int step_attach(struct step *step, struct turn *turn);

/* Tells one node, once more, to end its part of the step. */
void step_repeat_end(struct act *act, const struct step *step, uint32_t position);

/* How a step ends before its time. */
struct step_ending {
    uint32_t state;    /* enum job_state */
    uint32_t ended_by; /* COUNT_UNSET: nobody */
    const char *why;   /* borrowed; NULL: nothing is to be said of it */
    bool at_once;      /* KILL; else TERM, and KILL after KillWait */
    bool is_quiet;     /* srun is not told before the end, and says afterwards that it was forced */
};

/* Tells the nodes of a step to end it; a waiting step is over at once. */
void step_stop(struct act *act, struct step *step, const struct step_ending *ending);

/* Ends a step whose job has ended: a waiting one is over, the nodes of others are told by the job's
 * order. */
void step_end_with_job(struct act *act, struct step *step, const struct job_ending *ending);

/* Takes that one of its nodes has nothing of the step any more. `report` may be NULL; `why`: it
 * failed. */
void step_node_over(struct act *act, struct step *step, uint32_t position,
                    const struct step_report *report, const char *why);

/* Takes what a node says about one step, from a report or a registration. */
void step_take_report(struct act *act, const char *node, const struct step_report *report);

int64_t step_position(const struct step *step, const char *node);
bool step_is_active(const struct step *step); /* has nodes that have not ended */
