/*
 * document_fields.h - short words for the rows of document tables (document.h).
 *
 * The second argument is what report_column begins with: a path, or a function.
 */
#pragma once

#include "cli/lib/document.h"

/* clang-format off */
#define TEXT(k, ...)    { k, DOCUMENT_TEXT, 0, { __VA_ARGS__ }, NULL }
#define WORDS(k, ...)   { k, DOCUMENT_WORDS, 0, { __VA_ARGS__ }, NULL }
#define PLAIN(k, ...)   { k, DOCUMENT_PLAIN, 0, { __VA_ARGS__ }, NULL }
#define BOOL(k, ...)    { k, DOCUMENT_BOOL, 0, { __VA_ARGS__ }, NULL }
#define NUMBER(k, ...)  { k, DOCUMENT_NUMBER, 0, { __VA_ARGS__ }, NULL }
#define MINUTES(k, ...) { k, DOCUMENT_NUMBER, 60, { __VA_ARGS__ }, NULL }
#define MADE(k, f)      { k, DOCUMENT_TEXT, 0, { 0 }, f }

/* Members that no record has. */
#define NO_TEXT(k)      TEXT(k, .letter = 0)
#define NO_NUMBER(k)    NUMBER(k, .letter = 0)
#define NO_WORDS(k)     WORDS(k, .letter = 0)
#define NEVER(k)        NUMBER(k, .kind = KIND_TIME) /* a moment that does not come */
#define ZERO(k)         PLAIN(k, .letter = 0)
/* clang-format on */
