#include "noded/agent/claim.h"

static void on_credential(void *ctx, int code, const char *text)
{
    struct rpc_question *question = ctx;
    struct err why = { 0 };

    if (code)
        (void)err_set(&why, code, "%s", text);
    rpc_answer_credential(question, code ? NULL : text, &why);
}

void claim_ask(struct root *root, const void *claim, size_t n, struct rpc_question *question)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    strbuf_add(&bytes, claim, n);
    root_ask(root, PRIV_CREDENTIAL, &bytes, NULL, 0, on_credential, question);
}
