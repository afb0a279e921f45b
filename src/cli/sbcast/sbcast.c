#include "cli/sbcast/sbcast.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/lib/flags.h"
#include "cli/sbcast/bcast.h"
#include "cli/sbcast/packing.h"
#include "cli/sbcast/subject.h"
#include "common/text/hostlist.h"
#include "common/text/jobid.h"
#include "common/text/words.h"

#define AT(member)    offsetof(struct options, member)
#define EXIT_LOCAL    255 /* as Slurm's, when it does not come to sending */
#define PROGRESS_FROM (64u << 20)

struct options {
    const char *compress, *fanout, *job, *size, *timeout;
    const char *exclude, *send_libs;
    const char *force_variable, *preserve_variable;
    bool force, preserve;
    uint32_t verbose, quiet;
};

/* clang-format off */
static const struct flag rows[] = {
    { "compress", 'C', FLAG_ATTACHED, AT(compress), "LIBRARY", "SBCAST_COMPRESS", "send it packed, by lz4, zlib or none" },
    { "exclude", 0, FLAG_TEXT, AT(exclude), "PATHS", "SBCAST_EXCLUDE", "goes with --send-libs, which is not supported yet" },
    { "fanout", 'F', FLAG_TEXT, AT(fanout), "NUMBER", "SBCAST_FANOUT", "accepted; every node gets it straight from here" },
    { "force", 'f', FLAG_SET, AT(force), NULL, NULL, "replace a file that is there" },
    { "jobid", 'j', FLAG_TEXT, AT(job), "JOB[.STEP]", NULL, "to the nodes of this job or step; without it, of the job around us" },
    { "preserve", 'p', FLAG_SET, AT(preserve), NULL, NULL, "keep the times, and all of the mode" },
    { "quiet", 'Q', FLAG_MORE, AT(quiet), NULL, NULL, "print no remarks" },
    { "send-libs", 0, FLAG_ATTACHED, AT(send_libs), "yes|no", "SBCAST_SEND_LIBS", "the libraries of a program too: not supported yet" },
    { "size", 's', FLAG_TEXT, AT(size), "BYTES", "SBCAST_SIZE", "of a block, with k or m; 8m unless told" },
    { "timeout", 't', FLAG_TEXT, AT(timeout), "SECONDS", "SBCAST_TIMEOUT", "give up when no node takes anything for so long" },
    { "verbose", 'v', FLAG_MORE, AT(verbose), NULL, NULL, "say what is done" },
    { NULL, 0, FLAG_VARIABLE, AT(force_variable), NULL, "SBCAST_FORCE", "as --force" },
    { NULL, 0, FLAG_VARIABLE, AT(preserve_variable), NULL, "SBCAST_PRESERVE", "as --preserve" },
    FLAGS_COMMON,
};
/* clang-format on */

static const struct flag_table table = {
    .purpose = "Copies a file to all nodes of a job, from inside of it or by --jobid.",
    .operands = "SOURCE DEST",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
};

struct sbcast {
    struct command *command;
    struct options options;
    const char *source;
    char *dest;
    struct bcast_head head;
    struct job_ref job;
    char *nodes; /* of the job or step */
    uint32_t block, timeout_s;
    int fd;
};

/* ---- options ---- */

static int refuse_libs(const struct command *command, const struct options *options)
{
    const char *libs = options->send_libs;
    const char *name = options->exclude ? "--exclude" : "--send-libs";

    if (!options->exclude && (!libs || word_is(libs, "no")))
        return 0;
    log_error(command->log, "%s is not supported yet: copy the libraries one by one", name);
    return -ENOTSUP;
}

static int read_number(const struct command *command, const char *name, const char *text,
                       uint32_t most, uint32_t *ret)
{
    uint64_t number;

    if (!text)
        return 0;
    if (number_parse(text, 0, most, &number, NULL) < 0) {
        log_error(command->log, "--%s=%s is no number from 0 to %u", name, text, most);
        return -EINVAL;
    }
    *ret = (uint32_t)number;
    return 0;
}

/* Chooses the packing; an unknown library does not stop a copy, which goes as it is. */
static void choose_packing(struct sbcast *sbcast)
{
    AUTO_FREE char *preset = bcast_parameter(sbcast->command->cli.conf, "Compression");
    const char *name = sbcast->options.compress ? sbcast->options.compress : preset;
    enum bcast_packing packing = BCAST_PLAIN;

    if (!name)
        return;
    if (!packing_parse(name, &packing))
        log_error(sbcast->command->log,
                  "Compression type '%s' unknown, disabling compression support.", name);
    else if (!packing_is_there(packing))
        log_error(sbcast->command->log, "%s is not installed here, sending without compression",
                  packing_name(packing));
    else
        sbcast->head.packing = packing;
}

static int read_job(struct sbcast *sbcast)
{
    const char *name = sbcast->options.job ? sbcast->options.job : getenv("SLURM_JOB_ID");

    if (!name) {
        log_error(sbcast->command->log, "Need a job id to run this command.  Run from within a "
                                        "Slurm job or use the --jobid option.");
        return -EINVAL;
    }
    if (job_ref_parse(name, &sbcast->job, NULL) == 0 && sbcast->job.array_task == NO_VAL)
        return 0;
    log_error(sbcast->command->log, "Slurm job %s lookup error: %s", name, err_string(E_JOB_ID));
    return -E_JOB_ID;
}

static int read_values(struct sbcast *sbcast)
{
    struct options *options = &sbcast->options;
    uint32_t fanout = 0;
    int rc = refuse_libs(sbcast->command, options);

    if (rc == 0)
        rc = read_number(sbcast->command, "fanout", options->fanout, 65535, &fanout);
    if (rc == 0)
        rc = read_number(sbcast->command, "timeout", options->timeout, 86400, &sbcast->timeout_s);
    options->force = options->force || options->force_variable;
    options->preserve = options->preserve || options->preserve_variable;
    sbcast->block = BCAST_BLOCK_MAX;
    if (options->size && !pack_parse_size(options->size, &sbcast->block))
        fprintf(stderr, "size specification is invalid, ignored\n");
    return rc;
}

/* ---- the file ---- */

static int read_dest(struct sbcast *sbcast, const char *dest)
{
    AUTO_FREE char *cwd = *dest == '/' ? NULL : getcwd(NULL, 0);

    if (!*dest || dest[strlen(dest) - 1] == '/') {
        log_error(sbcast->command->log, "Target filename cannot be a directory.");
        return -EISDIR;
    }
    sbcast->dest = *dest == '/' ? xstrdup(dest) : xasprintf("%s/%s", cwd ? cwd : "", dest);
    return 0;
}

static int open_file(struct sbcast *sbcast)
{
    struct bcast_head *head = &sbcast->head;
    struct err err = { 0 };
    int rc = bcast_open(sbcast->source, &sbcast->fd, head, &err);

    if (rc < 0) {
        log_error(sbcast->command->log, "Can't open `%s`: %s", sbcast->source, err.text);
        return rc;
    }
    if (head->size == 0)
        log_error(sbcast->command->log, "Warning: file `%s` is empty.", sbcast->source);
    head->path = xstrdup(sbcast->dest);
    if (!sbcast->options.preserve)
        head->mode &= 0777u;
    head->force = sbcast->options.force;
    head->keep_times = sbcast->options.preserve;
    return 0;
}

/* ---- the nodes ---- */

static int look_up(struct sbcast *sbcast)
{
    AUTO(strbuf) struct strbuf id = { 0 };
    struct err err = { 0 };

    if (cli_open(&sbcast->command->cli, RPC_ROLE_SRUN, &err) == 0 &&
        bcast_find_nodes(sbcast->command, &sbcast->job, &sbcast->nodes, &err) == 0)
        return 0;
    job_ref_format(&id, &sbcast->job);
    log_error(sbcast->command->log, "Slurm job %s lookup error: %s", strbuf_text(&id), err.text);
    return -err.code;
}

/* ---- from options to the end ---- */

static void say_time(const struct command *command, const char *what, int64_t ns)
{
    const time_t seconds = (time_t)(ns / 1000000000);
    char text[64] = "";
    struct tm tm;

    if (localtime_r(&seconds, &tm))
        (void)strftime(text, sizeof(text), "%a %b %d %H:%M:%S %Y", &tm);
    log_verbose(command->log, "%-8s = %s", what, text);
}

static void say_all(const struct sbcast *sbcast)
{
    struct log *log = sbcast->command->log;
    const struct options *options = &sbcast->options;

    log_verbose(log, "-----------------------------");
    log_verbose(log, "block_size = %u", sbcast->block);
    log_verbose(log, "compress   = %s", packing_name((enum bcast_packing)sbcast->head.packing));
    log_verbose(log, "force      = %s", options->force ? "true" : "false");
    log_verbose(log, "fanout     = %s", options->fanout ? options->fanout : "0");
    log_verbose(log, "preserve   = %s", options->preserve ? "true" : "false");
    log_verbose(log, "timeout    = %u", sbcast->timeout_s);
    log_verbose(log, "verbose    = %u", options->verbose);
    log_verbose(log, "source     = %s", sbcast->source);
    log_verbose(log, "dest       = %s", sbcast->dest);
    log_verbose(log, "-----------------------------");
    log_verbose(log, "modes    = %o", sbcast->head.mode);
    say_time(sbcast->command, "atime", sbcast->head.access_ns);
    say_time(sbcast->command, "mtime", sbcast->head.modify_ns);
    log_verbose(log, "size     = %llu", (unsigned long long)sbcast->head.size);
    log_verbose(log, "jobid      = %u", sbcast->job.job);
    log_verbose(log, "node_list  = %s", sbcast->nodes);
}

static int send_file(struct sbcast *sbcast)
{
    AUTO_FREE char *cwd = getcwd(NULL, 0);
    const struct bcast_request request = {
        .command = sbcast->command,
        .job_id = sbcast->job.job,
        .nodes = sbcast->nodes,
        .nodes_n = hostlist_count_names(sbcast->nodes, true),
        .work_dir = cwd ? cwd : "/",
        .source = { .fd = sbcast->fd,
                    .head = &sbcast->head,
                    .block = sbcast->block,
                    .has_progress = isatty(STDERR_FILENO) && !sbcast->options.quiet &&
                                    sbcast->head.size >= PROGRESS_FROM },
        .timeout_s = sbcast->timeout_s,
    };

    choose_packing(sbcast);
    say_all(sbcast);
    return bcast_run(&request);
}

static int run_with(struct sbcast *sbcast, const char *const *operands, uint32_t n)
{
    if (n != 2) {
        fprintf(stderr,
                "Need two file names, have %u names\nTry \"sbcast --help\" for more information\n",
                n);
        return 1;
    }
    sbcast->source = operands[0];
    if (read_values(sbcast) < 0 || read_dest(sbcast, operands[1]) < 0)
        return 1;
    if (!sbcast->options.job && !getenv("SLURM_JOB_ID")) {
        (void)read_job(sbcast);
        return 1;
    }
    if (open_file(sbcast) < 0 || read_job(sbcast) < 0 || look_up(sbcast) < 0)
        return EXIT_LOCAL;
    return send_file(sbcast);
}

static int run(struct command *command, int argc, char **argv)
{
    AUTO_FREE const char **operands = NULL;
    struct sbcast sbcast = { .command = command, .fd = -1 };
    uint32_t operands_n = 0;
    int status = flags_read(&table, command, argc, argv, &sbcast.options, &operands, &operands_n);

    if (status >= 0)
        return status;
    command_set_verbosity(command, sbcast.options.verbose, sbcast.options.quiet);
    bcast_head_init(&sbcast.head);
    status = run_with(&sbcast, operands, operands_n);
    bcast_head_clear(&sbcast.head);
    free(sbcast.dest);
    free(sbcast.nodes);
    if (sbcast.fd >= 0)
        close(sbcast.fd);
    return status;
}

int sbcast_main(int argc, char **argv)
{
    struct command command;
    int status;

    command_init(&command, "sbcast");
    status = run(&command, argc, argv);
    command_clear(&command);
    return status;
}
