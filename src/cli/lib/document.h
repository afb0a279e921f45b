/*
 * document.h - records as JSON or YAML, in the shapes of Slurm's data parsers v0.0.42 and v0.0.43.
 *
 * A kind of record has one table: a row for each member, in Slurm's order, that says where its
 * value comes from (as report_column does) and which shape it takes. The document is written record
 * by record, as records come.
 */
#pragma once

#include "cli/lib/command.h"
#include "common/json/writer.h"
#include "common/report/column.h"

enum document_shape {
    DOCUMENT_TEXT,   /* a text that is not given is "" */
    DOCUMENT_PLAIN,  /* a number; 0 when not given */
    DOCUMENT_NUMBER, /* { "set", "infinite", "number" } */
    DOCUMENT_BOOL,
    DOCUMENT_WORDS, /* an array, of a text's parts between commas */
};

/* Writes the one member `key`. */
typedef void document_make_fn(const struct report_context *ctx, const void *row,
                              struct json_writer *json, const char *key);

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

struct document_step; /* how a member follows the one before it */

/* A table, looked up once for many rows: `AUTO(document_kind) struct document_kind kind;` */
struct document_kind {
    const struct document_table *table;
    struct report_path *paths;
    struct document_step *steps;
};

/* Fails with EINVAL for a path that leads nowhere. */
int document_kind_init(struct document_kind *kind, const struct document_table *table,
                       struct err *err);
void document_kind_auto_(struct document_kind *kind);

/* Writes the row as an object, the member `key`. */
void document_record(const struct document_kind *kind, const struct report_context *ctx,
                     const void *row, struct json_writer *json, const char *key);

/* Writes { "set": true, "infinite": false, "number": 5 }. */
void document_number(struct json_writer *json, const char *key, bool is_set, bool is_infinite,
                     int64_t number);

/* Writes an array like [ "a", "b" ] of the text's words between characters of `between`. */
void document_words(struct json_writer *json, const char *key, const char *text,
                    const char *between);

/* Writes [ "a" ], or [] for NULL. */
void document_word(struct json_writer *json, const char *key, const char *word);

/* Writes { "status": [ "ERROR" ], "return_code", "signal" } of a wait status. */
void document_exit(struct json_writer *json, const char *key, bool is_pending, int32_t status);

/* Writes the name of a user, or the number of one without a name; "" for COUNT_UNSET. */
void document_user(struct json_writer *json, const char *key, uint32_t uid);

/* Values of --json and --yaml ("" or a version of the data parser), $SLURM_JSON and $SLURM_YAML. */
struct document_options {
    const char *json, *yaml;           /* NULL: not given */
    const char *json_form, *yaml_form; /* "compact": in one line; else, or NULL: indented */
};

/* Parts of a table of options (flags.h) for --json and --yaml; they need the member `document`. */
#define DOCUMENT_JSON_HELP                                                                         \
    "output as JSON, of data parser v0.0.42 or v0.0.43; list: which there are"
#define DOCUMENT_VARIABLES(struct_of_options)                                                      \
    { NULL,                                                                                        \
      0,                                                                                           \
      FLAG_VARIABLE,                                                                               \
      offsetof(struct_of_options, document.json_form),                                             \
      NULL,                                                                                        \
      "SLURM_JSON",                                                                                \
      "compact: JSON in one line; pretty: indented" },                                             \
    {                                                                                              \
        NULL, 0, FLAG_VARIABLE, offsetof(struct_of_options, document.yaml_form), NULL,             \
            "SLURM_YAML", "the same for YAML"                                                      \
    }

static inline bool document_is_wanted(const struct document_options *options)
{
    return options->json || options->yaml;
}

/*
 * Checks what stands behind --json=. Returns -1 to go on, else what to exit with: "list" was
 * answered, or the version does not exist, which is said on stderr.
 */
int document_check(const struct command *command, const char *version);

/*
 * A document that is written on stdout. The caller sets the first three members; after
 * document_begin, records are written with `json`.
 */
struct document {
    const struct command *command; /* borrowed, with its conf; as are the next ones */
    const struct document_options *options;
    char *const *words; /* what was called: "show", "jobs" */
    int words_n;
    struct json_writer json;
    struct strbuf text; /* not on stdout yet */
};

/* Opens the outermost object. */
void document_begin(struct document *document);

/* Writes what every document says of itself, closes the outermost object, and frees the memory. */
void document_end(struct document *document);

/* Begins a document around a list of records; `list` is the member that holds them: "jobs". */
void document_begin_list(struct document *document, const char *list);

/* Ends list and document; "last_update" is `updated`, the controller's time of the records. */
void document_end_list(struct document *document, int64_t updated);

/* Adds a record to the list. */
void document_add(struct document *document, const struct document_kind *kind,
                  const struct report_context *ctx, const void *row);

/* Writes text that has become long to stdout; call it between records. Fails as writing does. */
int document_flush(struct document *document, struct err *err);
