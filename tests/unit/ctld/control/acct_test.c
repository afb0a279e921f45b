/* Accounts, users, associations and QOS: what is there, and what may be made of it. */
#include "unit/check_main.h"

#include "unit/ctld/control/acct_desk.h"

START_TEST(a_fresh_controller_has_a_root_account_a_qos_tres_and_its_cluster)
{
    struct desk desk = desk_new(NODES " tres=gres/gpu,license/matlab");
    struct control *control = desk.lab->control;
    const struct qos_record *normal = acct_find_qos(control, "normal");

    ck_assert_ptr_nonnull(acct_find_cluster(control, "lab"));
    ck_assert_ptr_nonnull(acct_find_account(control, "root"));
    ck_assert_uint_eq(acct_find_user(control, "root")->admin_level, ADMIN_ADMINISTRATOR);
    ck_assert_str_eq(find_assoc(&desk, "root", NULL)->qos[0], "normal");
    ck_assert(find_assoc(&desk, "root", "root")->is_default);
    ck_assert_uint_eq(normal->id, 1);
    ck_assert_uint_eq(tres_id(&desk, "cpu"), 1);
    ck_assert_uint_eq(tres_id(&desk, "mem"), 2);
    ck_assert_uint_eq(tres_id(&desk, "billing"), 5);
    ck_assert_uint_eq(tres_id(&desk, "pages"), 8);
    ck_assert_uint_eq(tres_id(&desk, "gres/gpu"), 1001);
    ck_assert_uint_eq(tres_id(&desk, "license/matlab"), 1002);
    desk_free(&desk);
}
END_TEST

START_TEST(an_account_and_its_association_come_in_one_request)
{
    struct desk desk = desk_new(NODES);
    const struct account_record *chem;

    ck_assert_int_eq(add_account(&desk, 0, "chem", "root"), 0);

    chem = acct_find_account(desk.lab->control, "chem");
    ck_assert_str_eq(chem->description, "chem");
    ck_assert_str_eq(chem->organization, "chem");
    ck_assert_int_eq(chem->created, desk.lab->now.wall_s);
    ck_assert_str_eq(find_assoc(&desk, "chem", NULL)->parent, "root");
    ck_assert_ptr_nonnull(strstr(strbuf_text(&desk.lab->events), "accounts: Add Accounts chem"));
    desk_free(&desk);
}
END_TEST

START_TEST(a_request_that_is_refused_leaves_nothing_half_done)
{
    struct desk desk = desk_with_accounts();

    put_account(&desk, "bio");
    put_assoc(&desk, "bio", NULL, "root");
    put_user(&desk, "carl", ADMIN_NONE);
    set_account(&desk, "chem", "description", (struct account_record){ .description = TEXT("x") });
    put_assoc(&desk, "bio", "dora", NULL);
    expect_refused(&desk, 0, E_USER_ID);
    desk_free(&desk);
}
END_TEST

START_TEST(no_account_is_below_itself)
{
    struct desk desk = desk_with_accounts();

    set_assoc(&desk, "chem", NULL, "parent", assoc_of("chem", NULL, "organic"));
    expect_refused(&desk, 0, EINVAL);
    set_assoc(&desk, "chem", NULL, "parent", assoc_of("chem", NULL, "chem"));
    expect_refused(&desk, 0, EINVAL);
    set_assoc(&desk, "chem", NULL, "parent", assoc_of("chem", NULL, NULL));
    expect_refused(&desk, 0, EINVAL);
    set_assoc(&desk, "root", NULL, "parent", assoc_of("root", NULL, "chem"));
    expect_refused(&desk, 0, EINVAL);

    /* The two change places in one request. */
    set_assoc(&desk, "organic", NULL, "parent", assoc_of("organic", NULL, "root"));
    set_assoc(&desk, "chem", NULL, "parent", assoc_of("chem", NULL, "organic"));
    ck_assert_int_eq(send(&desk, 0), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(what_an_association_names_has_to_be_there)
{
    struct desk desk = desk_with_accounts();
    char *gold = TEXT("gold"), *mixed[] = { TEXT("normal"), TEXT("+normal") };
    struct acct_amount gpus = { .tres = TEXT("gres/gpu"), .amount = 4 };
    struct assoc_record assoc = assoc_of("chem", "bob", NULL);

    set_assoc(&desk, "chem", NULL, "parent", assoc_of("chem", NULL, "bio"));
    expect_refused(&desk, 0, E_ACCOUNT);
    put_assoc(&desk, "bio", "bob", NULL);
    expect_refused(&desk, 0, E_ACCOUNT);
    put_assoc(&desk, "chem", "dora", NULL);
    expect_refused(&desk, 0, E_USER_ID);
    put_assoc(&desk, "chem", "bob", "root");
    expect_refused(&desk, 0, EINVAL);
    assoc.cluster = TEXT("mars");
    put(&desk, KEPT_ADD, KEPT_ASSOC, &assoc);
    expect_refused(&desk, 0, EINVAL);
    assoc = assoc_of("chem", "bob", NULL);
    assoc.qos = &gold;
    assoc.qos_n = 1;
    put(&desk, KEPT_ADD, KEPT_ASSOC, &assoc);
    expect_refused(&desk, 0, E_QOS);
    assoc.qos = mixed;
    assoc.qos_n = 2;
    put(&desk, KEPT_ADD, KEPT_ASSOC, &assoc);
    expect_refused(&desk, 0, E_QOS);
    assoc.qos_n = 0;
    assoc.default_qos = gold;
    put(&desk, KEPT_ADD, KEPT_ASSOC, &assoc);
    expect_refused(&desk, 0, E_QOS);
    assoc.default_qos = NULL;
    assoc.grp_tres = &gpus;
    assoc.grp_tres_n = 1;
    put(&desk, KEPT_ADD, KEPT_ASSOC, &assoc);
    expect_refused(&desk, 0, EINVAL);
    gpus.tres = TEXT("cpu");
    put(&desk, KEPT_ADD, KEPT_ASSOC, &assoc);
    ck_assert_int_eq(send(&desk, 0), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(a_coordinator_is_a_user_that_is_there)
{
    struct desk desk = desk_with_accounts();
    char *dora = TEXT("dora");

    set_account(&desk, "chem", "coordinators",
                (struct account_record){ .coordinators = &dora, .coordinators_n = 1 });
    expect_refused(&desk, 0, E_USER_ID);
    desk_free(&desk);
}
END_TEST

START_TEST(an_association_stays_whose_it_is)
{
    struct desk desk = desk_with_accounts();

    set_assoc(&desk, "chem", "ann", "user", assoc_of("chem", "bob", NULL));
    expect_refused(&desk, 0, E_NOT_SUPPORTED);
    set_assoc(&desk, "chem", "ann", "account", assoc_of("phys", "ann", NULL));
    expect_refused(&desk, 0, E_NOT_SUPPORTED);
    put_assoc(&desk, "chem", "ann", NULL);
    expect_refused(&desk, 0, EEXIST);
    desk_free(&desk);
}
END_TEST

START_TEST(a_wckey_stays_whose_it_is)
{
    struct desk desk = desk_with_accounts();
    struct wckey_record wckey;

    wckey_record_init(&wckey);
    wckey.cluster = TEXT("lab");
    wckey.user = TEXT("ann");
    wckey.name = TEXT("key");
    put(&desk, KEPT_ADD, KEPT_WCKEY, &wckey);
    ck_assert_int_eq(send(&desk, 0), 0);

    wckey.key = TEXT("lab,ann,key");
    wckey.user = TEXT("bob");
    set(&desk, KEPT_WCKEY, &wckey, "user", &wckey);
    expect_refused(&desk, 0, E_NOT_SUPPORTED);
    desk_free(&desk);
}
END_TEST

START_TEST(a_name_has_small_letters_and_may_have_blanks_inside)
{
    static const char *const good[] = { "a", "a b", "1; drop table kept", "x--", "#1 (new)" };
    static const char *const bad[] = { "",    "Chem",         " a", "a ", "a,b",  "a=b",
                                       "a/b", "x' or 'a'='a", "+a", "-a", "\"a\"" };
    struct desk desk = desk_new(NODES);

    for (size_t i = 0; i < ARRAY_N(good); i++) {
        ck_assert_int_eq(add_account(&desk, 0, good[i], "root"), 0);
        ck_assert_str_eq(acct_find_account(desk.lab->control, good[i])->name, good[i]);
    }
    for (size_t i = 0; i < ARRAY_N(bad); i++) {
        put_account(&desk, bad[i]);
        expect_refused(&desk, 0, EINVAL);
        put_user(&desk, bad[i], ADMIN_NONE);
        expect_refused(&desk, 0, EINVAL);
    }
    desk_free(&desk);
}
END_TEST

START_TEST(a_name_has_no_control_characters_and_an_end)
{
    AUTO_FREE char *longest = xcalloc(1, ACCT_NAME_MAX + 1), *huge = xcalloc(1, 10001);
    struct desk desk = desk_new(NODES);

    memset(longest, 'a', ACCT_NAME_MAX);
    memset(huge, 'a', 10000);
    ck_assert_int_eq(add_account(&desk, 0, longest, "root"), 0);
    put_account(&desk, huge);
    expect_refused(&desk, 0, EINVAL);
    put_account(&desk, "a\033[2Jb");
    ck_assert_int_lt(send(&desk, 0), 0);
    put_account(&desk, "a\nb");
    ck_assert_int_lt(send(&desk, 0), 0);
    ck_assert_ptr_null(acct_find_account(desk.lab->control, "a\nb"));
    desk_free(&desk);
}
END_TEST

START_TEST(no_text_of_a_record_has_control_characters)
{
    struct desk desk = desk_with_accounts();
    AUTO_FREE char *before = picture(&desk), *after = NULL;
    struct assoc_record assoc = assoc_of("chem", "ann", NULL);
    struct account_record account;

    set_account(&desk, "chem", "description",
                (struct account_record){ .description = TEXT("a\033[2Jb") });
    ck_assert_int_lt(send(&desk, 0), 0);
    account_record_init(&account);
    account.name = TEXT("bio");
    account.description = TEXT("a\nb");
    put(&desk, KEPT_ADD, KEPT_ACCOUNT, &account);
    ck_assert_int_lt(send(&desk, 0), 0);
    assoc.comment = TEXT("a\nb");
    set_assoc(&desk, "chem", "ann", "comment", assoc);
    ck_assert_int_lt(send(&desk, 0), 0);

    after = picture(&desk);
    ck_assert_str_eq(before, after);
    desk_free(&desk);
}
END_TEST

/* ---- deleting ---- */

START_TEST(what_others_hang_on_is_not_deleted)
{
    struct desk desk = desk_with_accounts();

    ck_assert_int_eq(drop_assoc(&desk, 0, "chem", NULL), -EBUSY);
    ck_assert_int_eq(drop_assoc(&desk, 0, "phys", NULL), -EBUSY);
    ck_assert_int_eq(drop_account(&desk, "chem"), -EBUSY);
    ck_assert_int_eq(drop_user(&desk, 0, "ann"), -EBUSY);
    ck_assert_int_eq(drop_assoc(&desk, 0, "organic", NULL), 0);
    ck_assert_int_eq(drop_account(&desk, "organic"), 0);
    ck_assert_int_eq(drop_assoc(&desk, 0, "chem", "ann"), 0);
    ck_assert_int_eq(drop_user(&desk, 0, "ann"), 0);
    ck_assert_int_eq(drop_assoc(&desk, 0, "chem", NULL), 0);
    ck_assert_int_eq(drop_account(&desk, "chem"), 0);
    ck_assert_ptr_null(acct_find_account(desk.lab->control, "chem"));
    desk_free(&desk);
}
END_TEST

START_TEST(an_account_with_jobs_is_not_deleted)
{
    struct desk desk = desk_with_accounts();
    const uint32_t job = lab_submit_as(desk.lab, ANN, "on=n1 account=chem");

    ck_assert_int_eq(drop_assoc(&desk, 0, "chem", "ann"), -EBUSY);
    lab_exit(desk.lab, job, STEP_BATCH, 0);
    ck_assert_int_eq(drop_assoc(&desk, 0, "chem", "ann"), 0);
    desk_free(&desk);
}
END_TEST

/* Sends deletions of associations of chem, one for each user, as one request. */
static void expect_in_use(struct desk *desk, const char *const *users, uint32_t n, const char *said)
{
    for (uint32_t i = 0; i < n; i++) {
        struct assoc_record gone = assoc_of("chem", users[i], NULL);

        gone.deleted = 1;
        set_assoc(desk, "chem", users[i], "deleted", gone);
    }
    expect_refused(desk, 0, EBUSY);
    ck_assert_str_eq(desk->lab->err.text, said);
}

START_TEST(jobs_of_all_associations_that_were_to_go_are_named)
{
    static const char *const both[] = { "bob", "ann" };
    struct desk desk = desk_with_accounts();

    put_assoc(&desk, "chem", "bob", NULL);
    ck_assert_int_eq(send(&desk, 0), 0);
    lab_submit_as(desk.lab, ANN, "account=chem ntasks=1");
    lab_submit_as(desk.lab, BOB, "account=chem ntasks=1 hold=1");
    lab_submit_as(desk.lab, ANN, "account=chem ntasks=1 hold=1");
    expect_in_use(&desk, both, 2,
                  "Job(s) active, cancel job(s) before remove\n"
                  "  JobID = 1          C = lab        A = chem       U = ann      \n"
                  "  JobID = 2          C = lab        A = chem       U = bob      \n"
                  "  JobID = 3          C = lab        A = chem       U = ann      ");
    expect_in_use(&desk, both, 1,
                  "Job(s) active, cancel job(s) before remove\n"
                  "  JobID = 2          C = lab        A = chem       U = bob      ");
    desk_free(&desk);
}
END_TEST

START_TEST(jobs_beyond_the_room_of_an_error_are_counted)
{
    struct desk desk = desk_with_accounts();
    const char *last;

    for (uint32_t i = 0; i < 20; i++)
        lab_submit_as(desk.lab, ANN, "account=chem ntasks=1 hold=1");
    ck_assert_int_eq(drop_assoc(&desk, 0, "chem", "ann"), -EBUSY);
    last = strrchr(desk.lab->err.text, '\n');
    ck_assert_str_eq(last, "\n  and 14 more");
    desk_free(&desk);
}
END_TEST

START_TEST(a_qos_is_not_deleted_before_its_jobs)
{
    struct desk desk = desk_with_accounts();
    struct qos_record qos;
    uint32_t jobs[2];

    qos_record_init(&qos);
    qos.name = TEXT("high");
    put(&desk, KEPT_ADD, KEPT_QOS, &qos);
    ck_assert_int_eq(send(&desk, 0), 0);
    for (uint32_t i = 0; i < ARRAY_N(jobs); i++)
        jobs[i] = lab_submit_as(desk.lab, ANN, "account=chem qos=high ntasks=1");
    qos.deleted = 1;
    set(&desk, KEPT_QOS, &qos, "deleted", &qos);
    expect_refused(&desk, 0, EBUSY);
    ck_assert_str_eq(desk.lab->err.text,
                     "Job(s) active, cancel job(s) before remove\n"
                     "  JobID = 1          C = lab        A = chem       U = ann      \n"
                     "  JobID = 2          C = lab        A = chem       U = ann      ");
    for (uint32_t i = 0; i < ARRAY_N(jobs); i++)
        lab_exit(desk.lab, jobs[i], STEP_BATCH, 0);
    set(&desk, KEPT_QOS, &qos, "deleted", &qos);
    ck_assert_int_eq(send(&desk, 0), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(a_wckey_is_not_deleted_before_its_jobs)
{
    struct desk desk = desk_with_accounts();
    struct wckey_record wckey;
    uint32_t job;

    wckey_record_init(&wckey);
    wckey.cluster = TEXT("lab");
    wckey.user = TEXT("ann");
    wckey.name = TEXT("key");
    put(&desk, KEPT_ADD, KEPT_WCKEY, &wckey);
    ck_assert_int_eq(send(&desk, 0), 0);
    job = lab_submit_as(desk.lab, ANN, "account=chem wckey=*key");
    wckey.key = TEXT("lab,ann,key");
    wckey.deleted = 1;
    set(&desk, KEPT_WCKEY, &wckey, "deleted", &wckey);
    expect_refused(&desk, 0, EBUSY);
    lab_exit(desk.lab, job, STEP_BATCH, 0);
    set(&desk, KEPT_WCKEY, &wckey, "deleted", &wckey);
    ck_assert_int_eq(send(&desk, 0), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(the_root_account_and_this_cluster_stay)
{
    struct desk desk = desk_new(NODES);
    struct cluster_record cluster;

    ck_assert_int_eq(drop_assoc(&desk, 0, "root", "root"), 0);
    ck_assert_int_eq(drop_assoc(&desk, 0, "root", NULL), -EBUSY);
    ck_assert_int_eq(drop_account(&desk, "root"), -EBUSY);
    cluster_record_init(&cluster);
    cluster.name = TEXT("lab");
    cluster.deleted = 1;
    set(&desk, KEPT_CLUSTER, &cluster, "deleted", &cluster);
    expect_refused(&desk, 0, EBUSY);
    desk_free(&desk);
}
END_TEST

START_TEST(a_qos_that_is_named_is_not_deleted)
{
    struct desk desk = desk_new(NODES);
    struct qos_record qos;

    set_qos(&desk, "normal", "deleted", (struct qos_record){ .deleted = 1 });
    expect_refused(&desk, 0, EBUSY);
    qos_record_init(&qos);
    qos.name = TEXT("gold");
    put(&desk, KEPT_ADD, KEPT_QOS, &qos);
    ck_assert_int_eq(send(&desk, 0), 0);
    set_qos(&desk, "gold", "deleted", (struct qos_record){ .deleted = 1 });
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_ptr_null(acct_find_qos(desk.lab->control, "gold"));
    desk_free(&desk);
}
END_TEST

START_TEST(a_qos_has_flags_that_are_known)
{
    struct desk desk = desk_new(NODES);

    set_qos(&desk, "normal", "flags", (struct qos_record){ .flags = UINT32_C(1) << 30 });
    expect_refused(&desk, 0, EINVAL);
    set_qos(&desk, "normal", "preempt_mode", (struct qos_record){ .preempt_mode = 77 });
    expect_refused(&desk, 0, EINVAL);
    set_qos(&desk, "normal", "flags", (struct qos_record){ .flags = QOS_NO_DECAY });
    ck_assert_int_eq(send(&desk, 0), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(a_record_is_deleted_and_brought_back_but_never_removed)
{
    struct desk desk = desk_with_accounts();
    const struct kept_table *table = control_kept(desk.lab->control, KEPT_ACCOUNT);
    const int64_t first = desk.lab->now.wall_s;
    const struct account_record *organic;
    struct kept_edit *edit;

    ck_assert_int_eq(drop_assoc(&desk, 0, "organic", NULL), 0);
    ck_assert_int_eq(drop_account(&desk, "organic"), 0);
    organic = kept_find(table, "organic");
    ck_assert_int_eq(organic->deleted, first);
    lab_wait(desk.lab, 60);

    put_account(&desk, "organic");
    expect_refused(&desk, 0, EEXIST);
    set_account(&desk, "organic", "deleted", (struct account_record){ .deleted = 0 });
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_ptr_nonnull(acct_find_account(desk.lab->control, "organic"));
    ck_assert_int_eq(organic->created, first + 60);

    edit = put(&desk, KEPT_REMOVE, KEPT_ACCOUNT, organic);
    edit->like = schema_encode_blob(account_record_schema(), organic);
    lab_match(edit, account_record_schema(), "name");
    expect_refused(&desk, 0, E_NOT_SUPPORTED);
    desk_free(&desk);
}
END_TEST

START_TEST(times_and_numbers_are_the_controllers)
{
    struct desk desk = desk_with_accounts();
    struct assoc_record assoc = assoc_of("chem", "ann", NULL);
    const uint32_t id = find_assoc(&desk, "chem", "ann")->id;
    const int64_t added_ms = find_assoc(&desk, "chem", "ann")->added_ms;
    const int64_t created = desk.lab->now.wall_s;

    lab_wait(desk.lab, 60);
    assoc.id = 1;
    assoc.created = 5;
    assoc.modified = 6;
    assoc.added_ms = 7;
    set_assoc(&desk, "chem", "ann", "id created modified added_ms", assoc);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_int_eq(find_assoc(&desk, "chem", "ann")->added_ms, added_ms);
    ck_assert_uint_eq(find_assoc(&desk, "chem", "ann")->id, id);
    ck_assert_int_eq(find_assoc(&desk, "chem", "ann")->created, created);
    ck_assert_int_eq(find_assoc(&desk, "chem", "ann")->modified, created + 60);

    assoc = assoc_of("organic", "ann", NULL);
    assoc.deleted = 1;
    put(&desk, KEPT_ADD, KEPT_ASSOC, &assoc);
    expect_refused(&desk, 0, EINVAL);
    desk_free(&desk);
}
END_TEST

START_TEST(who_looked_before_another_changed_it_does_not_overwrite)
{
    struct desk desk = desk_with_accounts();
    struct account_record seen = { .description = TEXT("chem") };
    struct account_record mine = { .description = TEXT("mine") };
    struct account_record theirs = { .description = TEXT("theirs") };

    for (int i = 0; i < 2; i++) {
        struct kept_edit *edit;

        seen.name = TEXT("chem");
        set(&desk, KEPT_ACCOUNT, &seen, "description", i == 0 ? &theirs : &mine);
        edit = &desk.change.edits[0];
        lab_match(edit, account_record_schema(), "description");
        ck_assert_int_eq(send(&desk, 0), i == 0 ? 0 : -ESRCH);
    }
    ck_assert_str_eq(acct_find_account(desk.lab->control, "chem")->description, "theirs");
    desk_free(&desk);
}
END_TEST

START_TEST(numbers_go_on_after_a_restart)
{
    struct desk desk = desk_with_accounts();
    const uint32_t last = find_assoc(&desk, "phys", "bob")->id;
    AUTO_FREE char *before = NULL, *after = NULL;

    ck_assert_int_eq(drop_assoc(&desk, 0, "phys", "bob"), 0);
    before = picture(&desk);
    lab_restart(desk.lab, NODES);
    after = picture(&desk);
    ck_assert_str_eq(before, after);
    put_assoc(&desk, "chem", "bob", NULL);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_uint_eq(find_assoc(&desk, "chem", "bob")->id, last + 1);

    /* What is counted by now has the next number. */
    lab_restart(desk.lab, NODES " tres=gres/gpu");
    ck_assert_uint_eq(tres_id(&desk, "gres/gpu"), 1001);
    lab_restart(desk.lab, NODES " tres=gres/tape,gres/gpu");
    ck_assert_uint_eq(tres_id(&desk, "gres/gpu"), 1001);
    ck_assert_uint_eq(tres_id(&desk, "gres/tape"), 1002);
    desk_free(&desk);
}
END_TEST

START_TEST(a_resource_is_shared_out_among_clusters_that_are_there)
{
    struct desk desk = desk_new(NODES);

    ck_assert_int_eq(add_resource(&desk, 0, "nosuch", 40), -EINVAL);
    ck_assert_int_eq(add_resource(&desk, 0, "lab", 101), -EINVAL);
    ck_assert_str_eq(desk.lab->err.text, "resource matlab@flex: clusters would have 101% of 100");
    ck_assert_int_eq(add_resource(&desk, ANN, "lab", 40), -E_ACCESS);
    ck_assert_int_eq(add_resource(&desk, 0, "lab", 40), 0);
    ck_assert_ptr_nonnull(kept_find(control_kept(desk.lab->control, KEPT_RESOURCE), "matlab@flex"));
    desk_free(&desk);
}
END_TEST

START_TEST(a_cluster_is_in_a_federation_that_is_there_and_stays)
{
    struct desk desk = desk_new(NODES);
    struct cluster_record cluster;
    struct federation_record federation;

    cluster_record_init(&cluster);
    cluster.name = TEXT("lab");
    cluster.federation = TEXT("fed");
    federation_record_init(&federation);
    federation.name = TEXT("fed");

    set(&desk, KEPT_CLUSTER, &cluster, "federation", &cluster);
    ck_assert_int_eq(send(&desk, 0), -EINVAL);
    put(&desk, KEPT_ADD, KEPT_FEDERATION, &federation);
    ck_assert_int_eq(send(&desk, ANN), -E_ACCESS);
    put(&desk, KEPT_ADD, KEPT_FEDERATION, &federation);
    set(&desk, KEPT_CLUSTER, &cluster, "federation", &cluster);
    ck_assert_int_eq(send(&desk, 0), 0);
    federation.deleted = 1;
    set(&desk, KEPT_FEDERATION, &federation, "deleted", &federation);
    ck_assert_int_eq(send(&desk, 0), -EBUSY);
    desk_free(&desk);
}
END_TEST

/* One edit without a key looks at every record. */
START_TEST(edits_that_look_at_too_many_records_are_refused)
{
    struct desk desk = desk_with_accounts();
    const struct user_record values = { .name = TEXT("ann") };

    for (int i = 0; i < 100000; i++)
        put(&desk, KEPT_ALTER, KEPT_USER, &values);
    expect_refused(&desk, 0, E2BIG);
    for (int i = 0; i < 1000; i++)
        put(&desk, KEPT_ALTER, KEPT_USER, &values);
    ck_assert_int_eq(send(&desk, 0), 0);
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(acct, CASE(a_cluster_is_in_a_federation_that_is_there_and_stays),
           CASE(a_resource_is_shared_out_among_clusters_that_are_there),
           CASE(a_fresh_controller_has_a_root_account_a_qos_tres_and_its_cluster),
           CASE(an_account_and_its_association_come_in_one_request),
           CASE(a_request_that_is_refused_leaves_nothing_half_done),
           CASE(no_account_is_below_itself), CASE(what_an_association_names_has_to_be_there),
           CASE(a_coordinator_is_a_user_that_is_there), CASE(an_association_stays_whose_it_is),
           CASE(a_wckey_stays_whose_it_is),
           CASE(a_name_has_small_letters_and_may_have_blanks_inside),
           CASE(a_name_has_no_control_characters_and_an_end),
           CASE(no_text_of_a_record_has_control_characters),
           CASE(what_others_hang_on_is_not_deleted), CASE(an_account_with_jobs_is_not_deleted),
           CASE(jobs_of_all_associations_that_were_to_go_are_named),
           CASE(jobs_beyond_the_room_of_an_error_are_counted),
           CASE(a_qos_is_not_deleted_before_its_jobs), CASE(a_wckey_is_not_deleted_before_its_jobs),
           CASE(the_root_account_and_this_cluster_stay), CASE(a_qos_that_is_named_is_not_deleted),
           CASE(a_qos_has_flags_that_are_known),
           CASE(a_record_is_deleted_and_brought_back_but_never_removed),
           CASE(times_and_numbers_are_the_controllers),
           CASE(who_looked_before_another_changed_it_does_not_overwrite),
           CASE(numbers_go_on_after_a_restart),
           CASE(edits_that_look_at_too_many_records_are_refused))
