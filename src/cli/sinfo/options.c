#include "cli/sinfo/options.h"

#define AT(member) offsetof(struct sinfo_options, member)

/* clang-format off */
static const struct flag rows[] = {
    { "all", 'a', FLAG_SET, AT(all), NULL, NULL, "hidden partitions too" },
    { NULL, 0, FLAG_VARIABLE, AT(usual_all), NULL, "SINFO_ALL", "--all, unless --partition is given" },
    { "clusters", 'M', FLAG_TEXT, AT(clusters), "NAMES", "SLURM_CLUSTERS", "of these clusters, or of all" },
    { "cluster", 0, FLAG_TEXT, AT(clusters), "NAMES", NULL, NULL },
    { "dead", 'd', FLAG_SET, AT(dead), NULL, NULL, "only nodes that do not respond" },
    { "exact", 'e', FLAG_SET, AT(exact), NULL, NULL, "nodes share a line only when all amounts are equal" },
    { "federation", 0, FLAG_SAME, 0, NULL, "SINFO_FEDERATION", "of the federation; this cluster is in none" },
    { "format", 'o', FLAG_TEXT, AT(format), "FORMAT", NULL, "columns by letter: \"%9P %N\"" },
    { "Format", 'O', FLAG_TEXT, AT(long_format), "FORMAT", NULL, "columns by name: Partition:9,NodeList:" },
    { NULL, 0, FLAG_VARIABLE, AT(usual_format), NULL, "SINFO_FORMAT", "--format, unless an option asks for other columns" },
    { "future", 'F', FLAG_SET, AT(future), NULL, NULL, "nodes in state FUTURE, too" },
    { "hide", 0, FLAG_SET, AT(hide), NULL, NULL, "leave out hidden partitions" },
    { "iterate", 'i', FLAG_TEXT, AT(iterate), "SECONDS", NULL, "print again and again" },
    { "json", 0, FLAG_DOCUMENT, AT(document.json), "VERSION", NULL, DOCUMENT_JSON_HELP },
    { "yaml", 0, FLAG_DOCUMENT, AT(document.yaml), "VERSION", NULL, "the same as YAML" },
    { "list-reasons", 'R', FLAG_SET, AT(reasons), NULL, NULL, "why nodes are down or drained" },
    { "local", 0, FLAG_SAME, 0, NULL, "SINFO_LOCAL", "of this cluster only" },
    { "long", 'l', FLAG_SET, AT(is_long), NULL, NULL, "more columns" },
    { "Node", 'N', FLAG_SET, AT(by_node), NULL, NULL, "a line for each node in each partition" },
    { "noconvert", 0, FLAG_SET, AT(exact_units), NULL, NULL, "amounts in megabytes, as they always are here" },
    { "nodes", 'n', FLAG_TEXT, AT(nodes), "HOSTS", NULL, "these nodes" },
    { "noheader", 'h', FLAG_SET, AT(no_header), NULL, NULL, "no header line" },
    { "partition", 'p', FLAG_TEXT, AT(partitions), "PARTITIONS", NULL, "these partitions; not with --all" },
    { NULL, 0, FLAG_VARIABLE, AT(usual_partitions), NULL, "SINFO_PARTITION", "--partition, unless --all is given" },
    { "reservation", 'T', FLAG_SET, AT(reservations), NULL, NULL, "reservations instead of nodes" },
    { "responding", 'r', FLAG_SET, AT(responding), NULL, NULL, "only nodes that respond" },
    { "sort", 'S', FLAG_TEXT, AT(sort), "KEYS", "SINFO_SORT", "order: letters of columns, '-' for falling: #P,-t" },
    { "states", 't', FLAG_TEXT, AT(states), "STATES", NULL, "nodes in one of these states: idle,mix, or in all: down&drain" },
    { "summarize", 's', FLAG_SET, AT(summarize), NULL, NULL, "a line for each partition" },
    { "verbose", 'v', FLAG_MORE, AT(verbose), NULL, NULL, "say what is done" },
    { NULL, 0, FLAG_VARIABLE, AT(time_format), NULL, "SLURM_TIME_FORMAT", "how times look: standard, relative, or as strftime: %s" },
    FLAGS_COMMON,
    DOCUMENT_VARIABLES(struct sinfo_options),
};
/* clang-format on */

const struct flag_table sinfo_flags = {
    .purpose = "Lists partitions and the states of their nodes.",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
    .drops_operands = true,
};
