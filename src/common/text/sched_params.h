/*
 * sched_params.h - SchedulerParameters of slurm.conf as numbers and switches.
 *
 * A number that the text does not give is SCHED_UNSET: what we do then is not what Slurm does, so
 * nobody may fill in Slurm's default. Names are compared without regard to case. As in Slurm, the
 * first value counts when a name comes twice, and a number out of its range is left out.
 *
 * Plain data, owns nothing. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SCHED_UNSET UINT64_MAX

/* NUMBER(name, least, most) and SWITCH(name). Units are Slurm's: see the manual page slurm.conf. */
#define SCHED_PARAMS(NUMBER, SWITCH)                                                               \
    NUMBER(bf_interval, 1, 10800)       /* seconds; SCHED_BF_OFF: no backfill (-1) */              \
    NUMBER(bf_window, 1, 43200)         /* minutes */                                              \
    NUMBER(bf_resolution, 1, 3600)      /* seconds */                                              \
    NUMBER(bf_max_job_test, 1, 1000000) /* jobs looked at; 0 is unlimited for those below */       \
    NUMBER(bf_max_job_user, 0, 1000000)                                                            \
    NUMBER(bf_max_job_part, 0, 1000000)                                                            \
    NUMBER(bf_max_job_start, 0, 10000)                                                             \
    NUMBER(bf_min_age_reserve, 0, 2592000) /* seconds */                                           \
    NUMBER(bf_min_prio_reserve, 0, INT64_MAX)                                                      \
    NUMBER(max_switch_wait, 0, INT32_MAX) /* seconds */                                            \
    SWITCH(assoc_limit_stop)                                                                       \
    SWITCH(spec_cores_first)                                                                       \
    SWITCH(kill_invalid_depend)                                                                    \
    SWITCH(nohold_on_prolog_fail)

#define SCHED_PARAM_NUMBER(name, least, most) uint64_t name;
#define SCHED_PARAM_SWITCH(name)              bool name;
struct sched_params {
    SCHED_PARAMS(SCHED_PARAM_NUMBER, SCHED_PARAM_SWITCH)
};
#undef SCHED_PARAM_NUMBER
#undef SCHED_PARAM_SWITCH

/* The value of bf_interval=-1, which turns backfill off. */
#define SCHED_BF_OFF UINT64_C(0)

enum sched_remark {
    SCHED_UNKNOWN,   /* no Slurm that we know has the name */
    SCHED_NO_EFFECT, /* Slurm has it; nothing here acts on it */
    SCHED_LEFT_OUT,  /* the value is not one it can have, or it came before */
};

/* Takes a remark: `text` names the parameter, its value, and what would do. */
typedef void sched_remark_fn(void *ctx, enum sched_remark remark, const char *text);

/*
 * Reads the parameters; what the text does not give is unset or off. `text` and `remark` may be
 * NULL.
 */
void sched_params_parse(const char *text, struct sched_params *ret, sched_remark_fn *remark,
                        void *ctx);
