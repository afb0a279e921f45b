#include "unit/check_main.h"

#include <string.h>

#include "common/conf/value.h"

static const struct conf_word fruit[] = {
    { "none", 0 }, { "fruit/apple", 1 }, { "fruit/pear", 2 }, { "Plum", 4 }, { NULL, 0 },
};

/* What a value of a kind is shown as, or NULL where it must be refused. */
static const struct {
    enum conf_kind kind;
    const char *text;
    const char *shown;
} values[] = {
    { CONF_TEXT, "a,b", "a,b" },
    { CONF_TEXT, "", "(null)" },
    { CONF_YES_NO, "yes", "Yes" },
    { CONF_YES_NO, "0", "No" },
    { CONF_YES_NO, "maybe", NULL },
    { CONF_ON_OFF, "Yes", "1" },
    { CONF_NUMBER, "30", "30 sec" },
    { CONF_NUMBER, "030", "30 sec" },
    { CONF_NUMBER, "30s", NULL },
    { CONF_NUMBER, "", NULL },
    { CONF_NUMBER, "-2", NULL },
    { CONF_NUMBER, "infinite", "UNLIMITED" },
    { CONF_NUMBER, "-1", "UNLIMITED" },
    { CONF_NUMBER, "4294967294", NULL },
    { CONF_TIME_LIMIT, "90", "01:30:00" },
    { CONF_TIME_LIMIT, "1:30", "00:02:00" },
    { CONF_TIME_LIMIT, "7-0", "7-00:00:00" },
    { CONF_TIME_LIMIT, "0-0:2:0", "00:02:00" },
    { CONF_TIME_LIMIT, "UNLIMITED", "UNLIMITED" },
    { CONF_TIME_LIMIT, "soon", NULL },
    { CONF_MB, "1800", "1800" },
    { CONF_MB, "2G", "2048" },
    { CONF_MB, "much", NULL },
    { CONF_MEM_CPU, "500", "500" },
    { CONF_MEM_NODE, "0", "UNLIMITED" },
    { CONF_LEVEL, "3", "info" },
    { CONF_LEVEL, "Debug", "debug" },
    { CONF_LEVEL, "debug5", "debug5" },
    { CONF_LEVEL, "loud", NULL },
    { CONF_CHOICE, "plum", "Plum" },
    { CONF_CHOICE, "cherry", NULL },
    { CONF_PLUGIN, "pear", "fruit/pear" },
    { CONF_PLUGIN, "fruit/cherry", "fruit/apple" },
    { CONF_FLAGS, "plum, apple", "fruit/apple,Plum" },
    { CONF_FLAGS, "NONE", "none" },
    { CONF_FLAGS, "plum,cherry", "Plum" },
    { CONF_STRICT_FLAGS, "plum,apple", "fruit/apple,Plum" },
    { CONF_STRICT_FLAGS, "NONE", "none" },
    { CONF_STRICT_FLAGS, "plum,cherry", NULL },
    { CONF_STRICT_FLAGS, "none,plum", NULL },
    { CONF_PORTS, "6817", "6817" },
    { CONF_PORTS, "6817-6820", "6817-6820" },
    { CONF_PORTS, "0-0", "0-0" },
    { CONF_PORTS, "6820-6817", NULL },
    { CONF_PORTS, "70000", NULL },
    { CONF_PORTS, "6817-", NULL },
    { CONF_SHARING, "no", "NO" },
    { CONF_SHARING, "YES", "YES:4" },
    { CONF_SHARING, "force:8", "FORCE:8" },
    { CONF_SHARING, "EXCLUSIVE", "EXCLUSIVE" },
    { CONF_SHARING, "NO:3", NULL },
    { CONF_SHARING, "FORCE:", NULL },
};

START_TEST(a_value_is_shown_in_the_form_of_its_kind)
{
    const struct conf_key key = { .name = "Key",
                                  .kind = values[_i].kind,
                                  .max = UINT32_MAX,
                                  .unit = "sec",
                                  .words = fruit,
                                  .def = "fruit/apple" };
    AUTO(strbuf) struct strbuf out = { 0 };
    union conf_slot slot = { 0 };
    struct err err = { 0 };

    int rc = conf_value_set(&key, values[_i].text, &slot, NULL, &err);

    if (!values[_i].shown) {
        ck_assert_int_lt(rc, 0);
        ck_assert_msg(strncmp(err.text, "Key: ", 5) == 0, "%s", err.text);
        return;
    }
    ck_assert_msg(rc == 0, "%s", err.text);
    conf_value_format(&key, &slot, &out);
    ck_assert_str_eq(strbuf_text(&out), values[_i].shown);
    conf_value_clear(&key, &slot);
}
END_TEST

START_TEST(a_number_outside_its_limits_is_refused_with_the_limit)
{
    const struct conf_key key = { .name = "Port", .kind = CONF_NUMBER, .min = 1, .max = 65535 };
    union conf_slot slot = { .number = 7 };
    struct err err = { 0 };

    ck_assert_int_lt(conf_value_set(&key, "65536", &slot, NULL, &err), 0);

    ck_assert_msg(strstr(err.text, "'65536'") && strstr(err.text, "65535"), "%s", err.text);
    ck_assert_uint_eq(slot.number, 7);
}
END_TEST

START_TEST(a_list_grows_with_every_time_it_is_given)
{
    const struct conf_key key = { .name = "Prolog", .kind = CONF_LIST };
    union conf_slot slot = { 0 };

    ck_assert_int_eq(conf_value_set(&key, "/a", &slot, NULL, NULL), 0);
    ck_assert_int_eq(conf_value_set(&key, "/b", &slot, NULL, NULL), 0);

    ck_assert_str_eq(slot.text, "/a,/b");
    conf_value_clear(&key, &slot);
}
END_TEST

START_TEST(a_word_that_is_left_out_is_remarked)
{
    const struct conf_key key = { .name = "Fruit", .kind = CONF_FLAGS, .words = fruit };
    AUTO(strbuf) struct strbuf remark = { 0 };
    union conf_slot slot = { 0 };

    ck_assert_int_eq(conf_value_set(&key, "plum,cherry", &slot, &remark, NULL), 0);

    ck_assert_uint_eq(slot.number, 4);
    ck_assert_msg(strstr(strbuf_text(&remark), "'cherry'") != NULL, "%s", strbuf_text(&remark));
}
END_TEST

CHECK_MAIN(conf_value, LOOP_CASE(a_value_is_shown_in_the_form_of_its_kind, ARRAY_N(values)),
           CASE(a_number_outside_its_limits_is_refused_with_the_limit),
           CASE(a_list_grows_with_every_time_it_is_given),
           CASE(a_word_that_is_left_out_is_remarked))
