#include "cli/submit/foreign.h"

#include <errno.h>
#include <string.h>

#include "cli/lib/args.h"

/* An option of one letter: what it is to sbatch, or, with neither, nothing. */
struct letter {
    char letter;
    uint8_t need;       /* enum arg_need */
    const char *option; /* of sbatch, with the value as it is */
    int (*add)(const char *value, struct words *words, struct err *err);
};

#define LETTERS_MAX 32

PRINTF_LIKE(2, 3) static void add_word(struct words *words, const char *fmt, ...)
{
    struct strbuf word = { 0 };
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&word, fmt, args);
    va_end(args);
    *ARRAY_PUSH(words->at, words->n) = strbuf_steal(&word);
}

static int err_value(char letter, const char *value, struct err *err)
{
    return err_set(err, EINVAL, "Invalid -%c specification: %.100s", letter, value);
}

static int apply_letter(const struct letter *letter, const char *value, struct words *words,
                        struct err *err)
{
    if (letter->add)
        return letter->add(value, words, err);
    if (letter->option && value)
        add_word(words, "--%s=%s", letter->option, value);
    else if (letter->option)
        add_word(words, "--%s", letter->option);
    return 0;
}

static int translate(const struct letter *letters, uint32_t letters_n,
                     const struct directive *directive, struct words *ret_words, struct err *err)
{
    struct arg_option known[LETTERS_MAX];
    struct arg_reader reader = { .options = known,
                                 .options_n = letters_n,
                                 .argv = directive->words,
                                 .argc = (int)directive->words_n,
                                 .at = 1 };
    const char *value;
    int id, rc;

    for (uint32_t i = 0; i < letters_n; i++)
        known[i] = (struct arg_option){ NULL, letters[i].letter, letters[i].need, (int)i };
    while ((rc = arg_next(&reader, &id, &value, err)) > 0) {
        rc = apply_letter(&letters[id], value, ret_words, err);
        if (rc < 0)
            return rc;
    }
    if (rc == 0 && reader.at < reader.argc)
        rc = err_set(err, EINVAL, "Invalid argument: %.100s", reader.argv[reader.at]);
    return rc;
}

/* ---- PBS ---- */

/* Reads "3:ppn=2", "a:ppn=2+b", "3+ppn=2": numbers of nodes, or their names, and tasks on each. */
static int add_pbs_nodes(const char *value, struct words *words, struct err *err)
{
    AUTO(strbuf) struct strbuf names = { 0 };
    uint64_t nodes = 0, here = 1, tasks = 0, number;
    bool in_chunk = false;

    for (const char *at = value; *at; at += at[0] == ':' || at[0] == '+') {
        AUTO_FREE char *part = xstrndup(at, strcspn(at, ":+"));
        const char *count;

        if (number_parse(part, 1, INT32_MAX, &number, NULL) == 0) {
            here = number;
            nodes += number;
        } else if (word_starts(part, "ppn=", &count)) {
            if (number_parse(count, 1, UINT16_MAX, &number, NULL) < 0)
                return err_value('l', value, err);
            tasks += number * here;
        } else if (in_chunk) {
            add_word(words, "--constraint=%s", part);
        } else {
            here = 1;
            strbuf_addf(&names, "%s%s", names.len ? "," : "", part);
        }
        at += strlen(part);
        in_chunk = *at == ':';
    }
    if (nodes)
        add_word(words, "--nodes=%llu", (unsigned long long)nodes);
    if (names.len)
        add_word(words, "--nodelist=%s", strbuf_text(&names));
    if (tasks)
        add_word(words, "--ntasks=%llu", (unsigned long long)tasks);
    return 0;
}

/* Reads "2:ncpus=4:mem=1gb". */
static int add_pbs_select(const char *value, struct words *words, struct err *err);

static int add_pbs_gpu(const char *value, struct words *words, struct err *err)
{
    (void)err;
    if (!word_is(value, "false"))
        add_word(words, "--gres=gpu:%s", word_is(value, "true") ? "1" : value);
    return 0;
}

/* Resources with an option of sbatch; those that are not here are known to PBS only. */
static const struct {
    const char *name;
    const char *option;
    int (*add)(const char *value, struct words *words, struct err *err);
} resources[] = {
    { "accelerator", NULL, add_pbs_gpu },
    { "cput", "time", NULL },
    { "file", "tmp", NULL },
    { "mem", "mem", NULL },
    { "mppnodes", "nodelist", NULL },
    { "naccelerators", NULL, add_pbs_gpu },
    { "ncpus", "mincpus", NULL },
    { "nice", "nice", NULL },
    { "nodes", NULL, add_pbs_nodes },
    { "pcput", "time", NULL },
    { "proc", "constraint", NULL },
    { "select", NULL, add_pbs_select },
    { "walltime", "time", NULL },
};

/* Reads "mem=1gb". */
static int add_pbs_resource(const char *pair, struct words *words, struct err *err)
{
    AUTO_FREE char *name = xstrndup(pair, strcspn(pair, "="));
    const char *value = pair + strlen(name) + (pair[strlen(name)] == '=');

    for (size_t i = 0; i < ARRAY_N(resources); i++) {
        if (!word_is(name, resources[i].name))
            continue;
        if (resources[i].add)
            return resources[i].add(value, words, err);
        add_word(words, "--%s=%s", resources[i].option, value);
        break;
    }
    return 0;
}

static int add_pbs_select(const char *value, struct words *words, struct err *err)
{
    AUTO(words) struct words parts = words_split(value, ":");
    int rc = 0;

    for (uint32_t i = 0; i < parts.n && rc == 0; i++) {
        if (i == 0 && !strchr(parts.at[0], '='))
            add_word(words, "--nodes=%s", parts.at[0]);
        else
            rc = add_pbs_resource(parts.at[i], words, err);
    }
    return rc;
}

static int add_pbs_list(const char *value, struct words *words, struct err *err)
{
    AUTO(words) struct words pairs = words_split(value, ",");
    int rc = 0;

    for (uint32_t i = 0; i < pairs.n && rc == 0; i++)
        rc = add_pbs_resource(pairs.at[i], words, err);
    return rc;
}

/* Reads letters for the job's begin, end and abort; n is none of them. */
static int add_pbs_mail(const char *value, struct words *words, struct err *err)
{
    AUTO(strbuf) struct strbuf events = { 0 };

    for (const char *at = value; *at; at++) {
        const char *event = *at == 'b'   ? "BEGIN"
                            : *at == 'e' ? "END"
                            : *at == 'a' ? "FAIL"
                            : *at == 'n' ? "NONE"
                                         : NULL;

        if (!event)
            return err_value('m', value, err);
        strbuf_addf(&events, "%s%s", events.len ? "," : "", event);
    }
    add_word(words, "--mail-type=%s", strbuf_text(&events));
    return 0;
}

static int add_pbs_attribute(const char *value, struct words *words, struct err *err)
{
    const char *dependency;

    (void)err;
    if (word_starts(value, "depend=", &dependency))
        add_word(words, "--dependency=%s", dependency);
    return 0;
}

static const struct letter pbs_letters[] = {
    { 'A', ARG_REQUIRED, "account", NULL },
    { 'a', ARG_REQUIRED, "begin", NULL },
    { 'C', ARG_REQUIRED, NULL, NULL },
    { 'c', ARG_REQUIRED, NULL, NULL },
    { 'e', ARG_REQUIRED, "error", NULL },
    { 'h', ARG_NONE, "hold", NULL },
    { 'I', ARG_NONE, NULL, NULL },
    { 'J', ARG_REQUIRED, "array", NULL },
    { 'j', ARG_REQUIRED, NULL, NULL },
    { 'k', ARG_REQUIRED, NULL, NULL },
    { 'l', ARG_REQUIRED, NULL, add_pbs_list },
    { 'M', ARG_REQUIRED, "mail-user", NULL },
    { 'm', ARG_REQUIRED, NULL, add_pbs_mail },
    { 'N', ARG_REQUIRED, "job-name", NULL },
    { 'o', ARG_REQUIRED, "output", NULL },
    { 'p', ARG_REQUIRED, "nice", NULL },
    { 'q', ARG_REQUIRED, "partition", NULL },
    { 'r', ARG_REQUIRED, NULL, NULL },
    { 'S', ARG_REQUIRED, NULL, NULL },
    { 't', ARG_REQUIRED, "array", NULL },
    { 'u', ARG_REQUIRED, NULL, NULL },
    { 'V', ARG_NONE, NULL, NULL },
    { 'v', ARG_REQUIRED, "export", NULL },
    { 'W', ARG_REQUIRED, NULL, add_pbs_attribute },
    { 'z', ARG_NONE, NULL, NULL },
};

static int translate_pbs(const struct directive *directive, struct words *ret_words,
                         struct err *err)
{
    return translate(pbs_letters, ARRAY_N(pbs_letters), directive, ret_words, err);
}

/* ---- LSF ---- */

/* Reads "4" or "4,8": as many as it may be. */
static int add_lsf_tasks(const char *value, struct words *words, struct err *err)
{
    const char *comma = strrchr(value, ',');

    (void)err;
    add_word(words, "--ntasks=%s", comma ? comma + 1 : value);
    return 0;
}

/* Reads minutes, or hours and minutes. */
static int add_lsf_time(const char *value, struct words *words, struct err *err)
{
    (void)err;
    add_word(words, "--time=%s%s", value, strchr(value, ':') ? ":00" : "");
    return 0;
}

/* Reads kilobytes for each task. */
static int add_lsf_memory(const char *value, struct words *words, struct err *err)
{
    uint64_t kb;

    if (number_parse(value, 1, UINT32_MAX, &kb, NULL) < 0)
        return err_value('M', value, err);
    add_word(words, "--mem-per-cpu=%llu", (unsigned long long)(kb + 1023) / 1024);
    return 0;
}

/* Reads names between blanks. */
static int add_lsf_hosts(const char *value, struct words *words, struct err *err)
{
    AUTO(words) struct words hosts = words_split(value, " ");
    AUTO(strbuf) struct strbuf list = { 0 };

    (void)err;
    for (uint32_t i = 0; i < hosts.n; i++)
        strbuf_addf(&list, "%s%s", i ? "," : "", hosts.at[i]);
    add_word(words, "--nodelist=%s", strbuf_text(&list));
    return 0;
}

static const struct letter lsf_letters[] = {
    { 'c', ARG_REQUIRED, "chdir", NULL },       { 'e', ARG_REQUIRED, "error", NULL },
    { 'J', ARG_REQUIRED, "job-name", NULL },    { 'M', ARG_REQUIRED, NULL, add_lsf_memory },
    { 'm', ARG_REQUIRED, NULL, add_lsf_hosts }, { 'n', ARG_REQUIRED, NULL, add_lsf_tasks },
    { 'o', ARG_REQUIRED, "output", NULL },      { 'q', ARG_REQUIRED, "partition", NULL },
    { 'W', ARG_REQUIRED, NULL, add_lsf_time },  { 'x', ARG_NONE, "exclusive", NULL },
};

static int translate_lsf(const struct directive *directive, struct words *ret_words,
                         struct err *err)
{
    return translate(lsf_letters, ARRAY_N(lsf_letters), directive, ret_words, err);
}

/* Systems in the order in which Slurm reads them: a later one overrides. */
const struct foreign_system foreign_systems[] = {
    { "#PBS", translate_pbs },
    { "#BSUB", translate_lsf },
};

const uint32_t foreign_systems_n = ARRAY_N(foreign_systems);

_Static_assert(ARRAY_N(pbs_letters) <= LETTERS_MAX, "known is too short");
