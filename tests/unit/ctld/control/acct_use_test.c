/* What associations and QOS are told to use at one moment. */
#include "unit/check_main.h"

#include "unit/ctld/control/acct_desk.h"
#include "ctld/control/answer/use.h"

#define CLUSTER "nodes=2 cpus=4 multifactor=1 "

/* Ann and bob in chem, which is below science. */
static struct desk begin(const char *config)
{
    struct desk desk = desk_new(config);

    ck_assert_int_eq(add_account(&desk, 0, "science", "root"), 0);
    ck_assert_int_eq(add_account(&desk, 0, "chem", "science"), 0);
    ck_assert_int_eq(add_user(&desk, 0, "ann", "chem"), 0);
    ck_assert_int_eq(add_user(&desk, 0, "bob", "chem"), 0);
    return desk;
}

static const char *word(const char *text)
{
    return text ? text : "-";
}

static void add_amount(const struct acct_amount *list, uint32_t n, const char *tres, uint64_t unit,
                       struct strbuf *out)
{
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(list[i].tres, tres) == 0) {
            strbuf_addc(out, ' ');
            strbuf_addu(out, list[i].amount / unit);
        }
    }
}

/* Returns the name of the association with that id, or of its account. */
static const char *name_of(const struct desk *desk, uint32_t id)
{
    const struct assoc_record *rec;
    uint64_t serial = 0;

    while ((rec = kept_next(control_kept(desk->lab->control, KEPT_ASSOC), &serial))) {
        if (rec->id == id)
            return rec->user ? rec->user : rec->account;
    }
    return "?";
}

/* Tells whoever has jobs, as the user sees it: "ann: 1/2 0 3 1 300" are one that runs of two, none
 * that accrues, cpus and nodes that they hold, and cpu seconds that they may still use. */
static char *told(struct desk *desk, uint32_t uid)
{
    const struct caller caller = lab_caller(uid);
    struct use_listing *listing = control_use_list(desk->lab->control, desk->lab->now, &caller);
    struct strbuf text = { 0 };
    struct acct_use use;

    while (control_use_next(listing, &use)) {
        if (use.submitted) {
            if (use.assoc_id)
                strbuf_adds(&text, name_of(desk, use.assoc_id));
            else
                strbuf_addf(&text, "qos %s %s", word(use.account), word(use.user));
            strbuf_addf(&text, ": %u/%u %u", use.jobs, use.submitted, use.accruing);
            add_amount(use.held, use.held_n, "cpu", 1, &text);
            add_amount(use.held, use.held_n, "node", 1, &text);
            add_amount(use.left, use.left_n, "cpu", 1000, &text);
            strbuf_addc(&text, '\n');
        }
        acct_use_clear(&use);
    }
    control_use_list_free(listing);
    return text.data;
}

START_TEST(accounts_use_what_is_used_in_them)
{
    struct desk desk = begin(CLUSTER);
    AUTO_FREE char *text = NULL;

    lab_submit_as(desk.lab, ANN, "account=chem ntasks=3 time=100");
    lab_submit_as(desk.lab, BOB, "account=chem ntasks=2 time=60");
    lab_submit_as(desk.lab, BOB, "account=chem ntasks=1 time=60 begin=5000000000");
    lab_submit_as(desk.lab, ANN, "account=chem ntasks=8 time=60");
    text = told(&desk, 0);

    ck_assert_str_eq(text, "root: 2/4 1 5 2 420\n"
                           "science: 2/4 1 5 2 420\n"
                           "chem: 2/4 1 5 2 420\n"
                           "ann: 1/2 1 3 1 300\n"
                           "bob: 1/2 0 2 1 120\n"
                           "qos - -: 2/4 1 5 2 420\n"
                           "qos chem -: 2/4 1 5 2 420\n"
                           "qos - ann: 1/2 1 3 1 300\n"
                           "qos - bob: 1/2 0 2 1 120\n");
    desk_free(&desk);
}
END_TEST

START_TEST(only_jobs_with_a_place_grow_older)
{
    struct desk desk = begin(CLUSTER "enforce=19 ");
    AUTO_FREE char *text = NULL;

    set_assoc(&desk, "chem", "ann", "grp_jobs_accrue",
              (struct assoc_record){ .grp_jobs_accrue = 1 });
    ck_assert_int_eq(send(&desk, 0), 0);
    for (int i = 0; i < 3; i++) /* one runs */
        lab_submit_as(desk.lab, ANN, "account=chem ntasks=8 time=60");
    text = told(&desk, 0);

    ck_assert_ptr_nonnull(strstr(text, "ann: 1/3 1 8 2 480\n"));
    desk_free(&desk);
}
END_TEST

START_TEST(jobs_that_share_a_node_hold_one)
{
    struct desk desk = begin(CLUSTER);
    AUTO_FREE char *text = NULL;

    lab_submit_as(desk.lab, ANN, "account=chem ntasks=1 time=100");
    lab_submit_as(desk.lab, ANN, "account=chem ntasks=1 time=100");
    text = told(&desk, 0);

    ck_assert_ptr_nonnull(strstr(text, "ann: 2/2 0 2 1 200\n"));
    desk_free(&desk);
}
END_TEST

START_TEST(what_may_still_be_used_counts_by_the_usage_factor)
{
    struct desk desk = begin(CLUSTER);
    AUTO_FREE char *text = NULL;

    set_qos(&desk, "normal", "usage_factor_above_1",
            (struct qos_record){ .usage_factor_above_1 = 1000000 });
    ck_assert_int_eq(send(&desk, 0), 0);
    lab_submit_as(desk.lab, ANN, "account=chem ntasks=1 time=100");
    text = told(&desk, 0);

    ck_assert_ptr_nonnull(strstr(text, "ann: 1/1 0 1 1 200\n"));
    desk_free(&desk);
}
END_TEST

START_TEST(private_usage_is_told_to_who_it_is_of)
{
    struct desk desk = begin(CLUSTER);
    AUTO_FREE char *text = NULL;

    desk.lab->control->model->config.private_data = PRIVATE_USAGE;
    lab_submit_as(desk.lab, ANN, "account=chem ntasks=1 time=100");
    lab_submit_as(desk.lab, BOB, "account=chem ntasks=1 time=100");
    text = told(&desk, ANN);

    ck_assert_str_eq(text, "ann: 1/1 0 1 1 100\n"
                           "qos - -: 2/2 0 2 1 200\n"
                           "qos - ann: 1/1 0 1 1 100\n");
    desk_free(&desk);
}
END_TEST

START_TEST(nothing_is_told_where_nobody_uses_accounts)
{
    struct desk desk = desk_new(CLUSTER);
    AUTO_FREE char *text = NULL;

    lab_submit_as(desk.lab, ANN, "ntasks=1");
    text = told(&desk, 0);

    ck_assert_ptr_null(text);
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(acct_use, CASE(accounts_use_what_is_used_in_them),
           CASE(only_jobs_with_a_place_grow_older), CASE(jobs_that_share_a_node_hold_one),
           CASE(what_may_still_be_used_counts_by_the_usage_factor),
           CASE(private_usage_is_told_to_who_it_is_of),
           CASE(nothing_is_told_where_nobody_uses_accounts))
