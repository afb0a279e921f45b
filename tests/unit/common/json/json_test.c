#include "unit/check_main.h"

#include <string.h>

#include "common/json/json.h"

#define ck_json(value, expected)                                                                   \
    do {                                                                                           \
        AUTO(strbuf) struct strbuf text_ = { 0 };                                                  \
        json_format(value, &text_);                                                                \
        ck_assert_str_eq(strbuf_text(&text_), expected);                                           \
    } while (0)

START_TEST(members_and_elements_are_printed_in_their_order)
{
    AUTO(json) struct json *object = json_new_object();
    struct json *array = json_new_array();

    json_put_text(object, "name", "a \"b\"");
    json_put_int(object, "big", INT64_MIN);
    json_put_bool(object, "again", true);
    json_push(array, json_new_text("x"));
    json_push(array, json_new_object());
    json_put(object, "list", array);
    json_put_text(object, "none", NULL);
    json_put_int(json_put_object(object, "inner"), "one", 1);

    ck_json(object, "{\n"
                    "  \"name\": \"a \\\"b\\\"\",\n"
                    "  \"big\": -9223372036854775808,\n"
                    "  \"again\": true,\n"
                    "  \"list\": [\n"
                    "    \"x\",\n"
                    "    {}\n"
                    "  ],\n"
                    "  \"none\": null,\n"
                    "  \"inner\": {\n"
                    "    \"one\": 1\n"
                    "  }\n"
                    "}\n");
}
END_TEST

START_TEST(numbers_keep_every_digit_and_what_is_none_is_null)
{
    AUTO(json) struct json *object = json_new_object();
    const double zero = 0;

    json_put_real(object, "third", 1.0 / 3);
    json_put_real(object, "endless", 1 / zero);
    json_put_real(object, "none", zero / zero);

    ck_json(object, "{\n"
                    "  \"third\": 0.33333333333333331,\n"
                    "  \"endless\": null,\n"
                    "  \"none\": null\n"
                    "}\n");
}
END_TEST

START_TEST(bytes_that_are_no_text_do_not_lose_the_rest)
{
    AUTO(json) struct json *good = json_new_text("gr\xC3\xBC\xC3\x9F");
    AUTO(json) struct json *bad = json_new_text("a\xFFz");

    ck_json(good, "\"gr\xC3\xBC\xC3\x9F\"\n");
    ck_json(bad, "\"a\xEF\xBF\xBDz\"\n");
}
END_TEST

START_TEST(yaml_has_blocks_and_texts_in_quotes)
{
    AUTO(json) struct json *object = json_new_object();
    AUTO(strbuf) struct strbuf text = { 0 };
    struct json *list = json_new_array(), *inner = json_new_object();

    json_put_text(object, "name", "a: \"b\"");
    json_put(object, "empty", json_new_array());
    json_put_int(inner, "number", 5);
    json_put_bool(inner, "set", true);
    json_push(list, inner);
    json_push(list, json_new_text("x"));
    json_put(object, "list", list);
    json_put(object, "none", json_new_null());

    json_format_yaml(object, 0, &text);

    ck_assert_str_eq(strbuf_text(&text), "name: \"a: \\\"b\\\"\"\n"
                                         "empty: []\n"
                                         "list:\n"
                                         "  - number: 5\n"
                                         "    set: true\n"
                                         "  - \"x\"\n"
                                         "none: null\n");
}
END_TEST

CHECK_MAIN(json, CASE(members_and_elements_are_printed_in_their_order),
           CASE(numbers_keep_every_digit_and_what_is_none_is_null),
           CASE(bytes_that_are_no_text_do_not_lose_the_rest),
           CASE(yaml_has_blocks_and_texts_in_quotes))
