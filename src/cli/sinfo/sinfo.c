#include "cli/sinfo/sinfo.h"

#include <stdio.h>
#include <string.h>

#include "cli/lib/clusters.h"
#include "cli/lib/listing.h"
#include "cli/lib/node_document.h"
#include "cli/lib/reservation_document.h"
#include "cli/sinfo/document.h"
#include "cli/sinfo/options.h"
#include "cli/sinfo/reservations.h"
#include "cli/sinfo/rows.h"
#include "common/msg/types.h"

#define NODE_WIDTH_MIN      9 /* as Slurm: one more than NODELIST needs */
#define PARTITION_WIDTH_MIN 9 /* PARTITION */

struct sinfo {
    struct command command;
    struct sinfo_options options;
    struct sinfo_filter filter;
    struct report_sort sort;
    struct clusters clusters;
    uint32_t every_s; /* 0: once */
};

/* ---- columns ---- */

/* Returns the usual format, in which '#' is the width of the longest name there is. */
static const char *usual_letters(const struct sinfo_options *options)
{
    if (options->summarize)
        return "%#P %.5a %.10l %.16F %N";
    if (options->by_node && options->is_long)
        return "%#N %.6D %.#P %.11T %4c %.8z %.6m %.8d %.6w %.8f %20E";
    if (options->by_node)
        return "%#N %.6D %.#P %6t";
    if (options->reasons)
        return options->is_long ? "%20E %12U %19H %6t %N" : "%20E %9u %19H %N";
    if (options->is_long)
        return "%#P %.5a %.10l %.10s %.4r %.8h %.10g %.6D %.11T %.11i %N";
    return "%#P %.5a %.10l %.6D %.6t %N";
}

static size_t longest_partition(const struct sinfo *sinfo, const struct records *partitions)
{
    size_t longest = PARTITION_WIDTH_MIN;

    for (uint32_t i = 0; i < partitions->n; i++) {
        const struct partition_info *part = record_at(partitions, i);
        size_t n = strlen(part->name) + part->is_default;

        if (!sinfo_wants_partition(&sinfo->filter, part))
            continue;
        longest = n > longest ? n : longest;
    }
    return longest;
}

static size_t longest_node(const struct records *nodes)
{
    size_t longest = NODE_WIDTH_MIN;

    for (uint32_t i = 0; i < nodes->n; i++) {
        const struct node_info *node = record_at(nodes, i);
        size_t n = strlen(node->node->name);

        longest = n > longest ? n : longest;
    }
    return longest;
}

/* Returns the usual format with its widths filled in, behind the name of the cluster where nothing
 * else tells that; to be freed. */
static char *fit(const struct sinfo *sinfo, const struct records *nodes,
                 const struct records *partitions)
{
    struct strbuf out = { 0 };

    if (sinfo->clusters.n > 1 && sinfo->options.no_header)
        strbuf_addf(&out, "%-10s ", sinfo->command.cli.conf->cluster_name);
    for (const char *at = usual_letters(&sinfo->options); *at; at++) {
        if (*at != '#')
            strbuf_addc(&out, *at);
        else
            strbuf_addf(&out, "%zu",
                        at[1] == 'P' ? longest_partition(sinfo, partitions) : longest_node(nodes));
    }
    return strbuf_steal(&out);
}

static bool is_plain(const struct sinfo_options *options)
{
    return !options->summarize && !options->reasons && !options->by_node && !options->is_long;
}

static int read_format(const struct sinfo *sinfo, const struct records *nodes,
                       const struct records *partitions, struct report_format *ret_format)
{
    const struct sinfo_options *options = &sinfo->options;
    AUTO_FREE char *usual = fit(sinfo, nodes, partitions);
    struct listing_format source = { .letters = options->format,
                                     .names = options->long_format,
                                     .what = options->format || options->usual_format
                                                 ? "node format"
                                                 : "job format" };

    if (source.names && strcasecmp(source.names, "all") == 0) {
        source.names = NULL;
        source.letters = "%all";
    }
    if (!source.letters && !source.names)
        source.letters = options->usual_format && is_plain(options) ? options->usual_format : usual;
    return listing_read_format(&sinfo->command, &source, ret_format);
}

static int check_formats(const struct sinfo *sinfo)
{
    const struct sinfo_options *options = &sinfo->options;
    const char *option = options->format ? "-o(--format)" : "-O(--Format)";

    if (options->format && options->long_format) {
        log_error(sinfo->command.log, "-O (--Format) is incompatible with -o (--format)");
        return command_exit_error();
    }
    if ((options->format || options->long_format) && options->is_long) {
        fprintf(stderr,
                "sinfo: fatal: Options %s and -l(--long) are mutually exclusive. Please remove "
                "one and retry.\n",
                option);
        return command_exit_error();
    }
    return 0;
}

/* ---- what is asked for ---- */

static int read_filter(struct sinfo *sinfo, struct err *err)
{
    const struct sinfo_options *options = &sinfo->options;
    struct sinfo_filter *filter = &sinfo->filter;
    int rc = 0;

    filter->dead = options->dead;
    filter->responding = options->responding;
    filter->reasons = options->reasons;
    filter->has_partitions = options->partitions != NULL;
    if (options->partitions)
        filter->partitions = words_split(options->partitions, ",");
    if (options->nodes)
        rc = hostlist_parse(options->nodes, &filter->nodes, err);
    filter->has_states = options->states != NULL;
    if (rc == 0 && options->states)
        rc = node_states_parse(options->states, &filter->states, err);
    return rc;
}

/* Settles what counts of -a and -p; their variables count only where neither is an option. */
static int settle_partitions(struct sinfo *sinfo)
{
    struct sinfo_options *options = &sinfo->options;
    const bool are_options = options->all || options->partitions;
    const char *names = "-a and -p";

    if (!are_options) {
        names = "SINFO_ALL and SINFO_PARTITION";
        options->all = options->usual_all != NULL;
        options->partitions = options->usual_partitions;
    }
    if (!options->all || !options->partitions)
        return 0;
    log_error(sinfo->command.log,
              "Conflicting options, %s, specified. Please choose one or the other.", names);
    return command_exit_error();
}

static int prepare(struct sinfo *sinfo)
{
    struct command *command = &sinfo->command;
    const char *usual_sort = sinfo->options.by_node ? "N" : "#P,-t";
    const char *sort = sinfo->options.sort ? sinfo->options.sort : usual_sort;
    struct err err = { 0 };
    int status = settle_partitions(sinfo);

    if (status == 0)
        status = listing_read_seconds(command, sinfo->options.iterate, &sinfo->every_s);
    if (status == 0)
        status = check_formats(sinfo);
    if (status)
        return status;
    if (report_sort_parse(&sinfo_table, sort, &sinfo->sort, &err) < 0 ||
        cli_load(&command->cli, &err) < 0 || read_filter(sinfo, &err) < 0) {
        command_report(command, NULL, &err);
        return command_exit_error();
    }
    if (clusters_find(command, sinfo->options.clusters, &sinfo->clusters) < 0)
        return command_exit_error();
    return 0;
}

/* ---- a round ---- */

static enum sinfo_grouping grouping_of(const struct sinfo_options *options)
{
    if (options->by_node)
        return SINFO_EACH_NODE;
    return options->exact ? SINFO_EXACT : SINFO_BY_VALUES;
}

static struct document document_of(const struct sinfo *sinfo)
{
    return (struct document){ .command = &sinfo->command,
                              .options = &sinfo->options.document,
                              .words = sinfo->command.argv,
                              .words_n = sinfo->command.argc };
}

static int print_document(const struct sinfo *sinfo, const struct report_context *ctx,
                          const struct sinfo_rows *rows)
{
    const char *cluster = sinfo->command.cli.conf->cluster_name;
    AUTO(document_kind) struct document_kind partition = { 0 };
    struct document document = document_of(sinfo);
    struct err err = { 0 };

    if (document_kind_init(&partition, &partition_document, &err) < 0) {
        command_report(&sinfo->command, NULL, &err);
        return command_exit_error();
    }
    document_begin_list(&document, "sinfo");
    for (uint32_t i = 0; i < rows->n; i++) {
        sinfo_document_row(rows->order[i], &partition, ctx, cluster, &document.json);
        (void)document_flush(&document, NULL);
    }
    json_close(&document.json);
    document_end(&document);
    return 0;
}

static int print(struct sinfo *sinfo, const struct records *nodes, const struct records *partitions)
{
    const struct sinfo_options *options = &sinfo->options;
    AUTO(report_format) struct report_format format;
    AUTO(sinfo_rows) struct sinfo_rows rows = { 0 };
    struct clock clock = clock_from_env();
    const struct report_context ctx = { .now = clock_wall_s(&clock),
                                        .time_manner = options->time_format,
                                        .exact_units = options->exact_units,
                                        .counted = sinfo->command.cli.conf->accounting_tres };
    const struct sinfo_source source = { .nodes = nodes,
                                         .partitions = partitions,
                                         .filter = &sinfo->filter,
                                         .format = &format,
                                         .sort = &sinfo->sort,
                                         .grouping = grouping_of(options) };
    int status;

    report_format_init(&format, &sinfo_table);
    status = read_format(sinfo, nodes, partitions, &format);
    if (status)
        return status;
    sinfo_rows_make(&source, &ctx, &rows);
    if (document_is_wanted(&options->document))
        return print_document(sinfo, &ctx, &rows);
    return listing_print(&sinfo->command, &format, &ctx, rows.order, rows.n, !options->no_header);
}

/* True if hidden partitions are shown, too, as they are when asked for by name. */
static bool wants_hidden(const struct sinfo_options *options)
{
    return (options->all && !options->hide) || options->partitions;
}

static int show_nodes(struct sinfo *sinfo)
{
    struct client *client = sinfo->command.cli.client;
    AUTO(records) struct records nodes = { 0 };
    AUTO(records) struct records partitions = { 0 };
    AUTO(node_list) struct node_list all_nodes;
    AUTO(partition_list) struct partition_list all_partitions;
    struct err err = { 0 };

    node_list_init(&all_nodes);
    all_nodes.future = sinfo->options.future;
    partition_list_init(&all_partitions);
    all_partitions.hide = !wants_hidden(&sinfo->options);
    if (records_load(client, MSG_PARTITION_LIST, &all_partitions, MSG_PARTITION_INFO, &partitions,
                     &err) < 0) {
        records_report(&sinfo->command, "slurm_load_partitions", &err);
        return command_exit_error();
    }
    if (records_load(client, MSG_NODE_LIST, &all_nodes, MSG_NODE_INFO, &nodes, &err) < 0) {
        records_report(&sinfo->command, "slurm_load_node", &err);
        return command_exit_error();
    }
    return print(sinfo, &nodes, &partitions);
}

/* ---- reservations ---- */

static int print_reservation_documents(const struct sinfo *sinfo, const struct report_context *ctx,
                                       const struct records *reservations)
{
    AUTO(document_kind) struct document_kind kind = { 0 };
    AUTO(records) struct records nodes = { 0 };
    struct document document = document_of(sinfo);
    struct node_list all;
    struct err err = { 0 };

    node_list_init(&all);
    if (records_load(sinfo->command.cli.client, MSG_NODE_LIST, &all, MSG_NODE_INFO, &nodes, &err) <
            0 ||
        document_kind_init(&kind, &reservation_document, &err) < 0) {
        records_report(&sinfo->command, "slurm_load_node", &err);
        return command_exit_error();
    }
    document_begin_list(&document, "reservations");
    for (uint32_t i = 0; i < reservations->n; i++) {
        const struct reservation_record *record = record_at(reservations, i);
        const struct reservation_view view = reservation_view(record, &nodes, ctx->now);
        const struct reservation_document_row row = { record, &view };

        document_add(&document, &kind, ctx, &row);
    }
    document_end_list(&document, ctx->now);
    return 0;
}

static int show_reservations(const struct sinfo *sinfo)
{
    const struct sinfo_options *options = &sinfo->options;
    const struct clock clock = clock_from_env();
    const struct report_context ctx = { .now = clock_wall_s(&clock),
                                        .time_manner = options->time_format };
    AUTO(records) struct records reservations = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct err err = { 0 };

    if (reservations_load(sinfo->command.cli.client, &reservations, &err) < 0) {
        records_report(&sinfo->command, "slurm_load_reservations", &err);
        return command_exit_error();
    }
    if (document_is_wanted(&options->document))
        return print_reservation_documents(sinfo, &ctx, &reservations);
    if (reservations.n)
        sinfo_reservations_format(&reservations, &ctx, !options->no_header, &text);
    else
        strbuf_adds(&text, "No reservations in the system\n");
    fputs(strbuf_text(&text), stdout);
    return 0;
}

/* Prints what the cluster has that the command is at. */
static int show_cluster(void *ctx)
{
    struct sinfo *sinfo = ctx;
    struct command *command = &sinfo->command;
    struct err err = { 0 };

    if (!command->cli.client && cli_connect(&command->cli, RPC_ROLE_CLIENT, &err) < 0) {
        records_report(command, "slurm_load_partitions", &err);
        return command_exit_error();
    }
    return sinfo->options.reservations ? show_reservations(sinfo) : show_nodes(sinfo);
}

static int run_round(struct sinfo *sinfo)
{
    const struct sinfo_options *options = &sinfo->options;
    const struct clock clock = clock_from_env();
    const bool has_tops = !options->no_header && !document_is_wanted(&options->document);

    if (has_tops && (options->is_long || sinfo->every_s))
        listing_print_date(clock_wall_s(&clock));
    return clusters_each(&sinfo->command, &sinfo->clusters, has_tops && options->clusters,
                         show_cluster, sinfo);
}

static int run(struct sinfo *sinfo, int argc, char **argv)
{
    struct command *command = &sinfo->command;
    int status = flags_read(&sinfo_flags, command, argc, argv, &sinfo->options, NULL, NULL);

    if (status >= 0)
        return status;
    command->argv = argv;
    command->argc = argc;
    command_set_verbosity(command, sinfo->options.verbose, 0);
    flags_say(&sinfo_flags, &sinfo->options, command->log);
    listing_check_time_format(command, sinfo->options.time_format);
    status = prepare(sinfo);
    if (status)
        return status;
    for (;;) {
        status = run_round(sinfo);
        if (!sinfo->every_s || status)
            return status;
        listing_wait(sinfo->every_s);
    }
}

int sinfo_main(int argc, char **argv)
{
    struct sinfo sinfo = { 0 };
    int status;

    command_init(&sinfo.command, "sinfo");
    status = run(&sinfo, argc, argv);
    sinfo_filter_clear(&sinfo.filter);
    clusters_clear(&sinfo.clusters);
    command_clear(&sinfo.command);
    return status;
}
