#include "ctld/control/request/body.h"

#include "common/crypt/crypt.h"
#include "ctld/control/act/state.h"

int job_body_check(const struct job_body *msg, uint32_t kind, struct err *err)
{
    if (!msg)
        return err_set(err, E_PROTO,
                       "a job without a body is asked for: the command is of an older version than "
                       "slurmctld, install that of slurmctld's version");
    if (kind == JOB_KIND_BATCH && msg->script_sha256.n != SHA256_BYTES)
        return err_set(err, E_NO_SCRIPT, "%s", err_string(E_NO_SCRIPT));
    return 0;
}

static void encode(const struct job_body *msg, struct strbuf *bytes, uint8_t *ret_sha256)
{
    schema_encode(job_body_schema(), msg, bytes);
    crypt_sha256(bytes->data, bytes->len, ret_sha256);
}

struct body *body_accept(struct act *act, const struct job_body *msg)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    uint8_t sha256[SHA256_BYTES];

    encode(msg, &bytes, sha256);
    if (!model_find_body(act->control->model, sha256))
        turn_note_body(act->turn, sha256, bytes.data, (uint32_t)bytes.len);
    return body_ref(act->control->model, sha256, msg);
}

struct body *body_load(struct model *model, const struct blob *name, const struct job_body *msg)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    uint8_t sha256[SHA256_BYTES];

    if (name->n == SHA256_BYTES)
        return body_ref(model, name->data, msg);
    encode(msg, &bytes, sha256);
    return body_ref(model, sha256, msg);
}
