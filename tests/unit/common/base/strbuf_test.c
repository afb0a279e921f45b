#include "unit/check_main.h"

#include "common/base/bytes.h"
#include "common/base/strbuf.h"

START_TEST(text_added_piece_by_piece_reads_as_one)
{
    AUTO(strbuf) struct strbuf buf = { 0 };

    strbuf_adds(&buf, "node");
    strbuf_addc(&buf, '-');
    for (int i = 0; i < 50; i++)
        strbuf_addf(&buf, "%d,", i);

    ck_assert_msg(strncmp(strbuf_text(&buf), "node-0,1,2,", 11) == 0, "%s", strbuf_text(&buf));
    ck_assert_uint_eq(strlen(strbuf_text(&buf)), buf.len);
}
END_TEST

START_TEST(a_stolen_string_leaves_an_empty_buffer)
{
    struct strbuf buf = { 0 };

    strbuf_adds(&buf, "abc");
    AUTO_FREE char *text = strbuf_steal(&buf);

    ck_assert_str_eq(text, "abc");
    ck_assert_str_eq(strbuf_text(&buf), "");
}
END_TEST

START_TEST(a_formatted_text_may_be_longer_than_the_room)
{
    char long_text[300];
    AUTO(strbuf) struct strbuf out = { 0 };

    memset(long_text, 'x', sizeof(long_text));
    long_text[sizeof(long_text) - 1] = '\0';
    for (size_t n = 0; n < sizeof(long_text); n++) {
        strbuf_truncate(&out, 0);
        strbuf_addf(&out, "%d:%.*s.", 7, (int)n, long_text);
        ck_assert_uint_eq(out.len, n + 3);
        ck_assert_uint_eq(strlen(out.data), out.len);
        ck_assert_int_eq(out.data[out.len - 1], '.');
    }
}
END_TEST

START_TEST(numbers_are_written_in_decimal)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    strbuf_addu(&out, 0);
    strbuf_addc(&out, ' ');
    strbuf_addu(&out, UINT64_MAX);
    strbuf_addc(&out, ' ');
    strbuf_addi(&out, INT64_MIN);
    strbuf_addc(&out, ' ');
    strbuf_addi(&out, -10);

    ck_assert_str_eq(strbuf_text(&out), "0 18446744073709551615 -9223372036854775808 -10");
}
END_TEST

START_TEST(a_varint_comes_back_as_it_was_written)
{
    const uint64_t value = (uint64_t[]){ 0, 1, 127, 128, 16384, UINT32_MAX, UINT64_MAX }[_i];
    AUTO(strbuf) struct strbuf out = { 0 };

    bytes_put_varint(&out, value);
    struct bytes in = bytes_of(out.data, out.len);

    ck_assert_uint_eq(bytes_varint(&in), value);
    ck_assert(!in.failed);
    ck_assert_uint_eq(in.left, 0);
}
END_TEST

START_TEST(reading_past_the_end_fails_and_stays_failed)
{
    struct bytes in = bytes_of("\x01\x02\x03", 3);

    ck_assert_uint_eq(bytes_u16(&in), 0x0102);
    ck_assert_uint_eq(bytes_u32(&in), 0);
    ck_assert(in.failed);
    ck_assert_uint_eq(bytes_u8(&in), 0);
}
END_TEST

START_TEST(a_varint_of_more_than_64_bits_is_refused)
{
    struct bytes in = bytes_of("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10);

    bytes_varint(&in);

    ck_assert(in.failed);
}
END_TEST

CHECK_MAIN(strbuf, CASE(text_added_piece_by_piece_reads_as_one),
           CASE(a_stolen_string_leaves_an_empty_buffer),
           CASE(a_formatted_text_may_be_longer_than_the_room), CASE(numbers_are_written_in_decimal),
           LOOP_CASE(a_varint_comes_back_as_it_was_written, 7),
           CASE(reading_past_the_end_fails_and_stays_failed),
           CASE(a_varint_of_more_than_64_bits_is_refused))
