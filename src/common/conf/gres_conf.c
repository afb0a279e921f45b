/*
 * Reads gres.conf: which devices a node has, where their files are, and which cores are near them.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "common/conf/gres_lines.h"
#include "common/conf/value.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"

#define LINES_MAX 4096
#define FILES_MAX 1024 /* device files of one line */
#define CORES_MAX 65535

#define ROW(key, field)                                                                            \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .at = offsetof(struct gres_line, field)                   \
    }
#define OFF(key)                                                                                   \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .status = CONF_NO_EFFECT, .at = CONF_NO_FIELD             \
    }

static const struct conf_key gres_keys[] = {
    ROW(NodeName, nodes),
    ROW(Name, name),
    ROW(Type, type),
    ROW(Count, count_text),
    ROW(File, files_text),
    ROW(MultipleFiles, parts_text),
    ROW(Cores, cores_text),
    ROW(AutoDetect, auto_detect),
    { .name = "CPUs",
      .kind = CONF_TEXT,
      .status = CONF_REPLACED,
      .at = offsetof(struct gres_line, cores_text),
      .instead = "Cores=" },
    ROW(Flags, flags),
    OFF(Links),
    { .name = NULL },
};

const struct conf_key *conf_gres_keys(void)
{
    return gres_keys;
}

static void line_clear(struct gres_line *line)
{
    conf_values_clear(gres_keys, line);
    for (uint32_t i = 0; i < line->files_n; i++)
        free(line->files[i]);
    free(line->files);
    numbers_clear(&line->cores);
}

/* ---- one line ---- */

static int parse_files(const struct gres_line *line, const char *key, const char *text,
                       struct hostlist **ret, struct err *err)
{
    struct err why = { 0 };
    int rc = hostlist_parse(text, ret, &why);

    if (rc < 0)
        return conf_err(err, -rc, line->at, "%s: %s", key, why.text);
    if (hostlist_count(*ret) > FILES_MAX)
        return conf_err(err, E_TOO_BIG, line->at, "%s=%.80s names more than %d files", key, text,
                        FILES_MAX);
    return 0;
}

/* Reads the files of a line, each of which is a device. */
static int read_files(struct gres_line *line, struct err *err)
{
    AUTO(hostlist) struct hostlist *files = NULL;
    int rc = parse_files(line, "File", line->files_text, &files, err);

    for (uint32_t i = 0; rc == 0 && i < hostlist_count(files); i++)
        *ARRAY_PUSH(line->files, line->files_n) = xstrdup(hostlist_get(files, i));
    return rc;
}

/* Reads files that are parts of one device: a slice of a gpu that NVIDIA's MIG cuts. */
static int read_parts(struct gres_line *line, struct err *err)
{
    AUTO(hostlist) struct hostlist *files = NULL;
    AUTO(strbuf) struct strbuf all = { 0 };
    int rc = parse_files(line, "MultipleFiles", line->parts_text, &files, err);

    for (uint32_t i = 0; rc == 0 && i < hostlist_count(files); i++)
        strbuf_addf(&all, "%s%s", i ? "," : "", hostlist_get(files, i));
    if (rc == 0)
        *ARRAY_PUSH(line->files, line->files_n) = strbuf_steal(&all);
    return rc;
}

static int read_either_files(struct gres_line *line, struct err *err)
{
    if (line->files_text && line->parts_text)
        return conf_err(err, EINVAL, line->at, "File= and MultipleFiles= exclude each other");
    if (line->parts_text)
        return read_parts(line, err);
    return line->files_text ? read_files(line, err) : 0;
}

bool gres_line_is_shared(const struct gres_line *line)
{
    return word_is(line->name, "mps") || word_is(line->name, "shard");
}

static int read_count(struct gres_line *line, struct err *err)
{
    struct err why = { 0 };

    line->count = line->files_n ? line->files_n : 1;
    if (!line->count_text)
        return 0;
    if (gres_parse_count(line->count_text, &line->count, &why) < 0)
        return conf_err(err, why.code, line->at, "Count: %s", why.text);
    if (!line->files_n || line->count == line->files_n || gres_line_is_shared(line))
        return 0;
    if (line->parts_text)
        return conf_err(err, EINVAL, line->at, "Count=%s, but %.80s are one device",
                        line->count_text, line->parts_text);
    return conf_err(err, EINVAL, line->at, "Count=%s, but File=%s names %u files", line->count_text,
                    line->files_text, line->files_n);
}

static int read_cores(struct gres_line *line, struct err *err)
{
    struct err why = { 0 };

    if (numbers_parse(line->cores_text, CORES_MAX, &line->cores, &why) < 0)
        return conf_err(err, why.code, line->at, "Cores=%.80s: %s", line->cores_text, why.text);
    return 0;
}

/*
 * Returns whether a line is about the same sort of devices as the one above. What one says of
 * variables holds for the next too.
 */
static bool is_more_of(const struct gres_line *line, const struct gres_line *above)
{
    const char *const ours[] = { line->nodes, line->name, line->type };
    const char *const theirs[] = { above->nodes, above->name, above->type };
    bool same = true;

    for (size_t i = 0; i < ARRAY_N(ours) && same; i++)
        same = ours[i] && theirs[i] ? strcmp(ours[i], theirs[i]) == 0 : ours[i] == theirs[i];
    return same;
}

static void take_env_above(const struct gres_reader *reader, struct gres_line *line)
{
    const struct gres_line *above = reader->lines_n > 1 ? line - 1 : NULL;

    if (line->env_said || !above || !is_more_of(line, above))
        return;
    line->gpu_env = above->gpu_env;
    line->env_said = above->env_said;
}

/*
 * Reads the flags. When none of them names variables, AutoDetect decides, and without AutoDetect
 * every variable is set.
 */
static int read_flags(const struct gres_reader *reader, struct gres_line *line, struct err *err)
{
    enum { NO_GPU_ENV = 4 };
    static const struct {
        const char *word;
        uint32_t gpu_env;
    } known[] = {
        { "nvidia_gpu_env", CONF_GPU_NVIDIA },
        { "amd_gpu_env", CONF_GPU_AMD },
        { "intel_gpu_env", CONF_GPU_INTEL },
        { "opencl_env", CONF_GPU_OPENCL },
        [NO_GPU_ENV] = { "no_gpu_env", 0 },
        { "CountOnly", 0 },
        { "one_sharing", 0 },
        { "all_sharing", 0 },
        { "explicit", 0 },
    };
    AUTO(words) struct words words = words_split(line->flags ? line->flags : "", ",");

    for (uint32_t i = 0; i < words.n; i++) {
        size_t k = 0;

        while (k < ARRAY_N(known) && !word_is(words.at[i], known[k].word))
            k++;
        if (k == ARRAY_N(known))
            return conf_err(err, EINVAL, line->at, "Flags: '%.80s' is not known", words.at[i]);
        line->gpu_env |= known[k].gpu_env;
        line->env_said |= k <= NO_GPU_ENV;
        if (k > NO_GPU_ENV)
            conf_notes_add(reader->loader->notes, CONF_NOTE_NO_EFFECT, line->at,
                           "Flags=%s has no effect", words.at[i]);
    }
    take_env_above(reader, line);
    return 0;
}

bool gres_is_type(const struct slurm_conf *conf, const char *name)
{
    AUTO(words) struct words types = words_split(conf->gres_types ? conf->gres_types : "", ",");

    for (uint32_t i = 0; i < types.n; i++)
        if (strcmp(types.at[i], name) == 0)
            return true;
    return false;
}

/* Checks a line. One that only says AutoDetect is about no device. */
static int check_line(const struct gres_reader *reader, const struct gres_line *line,
                      struct err *err)
{
    if (line->name && !gres_is_type(reader->loader->conf, line->name))
        conf_notes_add(reader->loader->notes, CONF_NOTE_VALUE, line->at,
                       "Name=%s is not among GresTypes= of slurm.conf and left out", line->name);
    if (line->name || line->auto_detect)
        return 0;
    return conf_err(err, EINVAL, line->at, "a line without Name= is about no device");
}

/* ---- which nodes a line is about ---- */

static void add_to_node(struct gres_reader *reader, const struct gres_line *line, uint32_t node)
{
    struct gres_node_lines *lines = &reader->of_node[node];

    if (line->nodes && line->detect)
        lines->detect = line->detect;
    if (line->name && gres_is_type(reader->loader->conf, line->name))
        *ARRAY_PUSH(lines->at, lines->n) = reader->lines_n - 1;
}

static int add_to_all(struct gres_reader *reader, const struct gres_line *line, struct err *err)
{
    const uint32_t n = reader->loader->conf->nodes_n;
    int rc = load_count_hosts(reader->loader, n, line->at, err);

    for (uint32_t i = 0; rc == 0 && i < n; i++)
        add_to_node(reader, line, i);
    return rc;
}

static int add_to_named(struct gres_reader *reader, const struct gres_line *line, struct err *err)
{
    AUTO(hostlist) struct hostlist *names = NULL;
    struct err why = { 0 };
    int rc = hostlist_parse(line->nodes, &names, &why);

    if (rc < 0)
        return conf_err(err, -rc, line->at, "NodeName: %s", why.text);
    rc = load_count_hosts(reader->loader, hostlist_count(names), line->at, err);
    for (uint32_t i = 0; rc == 0 && i < hostlist_count(names); i++) {
        int64_t node = load_find_node(reader->loader, hostlist_get(names, i));

        if (node >= 0)
            add_to_node(reader, line, (uint32_t)node);
        else
            conf_notes_add(reader->loader->notes, CONF_NOTE_VALUE, line->at,
                           "slurm.conf has no node %s", hostlist_get(names, i));
    }
    return rc;
}

static int read_line(struct gres_reader *reader, const struct conf_record *record, struct err *err)
{
    const struct conf_pairs pairs = { record->pairs, record->pairs_n };
    struct gres_line *line;
    int rc;

    if (reader->lines_n == LINES_MAX)
        return conf_err(err, E_TOO_BIG, pairs.at->at, "more than %d lines", LINES_MAX);
    line = ARRAY_PUSH(reader->lines, reader->lines_n);
    *line = (struct gres_line){ .at = pairs.at->at };
    rc = load_pairs(reader->loader, gres_keys, pairs, line, err);
    if (rc == 0)
        rc = check_line(reader, line, err);
    if (rc == 0)
        rc = gres_detect_read(reader, line, err);
    if (rc == 0)
        rc = read_either_files(line, err);
    if (rc == 0)
        rc = read_count(line, err);
    if (rc == 0)
        rc = read_flags(reader, line, err);
    if (rc == 0)
        rc = read_cores(line, err);
    if (rc < 0)
        return rc;
    return line->nodes ? add_to_named(reader, line, err) : add_to_all(reader, line, err);
}

static void reader_clear(struct gres_reader *reader)
{
    for (uint32_t i = 0; i < reader->lines_n; i++)
        line_clear(&reader->lines[i]);
    free(reader->lines);
    for (uint32_t i = 0; i < reader->loader->conf->nodes_n; i++)
        free(reader->of_node[i].at);
    free(reader->of_node);
}

int load_gres(struct beside *beside, struct err *err)
{
    struct slurm_conf *conf = beside->loader.conf;
    struct gres_reader reader = { .loader = &beside->loader };
    struct conf_file *file;
    int rc = beside_parse(beside, "gres.conf", true, &file, err);

    if (rc < 0)
        return rc;
    reader.of_node = xcalloc(conf->nodes_n, sizeof(*reader.of_node));
    for (uint32_t i = 0; rc == 0 && i < file->records_n; i++)
        rc = read_line(&reader, &file->records[i], err);
    for (uint32_t i = 0; rc == 0 && i < conf->nodes_n; i++)
        rc = gres_settle_node(&reader, i, err);
    reader_clear(&reader);
    conf_file_free(file);
    return rc;
}
