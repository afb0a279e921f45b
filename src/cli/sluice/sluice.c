#include "cli/sluice/sluice.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/doctor/doctor.h"
#include "cli/import/import.h"
#include "cli/join/verbs.h"
#include "cli/move/move.h"
#include "cli/sim/sim.h"
#include "common/base/alloc.h"
#include "common/base/version.h"
#include "common/text/words.h"

static int sluice_version(int argc, char **argv, struct log *log)
{
    (void)argc;
    (void)argv;
    (void)log;
    fputs(VERSION_OURS, stdout);
    return 0;
}

static int sluice_help(int argc, char **argv, struct log *log);

static const struct verb {
    const char *name;
    int (*run)(int argc, char **argv, struct log *log);
    const char *help;
    const char *example; /* NULL: none beyond what the help says */
} verbs[] = {
    { "init", sluice_init,
      "[--nodes LIST] [--cluster NAME] [--address ADDR] [--minutes M] [--port P] [--force]\n"
      "         make this machine the head of a new cluster, of these nodes or of itself alone",
      "sluice init --nodes 'worker-[1-3]'" },
    { "token", sluice_token,
      "[--minutes M] [--port P] LIST\n"
      "         let these hosts join: print the command for each, good once and for an hour",
      "sluice token worker-4" },
    { "join", sluice_join,
      "HEAD[:PORT] --token TOKEN [--force]\n"
      "         make this machine a node of that head's cluster; --token - reads it from stdin",
      "sluice join head --token 5zvm-9t6n-..." },
    { "up", sluice_up,
      "[N] [--cpus C] [--memory MB] [--conf FILE] [--dir DIR] [--fresh]\n"
      "         start a cluster of N virtual nodes on this machine (2)",
      "sluice up 4 --cpus 8" },
    { "env", sluice_env,
      "[--dir DIR]\n"
      "         shell lines that point the commands at it: eval \"$(sluice env)\"",
      "eval \"$(sluice env)\"" },
    { "status", sluice_status,
      "[--dir DIR]\n"
      "         show its daemons and nodes; 0 when all are there",
      NULL },
    { "down", sluice_down,
      "[--dir DIR] [--keep]\n"
      "         end its jobs and daemons; --keep leaves state for the next up",
      NULL },
    { "conf", sluice_conf,
      "check|show [FILE]\n"
      "         what is wrong or old in a slurm.conf; what it comes to, and by which line",
      "sluice conf check" },
    { "doctor", sluice_doctor,
      "[--all] [--quiet] [--verbose]\n"
      "         what is wrong with this host, from the controller with all nodes, and the mend",
      "sluice doctor" },
    { "events", sluice_events,
      "[-f] [--since TIME] [JOB|NODES...]\n"
      "         what happened to jobs and nodes, and who did it; -f: the newest 10 (with --since\n"
      "         all since then), and what happens from now on",
      "sluice events --since today worker-2" },
    { "explain", sluice_explain,
      "[--json] JOB...\n"
      "         why a job waits, which jobs hold what it needs, when and where it is planned",
      "sluice explain 12" },
    { "import", sluice_import,
      "slurmdbd [FILE] [--plan] [--overwrite] [--cluster NAME] [--database NAME]\n"
      "         [--host HOST] [--port P] [--user USER] [--password-file FILE]\n"
      "         take accounts and history over from what mysqldump wrote of a slurmdbd's database\n"
      "         (- is stdin), or from the database that slurmdbd.conf names; --plan: only say "
      "what\n"
      "         would come; --overwrite: accounts and the like that differ here become as there\n"
      "         queue FILE [--plan] | queue --save FILE [--hold] | queue --release FILE\n"
      "         [--from-bin DIR] [--from-conf FILE]\n"
      "         take waiting jobs of a real Slurm over: --save, where its commands work, writes "
      "them\n"
      "         to FILE; --hold: and holds them there; --release: gives that up; --plan: only say\n"
      "         what would come; with --from-bin and --from-conf, where both are, all in one",
      "sluice import slurmdbd --plan slurm_acct_db.sql" },
    { "move", sluice_move,
      "accounting [--plan] [--keep=slurmdbd|cluster] [--take]\n"
      "         move accounts, usage and history of this cluster to where slurm.conf says: to the\n"
      "         slurmdbd that it names, or back; --plan: only say what would move, and what is in\n"
      "         the way; --keep: where both have a record that differs, which one holds; --take:\n"
      "         bring what slurmdbd has of the history here, and leave accounts where they are",
      "sluice move accounting --plan" },
    { "help", sluice_help,
      "[VERB]\n"
      "         say what a verb does, or what all do",
      NULL },
    { "version", sluice_version,
      "\n         say which version of Sluice this is, and which Slurm it behaves like", NULL },
    { "sim", sluice_sim,
      "[OPTION...] TRACE\n"
      "         what the scheduler does with a recorded stream of jobs: sluice sim --help",
      "sluice sim --from-live" },
};

static bool asks_for_help(const char *arg)
{
    return strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0;
}

/* Returns whether it is help that is wanted, also behind a word of the verb: sluice import queue
 * --help. What can be done with a configuration has help of its own. */
static bool wants_help(const struct verb *verb, int argc, char **argv)
{
    bool wants = argc > 1 && asks_for_help(argv[1]);

    for (int i = 2; i < argc && !wants && strcmp(argv[i], "--") != 0; i++)
        wants = strcmp(argv[i], "--help") == 0 && verb->run != sluice_conf;
    return wants;
}

/* Runs a verb, or prints its help; the simulator and the doctor have more to say themselves. */
static int run_verb(const struct verb *verb, int argc, char **argv)
{
    struct log *log;
    int status;

    if (wants_help(verb, argc, argv) && verb->run != sluice_sim && verb->run != sluice_doctor) {
        printf("Usage: sluice %s %s\n", verb->name, verb->help);
        if (verb->example)
            printf("Example: %s\n", verb->example);
        return 0;
    }
    log = log_new_command("sluice", LOG_INFO);
    status = verb->run(argc, argv, log);
    log_free(log);
    return status;
}

static void print_usage(FILE *out)
{
    fputs("Usage: sluice VERB [ARGUMENT...]\n\n", out);
    for (size_t i = 0; i < ARRAY_N(verbs); i++)
        fprintf(out, "  %-7s %s\n", verbs[i].name, verbs[i].help);
    fputs("\nA cluster of `sluice up` lives under one directory: --dir, else $SLUICE_DIR, else "
          "$HOME/.sluice/cluster "
          "(for root\n/var/lib/sluice/cluster).\n"
          "\nExamples:\n",
          out);
    for (size_t i = 0; i < ARRAY_N(verbs); i++) {
        if (verbs[i].example)
            fprintf(out, "    %s\n", verbs[i].example);
    }
    fputs("\n" VERSION_OURS, out);
}

static const struct verb *find_verb(const char *name)
{
    for (size_t i = 0; i < ARRAY_N(verbs); i++) {
        if (strcmp(name, verbs[i].name) == 0)
            return &verbs[i];
    }
    return NULL;
}

static int refuse_verb(const char *name)
{
    struct word_search search = word_search_begin(name);

    for (size_t i = 0; i < ARRAY_N(verbs); i++)
        word_search_offer(&search, verbs[i].name);
    if (search.nearest)
        fprintf(stderr, "sluice: error: no verb '%s'; is '%s' meant? (sluice help %s)\n", name,
                search.nearest, search.nearest);
    else
        fprintf(stderr, "sluice: error: no verb '%s'; `sluice help` lists them\n", name);
    return 2;
}

static int sluice_help(int argc, char **argv, struct log *log)
{
    static char option[] = "--help";
    const struct verb *verb = argc > 1 ? find_verb(argv[1]) : NULL;

    (void)log;
    if (argc > 1 && !verb)
        return refuse_verb(argv[1]);
    if (verb)
        return run_verb(verb, 2, (char *[]){ argv[1], option, NULL });
    print_usage(stdout);
    return 0;
}

int sluice_main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const struct verb *verb = find_verb(name);

    if (verb)
        return run_verb(verb, argc - 1, argv + 1);
    if (asks_for_help(name))
        return sluice_help(1, argv, NULL);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        return sluice_version(0, NULL, NULL);
    if (*name)
        return refuse_verb(name);
    print_usage(stderr);
    return 2;
}
