#include "cli/sacct/id.h"

#include "common/text/jobid.h"

void acct_id_format(const struct job_record *job, const struct step_record *step, bool raw,
                    struct strbuf *out)
{
    const struct job_ref ref = { job->id, NO_VAL, step ? step->step_id : NO_VAL, false };

    (void)raw; /* the same as long as no job is a task of an array */
    job_ref_format(out, &ref);
}
