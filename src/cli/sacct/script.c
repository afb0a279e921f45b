#include "cli/sacct/script.h"

#include <errno.h>

#include "cli/sacct/id.h"
#include "common/msg/types.h"

#define RULE "--------------------------------------------------------------------------------\n"

static int fetch(const struct acct_script *asked, const struct job_record *job,
                 const struct blob *sha256, struct strbuf *out, struct err *err)
{
    const struct job_script ask = { .job_id = job->id,
                                    .environment = asked->environment,
                                    .cluster = (char *)(uintptr_t)asked->cluster };
    AUTO_FREE uint8_t *data = NULL;
    size_t n = 0;
    int rc = client_ask_blob(asked->client, MSG_JOB_SCRIPT, &ask, sha256->data, &data, &n, err);

    for (size_t i = 0; rc == 0 && i < n; i++) /* variables end with a zero byte each */
        strbuf_addc(out, asked->environment && data[i] == '\0' ? '\n' : (char)data[i]);
    return rc;
}

int acct_script_add(const struct acct_script *asked, const struct history_job *history,
                    struct strbuf *out, struct err *err)
{
    const bool environment = asked->environment;
    const struct job_record *job = history->job;
    const struct job_body *body = history->body;
    const struct blob *sha256 = environment ? &body->environment_sha256 : &body->script_sha256;
    struct err why = { 0 };
    int rc = -ENOENT;

    strbuf_adds(out, environment ? "Environment used for " : "Batch Script for ");
    acct_id_format(job, NULL, false, out);
    strbuf_adds(out, environment ? " (must be batch to display)\n" RULE : "\n" RULE);
    if (job->spec->kind == JOB_KIND_BATCH && sha256->n == SHA256_BYTES)
        rc = fetch(asked, job, sha256, out, &why);
    if (rc == -ENOENT || rc == -E_NO_SCRIPT)
        strbuf_adds(out, "NONE\n");
    else if (rc < 0)
        return err_set(err, why.code, "%s", why.text);
    strbuf_addc(out, '\n');
    return 0;
}
