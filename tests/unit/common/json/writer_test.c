#include "unit/check_main.h"

#include <jansson.h>
#include <limits.h>
#include <string.h>

#include "common/json/writer.h"

/* One document with a value of each kind in each place. */
static void write_sample(struct json_writer *json)
{
    json_open_object(json, NULL);
    json_add_text(json, "name", "a: \"b\"");
    json_open_array(json, "empty");
    json_close(json);
    json_open_array(json, "list");
    json_open_object(json, NULL);
    json_add_int(json, "number", INT64_MIN);
    json_open_object(json, "inner");
    json_add_bool(json, "set", true);
    json_close(json);
    json_close(json);
    json_add_text(json, NULL, "x");
    json_open_object(json, NULL);
    json_close(json);
    json_open_array(json, NULL);
    json_add_int(json, NULL, 1);
    json_add_int(json, NULL, 2);
    json_close(json);
    json_close(json);
    json_add_text(json, "none", NULL);
    json_close(json);
}

static void ck_sample(enum json_form form, const char *expected)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct json_writer json = json_writer_new(form, &out);

    write_sample(&json);

    ck_assert_str_eq(strbuf_text(&out), expected);
}

START_TEST(json_has_two_blanks_for_each_level)
{
    ck_sample(JSON_INDENTED, "{\n"
                             "  \"name\": \"a: \\\"b\\\"\",\n"
                             "  \"empty\": [],\n"
                             "  \"list\": [\n"
                             "    {\n"
                             "      \"number\": -9223372036854775808,\n"
                             "      \"inner\": {\n"
                             "        \"set\": true\n"
                             "      }\n"
                             "    },\n"
                             "    \"x\",\n"
                             "    {},\n"
                             "    [\n"
                             "      1,\n"
                             "      2\n"
                             "    ]\n"
                             "  ],\n"
                             "  \"none\": null\n"
                             "}\n");
}
END_TEST

START_TEST(compact_json_is_one_line_without_blanks)
{
    ck_sample(JSON_ONE_LINE, "{\"name\":\"a: \\\"b\\\"\",\"empty\":[],\"list\":[{\"number\":"
                             "-9223372036854775808,\"inner\":{\"set\":true}},\"x\",{},[1,2]],"
                             "\"none\":null}\n");
}
END_TEST

START_TEST(yaml_has_blocks_and_texts_in_quotes)
{
    ck_sample(JSON_YAML, "name: \"a: \\\"b\\\"\"\n"
                         "empty: []\n"
                         "list:\n"
                         "  - number: -9223372036854775808\n"
                         "    inner:\n"
                         "      set: true\n"
                         "  - \"x\"\n"
                         "  - {}\n"
                         "  - - 1\n"
                         "    - 2\n"
                         "none: null\n");
}
END_TEST

START_TEST(what_is_written_may_be_taken_away_between_two_calls)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO(strbuf) struct strbuf all = { 0 };
    struct json_writer json = json_writer_new(JSON_YAML, &out);

    json_open_object(&json, NULL);
    for (int i = 0; i < 3; i++) {
        json_open_array(&json, i ? i == 1 ? "b" : "c" : "a");
        strbuf_adds(&all, strbuf_text(&out));
        strbuf_truncate(&out, 0);
        if (i)
            json_add_int(&json, NULL, i);
        json_close(&json);
    }
    json_close(&json);
    strbuf_adds(&all, strbuf_text(&out));

    ck_assert_str_eq(strbuf_text(&all), "a: []\nb:\n  - 1\nc:\n  - 2\n");
}
END_TEST

/* ---- texts ---- */

static const struct {
    const char *text, *expected;
} texts[] = {
    { "", "" },
    { "gr\xC3\xBC\xC3\x9F", "gr\xC3\xBC\xC3\x9F" },
    { "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80" },
    { "a\tb\nc\r\b\f", "a\\tb\\nc\\r\\b\\f" },
    { "\\/\"'", "\\\\/\\\"'" },
    { "\x01\x1F\x7F", "\\u0001\\u001f\\u007f" },
    { "\xC2\x80\xC2\x9F\xC2\xA0", "\\u0080\\u009f\xC2\xA0" },
    { "\xEF\xBF\xBE\xEF\xBF\xBF", "\\ufffe\\uffff" },
    { "a\xFFz", "a\xEF\xBF\xBDz" },
    { "\xC3", "\xEF\xBF\xBD" },
    { "\xC3(", "\xEF\xBF\xBD(" },
    { "\xE2\x82", "\xEF\xBF\xBD\xEF\xBF\xBD" },
    { "\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD" },
    { "\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" },
    { "\xF4\x8F\xBF\xBD", "\xF4\x8F\xBF\xBD" },
    { "\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" },
};

START_TEST(a_text_is_escaped_where_it_must_be)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO_FREE char *expected = xasprintf("\"%s\"\n", texts[_i].expected);
    struct json_writer json = json_writer_new(JSON_INDENTED, &out);

    json_add_text(&json, NULL, texts[_i].text);

    ck_assert_str_eq(strbuf_text(&out), expected);
}
END_TEST

START_TEST(real_numbers_keep_every_digit_and_what_is_none_is_null)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct json_writer json = json_writer_new(JSON_YAML, &out);
    const double zero = 0;

    json_open_array(&json, NULL);
    json_add_real(&json, NULL, 1.0 / 3);
    json_add_real(&json, NULL, 4);
    json_add_real(&json, NULL, 1e300);
    json_add_real(&json, NULL, 1 / zero);
    json_add_real(&json, NULL, zero / zero);
    json_close(&json);

    ck_assert_str_eq(strbuf_text(&out), "- 0.33333333333333331\n"
                                        "- 4.0\n"
                                        "- 1.0000000000000001e+300\n"
                                        "- null\n"
                                        "- null\n");
}
END_TEST

/* ---- whatever is written is read back ---- */

#define DOCUMENTS 300

/* A linear congruential generator: the same documents in every run. */
static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(*seed >> 33) % below;
}

/* Up to nine characters of all lengths that UTF-8 has, without surrogates. */
static void draw_text(uint64_t *seed, struct strbuf *out)
{
    static const char *const rare[] = {
        "\"",           "\\",       "\n",           "\x01",
        "\x7F",         "\xC2\x85", "\xEF\xBF\xBF", "\xF0\x9F\x98\x80",
        "\xE2\x82\xAC", "\xC3\xBC", ": ",           "- "
    };

    for (uint32_t n = draw(seed, 10); n > 0; n--) {
        if (draw(seed, 3) == 0)
            strbuf_adds(out, rare[draw(seed, ARRAY_N(rare))]);
        else
            strbuf_addc(out, (char)(' ' + draw(seed, 95)));
    }
}

static json_t *write_random(uint64_t *seed, struct json_writer *json, const char *key);

static json_t *write_members(uint64_t *seed, struct json_writer *json, const char *key)
{
    json_t *twin = json_object();

    json_open_object(json, key);
    for (uint32_t n = draw(seed, 4); n > 0; n--) {
        const char name[] = { (char)('a' + n), '\0' };

        json_object_set_new(twin, name, write_random(seed, json, name));
    }
    json_close(json);
    return twin;
}

static json_t *write_elements(uint64_t *seed, struct json_writer *json, const char *key)
{
    json_t *twin = json_array();

    json_open_array(json, key);
    for (uint32_t n = draw(seed, 4); n > 0; n--)
        json_array_append_new(twin, write_random(seed, json, NULL));
    json_close(json);
    return twin;
}

static json_t *write_plain(uint64_t *seed, struct json_writer *json, const char *key)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    const int64_t number = (int64_t)draw(seed, INT_MAX) - INT_MAX / 2;

    switch (draw(seed, 5)) {
    case 0:
        json_add_int(json, key, number);
        return json_integer(number);
    case 1:
        json_add_real(json, key, (double)number / 7);
        return json_real((double)number / 7);
    case 2:
        json_add_bool(json, key, number % 2);
        return json_boolean(number % 2);
    case 3:
        json_add_null(json, key);
        return json_null();
    default:
        draw_text(seed, &text);
        json_add_text(json, key, strbuf_text(&text));
        return json_string(strbuf_text(&text));
    }
}

/* Writes a value and returns what a reader should find. */
static json_t *write_random(uint64_t *seed, struct json_writer *json, const char *key)
{
    const uint32_t which = json->depth == 0 ? 0 : json->depth == 8 ? 2 : draw(seed, 4);

    if (which == 0)
        return write_members(seed, json, key);
    return which == 1 ? write_elements(seed, json, key) : write_plain(seed, json, key);
}

START_TEST(another_reader_finds_what_was_written)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct json_writer json = json_writer_new(JSON_INDENTED, &out);
    uint64_t seed = (uint64_t)_i;
    json_t *twin = write_random(&seed, &json, NULL), *read;
    json_error_t error;

    read = json_loads(strbuf_text(&out), JSON_REJECT_DUPLICATES, &error);

    ck_assert_msg(read != NULL, "%s: %s", error.text, strbuf_text(&out));
    ck_assert_msg(json_equal(read, twin), "%s", strbuf_text(&out));
    json_decref(read);
    json_decref(twin);
}
END_TEST

CHECK_MAIN(writer, CASE(json_has_two_blanks_for_each_level),
           CASE(compact_json_is_one_line_without_blanks), CASE(yaml_has_blocks_and_texts_in_quotes),
           CASE(what_is_written_may_be_taken_away_between_two_calls),
           LOOP_CASE(a_text_is_escaped_where_it_must_be, ARRAY_N(texts)),
           CASE(real_numbers_keep_every_digit_and_what_is_none_is_null),
           LOOP_CASE(another_reader_finds_what_was_written, DOCUMENTS))
