/*
 * What the real Slurm picked (tests/sched/oracle), against what the controller picks: the same
 * configurations, the same requests one after the other, nodes, cpus, memory and devices compared.
 *
 * tests/sched/oracle/differences lists the cases that differ, each with the reason. A case that is
 * not there and differs fails, and so does one that is there and no longer differs. With
 * ORACLE_SHOW=1 all that differ are printed as "CONFIGURATION/CASE", ours, theirs.
 */
#include "unit/check_main.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sim/conf.h"
#include "cli/submit/options.h"
#include "common/conf/file.h"
#include "common/text/words.h"
#include "ctld/sim/world.h"
#include "ctld/control/control.h"

#define DATA  "sched/oracle"
#define ALICE 1000
#define BOB   1001
#define RUN_S 100000

#define BASE "ClusterName=oracle\nSlurmctldHost=oracle\nPriorityType=priority/basic\n"

/* ---- configurations ---- */

static void add_file(struct strbuf *out, const char *folder, const char *name)
{
    AUTO_FREE char *path = xasprintf(DATA "/%s/%s", folder, name);
    AUTO(strbuf) struct strbuf text = { 0 };

    if (conf_read_disk(NULL, path, &text, NULL) == 0)
        strbuf_add(out, text.data, text.len);
}

static struct scenario conf_of(const char *folder)
{
    struct scenario scenario = { .name = xstrdup("slurm.conf") };

    strbuf_adds(&scenario.conf[SCENARIO_SLURM], BASE);
    add_file(&scenario.conf[SCENARIO_SLURM], folder, "slurm.conf");
    add_file(&scenario.conf[SCENARIO_GRES], folder, "gres.conf");
    add_file(&scenario.conf[SCENARIO_TOPOLOGY], folder, "topology.conf");
    return scenario;
}

static struct world *world_of(struct scenario *scenario)
{
    const struct world_begin begin = { .wall_s = 946684800 };
    struct model_config config;
    struct world *world = NULL;
    struct err err = { 0 };

    ck_assert_msg(conf_from_scenario(scenario, NULL, &config, &err) == 0, "%s", err.text);
    ck_assert_msg(world_new(&config, &begin, &world, &err) == 0, "%s", err.text);
    return world;
}

/* ---- requests ---- */

/* Options as they stand in the table: parted by spaces, '...' holds together. */
static struct words split_options(const char *text)
{
    struct words words = { 0 };

    while (*(text += strspn(text, " "))) {
        struct strbuf word = { 0 };

        for (bool quoted = false; *text && (quoted || *text != ' '); text++) {
            if (*text == '\'')
                quoted = !quoted;
            else
                strbuf_addc(&word, *text);
        }
        *ARRAY_PUSH(words.at, words.n) = strbuf_steal(&word);
    }
    return words;
}

/* "HOSTFILE=a,b,b" in front: SLURM_HOSTFILE names a file with these lines. */
static int read_host_file(const struct words *words, struct submit_options *options)
{
    if (words->n == 0 || strncmp(words->at[0], "HOSTFILE=", 9) != 0)
        return 0;
    options->job.req_nodes = xstrdup(words->at[0] + 9);
    options->job.dist_nodes = DIST_ARBITRARY;
    return 1;
}

static int make_spec(const char *text, struct job_spec *ret, struct err *err)
{
    AUTO(words) struct words words = split_options(text);
    AUTO(submit_options) struct submit_options options;
    AUTO_FREE char **argv = xcalloc(words.n + 2, sizeof(*argv));
    int argc = 1, operand, rc;

    submit_options_init(&options, SUBMIT_SBATCH);
    options.now = 946684800;
    options.cwd = xstrdup("/");
    argv[0] = (char *)"sbatch";
    for (uint32_t i = (uint32_t)read_host_file(&words, &options); i < words.n; i++)
        argv[argc++] = words.at[i];
    rc = submit_options_parse(&options, FROM_COMMAND_LINE, argc, argv, &operand, err);
    if (rc == 0)
        rc = submit_options_check(&options, err);
    if (rc == 0)
        schema_copy(job_spec_schema(), ret, &options.job);
    return rc;
}

/* ---- what it got, in the words of the table ---- */

static void add_cpus(const struct node_info *conf, const struct job_node *place, struct strbuf *out)
{
    const uint32_t cores = conf->sockets * conf->cores_per_socket;
    const uint32_t each = conf->cpus == cores ? conf->threads_per_core : 1;
    AUTO(bitset) struct bitset cpus = { 0 };
    const char *between = "";

    /* Slurm names both threads of a core that counts as one cpu. */
    bitset_init(&cpus, conf->cpus * each);
    for (uint32_t i = 0; i < place->cpus_n; i++) {
        for (uint32_t thread = 0; thread < each; thread++)
            bitset_add(&cpus, place->cpus[i] * each + thread);
    }
    strbuf_adds(out, " cpus=");
    BITSET_FOREACH (&cpus, first) {
        int64_t last = first;

        while (last + 1 < cpus.size && bitset_has(&cpus, (uint32_t)last + 1))
            last++;
        strbuf_addf(out, "%s%lld", between, (long long)first);
        if (last > first)
            strbuf_addf(out, "-%lld", (long long)last);
        between = ",";
        first = last;
    }
}

static void add_gres(const struct job_node *place, struct strbuf *out)
{
    for (uint32_t i = 0; i < place->gres_n; i++) {
        AUTO(strbuf) struct strbuf text = { 0 };

        job_gres_format(&place->gres[i], &text);
        strbuf_addf(out, "%s%s", i ? "," : " gres=", strbuf_text(&text));
    }
}

static void add_place(const struct model *model, const struct job_node *place, struct strbuf *out)
{
    const struct node *node = model_find_node(model, place->name);

    strbuf_addf(out, "%s%s", out->len ? "; " : "", place->name);
    add_cpus(node->conf, place, out);
    strbuf_addf(out, " mem=%llu",
                place->memory == MB_UNSET ? 0ULL : (unsigned long long)place->memory);
    add_gres(place, out);
}

/* Submits and says what became of it: places, "pending", or "refused". */
static char *outcome_of(struct world *world, const char *user, const char *options,
                        struct err *ret_why)
{
    const struct control *control = world_control(world);
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO(job_spec) struct job_spec spec;
    const struct job *job;
    int64_t number;

    job_spec_init(&spec);
    if (make_spec(options, &spec, ret_why) < 0)
        return xstrdup("refused");
    number =
        world_submit(world, strcmp(user, "bob") == 0 ? BOB : ALICE, &spec, RUN_S * 1000, ret_why);
    if (number < 0)
        return xstrdup("refused");
    job = model_find_job(control_model(control), world_job(world, (uint32_t)number)->id);
    if (!job || job->rec.state != JOB_RUNNING)
        return xstrdup("pending");
    for (uint32_t i = 0; i < job->rec.nodes_n; i++)
        add_place(control_model(control), &job->rec.nodes[i], &out);
    return strbuf_steal(&out);
}

/* What the table says, without the tasks: those are the step's. */
static char *expected_of(const char *result, const char *detail)
{
    AUTO(words) struct words words = { 0 };
    struct strbuf out = { 0 };

    if (strcmp(result, "started") != 0)
        return xstrdup(result);
    words = words_split(detail, " ");
    for (uint32_t i = 0; i < words.n; i++) {
        const char *word = words.at[i];
        const bool ends = word[strlen(word) - 1] == ';';

        if (strncmp(word, "tasks=", 6) != 0 && strncmp(word, "ranks=", 6) != 0)
            strbuf_addf(&out, "%s%s", out.len ? " " : "", word);
        else if (ends)
            strbuf_addc(&out, ';');
    }
    return strbuf_steal(&out);
}

/* ---- the list of what differs ---- */

/* "CONFIGURATION/CASE" a line; lines that begin with `why` or # are for people. */
static struct words read_differences(void)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO(words) struct words lines = { 0 };
    struct words known = { 0 };

    ck_assert_int_eq(conf_read_disk(NULL, DATA "/differences", &text, NULL), 0);
    lines = words_split(strbuf_text(&text), "\n");
    for (uint32_t i = 0; i < lines.n; i++) {
        if (lines.at[i][0] != '#' && strncmp(lines.at[i], "why ", 4) != 0)
            *ARRAY_PUSH(known.at, known.n) = xstrdup(lines.at[i]);
    }
    return known;
}

struct tally {
    struct words known;
    bool *met; /* each of the known ones did differ */
    uint32_t cases_n, differ_n, wrong_n;
    struct strbuf report;
};

static void count_case(struct tally *tally, const char *folder, const char *name, const char *ours,
                       const char *theirs)
{
    AUTO_FREE char *id = xasprintf("%s/%s", folder, name);
    bool known = false;

    tally->cases_n++;
    if (strcmp(ours, theirs) == 0)
        return;
    tally->differ_n++;
    for (uint32_t i = 0; i < tally->known.n; i++) {
        if (strcmp(tally->known.at[i], id) == 0)
            known = tally->met[i] = true;
    }
    if (getenv("ORACLE_SHOW"))
        printf("%s\n    ours   %s\n    theirs %s\n", id, ours, theirs);
    if (!known && tally->wrong_n++ < 10)
        strbuf_addf(&tally->report, "%s differs:\n  ours   %s\n  theirs %s\n", id, ours, theirs);
}

/* ---- all configurations ---- */

/* One case ends with its `ask`; a `before` that fails leaves the rest to fail too. */
static void play_folder(struct tally *tally, const char *folder)
{
    AUTO_FREE char *path = xasprintf(DATA "/%s/cases.tsv", folder);
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO(words) struct words lines = { 0 };
    struct scenario scenario = conf_of(folder);
    struct world *world = world_of(&scenario);

    ck_assert_int_eq(conf_read_disk(NULL, path, &text, NULL), 0);
    lines = words_split(strbuf_text(&text), "\n");
    for (uint32_t i = 1; i < lines.n; i++) {
        AUTO(words) struct words fields = words_split(lines.at[i], "\t");
        AUTO_FREE char *theirs = NULL, *ours = NULL;
        struct err why = { 0 };

        ck_assert_uint_ge(fields.n, 5);
        theirs = expected_of(fields.at[4], fields.n > 5 ? fields.at[5] : "");
        ours = outcome_of(world, fields.at[2], fields.at[3], &why);
        if (strcmp(ours, "refused") == 0 && strcmp(theirs, "refused") != 0)
            xstrset(&ours, why.text);
        if (strcmp(fields.at[1], "ask") != 0)
            continue;
        count_case(tally, folder, fields.at[0], ours, theirs);
        world_free(world);
        world = world_of(&scenario);
    }
    world_free(world);
    scenario_clear(&scenario);
}

static int has_cases(const struct dirent *entry)
{
    AUTO_FREE char *path = xasprintf(DATA "/%s/cases.tsv", entry->d_name);
    AUTO(strbuf) struct strbuf text = { 0 };

    return entry->d_name[0] != '.' && conf_read_disk(NULL, path, &text, NULL) == 0;
}

START_TEST(what_starts_gets_what_the_real_slurm_gave)
{
    struct dirent **folders = NULL;
    struct tally tally = { .known = read_differences() };
    const int n = scandir(DATA, &folders, has_cases, alphasort);
    tally.met = xcalloc(tally.known.n, sizeof(*tally.met));

    ck_assert_int_gt(n, 0);
    for (int i = 0; i < n; i++) {
        play_folder(&tally, folders[i]->d_name);
        free(folders[i]);
    }
    free(folders);

    for (uint32_t i = 0; i < tally.known.n; i++) {
        if (!tally.met[i] && tally.wrong_n++ < 20)
            strbuf_addf(&tally.report, "%s is listed, but does not differ\n", tally.known.at[i]);
    }
    printf("%u cases, %u differ\n", tally.cases_n, tally.differ_n);
    fflush(stdout);
    ck_assert_msg(tally.wrong_n == 0, "%u lines of %s/differences are due:\n%s", tally.wrong_n,
                  DATA, strbuf_text(&tally.report));
    strbuf_clear(&tally.report);
    words_clear(&tally.known);
    free(tally.met);
}
END_TEST

CHECK_MAIN(oracle, CASE(what_starts_gets_what_the_real_slurm_gave))
