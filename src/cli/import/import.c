#include "cli/import/import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/import/accounts.h"
#include "cli/import/history.h"
#include "cli/import/line.h"
#include "cli/import/queue/queue.h"
#include "cli/import/source.h"
#include "cli/lib/command.h"
#include "common/conf/slurm_conf.h"

enum {
    OPT_PLAN = 1,
    OPT_OVERWRITE,
    OPT_CLUSTER,
    OPT_DATABASE,
    OPT_HOST,
    OPT_PORT,
    OPT_USER,
    OPT_PASSWORD_FILE,
};

static const struct arg_option options[] = {
    { "plan", 0, ARG_NONE, OPT_PLAN },
    { "overwrite", 0, ARG_NONE, OPT_OVERWRITE },
    { "cluster", 0, ARG_REQUIRED, OPT_CLUSTER },
    { "database", 0, ARG_REQUIRED, OPT_DATABASE },
    { "host", 0, ARG_REQUIRED, OPT_HOST },
    { "port", 0, ARG_REQUIRED, OPT_PORT },
    { "user", 0, ARG_REQUIRED, OPT_USER },
    { "password-file", 0, ARG_REQUIRED, OPT_PASSWORD_FILE },
};

struct import {
    struct log *log;
    bool is_plan, overwrites;
    const char *cluster, *database, *password_file, *file; /* borrowed; NULL: not said */
    struct source_database source;
    struct command owner, controller; /* of accounts, and of history */
    struct plan plan;
    char *name; /* of what is read */
    int fd;
    struct dump *dump;
    struct survey survey;
    struct foreign foreign;
    struct book book;
};

/* ---- the command line ---- */

static void take_option(void *ctx, int id, const char *value)
{
    struct import *import = ctx;

    switch (id) {
    case OPT_PLAN:
        import->is_plan = true;
        break;
    case OPT_OVERWRITE:
        import->overwrites = true;
        break;
    case OPT_CLUSTER:
        import->cluster = value;
        break;
    case OPT_DATABASE:
        import->database = value;
        xstrset(&import->source.database, value);
        break;
    case OPT_HOST:
        xstrset(&import->source.host, value);
        break;
    case OPT_PORT:
        xstrset(&import->source.port, value);
        break;
    case OPT_USER:
        xstrset(&import->source.user, value);
        break;
    default:
        import->password_file = value;
        break;
    }
}

/* A file has been read by whoever made it: what says how to read a database has no meaning then. */
static int check_options(const struct import *import, struct err *err)
{
    if (import->file && (import->source.host || import->source.port || import->source.user ||
                         import->password_file))
        return err_set(err, EINVAL,
                       "--host, --port, --user and --password-file are for a database, not for %s",
                       import->file);
    return 0;
}

static int read_options(struct import *import, int argc, char **argv, struct err *err)
{
    const struct import_line line = { options, ARRAY_N(options), take_option, import };
    int rc = import_read_line(&line, argc, argv, "slurmdbd", &import->file, err);

    return rc < 0 ? rc : check_options(import, err);
}

/* ---- what is read ---- */

static void tell_bytes(uint64_t bytes, void *ctx)
{
    const struct import *import = ctx;

    log_info(import->log, "%" PRIu64 " MB looked at", bytes >> 20);
}

static void tell_rows(enum foreign_table table, uint64_t rows, void *ctx)
{
    const struct import *import = ctx;
    const uint64_t *all = import->survey.rows;

    if (table == FOREIGN_JOB)
        log_info(import->log, "%" PRIu64 " of %" PRIu64 " jobs", rows, all[FOREIGN_JOB]);
    else
        log_info(import->log, "%" PRIu64 " of %" PRIu64 " rows of sums", rows,
                 all[FOREIGN_USAGE_HOUR] + all[FOREIGN_USAGE_DAY] + all[FOREIGN_USAGE_MONTH] +
                     all[FOREIGN_CLUSTER_HOUR]);
}

static int open_source(struct import *import, struct err *err)
{
    int rc = 0;

    if (import->file)
        return source_open(import->file, &import->fd, &import->name, err);
    if (import->password_file)
        rc = source_database_read_password(&import->source, import->password_file, err);
    if (rc == 0)
        rc = source_database_load(&import->source, import->owner.cli.conf->path, err);
    if (rc == 0)
        rc = source_dump(&import->source, import->cluster, import->log, &import->fd, &import->name,
                         err);
    return rc;
}

#define VERSION_FIRST 12 /* 22.05 */
#define VERSION_LAST  16 /* 25.05 */

/* Versions between them have columns that are known; of others the columns have to tell. */
static void look_at_version(const struct import *import)
{
    const struct kept_rows *rows = &import->survey.tables[FOREIGN_VERSION];
    struct foreign_row row;
    uint32_t version;

    if (!rows->n)
        return;
    row = survey_kept(&import->survey, &rows->at[0]);
    version = foreign_u32(&row, VERSION_version, 0);
    if (version < VERSION_FIRST || version > VERSION_LAST)
        log_info(import->log,
                 "%s: its version is %u, those of Slurm 22.05 to 25.05 are %d to %d; all columns "
                 "that are needed are there",
                 import->name, version, VERSION_FIRST, VERSION_LAST);
}

static int read_all(struct import *import, struct err *err)
{
    int rc = open_source(import, err);

    if (rc < 0)
        return rc;
    import->dump = dump_new(import->fd, import->name);
    rc = survey_make(&import->survey, import->dump, import->database, import->cluster, tell_bytes,
                     import, err);
    if (rc == 0)
        rc = foreign_make(&import->foreign, &import->survey, import->owner.cli.conf->cluster_name,
                          err);
    if (rc < 0)
        return rc;
    look_at_version(import);
    return 0;
}

/* ---- what is done ---- */

static int import_accounts(struct import *import, struct err *err)
{
    struct accounts accounts = { .foreign = &import->foreign,
                                 .book = &import->book,
                                 .plan = &import->plan,
                                 .overwrites = import->overwrites };
    int rc = book_load(&import->book, &import->owner, err);

    if (rc == 0)
        rc = accounts_gather(&accounts, err);
    if (rc == 0 && !import->is_plan)
        rc = accounts_send(&accounts, import->owner.cli.client, err);
    edits_clear(&accounts.edits);
    return rc;
}

#define FOLLOW_TRIES    300
#define FOLLOW_PAUSE_NS 100000000

/* Counts the associations of this cluster that are there. */
static int count_assocs(struct import *import, struct client *client, uint32_t *ret,
                        struct err *err)
{
    AUTO(records) struct records assocs = { 0 };
    int rc = records_load_all(client, KEPT_ASSOC, &assocs, err);

    *ret = 0;
    for (uint32_t i = 0; rc == 0 && i < assocs.n; i++) {
        const struct assoc_record *assoc = record_at(&assocs, i);

        *ret +=
            !assoc->deleted && strcmp(assoc->cluster, import->owner.cli.conf->cluster_name) == 0;
    }
    return rc;
}

/* Waits until the controller has what its slurmdbd was given: what jobs used counts for
 * associations that it knows. */
static int await_accounts(struct import *import, struct err *err)
{
    uint32_t wanted, there;
    int rc = count_assocs(import, import->owner.cli.client, &wanted, err);

    for (int i = 0; rc == 0 && i < FOLLOW_TRIES; i++) {
        rc = count_assocs(import, import->controller.cli.client, &there, err);
        if (rc < 0 || there >= wanted)
            return rc;
        nanosleep(&(struct timespec){ .tv_nsec = FOLLOW_PAUSE_NS }, NULL);
    }
    return rc < 0 ? rc
                  : err_set(err, ETIMEDOUT,
                            "accounts are imported, but the controller has not heard of them from "
                            "its slurmdbd; once it has, import again for the history");
}

static void tell_nothing(enum foreign_table table, uint64_t rows, void *ctx)
{
    (void)table;
    (void)rows;
    (void)ctx;
}

/* Reads all rows once before anything is done, so that a value which is none is told in time. */
static int check_history(struct import *import, struct err *err)
{
    struct plan ignored = { 0 };
    struct history history = { .survey = &import->survey,
                               .foreign = &import->foreign,
                               .plan = &ignored,
                               .tell = tell_nothing };
    int rc = history_run(&history, err);

    plan_clear(&ignored);
    return rc;
}

static int import_history(struct import *import, struct err *err)
{
    struct history history = { .survey = &import->survey,
                               .foreign = &import->foreign,
                               .plan = &import->plan,
                               .client = import->controller.cli.client,
                               .tell = tell_rows,
                               .tell_ctx = import };
    int rc = import->is_plan ? 0 : history_begin(&history, err);

    return rc < 0 ? rc : history_run(&history, err);
}

static int connect_both(struct import *import, struct err *err)
{
    int rc = cli_connect_accounting(&import->owner.cli, err);

    return rc < 0 ? rc : cli_open(&import->controller.cli, RPC_ROLE_CLIENT, err);
}

static int do_import(struct import *import, struct err *err)
{
    int rc = cli_load(&import->owner.cli, err);

    if (rc < 0)
        return rc;
    if (!import->cluster)
        import->cluster = import->owner.cli.conf->cluster_name;
    rc = connect_both(import, err);
    if (rc == 0)
        rc = read_all(import, err);
    if (rc == 0 && !import->is_plan)
        rc = check_history(import, err);
    if (rc == 0)
        rc = import_accounts(import, err);
    if (rc == 0 && !import->is_plan)
        rc = await_accounts(import, err);
    if (rc == 0)
        rc = import_history(import, err);
    if (rc == 0)
        plan_print(&import->plan, !import->is_plan);
    return rc;
}

static void clear(struct import *import)
{
    book_clear(&import->book);
    foreign_clear(&import->foreign);
    survey_clear(&import->survey);
    dump_free(import->dump);
    if (import->fd > STDERR_FILENO)
        close(import->fd);
    free(import->name);
    plan_clear(&import->plan);
    source_database_clear(&import->source);
    command_clear(&import->controller);
    command_clear(&import->owner);
}

int sluice_import(int argc, char **argv, struct log *log)
{
    struct import import = { .log = log, .fd = -1 };
    struct err err = { 0 };
    int rc;

    if (argc > 1 && strcmp(argv[1], "queue") == 0)
        return sluice_import_queue(argc, argv, log);
    command_init(&import.owner, "sluice");
    command_init(&import.controller, "sluice");
    rc = read_options(&import, argc, argv, &err);
    if (rc == 0)
        rc = do_import(&import, &err);
    if (rc < 0)
        log_error(log, "%s", err.text);
    clear(&import);
    return rc < 0;
}
