#include "unit/check_main.h"

#include <errno.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/msg/acct.h"

static void expect(char *key, const char *expected)
{
    ck_assert_str_eq(key, expected);
    free(key);
}

START_TEST(a_key_has_a_place_for_each_part)
{
    expect(acct_assoc_key("c", "a", NULL, NULL), "c,a,,");
    expect(acct_assoc_key("c", "a", "u", NULL), "c,a,u,");
    expect(acct_assoc_key("c", "a", "u", "p"), "c,a,u,p");
    expect(acct_wckey_key("c", "u", NULL), "c,u,");
    expect(acct_wckey_key("c", "u", "w"), "c,u,w");
}
END_TEST

START_TEST(a_name_may_be_what_can_be_written_as_one_word_of_a_list)
{
    static const char *const good[] = { "a", "A", "a b", "a.b-c_d", "x; drop table y", "#[1]" };

    for (size_t i = 0; i < ARRAY_N(good); i++)
        ck_assert_msg(acct_name_check("account", good[i], NULL) == 0, "%s", good[i]);
}
END_TEST

START_TEST(a_name_that_cannot_be_written_is_refused)
{
    static const char *const bad[] = {
        "",   " ",    " a",  "a ",   "+a",   "-a",     "a,b",  "a=b",
        "a'", "a\"b", "a/b", "a\tb", "a\nb", "a\033b", "\x7f", "\xff"
    };
    struct err err = { 0 };

    for (size_t i = 0; i < ARRAY_N(bad); i++)
        ck_assert_msg(acct_name_check("account", bad[i], &err) == -EINVAL, "%zu: %s", i, bad[i]);
    acct_name_check("account", "a,b", &err);
    ck_assert_str_eq(err.text, "account: byte 2 of its name (0x2c) is not taken in names");
}
END_TEST

START_TEST(a_name_has_a_longest_length)
{
    char name[ACCT_NAME_MAX + 2] = { 0 };
    struct err err = { 0 };

    memset(name, 'a', ACCT_NAME_MAX);
    ck_assert_int_eq(acct_name_check("user", name, &err), 0);
    name[ACCT_NAME_MAX] = 'a';
    ck_assert_int_eq(acct_name_check("user", name, &err), -EINVAL);
    ck_assert_ptr_nonnull(strstr(err.text, "251 bytes, more than 250"));
}
END_TEST

START_TEST(a_level_may_be_cut_short)
{
    ck_assert_int_eq(admin_level_find("none"), ADMIN_NONE);
    ck_assert_int_eq(admin_level_find("Operator"), ADMIN_OPERATOR);
    ck_assert_int_eq(admin_level_find("o"), ADMIN_OPERATOR);
    ck_assert_int_eq(admin_level_find("ADMIN"), ADMIN_ADMINISTRATOR);
    ck_assert_int_eq(admin_level_find(""), -1);
    ck_assert_int_eq(admin_level_find("operators"), -1);
    ck_assert_str_eq(admin_level_name(ADMIN_ADMINISTRATOR), "Administrator");
    ck_assert_str_eq(admin_level_name(ADMIN_LEVELS_N), "Unknown");
}
END_TEST

START_TEST(each_flag_of_a_qos_has_a_word)
{
    for (uint32_t flag = QOS_PARTITION_MIN_NODES; flag <= QOS_RELATIVE; flag <<= 1) {
        AUTO(strbuf) struct strbuf word = { 0 };

        qos_flags_format(flag, &word);
        ck_assert_msg(word.len > 0, "0x%x", flag);
        ck_assert_uint_eq(qos_flag_find(strbuf_text(&word)), flag);
    }
    ck_assert_uint_eq(qos_flag_find("nodecay"), QOS_NO_DECAY);
    ck_assert_uint_eq(qos_flag_find("NoDeca"), 0);
}
END_TEST

START_TEST(a_lineage_goes_from_the_root_to_the_user)
{
    const char *const accounts[] = { "optics", "physics" };
    AUTO(strbuf) struct strbuf text = { 0 };

    acct_add_lineage(accounts, 2, NULL, NULL, &text);
    strbuf_addc(&text, ' ');
    acct_add_lineage(accounts, 2, "alice", NULL, &text);
    strbuf_addc(&text, ' ');
    acct_add_lineage(accounts, 0, "root", "main", &text);

    ck_assert_str_eq(strbuf_text(&text), "/physics/optics/ /physics/optics/0-alice/ /0-root/main/");
}
END_TEST

CHECK_MAIN(acct, CASE(a_lineage_goes_from_the_root_to_the_user),
           CASE(a_key_has_a_place_for_each_part),
           CASE(a_name_may_be_what_can_be_written_as_one_word_of_a_list),
           CASE(a_name_that_cannot_be_written_is_refused), CASE(a_name_has_a_longest_length),
           CASE(a_level_may_be_cut_short), CASE(each_flag_of_a_qos_has_a_word))
