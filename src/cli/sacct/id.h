/* id.h - how a job or step is named in a line. Pure. */
#pragma once

#include "common/msg/job.h"

/*
 * Appends "12" or "12_3", with a step "12.batch", "12_3.0", and "12_[4-9%2]" for tasks that wait.
 * Every name of a job in sacct is made here. With `raw` it is JobIDRaw's: the record's own number.
 */
void acct_id_format(const struct job_record *job, const struct step_record *step, bool raw,
                    struct strbuf *out);
