#include "auth/proto/authority.h"

#include <string.h>

#include "unit/check_main.h"

#define NOW 1795200000

struct fixture {
    struct authority *authority;
    struct key new_key; /* what refresh_key finds */
    bool has_new_key;
    struct peer peer;
    struct strbuf out;
    struct err why;
};

static struct key key_of(const char *text)
{
    struct key key = { .fingerprint = "0011223344556677" };

    cred_keys_derive(text, strlen(text), &key.subkeys);
    return key;
}

static bool refresh(void *arg)
{
    struct fixture *fixture = arg;

    if (fixture->has_new_key)
        authority_use_key(fixture->authority, &fixture->new_key);
    return fixture->has_new_key;
}

static void fixture_init(struct fixture *fixture)
{
    struct key key = key_of("the key of this test, long enough");

    *fixture = (struct fixture){ .peer = { .pid = 10, .uid = 1000, .gid = 100 } };
    fixture->authority = authority_new(&(struct authority_options){
        .max_ttl = TTL_MAX_S,
        .addr = { 192, 0, 2, 1 },
        .addr_n = 4,
        .replay_slots_max = 1024,
        .refresh_key = refresh,
        .refresh_arg = fixture,
    });
    authority_use_key(fixture->authority, &key);
}

static void fixture_clear(struct fixture *fixture)
{
    authority_free(fixture->authority);
    strbuf_clear(&fixture->out);
}

/* `request` is a whole message; the reply is left in fixture->out. */
static int ask(struct fixture *fixture, const struct strbuf *request, uint8_t retry, int64_t now)
{
    const uint8_t *bytes = (const uint8_t *)request->data;
    struct authority_request asked = { &fixture->peer, { 0 }, bytes + WIRE_HEADER_SIZE, now };

    ck_assert_int_eq(wire_parse_header(bytes, &asked.header, NULL), 0);
    asked.header.retry = retry;
    strbuf_truncate(&fixture->out, 0);
    fixture->why = (struct err){ 0 };
    return authority_answer(fixture->authority, &asked, &fixture->out, &fixture->why);
}

static const uint8_t *reply_body(const struct fixture *fixture)
{
    return (const uint8_t *)fixture->out.data + WIRE_HEADER_SIZE;
}

static int encode_as(struct fixture *fixture, const struct wire_encode *request, char **ret_cred)
{
    AUTO(strbuf) struct strbuf message = { 0 };
    struct wire_encoded reply;

    wire_put_encode(&message, request);

    int status = ask(fixture, &message, 0, NOW);

    ck_assert_int_eq(
        wire_parse_encoded(reply_body(fixture), fixture->out.len - WIRE_HEADER_SIZE, &reply, NULL),
        0);
    ck_assert_int_eq(reply.status, status);
    *ret_cred = status ? NULL : xstrdup(reply.cred);
    return status;
}

static struct wire_encode plain(void)
{
    return (struct wire_encode){ .cipher = 1,
                                 .mac = 1,
                                 .zip = 1,
                                 .only_uid = WIRE_ANY,
                                 .only_gid = WIRE_ANY,
                                 .payload = (const uint8_t *)"hello",
                                 .payload_n = 5 };
}

static char *encode(struct fixture *fixture, const struct wire_encode *request)
{
    char *cred;

    ck_assert_int_eq(encode_as(fixture, request, &cred), MUNGE_OK);
    return cred;
}

static int decode(struct fixture *fixture, const char *cred, int64_t now, struct wire_decoded *ret)
{
    AUTO(strbuf) struct strbuf message = { 0 };

    wire_put_decode(&message, &(struct wire_decode){ cred, (uint32_t)strlen(cred) + 1 });

    int status = ask(fixture, &message, 0, now);

    ck_assert_int_eq(
        wire_parse_decoded(reply_body(fixture), fixture->out.len - WIRE_HEADER_SIZE, ret, NULL), 0);
    ck_assert_int_eq(ret->status, status);
    return status;
}

START_TEST(a_credential_says_who_asked_when_and_where)
{
    struct fixture fixture;
    struct wire_encode request = plain();
    struct wire_decoded reply;

    fixture_init(&fixture);
    AUTO_FREE char *cred = encode(&fixture, &request);

    ck_assert_int_eq(decode(&fixture, cred, NOW + 10, &reply), MUNGE_OK);
    ck_assert_uint_eq(reply.uid, 1000);
    ck_assert_uint_eq(reply.gid, 100);
    ck_assert_uint_eq(reply.encoded_at, NOW);
    ck_assert_uint_eq(reply.decoded_at, NOW + 10);
    ck_assert_uint_eq(reply.ttl, TTL_DEFAULT_S);
    ck_assert_mem_eq(reply.addr, "\xc0\x00\x02\x01", 4);
    ck_assert_uint_eq(reply.cipher, CIPHER_AES128);
    ck_assert_uint_eq(reply.mac, MAC_SHA256);
    ck_assert_mem_eq(reply.payload, "hello", 5);
    fixture_clear(&fixture);
}
END_TEST

static const struct {
    uint32_t asked;
    uint32_t given;
} ttls[] = { { 0, 300 }, { 1, 1 }, { 3600, 3600 }, { 3601, 3600 }, { UINT32_MAX, 3600 } };

START_TEST(a_ttl_is_kept_within_the_limit)
{
    struct fixture fixture;
    struct wire_encode request = plain();
    struct wire_decoded reply;

    fixture_init(&fixture);
    request.ttl = ttls[_i].asked;
    AUTO_FREE char *cred = encode(&fixture, &request);

    ck_assert_int_eq(decode(&fixture, cred, NOW, &reply), MUNGE_OK);
    ck_assert_uint_eq(reply.ttl, ttls[_i].given);
    fixture_clear(&fixture);
}
END_TEST

static const struct {
    int64_t after;
    int status;
    const char *words;
    const char *logged;
} ages[] = {
    { 300, MUNGE_OK, "", "" },
    { 301, MUNGE_CRED_EXPIRED, "Expired credential", "301 s old; its TTL is 300 s" },
    { -300, MUNGE_OK, "", "" },
    { -301, MUNGE_CRED_REWOUND, "Rewound credential", "301 s ahead; its TTL is 300 s" },
};

START_TEST(a_credential_is_good_for_its_ttl_in_either_direction)
{
    struct fixture fixture;
    struct wire_encode request = plain();
    struct wire_decoded reply;

    fixture_init(&fixture);
    AUTO_FREE char *cred = encode(&fixture, &request);

    ck_assert_int_eq(decode(&fixture, cred, NOW + ages[_i].after, &reply), ages[_i].status);
    if (reply.status)
        ck_assert_str_eq(reply.error, ages[_i].words);
    ck_assert_ptr_nonnull(strstr(fixture.why.text, ages[_i].logged));
    ck_assert_uint_eq(reply.uid, 1000); /* told also when it is too late */
    ck_assert_uint_eq(reply.payload_n, 5);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(a_second_decode_is_a_replay_unless_the_same_process_retries)
{
    struct fixture fixture;
    struct wire_encode request = plain();
    struct wire_decoded reply;
    AUTO(strbuf) struct strbuf message = { 0 };

    fixture_init(&fixture);
    AUTO_FREE char *cred = encode(&fixture, &request);
    ck_assert_int_eq(decode(&fixture, cred, NOW, &reply), MUNGE_OK);

    ck_assert_int_eq(decode(&fixture, cred, NOW, &reply), MUNGE_CRED_REPLAYED);
    ck_assert_str_eq(reply.error, "Replayed credential");
    ck_assert_uint_eq(reply.uid, 1000);

    wire_put_decode(&message, &(struct wire_decode){ cred, (uint32_t)strlen(cred) + 1 });
    ck_assert_int_eq(ask(&fixture, &message, 1, NOW), MUNGE_OK);
    fixture.peer.pid = 11;
    ck_assert_int_eq(ask(&fixture, &message, 1, NOW), MUNGE_CRED_REPLAYED);
    ck_assert_int_eq(ask(&fixture, &message, 6, NOW), MUNGE_SOCKET);
    fixture_clear(&fixture);
}
END_TEST

/* Makes and decodes one as `uid` at `now`, with the longest life there is. */
static int use_one(struct fixture *fixture, uid_t uid, int64_t now, struct strbuf *ret_cred)
{
    AUTO(strbuf) struct strbuf message = { 0 };
    struct wire_encode request = plain();
    struct wire_encoded made;
    struct wire_decoded reply;

    request.ttl = UINT32_MAX;
    fixture->peer.uid = uid;
    wire_put_encode(&message, &request);
    ck_assert_int_eq(ask(fixture, &message, 0, now), MUNGE_OK);
    wire_parse_encoded(reply_body(fixture), fixture->out.len, &made, NULL);
    strbuf_truncate(ret_cred, 0);
    strbuf_adds(ret_cred, made.cred);
    return decode(fixture, ret_cred->data, now, &reply);
}

START_TEST(five_users_who_decode_without_end_keep_nobody_from_it)
{
    struct fixture fixture;
    AUTO(strbuf) struct strbuf early = { 0 };
    AUTO(strbuf) struct strbuf cred = { 0 };
    struct wire_decoded reply;

    fixture_init(&fixture);
    ck_assert_int_eq(use_one(&fixture, 0, NOW, &early), MUNGE_OK);

    for (uint32_t i = 0; i < 5000; i++) {
        int64_t now = NOW + i / 10;

        ck_assert_int_eq(use_one(&fixture, 1000 + i % 5, now, &cred), MUNGE_OK);
        ck_assert_int_eq(decode(&fixture, cred.data, now, &reply), MUNGE_CRED_REPLAYED);
        if (i % 100 == 0) {
            ck_assert_int_eq(use_one(&fixture, 0, now, &cred), MUNGE_OK);
            ck_assert_int_eq(use_one(&fixture, 2000, now, &cred), MUNGE_OK);
        }
    }
    ck_assert_int_eq(decode(&fixture, early.data, NOW + 500, &reply), MUNGE_CRED_REPLAYED);
    fixture_clear(&fixture);
}
END_TEST

static const struct {
    uint32_t only_uid;
    uint32_t only_gid;
    uid_t uid;
    int status;
} audiences[] = {
    { 1000, WIRE_ANY, 1000, MUNGE_OK },
    { 1001, WIRE_ANY, 1000, MUNGE_CRED_UNAUTHORIZED },
    { 1001, WIRE_ANY, 0, MUNGE_CRED_UNAUTHORIZED }, /* root is no exception */
    { WIRE_ANY, 100, 1000, MUNGE_OK },              /* its group */
    { WIRE_ANY, 27, 1000, MUNGE_OK },               /* a supplementary group */
    { WIRE_ANY, 28, 1000, MUNGE_CRED_UNAUTHORIZED },
    { 1000, 28, 1000, MUNGE_CRED_UNAUTHORIZED }, /* both must hold */
};

static int has_4_and_27(const void *arg, gid_t gid, struct err *err)
{
    (void)arg;
    (void)err;
    return gid == 4 || gid == 27;
}

START_TEST(a_restricted_credential_opens_for_its_audience_only)
{
    struct fixture fixture;
    struct wire_encode request = plain();
    struct wire_decoded reply;

    fixture_init(&fixture);
    request.only_uid = audiences[_i].only_uid;
    request.only_gid = audiences[_i].only_gid;
    AUTO_FREE char *cred = encode(&fixture, &request);
    fixture.peer.uid = audiences[_i].uid;
    fixture.peer.has_group = has_4_and_27;

    ck_assert_int_eq(decode(&fixture, cred, NOW, &reply), audiences[_i].status);
    if (reply.status) {
        ck_assert_uint_eq(reply.uid, WIRE_ANY);
        ck_assert_uint_eq(reply.payload_n, 0);
    }
    fixture_clear(&fixture);
}
END_TEST

START_TEST(a_forged_credential_is_told_nothing_and_logged_with_our_fingerprint)
{
    struct fixture fixture;
    struct wire_encode request = plain();
    struct wire_decoded reply;

    fixture_init(&fixture);
    AUTO_FREE char *cred = encode(&fixture, &request);
    cred[70] = cred[70] == 'A' ? 'B' : 'A';

    ck_assert_int_eq(decode(&fixture, cred, NOW, &reply), MUNGE_CRED_INVALID);
    ck_assert_str_eq(reply.error, "Invalid credential");
    ck_assert_uint_eq(reply.uid, WIRE_ANY);
    ck_assert_uint_eq(reply.encoded_at, 0);
    ck_assert_ptr_nonnull(strstr(fixture.why.text, "0011223344556677"));
    fixture_clear(&fixture);
}
END_TEST

START_TEST(a_key_that_was_replaced_is_found_when_a_credential_does_not_verify)
{
    struct fixture fixture;
    struct fixture elsewhere;
    struct wire_encode request = plain();
    struct wire_decoded reply;

    fixture_init(&fixture);
    fixture_init(&elsewhere);
    fixture.new_key = key_of("the new key of the cluster, copied later");
    authority_use_key(elsewhere.authority, &fixture.new_key);
    AUTO_FREE char *cred = encode(&elsewhere, &request);
    ck_assert_int_eq(decode(&fixture, cred, NOW, &reply), MUNGE_CRED_INVALID);

    fixture.has_new_key = true;
    ck_assert_int_eq(decode(&fixture, cred, NOW, &reply), MUNGE_OK);
    fixture_clear(&fixture);
    fixture_clear(&elsewhere);
}
END_TEST

START_TEST(a_request_for_what_there_is_not_is_refused_by_name)
{
    struct fixture fixture;
    struct wire_encode request = plain();
    char *cred;

    fixture_init(&fixture);
    request.cipher = CIPHER_AES256;
    request.mac = MAC_MD5;
    ck_assert_int_eq(encode_as(&fixture, &request, &cred), MUNGE_BAD_MAC);
    ck_assert_str_eq(fixture.why.text, "Invalid MAC type 2 with cipher type 5");
    request = plain();
    request.zip = 9;
    ck_assert_int_eq(encode_as(&fixture, &request, &cred), MUNGE_BAD_ZIP);
    ck_assert_str_eq(fixture.why.text, "Invalid compression type 9");
    fixture_clear(&fixture);
}
END_TEST

START_TEST(a_payload_too_large_for_a_reply_is_refused_with_figures)
{
    struct fixture fixture;
    struct wire_encode request = plain();
    AUTO_FREE uint8_t *payload = xcalloc(1, 1000000);
    char *cred;

    fixture_init(&fixture);
    request.payload = payload;
    request.payload_n = 1000000;

    ck_assert_int_eq(encode_as(&fixture, &request, &cred), MUNGE_BAD_LENGTH);
    ck_assert_ptr_nonnull(strstr(fixture.why.text, "the limit is 1048569"));
    fixture_clear(&fixture);
}
END_TEST

START_TEST(a_fingerprint_is_told_and_an_unknown_type_is_not_answered)
{
    struct fixture fixture;
    AUTO(strbuf) struct strbuf message = { 0 };
    struct wire_fingerprinted reply;

    fixture_init(&fixture);
    wire_put_fingerprint(&message);

    ck_assert_int_eq(ask(&fixture, &message, 0, NOW), 0);
    ck_assert_int_eq(wire_parse_fingerprinted(reply_body(&fixture),
                                              fixture.out.len - WIRE_HEADER_SIZE, &reply, NULL),
                     0);
    ck_assert_mem_eq(reply.text, "0011223344556677", reply.text_n);
    message.data[5] = 99;
    ck_assert_int_eq(ask(&fixture, &message, 0, NOW), -E_UNKNOWN_MESSAGE);
    ck_assert_uint_eq(fixture.out.len, 0);
    fixture_clear(&fixture);
}
END_TEST

CHECK_MAIN(authority, CASE(a_credential_says_who_asked_when_and_where),
           LOOP_CASE(a_ttl_is_kept_within_the_limit, ARRAY_N(ttls)),
           LOOP_CASE(a_credential_is_good_for_its_ttl_in_either_direction, ARRAY_N(ages)),
           CASE(a_second_decode_is_a_replay_unless_the_same_process_retries),
           CASE(five_users_who_decode_without_end_keep_nobody_from_it),
           LOOP_CASE(a_restricted_credential_opens_for_its_audience_only, ARRAY_N(audiences)),
           CASE(a_forged_credential_is_told_nothing_and_logged_with_our_fingerprint),
           CASE(a_key_that_was_replaced_is_found_when_a_credential_does_not_verify),
           CASE(a_request_for_what_there_is_not_is_refused_by_name),
           CASE(a_payload_too_large_for_a_reply_is_refused_with_figures),
           CASE(a_fingerprint_is_told_and_an_unknown_type_is_not_answered))
