/* What shares, usage, QOS and associations do to priorities. */
#include "unit/check_main.h"

#include "unit/ctld/control/acct_desk.h"
#include "ctld/control/acct/fair.h"
#include "ctld/control/answer/shares.h"

#define CLUSTER "nodes=1 cpus=2 multifactor=1 weight_fair=1000 "

/* Accounts chem and phys with as many shares, ann in chem, bob in phys. */
static struct desk begin(const char *config)
{
    struct desk desk = desk_new(config);

    ck_assert_int_eq(add_account(&desk, 0, "chem", "root"), 0);
    ck_assert_int_eq(add_account(&desk, 0, "phys", "root"), 0);
    ck_assert_int_eq(add_user(&desk, 0, "ann", "chem"), 0);
    ck_assert_int_eq(add_user(&desk, 0, "bob", "phys"), 0);
    return desk;
}

static uint64_t priority(const struct desk *desk, uint32_t job)
{
    return lab_job(desk->lab, job)->rec.priority;
}

static uint32_t submit_as_ann(struct desk *desk, const char *text)
{
    return lab_submit_as(desk->lab, ANN, text);
}

static uint32_t submit_as_bob(struct desk *desk, const char *text)
{
    return lab_submit_as(desk->lab, BOB, text);
}

/* Three users are ranked (root is one): who has used nothing is first, and ties share. */
START_TEST(priorities_follow_usage_at_the_end_of_a_period)
{
    struct desk desk = begin(CLUSTER "calc_period=300");
    uint32_t anns, bobs;

    submit_as_ann(&desk, "account=chem ntasks=2");
    anns = submit_as_ann(&desk, "account=chem");
    bobs = submit_as_bob(&desk, "account=phys");
    ck_assert_uint_eq(priority(&desk, anns), 1000);
    lab_wait(desk.lab, 290);
    ck_assert_uint_eq(priority(&desk, anns), 1000);
    lab_wait(desk.lab, 20);

    ck_assert_uint_eq(priority(&desk, anns), 333);
    ck_assert_uint_eq(priority(&desk, bobs), 1000);
    desk_free(&desk);
}
END_TEST

START_TEST(who_has_used_less_starts_first)
{
    struct desk desk = begin(CLUSTER "calc_period=300");
    const uint32_t first = submit_as_ann(&desk, "account=chem ntasks=2");
    const uint32_t anns = submit_as_ann(&desk, "account=chem ntasks=2");
    const uint32_t bobs = submit_as_bob(&desk, "account=phys ntasks=2");

    lab_wait(desk.lab, 310);
    lab_exit(desk.lab, first, STEP_BATCH, 0);

    ck_assert_str_eq(lab_state(desk.lab, bobs), "RUNNING");
    ck_assert_str_eq(lab_state(desk.lab, anns), "PENDING");
    desk_free(&desk);
}
END_TEST

START_TEST(the_classic_way_is_that_of_the_flag)
{
    struct desk desk = begin(CLUSTER "priority_flags=8"); /* NO_FAIR_TREE */
    uint32_t anns, bobs;

    submit_as_ann(&desk, "account=chem ntasks=2");
    anns = submit_as_ann(&desk, "account=chem");
    bobs = submit_as_bob(&desk, "account=phys");
    lab_wait(desk.lab, 310);

    ck_assert_uint_eq(priority(&desk, anns),
                      125); /* all of the usage, a third of the shares: 2^-3 */
    ck_assert_uint_eq(priority(&desk, bobs), 1000);
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_without_association_has_no_share)
{
    struct desk desk = begin(CLUSTER);

    submit_as_ann(&desk, "account=chem ntasks=2");
    ck_assert_uint_eq(priority(&desk, submit_as_ann(&desk, "account=phys")), 1);
    desk_free(&desk);
}
END_TEST

static const struct {
    const char *config;
    uint64_t anns, bobs;
} standings[] = {
    { "weight_assoc=1000", 1000, 400 },
    { "weight_assoc=1000 priority_flags=64", 50000, 20000 },
    { "weight_qos=1000", 1000, 250 },
    { "weight_qos=1000 priority_flags=256", 40000, 10000 },
};

/* The account chem has Priority=50, which ann gets from it, and bob 20; of the QOS "high" has 40
 * and normal 10. As with Slurm 22.05. */
START_TEST(associations_and_qos_have_priorities)
{
    AUTO_FREE char *config = xasprintf("nodes=1 cpus=2 multifactor=1 %s", standings[_i].config);
    struct desk desk = begin(config);
    struct assoc_record assoc;
    struct qos_record high;

    assoc = assoc_of("chem", NULL, NULL);
    assoc.priority = 50;
    set_assoc(&desk, "chem", NULL, "priority", assoc);
    assoc = assoc_of("phys", "bob", NULL);
    assoc.priority = 20;
    set_assoc(&desk, "phys", "bob", "priority", assoc);
    qos_record_init(&high);
    high.name = TEXT("high");
    high.priority = 40;
    put(&desk, KEPT_ADD, KEPT_QOS, &high);
    set_qos(&desk, "normal", "priority", (struct qos_record){ .priority = 10 });
    ck_assert_int_eq(send(&desk, 0), 0);
    submit_as_ann(&desk, "account=chem ntasks=2");

    ck_assert_uint_eq(priority(&desk, submit_as_ann(&desk, "account=chem qos=high")),
                      standings[_i].anns);
    ck_assert_uint_eq(priority(&desk, submit_as_bob(&desk, "account=phys")), standings[_i].bobs);
    desk_free(&desk);
}
END_TEST

START_TEST(a_new_share_counts_at_once)
{
    struct desk desk = begin(CLUSTER);
    const struct assoc *ann;

    submit_as_ann(&desk, "account=chem ntasks=2");
    submit_as_ann(&desk, "account=chem");
    ann = acct_tree_find(desk.lab->control, "chem", "ann", NULL);
    ck_assert(fair_of(desk.lab->control, desk.lab->now, ann->parent)->norm_shares == 1.0 / 3);
    set_shares(&desk, 0, "chem", NULL); /* to 7, beside phys and the user root with 1 each */

    ann = acct_tree_find(desk.lab->control, "chem", "ann", NULL);
    ck_assert(fair_of(desk.lab->control, desk.lab->now, ann->parent)->norm_shares == 7.0 / 9);
    desk_free(&desk);
}
END_TEST

/* ---- what sshare is told ---- */

/* Returns "chem/ann phys" of what the user is told, until the next call. */
static const char *told(const struct desk *desk, uint32_t uid, const struct share_list *request)
{
    static char text[200];
    const struct caller caller = lab_caller(uid);
    struct share_listing *listing =
        control_share_list(desk->lab->control, desk->lab->now, &caller, request);
    AUTO(strbuf) struct strbuf out = { 0 };
    struct share_info info;

    while (control_share_next(listing, &info)) {
        strbuf_addf(&out, "%s%s%s%s", out.len ? " " : "", info.account, info.user ? "/" : "",
                    info.user ? info.user : "");
        share_info_clear(&info);
    }
    control_share_list_free(listing);
    snprintf(text, sizeof(text), "%s", strbuf_text(&out));
    return text;
}

START_TEST(shares_are_told_down_the_tree_users_before_accounts)
{
    struct desk desk = begin(CLUSTER);
    const struct share_list all = { 0 };

    ck_assert_int_eq(add_account(&desk, 0, "algebra", "chem"), 0);
    ck_assert_str_eq(told(&desk, BOB, &all), "root root/root chem chem/ann algebra phys phys/bob");
    desk_free(&desk);
}
END_TEST

START_TEST(shares_are_told_of_accounts_and_users_that_are_named)
{
    struct desk desk = begin(CLUSTER);
    char *names[] = { TEXT("CHEM"), TEXT("phys") }, *bob = TEXT("bob");
    const struct share_list request = {
        .accounts = names, .accounts_n = 2, .users = &bob, .users_n = 1
    };

    ck_assert_str_eq(told(&desk, BOB, &request), "chem phys phys/bob");
    desk_free(&desk);
}
END_TEST

START_TEST(with_private_usage_users_are_told_of_themselves_and_coordinators_of_their_accounts)
{
    struct desk desk = begin(CLUSTER);
    const struct share_list all = { 0 };
    char *ann = TEXT("ann");

    desk.lab->control->model->config.private_data = PRIVATE_USAGE;
    ck_assert_str_eq(told(&desk, BOB, &all), "phys/bob");
    set_account(&desk, "chem", "coordinators",
                (struct account_record){ .coordinators = &ann, .coordinators_n = 1 });
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_str_eq(told(&desk, ANN, &all), "chem chem/ann");
    ck_assert_str_eq(told(&desk, 0, &all), "root root/root chem chem/ann phys phys/bob");
    desk_free(&desk);
}
END_TEST

START_TEST(where_nobody_uses_accounts_no_shares_are_told)
{
    struct desk desk = desk_new(CLUSTER);
    const struct share_list all = { 0 };

    ck_assert_str_eq(told(&desk, 0, &all), "");
    desk_free(&desk);
}
END_TEST

START_TEST(usage_limits_and_what_running_jobs_may_still_use_are_told)
{
    struct desk desk = begin(CLUSTER);
    const struct caller root = lab_caller(0);
    const struct share_list all = { 0 };
    struct share_listing *listing;
    struct share_info info;

    submit_as_ann(&desk, "account=chem ntasks=2 time=600");
    lab_wait(desk.lab, 100);
    listing = control_share_list(desk.lab->control, desk.lab->now, &root, &all);
    ck_assert(control_share_next(listing, &info));

    ck_assert_str_eq(info.account, "root");
    ck_assert_str_eq(info.used[0].tres, "cpu");
    ck_assert_uint_eq(info.used[0].amount, 200000);
    ck_assert_uint_eq(info.run[0].amount, 1000000);
    share_info_clear(&info);
    control_share_list_free(listing);
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(acct_fair, CASE(priorities_follow_usage_at_the_end_of_a_period),
           CASE(who_has_used_less_starts_first), CASE(the_classic_way_is_that_of_the_flag),
           CASE(a_job_without_association_has_no_share),
           LOOP_CASE(associations_and_qos_have_priorities, ARRAY_N(standings)),
           CASE(a_new_share_counts_at_once),
           CASE(shares_are_told_down_the_tree_users_before_accounts),
           CASE(shares_are_told_of_accounts_and_users_that_are_named),
           CASE(with_private_usage_users_are_told_of_themselves_and_coordinators_of_their_accounts),
           CASE(where_nobody_uses_accounts_no_shares_are_told),
           CASE(usage_limits_and_what_running_jobs_may_still_use_are_told))
