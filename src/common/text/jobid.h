/*
 * jobid.h - how people name jobs, array tasks and steps: "123", "123_4", "123.0", "123_4.batch".
 *
 * The numbers of the special steps are Slurm's, as SLURM_STEP_ID and log lines show them. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

#define NO_VAL           UINT32_C(0xfffffffe) /* no number here */
#define STEP_TBD         UINT32_C(0xfffffffd) /* "TBD", a step not yet started */
#define STEP_EXTERN      UINT32_C(0xfffffffc)
#define STEP_BATCH       UINT32_C(0xfffffffb)
#define STEP_INTERACTIVE UINT32_C(0xfffffffa)
#define STEP_MAX         UINT32_C(0xfffffff0) /* the last ordinary step */
#define JOB_ID_MAX       UINT32_C(0xfffffff0)

/* How many references one list may have, each task of "3_[1-4]" counted. */
#define JOB_REFS_MAX 65536

struct job_ref {
    uint32_t job;        /* of the job, or of the array as a whole */
    uint32_t array_task; /* NO_VAL when not named */
    uint32_t step;       /* NO_VAL when not named */
    bool all_tasks;      /* "123_*"; array_task is NO_VAL then */
};

/*
 * Reads one reference. Fails with E_JOB_ID, naming the text. A part of a heterogeneous job
 * ("123+0") is recognised and refused as such.
 */
int job_ref_parse(const char *text, struct job_ref *ret_ref, struct err *err);
void job_ref_format(struct strbuf *out, const struct job_ref *ref);

/* Reads a step: "7", "batch", "extern", "interactive" or "TBD". */
int step_id_parse(const char *text, uint32_t *ret_step, struct err *err);
void step_id_format(struct strbuf *out, uint32_t step);

/* A list of references. Owns its array: `AUTO(job_refs) struct job_refs refs = { 0 };` */
struct job_refs {
    struct job_ref *at;
    uint32_t n;
};

/*
 * Reads references divided by commas, where "3_[1-4,9]" and "3_[0-8:2]" name several tasks. The
 * "%2" of a pending array as squeue prints it ("3_[1-4%2]") is accepted, and names no task.
 */
int job_refs_parse(const char *text, struct job_refs *ret_refs, struct err *err);
/* Reads references, none of which may name a step. Fails as job_refs_parse does. */
int job_refs_parse_jobs(const char *text, struct job_refs *ret_refs, struct err *err);

void job_refs_clear(struct job_refs *refs);
void job_refs_auto_(struct job_refs *refs);
