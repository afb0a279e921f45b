#include "unit/check_main.h"

#include <string.h>

#include "common/base/bytes.h"
#include "common/schema/schema.h"

#define INNER(FIELD, LIST, PART) FIELD(1, U32, number, 0, "")
SCHEMA_DECLARE(inner, INNER);
SCHEMA_DEFINE(inner, INNER)

#define OLD(FIELD, LIST, PART)                                                                     \
    FIELD(1, STR, name, FIELD_REQUIRED, "")                                                        \
    FIELD(2, COUNT, nodes, 0, "")                                                                  \
    LIST(3, inner, inners, 0, "")
SCHEMA_DECLARE(old, OLD);
SCHEMA_DEFINE(old, OLD)

#define NEWER(FIELD, LIST, PART)                                                                   \
    FIELD(1, STR, name, FIELD_REQUIRED, "")                                                        \
    FIELD(9, STR, extra, 0, "")                                                                    \
    FIELD(10, U32, limit, FIELD_CRITICAL, "")
SCHEMA_DECLARE(newer, NEWER);
SCHEMA_DEFINE(newer, NEWER)

#define LOOPING(FIELD, LIST, PART) PART(1, looping, next, 0, "")
struct looping;
const struct schema *looping_schema(void);
SCHEMA_DECLARE(looping, LOOPING);
SCHEMA_DEFINE(looping, LOOPING)

#define WHEN(FIELD, LIST, PART)                                                                    \
    FIELD(1, TIME, begin, 0, "")                                                                   \
    FIELD(2, LIMIT, limit, 0, "")
SCHEMA_DECLARE(when, WHEN);
SCHEMA_DEFINE(when, WHEN)

/* Sums with the clock, and milliseconds, would run over. */
START_TEST(times_beyond_all_reckoning_are_refused)
{
    static const struct {
        int64_t begin, limit;
        int rc;
    } rows[] = {
        { SCHEMA_SECONDS_MAX, SCHEMA_SECONDS_MAX, 0 },
        { -SCHEMA_SECONDS_MAX, LIMIT_INFINITE, 0 },
        { INT64_MAX, 60, -E_PROTO },
        { INT64_MIN, 60, -E_PROTO },
        { 1800000000, INT64_MAX, -E_PROTO },
        { 0, SCHEMA_SECONDS_MAX + 1, -E_PROTO },
    };

    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const struct when sent = { .begin = rows[i].begin, .limit = rows[i].limit };
        AUTO(strbuf) struct strbuf wire = { 0 };
        AUTO(when) struct when got;

        schema_encode(when_schema(), &sent, &wire);
        ck_assert_int_eq(schema_decode(when_schema(), wire.data, wire.len, &got, NULL), rows[i].rc);
    }
}
END_TEST

START_TEST(defaults_take_no_bytes_and_come_back_as_defaults)
{
    AUTO(strbuf) struct strbuf wire = { 0 };
    AUTO(old) struct old sent, got;

    old_init(&sent);
    sent.name = xstrdup("a");
    schema_encode(old_schema(), &sent, &wire);

    ck_assert_uint_eq(wire.len, 3); /* key, length, 'a' */
    ck_assert_int_eq(schema_decode(old_schema(), wire.data, wire.len, &got, NULL), 0);
    ck_assert_uint_eq(got.nodes, COUNT_UNSET);
}
END_TEST

START_TEST(an_unknown_tag_is_skipped)
{
    AUTO(strbuf) struct strbuf wire = { 0 };
    AUTO(newer) struct newer sent;
    AUTO(old) struct old got;

    newer_init(&sent);
    sent.name = xstrdup("a");
    sent.extra = xstrdup("news");
    schema_encode(newer_schema(), &sent, &wire);

    ck_assert_int_eq(schema_decode(old_schema(), wire.data, wire.len, &got, NULL), 0);
    ck_assert_str_eq(got.name, "a");
}
END_TEST

START_TEST(an_unknown_critical_tag_refuses_the_message_by_name)
{
    AUTO(strbuf) struct strbuf wire = { 0 };
    AUTO(newer) struct newer sent;
    AUTO(old) struct old got;
    struct err err = { 0 };

    newer_init(&sent);
    sent.name = xstrdup("a");
    sent.limit = 3;
    schema_encode(newer_schema(), &sent, &wire);

    ck_assert_int_eq(schema_decode(old_schema(), wire.data, wire.len, &got, &err), -E_PROTO);
    ck_assert_ptr_nonnull(strstr(err.text, "old"));
    ck_assert_ptr_nonnull(strstr(err.text, "tag 10"));
}
END_TEST

START_TEST(a_missing_required_field_is_named)
{
    AUTO(old) struct old got;
    struct err err = { 0 };

    ck_assert_int_eq(schema_decode(old_schema(), "", 0, &got, &err), -E_PROTO);
    ck_assert_ptr_nonnull(strstr(err.text, "name"));
}
END_TEST

START_TEST(a_text_with_a_zero_byte_is_refused)
{
    AUTO(old) struct old got;

    ck_assert_int_eq(schema_decode(old_schema(),
                                   "\x05\x02"
                                   "a\0",
                                   4, &got, NULL),
                     -E_PROTO);
}
END_TEST

START_TEST(a_field_given_twice_is_refused)
{
    AUTO(old) struct old got;

    ck_assert_int_eq(schema_decode(old_schema(),
                                   "\x05\x01"
                                   "a\x05\x01"
                                   "b",
                                   6, &got, NULL),
                     -E_PROTO);
}
END_TEST

START_TEST(nesting_is_bounded)
{
    AUTO(strbuf) struct strbuf wire = { 0 };
    AUTO(looping) struct looping got;

    for (int i = 0; i < 40; i++) {
        AUTO(strbuf) struct strbuf outer = { 0 };

        bytes_put_varint(&outer, 1 << 2 | 1);
        bytes_put_varint(&outer, wire.len);
        strbuf_add(&outer, wire.data, wire.len);
        strbuf_clear(&wire);
        strbuf_add(&wire, outer.data, outer.len);
    }

    ck_assert_int_eq(schema_decode(looping_schema(), wire.data, wire.len, &got, NULL), -E_PROTO);
}
END_TEST

START_TEST(a_small_message_cannot_claim_much_memory)
{
    AUTO(strbuf) struct strbuf wire = { 0 };
    AUTO(old) struct old got;

    for (int i = 0; i < 9 << 20; i++) /* empty list elements: two bytes here, a struct there */
        strbuf_add(&wire, "\x0d\x00", 2);

    ck_assert_int_eq(schema_decode(old_schema(), wire.data, wire.len, &got, NULL), -E_TOO_BIG);
}
END_TEST

START_TEST(printing_leaves_out_defaults)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO(old) struct old msg;

    old_init(&msg);
    msg.name = xstrdup("a b");
    msg.nodes = 3;
    schema_print(old_schema(), &msg, &text);

    ck_assert_str_eq(strbuf_text(&text), "name='a b' nodes=3");
}
END_TEST

CHECK_MAIN(wire, CASE(defaults_take_no_bytes_and_come_back_as_defaults),
           CASE(times_beyond_all_reckoning_are_refused), CASE(an_unknown_tag_is_skipped),
           CASE(an_unknown_critical_tag_refuses_the_message_by_name),
           CASE(a_missing_required_field_is_named), CASE(a_text_with_a_zero_byte_is_refused),
           CASE(a_field_given_twice_is_refused), CASE(nesting_is_bounded),
           CASE(a_small_message_cannot_claim_much_memory), CASE(printing_leaves_out_defaults))
