#include "cli/sacct/id.h"

#include "common/text/jobid.h"

void acct_id_format(const struct job_record *job, const struct step_record *step, bool raw,
                    struct strbuf *out)
{
    if (raw)
        strbuf_addf(out, "%u", job->id);
    else
        job_name_format(job, 0, out);
    if (!step)
        return;
    strbuf_addc(out, '.');
    step_id_format(out, step->step_id);
}
