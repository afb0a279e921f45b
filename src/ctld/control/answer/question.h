/*
 * question.h - what would become of a job that is not there (sbatch --test-only, --immediate).
 */
#pragma once

#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/sched/planner.h"

/*
 * When and where the job would start, without making one. The planner finds that out little by
 * little in control_schedule, while other requests come in between; then control_answer tells it.
 * *ret_question is the question's number, not 0. Fails where control_submit would.
 */
int control_ask(struct act *act, const struct job_spec *spec, uint64_t *ret_question,
                struct err *err);

/* Nobody waits for the answer any more. */
void control_ask_no_more(struct control *control, uint64_t question);

struct control_answer {
    uint64_t question;
    bool starts;                /* at once */
    struct job_submitted would; /* to be cleared */
};

/* The next answer there is, told once; false: there is none. */
bool control_answer(struct control *control, struct control_answer *ret);

/* The first of those that wait is put to the planner; which one may be asked now. */
void questions_pose(struct act *act);

/* Whether this planner works on one. */
bool questions_occupy(const struct control *control, const struct planner *planner);

/* What the planner has found out is noted; the forecast, which else may wait, works on what it is
 * asked. True: there are more that wait for an answer. */
bool questions_go_on(struct act *act, uint32_t work);

/* Works on them alone, while nothing may start; true: as above. */
bool questions_ponder(struct act *act, uint32_t work);

/* The planners are others. */
void questions_begin_anew(struct control *control);
void questions_free(struct control *control);
