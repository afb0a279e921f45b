#include "cli/import/queue/queue.h"

#include <string.h>
#include <unistd.h>

#include "cli/import/line.h"
#include "cli/import/queue/save.h"
#include "cli/import/queue/take.h"

enum {
    OPT_PLAN = 1,
    OPT_SAVE,
    OPT_HOLD,
    OPT_RELEASE,
    OPT_BIN,
    OPT_CONF,
};

static const struct arg_option options[] = {
    { "plan", 0, ARG_NONE, OPT_PLAN },        { "save", 0, ARG_NONE, OPT_SAVE },
    { "hold", 0, ARG_NONE, OPT_HOLD },        { "release", 0, ARG_NONE, OPT_RELEASE },
    { "from-bin", 0, ARG_REQUIRED, OPT_BIN }, { "from-conf", 0, ARG_REQUIRED, OPT_CONF },
};

struct importing {
    struct log *log;
    bool plans, saves, holds, releases;
    const char *file;
    struct old old;
    struct here here;
    struct saved saved;
    struct units units;
};

/* ---- the command line ---- */

static void take_option(void *ctx, int id, const char *value)
{
    struct importing *importing = ctx;

    switch (id) {
    case OPT_PLAN:
        importing->plans = true;
        break;
    case OPT_SAVE:
        importing->saves = true;
        break;
    case OPT_HOLD:
        importing->holds = true;
        break;
    case OPT_RELEASE:
        importing->releases = true;
        break;
    case OPT_BIN:
        importing->old.bin = value;
        break;
    default:
        importing->old.conf = value;
        break;
    }
}

static bool reaches_both(const struct importing *importing)
{
    return (importing->old.bin || importing->old.conf) && !importing->saves && !importing->releases;
}

static int check_options(const struct importing *importing, struct err *err)
{
    if (geteuid() != 0)
        return err_set(err, EPERM, "only root may import a queue: its jobs are of all users");
    if (!importing->file)
        return err_set(err, EINVAL, "which file? sluice import queue --save FILE writes one");
    if (importing->plans + importing->saves + importing->releases > 1)
        return err_set(err, EINVAL, "--plan, --save and --release exclude one another");
    if (importing->holds && !importing->saves && !reaches_both(importing))
        return err_set(err, EINVAL, "--hold goes with --save, or with --from-bin and --from-conf");
    if (reaches_both(importing) && !importing->holds && !importing->plans)
        return err_set(
            err, EINVAL,
            "to take jobs from a cluster that runs, its jobs are held and then cancelled "
            "there: --hold says that this may be");
    if (reaches_both(importing) && !(importing->old.bin && importing->old.conf))
        return err_set(err, EINVAL, "--from-bin DIR and --from-conf FILE go together here");
    return 0;
}

static int read_options(struct importing *importing, int argc, char **argv, struct err *err)
{
    const struct import_line line = { options, ARRAY_N(options), take_option, importing };
    int rc = import_read_line(&line, argc, argv, "queue", &importing->file, err);

    return rc < 0 ? rc : check_options(importing, err);
}

/* ---- what is done ---- */

/* Tells what the file has, as far as that can be told without the cluster that it goes to. */
static void print_saved(struct importing *importing)
{
    struct taking taking = { .units = &importing->units, .log = importing->log };

    units_make(&importing->saved, &importing->units);
    for (uint32_t i = 0; i < importing->units.n; i++) {
        if (importing->units.at[i].state == UNIT_NEW)
            (void)units_map_dependency(&importing->units, &importing->units.at[i]);
    }
    take_print(&taking, false);
}

static int save(struct importing *importing, struct err *err)
{
    int rc = old_open(&importing->old, err);

    if (rc == 0)
        rc = importing->holds
                 ? save_and_hold(&importing->old, importing->file, &importing->saved, err)
                 : save_look(&importing->old, importing->file, &importing->saved, err);
    if (rc == 0)
        print_saved(importing);
    if (rc == 0 && !importing->holds)
        log_info(importing->log, "nothing is held: with this file only --plan can be made");
    return rc;
}

static int release(struct importing *importing, struct err *err)
{
    int rc = old_open(&importing->old, err);

    return rc < 0 ? rc : save_undo(&importing->old, importing->file, err);
}

/* Reads the file, or where both clusters can be reached fills it first. */
static int get_queue(struct importing *importing, struct err *err)
{
    struct err why = { 0 };
    int rc = saved_read(importing->file, &importing->saved, &why);

    if (reaches_both(importing) && (rc == -ENOENT || (rc == 0 && !importing->saved.head.held))) {
        saved_clear(&importing->saved);
        if (importing->plans)
            return save_look(&importing->old, NULL, &importing->saved, err);
        return save_and_hold(&importing->old, importing->file, &importing->saved, err);
    }
    if (rc < 0)
        return err_set(err, why.code, "%s", why.text);
    if (!importing->saved.head.held && !importing->plans)
        return err_set(err, EINVAL,
                       "%s was saved without --hold, or that was cut: its jobs may have started "
                       "since; save it with --hold",
                       importing->file);
    return 0;
}

static int check_clusters(const struct importing *importing, struct err *err)
{
    const char *saved = importing->saved.head.cluster, *there = importing->old.cluster;

    if (there && strcmp(saved, there) != 0)
        return err_set(err, EINVAL, "%s is the queue of cluster %s, and this one is %s",
                       importing->file, saved, there);
    return 0;
}

static int import(struct importing *importing, struct err *err)
{
    const bool both = reaches_both(importing);
    struct taking taking = { .here = &importing->here,
                             .old = both ? &importing->old : NULL,
                             .units = &importing->units,
                             .log = importing->log };
    int rc = both ? old_open(&importing->old, err) : 0;

    if (rc == 0)
        rc = here_open(&importing->here, err);
    if (rc == 0)
        rc = get_queue(importing, err);
    if (rc == 0)
        rc = check_clusters(importing, err);
    if (rc < 0)
        return rc;
    units_make(&importing->saved, &importing->units);
    rc = importing->plans ? take_plan(&taking, err) : take_all(&taking, err);
    if (rc < 0)
        return rc;
    take_print(&taking, !importing->plans);
    return taking.failures_n
               ? err_set(err, EAGAIN, "%u jobs have not come; see above", taking.failures_n)
               : 0;
}

int sluice_import_queue(int argc, char **argv, struct log *log)
{
    struct importing importing = { .log = log, .old.log = log };
    struct err err = { 0 };
    int rc = read_options(&importing, argc, argv, &err);

    here_init(&importing.here);
    if (rc == 0 && importing.saves)
        rc = save(&importing, &err);
    else if (rc == 0 && importing.releases)
        rc = release(&importing, &err);
    else if (rc == 0)
        rc = import(&importing, &err);
    if (rc < 0)
        log_error(log, "%s", err.text);
    units_clear(&importing.units);
    saved_clear(&importing.saved);
    old_close(&importing.old);
    here_clear(&importing.here);
    return rc < 0;
}
