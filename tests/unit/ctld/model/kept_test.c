/* Records that the controller keeps in memory: by group. */
#include "unit/check_main.h"

#include <string.h>

#include "common/msg/acct.h"
#include "ctld/model/kept.h"

static const char *group_of(const void *record)
{
    return ((const struct assoc_record *)record)->user;
}

static struct kept_table table_in_groups(void)
{
    struct kept_table table;

    kept_init(&table, kept_kind_find(KEPT_ASSOC), 0, NULL);
    table.group_of = group_of;
    return table;
}

static void add(struct kept_table *table, const char *key, const char *user)
{
    struct assoc_record *rec = kept_new(table);

    rec->key = xstrdup(key);
    rec->user = user ? xstrdup(user) : NULL;
    kept_add(table, rec);
}

static uint32_t count(const struct kept_table *table, const char *group)
{
    uint32_t n;

    kept_in_group(table, group, &n);
    return n;
}

START_TEST(a_group_has_the_records_that_are_in_the_table)
{
    struct kept_table table = table_in_groups();
    struct assoc_record *taken;
    uint64_t serial;
    uint32_t n;

    add(&table, "a", "ann");
    add(&table, "b", "bob");
    add(&table, "c", "ann");
    add(&table, "d", NULL);
    ck_assert_uint_eq(count(&table, "ann"), 2);
    ck_assert_uint_eq(count(&table, "bob"), 1);
    ck_assert_uint_eq(count(&table, "carl"), 0);

    taken = kept_take(&table, "a", &serial);
    ck_assert_uint_eq(count(&table, "ann"), 1);
    ck_assert_ptr_eq(kept_in_group(&table, "ann", &n)[0], kept_find(&table, "c"));
    kept_put_back(&table, taken, serial);
    ck_assert_uint_eq(count(&table, "ann"), 2);
    kept_free(&table, kept_take(&table, "b", NULL));
    ck_assert_uint_eq(count(&table, "bob"), 0);
    kept_clear(&table);
    ck_assert_uint_eq(count(&table, "ann"), 0);
}
END_TEST

START_TEST(a_table_without_groups_has_none)
{
    struct kept_table table = table_in_groups();

    table.group_of = NULL;
    add(&table, "a", "ann");
    ck_assert_uint_eq(count(&table, "ann"), 0);
    kept_free(&table, kept_take(&table, "a", NULL));
    kept_clear(&table);
}
END_TEST

CHECK_MAIN(kept, CASE(a_group_has_the_records_that_are_in_the_table),
           CASE(a_table_without_groups_has_none))
