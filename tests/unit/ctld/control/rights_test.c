/*
 * Who may do what to a job of ann, who is in organic, below chem, and in phys. The answers are
 * those of a Slurm 22.05, but for the directory and files of a job.
 */
#include "unit/check_main.h"

#include "ctld/control/act/follow.h"
#include "ctld/control/answer/attach.h"
#include "ctld/control/control.h"
#include "ctld/control/job/top.h"
#include "ctld/control/node/reboot.h"
#include "ctld/control/node/update.h"
#include "ctld/control/step/update.h"
#include "unit/ctld/control/acct_desk.h"

#define CORA (LAB_ROLE + 0) /* coordinates organic */
#define ABBY (LAB_ROLE + 1) /* coordinates chem, above it */
#define DAN  (LAB_ROLE + 2) /* coordinates phys */
#define OTTO (LAB_ROLE + 3) /* operator */
#define ADAM (LAB_ROLE + 4) /* administrator */

static const uint32_t everybody[] = { BOB, DAN, CORA, ABBY, OTTO, ADAM, 0, ANN };

static void make_coordinator(struct desk *desk, const char *user, const char *account)
{
    char *name = TEXT(user);

    set_account(desk, account, "coordinators",
                (struct account_record){ .coordinators = &name, .coordinators_n = 1 });
    ck_assert_int_eq(send(desk, 0), 0);
}

static struct desk desk_with_roles(const char *more)
{
    AUTO_FREE char *config = xasprintf(NODES " %s", more);
    struct desk desk = desk_new(config);

    ck_assert_int_eq(add_account(&desk, 0, "chem", "root"), 0);
    ck_assert_int_eq(add_account(&desk, 0, "organic", "chem"), 0);
    ck_assert_int_eq(add_account(&desk, 0, "phys", "root"), 0);
    put_user(&desk, "ann", ADMIN_NONE);
    put_assoc(&desk, "organic", "ann", NULL);
    put_assoc(&desk, "phys", "ann", NULL);
    ck_assert_int_eq(send(&desk, 0), 0);
    for (size_t i = 0; i < ARRAY_N(lab_roles); i++)
        ck_assert_int_eq(add_user(&desk, 0, lab_roles[i], "phys"), 0);
    make_coordinator(&desk, "cora", "organic");
    make_coordinator(&desk, "abby", "chem");
    make_coordinator(&desk, "dan", "phys");
    ck_assert_int_eq(set_level(&desk, 0, "otto", ADMIN_OPERATOR), 0);
    ck_assert_int_eq(set_level(&desk, 0, "adam", ADMIN_ADMINISTRATOR), 0);
    return desk;
}

/* ---- what is tried ---- */

/* Returns the code of the first refusal, or 0. */
static int code_of(int rc, struct job_altered *altered)
{
    int code = rc < 0 ? -rc : 0;

    if (rc == 0 && altered->refused_n)
        code = (int)altered->refused[0].code;
    job_altered_clear(altered);
    return code;
}

static int update(struct act *act, const struct job_update *request)
{
    struct job_altered altered;

    job_altered_init(&altered);
    return code_of(control_update(act, request, &altered, NULL), &altered);
}

/* Sets one member of the job, to its value in `spec` or `body`. */
static int set_member(struct act *act, uint32_t job, uint32_t tag, const struct job_spec *spec)
{
    static const char *const elsewhere = "/tmp";
    struct job_body body;
    uint32_t set = tag;
    struct job_update request;

    job_body_init(&body);
    body.work_dir = TEXT(elsewhere);
    body.std_out = TEXT(elsewhere);
    job_update_init(&request);
    request.job_id = job;
    request.spec = (struct job_spec *)(uintptr_t)spec;
    request.body = &body;
    request.set = &set;
    request.set_n = 1;
    return update(act, &request);
}

static int hold(struct act *act, uint32_t job, uint32_t how)
{
    struct job_update request;

    job_update_init(&request);
    request.job_id = job;
    request.hold = how;
    return update(act, &request);
}

enum deed {
    SET,
    HOLD_IT,
    RELEASE_ADMINS_HOLD,
    PUT_FIRST,
    CANCEL,
    SIGNAL,
    REQUEUE,
    SUSPEND,
    MOVE_STEP_LIMIT,
    READ_SCRIPT,
    NOTIFY,
    ATTACH,
    RUN_STEP,
};

static int signal_job(struct act *act, uint32_t job, uint32_t signal)
{
    const struct job_signal request = { .job_id = job, .step_id = COUNT_UNSET, .signal = signal };

    return -control_signal(act, &request, NULL);
}

static int run_step(struct act *act, uint32_t job)
{
    AUTO(step_run) struct step_run request;
    uint32_t step_id;

    step_run_init(&request);
    request.job_id = job;
    request.step = xmalloc(sizeof(*request.step));
    lab_step_spec("ntasks=1", request.step);
    return -control_step_run(act, &request, &step_id, NULL);
}

static int look_into(struct act *act, uint32_t job, enum deed deed)
{
    const struct job_notify notify = { .job_id = job, .text = TEXT("hello") };
    const struct job_attach attach = { .job_id = job, .step_id = COUNT_UNSET };
    const struct job *found;
    uint32_t job_id, step_id;

    switch (deed) {
    case READ_SCRIPT:
        return -control_may_read_script(act->control, act->caller, job, &found, NULL);
    case NOTIFY:
        return -control_notify(act, &notify, NULL);
    case ATTACH:
        return -control_attach(act, &attach, &job_id, &step_id, NULL);
    default:
        return run_step(act, job);
    }
}

static int alter(struct act *act, uint32_t job, enum deed deed)
{
    const struct job_rerun rerun = { .job_id = job };
    const struct job_suspend suspend = { .job_id = job };
    const struct job_top top = { .job_id = job };
    const struct step_update limit = { .job_id = job, .step_id = COUNT_UNSET, .more_time_s = 60 };
    struct job_altered altered;

    job_altered_init(&altered);
    switch (deed) {
    case PUT_FIRST:
        return code_of(control_top(act, &top, &altered, NULL), &altered);
    case REQUEUE:
        return code_of(control_requeue(act, &rerun, &altered, NULL), &altered);
    case SUSPEND:
        return code_of(control_suspend(act, &suspend, &altered, NULL), &altered);
    case CANCEL:
        return signal_job(act, job, SIGKILL);
    case SIGNAL:
        return signal_job(act, job, SIGUSR1);
    default:
        return -control_step_update(act, &limit, NULL);
    }
}

struct row {
    const char *what; /* for who reads a failure */
    enum deed deed;
    uint32_t tag; /* of SET */
    struct job_spec spec;
    /* What bob, dan, cora, abby, otto, adam, root and ann are told: "." yes, "A" E_ACCESS,
     * "U" E_USER_ID. */
    const char *answers;
};

static int try_row(struct desk *desk, const struct row *row, uint32_t uid, uint32_t job)
{
    const struct caller caller = lab_caller(uid), root = lab_caller(0);

    if (row->deed == RELEASE_ADMINS_HOLD)
        ck_assert_int_eq(hold(lab_act(desk->lab, &root), job, HOLD), 0);
    lab_settle(desk->lab);
    struct act *act = lab_act(desk->lab, &caller);

    switch (row->deed) {
    case SET:
        return set_member(act, job, row->tag, &row->spec);
    case HOLD_IT:
        return hold(act, job, HOLD);
    case RELEASE_ADMINS_HOLD:
        return hold(act, job, HOLD_RELEASE);
    case READ_SCRIPT:
    case NOTIFY:
    case ATTACH:
    case RUN_STEP:
        return look_into(act, job, row->deed);
    default:
        return alter(act, job, row->deed);
    }
}

/* Tries it with a new job for each of them, which began like this. */
static void expect_answers(const struct row *row, const char *begin)
{
    for (size_t i = 0; i < ARRAY_N(everybody); i++) {
        struct desk desk = desk_with_roles("");
        const uint32_t job = lab_submit_as(desk.lab, ANN, begin);
        const uint32_t step =
            row->deed == MOVE_STEP_LIMIT ? lab_step(desk.lab, job, "ntasks=1") : 0;
        const char answer = row->answers[i];
        const int expected = answer == 'A' ? E_ACCESS : answer == 'U' ? E_USER_ID : 0;
        const int code = try_row(&desk, row, everybody[i], job);

        ck_assert_msg(job != 0 && step != COUNT_UNSET && code == expected, "%s, %s: %s, not %s",
                      row->what, lab_user_name(everybody[i]), err_string(code),
                      err_string(expected));
        lab_settle(desk.lab);
        desk_free(&desk);
    }
}

static const struct row waiting[] = {
    { "comment", SET, SPEC_TAG_comment, { .comment = TEXT("x") }, "UU......" },
    { "admin comment", SET, SPEC_TAG_admin_comment, { .admin_comment = TEXT("x") }, "UUAAA..A" },
    { "more priority", SET, SPEC_TAG_priority, { .priority = 4294967290u }, "UUAA...A" },
    { "less priority", SET, SPEC_TAG_priority, { .priority = 1 }, "UU......" },
    { "nice below 0", SET, SPEC_TAG_nice, { .nice = -5 }, "UUAA...A" },
    { "nice", SET, SPEC_TAG_nice, { .nice = 5 }, "UU......" },
    { "site factor", SET, SPEC_TAG_site_factor, { .site_factor = 5 }, "UUAA...A" },
    { "time", SET, SPEC_TAG_time_limit, { .time_limit = 900 }, "UU......" },
    { "deadline", SET, SPEC_TAG_deadline, { .deadline = 1900000000 }, "UUAA...A" },
    { "partition", SET, SPEC_TAG_partition, { .partition = TEXT("debug") }, "UU......" },
    { "another account", SET, SPEC_TAG_account, { .account = TEXT("phys") }, "UUUU...." },
    { "contiguous", SET, SPEC_TAG_contiguous, { .contiguous = true }, "UUAA...A" },
    { "reboot", SET, SPEC_TAG_reboot, { .reboot = true }, "UUAAA..A" },
    { "has arrived", SET, SPEC_TAG_arriving, { .arriving = false }, "UUAAAA.A" },
    { "directory", SET, BODY_TAG_work_dir, { 0 }, "UUAAA..." },
    { "output", SET, BODY_TAG_std_out, { 0 }, "UUAAA..." },
    { "hold", HOLD_IT, 0, { 0 }, "UU......" },
    { "release", RELEASE_ADMINS_HOLD, 0, { 0 }, "UUAA...A" },
    { "top", PUT_FIRST, 0, { 0 }, "AAAA...A" },
    { "cancel", CANCEL, 0, { 0 }, "AA......" },
    { "script", READ_SCRIPT, 0, { 0 }, "UUUU...." },
};

START_TEST(who_may_do_what_to_a_job_that_waits)
{
    expect_answers(&waiting[_i], "account=organic begin=5000 time=600");
}
END_TEST

static const struct row running[] = {
    { "comment", SET, SPEC_TAG_comment, { .comment = TEXT("x") }, "UU......" },
    { "more time", SET, SPEC_TAG_time_limit, { .time_limit = 900 }, "UUAA...A" },
    { "less time", SET, SPEC_TAG_time_limit, { .time_limit = 300 }, "UU......" },
    { "signal", SIGNAL, 0, { 0 }, "AA......" },
    { "cancel", CANCEL, 0, { 0 }, "AA......" },
    { "requeue", REQUEUE, 0, { 0 }, "AA......" },
    { "suspend", SUSPEND, 0, { 0 }, "AAAA...A" },
    { "step's limit", MOVE_STEP_LIMIT, 0, { 0 }, "AA......" },
    { "notify", NOTIFY, 0, { 0 }, "UUUUUU.." },
    { "attach", ATTACH, 0, { 0 }, "AAAAAA.." },
    { "a step in it", RUN_STEP, 0, { 0 }, "AAAAAA.." },
};

START_TEST(who_may_do_what_to_a_job_that_runs)
{
    expect_answers(&running[_i], "account=organic nodes=1 time=600 requeue=2");
}
END_TEST

START_TEST(nodes_are_for_administrators)
{
    struct desk desk = desk_with_roles("");

    for (size_t i = 0; i < ARRAY_N(everybody); i++) {
        const uint32_t uid = everybody[i];
        const struct caller caller = lab_caller(uid);
        const struct node_reboot reboot = { .names = TEXT("n9") };
        const bool may = uid == 0 || uid == ADAM;

        ck_assert_int_eq(lab_update(desk.lab, uid, "n1", NODE_UPDATE_DRAIN, "why"),
                         may ? 0 : -E_USER_ID);
        ck_assert_int_eq(control_node_reboot(lab_act(desk.lab, &caller), &reboot, NULL),
                         may ? -E_NODE_NAME : -EACCES);
    }
    desk_free(&desk);
}
END_TEST

/* ---- what hostile users try ---- */

static int set_account_of(struct desk *desk, uint32_t uid, uint32_t job, const char *account)
{
    const struct caller caller = lab_caller(uid);
    const struct job_spec spec = { .account = TEXT(account) };
    const int code = set_member(lab_act(desk->lab, &caller), job, SPEC_TAG_account, &spec);

    lab_settle(desk->lab);
    return code;
}

START_TEST(a_job_that_is_moved_is_its_new_coordinators)
{
    struct desk desk = desk_with_roles("");
    const uint32_t job = lab_submit_as(desk.lab, ANN, "account=organic begin=5000");

    ck_assert_int_eq(set_account_of(&desk, DAN, job, "phys"), E_USER_ID);
    ck_assert_int_eq(set_account_of(&desk, CORA, job, "phys"), E_USER_ID);
    ck_assert_int_eq(set_account_of(&desk, CORA, job, "chem"), E_USER_ID);
    ck_assert_int_eq(set_account_of(&desk, CORA, job, ""), E_USER_ID);
    ck_assert_int_eq(set_account_of(&desk, ANN, job, "phys"), 0);
    ck_assert_int_eq(lab_cancel_as(desk.lab, CORA, job, COUNT_UNSET, 0, SIGNAL_CANCEL), -E_ACCESS);
    ck_assert_int_eq(set_account_of(&desk, CORA, job, "organic"), E_USER_ID);
    ck_assert_int_eq(set_account_of(&desk, DAN, job, "organic"), E_USER_ID);
    ck_assert_int_eq(lab_cancel_as(desk.lab, DAN, job, COUNT_UNSET, 0, SIGNAL_CANCEL), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(an_array_with_a_task_in_another_account_is_left_alone)
{
    struct desk desk = desk_with_roles("");
    const uint32_t job = lab_submit_as(desk.lab, ANN, "account=organic begin=5000 array=1-3");
    const struct caller ann = lab_caller(ANN), cora = lab_caller(CORA);
    struct job_spec spec = { .account = TEXT("phys") };
    uint32_t tag = SPEC_TAG_account;
    struct job_update request;

    job_update_init(&request);
    request.job_id = job;
    request.tasks = TEXT("2");
    request.spec = &spec;
    request.set = &tag;
    request.set_n = 1;
    ck_assert_int_eq(update(lab_act(desk.lab, &ann), &request), 0);
    lab_settle(desk.lab);

    request.set_n = 0;
    request.hold = HOLD;
    ck_assert_int_eq(update(lab_act(desk.lab, &cora), &request), E_USER_ID);
    request.tasks = TEXT("1-3");
    ck_assert_int_eq(update(lab_act(desk.lab, &cora), &request), E_USER_ID);
    request.tasks = NULL;
    ck_assert_int_eq(update(lab_act(desk.lab, &cora), &request), E_USER_ID);
    request.tasks = TEXT("1");
    request.array_limit = 1;
    ck_assert_int_eq(update(lab_act(desk.lab, &cora), &request), E_USER_ID);
    request.array_limit = COUNT_UNSET;
    ck_assert_int_eq(update(lab_act(desk.lab, &cora), &request), 0);
    lab_settle(desk.lab);
    desk_free(&desk);
}
END_TEST

START_TEST(a_right_ends_with_the_level_and_the_coordination)
{
    struct desk desk = desk_with_roles("");
    const uint32_t job = lab_submit_as(desk.lab, ANN, "account=organic begin=5000");

    ck_assert_str_eq(lab_hold(desk.lab, OTTO, job, HOLD), "");
    ck_assert_int_eq(set_level(&desk, 0, "otto", ADMIN_NONE), 0);
    ck_assert_str_eq(lab_hold(desk.lab, OTTO, job, HOLD_RELEASE), err_string(E_USER_ID));
    ck_assert_str_eq(lab_hold(desk.lab, CORA, job, HOLD), "");
    set_account(&desk, "organic", "coordinators", (struct account_record){ .coordinators_n = 0 });
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_str_eq(lab_hold(desk.lab, CORA, job, HOLD), err_string(E_USER_ID));
    ck_assert_str_eq(lab_hold(desk.lab, ABBY, job, HOLD), "");
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_without_an_account_has_no_coordinator)
{
    struct desk desk = desk_with_roles("");
    const uint32_t job = lab_submit_as(desk.lab, BOB, "begin=5000");

    ck_assert(model_find_job(desk.lab->control->model, job) != NULL);
    ck_assert_int_eq(lab_cancel_as(desk.lab, ABBY, job, COUNT_UNSET, 0, SIGNAL_CANCEL), -E_ACCESS);
    ck_assert_int_eq(lab_cancel_as(desk.lab, OTTO, job, COUNT_UNSET, 0, SIGNAL_CANCEL), 0);
    desk_free(&desk);
}
END_TEST

/* A partition for root takes no job because a coordinator says so; an operator may put it there. */
START_TEST(a_coordinator_moves_a_job_where_its_owner_might)
{
    struct desk desk = desk_with_roles("");
    const uint32_t job = lab_submit_as(desk.lab, ANN, "account=organic begin=5000");
    const struct job_spec spec = { .partition = TEXT("debug") };
    const struct caller cora = lab_caller(CORA), otto = lab_caller(OTTO);

    desk.lab->control->model->config.partitions[1].root_only = true;
    ck_assert_int_eq(set_member(lab_act(desk.lab, &cora), job, SPEC_TAG_partition, &spec),
                     E_ACCESS);
    ck_assert_int_eq(set_member(lab_act(desk.lab, &otto), job, SPEC_TAG_partition, &spec), 0);
    lab_settle(desk.lab);
    desk_free(&desk);
}
END_TEST

START_TEST(what_is_private_is_shown_to_coordinators_and_operators)
{
    struct desk desk = desk_with_roles("");
    const struct control *control = desk.lab->control;
    const uint32_t id = lab_submit_as(desk.lab, ANN, "account=organic begin=5000");
    const struct job *job = model_find_job(control->model, id);

    for (size_t i = 0; i < ARRAY_N(everybody); i++) {
        const uint32_t uid = everybody[i];
        const struct caller user = lab_caller(uid);
        const struct caller caller = *lab_act(desk.lab, &user)->caller;
        const bool is_stranger = uid == BOB || uid == DAN;
        const bool is_operator = uid == OTTO || uid == ADAM || uid == 0;

        desk.lab->control->model->config.private_data = 0;
        ck_assert(acct_sees_job(control, &caller, "lab", &job->rec));
        ck_assert(acct_sees_changes(control, &caller));
        desk.lab->control->model->config.private_data = PRIVATE_JOBS | PRIVATE_USERS;
        ck_assert_int_eq(acct_sees_job(control, &caller, "lab", &job->rec), !is_stranger);
        ck_assert_int_eq(acct_sees_job(control, &caller, "far", &job->rec),
                         uid == ANN || uid == CORA || is_operator); /* chem is elsewhere there */
        ck_assert_int_eq(acct_sees_jobs_of_others(control, &caller), uid != BOB && uid != ANN);
        ck_assert_int_eq(acct_sees_changes(control, &caller), is_operator);
    }
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(rights, LOOP_CASE(who_may_do_what_to_a_job_that_waits, ARRAY_N(waiting)),
           LOOP_CASE(who_may_do_what_to_a_job_that_runs, ARRAY_N(running)),
           CASE(nodes_are_for_administrators), CASE(a_job_that_is_moved_is_its_new_coordinators),
           CASE(an_array_with_a_task_in_another_account_is_left_alone),
           CASE(a_right_ends_with_the_level_and_the_coordination),
           CASE(a_job_without_an_account_has_no_coordinator),
           CASE(a_coordinator_moves_a_job_where_its_owner_might),
           CASE(what_is_private_is_shown_to_coordinators_and_operators))
