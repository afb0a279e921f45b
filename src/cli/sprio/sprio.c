#include "cli/sprio/sprio.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/clusters.h"
#include "cli/lib/flags.h"
#include "cli/lib/listing.h"
#include "cli/lib/records.h"
#include "cli/sprio/columns.h"
#include "common/msg/job.h"
#include "common/msg/types.h"
#include "common/report/sort.h"
#include "common/text/words.h"

struct options {
    bool no_header, is_long, normal, weights;
    const char *format, *jobs, *clusters, *sort;
    struct words partitions, users;
    uint32_t verbose;
};

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct flag rows[] = {
    { "federation", 0, FLAG_SAME, 0, NULL, "SPRIO_FEDERATION", "there is one cluster" },
    { "noheader", 'h', FLAG_SET, AT(no_header), NULL, NULL, "no line of titles" },
    { "jobs", 'j', FLAG_LIST, AT(jobs), "JOBS", NULL, "only these, as 12,13" },
    { "local", 0, FLAG_SAME, 0, NULL, "SPRIO_LOCAL", "there is one cluster" },
    { "long", 'l', FLAG_SET, AT(is_long), NULL, NULL, "all factors, also without weight" },
    { "cluster", 'M', FLAG_TEXT, AT(clusters), "NAME", "SLURM_CLUSTERS", "of this cluster" },
    { "norm", 'n', FLAG_SET, AT(normal), NULL, NULL, "factors before their weights, from 0 to 1" },
    { "format", 'o', FLAG_TEXT, AT(format), "FORMAT", "SPRIO_FORMAT", "which columns, as \"%.15i %.10Y\"" },
    { "partition", 'p', FLAG_WORDS, AT(partitions), "PARTITIONS", NULL, "only in these" },
    { "sibling", 0, FLAG_SAME, 0, NULL, "SPRIO_SIBLING", "there is one cluster" },
    { "sort", 'S', FLAG_TEXT, AT(sort), "KEYS", NULL, "by these columns, as \"-Y,i\"" },
    { "user", 'u', FLAG_WORDS, AT(users), "USERS", NULL, "only of these" },
    { "verbose", 'v', FLAG_MORE, AT(verbose), NULL, NULL, "say more" },
    { "version", 'V', FLAG_VERSION, 0, NULL, NULL, "print the version" },
    { "weights", 'w', FLAG_SET, AT(weights), NULL, NULL, "the weights instead of jobs" },
    { "help", 0, FLAG_HELP, 0, NULL, NULL, "show this help message" },
    { "usage", 0, FLAG_USAGE, 0, NULL, NULL, "display a brief summary of sprio options" },
};
/* clang-format on */

/* In the order and with the names for values that scripts find in Slurm's; what it leaves out is in
 * the last line. */
static const char usage[] =
    "Usage: sprio [-j jid[s]] [-u user_name[s]] [-o format] [-p partitions]\n"
    "   [--federation] [--local] [--sibling] [--usage] [-hlnvVw]\n"
    "   [-M name] [-S keys] [--help]\n";

static const struct flag_table table = {
    .purpose = "Tells what the priorities of waiting jobs are made of.",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
    .usage = usage,
};

/* ---- which jobs ---- */

static int read_jobs(const struct command *command, const char *text, struct job_list *filter)
{
    AUTO(words) struct words ids = words_split(text ? text : "", ",");

    for (uint32_t i = 0; i < ids.n; i++) {
        uint64_t id;

        if (number_parse(ids.at[i], 1, UINT32_MAX, &id, NULL) < 0) {
            log_error(command->log, "Invalid job id: %s", ids.at[i]);
            return 1;
        }
        *ARRAY_PUSH(filter->job_ids, filter->job_ids_n) = (uint32_t)id;
    }
    return 0;
}

/*
 * Reads users; one that is nobody's stays in the list as nobody, so that it does not widen it to
 * all.
 */
static void read_users(const struct command *command, const struct words *users,
                       struct job_list *filter)
{
    for (uint32_t i = 0; i < users->n; i++) {
        const struct passwd *entry = getpwnam(users->at[i]);
        uint64_t uid = UINT32_MAX;

        if (entry)
            uid = entry->pw_uid;
        else if (number_parse(users->at[i], 0, UINT32_MAX, &uid, NULL) < 0)
            log_error(command->log, "Invalid user: %s\n", users->at[i]);
        *ARRAY_PUSH(filter->uids, filter->uids_n) = (uint32_t)uid;
    }
}

/* ---- printing ---- */

static int print_rows(const struct command *command, const struct options *options,
                      const struct report_format *format, const void **lines, uint32_t n)
{
    const struct report_context ctx = { 0 };
    struct report_sort sort = { 0 };
    struct err err = { 0 };

    if (options->sort && report_sort_parse(&prio_table, options->sort, &sort, &err) < 0) {
        log_error(command->log, "%s", err.text);
        return 1;
    }
    report_sort_rows(&sort, &ctx, lines, n);
    return listing_print(command, format, &ctx, lines, n, !options->no_header);
}

static int print_jobs(const struct command *command, const struct options *options,
                      const struct report_format *format, const struct records *jobs)
{
    AUTO_FREE struct prio_row *list = xcalloc(jobs->n, sizeof(*list));
    AUTO_FREE const void **lines = xcalloc(jobs->n, sizeof(*lines));
    uint32_t n = 0;

    for (uint32_t i = 0; i < jobs->n; i++) {
        list[i] = (struct prio_row){ record_at(jobs, i), command->cli.conf };
        if (options->partitions.n == 0 || words_have(&options->partitions, list[i].job->partition))
            lines[n++] = &list[i];
    }
    if (n == 0 && options->jobs && options->jobs[0]) {
        puts("Unable to find jobs matching user/id(s) specified");
        return 0;
    }
    return print_rows(command, options, format, lines, n);
}

static int print_weights(const struct command *command, const struct options *options,
                         const struct report_format *format)
{
    const struct prio_row row = { NULL, command->cli.conf };
    const void *lines[] = { &row };

    return print_rows(command, options, format, lines, 1);
}

static int load_and_print(struct command *command, const struct options *options,
                          const struct report_format *format)
{
    AUTO(job_list) struct job_list filter;
    AUTO(records) struct records jobs = { .schema = priority_info_schema() };
    struct err err = { 0 };

    job_list_init(&filter);
    if (read_jobs(command, options->jobs, &filter) != 0)
        return 1;
    read_users(command, &options->users, &filter);
    if (cli_connect(&command->cli, RPC_ROLE_CLIENT, &err) < 0 ||
        records_load(command->cli.client, MSG_PRIORITY_LIST, &filter, MSG_PRIORITY_INFO, &jobs,
                     &err) < 0) {
        records_report(command, "Couldn't get priority factors from controller", &err);
        return 255; /* as Slurm's */
    }
    return print_jobs(command, options, format, &jobs);
}

static int print(struct command *command, const struct options *options)
{
    const struct prio_shape shape = { options->normal, options->is_long, options->users.n > 0 };
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf usual = { 0 };
    struct listing_format source = { .letters = options->format, .what = "job format" };
    int status;

    prio_default_format(command->cli.conf, &shape, &usual);
    if (!source.letters)
        source.letters = strbuf_text(&usual);
    report_format_init(&format, &prio_table);
    status = listing_read_format(command, &source, &format);
    if (status == 0)
        status = options->weights ? print_weights(command, options, &format)
                                  : load_and_print(command, options, &format);
    return status;
}

static void say_list(const char *name, const struct words *list)
{
    printf("%-10s = %s", name, list->n ? "" : "(null)");
    for (uint32_t i = 0; i < list->n; i++)
        printf("%s%s", i ? "," : "", list->at[i]);
    putchar('\n');
}

/* Says what was asked for, in Slurm's names and order. */
static void say_options(const struct options *options)
{
    const char *rule = "-----------------------------";

    printf("%s\nformat     = %s\njob_flag   = %d\njobs       = %s\n", rule,
           options->format ? options->format : "(null)", options->jobs != NULL,
           options->jobs ? options->jobs : "(null)");
    say_list("partition", &options->partitions);
    say_list("users", &options->users);
    printf("verbose    = %u\n%s\n\n\n", options->verbose, rule);
}

static int run(struct command *command, int argc, char **argv, struct options *options)
{
    struct err err = { 0 };
    int status = flags_read(&table, command, argc, argv, options, NULL, NULL);

    if (status >= 0)
        return status;
    command_set_verbosity(command, options->verbose, 0);
    if (options->verbose)
        say_options(options);
    if (cli_load(&command->cli, &err) < 0) {
        command_report(command, NULL, &err);
        return 1;
    }
    if (clusters_choose(command, options->clusters) < 0)
        return 1;
    if (command->cli.conf->priority_type == CONF_PRIORITY_BASIC) {
        fputs("You are not running a supported priority plugin\n(priority/basic).\n"
              "Only 'priority/multifactor' is supported.\n",
              stderr);
        return 1;
    }
    return print(command, options);
}

int sprio_main(int argc, char **argv)
{
    AUTO(command) struct command command;
    struct options options = { 0 };
    int status;

    command_init(&command, "sprio");
    status = run(&command, argc, argv, &options);
    words_clear(&options.partitions);
    words_clear(&options.users);
    return status;
}
