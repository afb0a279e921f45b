#include "cli/squeue/squeue.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/clusters.h"
#include "cli/lib/job_document.h"
#include "cli/lib/listing.h"
#include "cli/lib/step_document.h"
#include "cli/lib/tasks.h"
#include "cli/squeue/lines.h"
#include "cli/squeue/reads.h"
#include "cli/squeue/rows.h"
#include "common/msg/types.h"

#define LOAD_JOBS  "slurm_load_jobs error"
#define LOAD_STEPS "slurm_get_job_steps error"

struct squeue {
    struct command command;
    struct squeue_options options;
    struct queue_filter filter;
    struct report_format format;
    struct report_sort sort;
    struct clusters clusters;
    uint32_t every_s; /* 0: once */
};

/* ---- what to print ---- */

static const char *usual_letters(const struct squeue_options *options)
{
    if (options->steps)
        return "%.15i %.8j %.9P %.8u %.9M %N";
    if (options->only_states)
        return "%.18i %.8T";
    if (options->start)
        return "%.18i %.9P %.8j %.8u %.2t %.19S %.6D %20Y %R";
    if (options->is_long)
        return "%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R";
    return "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R";
}

static const char *usual_sort(const struct squeue_options *options)
{
    if (options->steps)
        return "P,i";
    return options->start ? "S" : "P,t,-p";
}

/*
 * Chooses the format: options before variables; -l, -s and --start before what a variable asks for.
 * Of two variables, as in Slurm, the one with letters counts.
 */
static struct listing_format choose_format(const struct squeue_options *options)
{
    struct listing_format source = { .what = options->steps ? "job step format" : "job format" };
    bool uses_variables =
        !options->is_long && !options->start && !options->steps && !options->only_states;

    if (options->format || options->long_format) {
        source.letters = options->format;
        source.names = options->long_format;
    } else if (uses_variables && options->usual_format) {
        source.letters = options->usual_format;
    } else if (uses_variables && options->usual_format2) {
        source.names = options->usual_format2;
    } else {
        source.letters = usual_letters(options);
    }
    return source;
}

static int check_formats(const struct squeue *squeue)
{
    const struct squeue_options *options = &squeue->options;
    const char *letters = options->format ? "-o(--format)" : "-O(--Format)";

    if (options->format && options->long_format) {
        log_error(squeue->command.log, "-o (--format) is incompatible with -O (--Format)");
        return command_exit_error();
    }
    if ((options->format || options->long_format) && options->is_long) {
        fprintf(stderr,
                "squeue: fatal: Options %s and -l(--long) are mutually exclusive. Please remove "
                "one and retry.\n",
                letters);
        return command_exit_error();
    }
    return 0;
}

/* True if each line of the usual formats begins with its cluster, as nothing else tells that. */
static bool names_clusters(const struct squeue *squeue)
{
    const struct squeue_options *options = &squeue->options;

    return squeue->clusters.n > 1 && options->no_header && !options->format &&
           !options->long_format;
}

static int read_format(struct squeue *squeue)
{
    const struct squeue_options *options = &squeue->options;
    const struct report_table *table = options->steps ? &step_table : &queue_table;
    struct listing_format source = choose_format(options);
    AUTO_FREE char *named = NULL;
    const char *sort = options->sort ? options->sort : usual_sort(options);
    struct err err = { 0 };
    int status = check_formats(squeue);

    if (names_clusters(squeue) && source.letters)
        source.letters = named =
            xasprintf("%-10s %s", squeue->command.cli.conf->cluster_name, source.letters);
    report_format_clear(&squeue->format);
    report_format_init(&squeue->format, table);
    if (status == 0)
        status = listing_read_format(&squeue->command, &source, &squeue->format);
    if (status == 0 && report_sort_parse(table, sort, &squeue->sort, &err) < 0) {
        command_report(&squeue->command, NULL, &err);
        status = command_exit_error();
    }
    return status;
}

/* ---- which jobs ---- */

static int check_nodes(const struct squeue *squeue, struct err *err)
{
    const struct hostlist *nodes = squeue->filter.nodes;

    if (squeue->options.clusters)
        return 0; /* slurm.conf does not know the nodes of others */
    for (uint32_t i = 0; nodes && i < hostlist_count(nodes); i++) {
        if (!slurm_conf_find_node(squeue->command.cli.conf, hostlist_get(nodes, i)))
            return err_set(err, E_NODE_NAME, "Invalid node name %s", hostlist_get(nodes, i));
    }
    return 0;
}

static int prepare(struct squeue *squeue)
{
    struct command *command = &squeue->command;
    struct err err = { 0 };
    int status = listing_read_seconds(command, squeue->options.iterate, &squeue->every_s);

    if (status == 0)
        status = read_format(squeue);
    if (status)
        return status;
    if (queue_filter_init(&squeue->filter, &squeue->options, getuid(), &err) < 0 ||
        cli_load(&command->cli, &err) < 0 || check_nodes(squeue, &err) < 0) {
        command_report(command, NULL, &err);
        return command_exit_error();
    }
    for (uint32_t i = 0; i < squeue->filter.strangers.n; i++)
        log_error(command->log, "Invalid user: %.100s", squeue->filter.strangers.at[i]);
    if (clusters_find(command, squeue->options.clusters, &squeue->clusters) < 0)
        return command_exit_error();
    return 0;
}

/* ---- a round ---- */

static const char *what_fails(const struct squeue *squeue)
{
    return squeue->options.steps ? LOAD_STEPS : LOAD_JOBS;
}

/* Loads jobs or steps; `reader` is NULL where all records are wanted at once. */
static int load(struct squeue *squeue, const struct records_reader *reader,
                struct records *ret_records, struct err *err)
{
    struct client *client = squeue->command.cli.client;
    bool steps = squeue->options.steps;
    AUTO(job_list) struct job_list request;
    struct err why = { 0 };
    int rc;

    job_list_init(&request);
    queue_filter_request(&squeue->filter, steps, &request);
    if (reader) {
        AUTO(schema_view)
        struct schema_view *view = queue_reads(&squeue->format, &squeue->sort, &squeue->filter);

        schema_view_write(view, &request.fields, &request.fields_n);
        return records_read(client, MSG_JOB_LIST, &request, MSG_JOB_INFO, reader, ret_records, err);
    }
    rc = records_load(client, steps ? MSG_STEP_LIST : MSG_JOB_LIST, &request,
                      steps ? MSG_STEP_INFO : MSG_JOB_INFO, ret_records, &why);
    if (rc == -E_JOB_ID && steps && !squeue->filter.steps.n)
        return 0; /* a job that is not there has no steps: only one of -s is missed */
    return rc < 0 ? err_set(err, why.code, "%s", why.text) : rc;
}

static void add_steps(struct document *document, const struct report_context *ctx,
                      const struct queue_rows *rows)
{
    for (uint32_t i = 0; i < rows->n; i++) {
        const struct step_row *row = rows->order[i];
        const struct step_document_row step = step_document_row(row->step, ctx);

        step_document(&step, &document->json);
        (void)document_flush(document, NULL);
    }
}

static int print_document(const struct squeue *squeue, const struct report_context *ctx,
                          const struct queue_rows *rows)
{
    AUTO(document_kind) struct document_kind kind = { 0 };
    struct document document = { .command = &squeue->command,
                                 .options = &squeue->options.document,
                                 .words = squeue->command.argv,
                                 .words_n = squeue->command.argc };
    struct err err = { 0 };

    if (document_kind_init(&kind, &job_document, &err) < 0) {
        command_report(&squeue->command, NULL, &err);
        return command_exit_error();
    }
    document_begin_list(&document, squeue->options.steps ? "steps" : "jobs");
    if (squeue->options.steps)
        add_steps(&document, ctx, rows);
    for (uint32_t i = 0; !squeue->options.steps && i < rows->n; i++)
        document_add(&document, &kind, ctx, rows->order[i]);
    if (squeue->options.steps)
        document_end_list(&document, ctx->now);
    else
        job_document_end(&document, ctx->now);
    return 0;
}

static struct report_context context_of(const struct squeue *squeue)
{
    struct clock clock = clock_from_env();
    struct report_context ctx = { .now = clock_wall_s(&clock),
                                  .time_manner = squeue->options.time_format,
                                  .exact_units = squeue->options.exact_units,
                                  .counted = squeue->command.cli.conf->accounting_tres };

    if (!document_is_wanted(&squeue->options.document))
        ctx.tasks_length = tasks_read_length(squeue->options.tasks_length);
    return ctx;
}

/* Loads partitions where a row for each partition of a job needs their tiers; goes on without them,
 * as Slurm. */
static void load_partitions(struct squeue *squeue, struct records *partitions,
                            struct queue_source *source)
{
    struct err err = { 0 };

    if (!squeue->options.each_partition)
        return;
    if (records_load(squeue->command.cli.client, MSG_PARTITION_LIST, NULL, MSG_PARTITION_INFO,
                     partitions, &err) < 0)
        records_report(&squeue->command, "slurm_load_partitions", &err);
    source->partitions = partitions;
}

static int report_load(struct squeue *squeue, const struct err *err)
{
    records_report(&squeue->command, what_fails(squeue), err);
    return command_exit_error();
}

static int list_jobs(struct squeue *squeue, struct queue_source *source)
{
    AUTO(records) struct records kept = { 0 }, partitions = { 0 };
    AUTO(queue_lines)
    struct queue_lines lines = { .format = &squeue->format,
                                 .source = source,
                                 .ctx = context_of(squeue),
                                 .divides = squeue->options.each_partition };
    const struct records_reader reader = queue_lines_reader(&lines);
    struct err err = { 0 };

    if (load(squeue, &reader, &kept, &err) < 0)
        return report_load(squeue, &err);
    load_partitions(squeue, &partitions, source);
    source->jobs = &kept;
    queue_lines_finish(&lines);
    queue_lines_sort(&lines);
    return queue_lines_print(&lines, &squeue->command, !squeue->options.no_header);
}

static int write_jobs(struct squeue *squeue, struct queue_source *source)
{
    AUTO(records) struct records records = { 0 }, partitions = { 0 };
    AUTO(queue_rows) struct queue_rows rows = { 0 };
    struct report_context ctx = context_of(squeue);
    struct err err = { 0 };

    if (load(squeue, NULL, &records, &err) < 0)
        return report_load(squeue, &err);
    load_partitions(squeue, &partitions, source);
    if (records.n) /* the controller's clock is the one that counts */
        ctx.now = ((const struct job_info *)record_at(&records, 0))->now;
    source->jobs = &records;
    queue_rows_of_jobs(source, &ctx, &rows);
    return print_document(squeue, &ctx, &rows);
}

static int show_steps(struct squeue *squeue)
{
    AUTO(records) struct records records = { 0 };
    AUTO(queue_rows) struct queue_rows rows = { 0 };
    struct report_context ctx = context_of(squeue);
    struct err err = { 0 };

    if (load(squeue, NULL, &records, &err) < 0)
        return report_load(squeue, &err);
    queue_rows_of_steps(&records, &squeue->filter, &squeue->sort, &ctx,
                        squeue->command.cli.conf->cluster_name, &rows);
    if (document_is_wanted(&squeue->options.document))
        return print_document(squeue, &ctx, &rows);
    return listing_print(&squeue->command, &squeue->format, &ctx, rows.order, rows.n,
                         !squeue->options.no_header);
}

static int show_queue(struct squeue *squeue)
{
    struct queue_source source = { .filter = &squeue->filter,
                                   .sort = &squeue->sort,
                                   .cluster = squeue->command.cli.conf->cluster_name,
                                   .each_task = squeue->options.each_task };

    if (squeue->options.steps)
        return show_steps(squeue);
    if (document_is_wanted(&squeue->options.document))
        return write_jobs(squeue, &source);
    return list_jobs(squeue, &source);
}

/* Prints what the cluster has that the command is at. */
static int show_cluster(void *ctx)
{
    struct squeue *squeue = ctx;
    struct command *command = &squeue->command;
    struct err err = { 0 };
    int status = names_clusters(squeue) ? read_format(squeue) : 0;

    if (status)
        return status;
    if (!command->cli.client && cli_connect(&command->cli, RPC_ROLE_CLIENT, &err) < 0)
        return report_load(squeue, &err);
    return show_queue(squeue);
}

static int run_round(struct squeue *squeue)
{
    const struct squeue_options *options = &squeue->options;
    const struct clock clock = clock_from_env();
    const bool has_tops = !options->no_header && !document_is_wanted(&options->document);

    if (has_tops && (options->is_long || squeue->every_s))
        listing_print_date(clock_wall_s(&clock));
    return clusters_each(&squeue->command, &squeue->clusters, has_tops && options->clusters,
                         show_cluster, squeue);
}

static int run(struct squeue *squeue, int argc, char **argv)
{
    struct command *command = &squeue->command;
    int status = flags_read(&squeue_flags, command, argc, argv, &squeue->options, NULL, NULL);

    if (status >= 0)
        return status;
    command->argv = argv;
    command->argc = argc;
    command_set_verbosity(command, squeue->options.verbose, 0);
    flags_say(&squeue_flags, &squeue->options, command->log);
    listing_check_time_format(command, squeue->options.time_format);
    status = prepare(squeue);
    if (status)
        return status;
    for (;;) {
        status = run_round(squeue);
        if (!squeue->every_s || status)
            return status;
        listing_wait(squeue->every_s);
    }
}

int squeue_main(int argc, char **argv)
{
    struct squeue squeue = { 0 };
    int status;

    command_init(&squeue.command, "squeue");
    status = run(&squeue, argc, argv);
    queue_filter_clear(&squeue.filter);
    clusters_clear(&squeue.clusters);
    report_format_clear(&squeue.format);
    command_clear(&squeue.command);
    return status;
}
