/* What goes with a user who is deleted, and when a user is whom somebody takes out of an account.
 */
#include "unit/check_main.h"

#include <errno.h>
#include <string.h>

#include "unit/ctld/control/acct_desk.h"

#define PRIVATE(desk) ((desk).lab->control->model->config.private_data = PRIVATE_USERS)

static void put_wckey(struct desk *desk, const char *user)
{
    struct wckey_record wckey;

    wckey_record_init(&wckey);
    wckey.cluster = TEXT("lab");
    wckey.user = TEXT(user);
    wckey.name = TEXT("key");
    wckey.is_default = true;
    put(desk, KEPT_ADD, KEPT_WCKEY, &wckey);
}

/* Makes carl, who is in chem, a coordinator of phys, with a wckey; chem is ann's to coordinate. */
static struct desk desk_with_carl(void)
{
    struct desk desk = desk_with_coordinator();
    char *list[] = { TEXT("bob"), TEXT("carl") };

    ck_assert_int_eq(add_user(&desk, 0, "carl", "chem"), 0);
    set_account(&desk, "phys", "coordinators",
                (struct account_record){ .coordinators = list, .coordinators_n = 2 });
    put_wckey(&desk, "carl");
    put_wckey(&desk, "bob");
    ck_assert_int_eq(send(&desk, 0), 0);
    return desk;
}

static void put_drop_of_assoc(struct desk *desk, const char *account, const char *user)
{
    struct assoc_record gone = assoc_of(account, user, NULL);

    gone.deleted = 1;
    set_assoc(desk, account, user, "deleted", gone);
}

/* Takes carl out of chem, and deletes him, `if_free`: unless something is left of him. */
static int take_out(struct desk *desk, uint32_t uid, bool if_free)
{
    put_drop_of_assoc(desk, "chem", "carl");
    set_user(desk, "carl", "deleted", (struct user_record){ .deleted = 1 });
    desk->change.edits[desk->change.edits_n - 1].if_free = if_free;
    return send(desk, uid);
}

static bool is_there(const struct desk *desk)
{
    return acct_find_user(desk->lab->control, "carl") != NULL;
}

static bool has_wckey(const struct desk *desk, const char *key)
{
    const struct wckey_record *wckey = kept_find(control_kept(desk->lab->control, KEPT_WCKEY), key);

    return !wckey->deleted;
}

static void expect_left(const struct desk *desk)
{
    const struct account_record *phys = acct_find_account(desk->lab->control, "phys");

    ck_assert(!is_there(desk));
    ck_assert(!has_wckey(desk, "lab,carl,key"));
    ck_assert(has_wckey(desk, "lab,bob,key"));
    ck_assert_uint_eq(phys->coordinators_n, 1);
    ck_assert_str_eq(phys->coordinators[0], "bob");
}

START_TEST(what_is_a_users_goes_with_him)
{
    struct desk desk = desk_with_carl();
    const char *told;

    ck_assert_int_eq(take_out(&desk, 0, false), 0);
    expect_left(&desk);
    told = strbuf_text(&desk.lab->events);
    ck_assert_ptr_nonnull(strstr(told, "Remove WCKeys lab,carl,key"));
    ck_assert_ptr_nonnull(strstr(told, "Remove Account Coords (user='carl') && (acct='phys')"));
    ck_assert_ptr_nonnull(strstr(told, "Remove Users carl"));
    lab_restart(desk.lab, NODES);
    expect_left(&desk);
    desk_free(&desk);
}
END_TEST

START_TEST(who_takes_a_user_out_of_his_last_account_need_not_rule_over_what_goes_with_him)
{
    struct desk desk = desk_with_carl();

    if (_i)
        PRIVATE(desk);
    ck_assert_int_eq(take_out(&desk, ANN, true), 0);
    expect_left(&desk);
    desk_free(&desk);
}
END_TEST

START_TEST(a_user_whose_wckey_is_in_use_is_not_deleted)
{
    struct desk desk = desk_with_carl();
    uint32_t job;

    ck_assert_int_eq(drop_assoc(&desk, 0, "phys", "bob"), 0);
    job = lab_submit_as(desk.lab, BOB, "wckey=*key");
    ck_assert_int_eq(drop_user(&desk, 0, "bob"), -EBUSY);
    lab_exit(desk.lab, job, STEP_BATCH, 0);
    ck_assert_int_eq(drop_user(&desk, 0, "bob"), 0);
    ck_assert(!has_wckey(&desk, "lab,bob,key"));
    desk_free(&desk);
}
END_TEST

START_TEST(a_user_who_is_elsewhere_stays)
{
    struct desk desk = desk_with_carl();

    put_assoc(&desk, "phys", "carl", NULL);
    ck_assert_int_eq(send(&desk, 0), 0);
    if (_i)
        PRIVATE(desk);
    ck_assert_int_eq(take_out(&desk, ANN, true), 0);
    ck_assert_ptr_null(find_assoc(&desk, "chem", "carl"));
    ck_assert_ptr_nonnull(find_assoc(&desk, "phys", "carl"));
    ck_assert(is_there(&desk) && has_wckey(&desk, "lab,carl,key"));
    ck_assert_uint_eq(acct_find_account(desk.lab->control, "phys")->coordinators_n, 2);
    desk_free(&desk);
}
END_TEST

START_TEST(who_is_elsewhere_and_an_operator_stays_one)
{
    struct desk desk = desk_with_carl();

    put_assoc(&desk, "phys", "carl", NULL);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_int_eq(set_level(&desk, 0, "carl", ADMIN_OPERATOR), 0);
    PRIVATE(desk);
    ck_assert_int_eq(take_out(&desk, ANN, true), 0);
    ck_assert(is_there(&desk));
    desk_free(&desk);
}
END_TEST

START_TEST(what_stays_is_not_told_as_changed)
{
    struct desk desk = desk_with_carl();
    const struct caller ann = lab_caller(ANN);
    AUTO(kept_changed) struct kept_changed changed;

    put_assoc(&desk, "phys", "carl", NULL);
    ck_assert_int_eq(send(&desk, 0), 0);
    put_drop_of_assoc(&desk, "chem", "carl");
    set_user(&desk, "carl", "deleted", (struct user_record){ .deleted = 1 });
    desk.change.edits[1].if_free = true;
    kept_changed_init(&changed);
    ck_assert_int_eq(control_kept_change(lab_act(desk.lab, &ann), &desk.change, &changed, NULL), 0);
    ck_assert_uint_eq(changed.changed_n, 1);
    ck_assert_str_eq(changed.changed[0].key, "lab,chem,carl,");
    desk_free(&desk);
}
END_TEST

START_TEST(who_deletes_a_user_as_a_whole_is_refused_what_he_is_elsewhere)
{
    struct desk desk = desk_with_carl();

    put_assoc(&desk, "phys", "carl", NULL);
    ck_assert_int_eq(send(&desk, 0), 0);
    if (_i)
        PRIVATE(desk);
    ck_assert_int_eq(take_out(&desk, ANN, false), -EBUSY);
    ck_assert_ptr_nonnull(find_assoc(&desk, "chem", "carl"));
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(
    acct_leave, CASE(what_is_a_users_goes_with_him),
    LOOP_CASE(who_takes_a_user_out_of_his_last_account_need_not_rule_over_what_goes_with_him, 2),
    CASE(a_user_whose_wckey_is_in_use_is_not_deleted), LOOP_CASE(a_user_who_is_elsewhere_stays, 2),
    CASE(who_is_elsewhere_and_an_operator_stays_one), CASE(what_stays_is_not_told_as_changed),
    LOOP_CASE(who_deletes_a_user_as_a_whole_is_refused_what_he_is_elsewhere, 2))
