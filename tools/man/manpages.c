/*
 * manpages TEMPLATE OUTPUT PROGRAMS-DIR: makes a manual page.
 *
 * A template is a page in man(7) macros. A line "@WORD ARGUMENT..." becomes what the programs'
 * own tables say, so that a page cannot tell of an option or key that is not there, or forget one:
 *
 *     @options COMMAND...     options that "COMMAND... --help" lists; the command is run
 *     @section HEAD in COMMAND...     the part of that text under the line that begins with HEAD
 *     @verbs COMMAND...       verbs, each with a line of its own
 *     @variables | @noted | @silent | @refused COMMAND      of sbatch, srun, salloc (tables.h)
 *     @letters | @names TABLE     columns
 *     @keys | @keys-idle | @keys-replaced | @keys-removed TABLE
 *     @include FILE     a part that several pages have, beside the template
 *
 * What keys mean stands beside the template, in TEMPLATE without its ".in" and with ".keys".
 */
#include <stdio.h>
#include <string.h>

#include "common/base/alloc.h"
#include "help_text.h"
#include "roff.h"
#include "tables.h"

struct page {
    const char *template, *programs;
    struct strbuf out;
};

static int read_file(const char *path, struct strbuf *out, struct err *err)
{
    FILE *in = fopen(path, "r");
    size_t n = 1;

    if (!in)
        return err_set(err, errno, "cannot open %s: %s", path, strerror(errno));
    while (n > 0) {
        n = fread(strbuf_reserve(out, 4096), 1, 4096, in);
        strbuf_grown(out, n);
    }
    fclose(in);
    return 0;
}

static int read_help(const struct page *page, const char *command, struct strbuf *out,
                     struct err *err)
{
    AUTO_FREE char *line = xasprintf("'%s'/%s", page->programs, command);

    return help_text_read(line, out, err);
}

static void put_item(const char *typed, const char *meaning, void *ctx)
{
    struct page *page = ctx;

    roff_item(&page->out, typed, meaning);
}

static int put_options(struct page *page, const char *command, struct err *err)
{
    AUTO(strbuf) struct strbuf help = { 0 };
    int rc = read_help(page, command, &help, err);

    if (rc == 0)
        help_text_options(strbuf_text(&help), put_item, page);
    return rc;
}

static int put_section(struct page *page, const char *words, struct err *err)
{
    AUTO(strbuf) struct strbuf help = { 0 };
    const char *in = strstr(words, " in ");
    AUTO_FREE char *head = xstrndup(words, in ? (size_t)(in - words) : 0);
    int rc =
        in ? read_help(page, in + 4, &help, err) : err_set(err, EINVAL, "no 'in' in a section");

    if (rc == 0)
        help_text_section(strbuf_text(&help), head, put_item, page);
    return rc;
}

static int put_verbs(struct page *page, const char *command, struct err *err)
{
    AUTO(strbuf) struct strbuf help = { 0 };
    int rc = read_help(page, command, &help, err);

    if (rc == 0)
        help_text_verbs(strbuf_text(&help), put_item, page);
    return rc;
}

static int put_keys(struct page *page, const char *table, struct err *err)
{
    AUTO_FREE char *path =
        xasprintf("%.*s.keys", (int)(strlen(page->template) - strlen(".in")), page->template);
    AUTO(strbuf) struct strbuf notes = { 0 };
    int rc = read_file(path, &notes, err);

    return rc < 0 ? rc : tables_keys(table, strbuf_text(&notes), &page->out, err);
}

static int put_table(struct page *page, const char *word, const char *argument, struct err *err)
{
    static const struct {
        const char *word;
        int (*put)(const char *argument, struct strbuf *out, struct err *err);
    } tables[] = {
        { "variables", tables_variables },
        { "noted", tables_noted },
        { "silent", tables_silent },
        { "refused", tables_refused },
        { "letters", tables_letters },
        { "names", tables_names },
        { "keys-idle", tables_keys_idle },
        { "keys-replaced", tables_keys_replaced },
        { "keys-removed", tables_keys_removed },
    };

    for (size_t i = 0; i < ARRAY_N(tables); i++) {
        if (strcmp(tables[i].word, word) == 0)
            return tables[i].put(argument, &page->out, err);
    }
    return err_set(err, EINVAL, "'@%s' means nothing", word);
}

static int expand(struct page *page, const char *text, struct err *err);

static int put_include(struct page *page, const char *file, struct err *err)
{
    const char *name = strrchr(page->template, '/');
    AUTO_FREE char *path = xasprintf("%.*s/%s", name ? (int)(name - page->template) : 1,
                                     name ? page->template : ".", file);
    AUTO(strbuf) struct strbuf text = { 0 };
    int rc = read_file(path, &text, err);

    return rc < 0 ? rc : expand(page, strbuf_text(&text), err);
}

static int put_word(struct page *page, const char *word, const char *argument, struct err *err)
{
    static const struct {
        const char *word;
        int (*put)(struct page *page, const char *argument, struct err *err);
    } rows[] = {
        { "options", put_options }, { "section", put_section }, { "verbs", put_verbs },
        { "keys", put_keys },       { "include", put_include },
    };

    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (strcmp(rows[i].word, word) == 0)
            return rows[i].put(page, argument, err);
    }
    return put_table(page, word, argument, err);
}

/* "WORD ARGUMENT...", without the @. Something has to come of it. */
static int put(struct page *page, const char *line, struct err *err)
{
    AUTO_FREE char *word = xstrndup(line, strcspn(line, " "));
    const char *argument = line + strlen(word) + (line[strlen(word)] == ' ');
    const size_t before = page->out.len;
    int rc = put_word(page, word, argument, err);

    if (rc == 0 && page->out.len == before)
        rc = err_set(err, EINVAL, "nothing comes of '@%s'", line);
    return rc;
}

static int expand(struct page *page, const char *text, struct err *err)
{
    int rc = 0;

    while (*text && rc == 0) {
        AUTO_FREE char *line = xstrndup(text, strcspn(text, "\n"));

        text += strlen(line) + (text[strlen(line)] == '\n');
        if (*line == '@')
            rc = put(page, line + 1, err);
        else
            strbuf_addf(&page->out, "%s\n", line);
    }
    return rc;
}

static int write_file(const char *path, const struct strbuf *text, struct err *err)
{
    FILE *out = fopen(path, "w");

    if (!out || fwrite(text->data, 1, text->len, out) != text->len || fclose(out) != 0)
        return err_set(err, errno, "cannot write %s: %s", path, strerror(errno));
    return 0;
}

int main(int argc, char **argv)
{
    AUTO(strbuf) struct strbuf template = { 0 };
    struct err err = { 0 };
    struct page page = { 0 };
    int rc;

    if (argc != 4) {
        fprintf(stderr, "usage: manpages TEMPLATE OUTPUT PROGRAMS-DIR\n");
        return 2;
    }
    page.template = argv[1];
    page.programs = argv[3];
    rc = read_file(argv[1], &template, &err);
    if (rc == 0)
        rc = expand(&page, strbuf_text(&template), &err);
    if (rc == 0)
        rc = write_file(argv[2], &page.out, &err);
    if (rc < 0)
        fprintf(stderr, "manpages: %s: %s\n", argv[1], err.text);
    strbuf_clear(&page.out);
    return rc < 0;
}
