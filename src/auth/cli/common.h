/*
 * common.h - what munge, unmunge and remunge share: bounded input, output files, users and groups
 * by name.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "auth/cred/names.h"
#include "common/authc/authc.h"
#include "common/base/strbuf.h"

/* Reads all of the file, or of stdin for NULL and "-"; refuses more than `limit` bytes. */
int cli_read(const char *path, size_t limit, struct strbuf *ret, struct err *err);

/* Creates the file with mode 0600; NULL and "-" are stdout. */
int cli_open_output(const char *path, FILE **ret, struct err *err);
int cli_close_output(FILE *file, const char *path, struct err *err);

/* Reads a user's name or number. */
int cli_parse_user(const char *text, uid_t *ret, struct err *err);
int cli_parse_group(const char *text, gid_t *ret, struct err *err);

/* Rows of the options -c, -m and -z, and of those that list the names these take. */
#define CLI_CODE_ROWS                                                                              \
    { "cipher", 'c', "TYPE", "cipher, by name or number" },                                        \
        { "list-ciphers", 'C', NULL, "list the ciphers" },                                         \
        { "mac", 'm', "TYPE", "message authentication code" },                                     \
        { "list-macs", 'M', NULL, "list the codes" }, { "zip", 'z', "TYPE", "compression" },       \
    {                                                                                              \
        "list-zips", 'Z', NULL, "list the compressions"                                            \
    }

/* Takes what option -c, -m, -z, -u, -g or -t says of the credential to make. */
int cli_take_what(struct authc_what *what, int letter, const char *value, struct err *err);

/* Print what --version and --license say. */
void cli_print_version(const char *program);
void cli_print_license(void);

/* Prints the text that option -L, -V, -C, -M or -Z asks for; returns false for any other letter. */
bool cli_print_asked(const char *program, int letter);

/* Prints "munge: Error: text" on stderr. */
void cli_complain(const char *program, const struct err *err);
