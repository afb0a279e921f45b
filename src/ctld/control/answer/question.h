/*
 * question.h - what would become of a job that is not there (sbatch --test-only, --immediate).
 */
#pragma once

#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/sched/planner.h"

/*
 * Asks when and where the job would start, without making one. The planner finds that out little by
 * little in control_schedule, while other requests come in between; then control_answer tells it.
 * ret_question is the question's number, not 0. Fails where control_submit would.
 */
int control_ask(struct act *act, const struct job_spec *spec, uint64_t *ret_question,
                struct err *err);

/* Drops a question whose answer nobody waits for any more. */
void control_ask_no_more(struct control *control, uint64_t question);

struct control_answer {
    uint64_t question;
    bool starts;                /* at once */
    struct job_submitted would; /* to be cleared */
};

/* The next answer, told once; false: no question is answered. */
bool control_answer(struct control *control, struct control_answer *ret);

/* Puts the first open question to the planner, if none is put to it. */
void questions_pose(struct act *act);

/* True if this planner works on a question. */
bool questions_occupy(const struct control *control, const struct planner *planner);

/* Takes answers that the planner has found, and lets the forecast, which else may wait, work on the
 * question it was asked. True: there are more open questions. */
bool questions_go_on(struct act *act, uint32_t work);

/* Works on open questions alone, while nothing may start. True: there are more. */
bool questions_ponder(struct act *act, uint32_t work);

/* Puts open questions again to planners that are new. */
void questions_begin_anew(struct control *control);
void questions_free(struct control *control);
