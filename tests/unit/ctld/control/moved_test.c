/*
 * What becomes of a waiting job's time limit, memory and cpus when it is moved to another
 * partition, and when its partition changes. Asked of a Slurm 22.05
 * (tests/cluster/limit/moved.cases); where we part from it, the table says so.
 */
#include "unit/check_main.h"

#include "unit/ctld/control/limit_desk.h"

#define CLUSTER "share_memory=1 " LIMITS_CLUSTER

static struct partition_info *add(struct model_config *config, const char *name, int64_t max_time,
                                  int64_t default_time)
{
    struct partition_info *part;

    lab_add_partition(config, name, false, max_time, 2);
    part = &config->partitions[config->partitions_n - 1];
    part->default_time = default_time;
    return part;
}

/* Takes the configuration with more partitions; main has a time limit, or LIMIT_INFINITE. */
static void configure(struct lab *lab, const char *text, int64_t main_time)
{
    struct model_config config = lab_config(text);

    config.partitions[0].max_time = main_time;
    config.partitions[0].def_mem_per_cpu = 100;
    config.partitions[1].def_mem_per_cpu = 100;
    add(&config, "short", 3600, 600)->def_mem_per_cpu = 200;
    add(&config, "any", LIMIT_INFINITE, 900)->def_mem_per_node = 300;
    add(&config, "thin", 300, LIMIT_UNSET)->def_mem_per_cpu = 100;
    config.partitions[4].max_mem_per_cpu = 50;
    add(&config, "gpu1", LIMIT_INFINITE, LIMIT_UNSET)->def_mem_per_gpu = 111;
    config.partitions[5].def_cpu_per_gpu = 2;
    add(&config, "gpu2", LIMIT_INFINITE, LIMIT_UNSET)->def_mem_per_gpu = 222;
    ck_assert_int_eq(control_reconfigure(lab_act(lab, NULL), &config, NULL), 0);
    lab_settle(lab);
}

/* Sets a field of the job, "part=debug", in its owner's name; returns the error or "". */
static const char *change(struct lab *lab, uint32_t job, const char *text)
{
    static const struct {
        const char *key;
        uint32_t tag;
    } fields[] = {
        { "part", SPEC_TAG_partition },     { "time", SPEC_TAG_time_limit },
        { "mem", SPEC_TAG_mem_per_node },   { "cpu_mem", SPEC_TAG_mem_per_cpu },
        { "cpus", SPEC_TAG_cpus_per_task }, { "qos", SPEC_TAG_qos },
    };
    AUTO(words) struct words words = words_split(text, " ");
    AUTO(job_update) struct job_update update;

    job_update_init(&update);
    update.job_id = job;
    update.spec = xmalloc(sizeof(*update.spec));
    lab_job_spec(text, update.spec);
    update.more_time_s = lab_number(&words, "more", 0);
    for (size_t i = 0; i < ARRAY_N(fields); i++) {
        if (lab_text(&words, fields[i].key))
            *ARRAY_PUSH(update.set, update.set_n) = fields[i].tag;
    }
    return lab_change(lab, lab_job(lab, job)->rec.uid, &update);
}

static void tell_time(const struct job_spec *spec, struct strbuf *out)
{
    if (spec->time_limit < 0)
        strbuf_adds(out, "none");
    else
        strbuf_addf(out, "%d", (int)(spec->time_limit / 60));
}

static void tell_share(const struct job_spec *spec, struct strbuf *out)
{
    if (spec->mem_per_node != MB_UNSET)
        strbuf_addf(out, "%dn", (int)spec->mem_per_node);
    if (spec->mem_per_cpu != MB_UNSET)
        strbuf_addf(out, "%dc", (int)spec->mem_per_cpu);
    if (spec->mem_per_gpu != MB_UNSET)
        strbuf_addf(out, "%dg", (int)spec->mem_per_gpu);
    if (spec->cpus_per_task != COUNT_UNSET)
        strbuf_addf(out, "*%u", spec->cpus_per_task);
    if (spec->cpus_per_gpu != COUNT_UNSET)
        strbuf_addf(out, "/%u", spec->cpus_per_gpu);
}

/* A held job, how it is changed step by step, and what it has after each. */
struct story {
    const char *job, *changes, *told;
};

static void expect(struct lab *lab, const struct story *story,
                   void (*tell)(const struct job_spec *, struct strbuf *))
{
    AUTO(words) struct words changes = words_split(story->changes, ";");
    AUTO(strbuf) struct strbuf told = { 0 };
    AUTO_FREE char *held = xasprintf("hold=1 %s", story->job);
    const uint32_t job = lab_submit_as(lab, ANN, held);

    ck_assert_msg(job != 0, "%s: %s", story->job, lab->err.text);
    tell(lab_job(lab, job)->rec.spec, &told);
    for (uint32_t i = 0; i < changes.n; i++) {
        const char *why = change(lab, job, changes.at[i]);

        strbuf_adds(&told, " ");
        if (*why)
            strbuf_adds(&told, "refused");
        else
            tell(lab_job(lab, job)->rec.spec, &told);
    }
    ck_assert_msg(strcmp(strbuf_text(&told), story->told) == 0, "%s; %s: %s, not %s", story->job,
                  story->changes, strbuf_text(&told), story->told);
}

/* ---- time ---- */

/* Where DefaultTime is less than MaxTime, Slurm tells MaxTime of a job that was moved there, until
 * it starts; then it has DefaultTime. */
static const struct story times[] = {
    { "part=main", "part=debug;part=short;part=any;part=main", "none 30 10 15 none" },
    { "part=debug", "part=main", "30 none" },
    { "part=main", "part=short,debug;part=debug;part=main", "none 10 30 none" },
    { "part=debug,main", "part=main;part=debug", "30 none 30" },
    { "part=main", "part=debug,main;part=debug", "none 30 30" },
    /* A DefaultTime is as good as a time that was asked for. */
    { "part=short", "part=debug;part=main", "10 10 10" },
    { "part=short", "part=debug,main", "10 10" },
    /* What was asked for stays. */
    { "part=main time=2700", "part=debug;part=short", "45 45 45" },
    { "part=debug time=1800", "part=main", "30 30" },
    { "part=main time=0", "part=debug", "none none" },
    { "part=main", "time=1200;part=debug", "none 20 20" },
    { "part=debug", "time=1800;part=main", "30 30 30" },
    { "part=debug,main", "more=60;part=main", "30 31 31" },
    { "part=main", "part=debug time=180;part=main", "none 3 3" },
    { "part=debug", "part=short more=60", "30 31" },
    { "part=main time_min=480", "part=thin;part=debug", "none refused 30" },
};

START_TEST(a_job_without_time_limit_has_that_of_the_partition_it_is_moved_to)
{
    struct lab *lab = lab_new("");

    configure(lab, "", LIMIT_INFINITE);
    expect(lab, &times[_i], tell_time);
    lab_free(lab);
}
END_TEST

START_TEST(a_job_that_is_moved_to_a_limited_partition_runs_there)
{
    struct lab *lab = lab_new("part_limits=2");
    uint32_t job;

    configure(lab, "part_limits=2", LIMIT_INFINITE);
    job = lab_submit(lab, "part=main hold=1 mem=1");
    ck_assert_str_eq(change(lab, job, "part=debug"), "");
    lab_hold(lab, 0, job, HOLD_RELEASE);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, 1800);
    lab_wait(lab, 1801);
    ck_assert_str_eq(lab_state(lab, job), "TIMEOUT");
    lab_free(lab);
}
END_TEST

START_TEST(a_waiting_job_without_time_limit_follows_that_of_its_partition)
{
    struct lab *lab = lab_new("");
    uint32_t job, asks;

    configure(lab, "", LIMIT_INFINITE);
    job = lab_submit(lab, "part=main hold=1 mem=1");
    asks = lab_submit(lab, "part=main hold=1 mem=1 time=3000");
    configure(lab, "", 1500);
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, 1500);
    ck_assert_int_eq(lab_job(lab, asks)->rec.spec->time_limit, 3000);
    lab_hold(lab, 0, job, HOLD_RELEASE);
    lab_hold(lab, 0, asks, HOLD_RELEASE);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, 1500);
    ck_assert_str_eq(lab_reason(lab, asks), "PartitionTimeLimit");
    /* One that runs keeps what it has. */
    configure(lab, "", LIMIT_INFINITE);
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, 1500);
    lab_free(lab);
}
END_TEST

/* main's QOS part allows 7 minutes, the jobs' QOS work 9. Slurm lets a job have more that comes
 * under a limit by being moved, and keeps one that a limit bound to it for ever. */
static const struct story bounded[] = {
    { "part=debug qos=normal", "part=main;part=debug", "30 7 30" },
    { "part=main qos=normal", "part=short;part=main", "7 10 7" },
    { "part=debug", "part=main;part=any;part=thin", "9 7 9 5" },
    { "part=debug qos=normal", "qos=work;qos=normal", "30 9 30" },
    { "part=debug,main qos=normal", "part=debug", "7 30" },
    { "part=short", "part=debug", "9 9" }, /* DefaultTime, cut once */
    { "part=debug time=1200 qos=normal", "part=main", "20 20" },
};

START_TEST(limits_of_associations_and_qos_bound_the_time_of_a_job_that_is_moved)
{
    struct desk desk = limit_desk(ENFORCED);

    configure(desk.lab, ENFORCED " " CLUSTER, LIMIT_INFINITE);
    set_limit(&desk, "partqos", "max_wall_per_job", "7");
    set_limit(&desk, "qos", "max_wall_per_job", "9");
    expect(desk.lab, &bounded[_i], tell_time);
    desk_free(&desk);
}
END_TEST

START_TEST(a_waiting_job_without_time_limit_follows_the_limit_that_bounds_it)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t job;

    set_limit(&desk, "qos", "max_wall_per_job", "9");
    job = lab_submit(lab, "part=debug hold=1 mem=1");
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, 540);
    set_limit(&desk, "qos", "max_wall_per_job", "5");
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, 300);
    set_limit(&desk, "qos", "max_wall_per_job", "50"); /* debug gives no more; Slurm forgets that */
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, 1800);
    lab_hold(lab, 0, job, HOLD_RELEASE);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    desk_free(&desk);
}
END_TEST

/* ---- memory and cpus ---- */

static const struct story shares[] = {
    { "part=main", "part=short;part=any;part=main", "100c 200c 300n 100c" },
    { "part=main", "part=thin;part=main;part=thin", "100c 50c*2 100c 50c*2" },
    { "part=thin", "part=short", "50c*2 200c" },
    { "part=main mem=700", "part=short;part=main", "700n 700n 700n" },
    { "part=main cpu_mem=150", "part=short;part=any", "150c 150c 150c" },
    { "part=main cpus=2 cpu_mem=100", "part=thin;part=short", "100c*2 50c*4 100c*2" },
    { "part=thin cpus=2 cpu_mem=100", "part=main", "50c*4 100c*2" },
    { "part=main", "part=thin;cpu_mem=150;part=main", "100c 50c*2 50c*3 150c" },
    { "part=thin", "cpus=2;part=main", "50c*2 50c*4 100c*2" },
    { "part=thin", "mem=60;part=main", "50c*2 60n 60n" },
    { "part=short", "cpu_mem=120;part=main", "200c 120c 120c" },
    { "part=main", "part=short mem=30;part=main", "100c 30n 30n" },
    /* In Slurm all this is found out where the job starts. */
    { "part=gpu1 gres=gpu:1", "part=gpu2;part=main;part=gpu1", "111g/2 222g 100c 111g/2" },
    { "part=gpu1 gres=gpu:1 mem=20 gpu_cpus=1", "part=main", "20n/1 20n/1" },
};

START_TEST(a_job_has_memory_and_cpus_by_default_of_the_partition_it_is_moved_to)
{
    struct lab *lab = lab_new(CLUSTER);

    configure(lab, CLUSTER, LIMIT_INFINITE);
    expect(lab, &shares[_i], tell_share);
    lab_free(lab);
}
END_TEST

START_TEST(what_a_partition_gave_is_known_after_a_restart)
{
    struct lab *lab = lab_new(CLUSTER);
    uint32_t job;

    configure(lab, CLUSTER, LIMIT_INFINITE);
    job = lab_submit(lab, "part=thin hold=1");
    lab_restart(lab, CLUSTER);
    configure(lab, CLUSTER, LIMIT_INFINITE);
    ck_assert_str_eq(change(lab, job, "part=main"), "");
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, LIMIT_INFINITE);
    ck_assert_uint_eq(lab_job(lab, job)->rec.spec->mem_per_cpu, 100);
    ck_assert_uint_eq(lab_job(lab, job)->rec.spec->cpus_per_task, COUNT_UNSET);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(moved,
           LOOP_CASE(a_job_without_time_limit_has_that_of_the_partition_it_is_moved_to,
                     ARRAY_N(times)),
           CASE(a_job_that_is_moved_to_a_limited_partition_runs_there),
           CASE(a_waiting_job_without_time_limit_follows_that_of_its_partition),
           LOOP_CASE(limits_of_associations_and_qos_bound_the_time_of_a_job_that_is_moved,
                     ARRAY_N(bounded)),
           CASE(a_waiting_job_without_time_limit_follows_the_limit_that_bounds_it),
           LOOP_CASE(a_job_has_memory_and_cpus_by_default_of_the_partition_it_is_moved_to,
                     ARRAY_N(shares)),
           CASE(what_a_partition_gave_is_known_after_a_restart))
