/*
 * submit.h - accepting jobs: batch jobs, allocations, and what of their record follows from the
 * request.
 */
#pragma once

#include "common/msg/job.h"
#include "common/msg/step.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/*
 * A job that is to start at once or not at all (spec->immediate) is submitted, or allocated, in the
 * turn in which a question (answer/question.h) says that it would start. control_asks_first tells
 * whether that is so; a job that is there already, by its token, is just returned.
 */
int control_submit(struct act *act, const struct job_submit *request, uint32_t *ret_job_id,
                   struct err *err);

/* Makes an allocation. `step` may be NULL (salloc). Events about it go to the job's stream. */
int control_allocate(struct act *act, const struct job_allocate *request, uint32_t *ret_job_id,
                     struct err *err);

bool control_asks_first(const struct control *control, const struct caller *caller,
                        const struct job_spec *spec);

/* Fills what the record of a waiting job has from its spec. */
void job_follow_spec(struct job_record *rec, struct moment now);

/* A job that is not there yet. Owns all but the partition; all zero is empty. */
struct job_draft {
    struct job_record rec;
    struct job_request request; /* what rec.spec comes to in `part` */
    const struct partition *part;
};

/* Checks whether the caller's job may use the reservations that it names. E_RESERVATION,
 * E_RESERVATION_ACCESS. */
int job_check_reservation(const struct act *act, const struct job_spec *spec,
                          const struct partition *part, struct err *err);

void job_draft_init(struct job_draft *draft);
void job_draft_clear(struct job_draft *draft);
void job_draft_auto_(struct job_draft *draft);

/*
 * Fills an empty draft with all that a job has before it gets its id, checked. The caller clears
 * the draft, also on failure. Whether the job could start now is asked for separately
 * (answer/question.c).
 */
int job_draft_make(struct act *act, const struct job_spec *asked, struct job_draft *draft,
                   struct err *err);

/* Fails if no set of the partition's nodes could ever hold the job. */
int job_check_plan(struct act *act, const struct job_draft *draft, struct err *err);
