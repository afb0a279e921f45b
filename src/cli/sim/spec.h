/* spec.h - from options, as sbatch takes them, to a job. */
#pragma once

#include "common/msg/job.h"
#include "common/text/words.h"

/* Reads options; `ret` is initialised, and untouched on failure. --begin counts from `wall_s`. */
int spec_from_words(const struct words *words, int64_t wall_s, struct job_spec *ret,
                    struct err *err);

/* Reads a spec from a line, whose words may be quoted. */
int spec_from_text(const char *text, int64_t wall_s, struct job_spec *ret, struct err *err);
