#include "common/text/cpubind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/alloc.h"
#include "common/text/bindlist.h"
#include "common/text/words.h"

static const struct {
    const char *word; /* a ":" at its end is followed by a list */
    const char *brief;
    enum cpu_bind_kind kind;
    bool hexadecimal;
} kinds[] = {
    { "none", "no", CPU_BIND_NONE, false },
    { "rank", NULL, CPU_BIND_RANK, false },
    { "map_cpu:", NULL, CPU_BIND_MAP, false },
    { "mask_cpu:", NULL, CPU_BIND_MASK, true },
    { "rank_ldom", NULL, CPU_BIND_RANK_LDOM, false },
    { "map_ldom:", NULL, CPU_BIND_MAP_LDOM, false },
    { "mask_ldom:", NULL, CPU_BIND_MASK_LDOM, true },
    { "sockets", "socket", CPU_BIND_SOCKETS, false },
    { "cores", "core", CPU_BIND_CORES, false },
    { "threads", "thread", CPU_BIND_THREADS, false },
    { "ldoms", "ldom", CPU_BIND_LDOMS, false },
};

void cpu_bind_clear(struct cpu_bind *bind)
{
    free(bind->list);
    *bind = (struct cpu_bind){ 0 };
}

void cpu_bind_auto_(struct cpu_bind *bind)
{
    cpu_bind_clear(bind);
}

const char *cpu_bind_word(enum cpu_bind_kind kind)
{
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (kinds[i].kind == kind)
            return kinds[i].word;
    }
    return "";
}

/* ---- words ---- */

/* Returns true for "map_cpu" and "map_cpu:", which lack their list. */
static bool is_without_list(const char *word, const char *kind)
{
    const size_t n = strlen(kind) - 1;

    return strncasecmp(word, kind, n) == 0 && (!word[n] || (word[n] == ':' && !word[n + 1]));
}

/* Takes one word from *at, or a list that reaches to the end of the text. */
static int read_kind(struct cpu_bind *bind, const char **at, size_t word_n, struct err *err)
{
    AUTO_FREE char *word = xstrndup(*at, word_n);
    AUTO(strbuf) struct strbuf list = { 0 };
    const char *rest;

    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        const bool has_list = kinds[i].word[strlen(kinds[i].word) - 1] == ':';

        if (!has_list && !word_is(word, kinds[i].word) && !word_is(word, kinds[i].brief))
            continue;
        if (has_list && is_without_list(word, kinds[i].word))
            return err_set(err, EINVAL, "missing list for \"--cpu-bind=%s<list>\"", kinds[i].word);
        if (has_list && !word_starts(*at, kinds[i].word, &rest))
            continue;
        if (has_list && bind_list_read(rest, kinds[i].hexadecimal, "--cpu-bind", &list, err) < 0)
            return -EINVAL;
        bind->kind = kinds[i].kind;
        xstrset(&bind->list, has_list ? strbuf_text(&list) : NULL);
        *at += has_list ? strlen(*at) : word_n;
        return 0;
    }
    return err_set(err, EINVAL, "unrecognized --cpu-bind argument \"%.100s\"", word);
}

static int read_word(struct cpu_bind *bind, const char **at, struct err *err)
{
    const size_t n = strcspn(*at, ",");
    AUTO_FREE char *word = xstrndup(*at, n);
    const bool verbose = word_is(word, "verbose") || word_is(word, "v");

    if (!verbose && !word_is(word, "quiet") && !word_is(word, "q"))
        return read_kind(bind, at, n, err);
    bind->verbose = verbose;
    *at += n;
    return 0;
}

int cpu_bind_add(struct cpu_bind *bind, const char *text, struct err *err)
{
    struct cpu_bind said = { bind->kind, bind->verbose, NULL };
    int rc = 0;

    if (!*text)
        return err_set(err, EINVAL, "unrecognized --cpu-bind argument \"\"");
    if (bind->list)
        said.list = xstrdup(bind->list);
    for (const char *at = text; *at && rc == 0; at += *at == ',')
        rc = read_word(&said, &at, err);
    if (rc < 0) {
        cpu_bind_clear(&said);
        return rc;
    }
    cpu_bind_clear(bind);
    *bind = said;
    return 0;
}

void cpu_bind_format(const struct cpu_bind *bind, struct strbuf *out)
{
    strbuf_adds(out, bind->verbose ? "verbose" : "quiet");
    if (bind->kind != CPU_BIND_UNSAID)
        strbuf_addf(out, ",%s%s", cpu_bind_word(bind->kind), bind->list ? bind->list : "");
}
