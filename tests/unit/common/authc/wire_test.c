#include "common/authc/wire.h"

#include <string.h>

#include "unit/check_main.h"

/* What a real munge 0.5.15 sent for: munge -s hello -u 1000 -g 100 -t 77 -c aes256 -m sha512 -z
 * zlib */
static const uint8_t REAL_ENCODE[] =
    "\x00\x60\x6d\x4b\x04\x02\x00\x00\x00\x00\x19"
    "\x05\x06\x03\x00\x00\x00\x00\x4d\x00\x00\x03\xe8\x00\x00\x00\x64\x00\x00\x00\x05hello";

/* What a real munged answered to a credential it had seen before. */
static const uint8_t REAL_REPLAYED[] =
    "\x00\x60\x6d\x4b\x04\x05\x00\x00\x00\x00\x44"
    "\x11\x14Replayed credential\x00\x04\x05\x00\x00\x00\x00\x01\x2c\x04\x7f\x00\x00\x01"
    "\x6b\x00\xa7\x44\x6b\x00\xa7\x45\x00\x00\x00\x00\x00\x00\x00\x00"
    "\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x05hello";

START_TEST(an_encode_request_is_what_munge_sends)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct wire_encode message = { .cipher = 5,
                                   .mac = 6,
                                   .zip = 3,
                                   .ttl = 77,
                                   .only_uid = 1000,
                                   .only_gid = 100,
                                   .payload = (const uint8_t *)"hello",
                                   .payload_n = 5 };

    wire_put_encode(&out, &message);

    ck_assert_uint_eq(out.len, sizeof(REAL_ENCODE) - 1);
    ck_assert_mem_eq(out.data, REAL_ENCODE, out.len);
}
END_TEST

START_TEST(an_encode_request_reads_back)
{
    struct wire_header header;
    struct wire_encode message;

    ck_assert_int_eq(wire_parse_header(REAL_ENCODE, &header, NULL), 0);
    ck_assert_int_eq(wire_parse_encode(REAL_ENCODE + 11, header.body_n, &message, NULL), 0);

    ck_assert_uint_eq(header.type, WIRE_ENCODE);
    ck_assert_uint_eq(message.cipher, 5);
    ck_assert_uint_eq(message.only_uid, 1000);
    ck_assert_uint_eq(message.only_gid, 100);
    ck_assert_uint_eq(message.ttl, 77);
    ck_assert_uint_eq(message.payload_n, 5);
    ck_assert_mem_eq(message.payload, "hello", 5);
}
END_TEST

START_TEST(a_decode_reply_of_munged_reads_and_writes_back)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct wire_header header;
    struct wire_decoded message;

    ck_assert_int_eq(wire_parse_header(REAL_REPLAYED, &header, NULL), 0);
    ck_assert_int_eq(wire_parse_decoded(REAL_REPLAYED + 11, header.body_n, &message, NULL), 0);
    wire_put_decoded(&out, 0, &message);

    ck_assert_uint_eq(message.status, MUNGE_CRED_REPLAYED);
    ck_assert_str_eq(message.error, "Replayed credential");
    ck_assert_uint_eq(message.decoded_at - message.encoded_at, 1);
    ck_assert_uint_eq(message.only_uid, WIRE_ANY);
    ck_assert_uint_eq(out.len, sizeof(REAL_REPLAYED) - 1);
    ck_assert_mem_eq(out.data, REAL_REPLAYED, out.len);
}
END_TEST

START_TEST(every_body_cut_short_is_refused)
{
    struct wire_encode encode;
    struct wire_decoded decoded;
    struct wire_encoded encoded;
    struct wire_decode decode;
    struct wire_fingerprinted fingerprinted;

    for (size_t n = 0; n < sizeof(REAL_ENCODE) - 12; n++)
        ck_assert_int_eq(wire_parse_encode(REAL_ENCODE + 11, n, &encode, NULL), -E_PROTO);
    for (size_t n = 0; n < sizeof(REAL_REPLAYED) - 12; n++)
        ck_assert_int_eq(wire_parse_decoded(REAL_REPLAYED + 11, n, &decoded, NULL), -E_PROTO);
    ck_assert_int_eq(wire_parse_encoded((const uint8_t *)"\0\0\0\0\0\2x", 7, &encoded, NULL),
                     -E_PROTO);
    ck_assert_int_eq(wire_parse_decode((const uint8_t *)"\0\0\0\2x", 5, &decode, NULL), -E_PROTO);
    ck_assert_int_eq(wire_parse_fingerprinted((const uint8_t *)"\2x", 2, &fingerprinted, NULL),
                     -E_PROTO);
}
END_TEST

START_TEST(a_header_with_another_magic_version_or_size_is_refused_by_name)
{
    uint8_t bytes[WIRE_HEADER_SIZE];
    struct wire_header header;
    struct err err = { 0 };

    memcpy(bytes, REAL_ENCODE, sizeof(bytes));
    bytes[0] = 1;
    ck_assert_int_eq(wire_parse_header(bytes, &header, &err), -E_PROTO);
    ck_assert_ptr_nonnull(strstr(err.text, "0x01606d4b"));

    memcpy(bytes, REAL_ENCODE, sizeof(bytes));
    bytes[4] = 3;
    ck_assert_int_eq(wire_parse_header(bytes, &header, &err), -E_PROTO);
    ck_assert_ptr_nonnull(strstr(err.text, "version 3"));

    memcpy(bytes, REAL_ENCODE, sizeof(bytes));
    bytes[7] = 0xff;
    ck_assert_int_eq(wire_parse_header(bytes, &header, &err), -E_TOO_BIG);
    ck_assert_ptr_nonnull(strstr(err.text, "1048576"));
}
END_TEST

START_TEST(a_fingerprint_travels_both_ways)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct wire_fingerprinted message;

    wire_put_fingerprinted(&out, &(struct wire_fingerprinted){ "a1b2", 4 });

    ck_assert_int_eq(
        wire_parse_fingerprinted((const uint8_t *)out.data + 11, out.len - 11, &message, NULL), 0);
    ck_assert_uint_eq(message.text_n, 4);
    ck_assert_mem_eq(message.text, "a1b2", 4);
}
END_TEST

CHECK_MAIN(wire, CASE(an_encode_request_is_what_munge_sends), CASE(an_encode_request_reads_back),
           CASE(a_decode_reply_of_munged_reads_and_writes_back),
           CASE(every_body_cut_short_is_refused),
           CASE(a_header_with_another_magic_version_or_size_is_refused_by_name),
           CASE(a_fingerprint_travels_both_ways))
