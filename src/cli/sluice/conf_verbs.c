/* conf_verbs.c - `sluice conf check` and `sluice conf show`. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/flags.h"
#include "cli/sluice/conf.h"
#include "cli/sluice/conf_show.h"
#include "cli/sluice/sluice.h"
#include "noded/inventory/inventory.h"

struct check_options {
    bool quiet, strict;
    const char *node;
};

#define AT(member) offsetof(struct check_options, member)

/* clang-format off */
static const struct flag check_rows[] = {
    { "node", 'N', FLAG_TEXT, AT(node), "NAME", NULL, "compare this node's line with this machine, whatever its name" },
    { "quiet", 'q', FLAG_SET, AT(quiet), NULL, NULL, "only errors and warnings, and no last line" },
    { "strict", 's', FLAG_SET, AT(strict), NULL, NULL, "warnings count as errors" },
    FLAGS_COMMON,
};

static const struct flag show_rows[] = {
    FLAGS_COMMON,
};
/* clang-format on */

static const struct flag_table check_table = {
    .purpose =
        "Tells what is wrong, old or without effect in a slurm.conf and the files beside it. "
        "Exit status: 0 when nothing is wrong, 1 when something is, 2 for bad options.",
    .operands = "[FILE]",
    .flags = check_rows,
    .flags_n = ARRAY_N(check_rows),
};

static const struct flag_table show_table = {
    .purpose =
        "Tells what a slurm.conf and the files beside it come to, and which line of which file "
        "says so.",
    .operands = "[FILE]",
    .flags = show_rows,
    .flags_n = ARRAY_N(show_rows),
};

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Checks the lines of this machine, or of the node that is named. With config_overrides nodes are
 * what their lines say. */
static int check_here(const struct command *command, const struct check_options *options,
                      struct conf_found *found)
{
    struct inventory_where where = INVENTORY_WHERE;
    AUTO(node_hardware) struct node_hardware hardware;
    const bool overrides = conf_overrides(found->conf);
    char host[256] = "";
    bool any = false;

    gethostname(host, sizeof(host) - 1);
    where.tmp_fs = found->conf->tmp_fs;
    inventory_read(&where, &hardware);
    for (uint32_t i = 0; i < found->conf->nodes_n; i++) {
        const struct conf_node *node = &found->conf->nodes[i];
        bool here = options->node ? strcmp(node->name, options->node) == 0
                                  : slurm_conf_node_is_on(node, host);

        if (here)
            conf_check_hardware(node, overrides ? NULL : &hardware, exists, &found->notes);
        any = any || here;
    }
    if (!options->node || any)
        return 0;
    log_error(command->log, "--node: there is no node %s", options->node);
    return 2;
}

/* Prints the last line: how many notes there are, and what the daemons make of the file. */
static void print_sum(const char *path, const struct conf_found *found,
                      const uint32_t counts[CONF_WEIGHTS_N])
{
    printf("%s: %u error%s, %u warning%s, %u note%s; %s\n", path, counts[CONF_WEIGHT_ERROR],
           counts[CONF_WEIGHT_ERROR] == 1 ? "" : "s", counts[CONF_WEIGHT_WARNING],
           counts[CONF_WEIGHT_WARNING] == 1 ? "" : "s", counts[CONF_WEIGHT_NOTE],
           counts[CONF_WEIGHT_NOTE] == 1 ? "" : "s",
           found->is_refused ? "slurmctld refuses it" : "slurmctld starts with it");
}

static int check(const struct command *command, const struct check_options *options,
                 const char *path)
{
    AUTO(conf_found) struct conf_found found = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    uint32_t counts[CONF_WEIGHTS_N];
    int status;

    conf_find(path, &found);
    if (found.conf) {
        status = check_here(command, options, &found);
        if (status)
            return status;
        conf_notes_sort(&found.notes, found.conf->files, found.conf->files_n);
    }
    conf_found_count(&found, counts);
    conf_found_format(&found, options->quiet ? CONF_WEIGHT_WARNING : CONF_WEIGHT_NOTE, &text);
    fputs(strbuf_text(&text), stdout);
    if (!options->quiet)
        print_sum(path, &found, counts);
    return counts[CONF_WEIGHT_ERROR] || (options->strict && counts[CONF_WEIGHT_WARNING]) ? 1 : 0;
}

static int show(const struct command *command, const char *path)
{
    struct slurm_conf *conf = NULL;
    AUTO(strbuf) struct strbuf text = { 0 };
    struct err err = { 0 };
    int rc = slurm_conf_load(path, &conf, NULL, &err);

    if (rc == 0) {
        conf_show_all(conf, &text);
        rc = conf_show_beside(conf, conf_read_disk, NULL, &text, &err);
    }
    slurm_conf_free(conf);
    fputs(strbuf_text(&text), stdout); /* what was read before a file that cannot be */
    if (fflush(stdout) != 0)
        return 1;
    if (rc < 0)
        log_error(command->log, "%s", err.text);
    return rc < 0 ? 1 : 0;
}

static const char *only_path(const struct command *command, const char *const *operands, uint32_t n)
{
    if (n > 1) {
        log_error(command->log, "one file at a time, please: '%s' is the second", operands[1]);
        return NULL;
    }
    return n ? operands[0] : slurm_conf_path();
}

static int run_check(struct command *command, int argc, char **argv)
{
    struct check_options options = { 0 };
    AUTO_FREE const char **operands = NULL;
    uint32_t n = 0;
    int status = flags_read(&check_table, command, argc, argv, &options, &operands, &n);
    const char *path = status < 0 ? only_path(command, operands, n) : NULL;

    if (status >= 0)
        return status ? 2 : 0;
    return path ? check(command, &options, path) : 2;
}

static int run_show(struct command *command, int argc, char **argv)
{
    AUTO_FREE const char **operands = NULL;
    uint32_t n = 0;
    int status = flags_read(&show_table, command, argc, argv, NULL, &operands, &n);
    const char *path = status < 0 ? only_path(command, operands, n) : NULL;

    if (status >= 0)
        return status ? 2 : 0;
    return path ? show(command, path) : 2;
}

int sluice_conf(int argc, char **argv, struct log *log)
{
    static const struct {
        const char *name, *program;
        int (*run)(struct command *command, int argc, char **argv);
    } verbs[] = { { "check", "sluice conf check", run_check },
                  { "show", "sluice conf show", run_show } };
    const char *name = argc > 1 ? argv[1] : "";

    for (size_t i = 0; i < ARRAY_N(verbs); i++) {
        if (strcmp(name, verbs[i].name) == 0) {
            AUTO(command) struct command command;

            command_init(&command, verbs[i].program);
            return verbs[i].run(&command, argc - 1, argv + 1);
        }
    }
    log_error(log, "sluice conf takes `check [FILE]` or `show [FILE]`");
    return 2;
}
