/*
 * document.h - records as JSON or YAML, in the shapes of Slurm's data parser v0.0.42.
 *
 * A kind of record has one table: a row for each member, in Slurm's order, that says where its
 * value comes from (as report_column does) and which shape it takes. The document is written record
 * by record, as records come.
 */
#pragma once

#include "cli/lib/command.h"
#include "common/json/json.h"
#include "common/report/column.h"

enum document_shape {
    DOCUMENT_TEXT,   /* a text that is not given is "" */
    DOCUMENT_PLAIN,  /* a number; 0 when not given */
    DOCUMENT_NUMBER, /* { "set", "infinite", "number" } */
    DOCUMENT_BOOL,
    DOCUMENT_WORDS, /* an array, of a text's parts between commas */
};

typedef struct json *document_make_fn(const struct report_context *ctx, const void *row);

struct document_field {
    const char *key; /* "exit_code.status": a dot leads into an object */
    enum document_shape shape;
    uint32_t unit; /* what the number is divided by, rounding up: 60 for minutes; 0: as it is */
    struct report_column value; /* its path or function; none: never given */
    document_make_fn *make;     /* in place of the above, a value of any shape */
};

struct document_table {
    const struct report_root *roots;
    uint32_t roots_n;
    const struct document_field *fields;
    uint32_t fields_n;
};

/* A table, its paths looked up: `AUTO(document_kind) struct document_kind kind;` */
struct document_kind {
    const struct document_table *table;
    struct report_path *paths;
};

/* Fails with EINVAL for a path that leads nowhere. */
int document_kind_init(struct document_kind *kind, const struct document_table *table,
                       struct err *err);
void document_kind_auto_(struct document_kind *kind);

struct json *document_record(const struct document_kind *kind, const struct report_context *ctx,
                             const void *row);

/* { "set": true, "infinite": false, "number": 5 } */
struct json *document_number(bool is_set, bool is_infinite, int64_t number);

/* [ "a", "b" ]: what stands in the text between the characters of `between`. */
struct json *document_words(const char *text, const char *between);

/* --json and --yaml, each "" or a version of the data parser. */
struct document_options {
    const char *json, *yaml; /* NULL: not given */
};

static inline bool document_is_wanted(const struct document_options *options)
{
    return options->json || options->yaml;
}

/* Says on stderr which version is not there. Returns 0, or what to exit with. */
int document_check(const struct command *command, const struct document_options *options);

/* A document being written on stdout. */
struct document {
    const struct command *command; /* borrowed, with its conf; as are the next two */
    const struct document_options *options;
    const char *words; /* of the command line behind the program's name: "show jobs" */
    uint32_t records_n;
};

/* A whole document that is one value, taken over, and what every document says of itself. */
void document_print(const struct document *document, const char *member, struct json *value);

/* `list` is the member that holds the records: "jobs". */
void document_begin(const struct document *document, const char *list);
void document_add(struct document *document, struct json *record); /* takes the record */

/* `updated` is the controller's time of the records: "last_update". */
void document_end(const struct document *document, int64_t updated);
