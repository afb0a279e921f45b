#include "cli/sacct/options.h"

#define AT(member) offsetof(struct sacct_options, member)

/* clang-format off */
static const struct flag rows[] = {
    { "accounts", 'A', FLAG_WORDS, AT(accounts), "NAMES", NULL, "jobs of these accounts" },
    { "allclusters", 'L', FLAG_SET, AT(all_clusters), NULL, NULL, "jobs of all clusters that slurmdbd knows" },
    { "allocations", 'X', FLAG_SET, AT(allocations), NULL, NULL, "jobs without their steps" },
    { "allusers", 'a', FLAG_SET, AT(all_users), NULL, NULL, "jobs of all users; root's default" },
    { "associations", 'x', FLAG_WORDS, AT(associations), "IDS", NULL, "jobs of the associations with these numbers" },
    { "batch-script", 'B', FLAG_SET, AT(script), NULL, NULL, "print the scripts of the jobs named by -j" },
    { "brief", 'b', FLAG_SET, AT(brief), NULL, NULL, "only JobID, State and ExitCode" },
    { "clusters", 'M', FLAG_TEXT, AT(clusters), "NAMES", "SLURM_CLUSTERS", "jobs of these clusters, or of all" },
    { "cluster", 0, FLAG_TEXT, AT(clusters), "NAMES", NULL, NULL },
    { "completion", 'c', FLAG_SET, AT(completion), NULL, NULL, "what jobcomp/filetxt wrote instead of the history" },
    { "constraints", 'C', FLAG_WORDS, AT(constraints), "NAMES", NULL, "jobs that asked for all of these features" },
    { "delimiter", 0, FLAG_TEXT, AT(delimiter), "TEXT", NULL, "between columns of -p and -P, instead of |" },
    { "duplicates", 'D', FLAG_SET, AT(duplicates), NULL, NULL, "also the earlier runs of jobs that were requeued" },
    { "endtime", 'E', FLAG_TEXT, AT(end), "TIME", NULL, "jobs eligible before this time; with -s: in that state" },
    { "env-vars", 0, FLAG_SET, AT(environment), NULL, NULL, "print the environments of the batch jobs named by -j" },
    { "expand-patterns", 0, FLAG_SET, AT(expand_patterns), NULL, NULL, "StdOut and its like with symbols replaced" },
    { "federation", 0, FLAG_SAME, 0, NULL, NULL, "of the federation; this cluster is in none" },
    { "file", 'f', FLAG_TEXT, AT(file), "FILE", NULL, "-c, from this file instead of JobCompLoc" },
    { "flags", 'F', FLAG_WORDS, AT(flags), "FLAGS", NULL, "jobs started so: SchedMain, SchedBackfill" },
    { "format", 'o', FLAG_WORDS, AT(fields), "FIELDS", NULL, "columns: JobID,State%20 (see -e)" },
    { "fields", 0, FLAG_WORDS, AT(fields), "FIELDS", NULL, NULL },
    { NULL, 0, FLAG_VARIABLE, AT(usual_format), NULL, "SACCT_FORMAT", "--format, when the options ask for none" },
    { "gid", 'g', FLAG_WORDS, AT(groups), "GROUPS", NULL, "jobs of these groups, names or numbers" },
    { "group", 0, FLAG_WORDS, AT(groups), "GROUPS", NULL, NULL },
    { "help", 'h', FLAG_HELP, 0, NULL, NULL, "print this text" },
    { "helpformat", 'e', FLAG_SET, AT(help_format), NULL, NULL, "print the names of all columns" },
    { "help-fields", 0, FLAG_SET, AT(help_format), NULL, NULL, NULL },
    { "jobs", 'j', FLAG_WORDS, AT(jobs), "JOBS", NULL, "these jobs or steps: 12,15.0,15.batch" },
    { "json", 0, FLAG_DOCUMENT, AT(document.json), "VERSION", NULL, DOCUMENT_JSON_HELP },
    { "local", 0, FLAG_SAME, 0, NULL, NULL, "of this cluster only" },
    { "long", 'l', FLAG_SET, AT(is_long), NULL, NULL, "many columns" },
    { "name", 0, FLAG_WORDS, AT(names), "NAMES", NULL, "jobs with these names" },
    { "ncpus", 'I', FLAG_TEXT, AT(ncpus), "N[-M]", NULL, "jobs with so many cpus" },
    { "nnodes", 'i', FLAG_TEXT, AT(nnodes), "N[-M]", NULL, "jobs on so many nodes" },
    { "noconvert", 0, FLAG_SET, AT(exact_units), NULL, NULL, "amounts in megabytes: 2048M, not 2G" },
    { "nodelist", 'N', FLAG_TEXT, AT(nodes), "HOSTS", NULL, "jobs that ran on one of these nodes" },
    { "noheader", 'n', FLAG_SET, AT(no_header), NULL, NULL, "no header" },
    { "parsable", 'p', FLAG_SET, AT(parsable), NULL, NULL, "columns divided by |, one at the end too" },
    { "parsable2", 'P', FLAG_SET, AT(parsable2), NULL, NULL, "columns divided by |" },
    { "partition", 'r', FLAG_WORDS, AT(partitions), "NAMES", NULL, "jobs in these partitions" },
    { "qos", 'q', FLAG_WORDS, AT(qos), "NAMES", NULL, "jobs with these QOS" },
    { "reason", 'R', FLAG_WORDS, AT(reasons), "REASONS", NULL, "jobs that waited or ended for one of these reasons" },
    { "starttime", 'S', FLAG_TEXT, AT(start), "TIME", NULL, "jobs not over before this time (today; with -s: now)" },
    { "state", 's', FLAG_WORDS, AT(states), "STATES", NULL, "jobs in these states in that time: PD,R,CD,F,..." },
    { "states", 0, FLAG_WORDS, AT(states), "STATES", NULL, NULL },
    { "timelimit-max", 'K', FLAG_TEXT, AT(limit_max), "TIME", NULL, "with -k: up to this limit" },
    { "timelimit-min", 'k', FLAG_TEXT, AT(limit_min), "TIME", NULL, "jobs with this time limit" },
    { "truncate", 'T', FLAG_SET, AT(truncate), NULL, NULL, "cut times to those of -S and -E" },
    { "uid", 'u', FLAG_WORDS, AT(users), "USERS", NULL, "jobs of these users, names or numbers" },
    { "user", 0, FLAG_WORDS, AT(users), "USERS", NULL, NULL },
    { "units", 0, FLAG_TEXT, AT(units), "KMGTP", NULL, "amounts in this unit" },
    { "use-local-uid", 0, FLAG_SAME, 0, NULL, NULL, "numbers of users are those of this cluster" },
    { "usage", 0, FLAG_USAGE, 0, NULL, NULL, "print the options in short" },
    { "verbose", 'v', FLAG_MORE, AT(verbose), NULL, NULL, "say what is done" },
    { "version", 'V', FLAG_VERSION, 0, NULL, NULL, "print the version" },
    { "wckeys", 'W', FLAG_WORDS, AT(wckeys), "NAMES", NULL, "jobs with these wckeys" },
    { "whole-hetjob", 0, FLAG_ATTACHED, AT(whole_hetjob), "YES|NO", NULL, "all parts of a heterogeneous job; there is none" },
    { "yaml", 0, FLAG_DOCUMENT, AT(document.yaml), "VERSION", NULL, "the same as YAML" },
    { NULL, 0, FLAG_VARIABLE, AT(time_format), NULL, "SLURM_TIME_FORMAT", "how times look: standard, relative, or as strftime: %s" },
    DOCUMENT_VARIABLES(struct sacct_options),
};
/* clang-format on */

const struct flag_table sacct_flags = {
    .heading = "Valid <OPTION> values are",
    .purpose = "Lists jobs and their steps, also those that ended long ago.\n"
               "Times: HH:MM[:SS], YYYY-MM-DD[THH:MM[:SS]], MMDD[YY], MM/DD[/YY], now-2hours",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
};

void sacct_options_clear(struct sacct_options *options)
{
    struct words *const all[] = { &options->jobs,     &options->users,       &options->groups,
                                  &options->states,   &options->names,       &options->partitions,
                                  &options->accounts, &options->qos,         &options->wckeys,
                                  &options->fields,   &options->constraints, &options->flags,
                                  &options->reasons,  &options->associations };

    for (size_t i = 0; i < ARRAY_N(all); i++)
        words_clear(all[i]);
}
