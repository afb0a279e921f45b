#include "common/msg/amend.h"

#include "common/base/minmax.h"

SCHEMA_DEFINE(job_amendment, JOB_AMENDMENT)
SCHEMA_DEFINE(history_amend, HISTORY_AMEND)

bool job_amendment_sets(const struct job_amendment *amendment, enum job_amendment_tag tag)
{
    for (uint32_t i = 0; i < amendment->set_n; i++) {
        if (amendment->set[i] == (uint32_t)tag)
            return true;
    }
    return false;
}

void job_amend(struct job_record *job, const struct job_amendment *amendment)
{
    const struct {
        enum job_amendment_tag tag;
        char **member;
        const char *text;
    } texts[] = {
        { AMENDMENT_TAG_comment, &job->spec->comment, amendment->comment },
        { AMENDMENT_TAG_admin_comment, &job->spec->admin_comment, amendment->admin_comment },
        { AMENDMENT_TAG_system_comment, &job->system_comment, amendment->system_comment },
        { AMENDMENT_TAG_extra, &job->spec->extra, amendment->extra },
        { AMENDMENT_TAG_wckey, &job->spec->wckey, amendment->wckey },
    };

    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        const bool is_text = texts[i].text && *texts[i].text;

        if (job_amendment_sets(amendment, texts[i].tag))
            xstrset(texts[i].member, is_text ? texts[i].text : NULL);
    }
    if (job_amendment_sets(amendment, AMENDMENT_TAG_derived_status))
        job->derived_status = amendment->derived_status;
}

void job_amend_end(struct job_record *job)
{
    job->state = JOB_COMPLETE;
    job->end_time = MAX(MAX(job->start_time, job->eligible_time), job->submit_time);
}

void job_amendment_format(const struct job_amendment *amendment, struct strbuf *out)
{
    const struct {
        enum job_amendment_tag tag;
        const char *name, *text;
    } texts[] = {
        { AMENDMENT_TAG_comment, "derived_es", amendment->comment },
        { AMENDMENT_TAG_admin_comment, "admin_comment", amendment->admin_comment },
        { AMENDMENT_TAG_system_comment, "system_comment", amendment->system_comment },
        { AMENDMENT_TAG_extra, "extra", amendment->extra },
        { AMENDMENT_TAG_wckey, "wckey", amendment->wckey },
    };
    const size_t before = out->len;

    if (job_amendment_sets(amendment, AMENDMENT_TAG_derived_status))
        strbuf_addf(out, "derived_ec=%d", amendment->derived_status);
    if (job_amendment_sets(amendment, AMENDMENT_TAG_ends))
        strbuf_addf(out, "%sstate=%d", out->len > before ? ", " : "", JOB_COMPLETE);
    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        if (job_amendment_sets(amendment, texts[i].tag))
            strbuf_addf(out, "%s%s='%s'", out->len > before ? ", " : "", texts[i].name,
                        texts[i].text ? texts[i].text : "");
    }
}
