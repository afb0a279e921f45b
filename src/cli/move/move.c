#include "cli/move/move.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "cli/lib/args.h"
#include "cli/lib/command.h"
#include "cli/move/counts.h"
#include "cli/move/meet.h"
#include "cli/move/watch.h"
#include "common/conf/slurm_conf.h"
#include "common/msg/types.h"
#include "common/text/words.h"

enum { OPT_PLAN = 1, OPT_KEEP, OPT_TAKE };

static const struct arg_option options[] = {
    { "plan", 0, ARG_NONE, OPT_PLAN },
    { "keep", 0, ARG_REQUIRED, OPT_KEEP },
    { "take", 0, ARG_NONE, OPT_TAKE },
};

struct move {
    struct log *log;
    bool is_plan, takes;
    enum acct_keep keep;
    struct command controller, dbd;
    bool has_dbd; /* connected */
    const char *cluster;
    struct move_status before; /* how it stood when this began */
};

/* ---- the command line ---- */

static int read_keep(const char *word, enum acct_keep *ret, struct err *err)
{
    const int keep = acct_keep_find(word);

    if (keep <= ACCT_KEEP_NEITHER)
        return err_set(err, EINVAL, "--keep=%s: it is slurmdbd or cluster", word);
    *ret = (enum acct_keep)keep;
    return 0;
}

static int read_options(struct move *move, int argc, char **argv, struct err *err)
{
    AUTO(arg_reader)
    struct arg_reader reader = { .options = options,
                                 .options_n = ARRAY_N(options),
                                 .argv = argv,
                                 .argc = argc,
                                 .mixed = true,
                                 .at = 1 };
    const char *value;
    int id, rc;

    while ((rc = arg_next(&reader, &id, &value, err)) > 0) {
        move->is_plan |= id == OPT_PLAN;
        move->takes |= id == OPT_TAKE;
        rc = id == OPT_KEEP ? read_keep(value, &move->keep, err) : 0;
        if (rc < 0)
            return rc;
    }
    if (rc < 0)
        return rc;
    if (reader.operands_n != 1 || !text_is(reader.operands[0], "accounting"))
        return err_set(err, EINVAL, "what is to be moved? sluice move accounting");
    if (move->takes && move->keep)
        return err_set(err, EINVAL, "--keep is about records of accounts, which --take leaves");
    return 0;
}

/* ---- both places ---- */

/* Connects to slurmdbd, where slurm.conf names one. */
static int connect_dbd(struct move *move, struct err *err)
{
    struct cli *cli = &move->dbd.cli;
    int rc = cli_load(cli, err);

    if (rc < 0 || !slurm_conf_has_dbd(cli->conf))
        return rc;
    rc = cli_connect_accounting(cli, err);
    if (rc == 0 && !cli->is_at_dbd)
        rc =
            err_set(err, ENOTCONN,
                    "slurmdbd on %s, which slurm.conf names, does not answer, and nothing is moved",
                    cli->conf->accounting_host);
    move->has_dbd = rc == 0;
    return rc;
}

static struct client *own(struct move *move)
{
    return move->controller.cli.client;
}

static struct client *there(struct move *move)
{
    return move->has_dbd ? move->dbd.cli.client : NULL;
}

static int look_around(struct move *move, struct err *err)
{
    int rc = cli_open(&move->controller.cli, RPC_ROLE_CLIENT, err);

    if (rc < 0)
        return rc;
    move->cluster = move->controller.cli.conf->cluster_name;
    move_status_clear(&move->before);
    rc = watch_look(own(move), &move->before, err);
    return rc < 0 ? rc : connect_dbd(move, err);
}

static int print_counts(struct move *move, struct err *err)
{
    AUTO(history_counts) struct history_counts ours, theirs;
    int rc = counts_load(own(move), move->cluster, &ours, err);

    history_counts_init(&theirs);
    if (rc == 0 && move->has_dbd)
        rc = counts_load(there(move), move->cluster, &theirs, err);
    if (rc == 0)
        counts_print(&ours, move->has_dbd ? &theirs : NULL);
    return rc;
}

/* ---- there ---- */

/* Reads slurm.conf again where the controller goes by an earlier one. */
static int order(struct move *move, struct err *err)
{
    const struct move_accounting msg = { .keep = move->keep };

    if (move->before.phase == MOVE_NOWHERE) {
        int rc = client_call(own(move), MSG_RECONFIGURE, NULL, MSG_OK, NULL, err);

        if (rc < 0)
            return rc;
    }
    return client_call(own(move), MSG_MOVE_ACCOUNTING, &msg, MSG_OK, NULL, err);
}

static int go_there(struct move *move, struct err *err)
{
    struct meet meet = { .keep = move->keep };
    bool may = true;
    int rc = 0;

    printf("Accounts and history of cluster %s go to slurmdbd on %s.\n", move->cluster,
           move->dbd.cli.conf->accounting_host);
    if (!move->before.owner) {
        rc = meet_look(move->cluster, own(move), there(move), &meet, err);
        may = meet.conflicts == 0 || move->keep != ACCT_KEEP_NEITHER;
        if (rc == 0)
            meet_print(&meet);
    } else {
        puts("Its accounts are there.");
    }
    meet_clear(&meet);
    if (rc == 0 && move->is_plan)
        rc = print_counts(move, err);
    if (rc == 0 && !may)
        rc = err_set(err, EEXIST, "records of accounts differ: nothing was changed");
    if (rc < 0 || move->is_plan)
        return rc;
    fflush(stdout);
    rc = order(move, err);
    if (rc == 0)
        rc = watch_told(own(move), err);
    return rc < 0 ? rc : print_counts(move, err);
}

/* ---- back ---- */

static int take(struct move *move, struct err *err)
{
    const struct move_accounting msg = { .takes = true };
    int rc = client_call(own(move), MSG_MOVE_ACCOUNTING, &msg, MSG_OK, NULL, err);

    return rc < 0 ? rc : watch_taken(own(move), move->before.taken, err);
}

/* Neither place is another one than slurm.conf says: tells which lines would say so. */
static int stay(struct move *move, struct err *err)
{
    printf("Accounts and history of cluster %s are its controller's already, as %s names no "
           "slurmdbd.\nTo move them into one, name it there, and call this again:\n"
           "    AccountingStorageType=accounting_storage/slurmdbd\n"
           "    AccountingStorageHost=HOST\n",
           move->cluster, move->controller.cli.conf->path);
    return print_counts(move, err);
}

static int come_back(struct move *move, struct err *err)
{
    int rc = 0;

    if (!move->before.owner)
        return stay(move, err);
    printf("Accounts and history of cluster %s come back to its controller.\n", move->cluster);
    if (move->is_plan)
        return print_counts(move, err);
    fflush(stdout);
    rc = take(move, err);
    if (rc == 0)
        rc = client_call(own(move), MSG_RECONFIGURE, NULL, MSG_OK, NULL, err);
    if (rc == 0)
        rc = watch_own(own(move), err);
    return rc < 0 ? rc : print_counts(move, err);
}

/* Brings the history alone, which slurmdbd keeps, too. */
static int take_history(struct move *move, struct err *err)
{
    int rc = 0;

    if (!move->has_dbd)
        return err_set(err, EINVAL,
                       "--take: slurm.conf names no slurmdbd that it could come from; "
                       "name it by AccountingStorageType=accounting_storage/slurmdbd and "
                       "AccountingStorageHost=");
    printf("What slurmdbd on %s has of cluster %s, and its controller lacks, comes there.\n",
           move->dbd.cli.conf->accounting_host, move->cluster);
    fflush(stdout);
    if (!move->is_plan)
        rc = take(move, err);
    return rc < 0 ? rc : print_counts(move, err);
}

/* ---- all of it ---- */

static int do_move(struct move *move, struct err *err)
{
    int rc = look_around(move, err);

    if (rc < 0)
        return rc;
    if (move->takes)
        return take_history(move, err);
    return move->has_dbd ? go_there(move, err) : come_back(move, err);
}

int sluice_move(int argc, char **argv, struct log *log)
{
    struct move move = { .log = log };
    struct err err = { 0 };
    int rc;

    command_init(&move.controller, "sluice");
    command_init(&move.dbd, "sluice");
    move_status_init(&move.before);
    rc = read_options(&move, argc, argv, &err);
    if (rc == 0)
        rc = do_move(&move, &err);
    if (rc < 0)
        log_error(log, "%s", err.text);
    move_status_clear(&move.before);
    command_clear(&move.dbd);
    command_clear(&move.controller);
    return rc < 0;
}
