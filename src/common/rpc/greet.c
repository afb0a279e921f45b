/*
 * The handshake. Each side sends hello, proof (a claim when local) and verdict, in this order and
 * as soon as it can; both wait for nobody else's turn.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "common/msg/types.h"
#include "common/rpc/inside.h"

void greet_clear(struct rpc_session *session)
{
    struct greeting *greet = &session->greet;

    question_drop_all(greet);
    for (unsigned i = 0; i < ASK_N; i++) {
        free(greet->answers[i].text);
        free(greet->answers[i].payload);
    }
    free(greet->own_fingerprint);
    free(greet->peer_fingerprint);
    handshake_clear(&greet->handshake);
    *greet = (struct greeting){ 0 };
}

/* ---- refusing ---- */

/*
 * Returns whether both sides have the same key. One credential that verified on either side shows
 * it too: a peer that accepted ours has already sent its verdict, and tells no fingerprint. (A real
 * munged tells "unknown".)
 */
static bool same_key(const struct greeting *greet)
{
    if (greet->peer_good || greet->peer_accepts)
        return true;
    return greet->own_fingerprint && greet->peer_fingerprint &&
           strcmp(greet->own_fingerprint, greet->peer_fingerprint) == 0 &&
           strcmp(greet->own_fingerprint, "unknown") != 0;
}

void greet_explain(struct rpc_session *session)
{
    const struct greeting *greet = &session->greet;

    if (!greet->keys_differ)
        return;
    if (same_key(greet)) {
        err_set(&session->why, E_AUTH,
                "%s: a credential was altered or damaged on its way, or made just before a new key "
                "was installed: it does not verify, and both hosts have the same key (munge.key, "
                "fingerprint %s)",
                session->name, greet->own_fingerprint ? greet->own_fingerprint : "unknown");
        return;
    }
    err_set(&session->why, E_KEY_MISMATCH,
            "%s: the two hosts have different authentication keys (munge.key): fingerprint here "
            "%s, there %s",
            session->name, greet->own_fingerprint ? greet->own_fingerprint : "unknown",
            greet->peer_fingerprint ? greet->peer_fingerprint : "unknown");
}

/*
 * Returns whether the peer could read a refusal. Before keys are agreed, a remote peer can read
 * nothing.
 */
static bool can_tell(const struct rpc_session *session)
{
    return !session->greet.verdict_sent &&
           (session->peer.is_local || session->state != SESSION_HELLO);
}

static void send_refusal(struct rpc_session *session, const struct err *why)
{
    struct session_verdict verdict = { .code = (uint32_t)why->code,
                                       .text = (char *)(uintptr_t)why->text,
                                       .key_fingerprint = session->greet.own_fingerprint };

    if (can_tell(session))
        session_put(session, MSG_SESSION_VERDICT, 0, 0, &verdict);
    session->greet.verdict_sent = true;
}

/*
 * Refuses because keys differ. Both sides find that out by themselves, but each lacks the other's
 * fingerprint.
 */
static void refuse_key(struct rpc_session *session)
{
    session->greet.keys_differ = true;
    if (!session->greet.asked[ASK_FINGERPRINT] && !session->greet.answers[ASK_FINGERPRINT].given)
        question_fingerprint(session);
}

void greet_refuse(struct rpc_session *session, const struct err *why)
{
    struct err told = *why;

    if (why->code == E_KEY_MISMATCH && session->state != SESSION_HELLO) {
        refuse_key(session);
        return;
    }
    send_refusal(session, why);
    err_prefix(&told, "%s", session->name);
    session_finish(session, &told);
}

static void on_fingerprint(struct rpc_session *session, struct answer *answer)
{
    struct greeting *greet = &session->greet;
    struct err why = { .code = E_KEY_MISMATCH, .text = "the keys of the two hosts differ" };

    greet->own_fingerprint = STEAL(answer->text);
    send_refusal(session, &why);
    greet->refusal_comes = !greet->peer_fingerprint && !greet->peer_accepts;
    session_finish(session, &why);
}

static void on_refused(struct rpc_session *session, const struct session_verdict *verdict)
{
    const int code = err_code_from(verdict->code);
    struct err why = { 0 };

    if (verdict->code == E_KEY_MISMATCH && session->state != SESSION_HELLO) {
        xstrset(&session->greet.peer_fingerprint,
                verdict->key_fingerprint ? verdict->key_fingerprint : "unknown");
        refuse_key(session);
        return;
    }
    err_set(&why, code, "%s refused the connection: %.400s", session->name,
            verdict->text ? verdict->text : err_string(code));
    session_fail(session, &why);
}

void greet_late_frame(struct rpc_session *session, const struct rpc_frame *frame)
{
    AUTO(session_verdict) struct session_verdict verdict;

    session_verdict_init(&verdict);
    if (frame->type != MSG_SESSION_VERDICT ||
        rpc_decode(frame, session_verdict_schema(), &verdict, NULL) < 0)
        return;
    session->greet.peer_accepts = verdict.code == 0;
    session->greet.peer_fingerprint = STEAL(verdict.key_fingerprint);
    session->greet.refusal_comes = false;
}

/* ---- saying ---- */

static void send_hello(struct rpc_session *session)
{
    struct handshake *handshake = &session->greet.handshake;
    struct session_hello hello = { .protocol = HANDSHAKE_PROTOCOL,
                                   .version = (char *)(uintptr_t)SLUICE_VERSION,
                                   .clock = clock_wall_s(&session->options.clock) };
    struct rpc_frame frame = { .type = MSG_SESSION_HELLO };
    AUTO(strbuf) struct strbuf body = { 0 };

    if (!session->peer.is_local) {
        crypt_x25519_new(&handshake->own);
        hello.ephemeral_key = (struct blob){ handshake->own.public, CRYPT_KEY_N };
    }
    schema_encode(session_hello_schema(), &hello, &body);
    frame.body = body.data;
    frame.body_n = (uint32_t)body.len;
    handshake_note(handshake, true, &frame);
    channel_put(&session->channel, &frame);
}

static struct session_claim own_claim(struct rpc_session *session)
{
    const struct rpc_options *options = &session->options;

    return (struct session_claim){ .label = (char *)(uintptr_t)SESSION_CLAIM_LABEL,
                                   .role = options->role,
                                   .initiator = session->initiator,
                                   .cluster = (char *)(uintptr_t)options->cluster,
                                   .node = (char *)(uintptr_t)options->node };
}

static void ask_proof(struct rpc_session *session)
{
    struct session_claim claim = own_claim(session);
    AUTO(strbuf) struct strbuf payload = { 0 };

    claim.transcript = (struct blob){ session->greet.handshake.transcript, CRYPT_SHA256_N };
    schema_encode(session_claim_schema(), &claim, &payload);
    question_credential(session, payload.data, payload.len);
}

void greet_start(struct rpc_session *session)
{
    struct session_claim claim = own_claim(session);

    session->greet.handshake.initiator = session->initiator;
    send_hello(session);
    if (!session->peer.is_local)
        return;
    session_put(session, MSG_SESSION_CLAIM, 0, 0, &claim);
    session->greet.proof_sent = true;
}

/*
 * Accepts the peer when all is known. The verdict follows this side's proof, so that the keys after
 * it depend on both proofs.
 */
static void try_accept(struct rpc_session *session)
{
    struct greeting *greet = &session->greet;
    struct handshake_keys keys;

    if (!greet->peer_good || !greet->proof_sent || greet->verdict_sent)
        return;
    session_put(session, MSG_SESSION_VERDICT, 0, 0, NULL);
    greet->verdict_sent = true;
    if (session->peer.is_local)
        return;
    handshake_finish(&greet->handshake, &keys);
    channel_seal_with(&session->channel, keys.send);
    wipe(&keys, sizeof(keys));
}

static void try_ready(struct rpc_session *session)
{
    struct greeting *greet = &session->greet;
    struct handshake_keys keys;

    if (!greet->verdict_sent || !greet->peer_accepts)
        return;
    if (!session->peer.is_local) {
        handshake_finish(&greet->handshake, &keys);
        channel_open_with(&session->channel, keys.receive);
        wipe(&keys, sizeof(keys));
    }
    session_ready(session);
}

/* ---- hearing ---- */

static bool accept_by_default(const struct rpc_peer *peer)
{
    return peer->uid == 0 || peer->uid == geteuid();
}

static int accept_peer(struct rpc_session *session, struct err *err)
{
    const struct rpc_options *options = &session->options;
    const struct rpc_peer *peer = &session->peer;

    err_set(err, E_ACCESS, "uid %u as %s is not accepted here", (unsigned)peer->uid,
            rpc_role_name(peer->role));
    if (options->accept_peer ? options->accept_peer(peer, options->ctx, err)
                             : accept_by_default(peer))
        return 0;
    return -err->code;
}

/* Checks what a peer whose uid is proved claims, and whether it is accepted. */
static void take_claim(struct rpc_session *session, const void *payload, size_t n)
{
    AUTO(session_claim) struct session_claim claim;
    struct err err = { 0 };
    int rc = schema_decode(session_claim_schema(), payload, n, &claim, &err);

    if (rc == 0)
        rc = handshake_check_claim(&session->greet.handshake, session->peer.is_local,
                                   session->options.cluster, &claim, &err);
    if (rc == 0) {
        session->peer.role = claim.role;
        xstrset(&session->peer.node, claim.node);
        xstrset(&session->peer.cluster, claim.cluster);
        rc = accept_peer(session, &err);
    }
    if (rc < 0) {
        greet_refuse(session, &err);
        return;
    }
    session->greet.peer_good = true;
    try_accept(session);
    try_ready(session);
}

static int meet(struct rpc_session *session, const struct session_hello *hello, struct err *err)
{
    struct handshake_keys keys;
    int rc = handshake_meet(&session->greet.handshake, &hello->ephemeral_key, &keys, err);

    if (rc < 0)
        return rc;
    channel_seal_with(&session->channel, keys.send);
    channel_open_with(&session->channel, keys.receive);
    wipe(&keys, sizeof(keys));
    return 0;
}

static int take_hello(struct rpc_session *session, const struct rpc_frame *frame, struct err *err)
{
    AUTO(session_hello) struct session_hello hello;
    int rc = rpc_decode(frame, session_hello_schema(), &hello, err);

    if (rc < 0)
        return rc;
    if (hello.protocol != HANDSHAKE_PROTOCOL)
        return err_set(err, E_PROTO,
                       "it speaks version %u of the session protocol (program %.40s), we speak %u",
                       hello.protocol, hello.version ? hello.version : "unknown",
                       HANDSHAKE_PROTOCOL);
    session->peer.features = hello.features;
    session->peer.version = STEAL(hello.version);
    session->greet.peer_ahead_s = hello.clock - clock_wall_s(&session->options.clock);
    if (session->peer.is_local)
        return 0;
    handshake_note(&session->greet.handshake, false, frame);
    return meet(session, &hello, err);
}

static void on_hello(struct rpc_session *session, const struct rpc_frame *frame)
{
    struct err err = { 0 };

    if (take_hello(session, frame, &err) < 0) {
        greet_refuse(session, &err);
        return;
    }
    session->state = SESSION_PROOF;
    if (!session->peer.is_local)
        ask_proof(session);
}

static void on_proof(struct rpc_session *session, const struct rpc_frame *frame)
{
    AUTO(session_proof) struct session_proof proof;
    struct err err = { 0 };

    if (rpc_decode(frame, session_proof_schema(), &proof, &err) < 0) {
        greet_refuse(session, &err);
        return;
    }
    handshake_note(&session->greet.handshake, false, frame);
    question_identity(session, proof.credential);
}

static void on_verdict(struct rpc_session *session, const struct rpc_frame *frame)
{
    AUTO(session_verdict) struct session_verdict verdict;
    struct err err = { 0 };

    if (rpc_decode(frame, session_verdict_schema(), &verdict, &err) < 0) {
        greet_refuse(session, &err);
    } else if (verdict.code != 0) {
        on_refused(session, &verdict);
    } else if (session->state != SESSION_VERDICT) {
        err_set(&err, E_PROTO, "it accepts us before it showed who it is");
        greet_refuse(session, &err);
    } else {
        session->greet.peer_accepts = true;
        try_ready(session);
    }
}

bool greet_holds(const struct rpc_session *session)
{
    return session->greet.peer_accepts || session->greet.keys_differ;
}

void greet_frame(struct rpc_session *session, const struct rpc_frame *frame)
{
    bool is_local = session->peer.is_local;
    struct err err = { 0 };

    if (session->state == SESSION_HELLO && frame->type == MSG_SESSION_HELLO) {
        on_hello(session, frame);
    } else if (session->state == SESSION_PROOF && is_local && frame->type == MSG_SESSION_CLAIM) {
        session->state = SESSION_VERDICT;
        take_claim(session, frame->body, frame->body_n);
    } else if (session->state == SESSION_PROOF && !is_local && frame->type == MSG_SESSION_PROOF) {
        session->state = SESSION_VERDICT;
        on_proof(session, frame);
    } else if (frame->type == MSG_SESSION_VERDICT) {
        on_verdict(session, frame);
    } else {
        err_set(&err, E_PROTO, "unexpected %s during the handshake", msg_name(frame->type));
        greet_refuse(session, &err);
    }
}

/* ---- answers of authd ---- */

static void on_own_credential(struct rpc_session *session, struct answer *answer)
{
    struct session_proof proof = { .credential = answer->text };
    struct rpc_frame frame = { .type = MSG_SESSION_PROOF };
    AUTO(strbuf) struct strbuf body = { 0 };

    if (!answer->is_good) {
        err_prefix(&answer->why, "no credential can be made on this side");
        greet_refuse(session, &answer->why);
        return;
    }
    schema_encode(session_proof_schema(), &proof, &body);
    frame.body = body.data;
    frame.body_n = (uint32_t)body.len;
    handshake_note(&session->greet.handshake, true, &frame);
    channel_put(&session->channel, &frame);
    session_kick(session);
    session->greet.proof_sent = true;
    try_accept(session);
    try_ready(session);
}

/*
 * Names the hosts in a text about skewed clocks, because it goes to both logs, where "here" and
 * "there" would mislead.
 */
static void explain_skew(const struct rpc_session *session, struct err *why)
{
    int64_t ahead = session->greet.peer_ahead_s;

    err_set(why, E_CLOCK_SKEW,
            "the clocks of the two hosts differ by %" PRId64 " s, more than credentials allow "
            "(%s is %s)",
            ahead < 0 ? -ahead : ahead, session->peer.address, ahead < 0 ? "behind" : "ahead");
}

static void on_peer_identity(struct rpc_session *session, struct answer *answer)
{
    if (!answer->is_good && answer->why.code == E_CLOCK_SKEW)
        explain_skew(session, &answer->why);
    if (!answer->is_good) {
        greet_refuse(session, &answer->why);
        return;
    }
    session->peer.uid = answer->uid;
    session->peer.gid = answer->gid;
    take_claim(session, answer->payload, answer->payload_n);
}

void greet_answers(struct rpc_session *session)
{
    static void (*const handlers[ASK_N])(struct rpc_session *, struct answer *) = {
        [ASK_CREDENTIAL] = on_own_credential,
        [ASK_IDENTITY] = on_peer_identity,
        [ASK_FINGERPRINT] = on_fingerprint,
    };

    for (unsigned i = 0; i < ASK_N && session->state < SESSION_READY; i++) {
        struct answer *answer = &session->greet.answers[i];
        bool matters = i == ASK_FINGERPRINT || !session->greet.keys_differ;

        if (!answer->given)
            continue;
        answer->given = false;
        if (matters)
            handlers[i](session, answer);
    }
}
