#include "cli/sdiag/sdiag.h"

#include <pwd.h>
#include <stdio.h>

#include "cli/lib/clusters.h"
#include "cli/lib/document.h"
#include "cli/lib/flags.h"
#include "cli/lib/records.h"
#include "cli/sdiag/document.h"
#include "common/msg/types.h"

struct sdiag_options {
    bool by_id, by_time, by_mean, reset;
    struct document_options document;
    const char *clusters;
};

#define FAILED 255 /* what Slurm's exits with where the controller refuses, or is away */

#define AT(member) offsetof(struct sdiag_options, member)

/* clang-format off */
static const struct flag rows[] = {
    { "all", 'a', FLAG_SAME, 0, NULL, NULL, "all counters" },
    { "cluster", 'M', FLAG_TEXT, AT(clusters), "NAME", "SLURM_CLUSTERS", "of this cluster" },
    { "help", 'h', FLAG_HELP, 0, NULL, NULL, "print this text" },
    { "json", 0, FLAG_DOCUMENT, AT(document.json), "VERSION", NULL, DOCUMENT_JSON_HELP },
    { "no-trunc", 0, FLAG_SAME, 0, NULL, NULL, "no line is cut, however long" },
    { "reset", 'r', FLAG_SET, AT(reset), NULL, NULL, "set the counters to zero; for root and SlurmUser" },
    { "sort-by-id", 'i', FLAG_SET, AT(by_id), NULL, NULL, "requests by their number" },
    { "sort-by-time", 't', FLAG_SET, AT(by_time), NULL, NULL, "requests by total time" },
    { "sort-by-time2", 'T', FLAG_SET, AT(by_mean), NULL, NULL, "requests by mean time" },
    { "usage", 0, FLAG_USAGE, 0, NULL, NULL, "print the options in short" },
    { "version", 'V', FLAG_VERSION, 0, NULL, NULL, "print the version" },
    { "yaml", 0, FLAG_DOCUMENT, AT(document.yaml), "VERSION", NULL, "the same as YAML" },
    DOCUMENT_VARIABLES(struct sdiag_options),
};
/* clang-format on */

static const struct flag_table table = {
    .purpose = "Tells how busy the controller is: jobs, scheduling passes, requests.",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
    .drops_operands = true,
};

static char *user_name(uint32_t uid)
{
    const struct passwd *entry = getpwuid(uid);

    return entry ? xstrdup(entry->pw_name) : NULL;
}

static enum sdiag_order order_of(const struct sdiag_options *options)
{
    if (options->by_id)
        return SDIAG_BY_ID;
    if (options->by_time)
        return SDIAG_BY_TIME;
    return options->by_mean ? SDIAG_BY_MEAN : SDIAG_BY_COUNT;
}

static int print_diag(struct command *command, const struct sdiag_options *options)
{
    const struct clock clock = clock_from_env();
    const struct sdiag_view view = { clock_wall_s(&clock), order_of(options), user_name };
    struct document document = { command, &options->document, command->argv, command->argc, { 0 },
                                 { 0 } };
    AUTO(diag) struct diag diag;
    AUTO(strbuf) struct strbuf text = { 0 };
    struct err err = { 0 };

    diag_init(&diag);
    if (cli_connect(&command->cli, RPC_ROLE_CLIENT, &err) < 0 ||
        client_call(command->cli.client, MSG_DIAG_GET, NULL, MSG_DIAG, &diag, &err) < 0) {
        records_report(command, "slurm_get_statistics", &err);
        return FAILED;
    }
    if (document_is_wanted(&options->document)) {
        document_begin(&document);
        sdiag_statistics(&diag, &view, &document.json);
        document_end(&document);
    } else {
        sdiag_format(&diag, &view, &text);
        fputs(strbuf_text(&text), stdout);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

static int reset(struct command *command)
{
    struct err err = { 0 };

    if (cli_connect(&command->cli, RPC_ROLE_CLIENT, &err) < 0 ||
        client_call(command->cli.client, MSG_DIAG_RESET, NULL, MSG_OK, NULL, &err) < 0) {
        records_report(command, "slurm_reset_statistics", &err);
        return FAILED;
    }
    puts("Reset scheduling statistics");
    return 0;
}

static int run(struct command *command, int argc, char **argv)
{
    struct sdiag_options options = { 0 };
    struct err err = { 0 };
    int status = flags_read(&table, command, argc, argv, &options, NULL, NULL);

    if (status >= 0)
        return status;
    command->argv = argv;
    command->argc = argc;
    if (cli_load(&command->cli, &err) < 0) {
        command_report(command, NULL, &err);
        return 1;
    }
    if (clusters_choose(command, options.clusters) < 0)
        return 1;
    return options.reset ? reset(command) : print_diag(command, &options);
}

int sdiag_main(int argc, char **argv)
{
    struct command command;
    int status;

    command_init(&command, "sdiag");
    status = run(&command, argc, argv);
    command_clear(&command);
    return status;
}
