/*
 * help_text.h - what a program prints for --help, taken apart.
 *
 * The program makes that text from its own tables, so the manual says what the program does. Lines
 * look alike everywhere: two or more blanks, what is typed, two or more blanks, what it means; a
 * long text goes on in lines that are indented further.
 */
#pragma once

#include "common/base/strbuf.h"

/* Runs the command and takes what it prints; fails when that is nothing. */
int help_text_read(const char *command, struct strbuf *out, struct err *err);

/* Runs for each entry: what is typed, as "-a, --all=VALUE", and what it means. */
typedef void help_entry_fn(const char *typed, const char *meaning, void *ctx);

/* Each option: an entry. */
void help_text_options(const char *text, help_entry_fn *fn, void *ctx);

/* Each line of the part that begins with a line that begins so: an entry. */
void help_text_section(const char *text, const char *begins, help_entry_fn *fn, void *ctx);

/* Verbs, each with its arguments in a line and what it does in the next. */
void help_text_verbs(const char *text, help_entry_fn *fn, void *ctx);
