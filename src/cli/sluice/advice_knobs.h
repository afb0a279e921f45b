/*
 * advice_knobs.h - amounts that a job asks for, of which less may be enough. Pure.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/job.h"

/* `asked` is what the job asks for: what one write has changed the next begins with anew. */
struct knob {
    const char *option;
    bool (*read)(const struct job_spec *asked, uint64_t *ret); /* false: not asked for */
    void (*write)(const struct job_spec *asked, uint64_t amount, struct job_spec *spec);
    void (*show)(const struct job_spec *asked, uint64_t amount, struct strbuf *out);
    bool is_time;
};

/* All of them, up to one without an option. */
const struct knob *advice_knobs(void);

/* Those that change together, the ones that are given up last first; each leaves the others be. */
const struct knob *const *advice_knobs_together(void);
