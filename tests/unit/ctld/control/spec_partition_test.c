/*
 * Which partition takes a job, whom it refuses and what waits. Asked of Slurm 22.05.8, with
 * EnforcePartLimits=NO, ANY and ALL; where we part from it, the table says so.
 */
#include "unit/check_main.h"

#include <string.h>

#include "common/text/words.h"
#include "ctld/control/act/act.h"
#include "ctld/control/request/spec.h"
#include "ctld/model/model.h"

static struct partition_info *add_partition(struct model_config *config, const char *name)
{
    struct partition_info *part = ARRAY_PUSH(config->partitions, config->partitions_n);

    partition_info_init(part);
    part->name = xstrdup(name);
    part->nodes = xstrdup("ALL");
    part->max_time = LIMIT_INFINITE;
    part->max_nodes = COUNT_INFINITE;
    part->is_default = strcmp(name, "main") == 0;
    return part;
}

/* Four nodes of 12 cpus, as many partitions as there are things to say about one. */
static struct model *model_new_lab(uint32_t enforce)
{
    struct model_config config = { .enforce_part_limits = enforce, .select = SELECT_MEMORY };
    struct model *model = NULL;
    struct err err = { 0 };

    for (int i = 1; i <= 4; i++) {
        struct node_info *node = ARRAY_PUSH(config.nodes, config.nodes_n);

        node_info_init(node);
        node->node = xcalloc(1, sizeof(*node->node));
        node_record_init(node->node);
        node->node->name = xasprintf("n%d", i);
        node->cpus = 12;
        node->memory_mb = 4000;
    }
    add_partition(&config, "main");
    add_partition(&config, "debug")->max_time = 1800;
    config.partitions[1].max_nodes = 1;
    add_partition(&config, "grp")->allow_groups = xstrdup("daemon,adm");
    add_partition(&config, "acct")->allow_accounts = xstrdup("phys,chem");
    add_partition(&config, "denya")->deny_accounts = xstrdup("bad");
    add_partition(&config, "qosp")->allow_qos = xstrdup("high");
    add_partition(&config, "denyq")->deny_qos = xstrdup("low");
    add_partition(&config, "rooty")->root_only = true;
    add_partition(&config, "noroot")->no_root_jobs = true;
    add_partition(&config, "hid")->hidden = true;
    add_partition(&config, "mn")->min_nodes = 2;
    add_partition(&config, "mcpn")->max_cpus_per_node = 2;
    add_partition(&config, "drain")->state = PARTITION_DRAIN;
    add_partition(&config, "inactive")->state = PARTITION_INACTIVE;
    add_partition(&config, "down")->state = PARTITION_DOWN;
    add_partition(&config, "resv")->reservation_only = true;
    add_partition(&config, "maxmem")->max_mem_per_node = 1000;
    add_partition(&config, "away")->state = PARTITION_DRAIN;
    config.partitions[config.partitions_n - 1].alternate = xstrdup("debug");
    add_partition(&config, "login")->alloc_nodes = xstrdup("login[1-2]");
    ck_assert_msg(model_new(&config, &model, &err) == 0, "%s", err.text);
    return model;
}

/* "root" or "user", who is in the group daemon with "daemon" and "suppl". */
static struct caller caller_of(const char *who)
{
    static char *const groups[] = { "users", "adm" };
    struct caller caller = { .uid = 65534, .group_name = "users" };

    if (strcmp(who, "root") == 0)
        caller = (struct caller){ .uid = 0, .level = LEVEL_ROOT, .group_name = "root" };
    if (strcmp(who, "daemon") == 0)
        caller.group_name = "daemon";
    if (strcmp(who, "suppl") == 0) {
        caller.group_names = groups;
        caller.group_names_n = ARRAY_N(groups);
    }
    return caller;
}

/* "-p main,debug -N2 -t60": the options that these tables use, without blanks before values. */
static void read_spec(const char *text, struct job_spec *spec)
{
    AUTO(words) struct words words = words_split(text, " ");

    job_spec_init(spec);
    spec->min_nodes = 1;
    spec->submit_host = xstrdup("head");
    for (uint32_t i = 0; i < words.n; i++) {
        const char *value = words.at[i] + 2;

        switch (words.at[i][1]) {
        case 'p':
            spec->partition = xstrdup(value);
            break;
        case 'N':
            spec->min_nodes = spec->max_nodes = (uint32_t)atoi(value);
            break;
        case 'n':
            spec->ntasks = (uint32_t)atoi(value);
            break;
        case 't':
            spec->time_limit = atoi(value) * 60;
            break;
        case 'm':
            spec->time_min = atoi(value) * 60;
            break;
        case 'A':
            spec->account = xstrdup(value);
            break;
        case 'q':
            spec->qos = xstrdup(value);
            break;
        case 'M':
            spec->mem_per_node = (uint64_t)atoi(value);
            break;
        case 'C':
            spec->mem_per_cpu = (uint64_t)atoi(value);
            break;
        case 'c':
            spec->cpus_per_task = (uint32_t)atoi(value);
            break;
        case 'H':
            xstrset(&spec->submit_host, value);
            break;
        default:
            ck_abort_msg("%s", words.at[i]);
        }
    }
}

static const struct {
    const char *asked, *who;
    uint32_t enforce;
    const char *partition, *list; /* chosen, and what is left of the list */
    uint32_t reason;
} taken[] = {
    { "", "user", ENFORCE_NO, "main", NULL, REASON_NONE },
    { "-pmain,debug", "user", ENFORCE_NO, "main", "main,debug", REASON_NONE },
    { "-pdebug,main -N2", "user", ENFORCE_NO, "main", "debug,main", REASON_NONE },
    { "-pdebug -N2", "user", ENFORCE_NO, "debug", "debug", REASON_PARTITION_NODE_LIMIT },
    { "-pdebug -t60", "user", ENFORCE_NO, "debug", "debug", REASON_PARTITION_TIME_LIMIT },
    { "-pdebug -t60 -m20", "user", ENFORCE_NO, "debug", "debug", REASON_NONE },
    { "-pmn -N1", "user", ENFORCE_NO, "mn", "mn", REASON_PARTITION_NODE_LIMIT },
    { "-N5", "user", ENFORCE_NO, "main", NULL, REASON_PARTITION_NODE_LIMIT },
    { "-n100", "user", ENFORCE_NO, "main", NULL, REASON_PARTITION_CONFIG },
    { "-n49", "user", ENFORCE_NO, "main", NULL, REASON_PARTITION_CONFIG },
    { "-n48", "user", ENFORCE_NO, "main", NULL, REASON_NONE },
    { "-pmcpn -n9", "user", ENFORCE_NO, "mcpn", "mcpn", REASON_PARTITION_CONFIG },
    { "-pmcpn -n8", "user", ENFORCE_NO, "mcpn", "mcpn", REASON_NONE },
    { "-pgrp", "root", ENFORCE_NO, "grp", "grp", REASON_NONE },
    { "-pgrp", "daemon", ENFORCE_NO, "grp", "grp", REASON_NONE },
    { "-pgrp", "suppl", ENFORCE_NO, "grp", "grp", REASON_NONE },
    /* Slurm keeps the candidates that cannot be used in the list it shows. */
    { "-pgrp,main", "user", ENFORCE_NO, "main", "main", REASON_NONE },
    { "-pmain,rooty", "user", ENFORCE_NO, "main", "main", REASON_NONE },
    { "-pmain,noroot", "root", ENFORCE_NO, "main", "main", REASON_NONE },
    { "-pdrain,main", "user", ENFORCE_NO, "main", "main", REASON_NONE },
    { "-prooty", "root", ENFORCE_NO, "rooty", "rooty", REASON_NONE },
    { "-pnoroot", "user", ENFORCE_NO, "noroot", "noroot", REASON_NONE },
    { "-phid", "user", ENFORCE_NO, "hid", "hid", REASON_NONE },
    { "-pdown", "user", ENFORCE_NO, "down", "down", REASON_NONE },
    { "-paway", "user", ENFORCE_NO, "debug", "debug", REASON_NONE },
    { "-paway,main", "user", ENFORCE_NO, "debug", "debug,main", REASON_NONE },
    { "-pmaxmem -M1000", "user", ENFORCE_NO, "maxmem", "maxmem", REASON_NONE },
    { "-pmaxmem -M2000", "user", ENFORCE_NO, "maxmem", "maxmem", REASON_PARTITION_CONFIG },
    { "-pmaxmem -M0", "user", ENFORCE_NO, "maxmem", "maxmem", REASON_PARTITION_CONFIG },
    { "-pmaxmem -C600 -c2", "user", ENFORCE_NO, "maxmem", "maxmem", REASON_PARTITION_CONFIG },
    { "-pmaxmem -C400 -c2", "user", ENFORCE_NO, "maxmem", "maxmem", REASON_NONE },
    { "-pmaxmem -C400 -n4", "user", ENFORCE_NO, "maxmem", "maxmem", REASON_NONE },
    { "-plogin -Hlogin2", "user", ENFORCE_NO, "login", "login", REASON_NONE },
    { "-pacct -Aphys", "user", ENFORCE_NO, "acct", "acct", REASON_NONE },
    { "-pacct", "user", ENFORCE_NO, "acct", "acct", REASON_ACCOUNT_NOT_ALLOWED },
    { "-pacct -Ax", "user", ENFORCE_NO, "acct", "acct", REASON_ACCOUNT_NOT_ALLOWED },
    { "-pdenya -Abad", "user", ENFORCE_NO, "denya", "denya", REASON_ACCOUNT_NOT_ALLOWED },
    { "-pdenya -Agood", "user", ENFORCE_NO, "denya", "denya", REASON_NONE },
    { "-pdenya", "user", ENFORCE_NO, "denya", "denya", REASON_NONE },
    { "-pqosp -qhigh", "user", ENFORCE_NO, "qosp", "qosp", REASON_NONE },
    { "-pqosp", "user", ENFORCE_NO, "qosp", "qosp", REASON_QOS_NOT_ALLOWED },
    { "-pdenyq -qlow", "user", ENFORCE_NO, "denyq", "denyq", REASON_QOS_NOT_ALLOWED },
    { "-pdenyq", "user", ENFORCE_NO, "denyq", "denyq", REASON_NONE },
    { "-pdebug,main -N2", "user", ENFORCE_ANY, "main", "main", REASON_NONE },
    { "-pdebug,mn -N1", "user", ENFORCE_ANY, "debug", "debug", REASON_NONE },
    { "-pmain,debug -N1", "user", ENFORCE_ALL, "main", "main,debug", REASON_NONE },
};

START_TEST(a_job_goes_where_it_may_and_waits_where_it_must)
{
    struct model *model = model_new_lab(taken[_i].enforce);
    const struct caller caller = caller_of(taken[_i].who);
    const struct partition *part = NULL;
    AUTO(job_spec) struct job_spec spec;
    struct err err = { 0 };

    read_spec(taken[_i].asked, &spec);
    ck_assert_msg(spec_choose_partition(model, &caller, &spec, &part, &err) == 0, "%s: %s",
                  taken[_i].asked, err.text);

    ck_assert_str_eq(part->conf->name, taken[_i].partition);
    ck_assert_pstr_eq(spec.partition, taken[_i].list);
    ck_assert_str_eq(job_reason_name(spec_waits_for(model, &spec, part)),
                     job_reason_name(taken[_i].reason));
    model_free(model);
}
END_TEST

static const struct {
    const char *asked, *who;
    uint32_t enforce;
    int code;
} refused[] = {
    { "-pmain,nopart", "user", ENFORCE_NO, E_PARTITION_NAME },
    { "-pgrp", "user", ENFORCE_NO, E_PARTITION_GROUP },
    { "-prooty", "user", ENFORCE_NO, E_ACCESS },
    { "-pnoroot", "root", ENFORCE_NO, E_USER_ID },
    { "-pdrain", "user", ENFORCE_NO, E_PARTITION_UNAVAILABLE },
    { "-pinactive", "user", ENFORCE_NO, E_PARTITION_UNAVAILABLE },
    { "-presv", "user", ENFORCE_NO, E_ACCESS },
    { "-pmaxmem -M2000", "user", ENFORCE_ALL, E_MEMORY },
    { "-pmaxmem -C600 -c2", "user", ENFORCE_ALL, E_MEMORY },
    { "-plogin", "user", ENFORCE_NO, E_ACCESS },
    { "-plogin -Hlogin3", "user", ENFORCE_NO, E_ACCESS },
    { "-pgrp,rooty", "user", ENFORCE_NO, E_PARTITION_GROUP }, /* Slurm lets it wait for ever */
    { "-n49", "user", ENFORCE_ALL, E_TOO_MANY_CPUS },
    { "-N5", "user", ENFORCE_ALL, E_NODE_COUNT },
    { "-pdebug -N2", "user", ENFORCE_ALL, E_NODE_COUNT },
    { "-pdebug -t60", "user", ENFORCE_ALL, E_TIME_LIMIT },
    { "-pmn -N1", "user", ENFORCE_ALL, E_NODE_COUNT },
    { "-pmcpn -n9", "user", ENFORCE_ALL, E_TOO_MANY_CPUS },
    { "-pdebug,main -N2", "user", ENFORCE_ALL, E_NODE_COUNT },
    { "-pmain,noroot", "root", ENFORCE_ALL, E_USER_ID },
    { "-pacct -Ax", "user", ENFORCE_ALL, E_ACCOUNT },
    { "-pqosp", "user", ENFORCE_ALL, E_QOS },
    { "-n49", "user", ENFORCE_ANY, E_TOO_MANY_CPUS },
    { "-pdebug -N2", "user", ENFORCE_ANY, E_NODE_COUNT },
    { "-pdebug -t60", "user", ENFORCE_ANY, E_TIME_LIMIT },
    { "-pacct -Ax", "user", ENFORCE_ANY, E_ACCOUNT },
};

START_TEST(whom_a_partition_refuses_is_told_why)
{
    struct model *model = model_new_lab(refused[_i].enforce);
    const struct caller caller = caller_of(refused[_i].who);
    const struct partition *part = NULL;
    AUTO(job_spec) struct job_spec spec;
    struct err err = { 0 };

    read_spec(refused[_i].asked, &spec);

    ck_assert_msg(spec_choose_partition(model, &caller, &spec, &part, &err) == -refused[_i].code,
                  "%s: %d %s", refused[_i].asked, err.code, err.text);
    ck_assert_msg(err.code == E_PARTITION_NAME
                      ? strcmp(err.text, "invalid partition specified: nopart") == 0
                      : strncmp(err.text, err_string(err.code), strlen(err_string(err.code))) == 0,
                  "%s", err.text);
    ck_assert_ptr_null(part);
    model_free(model);
}
END_TEST

/* Memory in MB of a partition, what the job asks, and what it gets. */
static const struct {
    uint64_t def_cpu, def_node, def_gpu, max_cpu;
    uint64_t per_cpu, per_node;
    uint32_t cpus_per_task;
    bool gpus;
    uint64_t ret_cpu, ret_node, ret_gpu;
    uint32_t ret_cpus;
} memories[] = {
#define U MB_UNSET
#define N COUNT_UNSET
    { U, U, U, U, U, U, N, false, U, U, U, N },
    { 100, U, U, U, U, U, N, false, 100, U, U, N },
    { U, 200, U, U, U, U, N, false, U, 200, U, N },
    { 100, U, U, U, U, 50, N, false, U, 50, U, N },
    { 100, U, 300, U, U, U, N, true, U, U, 300, N },
    { 100, U, 300, U, U, U, N, false, 100, U, U, N },
    { U, U, U, 500, 500, U, N, false, 500, U, U, N },
    { U, U, U, 500, 600, U, N, false, 300, U, U, 2 },
    { U, U, U, 500, 1200, U, 2, false, 400, U, U, 6 },
    { U, U, U, 500, UINT64_C(1) << 50, U, 2, false, UINT64_C(1) << 50, U, U, 2 },
#undef U
#undef N
};

START_TEST(a_partition_gives_memory_to_those_who_name_none)
{
    struct model *model = model_new_lab(ENFORCE_NO);
    struct partition_info conf = *model->partitions[0].conf;
    const struct partition part = { .conf = &conf, .nodes = model->partitions[0].nodes };
    AUTO(job_spec) struct job_spec spec;

    read_spec("", &spec);
    conf.def_mem_per_cpu = memories[_i].def_cpu;
    conf.def_mem_per_node = memories[_i].def_node;
    conf.def_mem_per_gpu = memories[_i].def_gpu;
    conf.max_mem_per_cpu = memories[_i].max_cpu;
    spec.mem_per_cpu = memories[_i].per_cpu;
    spec.mem_per_node = memories[_i].per_node;
    spec.cpus_per_task = memories[_i].cpus_per_task;
    if (memories[_i].gpus)
        spec.tres_per_job = xstrdup("gres/gpu:2");
    ck_assert_int_eq(spec_fill_from_partition(model, &spec, &part, NULL), 0);

    ck_assert_uint_eq(spec.mem_per_cpu, memories[_i].ret_cpu);
    ck_assert_uint_eq(spec.mem_per_node, memories[_i].ret_node);
    ck_assert_uint_eq(spec.mem_per_gpu, memories[_i].ret_gpu);
    ck_assert_uint_eq(spec.cpus_per_task, memories[_i].ret_cpus);
    model_free(model);
}
END_TEST

START_TEST(only_a_job_without_limit_may_need_all_time)
{
    struct model *model = model_new_lab(ENFORCE_NO);
    const struct partition *mn = model_find_partition(model, "mn");
    AUTO(job_spec) struct job_spec unsaid;
    AUTO(job_spec) struct job_spec said;

    read_spec("", &unsaid);
    read_spec("", &said);
    unsaid.time_min = said.time_min = said.time_limit = LIMIT_INFINITE;

    ck_assert_int_eq(spec_fill_from_partition(model, &unsaid, mn, NULL), -E_TIME_MIN);
    ck_assert_int_eq(spec_fill_from_partition(model, &said, mn, NULL), 0);
    model_free(model);
}
END_TEST

START_TEST(least_times_and_nodes_are_those_of_the_partition)
{
    struct model *model = model_new_lab(ENFORCE_NO);
    const struct partition *mn = model_find_partition(model, "mn");
    AUTO(job_spec) struct job_spec open;
    AUTO(job_spec) struct job_spec late;
    struct err err = { 0 };

    read_spec("", &open);
    read_spec("-t5 -m10", &late);

    ck_assert_int_eq(spec_fill_from_partition(model, &open, mn, &err), 0);
    ck_assert_int_eq(spec_fill_from_partition(model, &late, mn, &err), -E_TIME_MIN);

    ck_assert_uint_eq(open.min_nodes, 2);
    ck_assert_int_eq(open.time_limit, LIMIT_INFINITE);
    model_free(model);
}
END_TEST

CHECK_MAIN(spec_partition,
           LOOP_CASE(a_job_goes_where_it_may_and_waits_where_it_must, ARRAY_N(taken)),
           LOOP_CASE(whom_a_partition_refuses_is_told_why, ARRAY_N(refused)),
           LOOP_CASE(a_partition_gives_memory_to_those_who_name_none, ARRAY_N(memories)),
           CASE(only_a_job_without_limit_may_need_all_time),
           CASE(least_times_and_nodes_are_those_of_the_partition))
