#include "roff.h"

#include <stdbool.h>
#include <string.h>

static void add_char(struct strbuf *out, char c)
{
    switch (c) {
    case '\\':
        strbuf_adds(out, "\\e");
        break;
    case '~':
        strbuf_adds(out, "\\(ti");
        break;
    case '^':
        strbuf_adds(out, "\\(ha");
        break;
    case '\'':
        strbuf_adds(out, "\\(aq");
        break;
    default:
        strbuf_addc(out, c);
    }
}

void roff_text(struct strbuf *out, const char *text)
{
    for (const char *at = text; *at; at++) {
        const bool begins_word = at == text || strchr(" (\"", at[-1]);

        if (at == text && *at == '.')
            strbuf_adds(out, "\\&");
        if (*at == '-' && (begins_word || at[-1] == '-'))
            strbuf_adds(out, "\\-");
        else
            add_char(out, *at);
    }
}

void roff_font(struct strbuf *out, char font, const char *text)
{
    strbuf_addf(out, "\\f%c", font);
    for (; *text; text++) {
        if (*text == '-')
            strbuf_adds(out, "\\-");
        else
            add_char(out, *text);
    }
    strbuf_adds(out, "\\fR");
}

/* "--name=VALUE", "--name[=VALUE]", "-f FILE", "verb ARGUMENT...": the name, then the rest. */
static void add_part(struct strbuf *out, const char *part, size_t n)
{
    const size_t name_n = strcspn(part, "=[ ");
    AUTO_FREE char *name = xstrndup(part, name_n < n ? name_n : n);
    AUTO_FREE char *rest = xstrndup(part + strlen(name), n - strlen(name));
    const size_t lead = strspn(rest, "[= ");
    AUTO_FREE char *before = xstrndup(rest, lead);

    roff_font(out, 'B', name);
    strbuf_adds(out, before);
    if (rest[lead])
        roff_font(out, 'I', rest + lead);
}

void roff_item(struct strbuf *out, const char *spec, const char *text)
{
    strbuf_adds(out, ".TP\n");
    for (const char *at = spec; *at;) {
        const char *next = strstr(at, ", -");
        const size_t n = next ? (size_t)(next - at) : strlen(at);

        add_part(out, at, n);
        at += n;
        if (next) {
            strbuf_adds(out, ", ");
            at += 2;
        }
    }
    strbuf_addc(out, '\n');
    roff_text(out, *text ? text : "\\&");
    strbuf_addc(out, '\n');
}

void roff_names(struct strbuf *out, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        strbuf_adds(out, i ? ",\n" : "");
        roff_font(out, 'B', names[i]);
    }
    strbuf_adds(out, n ? ".\n" : "none.\n");
}
