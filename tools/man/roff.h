/* roff.h - text as the manual macros (man(7)) want it. Appends to `out`. */
#pragma once

#include "common/base/strbuf.h"

/* Plain words: nothing in them is taken for a request or an escape. */
void roff_text(struct strbuf *out, const char *text);

/* The same in a font: 'B' or 'I'. Every hyphen stays one that can be copied. */
void roff_font(struct strbuf *out, char font, const char *text);

/* An entry of a list: "-a, --all=VALUE" in its fonts, and what is said about it. */
void roff_item(struct strbuf *out, const char *spec, const char *text);

/* "a, b, c." in bold. */
void roff_names(struct strbuf *out, const char *const *names, size_t n);
