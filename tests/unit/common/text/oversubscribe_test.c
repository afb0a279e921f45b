#include "unit/check_main.h"

#include <errno.h>

#include "common/text/oversubscribe.h"

/* OverSubscribe= in slurm.conf; `printed` is what `scontrol show partition` says. */
static const struct {
    const char *text, *printed;
    struct oversubscribe share;
} known[] = {
    { "NO", "NO", { OVERSUBSCRIBE_NO, 1 } },
    { "yes", "YES:4", { OVERSUBSCRIBE_YES, 4 } },
    { "YES:1", "YES:1", { OVERSUBSCRIBE_YES, 1 } },
    { "Force", "FORCE:4", { OVERSUBSCRIBE_FORCE, 4 } },
    { "FORCE:32767", "FORCE:32767", { OVERSUBSCRIBE_FORCE, 32767 } },
    { "EXCLUSIVE", "EXCLUSIVE", { OVERSUBSCRIBE_EXCLUSIVE, 1 } },
};

START_TEST(what_is_read_is_printed_in_full)
{
    AUTO(strbuf) struct strbuf printed = { 0 };
    struct oversubscribe share;
    struct err err = { 0 };

    ck_assert_msg(oversubscribe_parse(known[_i].text, &share, &err) == 0, "%s", err.text);
    oversubscribe_format(&share, &printed);

    ck_assert_int_eq(share.mode, known[_i].share.mode);
    ck_assert_uint_eq(share.jobs_max, known[_i].share.jobs_max);
    ck_assert_str_eq(strbuf_text(&printed), known[_i].printed);
}
END_TEST

static const struct {
    const char *text;
    int code;
    const char *why;
} bad[] = {
    { "", EINVAL, "'' is none of NO, YES[:COUNT], FORCE[:COUNT], EXCLUSIVE" },
    { "maybe", EINVAL, "'maybe' is none of NO, YES[:COUNT], FORCE[:COUNT], EXCLUSIVE" },
    { "NO:2", EINVAL, "'NO:2' is none of NO, YES[:COUNT], FORCE[:COUNT], EXCLUSIVE" },
    { "EXCLUSIVE:2", EINVAL, "'EXCLUSIVE:2' is none of NO, YES[:COUNT], FORCE[:COUNT], EXCLUSIVE" },
    { "YES:0", ERANGE, "0" },
    { "FORCE:32768", ERANGE, "32767" },
    { "FORCE:", EINVAL, "a number is missing" },
};

START_TEST(a_bad_text_is_named_and_changes_nothing)
{
    struct oversubscribe share = { OVERSUBSCRIBE_FORCE, 7 };
    struct err err = { 0 };

    ck_assert_int_eq(oversubscribe_parse(bad[_i].text, &share, &err), -bad[_i].code);

    ck_assert_msg(strstr(err.text, bad[_i].why), "%s", err.text);
    ck_assert_int_eq(share.mode, OVERSUBSCRIBE_FORCE);
    ck_assert_uint_eq(share.jobs_max, 7);
}
END_TEST

CHECK_MAIN(oversubscribe, LOOP_CASE(what_is_read_is_printed_in_full, ARRAY_N(known)),
           LOOP_CASE(a_bad_text_is_named_and_changes_nothing, ARRAY_N(bad)))
