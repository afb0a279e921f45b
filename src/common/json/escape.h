/*
 * escape.h - any bytes as a text in double quotes that JSON and YAML read alike. Pure.
 */
#pragma once

#include "common/base/strbuf.h"

/*
 * Appends the text with its quotes. Quotes, backslashes and what is not printable in YAML 1.2
 * (5.1: the control characters, U+FFFE and U+FFFF) are escaped; a byte that is not UTF-8 becomes
 * U+FFFD.
 */
void json_escape(const char *text, struct strbuf *out);
