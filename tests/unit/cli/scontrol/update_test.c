/* What is refused here, a Slurm 22.05 refused in these words. */
#include "unit/check_main.h"

#include <string.h>

#include "cli/scontrol/update.h"
#include "cli/scontrol/update_job.h"
#include "common/text/cpubind.h"

#define WORDS_MAX 6

static int count(char *const *argv)
{
    int n = 0;

    while (n < WORDS_MAX && argv[n])
        n++;
    return n;
}

static const struct {
    const char *argv[WORDS_MAX];
    const char *names;
    uint32_t state;
    const char *reason;
} good[] = {
    { { "nodename=a[1-2]", "state=drain", "reason=bad disk" },
      "a[1-2]",
      NODE_UPDATE_DRAIN,
      "bad disk" },
    { { "REASON=x", "STATE=Down", "NODENAME=a" }, "a", NODE_UPDATE_DOWN, "x" },
    { { "NodeName=a", "State=RESUME" }, "a", NODE_UPDATE_RESUME, NULL },
    { { "NodeName=a", "State=undrain" }, "a", NODE_UPDATE_UNDRAIN, NULL },
    { { "NodeName=a", "State=idle" }, "a", NODE_UPDATE_IDLE, NULL },
    { { "NodeName=a", "State=fail", "Reason=\"in quotes\"" }, "a", NODE_UPDATE_FAIL, "in quotes" },
    { { "NodeName=a", "State=NoResp" }, "a", NODE_UPDATE_NO_RESPOND, NULL },
    { { "NodeName=a", "State=fut" }, "a", NODE_UPDATE_FUTURE, NULL },
    { { "Node=a", "Reason=only this" }, "a", NODE_UPDATE_NONE, "only this" },
    { { "NodeName=a", "Reason=(null)" }, "a", NODE_UPDATE_NONE, "" },
};

START_TEST(pairs_come_in_any_order_and_case)
{
    AUTO(node_update) struct node_update update;
    char *const *argv = (char *const *)(uintptr_t)good[_i].argv;
    const char *word;

    node_update_init(&update);
    ck_assert_int_eq(update_entity_of(count(argv), argv, &word), UPDATE_NODE);
    ck_assert_int_eq(update_parse_node(count(argv), argv, &update, NULL), 0);

    ck_assert_str_eq(update.names, good[_i].names);
    ck_assert_uint_eq(update.state, good[_i].state);
    ck_assert_pstr_eq(update.reason, good[_i].reason);
}
END_TEST

static int parse(const char *pair, struct node_update *ret)
{
    const char *const argv[] = { "nodename=a", pair };

    node_update_init(ret);
    return update_parse_node(2, (char *const *)(uintptr_t)argv, ret, NULL);
}

static const struct {
    const char *pair;
    uint32_t weight, cpu_bind;
    const char *features, *active, *gres, *addresses, *hosts;
} values[] = {
    { "Weight=7", 7, COUNT_UNSET, NULL, NULL, NULL, NULL, NULL },
    { "weight=", 0, COUNT_UNSET, NULL, NULL, NULL, NULL, NULL },
    { "weight=4294967280", 4294967280u, COUNT_UNSET, NULL, NULL, NULL, NULL, NULL },
    { "features=a,b", COUNT_UNSET, COUNT_UNSET, "a,b", NULL, NULL, NULL, NULL },
    { "AvailableFeatures=", COUNT_UNSET, COUNT_UNSET, "", NULL, NULL, NULL, NULL },
    { "activef=a", COUNT_UNSET, COUNT_UNSET, NULL, "a", NULL, NULL, NULL },
    { "GRES=gpu:2", COUNT_UNSET, COUNT_UNSET, NULL, NULL, "gpu:2", NULL, NULL },
    { "nodeaddr=10.0.0.[1-2]", COUNT_UNSET, COUNT_UNSET, NULL, NULL, NULL, "10.0.0.[1-2]", NULL },
    { "nodehostname=h1", COUNT_UNSET, COUNT_UNSET, NULL, NULL, NULL, NULL, "h1" },
    { "CpuBind=core", COUNT_UNSET, CPU_BIND_CORES, NULL, NULL, NULL, NULL, NULL },
    { "cpubind=off", COUNT_UNSET, CPU_BIND_UNSAID, NULL, NULL, NULL, NULL, NULL },
};

START_TEST(what_slurm_conf_says_of_a_node_can_be_given_anew)
{
    AUTO(node_update) struct node_update update;

    ck_assert_int_eq(parse(values[_i].pair, &update), 0);

    ck_assert_uint_eq(update.weight, values[_i].weight);
    ck_assert_uint_eq(update.cpu_bind, values[_i].cpu_bind);
    ck_assert_pstr_eq(update.features, values[_i].features);
    ck_assert_pstr_eq(update.active_features, values[_i].active);
    ck_assert_pstr_eq(update.gres, values[_i].gres);
    ck_assert_pstr_eq(update.addresses, values[_i].addresses);
    ck_assert_pstr_eq(update.hosts, values[_i].hosts);
}
END_TEST

static const struct {
    const char *pair;
    uint32_t resume_after_s;
    const char *ids, *types;
} clouds[] = {
    { "ResumeAfter=90", 90, NULL, NULL },
    { "resumeafter=-1", COUNT_INFINITE, NULL, NULL },
    { "InstanceId=i-1", COUNT_UNSET, "i-1", NULL },
    { "InstanceType=", COUNT_UNSET, NULL, "" },
};

START_TEST(when_it_comes_back_and_what_the_cloud_calls_it_are_said)
{
    AUTO(node_update) struct node_update update;

    ck_assert_int_eq(parse(clouds[_i].pair, &update), 0);

    ck_assert_uint_eq(update.resume_after_s, clouds[_i].resume_after_s);
    ck_assert_pstr_eq(update.instance_ids, clouds[_i].ids);
    ck_assert_pstr_eq(update.instance_types, clouds[_i].types);
}
END_TEST

#define NEED_REASON "You must specify a reason when DOWNING or DRAINING a node. Request denied"

static const struct {
    const char *argv[WORDS_MAX];
    const char *text;
} bad[] = {
    { { "nodename=a", "state=drain" }, NEED_REASON },
    { { "nodename=a", "state=drain", "reason=" }, NEED_REASON },
    { { "nodename=a", "state=down" }, NEED_REASON },
    { { "nodename=a", "state=fail" }, NEED_REASON },
    { { "nodename=a" }, "No changes specified" },
    { { "nodename=a", "foo" }, "scontrol: error: Invalid input: foo  Request aborted" },
    { { "nodename=a", "foo=bar" },
      "Update of this parameter is not supported: foo=bar\nRequest aborted" },
    { { "nodename=a", "port=5" },
      "Update of this parameter is not supported: port=5\nRequest aborted" },
    { { "nodename=a", "weight=x" }, "scontrol: error: Weight value (x) is not a valid number" },
    { { "nodename=a", "weight=-1" }, "scontrol: error: Weight value (-1) is less than zero" },
    { { "nodename=a", "weight=5000000000" },
      "scontrol: error: Weight value (5000000000) is greater than 4294967280" },
    { { "nodename=a", "cpubind=bogus" },
      "scontrol: error: Invalid input cpubind=bogus\n"
      "Valid are: none, socket, ldom, core, thread and off" },
    { { "nodename=a", "state=down", "reason=x", "resumeafter=soon" },
      "scontrol: error: Invalid ResumeAfter value: soon: seconds, or -1 for never" },
    { { "nodename=a", "state=nix" },
      "Invalid input: state=nix\nRequest aborted\n"
      "Valid states are: CANCEL_REBOOT DOWN DRAIN FAIL FUTURE IDLE NORESP RESUME UNDRAIN\n"
      "Not all states are valid given a node's prior state" },
    { { "nodename=a", "state=power_down" },
      "Invalid input: state=power_down\nRequest aborted\n"
      "Valid states are: CANCEL_REBOOT DOWN DRAIN FAIL FUTURE IDLE NORESP RESUME UNDRAIN; there is "
      "no power saving\nNot all states are valid given a node's prior state" },
};

START_TEST(what_cannot_be_done_is_refused_in_slurms_words)
{
    AUTO(node_update) struct node_update update;
    char *const *argv = (char *const *)(uintptr_t)bad[_i].argv;
    struct err err = { 0 };

    node_update_init(&update);
    ck_assert_int_eq(update_parse_node(count(argv), argv, &update, &err), -EINVAL);

    ck_assert_str_eq(err.text, bad[_i].text);
}
END_TEST

START_TEST(other_entities_are_told_apart)
{
    char *const job[] = { (char *)(uintptr_t) "timelimit=5", (char *)(uintptr_t) "jobid=7" };
    char *const nothing[] = { (char *)(uintptr_t) "state=down", (char *)(uintptr_t) "nodename" };
    char *const part[] = { (char *)(uintptr_t) "state=up", (char *)(uintptr_t) "partition=a" };
    const char *word;

    ck_assert_int_eq(update_entity_of(2, job, &word), UPDATE_JOB);
    ck_assert_int_eq(update_entity_of(2, part, &word), UPDATE_PARTITION);
    ck_assert_str_eq(word, "PartitionName");
    ck_assert_int_eq(update_entity_of(2, nothing, &word), UPDATE_NONE);
}
END_TEST

#define NOW 1800000000

/* What is asked, as the message's own words; what chooses the jobs stands before it. */
static const struct {
    const char *argv[WORDS_MAX];
    const char *choice, *message;
} jobs[] = {
    { { "JobId=5", "TimeLimit=1:00:00" }, "5", "spec={time_limit=3600} set=13" },
    { { "jobid=5,7_[1-2]", "timel=90" }, "5,7_[1-2]", "spec={time_limit=5400} set=13" },
    { { "job", "5", "timelimit=unlimited" }, "5", "spec={time_limit=infinite} set=13" },
    { { "job=5", "timelimit=+10" }, "5", "spec={} more_time_s=600" },
    { { "job=5", "timelimit", "90", "nice", "name", "x" },
      "5",
      "spec={name='x' time_limit=5400 nice=100} set=13,23,1" },
    { { "timelimit=-1", "job=5" }, "5", "spec={} more_time_s=-60" },
    { { "job=5", "timelimit+=10" }, "5", "spec={} more_time_s=600" },
    { { "TimeLimit-=1:00:00", "job=5" }, "5", "spec={} more_time_s=-3600" },
    { { "job=5", "comment=a+=b" }, "5", "spec={comment='a+=b'} set=31" },
    { { "job=5", "nice" }, "5", "spec={nice=100} set=23" },
    { { "job=5", "Nice=-7", "Name=x y" }, "5", "spec={name='x y' nice=-7} set=23,1" },
    { { "job=5", "SiteFactor=2147483645" }, "5", "spec={site_factor=2147483645} set=83" },
    { { "job=5", "sitef=-20" }, "5", "spec={site_factor=-20} set=83" },
    { { "jobname=a", "userid=me", "numnodes=2-4" },
      "name a of me",
      "spec={min_nodes=2 max_nodes=4} set=4,5" },
    { { "jobid=5", "jobname=a" }, "5", "spec={name='a'} set=1" },
    { { "job=5", "mailtype=end,begin" }, "5", "spec={mail_type='BEGIN,END'} set=32" },
    { { "job=5", "mailtype=none" }, "5", "spec={} set=32" },
    { { "job=5", "reqnodelist=" }, "5", "spec={req_nodes=''} set=16" },
    { { "job=5", "minmemorynode=2G" }, "5", "spec={mem_per_node=2048} set=10" },
    { { "job=5", "starttime=now+60" }, "5", "spec={begin=1800000060} set=15" },
    { { "job=5", "endtime=now+60" }, "5", "spec={} end_time=1800000060" },
    { { "job=5", "requeue=0" }, "5", "spec={requeue=1} set=25" },
    { { "job=5", "switches=1@2" }, "5", "spec={switches=1 switch_wait_s=120} set=62,61" },
    { { "job=5_3", "arraytaskthrottle=2" }, "5_3", "spec={} array_limit=2" },
    { { "job=5", "numcpus=4-8" }, "5", "spec={} cpus=4" },
    { { "job=5", "reqprocs=4" }, "5", "spec={ntasks=4} set=6" },
    { { "job=5", "resetaccruetime", "name=x" }, "5", "spec={name='x'} set=1 reset_accrue=yes" },
    { { "job=5", "sitefactor=-7" }, "5", "spec={site_factor=-7} set=83" },
    { { "job=5", "timemin=0" }, "5", "spec={} set=14" },
    { { "job=5", "delayboot=10" }, "5", "spec={}" },
};

START_TEST(jobs_are_chosen_and_what_is_to_change_is_read)
{
    AUTO(job_update) struct job_update update;
    AUTO(strbuf) struct strbuf message = { 0 };
    AUTO(strbuf) struct strbuf choice_text = { 0 };
    char *const *argv = (char *const *)(uintptr_t)jobs[_i].argv;
    struct job_choice choice;
    struct err err = { 0 };

    job_update_init(&update);
    ck_assert_msg(update_parse_job(count(argv), argv, NOW, &choice, &update, &err) == 0, "%s",
                  err.text);
    schema_print(job_update_schema(), &update, &message);
    if (choice.ids)
        strbuf_adds(&choice_text, choice.ids);
    else
        strbuf_addf(&choice_text, "name %s of %s", choice.name, choice.user);

    ck_assert_str_eq(strbuf_text(&choice_text), jobs[_i].choice);
    ck_assert_str_eq(strbuf_text(&message), jobs[_i].message);
}
END_TEST

static const struct {
    const char *argv[WORDS_MAX];
    const char *text;
} bad_jobs[] = {
    { { "job=5" }, "No changes specified" },
    { { "jobname=a", "userid=root" }, "No changes specified" },
    { { "job=5", "TimeLimit" }, "Invalid input: TimeLimit\nRequest aborted" },
    { { "job=5", "stderr=/tmp/y" },
      "Update of this parameter is not supported: stderr=/tmp/y\nRequest aborted" },
    { { "job=5", "numtasks=few" }, "scontrol: error: Invalid NumTasks value: few" },
    { { "job=5", "mailtype=often" }, "Invalid MailType: often" },
    { { "job=5", "contiguous=maybe" }, "scontrol: error: Invalid Contiguous value: maybe" },
    { { "job=5", "nice=1e9" },
      "scontrol: error: Nice value out of range (+/- 2147483645). Value ignored" },
    { { "job=5", "nice=" },
      "scontrol: error: Nice value out of range (+/- 2147483645). Value ignored" },
    { { "job=5", "sitefactor=2147483646" },
      "scontrol: error: SiteFactor value out of range (+/- 2147483645). Value ignored" },
    { { "job=5", "sitefactor=-2147483646" },
      "scontrol: error: SiteFactor value out of range (+/- 2147483645). Value ignored" },
    { { "job=5", "sitefactor=few" },
      "scontrol: error: SiteFactor value out of range (+/- 2147483645). Value ignored" },
    { { "job=5", "nice+=5" }, "scontrol: error: Option nice+=5 does not accept [+|-]= syntax" },
    { { "job=5", "none+=5" },
      "Update of this parameter is not supported: none+=5\nRequest aborted" },
    { { "job=5", "timelimit+=long" }, "scontrol: error: Invalid TimeLimit value" },
    { { "job=5", "timelimit=long" }, "scontrol: error: Invalid TimeLimit value" },
    { { "job=5", "delayboot=long" }, "scontrol: error: Invalid DelayBoot value" },
    { { "job=5", "numcpus=0" }, "scontrol: error: Invalid NumCPUs value: 0" },
    { { "job=5", "numcpus=4-2" }, "scontrol: error: Invalid NumCPUs value: 4-2" },
    { { "job=5", "reboot=maybe" }, "scontrol: error: Invalid Reboot value: maybe" },
    { { "job=5", "priority=top" }, "scontrol: error: Invalid Priority value: top" },
    { { "job=5", "numnodes=few" },
      "scontrol: error: Invalid numeric value \"few\" for requested node count." },
    { { "job=5", "resetaccruetime=1" },
      "Update of this parameter is not supported: resetaccruetime=1\nRequest aborted" },
};

START_TEST(what_cannot_be_changed_of_jobs_is_refused)
{
    AUTO(job_update) struct job_update update;
    char *const *argv = (char *const *)(uintptr_t)bad_jobs[_i].argv;
    struct job_choice choice;
    struct err err = { 0 };

    job_update_init(&update);
    ck_assert_int_eq(update_parse_job(count(argv), argv, NOW, &choice, &update, &err), -EINVAL);

    ck_assert_str_eq(err.text, bad_jobs[_i].text);
}
END_TEST

CHECK_MAIN(update, LOOP_CASE(pairs_come_in_any_order_and_case, ARRAY_N(good)),
           LOOP_CASE(what_cannot_be_done_is_refused_in_slurms_words, ARRAY_N(bad)),
           LOOP_CASE(what_slurm_conf_says_of_a_node_can_be_given_anew, ARRAY_N(values)),
           LOOP_CASE(when_it_comes_back_and_what_the_cloud_calls_it_are_said, ARRAY_N(clouds)),
           CASE(other_entities_are_told_apart),
           LOOP_CASE(jobs_are_chosen_and_what_is_to_change_is_read, ARRAY_N(jobs)),
           LOOP_CASE(what_cannot_be_changed_of_jobs_is_refused, ARRAY_N(bad_jobs)))
