/* The tree of a cluster's associations: who stands where, and what he may use. */
#include "unit/check_main.h"

#include "unit/ctld/control/acct_desk.h"
#include "ctld/control/acct/tree.h"

static uint32_t qos_id(struct desk *desk, const char *name)
{
    return acct_find_qos(desk->lab->control, name)->id;
}

static void give_qos(struct desk *desk, const char *account, const char *user, const char *name)
{
    char *list[] = { TEXT(name) };
    struct assoc_record assoc = assoc_of(account, user, NULL);

    assoc.qos = list;
    assoc.qos_n = 1;
    set_assoc(desk, account, user, "qos", assoc);
    ck_assert_int_eq(send(desk, 0), 0);
}

static void add_qos(struct desk *desk, const char *name)
{
    struct qos_record qos;

    qos_record_init(&qos);
    qos.name = TEXT(name);
    put(desk, KEPT_ADD, KEPT_QOS, &qos);
    ck_assert_int_eq(send(desk, 0), 0);
}

static struct desk desk_with_bob_in_organic(void)
{
    struct desk desk = desk_with_accounts();

    put_assoc(&desk, "organic", "bob", NULL);
    ck_assert_int_eq(send(&desk, 0), 0);
    return desk;
}

START_TEST(users_are_in_accounts_and_these_in_others)
{
    struct desk desk = desk_with_bob_in_organic();
    struct control *control = desk.lab->control;
    const struct assoc *bob = acct_tree_find(control, "organic", "bob", "main");

    ck_assert_str_eq(bob->rec.user, "bob");
    ck_assert_str_eq(bob->parent->rec.account, "organic");
    ck_assert_ptr_null(bob->parent->rec.user);
    ck_assert_str_eq(bob->parent->parent->rec.account, "chem");
    ck_assert_ptr_eq(bob->parent->parent->parent, acct_tree_root(control));
    ck_assert_ptr_null(acct_tree_root(control)->parent);
    ck_assert_ptr_null(acct_tree_find(control, "chem", "dora", NULL));

    ck_assert_int_eq(move(&desk, 0, "organic", "root"), 0);
    bob = acct_tree_find(control, "organic", "bob", NULL);
    ck_assert_ptr_eq(bob->parent->parent, acct_tree_root(control));
    desk_free(&desk);
}
END_TEST

START_TEST(an_association_of_the_partition_goes_before_that_of_none)
{
    struct desk desk = desk_with_bob_in_organic();
    struct control *control = desk.lab->control;
    struct assoc_record fast = assoc_of("organic", "bob", NULL);

    fast.partition = TEXT("fast");
    put(&desk, KEPT_ADD, KEPT_ASSOC, &fast);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_str_eq(acct_tree_find(control, "organic", "bob", "fast")->rec.partition, "fast");
    ck_assert_ptr_null(acct_tree_find(control, "organic", "bob", "main")->rec.partition);

    ck_assert_int_eq(drop_assoc(&desk, 0, "organic", "bob"), 0);
    ck_assert_ptr_null(acct_tree_find(control, "organic", "bob", "main"));
    ck_assert_ptr_nonnull(acct_tree_find(control, "organic", "bob", "fast"));
    desk_free(&desk);
}
END_TEST

START_TEST(lists_of_qos_come_from_above_and_differ_below)
{
    struct desk desk = desk_with_bob_in_organic();
    struct control *control = desk.lab->control;
    const struct assoc *bob;

    add_qos(&desk, "high");
    add_qos(&desk, "low");
    give_qos(&desk, "organic", NULL, "+high");
    bob = acct_tree_find(control, "organic", "bob", NULL);
    ck_assert(bitset_has(&bob->qos, qos_id(&desk, "normal")));
    ck_assert(bitset_has(&bob->qos, qos_id(&desk, "high")));
    ck_assert(!bitset_has(&bob->qos, qos_id(&desk, "low")));

    give_qos(&desk, "organic", "bob", "-normal");
    bob = acct_tree_find(control, "organic", "bob", NULL);
    ck_assert(!bitset_has(&bob->qos, qos_id(&desk, "normal")));
    ck_assert(bitset_has(&bob->qos, qos_id(&desk, "high")));

    give_qos(&desk, "organic", "bob", "low");
    bob = acct_tree_find(control, "organic", "bob", NULL);
    ck_assert(bitset_has(&bob->qos, qos_id(&desk, "low")));
    ck_assert_uint_eq(bitset_count(&bob->qos), 1);
    desk_free(&desk);
}
END_TEST

START_TEST(accounts_are_used_once_there_is_one)
{
    struct desk desk = desk_new(NODES);

    ck_assert(!acct_is_used(desk.lab->control));
    ck_assert_int_eq(add_account(&desk, 0, "chem", "root"), 0);
    ck_assert(acct_is_used(desk.lab->control));
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(acct_tree, CASE(users_are_in_accounts_and_these_in_others),
           CASE(an_association_of_the_partition_goes_before_that_of_none),
           CASE(lists_of_qos_come_from_above_and_differ_below),
           CASE(accounts_are_used_once_there_is_one))
