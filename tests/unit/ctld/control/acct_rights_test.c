/* Who may change which accounts, users and associations, and who is shown them. */
#include "unit/check_main.h"

#include "unit/ctld/control/acct_desk.h"
#include "ctld/control/acct/in_use.h"

START_TEST(an_ordinary_user_changes_nothing)
{
    struct desk desk = desk_with_accounts();

    put_account(&desk, "bio");
    expect_refused(&desk, ANN, E_ACCESS);
    put_user(&desk, "carl", ADMIN_NONE);
    expect_refused(&desk, ANN, E_ACCESS);
    put_assoc(&desk, "phys", "ann", NULL);
    expect_refused(&desk, ANN, E_ACCESS);
    set_qos(&desk, "normal", "priority", (struct qos_record){ .priority = 9 });
    expect_refused(&desk, ANN, E_ACCESS);
    set_user(&desk, "ann", "admin_level", (struct user_record){ .admin_level = ADMIN_OPERATOR });
    expect_refused(&desk, ANN, E_ACCESS);
    ck_assert_int_eq(set_shares(&desk, ANN, "chem", "ann"), -E_ACCESS);
    ck_assert_int_eq(drop_assoc(&desk, ANN, "chem", "ann"), -E_ACCESS);
    ck_assert_int_eq(move(&desk, ANN, "chem", "phys"), -E_ACCESS);
    desk_free(&desk);
}
END_TEST

START_TEST(a_user_chooses_his_own_default_account)
{
    struct desk desk = desk_with_accounts();
    struct assoc_record yes = assoc_of("phys", "ann", NULL), no = assoc_of("chem", "ann", NULL);

    yes.is_default = true;
    put_assoc(&desk, "phys", "ann", NULL);
    set_assoc(&desk, "chem", "ann", "is_default", yes);
    ck_assert_int_eq(send(&desk, 0), 0);

    set_assoc(&desk, "phys", "ann", "is_default", yes);
    expect_refused(&desk, ANN, EBUSY); /* the other one still is it */
    set_assoc(&desk, "chem", "ann", "is_default", no);
    set_assoc(&desk, "phys", "ann", "is_default", yes);
    expect_refused(&desk, BOB, E_ACCESS);
    set_assoc(&desk, "chem", "ann", "is_default", no);
    set_assoc(&desk, "phys", "ann", "is_default", yes);
    ck_assert_int_eq(send(&desk, ANN), 0);
    ck_assert(find_assoc(&desk, "phys", "ann")->is_default);
    ck_assert(!find_assoc(&desk, "chem", "ann")->is_default);

    set_assoc(&desk, "chem", NULL, "is_default", yes);
    expect_refused(&desk, 0, EINVAL);
    desk_free(&desk);
}
END_TEST

START_TEST(a_coordinator_rules_below_his_account_and_nowhere_else)
{
    struct desk desk = desk_with_coordinator();

    ck_assert_int_eq(add_account(&desk, ANN, "polymer", "organic"), 0);
    ck_assert_int_eq(add_user(&desk, ANN, "carl", "polymer"), 0);
    ck_assert_int_eq(set_shares(&desk, ANN, "organic", NULL), 0);
    ck_assert_int_eq(set_shares(&desk, ANN, "polymer", "carl"), 0);
    ck_assert_int_eq(drop_assoc(&desk, ANN, "polymer", "carl"), 0);

    ck_assert_int_eq(add_account(&desk, ANN, "bio", "root"), -E_ACCESS);
    ck_assert_int_eq(add_user(&desk, ANN, "dora", "phys"), -E_ACCESS);
    ck_assert_ptr_null(acct_find_user(desk.lab->control, "dora"));
    ck_assert_int_eq(set_shares(&desk, ANN, "phys", "bob"), -E_ACCESS);
    ck_assert_int_eq(set_shares(&desk, ANN, "phys", NULL), -E_ACCESS);
    ck_assert_int_eq(drop_user(&desk, ANN, "bob"), -EBUSY);
    ck_assert_int_eq(drop_user(&desk, BOB, "carl"), -E_ACCESS);
    set_account(&desk, "phys", "description", (struct account_record){ .description = TEXT("x") });
    expect_refused(&desk, ANN, E_ACCESS);
    desk_free(&desk);
}
END_TEST

START_TEST(what_an_account_may_have_is_not_for_its_own_coordinator_to_say)
{
    struct desk desk = desk_with_coordinator();

    ck_assert_int_eq(set_shares(&desk, ANN, "chem", NULL), -E_ACCESS);
    ck_assert_int_eq(set_shares(&desk, ANN, "chem", "ann"), 0);
    set_account(&desk, "chem", "description", (struct account_record){ .description = TEXT("x") });
    expect_refused(&desk, ANN, E_ACCESS);
    desk_free(&desk);
}
END_TEST

/* Sets the list of QOS of an association. */
static int grant(struct desk *desk, uint32_t uid, const char *account, const char *user,
                 const char *qos)
{
    struct assoc_record values = assoc_of(account, user, NULL);
    char *name = TEXT(qos);

    values.qos = &name;
    values.qos_n = 1;
    set_assoc(desk, account, user, "qos", values);
    return send(desk, uid);
}

START_TEST(a_coordinator_grants_no_qos_that_he_has_not_himself)
{
    struct desk desk = desk_with_coordinator();
    struct assoc_record values = assoc_of("organic", NULL, NULL);
    const struct qos_record gold = { .name = TEXT("gold") }, high = { .name = TEXT("high") };

    put(&desk, KEPT_ADD, KEPT_QOS, &gold);
    put(&desk, KEPT_ADD, KEPT_QOS, &high);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_int_eq(grant(&desk, ANN, "chem", "ann", "+gold"), -E_ACCESS);
    ck_assert_int_eq(grant(&desk, ANN, "organic", NULL, "gold"), -E_ACCESS);
    values.default_qos = TEXT("gold");
    set_assoc(&desk, "organic", NULL, "default_qos", values);
    expect_refused(&desk, ANN, E_ACCESS);

    ck_assert_int_eq(grant(&desk, 0, "chem", "ann", "+gold"), 0);
    ck_assert_int_eq(grant(&desk, ANN, "organic", NULL, "+gold"), 0);
    ck_assert_int_eq(grant(&desk, ANN, "organic", NULL, "+high"), -E_ACCESS);
    ck_assert_int_eq(grant(&desk, ANN, "organic", NULL, "-high"), 0); /* takes one away */
    ck_assert_int_eq(grant(&desk, 0, "chem", NULL, "+high"), 0);
    ck_assert_int_eq(grant(&desk, ANN, "organic", NULL, "+high"), 0); /* from the account */
    desk_free(&desk);
}
END_TEST

START_TEST(a_coordinator_takes_no_sign_away_that_withholds_what_he_has_not)
{
    struct desk desk = desk_with_coordinator();
    const struct qos_record gold = { .name = TEXT("gold") };

    put(&desk, KEPT_ADD, KEPT_QOS, &gold);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_int_eq(grant(&desk, 0, "chem", NULL, "+gold"), 0);
    ck_assert_int_eq(grant(&desk, 0, "organic", NULL, "-gold"), 0);
    ck_assert_int_eq(grant(&desk, ANN, "organic", NULL, "+normal"), 0); /* gold is hers by chem */

    ck_assert_int_eq(grant(&desk, 0, "organic", NULL, "-gold"), 0);
    ck_assert_int_eq(grant(&desk, 0, "chem", "ann", "-gold"), 0);
    ck_assert_int_eq(grant(&desk, ANN, "chem", "ann", "+normal"), -E_ACCESS);
    ck_assert_int_eq(grant(&desk, ANN, "organic", NULL, "+normal"), -E_ACCESS);
    ck_assert_int_eq(grant(&desk, ANN, "organic", NULL, "normal"), 0);
    ck_assert_int_eq(grant(&desk, ANN, "organic", NULL, "-normal"), -E_ACCESS);
    desk_free(&desk);
}
END_TEST

START_TEST(a_coordinator_gets_no_qos_by_leaving_and_coming_back)
{
    struct desk desk = desk_with_coordinator();
    const struct assoc_record back = assoc_of("chem", "ann", NULL);
    const struct qos_record gold = { .name = TEXT("gold") };

    put(&desk, KEPT_ADD, KEPT_QOS, &gold);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_int_eq(grant(&desk, 0, "chem", NULL, "+gold"), 0);
    ck_assert_int_eq(grant(&desk, 0, "chem", "ann", "-gold"), 0);
    ck_assert_int_eq(grant(&desk, 0, "organic", NULL, "-gold"), 0);
    ck_assert_int_eq(drop_assoc(&desk, ANN, "chem", "ann"), 0);
    set_assoc(&desk, "chem", "ann", "deleted qos", back);
    expect_refused(&desk, ANN, E_ACCESS);
    ck_assert_int_eq(grant(&desk, ANN, "organic", NULL, "gold"), -E_ACCESS);

    set_assoc(&desk, "chem", "ann", "deleted qos", back);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_int_eq(grant(&desk, ANN, "organic", NULL, "gold"), 0);
    desk_free(&desk);
}
END_TEST

/* Brings a deleted association back. */
static int bring_back(struct desk *desk, uint32_t uid, struct assoc_record back, const char *fields)
{
    back.deleted = 0;
    set_assoc(desk, back.account, back.user, fields, back);
    return send(desk, uid);
}

START_TEST(what_a_deleted_user_was_granted_is_granted_no_more)
{
    struct desk desk = desk_with_coordinator();
    struct assoc_record back = assoc_of("chem", "bob", NULL);
    const struct qos_record gold = { .name = TEXT("gold") };
    char *list[] = { TEXT("gold") };

    put(&desk, KEPT_ADD, KEPT_QOS, &gold);
    put_assoc(&desk, "chem", "bob", NULL);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_int_eq(grant(&desk, 0, "chem", "bob", "gold"), 0);
    back.default_qos = list[0];
    set_assoc(&desk, "chem", "bob", "default_qos", back);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_int_eq(drop_assoc(&desk, 0, "chem", "bob"), 0);

    ck_assert_int_eq(bring_back(&desk, ANN, back, "deleted"), -E_ACCESS);
    ck_assert_int_eq(bring_back(&desk, ANN, back, "deleted qos"), -E_ACCESS); /* by default */
    back.default_qos = NULL;
    ck_assert_int_eq(bring_back(&desk, ANN, back, "deleted default_qos"), -E_ACCESS);
    back.qos = list;
    back.qos_n = 1;
    ck_assert_int_eq(bring_back(&desk, ANN, back, "deleted default_qos qos"), -E_ACCESS);
    back.qos_n = 0;
    ck_assert_int_eq(bring_back(&desk, ANN, back, "deleted default_qos qos"), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(a_coordinator_adds_no_account_that_has_no_place)
{
    struct desk desk = desk_with_coordinator();

    put_account(&desk, "nowhere");
    expect_refused(&desk, ANN, E_ACCESS);
    put_account(&desk, "nowhere");
    ck_assert_int_eq(send(&desk, 0), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(texts_of_an_account_have_an_end)
{
    struct desk desk = desk_with_accounts();
    AUTO_FREE char *text = xcalloc(1, 5001);

    memset(text, 'x', 5000);
    set_account(&desk, "chem", "description", (struct account_record){ .description = text });
    expect_refused(&desk, 0, EINVAL);
    text[4096] = '\0';
    set_account(&desk, "chem", "description", (struct account_record){ .description = text });
    ck_assert_int_eq(send(&desk, 0), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(whoever_is_in_an_account_coordinates_it_where_its_flag_says_so)
{
    struct desk desk = desk_with_coordinator();

    ck_assert_int_eq(set_shares(&desk, BOB, "phys", "bob"), -E_ACCESS);
    set_account(&desk, "phys", "flags",
                (struct account_record){ .flags = ACCOUNT_USERS_ARE_COORDS });
    ck_assert_int_eq(send(&desk, 0), 0);

    ck_assert_int_eq(set_shares(&desk, BOB, "phys", "bob"), 0);
    ck_assert_int_eq(set_shares(&desk, BOB, "phys", NULL), -E_ACCESS);
    ck_assert_int_eq(add_account(&desk, BOB, "lasers", "phys"), 0);
    ck_assert_int_eq(set_shares(&desk, BOB, "lasers", NULL), 0);
    ck_assert_int_eq(set_shares(&desk, BOB, "chem", NULL), -E_ACCESS);
    set_account(&desk, "phys", "flags", (struct account_record){ .flags = 0 });
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_int_eq(set_shares(&desk, BOB, "lasers", NULL), -E_ACCESS);
    desk_free(&desk);
}
END_TEST

START_TEST(who_is_in_an_account_for_one_partition_only_is_in_it)
{
    struct desk desk = desk_with_accounts();
    struct assoc_record assoc = assoc_of("chem", "bob", NULL);

    set_account(&desk, "chem", "flags",
                (struct account_record){ .flags = ACCOUNT_USERS_ARE_COORDS });
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_int_eq(set_shares(&desk, BOB, "chem", "ann"), -E_ACCESS);
    assoc.partition = TEXT("debug");
    put(&desk, KEPT_ADD, KEPT_ASSOC, &assoc);
    ck_assert_int_eq(send(&desk, 0), 0);

    ck_assert_int_eq(set_shares(&desk, BOB, "chem", "ann"), 0);
    ck_assert_int_eq(set_shares(&desk, BOB, "phys", "bob"), -E_ACCESS);
    desk_free(&desk);
}
END_TEST

START_TEST(an_account_has_no_flags_that_nobody_knows)
{
    struct desk desk = desk_with_accounts();

    set_account(&desk, "phys", "flags", (struct account_record){ .flags = 6 });
    expect_refused(&desk, 0, EINVAL);
    desk_free(&desk);
}
END_TEST

START_TEST(a_coordinator_empties_an_account_that_an_operator_deletes)
{
    struct desk desk = desk_with_coordinator();
    struct assoc_record gone = assoc_of("organic", NULL, NULL);

    ck_assert_int_eq(add_user(&desk, ANN, "carl", "organic"), 0);
    gone.deleted = 1;
    set_assoc(&desk, "organic", "carl", "deleted", gone);
    set_assoc(&desk, "organic", NULL, "deleted", gone);
    set_user(&desk, "carl", "deleted", (struct user_record){ .deleted = 1 });
    ck_assert_int_eq(send(&desk, ANN), 0);
    set_account(&desk, "organic", "deleted", (struct account_record){ .deleted = 1 });
    ck_assert_int_eq(send(&desk, ANN), -E_ACCESS);
    ck_assert_int_eq(drop_account(&desk, "organic"), 0);
    ck_assert_ptr_null(acct_find_account(desk.lab->control, "organic"));
    ck_assert_ptr_null(acct_find_user(desk.lab->control, "carl"));
    ck_assert_int_eq(drop_account(&desk, "chem"), -EBUSY);
    desk_free(&desk);
}
END_TEST

START_TEST(moving_an_account_takes_both_its_places)
{
    struct desk desk = desk_with_coordinator();
    char *bob = TEXT("bob");

    ck_assert_int_eq(add_account(&desk, 0, "polymer", "chem"), 0);
    ck_assert_int_eq(move(&desk, ANN, "organic", "polymer"), 0);
    ck_assert_int_eq(move(&desk, ANN, "organic", "phys"), -E_ACCESS);
    ck_assert_int_eq(move(&desk, ANN, "phys", "chem"), -E_ACCESS);

    /* Who coordinates the account alone does not take it from those above him. */
    set_account(&desk, "organic", "coordinators",
                (struct account_record){ .coordinators = &bob, .coordinators_n = 1 });
    set_account(&desk, "phys", "coordinators",
                (struct account_record){ .coordinators = &bob, .coordinators_n = 1 });
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_int_eq(move(&desk, BOB, "organic", "phys"), -E_ACCESS);
    ck_assert_int_eq(move(&desk, 0, "organic", "phys"), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(a_coordinator_gives_no_admin_level)
{
    struct desk desk = desk_with_coordinator();

    ck_assert_int_eq(set_level(&desk, ANN, "ann", ADMIN_OPERATOR), -E_ACCESS);
    put_user(&desk, "carl", ADMIN_OPERATOR);
    expect_refused(&desk, ANN, E_ACCESS);

    /* Nor does he bring back one who had it. */
    put_user(&desk, "dora", ADMIN_OPERATOR);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_int_eq(drop_user(&desk, 0, "dora"), 0);
    set_user(&desk, "dora", "deleted", (struct user_record){ .deleted = 0 });
    expect_refused(&desk, ANN, E_ACCESS);
    set_user(&desk, "dora", "deleted admin_level", (struct user_record){ .deleted = 0 });
    ck_assert_int_eq(send(&desk, ANN), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(an_operator_changes_users_and_accounts_but_no_level)
{
    struct desk desk = desk_with_accounts();

    ck_assert_int_eq(set_level(&desk, 0, "ann", ADMIN_OPERATOR), 0);
    ck_assert_int_eq(add_account(&desk, ANN, "bio", "root"), 0);
    ck_assert_int_eq(set_level(&desk, ANN, "bob", ADMIN_OPERATOR), -E_ACCESS);
    ck_assert_int_eq(set_level(&desk, ANN, "bob", ADMIN_ADMINISTRATOR), -E_ACCESS);
    ck_assert_int_eq(set_level(&desk, ANN, "ann", ADMIN_NONE), -E_ACCESS);
    ck_assert_int_eq(set_level(&desk, ANN, "ann", ADMIN_ADMINISTRATOR), -E_ACCESS);
    ck_assert_int_eq(set_level(&desk, ANN, "root", ADMIN_NONE), -E_ACCESS);
    ck_assert_int_eq(set_level(&desk, 0, "bob", (enum admin_level)9), -EINVAL);

    put_user(&desk, "carl", ADMIN_ADMINISTRATOR);
    expect_refused(&desk, ANN, E_ACCESS);
    put_user(&desk, "carl", ADMIN_ADMINISTRATOR);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_int_eq(drop_user(&desk, ANN, "carl"), -E_ACCESS);
    put_user(&desk, "dora", ADMIN_OPERATOR);
    ck_assert_int_eq(send(&desk, ANN), 0); /* as in Slurm he makes others by adding them */
    ck_assert_int_eq(drop_user(&desk, ANN, "dora"), 0);
    desk_free(&desk);
}
END_TEST

/* ann is an operator, and carl an administrator. */
static struct desk desk_with_levels(void)
{
    struct desk desk = desk_with_accounts();

    ck_assert_int_eq(set_level(&desk, 0, "ann", ADMIN_OPERATOR), 0);
    ck_assert_int_eq(set_level(&desk, 0, "bob", ADMIN_ADMINISTRATOR), 0);
    return desk;
}

static void put_cluster(struct desk *desk, const char *name)
{
    put(desk, KEPT_ADD, KEPT_CLUSTER, &(struct cluster_record){ .name = TEXT(name) });
}

static void put_qos(struct desk *desk, const char *name)
{
    struct qos_record qos;

    qos_record_init(&qos);
    qos.name = TEXT(name);
    put(desk, KEPT_ADD, KEPT_QOS, &qos);
}

static void put_federation(struct desk *desk, const char *name)
{
    put(desk, KEPT_ADD, KEPT_FEDERATION, &(struct federation_record){ .name = TEXT(name) });
}

static void set_cluster(struct desk *desk, const char *name, const char *fields,
                        struct cluster_record record)
{
    record.name = TEXT(name);
    set(desk, KEPT_CLUSTER, &record, fields, &record);
}

START_TEST(clusters_qos_and_federations_are_for_administrators)
{
    static void (*const puts[])(struct desk *, const char *) = { put_cluster, put_qos,
                                                                 put_federation };
    struct desk desk = desk_with_levels();
    struct assoc_record root = assoc_of("root", NULL, NULL);

    for (size_t i = 0; i < ARRAY_N(puts); i++) {
        puts[i](&desk, "new");
        expect_refused(&desk, ANN, E_ACCESS);
        puts[i](&desk, "new");
        ck_assert_int_eq(send(&desk, BOB), 0);
    }
    set_cluster(&desk, "new", "federation", (struct cluster_record){ .federation = TEXT("new") });
    expect_refused(&desk, ANN, E_ACCESS);
    set_cluster(&desk, "new", "deleted", (struct cluster_record){ .deleted = 1 });
    expect_refused(&desk, ANN, E_ACCESS);
    set_qos(&desk, "new", "priority", (struct qos_record){ .priority = 9 });
    expect_refused(&desk, ANN, E_ACCESS);
    set_qos(&desk, "new", "deleted", (struct qos_record){ .deleted = 1 });
    expect_refused(&desk, ANN, E_ACCESS);

    root.cluster = TEXT("new");
    put(&desk, KEPT_ADD, KEPT_ASSOC, &root);
    ck_assert_int_eq(send(&desk, BOB), 0);
    root.key = TEXT("new,root,,");
    root.deleted = 1;
    set(&desk, KEPT_ASSOC, &root, "deleted", &root);
    expect_refused(&desk, ANN, E_ACCESS); /* it ends with its cluster */
    set(&desk, KEPT_ASSOC, &root, "deleted", &root);
    set_cluster(&desk, "new", "deleted", (struct cluster_record){ .deleted = 1 });
    ck_assert_int_eq(send(&desk, BOB), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(an_operator_changes_a_resource_and_no_more)
{
    struct desk desk = desk_with_levels();
    struct resource_record rec = { .key = TEXT("m@s"), .name = TEXT("m"), .server = TEXT("s") };

    put(&desk, KEPT_ADD, KEPT_RESOURCE, &rec);
    expect_refused(&desk, ANN, E_ACCESS);
    put(&desk, KEPT_ADD, KEPT_RESOURCE, &rec);
    ck_assert_int_eq(send(&desk, BOB), 0);
    rec.count = 6;
    set(&desk, KEPT_RESOURCE, &rec, "count", &rec);
    ck_assert_int_eq(send(&desk, ANN), 0);
    rec.deleted = 1;
    set(&desk, KEPT_RESOURCE, &rec, "deleted", &rec);
    expect_refused(&desk, ANN, E_ACCESS);
    desk_free(&desk);
}
END_TEST

static void each_of_none(in_use_look_fn *look, void *arg, void *ctx)
{
    (void)look;
    (void)arg;
    (void)ctx;
}

static bool is_connected(const char *cluster, void *ctx)
{
    return strcmp(cluster, ctx) == 0;
}

START_TEST(a_cluster_whose_controller_is_connected_is_not_deleted)
{
    struct desk desk = desk_with_levels();
    const struct acct_clusters clusters = { each_of_none, is_connected, TEXT("mar") };

    acct_set_clusters(desk.lab->control, &clusters);
    put_cluster(&desk, "mar");
    put_cluster(&desk, "old");
    ck_assert_int_eq(send(&desk, 0), 0);
    set_cluster(&desk, "old", "deleted", (struct cluster_record){ .deleted = 1 });
    ck_assert_int_eq(send(&desk, 0), 0);
    set_cluster(&desk, "mar", "deleted", (struct cluster_record){ .deleted = 1 });
    expect_refused(&desk, 0, EBUSY);
    ck_assert_str_eq(desk.lab->err.text,
                     "cluster mar: its controller is connected; stop that before");
    desk_free(&desk);
}
END_TEST

/* ---- who is shown what ---- */

/* Returns "a b": the keys of records that the user is shown, to be freed; "refused": he may not
 * ask. */
static char *shown(const struct desk *desk, uint32_t uid, enum kept_number kind)
{
    const struct kept_list all = { .kind = kind };
    const struct caller user = lab_caller(uid);
    const struct caller caller = *lab_act(desk->lab, &user)->caller;
    struct kept_listing *listing;
    struct strbuf out = { 0 };
    const void *record;

    if (control_kept_list(desk->lab->control, &caller, &all, &listing, NULL) == -E_ACCESS)
        return xstrdup("refused");
    while ((record = control_kept_next(listing, &caller))) {
        AUTO_FREE char *key = kept_key(kept_kind_find(kind), record);

        strbuf_addf(&out, "%s%s", out.len ? " " : "", key);
    }
    control_kept_list_free(listing);
    return strbuf_steal(&out);
}

static void expect_shown(const struct desk *desk, uint32_t uid, enum kept_number kind,
                         const char *keys)
{
    AUTO_FREE char *found = shown(desk, uid, kind);

    ck_assert_str_eq(found, keys);
}

START_TEST(private_data_keeps_accounts_and_users_from_users)
{
    struct desk desk = desk_with_coordinator();

    expect_shown(&desk, BOB, KEPT_ACCOUNT, "root chem organic phys");
    expect_shown(&desk, BOB, KEPT_USER, "root ann bob");

    desk.lab->control->model->config.private_data = PRIVATE_ACCOUNTS | PRIVATE_USERS;
    expect_shown(&desk, BOB, KEPT_ACCOUNT, "refused");
    expect_shown(&desk, BOB, KEPT_USER, "bob");
    expect_shown(&desk, BOB, KEPT_ASSOC, "lab,root,, lab,phys,, lab,phys,bob,");
    expect_shown(&desk, ANN, KEPT_ACCOUNT, "chem organic");
    expect_shown(&desk, ANN, KEPT_ASSOC, "lab,root,, lab,chem,, lab,organic,, lab,chem,ann,");
    expect_shown(&desk, BOB, KEPT_QOS, "normal");
    expect_shown(&desk, 0, KEPT_USER, "root ann bob");
    ck_assert_int_eq(set_level(&desk, 0, "bob", ADMIN_OPERATOR), 0);
    expect_shown(&desk, BOB, KEPT_ACCOUNT, "root chem organic phys");
    expect_shown(&desk, ANN, KEPT_USER, "ann");
    ck_assert_int_eq(add_user(&desk, 0, "carl", "organic"), 0);
    expect_shown(&desk, ANN, KEPT_USER, "ann carl"); /* whom she may change */
    desk_free(&desk);
}
END_TEST

START_TEST(associations_and_users_are_private_as_users_not_as_accounts)
{
    struct desk desk = desk_with_coordinator();
    AUTO_FREE char *all = shown(&desk, BOB, KEPT_ASSOC);

    desk.lab->control->model->config.private_data = PRIVATE_ACCOUNTS;
    expect_shown(&desk, BOB, KEPT_ACCOUNT, "refused");
    expect_shown(&desk, BOB, KEPT_ASSOC, all);
    expect_shown(&desk, BOB, KEPT_USER, "root ann bob");
    desk.lab->control->model->config.private_data = PRIVATE_USERS;
    expect_shown(&desk, BOB, KEPT_ACCOUNT, "root chem organic phys");
    expect_shown(&desk, BOB, KEPT_ASSOC, "lab,root,, lab,phys,, lab,phys,bob,");
    desk_free(&desk);
}
END_TEST

START_TEST(a_user_whose_default_account_is_hidden_keeps_it)
{
    struct desk desk = desk_with_coordinator();
    struct assoc_record second = assoc_of("chem", "bob", NULL),
                        first = assoc_of("phys", "bob", NULL);

    first.is_default = second.is_default = true;
    set_assoc(&desk, "phys", "bob", "is_default", first);
    ck_assert_int_eq(send(&desk, 0), 0);
    put(&desk, KEPT_ADD, KEPT_ASSOC, &second);
    expect_refused(&desk, ANN, EBUSY); /* she sees it */

    desk.lab->control->model->config.private_data = PRIVATE_ACCOUNTS | PRIVATE_USERS;
    put(&desk, KEPT_ADD, KEPT_ASSOC, &second);
    ck_assert_int_eq(send(&desk, ANN), 0);
    ck_assert(!find_assoc(&desk, "chem", "bob")->is_default);
    ck_assert(find_assoc(&desk, "phys", "bob")->is_default);
    desk_free(&desk);
}
END_TEST

START_TEST(who_is_not_shown_a_users_default_account_does_not_exchange_it)
{
    struct desk desk = desk_with_coordinator();
    struct assoc_record first = assoc_of("phys", "bob", NULL),
                        second = assoc_of("chem", "bob", NULL);

    put_assoc(&desk, "chem", "bob", NULL);
    first.is_default = second.is_default = true;
    set_assoc(&desk, "phys", "bob", "is_default", first);
    ck_assert_int_eq(send(&desk, 0), 0);
    set_assoc(&desk, "chem", "bob", "is_default", second);
    expect_refused(&desk, ANN, EBUSY);
    desk.lab->control->model->config.private_data = PRIVATE_USERS;
    set_assoc(&desk, "chem", "bob", "is_default", second);
    expect_refused(&desk, ANN, E_ACCESS);
    desk_free(&desk);
}
END_TEST

/* carl is in organic, which ann takes out of the cluster, and perhaps in phys, which she may not be
 * shown: there he stays. */
static const struct {
    bool is_default, is_in_phys;
} defaults[] = { { true, true }, { true, false }, { false, true } };

START_TEST(a_default_account_may_go_and_its_users_stay_elsewhere)
{
    struct desk desk = desk_with_coordinator();
    struct assoc_record carl = assoc_of("organic", "carl", NULL);

    ck_assert_int_eq(add_user(&desk, 0, "carl", "organic"), 0);
    carl.is_default = defaults[_i].is_default;
    set_assoc(&desk, "organic", "carl", "is_default", carl);
    if (defaults[_i].is_in_phys)
        put_assoc(&desk, "phys", "carl", NULL);
    ck_assert_int_eq(send(&desk, 0), 0);
    desk.lab->control->model->config.private_data = PRIVATE_USERS;

    carl.is_default = false;
    carl.deleted = 1;
    set_assoc(&desk, "organic", "carl", "deleted is_default", carl);
    set_assoc(&desk, "organic", NULL, "deleted", carl);
    ck_assert_int_eq(send(&desk, ANN), 0);
    ck_assert_ptr_null(find_assoc(&desk, "organic", "carl"));
    ck_assert_int_eq(find_assoc(&desk, "phys", "carl") != NULL, defaults[_i].is_in_phys);
    desk_free(&desk);
}
END_TEST

START_TEST(what_was_deleted_and_is_hidden_may_be_added_again)
{
    struct desk desk = desk_with_coordinator();
    struct assoc_record organic = assoc_of("organic", NULL, "chem");
    struct assoc_record carl = assoc_of("organic", "carl", NULL);

    desk.lab->control->model->config.private_data = PRIVATE_ACCOUNTS | PRIVATE_USERS;
    ck_assert_int_eq(add_user(&desk, ANN, "carl", "organic"), 0);
    ck_assert_int_eq(drop_assoc(&desk, ANN, "organic", "carl"), 0);
    ck_assert_int_eq(drop_user(&desk, ANN, "carl"), 0);
    ck_assert_int_eq(drop_assoc(&desk, ANN, "organic", NULL), 0);
    ck_assert_int_eq(drop_account(&desk, "organic"), 0);

    put_account(&desk, "organic");
    put_user(&desk, "carl", ADMIN_OPERATOR);
    expect_refused(&desk, ANN, E_ACCESS); /* no more than a new one, and all is as it was */
    put_account(&desk, "organic");
    put_user(&desk, "carl", ADMIN_NONE);
    set_assoc(&desk, "organic", NULL, "deleted", organic);
    set_assoc(&desk, "organic", "carl", "deleted", carl);
    ck_assert_int_eq(send(&desk, ANN), 0);
    ck_assert_ptr_nonnull(acct_find_user(desk.lab->control, "carl"));
    ck_assert_ptr_nonnull(acct_find_account(desk.lab->control, "organic"));

    put_account(&desk, "phys"); /* is there, and another's */
    expect_refused(&desk, ANN, EEXIST);
    desk_free(&desk);
}
END_TEST

START_TEST(who_is_not_shown_a_record_is_not_told_of_it)
{
    struct desk desk = desk_with_accounts();

    desk.lab->control->model->config.private_data = PRIVATE_ACCOUNTS | PRIVATE_USERS;
    ck_assert_int_eq(set_shares(&desk, BOB, "chem", NULL), -ESRCH);
    ck_assert_int_eq(set_shares(&desk, BOB, "bio", NULL), -ESRCH);
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(acct_rights, CASE(an_ordinary_user_changes_nothing),
           CASE(a_user_chooses_his_own_default_account),
           CASE(a_coordinator_rules_below_his_account_and_nowhere_else),
           CASE(a_coordinator_empties_an_account_that_an_operator_deletes),
           CASE(what_an_account_may_have_is_not_for_its_own_coordinator_to_say),
           CASE(a_coordinator_grants_no_qos_that_he_has_not_himself),
           CASE(a_coordinator_takes_no_sign_away_that_withholds_what_he_has_not),
           CASE(a_coordinator_gets_no_qos_by_leaving_and_coming_back),
           CASE(what_a_deleted_user_was_granted_is_granted_no_more),
           CASE(a_coordinator_adds_no_account_that_has_no_place),
           CASE(texts_of_an_account_have_an_end),
           CASE(whoever_is_in_an_account_coordinates_it_where_its_flag_says_so),
           CASE(who_is_in_an_account_for_one_partition_only_is_in_it),
           CASE(an_account_has_no_flags_that_nobody_knows),
           CASE(moving_an_account_takes_both_its_places), CASE(a_coordinator_gives_no_admin_level),
           CASE(an_operator_changes_users_and_accounts_but_no_level),
           CASE(clusters_qos_and_federations_are_for_administrators),
           CASE(an_operator_changes_a_resource_and_no_more),
           CASE(a_cluster_whose_controller_is_connected_is_not_deleted),
           CASE(private_data_keeps_accounts_and_users_from_users),
           CASE(associations_and_users_are_private_as_users_not_as_accounts),
           CASE(a_user_whose_default_account_is_hidden_keeps_it),
           CASE(who_is_not_shown_a_users_default_account_does_not_exchange_it),
           LOOP_CASE(a_default_account_may_go_and_its_users_stay_elsewhere, ARRAY_N(defaults)),
           CASE(what_was_deleted_and_is_hidden_may_be_added_again),
           CASE(who_is_not_shown_a_record_is_not_told_of_it))
