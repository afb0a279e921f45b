#include "common/conf/notes.h"

#include <stdio.h>
#include <string.h>

void conf_notes_add(struct conf_notes *notes, enum conf_note_kind kind, struct conf_at at,
                    const char *fmt, ...)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    va_list args;

    if (!notes)
        return;
    if (notes->notes_n == CONF_NOTES_MAX) {
        notes->left_off++;
        return;
    }
    va_start(args, fmt);
    strbuf_vaddf(&text, fmt, args);
    va_end(args);
    *ARRAY_PUSH(notes->notes, notes->notes_n) = (struct conf_note){
        .kind = kind,
        .file = xstrdup(at.file),
        .line = at.line,
        .column = at.column,
        .text = strbuf_steal(&text),
    };
}

/*
 * Returns the text behind "FILE:LINE:COLUMN: ", and that place; without a place, all of the text.
 */
static const char *split_place(const char *text, struct conf_at *at, char **ret_file)
{
    unsigned line, column;
    int n = 0;

    for (const char *colon = strchr(text, ':'); colon && colon[1] != ' ';
         colon = strchr(colon + 1, ':')) {
        if (sscanf(colon, ":%u:%u: %n", &line, &column, &n) != 2 || !n)
            continue;
        *ret_file = xasprintf("%.*s", (int)(colon - text), text);
        *at = (struct conf_at){ *ret_file, line, column };
        return colon + n;
    }
    return text;
}

int conf_notes_go_on(struct conf_notes *notes, int rc, struct conf_at at, const struct err *err)
{
    AUTO_FREE char *file = NULL;
    const char *text;

    if (!notes || !notes->goes_on)
        return rc;
    text = split_place(err->text, &at, &file);
    conf_notes_add(notes, CONF_NOTE_WRONG, at, "%s", text);
    return 0;
}

struct order {
    char *const *files;
    uint32_t files_n;
};

static uint32_t rank_of(const struct order *order, const char *file)
{
    uint32_t i = 0;

    while (i < order->files_n && strcmp(order->files[i], file) != 0)
        i++;
    return i;
}

static int compare(const void *a, const void *b, void *ctx)
{
    const struct conf_note *one = a, *other = b;
    uint32_t rank = rank_of(ctx, one->file), other_rank = rank_of(ctx, other->file);
    int by_file = strcmp(one->file, other->file);

    if (rank != other_rank)
        return rank < other_rank ? -1 : 1;
    if (by_file)
        return by_file;
    if (one->line != other->line)
        return one->line < other->line ? -1 : 1;
    if (one->column != other->column)
        return one->column < other->column ? -1 : 1;
    return strcmp(one->text, other->text);
}

void conf_notes_sort(struct conf_notes *notes, char *const *files, uint32_t files_n)
{
    struct order order = { files, files_n };
    uint32_t kept = 0;

    if (notes->notes_n)
        qsort_r(notes->notes, notes->notes_n, sizeof(*notes->notes), compare, &order);
    for (uint32_t i = 0; i < notes->notes_n; i++) {
        if (kept && compare(&notes->notes[kept - 1], &notes->notes[i], &order) == 0) {
            free(notes->notes[i].file);
            free(notes->notes[i].text);
        } else {
            notes->notes[kept++] = notes->notes[i];
        }
    }
    notes->notes_n = kept;
}

char *conf_note_format(const struct conf_note *note)
{
    return xasprintf("%s:%u:%u: %s", note->file, note->line, note->column, note->text);
}

void conf_notes_clear(struct conf_notes *notes)
{
    for (uint32_t i = 0; i < notes->notes_n; i++) {
        free(notes->notes[i].file);
        free(notes->notes[i].text);
    }
    free(notes->notes);
    *notes = (struct conf_notes){ 0 };
}

void conf_notes_auto_(struct conf_notes *notes)
{
    conf_notes_clear(notes);
}
