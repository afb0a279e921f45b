/* Accounts that a slurmdbd owns: what controllers and it take from each other. One desk is the
 * controller of cluster lab, another one stands for the slurmdbd. */
#include "unit/check_main.h"

#include "unit/ctld/control/acct_desk.h"
#include "ctld/control/acct/follow.h"
#include "ctld/control/acct/tree.h"

static struct act *act_of(struct desk *desk)
{
    return lab_act(desk->lab, NULL);
}

/* Tells what one desk has to another, which adds it or follows. */
static void tell(struct desk *from, struct desk *to, bool follows)
{
    AUTO(dbd_records) struct dbd_records list;

    dbd_records_init(&list);
    list.is_all = true;
    acct_tell_all(from->lab->control, "lab", &list);
    if (follows)
        ck_assert_int_eq(acct_follow(act_of(to), &list, NULL), 0);
    else
        ck_assert_int_eq(acct_adopt(act_of(to), "lab", &list, NULL), 0);
    lab_settle(to->lab);
}

static const struct assoc_record *find(struct desk *desk, const char *account, const char *user)
{
    return acct_find_assoc(desk->lab->control, "lab", account, user, NULL);
}

START_TEST(who_registers_brings_what_it_has_and_takes_the_numbers_of_there)
{
    struct desk here = desk_with_accounts(), there = desk_new(NODES);
    uint32_t number;

    put_account(&there, "first"); /* numbers there are others */
    put_assoc(&there, "first", NULL, "root");
    ck_assert_int_eq(send(&there, 0), 0);
    tell(&here, &there, false);
    ck_assert_ptr_nonnull(find(&there, "chem", NULL));
    number = find(&there, "organic", NULL)->id;
    ck_assert_uint_ne(number, find(&here, "organic", NULL)->id);

    tell(&there, &here, true);
    ck_assert_uint_eq(find(&here, "organic", NULL)->id, number);
    ck_assert_ptr_nonnull(find(&here, "first", NULL));
    desk_free(&there);
    desk_free(&here);
}
END_TEST

START_TEST(what_is_there_already_stays)
{
    struct desk here = desk_with_accounts(), there = desk_with_accounts();
    struct assoc_record more = assoc_of("organic", NULL, "chem");

    more.shares = 7;
    set_assoc(&here, "organic", NULL, "shares", more);
    ck_assert_int_eq(send(&here, 0), 0);
    tell(&here, &there, false);
    ck_assert_uint_eq(find(&there, "organic", NULL)->shares, COUNT_UNSET);
    desk_free(&there);
    desk_free(&here);
}
END_TEST

START_TEST(what_the_owner_lacks_is_deleted)
{
    struct desk here = desk_with_accounts(), there = desk_new(NODES);

    tell(&there, &here, true);
    ck_assert_ptr_null(find(&here, "chem", NULL));
    ck_assert_ptr_null(acct_find_account(here.lab->control, "chem"));
    ck_assert_ptr_nonnull(find(&here, "root", NULL));
    ck_assert_ptr_nonnull(acct_find_qos(here.lab->control, "normal"));
    desk_free(&there);
    desk_free(&here);
}
END_TEST

START_TEST(who_follows_nobody_any_more_has_no_other_clusters)
{
    struct desk here = desk_with_accounts(), there = desk_with_accounts();
    struct cluster_record other;

    cluster_record_init(&other);
    other.name = TEXT("other");
    kept_create(act_of(&there), KEPT_CLUSTER, &other);
    tell(&there, &here, true);
    acct_set_owner(act_of(&here), 12);
    ck_assert_ptr_nonnull(acct_find_cluster(here.lab->control, "other"));

    acct_follow_nobody(act_of(&here));
    ck_assert_uint_eq(acct_owner(here.lab->control), 0);
    ck_assert_ptr_null(acct_find_cluster(here.lab->control, "other"));
    ck_assert_ptr_nonnull(acct_find_cluster(here.lab->control, "lab"));
    ck_assert_ptr_nonnull(find(&here, "chem", NULL));
    desk_free(&there);
    desk_free(&here);
}
END_TEST

static void come(struct desk *desk, const char *cluster)
{
    struct dbd_register msg;

    dbd_register_init(&msg);
    msg.host = TEXT("there");
    ck_assert_int_eq(acct_register(act_of(desk), cluster, &msg, NULL), 0);
    lab_settle(desk->lab);
}

START_TEST(a_cluster_that_was_deleted_has_its_root_when_it_comes_back)
{
    struct desk there = desk_new(NODES);
    struct control *control = there.lab->control;
    struct cluster_record *cluster;
    struct user_record *root;
    uint32_t number;

    come(&there, "other");
    cluster = kept_find(control_kept(control, KEPT_CLUSTER), "other");
    root = kept_find(control_kept(control, KEPT_USER), "root");
    for (uint32_t i = 0; i < 2; i++) {
        cluster->deleted = root->deleted = 1;
        come(&there, "other");
        ck_assert_ptr_nonnull(acct_find_cluster(control, "other"));
        ck_assert_ptr_nonnull(acct_find_user(control, "root"));
        ck_assert_ptr_nonnull(acct_find_assoc(control, "other", "root", NULL, NULL));
        ck_assert_ptr_nonnull(acct_find_assoc(control, "other", "root", "root", NULL));
    }
    number = acct_find_assoc(control, "other", "root", NULL, NULL)->id;
    ((struct assoc_record *)(uintptr_t)acct_find_assoc(control, "other", "root", NULL, NULL))
        ->deleted = cluster->deleted = 1;
    come(&there, "other");
    ck_assert_uint_eq(acct_find_assoc(control, "other", "root", NULL, NULL)->id, number);
    desk_free(&there);
}
END_TEST

START_TEST(what_a_slurmdbd_owns_is_not_changed_here)
{
    struct desk desk = desk_with_accounts();
    struct err err = { 0 };

    put_account(&desk, "late");
    ck_assert_int_eq(acct_check_owner(desk.lab->control, &desk.change, &err), 0);
    acct_set_owner(act_of(&desk), 12);
    ck_assert_int_eq(acct_check_owner(desk.lab->control, &desk.change, &err), -EPERM);
    ck_assert_ptr_nonnull(strstr(err.text, "kept by slurmdbd"));
    desk_free(&desk);
}
END_TEST

static struct dbd_record *add(struct dbd_records *list, uint32_t kind, const void *record)
{
    struct dbd_record *msg = ARRAY_PUSH(list->records, list->records_n);

    dbd_record_init(msg);
    msg->kind = kind;
    msg->record = schema_encode_blob(kept_kind_find(kind)->schema(), record);
    return msg;
}

static struct assoc_record ring_of(const char *account, const char *parent, char *key)
{
    struct assoc_record assoc = assoc_of(account, NULL, parent);

    assoc.key = key;
    assoc.id = 90;
    return assoc;
}

START_TEST(accounts_that_are_above_each_other_hang_on_nothing)
{
    struct desk desk = desk_with_accounts();
    AUTO_FREE char *a_key = acct_assoc_key("lab", "a", NULL, NULL);
    AUTO_FREE char *b_key = acct_assoc_key("lab", "b", NULL, NULL);
    const struct assoc_record a = ring_of("a", "b", a_key), b = ring_of("b", "a", b_key);
    AUTO(dbd_records) struct dbd_records list;

    dbd_records_init(&list);
    add(&list, KEPT_ASSOC, &a);
    add(&list, KEPT_ASSOC, &b);
    ck_assert_int_eq(acct_follow(act_of(&desk), &list, NULL), 0);
    lab_settle(desk.lab);

    ck_assert_ptr_nonnull(acct_tree_root(desk.lab->control));
    ck_assert_ptr_nonnull(find(&desk, "a", NULL));
    ck_assert_ptr_null(((const struct assoc *)find(&desk, "a", NULL))->parent);
    desk_free(&desk);
}
END_TEST

START_TEST(a_record_that_cannot_be_read_takes_nothing)
{
    struct desk desk = desk_with_accounts();
    struct account_record account;
    AUTO(dbd_records) struct dbd_records list;
    struct err err = { 0 };

    account_record_init(&account);
    account.name = TEXT("late");
    dbd_records_init(&list);
    add(&list, KEPT_ACCOUNT, &account);
    add(&list, KEPT_ACCOUNT, &account)->record.n--;
    ck_assert_int_lt(acct_follow(act_of(&desk), &list, &err), 0);
    ck_assert_ptr_null(acct_find_account(desk.lab->control, "late"));
    list.records[1].record.n++;
    list.records[1].kind = KEPT_NODE;
    ck_assert_int_eq(acct_follow(act_of(&desk), &list, &err), -E_PROTO);
    ck_assert_ptr_null(acct_find_account(desk.lab->control, "late"));
    desk_free(&desk);
}
END_TEST

/* Returns how many pieces the list goes in; *ret_last has the records of the last one. */
static uint32_t pieces_of(const struct dbd_records *list, uint32_t *ret_last)
{
    struct dbd_records piece = { 0 };
    uint32_t at = 0, n = 0, all = 0;

    for (; !piece.is_last; n++) {
        piece = acct_next_piece(list, &at);
        all += piece.records_n;
    }
    ck_assert_uint_eq(all, list->records_n);
    *ret_last = piece.records_n;
    return n;
}

START_TEST(lists_go_in_pieces)
{
    static struct dbd_record records[2 * DBD_RECORDS_A_PIECE + 1];
    struct dbd_records list = { .is_all = true, .records = records };
    uint32_t last;

    ck_assert_uint_eq(pieces_of(&list, &last), 1);
    list.records_n = 2 * DBD_RECORDS_A_PIECE;
    ck_assert_uint_eq(pieces_of(&list, &last), 2);
    list.records_n++;
    ck_assert_uint_eq(pieces_of(&list, &last), 3);
    ck_assert_uint_eq(last, 1);
    for (uint32_t i = 0; i < 10; i++)
        records[i].record.n = DBD_BYTES_A_PIECE / 4; /* never read */
    list.records_n = 10;
    ck_assert_uint_eq(pieces_of(&list, &last), 3);
    ck_assert_uint_eq(last, 2);
}
END_TEST

CHECK_MAIN(acct_follow, CASE(who_registers_brings_what_it_has_and_takes_the_numbers_of_there),
           CASE(what_is_there_already_stays), CASE(what_the_owner_lacks_is_deleted),
           CASE(who_follows_nobody_any_more_has_no_other_clusters),
           CASE(a_cluster_that_was_deleted_has_its_root_when_it_comes_back),
           CASE(what_a_slurmdbd_owns_is_not_changed_here),
           CASE(accounts_that_are_above_each_other_hang_on_nothing),
           CASE(a_record_that_cannot_be_read_takes_nothing), CASE(lists_go_in_pieces))
