/*
 * A controller that starts again from what it kept goes on where it was; and whatever happens, in
 * any order, the promises hold.
 */
#include "unit/check_main.h"

#include "ctld/control/control.h"
#include "ctld/control/answer/info.h"
#include "ctld/control/job/jobfsm.h"
#include "ctld/control/load.h"
#include "ctld/control/act/state.h"
#include "ctld/model/model.h"
#include "unit/ctld/control/lab.h"

#define EXIT(code) ((code) << 8)
#define CONFIG     "nodes=4 cpus=4 memory=1000 gpus=2 share_memory return=1 requeue"

/* What must survive: everything durable but why a job waits, which the plan tells again. */
static char *picture(const struct lab *lab)
{
    const struct model *model = control_model(lab->control);
    struct strbuf out = { 0 };

    for (uint32_t id = 1; id < model->next_job_id; id++) {
        struct job *job = model_find_job(model, id);

        if (!job)
            continue;
        strbuf_addf(&out, "%u %s %s %llu ", id, job_state_name(job->rec.state, job->rec.flags),
                    job->rec.node_list ? job->rec.node_list : "-",
                    (unsigned long long)job->rec.priority);
        schema_print(job_spec_schema(), job->rec.spec, &out);
        for (const struct step *step = job->steps; step; step = step->next) {
            strbuf_adds(&out, "\n  ");
            schema_print(step_record_schema(), &step->rec, &out);
        }
        strbuf_addc(&out, '\n');
    }
    for (uint32_t i = 0; i < model->nodes_n; i++) {
        const struct node *node = &model->nodes[i];

        strbuf_addf(&out, "%s down=%d drain=%d reason=%s used=%u memory=%llu jobs=%u gpus=%d%d\n",
                    node->rec.name, node->rec.down, node->rec.drain,
                    node->rec.reason ? node->rec.reason : "-", bitset_count(&node->cpus_used),
                    (unsigned long long)node->memory_used_mb, node->jobs_n,
                    bitset_has(&node->devices_used, 0), bitset_has(&node->devices_used, 1));
    }
    strbuf_addf(&out, "next %u\n", model->next_job_id);
    return strbuf_steal(&out);
}

/* The first line that differs, since a whole picture is too long a message. */
static void assert_same(const char *before, const char *after)
{
    size_t line = 0;

    for (size_t i = 0; before[i] || after[i]; i++) {
        if (before[i] != after[i])
            ck_abort_msg("before: %.400s\nafter: %.400s", before + line, after + line);
        if (before[i] == '\n')
            line = i + 1;
    }
}

START_TEST(devices_of_running_jobs_stay_theirs_after_a_restart)
{
    const char *config = "nodes=1 cpus=4 gpus=2";
    struct lab *lab = lab_new(config);

    lab_submit(lab, "ntasks=1 gres=gres/gpu:1,gres/band:600");
    lab_restart(lab, config);
    lab_register(lab, "n1");
    lab_submit(lab, "ntasks=1 gres=gres/gpu:a:1");
    lab_submit(lab, "ntasks=1 gres=gres/gpu:1");
    lab_submit(lab, "ntasks=1 gres=gres/band:500");

    ck_assert_uint_eq(lab_job(lab, 1)->rec.nodes[0].gres[0].devices[0], 0);
    ck_assert_uint_eq(lab_job(lab, 2)->rec.nodes[0].gres[0].devices[0], 1);
    ck_assert_uint_eq(lab_job(lab, 3)->rec.state, JOB_PENDING);
    ck_assert_uint_eq(lab_job(lab, 4)->rec.state, JOB_PENDING);
    lab_exit(lab, 1, STEP_BATCH, 0);
    ck_assert_uint_eq(lab_job(lab, 3)->rec.nodes[0].gres[0].devices[0], 0);
    ck_assert_uint_eq(lab_job(lab, 4)->rec.state, JOB_RUNNING);
    lab_free(lab);
}
END_TEST

START_TEST(a_restart_changes_nothing)
{
    struct lab *lab = lab_new(CONFIG);
    AUTO_FREE char *before = NULL, *after = NULL;

    lab_submit(lab, "nodes=2 mem=500 time=600");
    lab_step(lab, 1, "nodes=2 ntasks=2");
    lab_step(lab, 1, "nodes=1 ntasks=1");
    lab_allocate(lab, "ntasks=4 mem=100", "ntasks=4");
    lab_submit(lab, "on=n4 mem=10 gres=gres/gpu:1,gres/band:300");
    lab_submit(lab, "nodes=4 exclusive mem=0");
    lab_submit(lab, "hold");
    lab_update(lab, 0, "n4", NODE_UPDATE_DRAIN, "fans");
    before = picture(lab);
    lab_restart(lab, CONFIG);
    after = picture(lab);

    assert_same(before, after);
    lab_exit(lab, 1, 0, 0);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 1)->rec.state, STEP_RUNNING);
    lab_free(lab);
}
END_TEST

/* When a waiting job is planned to start, in seconds from now. */
static int64_t planned_in(const struct lab *lab, uint32_t job)
{
    AUTO(job_info) struct job_info info;

    control_job_info(lab->control, lab->now, lab_job(lab, job), &info);
    return info.planned_start ? info.planned_start - lab->now.wall_s : -1;
}

/* The first waiting job is promised all nodes; a long one behind it would fit on one of them. */
static struct lab *promised(const char *config, uint32_t *first, uint32_t *behind)
{
    struct lab *lab = lab_new(config);

    lab_submit(lab, "on=n1 time=1000");
    *first = lab_submit(lab, "nodes=3 exclusive time=500");
    *behind = lab_submit(lab, "nodes=1 time=9000");
    ck_assert_int_eq(planned_in(lab, *first), 1000);
    return lab;
}

static void come_back(struct lab *lab, const char *first, const char *second)
{
    lab_register(lab, first);
    lab_register(lab, second);
}

START_TEST(a_promise_outlives_a_restart_though_nodes_come_back_late)
{
    const char *config = "nodes=3 cpus=1 timeout=300 backfill";
    uint32_t first, behind;
    struct lab *lab = promised(config, &first, &behind);

    lab_crash(lab, config);
    come_back(lab, "n1", "n2");
    lab_wait(lab, 20);
    ck_assert_str_eq(lab_state(lab, behind), "PENDING");
    lab_register(lab, "n3");

    ck_assert_int_eq(planned_in(lab, first), 980);
    ck_assert_str_eq(lab_state(lab, behind), "PENDING");
    lab_free(lab);
}
END_TEST

START_TEST(a_promise_outlives_a_connection_that_is_lost_for_a_while)
{
    uint32_t first, behind;
    struct lab *lab = promised("nodes=3 cpus=1 timeout=300 backfill", &first, &behind);

    lab_lose(lab, "n3");
    lab_wait(lab, 20);
    lab_register(lab, "n3");

    ck_assert_int_eq(planned_in(lab, first), 980);
    ck_assert_str_eq(lab_state(lab, behind), "PENDING");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_stays_away_keeps_nobody_waiting_longer_than_its_timeout)
{
    uint32_t first, behind;
    struct lab *lab = promised("nodes=3 cpus=1 timeout=300 backfill", &first, &behind);

    lab_lose(lab, "n3");
    come_back(lab, "n1", "n2");
    lab_wait(lab, 290);
    ck_assert_str_eq(lab_state(lab, behind), "PENDING");
    come_back(lab, "n1", "n2");
    lab_wait(lab, 20);

    ck_assert_str_eq(lab_node_state(lab, "n3"), "DOWN+NOT_RESPONDING");
    ck_assert_str_eq(lab_state(lab, behind), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_job_that_wants_a_node_that_is_away_is_told_so)
{
    struct lab *lab = lab_new("nodes=2 cpus=1 timeout=300 backfill");
    uint32_t job;

    lab_lose(lab, "n2");
    job = lab_submit(lab, "on=n2 time=100");

    ck_assert_str_eq(lab_state(lab, job), "PENDING");
    ck_assert_str_eq(lab_reason_text(lab, job), "ReqNodeNotAvail, UnavailableNodes:n2");
    ck_assert_int_eq(planned_in(lab, job), 300);
    lab_register(lab, "n2");
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(limits_go_on_over_a_restart)
{
    struct lab *lab = lab_new(CONFIG);
    uint32_t job = lab_submit(lab, "time=100 mem=1");

    lab_wait(lab, 50);
    lab_restart(lab, CONFIG);
    lab_wait(lab, 49);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    lab_wait(lab, 2);
    ck_assert_str_eq(lab_state(lab, job), "TIMEOUT");
    lab_free(lab);
}
END_TEST

START_TEST(an_order_lost_in_a_crash_is_sent_after_it)
{
    struct lab *lab = lab_new(CONFIG);

    lab_node(lab, "n1")->deaf = true;
    lab_submit(lab, "mem=1");
    lab_node(lab, "n1")->deaf = false;
    lab_quiet(lab);
    lab_restart(lab, CONFIG);

    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: launch 1.batch #1\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_kill_lost_in_a_crash_is_sent_after_it)
{
    struct lab *lab = lab_new(CONFIG);
    uint32_t job = lab_submit(lab, "mem=1");

    lab_node(lab, "n1")->deaf = true;
    lab_cancel(lab, job);
    lab_node(lab, "n1")->deaf = false;
    ck_assert_str_eq(lab_state(lab, job), "COMPLETING");
    lab_restart(lab, CONFIG);

    ck_assert_str_eq(lab_state(lab, job), "CANCELLED");
    lab_free(lab);
}
END_TEST

START_TEST(a_step_that_has_ended_on_one_node_goes_on_elsewhere_over_a_restart)
{
    struct lab *lab = lab_new(CONFIG);

    lab_submit(lab, "nodes=3 mem=10");
    lab_node(lab, "n3")->deaf = true;
    lab_step(lab, 1, "nodes=3 ntasks=3");
    lab_exit_on(lab, "n1", 1, 0, 0);
    lab_node(lab, "n3")->deaf = false;
    lab_quiet(lab);
    lab_restart(lab, CONFIG);

    ck_assert_str_eq(strbuf_text(&lab->orders), "n3: launch 1.0 #1\n");
    lab_exit(lab, 1, 0, 0);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 0)->rec.end_state, JOB_COMPLETE);
    lab_free(lab);
}
END_TEST

START_TEST(an_srun_that_does_not_come_back_after_a_restart_loses_its_job)
{
    struct lab *lab = lab_new(CONFIG);
    uint32_t job = lab_allocate(lab, "mem=1", "ntasks=1");

    lab_restart(lab, CONFIG);
    lab_wait(lab, 59);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    lab_wait(lab, 2);
    ck_assert_str_eq(lab_state(lab, job), "CANCELLED");
    lab_free(lab);
}
END_TEST

START_TEST(a_new_configuration_keeps_running_jobs_and_drops_those_of_lost_nodes)
{
    struct lab *lab = lab_new("nodes=3 cpus=1");
    struct model_config config = lab_config("nodes=2 cpus=1");
    uint32_t kept = lab_submit(lab, "nodes=2"), lost = lab_submit(lab, "");

    ck_assert_int_eq(control_reconfigure(lab_act(lab, NULL), &config, NULL), 0);
    lab_settle(lab);

    ck_assert_str_eq(lab_state(lab, kept), "RUNNING");
    ck_assert_str_eq(lab_state(lab, lost), "NODE_FAIL");
    ck_assert_str_eq(lab_node_state(lab, "n2"), "ALLOCATED");
    lab_free(lab);
}
END_TEST

static void reconfigure(struct lab *lab, const char *text)
{
    struct model_config config = lab_config(text);

    ck_assert_int_eq(control_reconfigure(lab_act(lab, NULL), &config, NULL), 0);
    lab_settle(lab);
}

static const struct {
    const char *asked, *with, *without, *why;
} strangers[] = {
    { "ntasks=1 licenses=matlab:2", "nodes=1 cpus=1 licenses=3", "nodes=1 cpus=1",
      "Licenses: Invalid license specification: there is no license 'matlab'" },
    { "ntasks=1 licenses=matlab:2", "nodes=1 cpus=1 licenses=3", "nodes=1 cpus=1 licenses=1",
      "Licenses: Invalid license specification: 2 of 'matlab', there are 1" },
    { "ntasks=1 on=n2", "nodes=2 cpus=1", "nodes=1 cpus=1",
      "BadConstraints: Invalid node name specified: n2" },
};

/* It does not run without what it asked for, and needs nobody to release it. */
START_TEST(a_job_that_is_not_understood_any_more_waits_until_it_is)
{
    struct lab *lab = lab_new(strangers[_i].with);
    uint32_t holder = lab_submit(lab, "exclusive nodes=1 on=n1"), job;

    if (_i == 2)
        lab_submit(lab, "exclusive nodes=1 on=n2");
    job = lab_submit(lab, strangers[_i].asked);
    ck_assert_str_eq(lab_state(lab, job), "PENDING");
    reconfigure(lab, strangers[_i].without);
    lab_exit(lab, holder, STEP_BATCH, 0);

    ck_assert_str_eq(lab_state(lab, job), "PENDING");
    ck_assert_str_eq(lab_reason_text(lab, job), strangers[_i].why);
    reconfigure(lab, strangers[_i].with);
    if (_i != 2) /* n2 has to come back first */
        ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    ck_assert_str_ne(lab_reason(lab, job), "BadConstraints");
    lab_free(lab);
}
END_TEST

/* The same nodes, but a controller that has lost its state. */
START_TEST(an_id_that_a_node_knows_is_not_given_again)
{
    struct lab *lab = lab_new(CONFIG);

    for (int i = 0; i < 3; i++)
        lab_submit(lab, "nodes=1");
    while (lab->kept_n)
        change_clear(&lab->kept[--lab->kept_n]);
    lab_restart(lab, CONFIG);

    ck_assert_uint_eq(control_model(lab->control)->next_job_id, 4);
    ck_assert_uint_eq(lab_submit(lab, "nodes=1"), 4);
    lab_free(lab);
}
END_TEST

START_TEST(a_bad_configuration_changes_nothing)
{
    struct lab *lab = lab_new("nodes=1");
    struct model_config config = lab_config("nodes=1");
    struct err err = { 0 };

    xstrset(&config.partitions[0].nodes, "n[1-5]");
    ck_assert_int_lt(control_reconfigure(lab_act(lab, NULL), &config, &err), 0);

    ck_assert_str_eq(err.text, "partition main: node n2 is not configured");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    lab_free(lab);
}
END_TEST

/* ---- anything, in any order ---- */

static uint32_t dice(uint64_t *seed, uint32_t sides)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % sides;
}

/* Two jobs on one cpu, or more memory than there is: counted from the records, not the sums. */
static void check_nodes(const struct lab *lab)
{
    const struct model *model = control_model(lab->control);

    for (uint32_t i = 0; i < model->nodes_n; i++) {
        uint32_t cpus = 0;
        uint64_t memory = 0;

        for (const struct job *job = model->jobs; job; job = job->hh.next) {
            for (uint32_t n = 0; n < job->rec.nodes_n; n++) {
                if (job->rec.nodes[n].clean || job->nodes[n] != i)
                    continue;
                for (uint32_t c = 0; c < job->rec.nodes[n].cpus_n; c++) {
                    ck_assert(!(cpus & (1u << job->rec.nodes[n].cpus[c])));
                    cpus |= 1u << job->rec.nodes[n].cpus[c];
                }
                memory += job->rec.nodes[n].memory;
            }
        }
        ck_assert_uint_le(memory, model->nodes[i].conf->memory_mb);
        ck_assert_uint_eq((uint32_t)__builtin_popcount(cpus),
                          bitset_count(&model->nodes[i].cpus_used));
        ck_assert_uint_eq(memory, model->nodes[i].memory_used_mb);
    }
}

/* Inside a job, steps that do not overlap share no cpu. */
static void check_steps(const struct lab *lab)
{
    for (const struct job *job = control_model(lab->control)->jobs; job; job = job->hh.next) {
        for (uint32_t n = 0; n < job->rec.nodes_n; n++) {
            uint32_t cpus = 0;

            for (const struct step *step = job->steps; step; step = step->next) {
                for (uint32_t s = 0; s < step->rec.nodes_n; s++) {
                    const struct step_node *part = &step->rec.nodes[s];

                    if (!step->rec.spec || step->rec.spec->overlap || part->state == STEP_ENDED ||
                        strcmp(part->name, job->rec.nodes[n].name) != 0)
                        continue;
                    for (uint32_t c = 0; c < part->cpus_n; c++) {
                        ck_assert(!(cpus & (1u << part->cpus[c])));
                        cpus |= 1u << part->cpus[c];
                    }
                }
            }
        }
    }
}

static void any_exit(struct lab *lab, uint64_t *seed)
{
    struct lab_node *node = &lab->nodes[dice(seed, lab->nodes_n)];
    struct lab_held *held = node->held_n ? &node->held[dice(seed, node->held_n)] : NULL;

    if (held && held->report.state == HELD_RUNNING)
        lab_exit_on(lab, node->name, held->report.job_id, held->report.step_id,
                    dice(seed, 3) ? 0 : EXIT(1));
}

static void any_submit(struct lab *lab, uint64_t *seed)
{
    char text[128];

    snprintf(text, sizeof(text), "nodes=%u ntasks=%u mem=%u time=%u%s%s", 1 + dice(seed, 4),
             1 + dice(seed, 10), 1 + dice(seed, 600), 10 + dice(seed, 300),
             dice(seed, 5) ? "" : " exclusive", dice(seed, 6) ? "" : " no_kill");
    if (dice(seed, 3))
        lab_submit(lab, text);
    else
        lab_allocate(lab, text, dice(seed, 2) ? "exact" : NULL);
}

static void any_step(struct lab *lab, uint64_t *seed)
{
    static const char *const steps[] = { "ntasks=1 exact", "ntasks=2 overlap", "",
                                         "ntasks=3 cpus=1", "nodes=1 ntasks=1" };

    lab_step(lab, 1 + dice(seed, control_model(lab->control)->next_job_id),
             steps[dice(seed, ARRAY_N(steps))]);
}

static void any_node(struct lab *lab, uint64_t *seed)
{
    struct lab_node *node = &lab->nodes[dice(seed, lab->nodes_n)];

    switch (dice(seed, 6)) {
    case 0:
        lab_lose(lab, node->name);
        return;
    case 1:
        lab_reboot(lab, node->name);
        return;
    case 2:
        lab_update(lab, 0, node->name, NODE_UPDATE_DRAIN, "any");
        return;
    case 3:
        lab_update(lab, 0, node->name, NODE_UPDATE_DOWN, "any");
        return;
    case 4:
        node->deaf = !node->deaf;
        return;
    default:
        lab_update(lab, 0, node->name, NODE_UPDATE_RESUME, NULL);
        lab_register(lab, node->name);
    }
}

static void anything(struct lab *lab, uint64_t *seed)
{
    uint32_t what = dice(seed, 20);

    if (what < 6)
        any_submit(lab, seed);
    else if (what < 10)
        any_exit(lab, seed);
    else if (what < 14)
        any_step(lab, seed);
    else if (what < 16)
        any_node(lab, seed);
    else if (what < 17)
        lab_cancel(lab, 1 + dice(seed, control_model(lab->control)->next_job_id));
    else if (what < 19)
        lab_wait(lab, dice(seed, 100));
    else
        lab_restart(lab, CONFIG);
}

/* All hands back to work, and enough time for every limit: every job must come to an end. */
static void let_all_end(struct lab *lab)
{
    for (uint32_t i = 0; i < lab->nodes_n; i++) {
        lab->nodes[i].deaf = false;
        lab_update(lab, 0, lab->nodes[i].name, NODE_UPDATE_RESUME, NULL);
        lab_register(lab, lab->nodes[i].name);
    }
    lab_wait(lab, 40000);
}

START_TEST(promises_hold_whatever_happens)
{
    struct lab *lab = lab_new(CONFIG);
    uint64_t seed = 1000 + (uint64_t)_i;

    for (int i = 0; i < 150; i++) {
        anything(lab, &seed);
        check_nodes(lab);
        check_steps(lab);
    }
    let_all_end(lab);

    ck_assert_ptr_null(control_model(lab->control)->jobs);
    for (uint32_t i = 0; i < lab->nodes_n; i++) {
        ck_assert_str_eq(lab_node_state(lab, lab->nodes[i].name), "IDLE");
        ck_assert_uint_eq(lab->nodes[i].held_n, 0);
    }
    lab_free(lab);
}
END_TEST

START_TEST(the_same_inputs_give_the_same_turns)
{
    struct lab *a = lab_new(CONFIG), *b = lab_new(CONFIG);
    uint64_t seed_a = 77 + (uint64_t)_i, seed_b = seed_a;

    for (int i = 0; i < 150; i++) {
        anything(a, &seed_a);
        anything(b, &seed_b);
    }

    ck_assert_uint_eq(a->turns.len, b->turns.len);
    ck_assert_int_eq(memcmp(a->turns.data, b->turns.data, a->turns.len), 0);
    lab_free(a);
    lab_free(b);
}
END_TEST

START_TEST(a_restart_at_any_moment_changes_nothing)
{
    struct lab *lab = lab_new(CONFIG);
    uint64_t seed = 5000 + (uint64_t)_i;
    AUTO_FREE char *before = NULL, *after = NULL;

    for (int i = 0; i < 100; i++)
        anything(lab, &seed);
    for (uint32_t i = 0; i < lab->nodes_n; i++) {
        lab->nodes[i].deaf = false;
        if (lab->nodes[i].online)
            lab_register(lab, lab->nodes[i].name);
    }
    before = picture(lab);
    lab_restart(lab, CONFIG);
    after = picture(lab);

    assert_same(before, after);
    lab_free(lab);
}
END_TEST

START_TEST(what_is_over_can_only_wait_once_more)
{
    for (uint32_t to = 0; to < JOB_STATES_N; to++) {
        for (uint32_t from = JOB_SUSPENDED + 1; from < JOB_STATES_N; from++)
            ck_assert(jobfsm_may(from, to) == (to == JOB_PENDING));
    }
    ck_assert(jobfsm_may(JOB_PENDING, JOB_RUNNING));
    ck_assert(jobfsm_may(JOB_RUNNING, JOB_PENDING));
    ck_assert(!jobfsm_may(JOB_PENDING, JOB_COMPLETE));
    ck_assert(!jobfsm_may(JOB_PENDING, JOB_STATES_N));
}
END_TEST

CHECK_MAIN(restart, CASE(devices_of_running_jobs_stay_theirs_after_a_restart),
           CASE(a_restart_changes_nothing),
           CASE(a_promise_outlives_a_restart_though_nodes_come_back_late),
           CASE(a_promise_outlives_a_connection_that_is_lost_for_a_while),
           CASE(a_node_that_stays_away_keeps_nobody_waiting_longer_than_its_timeout),
           CASE(a_job_that_wants_a_node_that_is_away_is_told_so), CASE(limits_go_on_over_a_restart),
           CASE(an_order_lost_in_a_crash_is_sent_after_it),
           CASE(a_kill_lost_in_a_crash_is_sent_after_it),
           CASE(a_step_that_has_ended_on_one_node_goes_on_elsewhere_over_a_restart),
           CASE(an_srun_that_does_not_come_back_after_a_restart_loses_its_job),
           CASE(a_new_configuration_keeps_running_jobs_and_drops_those_of_lost_nodes),
           LOOP_CASE(a_job_that_is_not_understood_any_more_waits_until_it_is, ARRAY_N(strangers)),
           CASE(an_id_that_a_node_knows_is_not_given_again),
           CASE(a_bad_configuration_changes_nothing), LOOP_CASE(promises_hold_whatever_happens, 20),
           LOOP_CASE(the_same_inputs_give_the_same_turns, 4),
           LOOP_CASE(a_restart_at_any_moment_changes_nothing, 20),
           CASE(what_is_over_can_only_wait_once_more))
