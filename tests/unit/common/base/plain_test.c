#include "unit/check_main.h"

#include "common/base/plain.h"

static const struct {
    const char *text;
    int64_t at;       /* of the first control character, -1: none */
    int64_t in_lines; /* the same where lines are fine */
    const char *escaped;
} texts[] = {
    { "", -1, -1, "" },
    { "night run ~", -1, -1, "night run ~" },
    { "a\\x1b", -1, -1, "a\\x1b" },
    { "evil\n7|x", 4, -1, "evil\\x0a7|x" },
    { "a\tb\r", 1, -1, "a\\x09b\\x0d" },
    { "\x1b[31mred", 0, 0, "\\x1b[31mred" },
    { "x\x7f", 1, 1, "x\\x7f" },
    { "caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x90\xa7", -1, -1,
      "caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x90\xa7" },
    { "a\xc2\xa0z", -1, -1, "a\xc2\xa0z" },                 /* U+00A0 is a character */
    { "a\xc2\x9b\x31m", 1, 1, "a\\xc2\\x9b1m" },            /* U+009B is CSI */
    { "a\xe2\x80\xa8\x37|x", 1, 1, "a\\xe2\\x80\\xa87|x" }, /* U+2028 ends a line */
    { "\xe2\x80\xaetoor", 0, 0, "\\xe2\\x80\\xaetoor" },    /* U+202E turns what follows */
    { "\xe2\x80\x93 \xe2\x81\xa5", -1, -1, "\xe2\x80\x93 \xe2\x81\xa5" },
    { "caf\xe9", -1, -1, "caf\\xe9" },               /* of ISO 8859-1 */
    { "\x9b\x31m", -1, -1, "\\x9b1m" },              /* CSI of a terminal with 8 bits */
    { "\xc0\x8a", -1, -1, "\\xc0\\x8a" },            /* longer than it need be */
    { "\xe6\x97", -1, -1, "\\xe6\\x97" },            /* cut short */
    { "\xed\xa0\x80!", -1, -1, "\\xed\\xa0\\x80!" }, /* a surrogate */
};

START_TEST(a_control_character_is_found_where_it_begins)
{
    ck_assert_int_eq(plain_find_control(texts[_i].text), texts[_i].at);
    ck_assert_int_eq(plain_find_control_in_lines(texts[_i].text), texts[_i].in_lines);
}
END_TEST

START_TEST(what_would_act_is_escaped)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO_FREE char *copy = plain_copy(texts[_i].text);

    strbuf_adds(&out, "\n");
    strbuf_adds(&out, texts[_i].text);
    plain_escape(&out, 1);

    ck_assert_str_eq(strbuf_text(&out) + 1, texts[_i].escaped);
    ck_assert_int_eq(strbuf_text(&out)[0], '\n'); /* what was there before */
    ck_assert_str_eq(copy, texts[_i].escaped);
}
END_TEST

/* Texts are looked at eight bytes at a time. */
START_TEST(a_byte_that_acts_is_escaped_wherever_it_stands)
{
    const int byte = _i + 1;

    for (size_t at = 0; at < 20; at++) {
        AUTO(strbuf) struct strbuf out = { 0 };
        AUTO_FREE char *text = NULL;

        strbuf_adds(&out, "~~~~~ ~~~~~ ~~~~~ ~~~~");
        out.data[at] = (char)byte;
        text = xstrdup(strbuf_text(&out));
        plain_escape(&out, 0);

        ck_assert_int_eq(strcmp(strbuf_text(&out), text) == 0, byte >= ' ' && byte < 0x7F);
    }
}
END_TEST

START_TEST(lines_stay_lines)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    strbuf_adds(&out, "a\tb\nc\rd\x1b");
    plain_escape_lines(&out, 0);

    ck_assert_str_eq(strbuf_text(&out), "a\tb\nc\\x0dd\\x1b");
}
END_TEST

START_TEST(no_text_is_no_text)
{
    AUTO(strbuf) struct strbuf empty = { 0 };

    plain_escape(&empty, 0);

    ck_assert_uint_eq(empty.len, 0);
    ck_assert_ptr_null(plain_copy(NULL));
}
END_TEST

CHECK_MAIN(plain, LOOP_CASE(a_control_character_is_found_where_it_begins, ARRAY_N(texts)),
           LOOP_CASE(what_would_act_is_escaped, ARRAY_N(texts)),
           LOOP_CASE(a_byte_that_acts_is_escaped_wherever_it_stands, 255), CASE(lines_stay_lines),
           CASE(no_text_is_no_text))
