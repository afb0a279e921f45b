#include "cli/squeue/options.h"

#define AT(member) offsetof(struct squeue_options, member)

/* clang-format off */
static const struct flag rows[] = {
    { "account", 'A', FLAG_TEXT, AT(accounts), "NAMES", "SQUEUE_ACCOUNT", "jobs of these accounts" },
    { "accounts", 0, FLAG_TEXT, AT(accounts), "NAMES", NULL, NULL },
    { "all", 'a', FLAG_SET, AT(all), NULL, "SQUEUE_ALL", "jobs in hidden partitions too" },
    { "array", 'r', FLAG_SET, AT(each_task), NULL, "SQUEUE_ARRAY", "a line for each task of an array" },
    { "array-unique", 0, FLAG_SET, AT(each_task), NULL, "SQUEUE_ARRAY_UNIQUE", "a line for each waiting task of an array" },
    { "clusters", 'M', FLAG_TEXT, AT(clusters), "NAMES", "SLURM_CLUSTERS", "of these clusters, or of all" },
    { "cluster", 0, FLAG_TEXT, AT(clusters), "NAMES", NULL, NULL },
    { "federation", 0, FLAG_SAME, 0, NULL, "SQUEUE_FEDERATION", "of the federation; this cluster is in none" },
    { "format", 'o', FLAG_TEXT, AT(format), "FORMAT", NULL, "columns by letter: \"%.18i %j\"" },
    { "Format", 'O', FLAG_TEXT, AT(long_format), "FORMAT", NULL, "columns by name: JobID:18,Name:" },
    { NULL, 0, FLAG_VARIABLE, AT(usual_format), NULL, "SQUEUE_FORMAT", "--format, unless -l asks for the long one" },
    { NULL, 0, FLAG_VARIABLE, AT(usual_format2), NULL, "SQUEUE_FORMAT2", "--Format, unless -l asks for the long one" },
    { "hide", 0, FLAG_SET, AT(hide), NULL, NULL, "leave out jobs in hidden partitions" },
    { "iterate", 'i', FLAG_TEXT, AT(iterate), "SECONDS", NULL, "print again and again" },
    { "jobs", 'j', FLAG_LIST, AT(jobs), "JOBS", NULL, "these jobs: 12,15" },
    { "json", 0, FLAG_DOCUMENT, AT(document.json), "VERSION", NULL, DOCUMENT_JSON_HELP },
    { "yaml", 0, FLAG_DOCUMENT, AT(document.yaml), "VERSION", NULL, "the same as YAML" },
    { "licenses", 'L', FLAG_TEXT, AT(licenses), "NAMES", "SQUEUE_LICENSES", "jobs that ask for one of these licenses" },
    { "local", 0, FLAG_SAME, 0, NULL, "SQUEUE_LOCAL", "of this cluster only" },
    { "long", 'l', FLAG_SET, AT(is_long), NULL, NULL, "more columns" },
    { "me", 0, FLAG_SET, AT(me), NULL, NULL, "my jobs" },
    { "name", 'n', FLAG_TEXT, AT(names), "NAMES", "SQUEUE_NAMES", "jobs with these names; -s lists steps of any" },
    { "noconvert", 0, FLAG_SET, AT(exact_units), NULL, NULL, "amounts in megabytes: 2048M, not 2G" },
    { "nodelist", 'w', FLAG_TEXT, AT(nodes), "HOSTS", NULL, "jobs on these nodes" },
    { "nodes", 0, FLAG_TEXT, AT(nodes), "HOSTS", NULL, NULL },
    { "notme", 0, FLAG_SET, AT(not_me), NULL, NULL, "jobs of everybody but me" },
    { "noheader", 'h', FLAG_SET, AT(no_header), NULL, NULL, "no header line" },
    { "only-job-state", 0, FLAG_SET, AT(only_states), NULL, NULL, "ids and states of jobs, and nothing else" },
    { "partition", 'p', FLAG_TEXT, AT(partitions), "NAMES", "SQUEUE_PARTITION", "jobs in these partitions" },
    { "partitions", 0, FLAG_TEXT, AT(partitions), "NAMES", NULL, NULL },
    { "priority", 'P', FLAG_SET, AT(each_partition), NULL, "SQUEUE_PRIORITY", "a line for each partition that a waiting job may go to" },
    { "qos", 'q', FLAG_TEXT, AT(qos), "NAMES", "SQUEUE_QOS", "jobs with these QOS" },
    { "reservation", 'R', FLAG_TEXT, AT(reservation), "NAME", NULL, "jobs of these reservations" },
    { "sibling", 0, FLAG_SAME, 0, NULL, "SQUEUE_SIBLING", "jobs on other clusters of the federation" },
    { "sort", 'S', FLAG_TEXT, AT(sort), "KEYS", "SQUEUE_SORT", "order: letters of columns, '-' for falling: P,t,-p" },
    { "start", 0, FLAG_SET, AT(start), NULL, NULL, "waiting jobs, with their expected start" },
    { "states", 't', FLAG_TEXT, AT(states), "STATES", "SQUEUE_STATES", "jobs in these states: PD,R or all" },
    { "steps", 's', FLAG_LIST, AT(steps), "STEPS", NULL, "steps instead of jobs: 12.0,15.batch" },
    { "user", 'u', FLAG_TEXT, AT(users), "USERS", "SQUEUE_USERS", "jobs of these users, names or numbers" },
    { "users", 0, FLAG_TEXT, AT(users), "USERS", NULL, NULL },
    { "verbose", 'v', FLAG_MORE, AT(verbose), NULL, NULL, "say what is done" },
    { NULL, 0, FLAG_VARIABLE, AT(tasks_length), NULL, "SLURM_BITSTR_LEN", "room for the tasks of an array, 64 characters; 0: for all of them" },
    { NULL, 0, FLAG_VARIABLE, AT(time_format), NULL, "SLURM_TIME_FORMAT", "how times look: standard, relative, or as strftime: %s" },
    FLAGS_COMMON,
    DOCUMENT_VARIABLES(struct squeue_options),
};
/* clang-format on */

const struct flag_table squeue_flags = {
    .purpose = "Lists jobs that wait, run or ended a short while ago, and their steps.",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
};
