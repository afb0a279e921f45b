#include "unit/check_main.h"

#include "common/base/alloc.h"
#include "common/conf/debug_flags.h"

START_TEST(names_come_and_go_in_their_own_order)
{
    static const struct {
        const char *had, *change, *now; /* NULL: none */
    } rows[] = {
        { NULL, "+backfill", "Backfill" },
        { "Gres", "+NO_CONF_HASH,backfill", "Backfill,Gres,NO_CONF_HASH" },
        { "backfill,gres", "-GRES", "Backfill" },
        { "Backfill", "+Backfill", "Backfill" },
        { "Backfill", "-Backfill", NULL },
        { "Backfill", "-Gres", "Backfill" },
        { "Backfill", "+", "Backfill" },
    };

    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        AUTO_FREE char *flags = xstrdup(rows[i].had);

        ck_assert_int_eq(conf_debug_flags_change(&flags, rows[i].change, NULL), 0);
        ck_assert_pstr_eq(flags, rows[i].now);
    }
}
END_TEST

START_TEST(what_is_wrong_is_named_and_changes_nothing)
{
    static const struct {
        const char *change, *said;
    } rows[] = {
        { "backfill", "'backfill': begin with + or -" },
        { "", "'': begin with + or -" },
        { "+gres,nix", "Invalid DebugFlag: nix" },
        { "=gres", "'=gres': begin with + or -" },
    };

    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        AUTO_FREE char *flags = xstrdup("Backfill");
        struct err err = { 0 };

        ck_assert_int_eq(conf_debug_flags_change(&flags, rows[i].change, &err), -EINVAL);
        ck_assert_str_eq(err.text, rows[i].said);
        ck_assert_str_eq(flags, "Backfill");
    }
}
END_TEST

CHECK_MAIN(debug_flags, CASE(names_come_and_go_in_their_own_order),
           CASE(what_is_wrong_is_named_and_changes_nothing))
