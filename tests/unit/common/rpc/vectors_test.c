/* docs/PROTOCOL.md is true: its test vectors are read from it and computed again. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/msg/node.h"
#include "common/msg/types.h"
#include "common/rpc/handshake.h"
#include "common/rpc/preface.h"
#include "common/rpc/record.h"
#include "unit/check_main.h"

#define DOCUMENT "../docs/PROTOCOL.md"

static void add_hex(struct strbuf *out, const char *hex)
{
    unsigned byte;

    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        strbuf_addc(out, (char)byte);
}

/* The bytes below the line "    NAME"; there must be some. */
static struct strbuf vector(const char *name)
{
    FILE *file = fopen(DOCUMENT, "r");
    AUTO_FREE char *title = xasprintf("    %s\n", name);
    struct strbuf out = { 0 };
    char line[512];
    bool found = false;

    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file)) {
        bool is_hex = strncmp(line, "        ", 8) == 0 && isxdigit((unsigned char)line[8]);

        if (found && !is_hex)
            break;
        if (found)
            add_hex(&out, line + 8);
        found |= strcmp(line, title) == 0;
    }
    fclose(file);
    ck_assert_msg(out.len > 0, "no vector '%s' in " DOCUMENT, name);
    return out;
}

static void assert_is(const char *name, const void *bytes, size_t n)
{
    AUTO(strbuf) struct strbuf expected = vector(name);

    ck_assert_msg(expected.len == n && memcmp(expected.data, bytes, n) == 0, "'%s' differs", name);
}

/* A frame of `type` holding `msg`, as handshake_note takes it; its body is in *body. */
static struct rpc_frame frame_of(uint32_t type, const void *msg, struct strbuf *body)
{
    schema_encode(msg_schema(type), msg, body);
    return (struct rpc_frame){ .type = type, .body = body->data, .body_n = (uint32_t)body->len };
}

static void note_hello(struct handshake *handshake, bool own, uint8_t public[CRYPT_KEY_N])
{
    struct session_hello hello = { .protocol = HANDSHAKE_PROTOCOL,
                                   .ephemeral_key = { public, CRYPT_KEY_N } };
    AUTO(strbuf) struct strbuf body = { 0 };
    struct rpc_frame frame = frame_of(MSG_SESSION_HELLO, &hello, &body);

    handshake_note(handshake, own, &frame);
}

static void note_proof(struct handshake *handshake, bool own, const char *credential)
{
    struct session_proof proof = { .credential = (char *)(uintptr_t)credential };
    AUTO(strbuf) struct strbuf body = { 0 };
    struct rpc_frame frame = frame_of(MSG_SESSION_PROOF, &proof, &body);

    handshake_note(handshake, own, &frame);
}

/* Both sides in one: what the initiator computes is checked, and that the responder agrees. */
struct both {
    struct handshake initiator, responder;
    struct handshake_keys early_i, early_r, late_i, late_r;
};

static void play(struct both *both)
{
    AUTO(strbuf) struct strbuf secret_i = vector("initiator secret");
    AUTO(strbuf) struct strbuf secret_r = vector("responder secret");
    struct crypt_x25519 i, r;

    crypt_x25519_from_secret(&i, (uint8_t *)secret_i.data);
    crypt_x25519_from_secret(&r, (uint8_t *)secret_r.data);
    *both =
        (struct both){ .initiator = { .initiator = true, .own = i }, .responder = { .own = r } };
    note_hello(&both->initiator, true, i.public);
    note_hello(&both->responder, true, r.public);
    note_hello(&both->initiator, false, r.public);
    note_hello(&both->responder, false, i.public);
    ck_assert_int_eq(handshake_meet(&both->initiator, &(struct blob){ r.public, CRYPT_KEY_N },
                                    &both->early_i, NULL),
                     0);
    ck_assert_int_eq(handshake_meet(&both->responder, &(struct blob){ i.public, CRYPT_KEY_N },
                                    &both->early_r, NULL),
                     0);
    note_proof(&both->initiator, true, "MUNGE:initiator:");
    note_proof(&both->responder, true, "MUNGE:responder:");
    note_proof(&both->initiator, false, "MUNGE:responder:");
    note_proof(&both->responder, false, "MUNGE:initiator:");
    handshake_finish(&both->initiator, &both->late_i);
    handshake_finish(&both->responder, &both->late_r);
}

static void both_clear(struct both *both)
{
    handshake_clear(&both->initiator);
    handshake_clear(&both->responder);
}

START_TEST(the_handshake_is_as_documented)
{
    struct both both;

    play(&both);

    assert_is("initiator hello", both.initiator.hello[0].data, both.initiator.hello[0].len);
    assert_is("responder hello", both.initiator.hello[1].data, both.initiator.hello[1].len);
    assert_is("transcript", both.initiator.transcript, CRYPT_SHA256_N);
    assert_is("secret", both.initiator.secret, CRYPT_KEY_N);
    assert_is("handshake key of initiator", both.early_i.send, CRYPT_KEY_N);
    assert_is("handshake key of responder", both.early_i.receive, CRYPT_KEY_N);
    assert_is("initiator proof", both.initiator.proof[0].data, both.initiator.proof[0].len);
    assert_is("responder proof", both.initiator.proof[1].data, both.initiator.proof[1].len);
    assert_is("session key of initiator", both.late_i.send, CRYPT_KEY_N);
    assert_is("session key of responder", both.late_i.receive, CRYPT_KEY_N);
    both_clear(&both);
}
END_TEST

START_TEST(both_sides_compute_the_same)
{
    struct both both;

    play(&both);

    ck_assert_mem_eq(both.early_i.send, both.early_r.receive, CRYPT_KEY_N);
    ck_assert_mem_eq(both.early_i.receive, both.early_r.send, CRYPT_KEY_N);
    ck_assert_mem_eq(both.late_i.send, both.late_r.receive, CRYPT_KEY_N);
    ck_assert_mem_eq(both.late_i.receive, both.late_r.send, CRYPT_KEY_N);
    both_clear(&both);
}
END_TEST

/* Seals the frame called `frame` and compares with the record called `record`. */
static void assert_seals(struct record_key *key, const char *frame, const char *record)
{
    AUTO(strbuf) struct strbuf plain = vector(frame);
    AUTO_FREE uint8_t *out = xmalloc(plain.len + RECORD_EXTRA);

    memcpy(out + RECORD_HEADER, plain.data, plain.len);
    record_seal(key, out, plain.len);
    if (record)
        assert_is(record, out, plain.len + RECORD_EXTRA);
}

static struct record_key *key_called(const char *name)
{
    AUTO(strbuf) struct strbuf key = vector(name);

    ck_assert_uint_eq(key.len, CRYPT_KEY_N);
    return record_key_new((uint8_t *)key.data);
}

START_TEST(records_are_as_documented)
{
    struct record_key *early = key_called("handshake key of initiator");
    struct record_key *key = key_called("session key of initiator");
    struct record_key *next = key_called("next key of initiator");

    assert_seals(early, "initiator proof", "initiator proof record");
    assert_seals(key, "first message of initiator", "first record of initiator");
    assert_seals(key, "first message of initiator", "second record of initiator");
    for (unsigned i = 2; i < RECORD_REKEY_AFTER; i++)
        record_seal(key, (uint8_t[12 + RECORD_EXTRA]){ 0 }, 12);
    assert_seals(key, "first message of initiator", "record after the change of keys");
    assert_seals(next, "first message of initiator", "record after the change of keys");
    record_key_free(early);
    record_key_free(key);
    record_key_free(next);
}
END_TEST

START_TEST(the_example_of_a_message_is_right)
{
    static const uint8_t expected[] = { 0x05, 0x03, 0x07, 0xac, 0x02, 0x08, 0x19 };
    uint32_t jobs[] = { 7, 300 };
    struct node_report report = { .clean_jobs = jobs, .clean_jobs_n = 2, .load_percent = 25 };
    AUTO(strbuf) struct strbuf out = { 0 };

    schema_encode(node_report_schema(), &report, &out);

    ck_assert_uint_eq(out.len, sizeof(expected));
    ck_assert_mem_eq(out.data, expected, sizeof(expected));
}
END_TEST

/* ---- claims ---- */

static struct session_claim good_claim(struct handshake *handshake)
{
    return (struct session_claim){ .label = (char *)(uintptr_t)SESSION_CLAIM_LABEL,
                                   .role = RPC_ROLE_CLIENT,
                                   .initiator = !handshake->initiator,
                                   .cluster = (char *)(uintptr_t) "lab",
                                   .transcript = { handshake->transcript, CRYPT_SHA256_N } };
}

START_TEST(a_claim_must_fit_connection_cluster_and_purpose)
{
    struct handshake handshake = { .transcript = { 1, 2, 3 } };
    uint8_t other[CRYPT_SHA256_N] = { 1, 2, 4 };
    struct session_claim claims[6];
    struct err err = { 0 };

    for (unsigned i = 0; i < ARRAY_N(claims); i++)
        claims[i] = good_claim(&handshake);
    claims[1].label = (char *)(uintptr_t) "job credential";
    claims[2].initiator = false;
    claims[3].transcript.data = other;
    claims[4].cluster = NULL;
    claims[5].role = 99;

    ck_assert_int_eq(handshake_check_claim(&handshake, false, "lab", &claims[0], &err), 0);
    for (unsigned i = 1; i < ARRAY_N(claims); i++)
        ck_assert_int_eq(handshake_check_claim(&handshake, false, "lab", &claims[i], &err),
                         -E_AUTH);
    claims[0].transcript.n = 31;
    ck_assert_int_eq(handshake_check_claim(&handshake, false, "lab", &claims[0], &err), -E_AUTH);
}
END_TEST

START_TEST(a_slurmdbd_is_of_all_clusters)
{
    struct handshake handshake = { .transcript = { 1, 2, 3 } };
    struct session_claim claim = good_claim(&handshake);

    ck_assert_int_eq(handshake_check_claim(&handshake, false, "*", &claim, NULL), 0);
    claim.cluster = (char *)(uintptr_t) "*";
    ck_assert_int_eq(handshake_check_claim(&handshake, false, "*", &claim, NULL), -E_AUTH);
    ck_assert_int_eq(handshake_check_claim(&handshake, false, "lab", &claim, NULL), -E_AUTH);
    claim.role = RPC_ROLE_DBD;
    ck_assert_int_eq(handshake_check_claim(&handshake, false, "lab", &claim, NULL), 0);
    claim.cluster = (char *)(uintptr_t) "lab";
    ck_assert_int_eq(handshake_check_claim(&handshake, false, "lab", &claim, NULL), -E_AUTH);
}
END_TEST

START_TEST(prefaces_are_as_documented)
{
    const struct rpc_preface step = { RPC_TARGET_STEP, 12, 3 }, node = { RPC_TARGET_NODE, 0, 0 };
    uint8_t bytes[RPC_PREFACE_N], answer[RPC_PREFACE_ANSWER_N];
    struct rpc_preface again = { 0 };

    rpc_preface_encode(&step, bytes);
    assert_is("preface of a step", bytes, sizeof(bytes));
    ck_assert_int_eq(rpc_preface_decode(bytes, &again, NULL), 0);
    ck_assert_uint_eq(again.target, RPC_TARGET_STEP);
    ck_assert_uint_eq(again.job_id, 12);
    ck_assert_uint_eq(again.step_id, 3);
    rpc_preface_encode(&node, bytes);
    assert_is("preface of a node", bytes, sizeof(bytes));
    rpc_preface_answer_encode(-E_ALREADY_DONE, answer);
    assert_is("refusal of a preface", answer, sizeof(answer));
    ck_assert_int_eq(rpc_preface_answer_decode(answer), E_ALREADY_DONE);
}
END_TEST

CHECK_MAIN(vectors, CASE(the_handshake_is_as_documented), CASE(both_sides_compute_the_same),
           CASE(records_are_as_documented), CASE(the_example_of_a_message_is_right),
           CASE(a_claim_must_fit_connection_cluster_and_purpose),
           CASE(a_slurmdbd_is_of_all_clusters), CASE(prefaces_are_as_documented))
