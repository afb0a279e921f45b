#include "common/text/membind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/text/bindlist.h"
#include "common/text/words.h"

static const struct {
    const char *word, *brief;
    enum mem_bind_kind kind;
} kinds[] = {
    { "none", "no", MEM_BIND_NONE },      { "rank", NULL, MEM_BIND_RANK },
    { "local", NULL, MEM_BIND_LOCAL },    { "map_mem:", NULL, MEM_BIND_MAP },
    { "mask_mem:", NULL, MEM_BIND_MASK },
};

void mem_bind_clear(struct mem_bind *bind)
{
    free(bind->list);
    *bind = (struct mem_bind){ 0 };
}

void mem_bind_auto_(struct mem_bind *bind)
{
    mem_bind_clear(bind);
}

bool mem_bind_says_nothing(const struct mem_bind *bind)
{
    return bind->kind == MEM_BIND_UNSAID && !bind->verbose && !bind->prefer && !bind->sort;
}

const char *mem_bind_word(enum mem_bind_kind kind)
{
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (kinds[i].kind == kind)
            return kinds[i].word;
    }
    return "";
}

static bool read_flag(struct mem_bind *bind, const char *word)
{
    if (word_is(word, "verbose") || word_is(word, "v"))
        bind->verbose = true;
    else if (word_is(word, "quiet") || word_is(word, "q"))
        bind->verbose = false;
    else if (word_is(word, "prefer") || word_is(word, "p"))
        bind->prefer = true;
    else if (word_is(word, "sort"))
        bind->sort = true;
    else if (word_is(word, "nosort"))
        bind->sort = false;
    else
        return false;
    return true;
}

/* Reads a list, which reaches to the end of the text. */
static int read_list(struct mem_bind *bind, enum mem_bind_kind kind, const char *text,
                     struct err *err)
{
    AUTO(strbuf) struct strbuf list = { 0 };

    if (!*text)
        return err_set(err, EINVAL, "missing list for \"--mem-bind=%s<list>\"",
                       mem_bind_word(kind));
    if (bind_list_read(text, kind == MEM_BIND_MASK, "--mem-bind", &list, err) < 0)
        return -EINVAL;
    bind->kind = kind;
    xstrset(&bind->list, strbuf_text(&list));
    return 0;
}

/* Takes one word from *at, or a list that reaches to the end of the text. */
static int read_word(struct mem_bind *bind, const char **at, const char *text, struct err *err)
{
    const size_t n = strcspn(*at, ",");
    AUTO_FREE char *word = xstrndup(*at, n);
    const char *rest = *at;

    *at += n;
    if (read_flag(bind, word))
        return 0;
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if ((kinds[i].kind == MEM_BIND_MAP || kinds[i].kind == MEM_BIND_MASK) &&
            word_starts(rest, kinds[i].word, &rest)) {
            *at = rest + strlen(rest);
            return read_list(bind, kinds[i].kind, rest, err);
        }
        if (word_is(word, kinds[i].word) || word_is(word, kinds[i].brief)) {
            bind->kind = kinds[i].kind;
            xstrset(&bind->list, NULL);
            return 0;
        }
    }
    return err_set(err, EINVAL, "unrecognized --mem-bind argument \"%.100s\"", text);
}

int mem_bind_add(struct mem_bind *bind, const char *text, struct err *err)
{
    struct mem_bind said = *bind;
    int rc = 0;

    said.list = xstrdup(bind->list);
    for (const char *at = text; *at && rc == 0; at += *at == ',')
        rc = read_word(&said, &at, text, err);
    if (rc < 0) {
        mem_bind_clear(&said);
        return rc;
    }
    mem_bind_clear(bind);
    *bind = said;
    return 0;
}

void mem_bind_format(const struct mem_bind *bind, struct strbuf *out)
{
    strbuf_adds(out, bind->verbose ? "verbose" : "quiet");
    if (bind->prefer)
        strbuf_adds(out, ",prefer");
    if (bind->kind != MEM_BIND_UNSAID)
        strbuf_addf(out, ",%s%s", mem_bind_word(bind->kind), bind->list ? bind->list : "");
}
