/*
 * advice_knobs.h - amounts that a job asks for, of which less may be enough. Pure.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/job.h"

/*
 * One amount of the request. `asked` is what the job asks for: `write` computes from it, not from
 * what an earlier write left in `spec`.
 */
struct knob {
    const char *option;
    bool (*read)(const struct job_spec *asked, uint64_t *ret); /* false: not asked for */
    void (*write)(const struct job_spec *asked, uint64_t amount, struct job_spec *spec);
    void (*show)(const struct job_spec *asked, uint64_t amount, struct strbuf *out);
    bool is_time;
};

/* Returns all knobs, up to one without an option. */
const struct knob *advice_knobs(void);

/*
 * Returns the knobs that change together, those that are given up last first; each leaves the
 * others alone.
 */
const struct knob *const *advice_knobs_together(void);
