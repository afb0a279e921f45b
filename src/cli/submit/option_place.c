/*
 * option_place.c - what options about placement do with their values: nodes by shape, tasks on
 * them, resources.
 */
#include "cli/submit/option_table.h"

#include <errno.h>
#include <string.h>

#include "common/text/duration.h"
#include "common/text/words.h"

static int err_value(const struct option_row *row, struct err *err)
{
    return err_set(err, EINVAL, "Invalid --%s specification", row->name);
}

/* ---- --distribution ---- */

/* Reads a level; "*" leaves it open. Only nodes may be dealt by plane or by the node list. */
static int read_level(const char *word, bool of_nodes, uint32_t *ret)
{
    static const struct {
        const char *word;
        uint32_t dist;
        bool nodes, parts;
    } words[] = {
        { "*", DIST_DEFAULT, true, true },
        { "block", DIST_BLOCK, true, true },
        { "cyclic", DIST_CYCLIC, true, true },
        { "fcyclic", DIST_FCYCLIC, false, true },
        { "arbitrary", DIST_ARBITRARY, true, false },
    };

    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (word_is(word, words[i].word) && (of_nodes ? words[i].nodes : words[i].parts)) {
            *ret = words[i].dist;
            return 0;
        }
    }
    return -EINVAL;
}

static int read_plane(struct job_spec *job, const char *size, struct err *err)
{
    uint64_t number;

    if (job->pack_nodes || *size != '=' || number_parse(size + 1, 1, INT32_MAX, &number, NULL) < 0)
        return err_set(err, EINVAL,
                       "Invalid plane size or size not specified\n"
                       "Invalid --distribution specification");
    job->dist_nodes = DIST_PLANE;
    job->plane_size = (uint32_t)number;
    return 0;
}

/* Reads the levels; as in Slurm, colons without a word between them are one. */
static int read_levels(struct job_spec *job, const struct option_row *row, const char *text,
                       struct err *err)
{
    uint32_t *const levels[] = { &job->dist_nodes, &job->dist_sockets, &job->dist_cores };
    const char *rest;
    size_t n = 0;

    if (word_starts(text, "plane", &rest))
        return read_plane(job, rest, err);
    for (text += strspn(text, ":"); *text; text += strspn(text, ":")) {
        AUTO_FREE char *word = xstrndup(text, strcspn(text, ":"));
        const bool is_below_list = n > 0 && *levels[0] == DIST_ARBITRARY; /* has no levels */

        if (n == ARRAY_N(levels) || is_below_list || read_level(word, n == 0, levels[n]) < 0)
            return err_value(row, err);
        text += strlen(word);
        n++;
    }
    return n ? 0 : err_value(row, err);
}

static bool read_pack(const char *word, uint32_t *ret)
{
    if (word_is(word, "pack"))
        *ret = PACK_NODES;
    else if (word_is(word, "nopack"))
        *ret = PACK_NO_NODES;
    else
        return false;
    return true;
}

/* Reads "LEVELS", "LEVELS,PACK" or "PACK". */
static int read_distribution(struct job_spec *job, const struct option_row *row, const char *value,
                             struct err *err)
{
    const char *comma = strchr(value, ',');
    AUTO_FREE char *first = xstrndup(value, comma ? (size_t)(comma - value) : strlen(value));

    if (comma && !read_pack(comma + 1, &job->pack_nodes))
        return err_value(row, err);
    if (!comma && read_pack(first, &job->pack_nodes))
        return 0;
    return read_levels(job, row, first, err);
}

int option_set_distribution(struct submit_options *options, const struct option_row *row,
                            const char *value, struct err *err)
{
    struct job_spec *job = &options->job;
    struct job_spec said = { .plane_size = COUNT_UNSET };
    int rc = read_distribution(&said, row, value, err);

    if (rc < 0)
        return rc;
    job->dist_nodes = said.dist_nodes;
    job->dist_sockets = said.dist_sockets;
    job->dist_cores = said.dist_cores;
    job->plane_size = said.plane_size;
    job->pack_nodes = said.pack_nodes;
    return option_set_text(options, row, value, err);
}

/* ---- the shape of nodes ---- */

static uint32_t find_hint(const char *word)
{
    static const struct {
        const char *word;
        uint32_t hint;
    } hints[] = {
        { "compute_bound", HINT_COMPUTE_BOUND },
        { "memory_bound", HINT_MEMORY_BOUND },
        { "nomultithread", HINT_NO_MULTITHREAD },
        { "multithread", HINT_MULTITHREAD },
    };

    for (size_t i = 0; i < ARRAY_N(hints); i++)
        if (word_is(word, hints[i].word))
            return hints[i].hint;
    return 0;
}

static const char hint_help[] =
    "--hint=TYPE says what kind of program it is. TYPE is one of, or several with commas,\n"
    "  compute_bound      all cores of each socket, one thread of each core\n"
    "  memory_bound       one core of each socket, one thread of it\n"
    "  multithread        all threads of each core\n"
    "  nomultithread      one thread of each core\n"
    "It counts for nothing beside --ntasks-per-core, --threads-per-core and --extra-node-info.\n";

static int err_hint(const char *value, struct err *err)
{
    return err_set(err, ERANGE, "unrecognized --hint argument \"%.100s\", see --hint=help", value);
}

int option_set_hint(struct submit_options *options, const struct option_row *row, const char *value,
                    struct err *err)
{
    AUTO(words) struct words words = words_split(value, ",");
    uint32_t hints = 0;

    if (word_is(value, "help")) {
        options->list = hint_help;
        return 0;
    }
    if (words.n == 0)
        return err_hint(value, err);
    for (uint32_t i = 0; i < words.n; i++) {
        const uint32_t hint = find_hint(words.at[i]);

        if (!hint)
            return err_hint(value, err);
        hints |= hint;
    }
    options->hints = hints;
    return option_set_text(options, row, value, err);
}

/* Returns how tasks are bound where only the job's shape tells. */
static enum cpu_bind_kind bind_by_shape(const struct submit_options *options)
{
    if (options->hints & (HINT_COMPUTE_BOUND | HINT_MEMORY_BOUND))
        return CPU_BIND_CORES;
    if (options->hints)
        return CPU_BIND_THREADS;
    if (options->job.ntasks_per_core != COUNT_UNSET)
        return CPU_BIND_CORES;
    return options->job.ntasks_per_socket != COUNT_UNSET ? CPU_BIND_SOCKETS : CPU_BIND_UNSAID;
}

/* Drops --hint; `other` is the source of what counts instead. */
static void drop_hints(struct submit_options *options, enum option_source other)
{
    if (submit_options_source(options, "hint") == other)
        options->remark = "Following options are mutually exclusive with --hint: "
                          "--ntasks-per-core, --threads-per-core, -B and --cpu-bind (other then "
                          "--cpu-bind=verbose). Ignoring --hint.\n";
    options->hints = 0;
    xstrset(&options->hint, NULL);
    submit_options_forget(options, "hint");
}

/* Settles hints. Who says how many threads and cores there are, or tasks on them, has said more
   than a hint from the same source or a farther one; and less than one from a nearer source. */
static void settle_hints(struct submit_options *options)
{
    static const char *const names[] = { "extra-node-info", "threads-per-core", "ntasks-per-core" };
    const enum option_source hint = submit_options_source(options, "hint");
    struct job_spec *job = &options->job;
    enum option_source shape = FROM_NOWHERE;

    for (size_t i = 0; i < ARRAY_N(names); i++)
        if (submit_options_source(options, names[i]) > shape)
            shape = submit_options_source(options, names[i]);
    if (!options->hints || shape == FROM_NOWHERE)
        return;
    if (shape >= hint) {
        drop_hints(options, shape);
        return;
    }
    if (options->has_node_info)
        job->sockets_per_node = job->cores_per_socket = COUNT_UNSET;
    options->has_node_info = false;
    job->threads_per_core = job->ntasks_per_core = COUNT_UNSET;
}

void option_apply_hints(struct submit_options *options)
{
    struct job_spec *job = &options->job;

    settle_hints(options);
    /* As in Slurm, who says how tasks are bound has said more than a hint. */
    if (options->cpu_bind.kind == CPU_BIND_UNSAID)
        options->cpu_bind.kind = bind_by_shape(options);
    else if (options->hints)
        drop_hints(options, submit_options_source(options, "cpu-bind"));
    if (options->hints & (HINT_COMPUTE_BOUND | HINT_MEMORY_BOUND | HINT_NO_MULTITHREAD))
        job->threads_per_core = 1;
    if (options->hints & HINT_MEMORY_BOUND)
        job->cores_per_socket = 1;
}

/* Reads a number, "*" for an open one, or a range, whose least is what a node must have. */
static int read_part(const char *text, uint32_t *ret)
{
    const char *dash = strchr(text, '-');
    AUTO_FREE char *least = xstrndup(text, dash ? (size_t)(dash - text) : strlen(text));
    uint64_t number;
    uint64_t most;

    if (strcmp(text, "*") == 0)
        return 0;
    if (number_parse(least, 1, INT32_MAX, &number, NULL) < 0 ||
        (dash && strcmp(dash, "-*") != 0 &&
         number_parse(dash + 1, number, INT32_MAX, &most, NULL) < 0))
        return -EINVAL;
    *ret = (uint32_t)number;
    return 0;
}

/* Sets "S[:C[:T]]". */
int option_set_extra_node_info(struct submit_options *options, const struct option_row *row,
                               const char *value, struct err *err)
{
    uint32_t *const counts[] = { &options->job.sockets_per_node, &options->job.cores_per_socket,
                                 &options->job.threads_per_core };
    const char *at = value;

    options->has_node_info = true;
    for (size_t i = 0; i < ARRAY_N(counts); i++) {
        AUTO_FREE char *part = xstrndup(at, strcspn(at, ":"));

        at += strlen(part);
        if (read_part(part, counts[i]) < 0)
            return err_value(row, err);
        if (!*at)
            return 0;
        at++;
    }
    return err_value(row, err);
}

/*
 * Applies --extra-node-info. As in Slurm, without --ntasks it means a task for each part of each
 * node.
 */
void option_apply_node_info(struct submit_options *options)
{
    struct job_spec *job = &options->job;
    const uint32_t counts[] = { job->min_nodes, job->sockets_per_node, job->cores_per_socket,
                                job->threads_per_core };
    uint64_t tasks = 1;

    if (!options->has_node_info || job->ntasks != COUNT_UNSET)
        return;
    for (size_t i = 0; i < ARRAY_N(counts); i++)
        if (counts[i] != COUNT_UNSET && tasks <= INT32_MAX)
            tasks *= counts[i];
    job->ntasks = tasks <= INT32_MAX ? (uint32_t)tasks : INT32_MAX;
}

/* Sets "COUNT" or "COUNT@TIME". */
int option_set_switches(struct submit_options *options, const struct option_row *row,
                        const char *value, struct err *err)
{
    const char *at = strchr(value, '@');
    AUTO_FREE char *text = xstrndup(value, at ? (size_t)(at - value) : strlen(value));
    uint64_t count;
    int64_t seconds = 0;

    if (number_parse(text, 1, INT32_MAX, &count, NULL) < 0)
        return err_set(err, ERANGE, "Invalid numeric value \"%.100s\" for --%s.", text, row->name);
    if (at && (duration_parse(at + 1, &seconds, NULL) < 0 || seconds < 0 || seconds > INT32_MAX))
        return err_value(row, err);
    options->job.switches = (uint32_t)count;
    options->job.switch_wait_s = at ? (uint32_t)seconds : COUNT_UNSET;
    return 0;
}
