/* What is refused here, a Slurm 22.05 refused too. */
#include "unit/check_main.h"

#include "common/conf/partition_change.h"
#include "unit/common/conf/text_files.h"

#define LAB                                                                                        \
    HEAD "NodeName=n[1-3] CPUs=2\nPartitionName=main Nodes=ALL Default=YES\n"                      \
         "PartitionName=short Nodes=n1 MaxTime=30\n"

static struct slurm_conf *load_lab(void)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };

    return must_load(LAB, &notes);
}

static int update(struct slurm_conf *conf, const char *name, const char *pair, struct err *err)
{
    char *pairs[] = { (char *)(uintptr_t)pair };

    return conf_partition_update(conf, name, pairs, 1, err);
}

static int create(struct slurm_conf *conf, const char *name, const char *pair, struct err *err)
{
    char *pairs[] = { (char *)(uintptr_t)pair };

    return conf_partition_create(conf, name, pairs, pair ? 1 : 0, err);
}

START_TEST(values_are_read_as_in_the_file_and_keys_may_be_cut_short)
{
    struct slurm_conf *conf = load_lab();
    const struct conf_partition *part = &conf->partitions[1];

    ck_assert_int_eq(update(conf, "short", "MaxTime=-1", NULL), 0);
    ck_assert_int_eq(update(conf, "short", "defaultt=10", NULL), 0);
    ck_assert_int_eq(update(conf, "short", "state=down", NULL), 0);
    ck_assert_int_eq(update(conf, "short", "shared=force:2", NULL), 0);
    ck_assert_int_eq(update(conf, "short", "allowgroups=ALL", NULL), 0);
    ck_assert_int_eq(update(conf, "short", "nodes=n[2-3]", NULL), 0);

    ck_assert_uint_eq(part->max_time_min, CONF_UNLIMITED);
    ck_assert_uint_eq(part->default_time_min, 10);
    ck_assert_uint_eq(part->state, CONF_PART_DOWN);
    ck_assert_uint_eq(part->oversubscribe.mode, OVERSUBSCRIBE_FORCE);
    ck_assert_ptr_null(part->allow_groups);
    ck_assert_uint_eq(part->nodes_n, 2);
    ck_assert_uint_eq(part->nodes[0], 1);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *pair, *mode;
} modes[] = {
    { "PreemptMode=requeue", "REQUEUE" },
    { "PreemptMode=GANG,SUSPEND", "SUSPEND" },
    { "PreemptMode=GANG", "OFF" },
    { "PreemptMode=", "OFF" },
};

START_TEST(a_partition_has_one_preempt_mode)
{
    struct slurm_conf *conf = load_lab();

    ck_assert_int_eq(update(conf, "short", modes[_i].pair, NULL), 0);

    ck_assert_str_eq(conf->partitions[1].preempt_mode, modes[_i].mode);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(weights_are_for_what_is_counted)
{
    struct slurm_conf *conf = load_lab();

    ck_assert_int_eq(update(conf, "short", "TRESBillingWeights=CPU=2,Mem=0.25G", NULL), 0);
    ck_assert_str_eq(conf->partitions[1].billing_weights, "CPU=2,Mem=0.25G");
    ck_assert_int_eq(update(conf, "short", "TRESBillingWeights=", NULL), 0);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(job_defaults_are_all_that_there_are)
{
    struct slurm_conf *conf = load_lab();
    const struct conf_partition *part = &conf->partitions[1];

    ck_assert_int_eq(update(conf, "short", "JobDefaults=DefCpuPerGPU=2", NULL), 0);
    ck_assert_uint_eq(part->def_cpu_per_gpu, 2);

    ck_assert_int_eq(update(conf, "short", "JobDefaults=DefMemPerGPU=100", NULL), 0);

    ck_assert_uint_eq(part->def_cpu_per_gpu, 0);
    ck_assert_uint_eq(part->def_mem_per_gpu_mb, 100);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(one_partition_is_the_default)
{
    struct slurm_conf *conf = load_lab();

    ck_assert_int_eq(update(conf, "short", "default=yes", NULL), 0);
    ck_assert_str_eq(slurm_conf_default_partition(conf)->name, "short");
    ck_assert(!conf->partitions[0].is_default);

    ck_assert_int_eq(create(conf, "new", "Default=YES", NULL), 0);
    ck_assert_str_eq(slurm_conf_default_partition(conf)->name, "new");
    ck_assert(!conf->partitions[1].is_default);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(a_new_partition_has_slurms_defaults)
{
    struct slurm_conf *conf = load_lab();

    ck_assert_int_eq(create(conf, "new", NULL, NULL), 0);

    const struct conf_partition *part = slurm_conf_find_partition(conf, "new");
    ck_assert_ptr_nonnull(part);
    ck_assert_uint_eq(part->max_time_min, CONF_UNLIMITED);
    ck_assert_uint_eq(part->priority_tier, 1);
    ck_assert_uint_eq(part->nodes_n, 0);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *name, *pair;
    int code;
    const char *text;
} wrong[] = {
    { "none", "maxtime=5", E_PARTITION_NAME, "Invalid partition name specified" },
    { "short", "maxtime", EINVAL, "Invalid input: maxtime  Request aborted" },
    { "short", "bogus=1", EINVAL,
      "Update of this parameter is not supported: bogus=1\nRequest aborted" },
    { "short", "partitionname=x", EINVAL,
      "Update of this parameter is not supported: partitionname=x\nRequest aborted" },
    { "short", "ma=5", EINVAL, "Update of this parameter is not supported: ma=5\nRequest aborted" },
    { "short", "state=nix", EINVAL,
      "Invalid input: state=nix: State: 'nix' is none of UP, DOWN, DRAIN, INACTIVE" },
    { "short", "preemptmode=nix", EINVAL, "Invalid input: PreemptMode=nix" },
    { "short", "preemptmode=cancel,requeue", EINVAL, "Invalid input: PreemptMode=cancel,requeue" },
    { "short", "tresbillingweights=nix=3", EINVAL,
      "Invalid TRESBillingWeights specification: nix=3" },
    { "short", "tresbillingweights=cpu", EINVAL, "Invalid TRESBillingWeights specification: cpu" },
    { "short", "jobdefaults=nix", EINVAL, "Invalid JobDefaults specification: nix" },
    { "short", "nodes=n[3-4],x", E_NODE_NAME, "Invalid node name specified: n4,x" },
};

START_TEST(what_cannot_be_is_refused)
{
    struct slurm_conf *conf = load_lab();
    struct err err = { 0 };

    ck_assert_int_eq(update(conf, wrong[_i].name, wrong[_i].pair, &err), -wrong[_i].code);

    ck_assert_str_eq(err.text, wrong[_i].text);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(names_are_given_once)
{
    struct slurm_conf *conf = load_lab();

    ck_assert_int_eq(create(conf, "short", NULL, NULL), -E_PARTITION_NAME);
    ck_assert_int_eq(create(conf, "DEFAULT", NULL, NULL), -E_PARTITION_NAME);
    ck_assert_int_eq(create(conf, "", NULL, NULL), -E_PARTITION_NAME);
    ck_assert_int_eq(conf_partition_delete(conf, "none", NULL), -E_PARTITION_NAME);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(what_was_can_be_taken_back)
{
    struct slurm_conf *conf = load_lab();
    AUTO(conf_partitions) struct conf_partitions was = conf_partitions_copy(conf);

    ck_assert_int_eq(update(conf, "short", "nodes=n[1-3]", NULL), 0);
    ck_assert_int_eq(conf_partition_delete(conf, "main", NULL), 0);
    ck_assert_uint_eq(conf->partitions_n, 1);
    ck_assert_str_eq(conf->partitions[0].name, "short");

    conf_partitions_swap(&was, conf);

    ck_assert_uint_eq(conf->partitions_n, 2);
    ck_assert_str_eq(conf->partitions[0].name, "main");
    ck_assert_uint_eq(conf->partitions[1].nodes_n, 1);
    ck_assert_uint_eq(was.n, 1);
    slurm_conf_free(conf);
}
END_TEST

CHECK_MAIN(partition_change, CASE(values_are_read_as_in_the_file_and_keys_may_be_cut_short),
           LOOP_CASE(a_partition_has_one_preempt_mode, ARRAY_N(modes)),
           CASE(weights_are_for_what_is_counted), CASE(job_defaults_are_all_that_there_are),
           CASE(one_partition_is_the_default), CASE(a_new_partition_has_slurms_defaults),
           LOOP_CASE(what_cannot_be_is_refused, ARRAY_N(wrong)), CASE(names_are_given_once),
           CASE(what_was_can_be_taken_back))
