/*
 * The cluster below was configured on a Slurm 22.05; what is expected is what its sinfo printed.
 */
#include "unit/check_main.h"
#include "unit/cli/made_records.h"

#include <string.h>
#include <time.h>

#include "cli/sinfo/rows.h"
#include "common/msg/types.h"

#define DRAINED INT64_C(1795209871) /* 2026-11-20T21:24:31 */

struct kind {
    uint32_t cpus, sockets, cores, threads;
    uint64_t memory, disk;
    uint32_t weight;
    const char *features;
};

static const struct kind worker = { 4, 4, 1, 1, 4000, 0, 1, NULL };
static const struct kind big = { 32, 2, 8, 2, 64000, 1000, 5, "big,ib" };
static const struct kind small = { 2, 2, 1, 1, 2000, 0, 1, NULL };

static const struct {
    const char *name;
    const struct kind *kind;
    uint32_t state, flags, alloc_cpus;
    const char *reason;
    int64_t reason_time;
} node_samples[] = {
    { "worker-1", &worker, NODE_MIXED, 0, 1, NULL, 0 },
    { "worker-2", &worker, NODE_ALLOCATED, NODE_FLAG_DRAIN, 4, "ram", DRAINED + 4 },
    { "worker-3", &worker, NODE_IDLE, 0, 0, NULL, 0 },
    { "big-1", &big, NODE_DOWN, 0, 0, "no such machine", 0 },
    { "big-2", &big, NODE_DOWN, 0, 0, "no such machine", 0 },
    { "gpu1", &big, NODE_DOWN, 0, 0, "no such machine", 0 },
    { "small-01", &small, NODE_UNKNOWN, NODE_FLAG_DRAIN, 0,
      "bad disk, see ticket 12345 for all the details", DRAINED },
    { "small-02", &small, NODE_DOWN, 0, 0, "bad disk, see ticket 12345 for all the details",
      DRAINED },
    { "small-03", &small, NODE_UNKNOWN, 0, 0, NULL, 0 },
};

static const struct partition_info part_samples[] = {
    { .name = (char[]){ "main" },
      .nodes = (char[]){ "worker-[1-3],big-[1-2],gpu1,small-[01-03]" },
      .is_default = true,
      .max_time = LIMIT_INFINITE,
      .default_time = LIMIT_UNSET,
      .min_nodes = 1,
      .max_nodes = COUNT_INFINITE,
      .max_cpus_per_node = COUNT_UNSET,
      .priority_tier = 1,
      .priority_job_factor = 1 },
    { .name = (char[]){ "debug" },
      .nodes = (char[]){ "worker-[1-2]" },
      .max_time = 1800,
      .default_time = 600,
      .min_nodes = 1,
      .max_nodes = COUNT_UNSET,
      .max_cpus_per_node = COUNT_UNSET,
      .priority_tier = 1,
      .priority_job_factor = 1 },
    { .name = (char[]){ "empty" },
      .state = PARTITION_DOWN,
      .max_time = LIMIT_INFINITE,
      .default_time = LIMIT_UNSET,
      .min_nodes = 1,
      .max_nodes = COUNT_UNSET,
      .max_cpus_per_node = COUNT_UNSET,
      .priority_tier = 1,
      .priority_job_factor = 1 },
    { .name = (char[]){ "hid" },
      .nodes = (char[]){ "worker-3" },
      .max_time = 2 * 86400,
      .default_time = LIMIT_UNSET,
      .min_nodes = 1,
      .max_nodes = COUNT_UNSET,
      .max_cpus_per_node = COUNT_UNSET,
      .priority_tier = 1,
      .priority_job_factor = 1 },
    { .name = (char[]){ "mixed" },
      .nodes = (char[]){ "worker-3,big-[1-2],small-[01-03]" },
      .state = PARTITION_DRAIN,
      .max_time = LIMIT_INFINITE,
      .default_time = LIMIT_UNSET,
      .min_nodes = 1,
      .max_nodes = 2,
      .max_cpus_per_node = COUNT_UNSET,
      .priority_tier = 7,
      .priority_job_factor = 1,
      .root_only = true,
      .allow_groups = (char[]){ "staff,adm" },
      .oversubscribe = (char[]){ "YES:2" } },
    { .name = (char[]){ "exc" },
      .nodes = (char[]){ "worker-1" },
      .state = PARTITION_INACTIVE,
      .max_time = 90 * 60,
      .default_time = LIMIT_INFINITE,
      .min_nodes = 1,
      .max_nodes = 1,
      .max_cpus_per_node = COUNT_UNSET,
      .priority_tier = 1,
      .priority_job_factor = 1,
      .oversubscribe = (char[]){ "EXCLUSIVE" } },
    { .name = (char[]){ "forc" },
      .nodes = (char[]){ "worker-1,gpu1" },
      .max_time = LIMIT_INFINITE,
      .default_time = LIMIT_UNSET,
      .min_nodes = 1,
      .max_nodes = COUNT_UNSET,
      .max_cpus_per_node = 2,
      .priority_tier = 1,
      .priority_job_factor = 1,
      .oversubscribe = (char[]){ "FORCE:4" } },
};

static struct records nodes, partitions;

static void fill(struct node_info *info, uint32_t i)
{
    const struct kind *kind = node_samples[i].kind;
    bool is_worker = kind == &worker;

    node_info_init(info);
    info->node = xcalloc(1, sizeof(*info->node));
    node_record_init(info->node);
    info->node->name = xstrdup(node_samples[i].name);
    info->node->reason = xstrdup(node_samples[i].reason);
    info->node->reason_time = node_samples[i].reason_time;
    info->node->version = xstrdup(is_worker ? "25.05.0" : NULL);
    info->host = xstrdup(node_samples[i].name);
    info->address = xstrdup("127.0.0.1");
    info->state = node_samples[i].state;
    info->flags = node_samples[i].flags;
    info->alloc_cpus = node_samples[i].alloc_cpus;
    info->cpus = kind->cpus;
    info->sockets = kind->sockets;
    info->cores_per_socket = kind->cores;
    info->threads_per_core = kind->threads;
    info->memory_mb = kind->memory;
    info->tmp_disk_mb = kind->disk;
    info->weight = kind->weight;
    info->features = xstrdup(kind->features);
    info->active_features = xstrdup(kind->features);
    info->load_percent = is_worker ? 469 : COUNT_UNSET;
    info->free_memory_mb = is_worker ? 21991 : MB_UNSET;
}

static void before(void)
{
    struct node_info *infos = xcalloc(ARRAY_N(node_samples), sizeof(*infos));
    struct partition_info *parts = xcalloc(ARRAY_N(part_samples), sizeof(*parts));

    setenv("TZ", "UTC", 1);
    tzset();
    for (uint32_t i = 0; i < ARRAY_N(node_samples); i++)
        fill(&infos[i], i);
    for (uint32_t i = 0; i < ARRAY_N(part_samples); i++) {
        parts[i] = part_samples[i];
        parts[i].def_mem_per_cpu = parts[i].def_mem_per_node = MB_UNSET;
        parts[i].max_mem_per_cpu = parts[i].max_mem_per_node = MB_UNSET;
    }
    nodes =
        (struct records){ .schema = node_info_schema(), .at = infos, .n = ARRAY_N(node_samples) };
    partitions = (struct records){ .schema = partition_info_schema(),
                                   .at = parts,
                                   .n = ARRAY_N(part_samples) };
}

static void after(void)
{
    clear_made_records(&nodes);
    free(partitions.at); /* its texts are those of the samples */
}

/* The nodes that nobody started have been silent for long. */
static void silence(void)
{
    for (uint32_t i = 3; i < nodes.n; i++)
        ((struct node_info *)made_record(&nodes, i))->flags |= NODE_FLAG_NO_RESPOND;
}

struct question {
    const char *letters, *sort, *states, *parts, *hosts;
    enum sinfo_grouping grouping;
    bool dead, responding, reasons;
};

static char *answer(const struct question *question)
{
    AUTO(sinfo_filter)
    struct sinfo_filter filter = { .dead = question->dead,
                                   .responding = question->responding,
                                   .reasons = question->reasons,
                                   .has_states = question->states != NULL };
    AUTO(sinfo_rows) struct sinfo_rows rows = { 0 };
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };
    const struct report_context ctx = { 0 };
    struct report_sort sort;
    const struct sinfo_source source = { &nodes,  &partitions, &filter,
                                         &format, &sort,       question->grouping };

    report_format_init(&format, &sinfo_table);
    ck_assert_int_eq(report_format_parse_letters(&format, question->letters, NULL), 0);
    ck_assert_int_eq(
        report_sort_parse(&sinfo_table, question->sort ? question->sort : "#P,-t", &sort, NULL), 0);
    if (question->states)
        ck_assert_int_eq(node_states_parse(question->states, &filter.states, NULL), 0);
    if (question->parts)
        filter.partitions = words_split(question->parts, ","), filter.has_partitions = true;
    if (question->hosts)
        ck_assert_int_eq(hostlist_parse(question->hosts, &filter.nodes, NULL), 0);
    sinfo_rows_make(&source, &ctx, &rows);
    for (uint32_t i = 0; i < rows.n; i++)
        report_line(&format, &ctx, rows.order[i], &out);
    return strbuf_steal(&out);
}

#define USUAL "%9P %.5a %.10l %.6D %.6t %N"
#define BASED "%8N %.6D %.9P %6t"

static const struct {
    struct question question;
    const char *expected;
} listings[] = {
    { { .letters = USUAL },
      "main*        up   infinite      1   drng worker-2\n"
      "main*        up   infinite      1  drain small-01\n"
      "main*        up   infinite      1    mix worker-1\n"
      "main*        up   infinite      1   idle worker-3\n"
      "main*        up   infinite      4   down big-[1-2],gpu1,small-02\n"
      "main*        up   infinite      1    unk small-03\n"
      "debug        up      30:00      1   drng worker-2\n"
      "debug        up      30:00      1    mix worker-1\n"
      "empty      down   infinite      0    n/a \n"
      "hid          up 2-00:00:00      1   idle worker-3\n"
      "mixed     drain   infinite      1  drain small-01\n"
      "mixed     drain   infinite      1   idle worker-3\n"
      "mixed     drain   infinite      3   down big-[1-2],small-02\n"
      "mixed     drain   infinite      1    unk small-03\n"
      "exc       inact    1:30:00      1    mix worker-1\n"
      "forc         up   infinite      1    mix worker-1\n"
      "forc         up   infinite      1   down gpu1\n" },
    { { .letters = "%9P %.5a %.10l %.10s %.4r %.8h %.10g %.6D %.11T %N", .parts = "mixed,exc" },
      "mixed     drain   infinite        1-2  yes    YES:2  staff,adm      1     drained small-01\n"
      "mixed     drain   infinite        1-2  yes    YES:2  staff,adm      1        idle worker-3\n"
      "mixed     drain   infinite        1-2  yes    YES:2  staff,adm      3        down "
      "big-[1-2],small-02\n"
      "mixed     drain   infinite        1-2  yes    YES:2  staff,adm      1     unknown small-03\n"
      "exc       inact    1:30:00          1   no EXCLUSIV        all      1       mixed "
      "worker-1\n" },
    { { .letters = BASED, .sort = "N", .grouping = SINFO_EACH_NODE },
      "big-1         1     main* down  \nbig-1         1     mixed down  \n"
      "big-2         1     main* down  \nbig-2         1     mixed down  \n"
      "gpu1          1     main* down  \ngpu1          1      forc down  \n"
      "small-01      1     main* drain \nsmall-01      1     mixed drain \n"
      "small-02      1     main* down  \nsmall-02      1     mixed down  \n"
      "small-03      1     main* unk   \nsmall-03      1     mixed unk   \n"
      "worker-1      1     main* mix   \nworker-1      1     debug mix   \n"
      "worker-1      1       exc mix   \nworker-1      1      forc mix   \n"
      "worker-2      1     main* drng  \nworker-2      1     debug drng  \n"
      "worker-3      1     main* idle  \nworker-3      1       hid idle  \n"
      "worker-3      1     mixed idle  \n" },
    { { .letters = "%8N %.6D %.9P %.11T %4c %.8z %.6m %.8d %.6w %.8f %20E",
        .sort = "N",
        .hosts = "gpu1,small-01,worker-2",
        .parts = "main",
        .grouping = SINFO_EACH_NODE },
      "gpu1          1     main*        down 32      2:8:2  64000     1000      5   big,ib no such "
      "machine     \n"
      "small-01      1     main*     drained 2       2:1:1   2000        0      1   (null) bad "
      "disk, "
      "see ticket\n"
      "worker-2      1     main*    draining 4       4:1:1   4000        0      1   (null) ram     "
      "  "
      "          \n" },
    { { .letters = "%9P %.5a %.10l %.16F %N" },
      "main*        up   infinite          2/2/5/9 big-[1-2],gpu1,small-[01-03],worker-[1-3]\n"
      "debug        up      30:00          2/0/0/2 worker-[1-2]\n"
      "empty      down   infinite          0/0/0/0 \n"
      "hid          up 2-00:00:00          0/1/0/1 worker-3\n"
      "mixed     drain   infinite          0/2/4/6 big-[1-2],small-[01-03],worker-3\n"
      "exc       inact    1:30:00          1/0/0/1 worker-1\n"
      "forc         up   infinite          1/0/1/2 gpu1,worker-1\n" },
    { { .letters = "%20E %9u %19H %N", .reasons = true },
      "ram                  root      2026-11-20T21:24:35 worker-2\n"
      "bad disk, see ticket root      2026-11-20T21:24:31 small-[01-02]\n"
      "no such machine      root      Unknown             big-[1-2],gpu1\n" },
    { { .letters = "%20E %12U %19H %6t %N", .reasons = true },
      "ram                  root(0)      2026-11-20T21:24:35 drng   worker-2\n"
      "bad disk, see ticket root(0)      2026-11-20T21:24:31 drain  small-01\n"
      "no such machine      root(0)      Unknown             down   big-[1-2],gpu1\n"
      "bad disk, see ticket root(0)      2026-11-20T21:24:31 down   small-02\n" },
    { { .letters = "%20E %N", .reasons = true, .states = "down" },
      "no such machine      big-[1-2],gpu1\nbad disk, see ticket small-02\n" },
};

START_TEST(nodes_share_lines_as_in_slurm)
{
    AUTO_FREE char *text = answer(&listings[_i].question);

    ck_assert_str_eq(text, listings[_i].expected);
}
END_TEST

static const struct {
    struct question question;
    const char *expected;
} silent[] = {
    { { .letters = "%D %t %N" },
      "1 drain* small-01\n4 down* big-[1-2],gpu1,small-02\n1 unk* small-03\n1 drng worker-2\n"
      "1 mix worker-1\n1 idle worker-3\n" },
    { { .letters = "%c %D %N" }, "2+ 9 big-[1-2],gpu1,small-[01-03],worker-[1-3]\n" },
    { { .letters = "%c %m %d %D %N", .sort = "c", .grouping = SINFO_EXACT },
      "2 2000 0 3 small-[01-03]\n4 4000 0 3 worker-[1-3]\n32 64000 1000 3 big-[1-2],gpu1\n" },
    { { .letters = "%P %C %F" },
      "main* 5/9/100/114 2/2/5/9\ndebug 5/3/0/8 2/0/0/2\nempty 0/0/0/0 0/0/0/0\n"
      "hid 0/4/0/4 0/1/0/1\nmixed 0/6/68/74 0/2/4/6\nexc 1/3/0/4 1/0/0/1\n"
      "forc 1/3/32/36 1/0/1/2\n" },
    { { .letters = "%C" }, "5/9/100/114\n" },
    { { .letters = "%A %F %N" }, "2/2 2/2/5/9 big-[1-2],gpu1,small-[01-03],worker-[1-3]\n" },
    { { .letters = "%z %X %Y %Z %N %w %f" },
      "2+:1:1 2+ 1 1 small-[01-03],worker-[1-3] 1 (null)\n2:8:2 2 8 2 big-[1-2],gpu1 5 big,ib\n" },
    { { .letters = "%n" },
      "small-01\nbig-1\nbig-2\ngpu1\nsmall-02\nsmall-03\nworker-2\nworker-1\nworker-3\n" },
    { { .letters = "%o %N" }, "127.0.0.1 big-[1-2],gpu1,small-[01-03],worker-[1-3]\n" },
    { { .letters = "%E|%H|%u|%U|%N" },
      "bad disk, see ticket 12345 for all the details|2026-11-20T21:24:31|root|root(0)|"
      "small-[01-02]\n"
      "no such machine|Unknown|root|root(0)|big-[1-2],gpu1\n"
      "none|Unknown|Unknown|Unknown|small-03,worker-[1,3]\n"
      "ram|2026-11-20T21:24:35|root|root(0)|worker-2\n" },
    { { .letters = "%e %O %N" }, "21991-N/A 4.69-N/A big-[1-2],gpu1,small-[01-03],worker-[1-3]\n" },
    { { .letters = "%P %R %a %B %g %h %I %l %L %M %p %r %s %S %D",
        .parts = "debug,mixed,exc,forc" },
      "debug debug up UNLIMITED all NO 1 30:00 10:00 OFF 1 no 1-infinite all 2\n"
      "mixed mixed drain UNLIMITED staff,adm YES:2 1 infinite n/a OFF 7 yes 1-2 all 6\n"
      "exc exc inactive UNLIMITED all EXCLUSIVE 1 1:30:00 n/a OFF 1 no 1 all 1\n"
      "forc forc up 2 all FORCE:4 1 infinite n/a OFF 1 no 1-infinite all 2\n" },
    { { .letters = "%a %D %N" },
      "up 9 big-[1-2],gpu1,small-[01-03],worker-[1-3]\n"
      "drain 6 big-[1-2],small-[01-03],worker-3\ninactive 1 worker-1\n" },
    { { .letters = "%P %D %t %N", .states = "idle", .parts = "main,debug" },
      "main* 1 idle worker-3\ndebug 0 n/a \n" },
    { { .letters = "%t %N", .states = "drain,mix" },
      "drain* small-01\ndrng worker-2\nmix worker-1\n" },
    { { .letters = "%t %N", .states = "drain&down" }, "" },
    { { .letters = "%t %N", .states = "DOWN&no_respond" }, "down* big-[1-2],gpu1,small-02\n" },
    { { .letters = "%t %N", .states = "alloc" }, "drng worker-2\nmix worker-1\n" },
    { { .letters = "%N", .states = "drained" }, "small-01\n" },
    { { .letters = "%N", .states = "unk" }, "small-[01,03]\n" },
    { { .letters = "%N", .dead = true }, "big-[1-2],gpu1,small-[01-03]\n" },
    { { .letters = "%N", .responding = true }, "worker-[1-3]\n" },
    { { .letters = "%t %N", .sort = "t", .parts = "main" },
      "idle worker-3\nmix worker-1\ndrng worker-2\nunk* small-03\n"
      "down* big-[1-2],gpu1,small-02\ndrain* small-01\n" },
    { { .letters = "%t %D %N", .sort = "D", .parts = "main" },
      "drain* 1 small-01\nunk* 1 small-03\nmix 1 worker-1\ndrng 1 worker-2\nidle 1 worker-3\n"
      "down* 4 big-[1-2],gpu1,small-02\n" },
    { { .letters = "%t %N", .sort = "N", .parts = "main" },
      "down* big-[1-2],gpu1,small-02\ndrain* small-01\nunk* small-03\nmix worker-1\n"
      "drng worker-2\nidle worker-3\n" },
    { { .letters = "%P", .sort = "P" }, "debug\nempty\nexc\nforc\nhid\nmain*\nmixed\n" },
    { { .letters = "%P %N", .parts = "nope" }, "" },
};

START_TEST(formats_decide_what_keeps_nodes_apart)
{
    silence();

    AUTO_FREE char *text = answer(&silent[_i].question);

    ck_assert_str_eq(text, silent[_i].expected);
}
END_TEST

#define RESERVED NODE_FLAG_RESERVED
#define MAINT    (NODE_FLAG_MAINT | NODE_FLAG_RESERVED)

static const struct {
    uint32_t state, flags;
    const char *brief, *full, *complete;
} states[] = {
    { NODE_IDLE, 0, "idle", "idle", "idle" },
    { NODE_IDLE, NODE_FLAG_DRAIN, "drain", "drained", "idle+drain" },
    { NODE_MIXED, NODE_FLAG_DRAIN, "drng", "draining", "mixed+drain" },
    { NODE_IDLE, NODE_FLAG_DRAIN | NODE_FLAG_COMPLETING, "drng", "draining",
      "idle+drain+completing" },
    { NODE_IDLE, NODE_FLAG_COMPLETING, "comp", "completing", "idle+completing" },
    { NODE_ALLOCATED, NODE_FLAG_COMPLETING, "alloc+", "allocated+", "allocated+completing" },
    { NODE_DOWN, NODE_FLAG_NO_RESPOND, "down*", "down*", "down+not_responding" },
    { NODE_DOWN, NODE_FLAG_DRAIN, "drain", "drained", "down+drain" },
    { NODE_UNKNOWN, NODE_FLAG_NO_RESPOND, "unk*", "unknown*", "unknown+not_responding" },
    { NODE_IDLE, NODE_FLAG_PLANNED, "plnd", "planned", "idle+planned" },
    { NODE_MIXED, NODE_FLAG_PLANNED, "mix-", "mixed-", "mixed+planned" },
    { NODE_DOWN, NODE_FLAG_INVALID, "inval", "inval", "down+invalid_reg" },
    { NODE_IDLE, RESERVED, "resv", "reserved", "idle+reserved" },
    { NODE_IDLE, RESERVED | NODE_FLAG_PLANNED, "resv", "reserved", "idle+reserved+planned" },
    { NODE_IDLE, RESERVED | NODE_FLAG_NO_RESPOND, "idle*", "idle*",
      "idle+reserved+not_responding" },
    { NODE_MIXED, RESERVED, "mix", "mixed", "mixed+reserved" },
    { NODE_DOWN, RESERVED, "down", "down", "down+reserved" },
    { NODE_MIXED, RESERVED | NODE_FLAG_DRAIN, "drng", "draining", "mixed+drain+reserved" },
    { NODE_IDLE, MAINT, "maint", "maint", "idle+maintenance+reserved" },
    { NODE_IDLE, MAINT | NODE_FLAG_FAIL, "maint", "maint", "idle+fail+maintenance+reserved" },
    { NODE_IDLE, MAINT | NODE_FLAG_DRAIN, "drain$", "drained$", "idle+drain+maintenance+reserved" },
    { NODE_ALLOCATED, MAINT | NODE_FLAG_DRAIN, "drng$", "draining$",
      "allocated+drain+maintenance+reserved" },
    { NODE_ALLOCATED, MAINT, "alloc$", "allocated$", "allocated+maintenance+reserved" },
    { NODE_MIXED, MAINT, "alloc$", "allocated$", "mixed+maintenance+reserved" },
    { NODE_DOWN, MAINT, "down$", "down$", "down+maintenance+reserved" },
    { NODE_IDLE, MAINT | NODE_FLAG_COMPLETING, "comp$", "completing$",
      "idle+completing+maintenance+reserved" },
    { NODE_ALLOCATED, MAINT | NODE_FLAG_FAIL | NODE_FLAG_NO_RESPOND, "failg*", "failing*",
      "allocated+fail+maintenance+reserved+not_responding" },
};

START_TEST(states_have_slurms_names)
{
    const struct node_info node = { .state = states[_i].state, .flags = states[_i].flags };
    AUTO(strbuf) struct strbuf brief = { 0 };
    AUTO(strbuf) struct strbuf full = { 0 };
    AUTO(strbuf) struct strbuf complete = { 0 };

    node_state_short(&node, false, &brief);
    node_state_short(&node, true, &full);
    node_state_complete(&node, &complete);

    ck_assert_str_eq(strbuf_text(&brief), states[_i].brief);
    ck_assert_str_eq(strbuf_text(&full), states[_i].full);
    ck_assert_str_eq(strbuf_text(&complete), states[_i].complete);
}
END_TEST

static const struct {
    const char *states;
    uint32_t flags;
    bool have;
} asked[] = {
    { "resv", RESERVED, true },        { "RESERVED", MAINT, true }, { "resv", 0, false },
    { "maint", RESERVED, false },      { "maint", MAINT, true },    { "idle", MAINT, true },
    { "idle&maint", RESERVED, false },
};

START_TEST(reserved_nodes_can_be_asked_for)
{
    const struct node_info node = { .state = NODE_IDLE, .flags = asked[_i].flags };
    struct node_states wanted;

    ck_assert_int_eq(node_states_parse(asked[_i].states, &wanted, NULL), 0);

    ck_assert_int_eq(node_states_have(&wanted, &node), asked[_i].have);
    words_clear(&wanted.words);
}
END_TEST

/* Each was a word that never changed. */
START_TEST(what_a_node_and_a_partition_are_told_is_shown)
{
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };
    struct node_info *node = made_record(&nodes, 0);
    struct partition_info part = part_samples[0];
    const struct node_info *one = node;
    const struct sinfo_row row = { .part = &part, .node = node, .nodes = &one, .nodes_n = 1 };

    node->gres_used = xstrdup("gpu:a:1(IDX:0)");
    node->reservation = xstrdup("course");
    node->node->comment = xstrdup("hello");
    node->node->extra = xstrdup("more");
    part.alloc_nodes = (char *)(uintptr_t) "login";
    report_format_init(&format, &sinfo_table);
    ck_assert_int_eq(report_format_parse_names(&format,
                                               "GresUsed:|,Comment:|,Extra:|,AllocNodes:|,"
                                               "Reservation:|",
                                               NULL),
                     0);
    report_line(&format, &(struct report_context){ 0 }, &row, &out);

    ck_assert_str_eq(strbuf_text(&out), "gpu:a:1(IDX:0)|hello|more|login|course|\n");
}
END_TEST

START_TEST(a_word_that_is_no_state_is_named)
{
    struct node_states none;
    struct err err = { 0 };

    ck_assert_int_eq(node_states_parse("idle,foo", &none, &err), -E_SYNTAX);

    ck_assert_ptr_nonnull(strstr(err.text, "Bad state string: \"foo\""));
}
END_TEST

START_TEST(every_path_of_the_table_leads_to_a_value)
{
    struct err err = { 0 };

    ck_assert_msg(report_table_check(&sinfo_table, &err) == 0, "%s", err.text);
}
END_TEST

CHECK_MAIN_WITH(sinfo, before, after, LOOP_CASE(nodes_share_lines_as_in_slurm, ARRAY_N(listings)),
                LOOP_CASE(formats_decide_what_keeps_nodes_apart, ARRAY_N(silent)),
                LOOP_CASE(states_have_slurms_names, ARRAY_N(states)),
                LOOP_CASE(reserved_nodes_can_be_asked_for, ARRAY_N(asked)),
                CASE(what_a_node_and_a_partition_are_told_is_shown),
                CASE(a_word_that_is_no_state_is_named),
                CASE(every_path_of_the_table_leads_to_a_value))
