#include "ctld/model/body.h"

#include <string.h>

struct body *model_find_body(const struct model *model, const uint8_t sha256[SHA256_BYTES])
{
    struct body *body;

    HASH_FIND(hh, model->bodies, sha256, SHA256_BYTES, body);
    return body;
}

struct body *body_ref(struct model *model, const uint8_t sha256[SHA256_BYTES],
                      const struct job_body *msg)
{
    struct body *body = model_find_body(model, sha256);

    if (!body) {
        body = xcalloc(1, sizeof(*body));
        memcpy(body->sha256, sha256, SHA256_BYTES);
        schema_copy(job_body_schema(), &body->msg, msg);
        HASH_ADD(hh, model->bodies, sha256, SHA256_BYTES, body);
    }
    body->users_n++;
    return body;
}

void body_unref(struct model *model, struct body *body)
{
    if (!body || --body->users_n > 0)
        return;
    HASH_DELETE(hh, model->bodies, body);
    job_body_clear(&body->msg);
    free(body);
}

void job_set_body(struct model *model, struct job *job, struct body *body)
{
    const struct blob name = { body->sha256, SHA256_BYTES };
    struct body *before = job->body;

    body->users_n++;
    job->body = body;
    free(job->rec.body_sha256.data);
    job->rec.body_sha256 = blob_copy(&name);
    body_unref(model, before);
}
