#include "auth/cred/cred.h"

#include <stdio.h>
#include <string.h>

#include "auth/cred/armor.h"
#include "auth/cred/zip.h"
#include "common/authc/wire.h"
#include "unit/check_main.h"

static const char KEY[] = "this is a key for test vectors only, 0123456789";

struct fixture {
    struct suite *suite;
    struct cred_keys keys;
};

static struct fixture fixture_new(const char *key)
{
    struct fixture fixture = { .suite = suite_new() };

    cred_keys_derive(key, strlen(key), &fixture.keys);
    return fixture;
}

static struct cred sample(void)
{
    struct cred cred = { .cipher = CIPHER_AES128,
                         .mac = MAC_SHA256,
                         .zip = ZIP_NONE,
                         .addr_n = 4,
                         .addr = { 192, 0, 2, 1 },
                         .encoded_at = 1795200000,
                         .ttl = 300,
                         .uid = 1000,
                         .gid = 100,
                         .only_uid = CRED_ANY,
                         .only_gid = 7 };

    ck_assert_int_eq(cred_randomize(&cred, NULL), 0);
    return cred;
}

static void give_payload(struct cred *cred, const void *payload, size_t n)
{
    cred->payload = xmemdup(payload, n);
    cred->payload_n = (uint32_t)n;
}

static char *encoded(const struct fixture *fixture, struct cred *cred)
{
    struct strbuf out = { 0 };

    ck_assert_int_eq(cred_encode(fixture->suite, &fixture->keys, cred, &out, NULL), 0);
    return strbuf_steal(&out);
}

static int decode(const struct fixture *fixture, const char *text, struct cred *ret,
                  struct err *err)
{
    return cred_decode(fixture->suite, &fixture->keys, text, strlen(text), ret, err);
}

/* The sample as bytes, changed by the caller, then armored again. */
static char *armored(const struct strbuf *raw)
{
    struct strbuf out = { 0 };

    armor_put(&out, bytes_of(raw->data, raw->len));
    return strbuf_steal(&out);
}

static struct strbuf raw_of(const char *text)
{
    struct strbuf raw = { 0 };

    ck_assert_int_eq(armor_parse(text, strlen(text), &raw, NULL), 0);
    return raw;
}

static void check_vector(const struct fixture *fixture, const char *line)
{
    char cipher[16];
    char mac[16];
    char zip[16];
    char text[1024];
    char hello[241] = "";
    struct cred cred = { 0 };
    AUTO(strbuf) struct strbuf again = { 0 };

    ck_assert_int_eq(sscanf(line, "%15s %15s %15s %1023s", cipher, mac, zip, text), 4);
    for (int i = 0; i < 40; i++)
        strcat(hello, "hello ");

    ck_assert_int_eq(decode(fixture, text, &cred, NULL), 0);
    ck_assert_str_eq(cred_name(KIND_CIPHER, cred.cipher), cipher);
    ck_assert_str_eq(cred_name(KIND_MAC, cred.mac), mac);
    ck_assert_str_eq(cred_name(KIND_ZIP, cred.zip), zip);
    ck_assert_uint_eq(cred.ttl, 77);
    ck_assert_uint_eq(cred.only_uid, 1000);
    ck_assert_uint_eq(cred.only_gid, 100);
    ck_assert_mem_eq(cred.addr, "\xc0\x00\x02\x01", 4);
    ck_assert_uint_eq(cred.payload_n, 240);
    ck_assert_mem_eq(cred.payload, hello, 240);

    /* With the same salt and IV we write what munged wrote, byte for byte. */
    ck_assert_int_eq(cred_encode(fixture->suite, &fixture->keys, &cred, &again, NULL), 0);
    ck_assert_str_eq(again.data, text);
    cred_clear(&cred);
}

START_TEST(every_credential_that_munged_made_decodes_and_encodes_to_the_same_text)
{
    struct fixture fixture = fixture_new(KEY);
    FILE *file = fopen("unit/auth/cred/vectors.txt", "re");
    char line[1200];
    int n = 0;

    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file)) {
        if (line[0] != '#') {
            check_vector(&fixture, line);
            n++;
        }
    }
    ck_assert_int_eq(n, 66);
    fclose(file);
    suite_free(fixture.suite);
}
END_TEST

static const size_t sizes[] = { 0, 1, 15, 16, 17, 100, 4096, 70000 };

static void check_round_trip(const struct fixture *fixture, struct cred *cred)
{
    struct cred back = { 0 };
    AUTO_FREE char *text = encoded(fixture, cred);

    ck_assert_int_eq(decode(fixture, text, &back, NULL), 0);
    ck_assert_uint_eq(back.cipher, cred->cipher);
    ck_assert_uint_eq(back.mac, cred->mac);
    ck_assert_uint_eq(back.zip, cred->zip);
    ck_assert_uint_eq(back.realm_n, cred->realm_n);
    ck_assert_uint_eq(back.encoded_at, cred->encoded_at);
    ck_assert_uint_eq(back.uid, cred->uid);
    ck_assert_uint_eq(back.gid, cred->gid);
    ck_assert_uint_eq(back.only_gid, cred->only_gid);
    ck_assert_uint_eq(back.digest_n, cred->digest_n);
    ck_assert_mem_eq(back.digest, cred->digest, cred->digest_n);
    ck_assert_uint_eq(back.payload_n, cred->payload_n);
    if (cred->payload_n)
        ck_assert_mem_eq(back.payload, cred->payload, cred->payload_n);
    cred_clear(&back);
}

START_TEST(what_is_encoded_decodes_for_every_cipher_mac_and_compression)
{
    struct fixture fixture = fixture_new(KEY);
    AUTO_FREE uint8_t *payload = xmalloc(70000);
    int combinations = 0;

    for (size_t i = 0; i < 70000; i++)
        payload[i] = (uint8_t)(i * i >> (i % 7));
    for (uint8_t cipher = 0; cipher < CIPHER_N; cipher++) {
        for (uint8_t mac = 0; mac < MAC_N; mac++) {
            if (suite_check(fixture.suite, cipher, mac, NULL) < 0)
                continue;
            for (size_t i = 0; i < 3 * ARRAY_N(sizes); i++) {
                static const uint8_t zips[] = { ZIP_NONE, ZIP_BZLIB, ZIP_ZLIB };
                struct cred cred = sample();

                cred.cipher = cipher;
                cred.mac = mac;
                cred.zip = zips[i % 3];
                give_payload(&cred, payload, sizes[i / 3]);
                check_round_trip(&fixture, &cred);
                cred_clear(&cred);
            }
            combinations++;
        }
    }
    ck_assert_int_eq(combinations, 22); /* aes256 takes only the two longest MACs */
    suite_free(fixture.suite);
}
END_TEST

START_TEST(a_realm_is_kept)
{
    struct fixture fixture = fixture_new(KEY);
    struct cred cred = sample();

    memcpy(cred.realm, "lab", 3);
    cred.realm_n = 3;

    check_round_trip(&fixture, &cred);
    suite_free(fixture.suite);
}
END_TEST

START_TEST(any_changed_bit_makes_a_credential_invalid_or_unreadable)
{
    static const uint8_t ciphers[] = { CIPHER_NONE, CIPHER_AES256, CIPHER_BLOWFISH };
    struct fixture fixture = fixture_new(KEY);
    struct cred cred = sample();

    cred.cipher = ciphers[_i];
    give_payload(&cred, "payload", 7);

    AUTO_FREE char *text = encoded(&fixture, &cred);
    AUTO(strbuf) struct strbuf raw = raw_of(text);

    for (size_t bit = 0; bit < raw.len * 8; bit++) {
        struct err err = { 0 };
        struct cred back = { 0 };

        raw.data[bit / 8] ^= (char)(1 << bit % 8);
        AUTO_FREE char *forged = armored(&raw);

        ck_assert_int_lt(decode(&fixture, forged, &back, &err), 0);
        if (bit / 8 > 4) /* after the outer layer's fixed part there is one answer only */
            ck_assert_int_eq(err.code, MUNGE_CRED_INVALID);
        raw.data[bit / 8] ^= (char)(1 << bit % 8);
    }
    cred_clear(&cred);
    suite_free(fixture.suite);
}
END_TEST

static const struct {
    size_t n;
    int code;
    const char *text;
} cuts[] = {
    { 0, MUNGE_BAD_CRED, "Truncated credential version" },
    { 1, MUNGE_BAD_CRED, "Truncated cipher type" },
    { 2, MUNGE_BAD_CRED, "Truncated MAC type" },
    { 3, MUNGE_BAD_CRED, "Truncated compression type" },
    { 4, MUNGE_BAD_CRED, "Truncated security realm length" },
    { 5, MUNGE_BAD_CRED, "Truncated cipher IV" },
    { 20, MUNGE_BAD_CRED, "Truncated cipher IV" },
    { 21, MUNGE_BAD_CRED, "Truncated MAC" },
    { 52, MUNGE_BAD_CRED, "Truncated MAC" },
    { 53, MUNGE_CRED_INVALID, "Invalid credential" },
    { 54, MUNGE_CRED_INVALID, "Invalid credential" },
    { 69, MUNGE_CRED_INVALID, "Invalid credential" },
};

START_TEST(a_truncated_credential_is_told_where_it_ends)
{
    struct fixture fixture = fixture_new(KEY);
    struct cred cred = sample();
    struct cred back = { 0 };
    struct err err = { 0 };
    AUTO_FREE char *text = encoded(&fixture, &cred);
    AUTO(strbuf) struct strbuf raw = raw_of(text);

    strbuf_truncate(&raw, cuts[_i].n);
    AUTO_FREE char *cut = armored(&raw);

    ck_assert_int_eq(decode(&fixture, cut, &back, &err), -cuts[_i].code);
    ck_assert_str_eq(err.text, cuts[_i].text);
    suite_free(fixture.suite);
}
END_TEST

static const struct {
    const char *text;
    int code;
    const char *error;
} malformed[] = {
    { "", MUNGE_BAD_ARG, "No credential specified" },
    { "   \n", MUNGE_BAD_ARG, "No credential specified" },
    { "MUNGE", MUNGE_BAD_CRED, "Failed to match armor prefix" },
    { "munge:AAAA:", MUNGE_BAD_CRED, "Failed to match armor prefix" },
    { "MUNGE:AAAA", MUNGE_BAD_CRED, "Failed to match armor suffix" },
    { "MUNGE:A:", MUNGE_BAD_CRED, "Failed to base64-decode credential" },
    { "MUNGE:AA=A:", MUNGE_BAD_CRED, "Failed to base64-decode credential" },
    { "MUNGE:A===:", MUNGE_BAD_CRED, "Failed to base64-decode credential" },
    { "MUNGE:AA!A:", MUNGE_BAD_CRED, "Failed to base64-decode credential" },
    { "MUNGE:AAAA:", MUNGE_BAD_VERSION, "Invalid credential version 0" },
    { "MUNGE:BAQFAAA=:", MUNGE_BAD_VERSION, "Invalid credential version 4" },
    { "MUNGE:AxkFAAA=:", MUNGE_BAD_CIPHER, "Invalid cipher type 25" },
    { "MUNGE:AwEFAAA=:", MUNGE_BAD_CIPHER, "Invalid cipher type 1" },
    { "MUNGE:AwQ/AAA=:", MUNGE_BAD_MAC, "Invalid MAC type 63" },
    { "MUNGE:AwQAAAA=:", MUNGE_BAD_MAC, "Invalid MAC type 0" },
    { "MUNGE:AwUCAAA=:", MUNGE_BAD_MAC, "Invalid MAC type 2 with cipher type 5" },
    { "MUNGE:AwQFCAA=:", MUNGE_BAD_ZIP, "Invalid compression type 8" },
    { "MUNGE:AwQFAAUA:", MUNGE_BAD_CRED, "Truncated security realm" },
};

START_TEST(what_is_not_a_credential_is_refused_with_its_own_reason)
{
    struct fixture fixture = fixture_new(KEY);
    struct cred back = { 0 };
    struct err err = { 0 };

    ck_assert_int_eq(decode(&fixture, malformed[_i].text, &back, &err), -malformed[_i].code);
    ck_assert_str_eq(err.text, malformed[_i].error);
    suite_free(fixture.suite);
}
END_TEST

START_TEST(another_key_does_not_verify)
{
    struct fixture ours = fixture_new(KEY);
    struct fixture theirs = fixture_new("another key, also long enough to be one");
    struct cred cred = sample();
    struct cred back = { 0 };
    AUTO_FREE char *text = encoded(&theirs, &cred);

    ck_assert_int_eq(decode(&ours, text, &back, NULL), -MUNGE_CRED_INVALID);
    suite_free(ours.suite);
    suite_free(theirs.suite);
}
END_TEST

START_TEST(white_space_inside_and_text_behind_are_ignored)
{
    struct fixture fixture = fixture_new(KEY);
    struct cred cred = sample();
    struct cred back = { 0 };
    AUTO_FREE char *text = encoded(&fixture, &cred);
    AUTO_FREE char *spread = xasprintf(" \n%.30s\n\t%s\nregards\n", text, text + 30);

    ck_assert_int_eq(decode(&fixture, spread, &back, NULL), 0);
    cred_clear(&back);
    suite_free(fixture.suite);
}
END_TEST

START_TEST(compressed_data_that_claims_too_much_is_refused_before_it_is_read)
{
    AUTO(strbuf) struct strbuf in = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };
    struct err err = { 0 };

    bytes_put_u32(&in, 0xCACACACA);
    bytes_put_u32(&in, 0xFFFFFFFF);

    ck_assert_int_eq(zip_unpack(ZIP_ZLIB, bytes_of(in.data, in.len), CRED_INNER_MAX, &out, &err),
                     -MUNGE_CRED_INVALID);
    ck_assert_str_eq(err.text, "Compressed data of 4294967295 bytes; the limit is 1048576");
    ck_assert_uint_eq(out.cap, 0);
}
END_TEST

START_TEST(compressed_data_longer_than_it_claims_is_refused)
{
    static const unsigned zips[] = { ZIP_ZLIB, ZIP_BZLIB };
    AUTO(strbuf) struct strbuf in = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };
    char zeros[1000] = { 0 };

    ck_assert(zip_pack(zips[_i], bytes_of(zeros, sizeof(zeros)), &in));
    in.data[7] = 100;

    ck_assert_int_lt(zip_unpack(zips[_i], bytes_of(in.data, in.len), CRED_INNER_MAX, &out, NULL),
                     0);
}
END_TEST

START_TEST(names_and_numbers_read_alike)
{
    uint8_t code = 99;
    struct err err = { 0 };

    ck_assert_int_eq(cred_code_parse(KIND_CIPHER, "AES128", &code, NULL), 0);
    ck_assert_uint_eq(code, CIPHER_AES128);
    ck_assert_int_eq(cred_code_parse(KIND_MAC, "5", &code, NULL), 0);
    ck_assert_uint_eq(code, MAC_SHA256);
    ck_assert_int_lt(cred_code_parse(KIND_MAC, "0", &code, NULL), 0);
    ck_assert_int_lt(cred_code_parse(KIND_ZIP, "4", &code, NULL), 0);
    ck_assert_int_lt(cred_code_parse(KIND_ZIP, "", &code, &err), 0);
    ck_assert_str_eq(err.text, "Invalid compression type \"\"");
}
END_TEST

CHECK_MAIN(cred, CASE(every_credential_that_munged_made_decodes_and_encodes_to_the_same_text),
           CASE(what_is_encoded_decodes_for_every_cipher_mac_and_compression),
           CASE(a_realm_is_kept),
           LOOP_CASE(any_changed_bit_makes_a_credential_invalid_or_unreadable, 3),
           LOOP_CASE(a_truncated_credential_is_told_where_it_ends, ARRAY_N(cuts)),
           LOOP_CASE(what_is_not_a_credential_is_refused_with_its_own_reason, ARRAY_N(malformed)),
           CASE(another_key_does_not_verify), CASE(white_space_inside_and_text_behind_are_ignored),
           CASE(compressed_data_that_claims_too_much_is_refused_before_it_is_read),
           LOOP_CASE(compressed_data_longer_than_it_claims_is_refused, 2),
           CASE(names_and_numbers_read_alike))
