/*
 * Asking a hook, or authd where there is none. The answer is kept in the session and looked at from
 * the loop, so that a hook may answer at once, later, or when the session is long gone.
 */
#include <assert.h>

#include "common/rpc/inside.h"

struct rpc_question {
    struct rpc_session *session; /* NULL when that is gone */
    enum question_kind kind;
    struct authc_call *call; /* when authd was asked */
};

static struct rpc_question *ask(struct rpc_session *session, enum question_kind kind)
{
    struct rpc_question *question = xcalloc(1, sizeof(*question));

    assert(!session->greet.asked[kind]);
    question->session = session;
    question->kind = kind;
    session->greet.asked[kind] = question;
    return question;
}

/* Returns the place for the answer, or NULL when the session is gone. The question is freed. */
static struct answer *answer_slot(struct rpc_question *question, enum question_kind kind,
                                  const struct err *why)
{
    struct rpc_session *session = question->session;
    struct answer *answer;

    assert(question->kind == kind);
    free(question);
    if (!session)
        return NULL;
    session->greet.asked[kind] = NULL;
    answer = &session->greet.answers[kind];
    answer->given = true;
    if (why)
        answer->why = *why;
    session_kick(session);
    return answer;
}

void rpc_answer_credential(struct rpc_question *question, const char *credential,
                           const struct err *why)
{
    struct answer *answer = answer_slot(question, ASK_CREDENTIAL, why);

    if (!answer)
        return;
    answer->is_good = credential != NULL;
    answer->text = xstrdup(credential);
}

void rpc_answer_identity(struct rpc_question *question, const struct authc_identity *identity,
                         const struct err *why)
{
    struct answer *answer = answer_slot(question, ASK_IDENTITY, why);

    if (!answer)
        return;
    answer->is_good = identity != NULL;
    if (!identity)
        return;
    answer->uid = identity->uid;
    answer->gid = identity->gid;
    answer->payload = xmemdup(identity->payload, identity->payload_n);
    answer->payload_n = identity->payload_n;
}

void rpc_answer_fingerprint(struct rpc_question *question, const char *fingerprint)
{
    struct answer *answer = answer_slot(question, ASK_FINGERPRINT, NULL);

    if (!answer)
        return;
    answer->is_good = true;
    answer->text = xstrdup(fingerprint);
}

/* ---- authd ---- */

static void on_encoded(void *arg, int rc, const char *cred, const struct err *err)
{
    rpc_answer_credential(arg, rc < 0 ? NULL : cred, err);
}

static void on_decoded(void *arg, int rc, const struct authc_identity *identity,
                       const struct err *err)
{
    rpc_answer_identity(arg, rc < 0 ? NULL : identity, err);
}

static void on_fingerprint(void *arg, int rc, const char *text, const struct err *err)
{
    (void)err;
    rpc_answer_fingerprint(arg, rc < 0 ? NULL : text);
}

void question_credential(struct rpc_session *session, const void *claim, size_t n)
{
    struct rpc_question *question = ask(session, ASK_CREDENTIAL);
    struct authc_what what = AUTHC_WHAT;

    if (session->options.make_credential) {
        session->options.make_credential(claim, n, question, session->options.ctx);
        return;
    }
    what.payload = claim;
    what.payload_n = n;
    question->call =
        authc_encode_async(session->base, &session->options.authc, &what, on_encoded, question);
}

void question_identity(struct rpc_session *session, const char *credential)
{
    struct rpc_question *question = ask(session, ASK_IDENTITY);

    if (session->options.check_credential)
        session->options.check_credential(credential, question, session->options.ctx);
    else
        question->call = authc_decode_async(session->base, &session->options.authc, credential,
                                            on_decoded, question);
}

void question_fingerprint(struct rpc_session *session)
{
    struct rpc_question *question = ask(session, ASK_FINGERPRINT);

    if (session->options.get_fingerprint)
        session->options.get_fingerprint(question, session->options.ctx);
    else
        question->call = authc_fingerprint_async(session->base, &session->options.authc,
                                                 on_fingerprint, question);
}

void question_drop_all(struct greeting *greet)
{
    for (unsigned i = 0; i < ASK_N; i++) {
        struct rpc_question *question = greet->asked[i];

        greet->asked[i] = NULL;
        if (!question)
            continue;
        if (question->call) { /* then nobody else will release it */
            authc_cancel(question->call);
            free(question);
        } else {
            question->session = NULL;
        }
    }
}
