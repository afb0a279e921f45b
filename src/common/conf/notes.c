#include "common/conf/notes.h"

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
