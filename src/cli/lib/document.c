#include "cli/lib/document.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/version.h"
#include "common/text/words.h"

#define PARSER "v0.0.42"

/* ---- records ---- */

int document_kind_init(struct document_kind *kind, const struct document_table *table,
                       struct err *err)
{
    const struct report_table columns = { .roots = table->roots, .roots_n = table->roots_n };

    *kind = (struct document_kind){ table, xcalloc(table->fields_n, sizeof(*kind->paths)) };
    for (uint32_t i = 0; i < table->fields_n; i++) {
        int rc = report_path_find(&columns, &table->fields[i].value, &kind->paths[i], err);

        if (rc < 0)
            return rc;
    }
    return 0;
}

void document_kind_auto_(struct document_kind *kind)
{
    free(kind->paths);
}

struct json *document_number(bool is_set, bool is_infinite, int64_t number)
{
    struct json *json = json_new_object();

    json_put_bool(json, "set", is_set);
    json_put_bool(json, "infinite", is_infinite);
    json_put_int(json, "number", is_set ? number : 0);
    return json;
}

static enum schema_kind kind_of(const struct report_column *column, const struct report_path *path)
{
    return path->root ? path->fields[path->fields_n - 1]->kind : column->kind;
}

static bool is_endless(enum schema_kind kind, int64_t number)
{
    return (kind == KIND_COUNT && number == COUNT_INFINITE) ||
           (kind == KIND_LIMIT && number == LIMIT_INFINITE);
}

static int64_t in_units(const struct document_field *field, int64_t number)
{
    return field->unit ? (number + field->unit - 1) / field->unit : number;
}

/* A moment that is not known is 0, and set: so Slurm has it. */
static struct json *number_json(const struct document_field *field, const struct report_path *path,
                                const struct report_order *value)
{
    const enum schema_kind kind = kind_of(&field->value, path);

    if (value->is_given && is_endless(kind, value->number))
        return document_number(false, true, 0);
    return document_number(value->is_given || kind == KIND_TIME, false,
                           value->is_given ? in_units(field, value->number) : 0);
}

struct json *document_words(const char *text, const char *between)
{
    AUTO(words) struct words words = words_split(text, between);
    struct json *list = json_new_array();

    for (uint32_t i = 0; i < words.n; i++)
        json_push(list, json_new_text(words.at[i]));
    return list;
}

static bool has_source(const struct report_column *column)
{
    return column->path || column->number || column->make;
}

/* Puts one member into the object that it belongs to. */
static void put_field(const struct document_field *field, const struct report_path *path,
                      const struct report_context *ctx, const void *row, struct json *object,
                      const char *key)
{
    struct report_order value = { 0 };

    if (has_source(&field->value))
        report_order_of(&field->value, path, ctx, row, &value);
    if (field->make)
        json_put(object, key, field->make(ctx, row));
    else if (field->shape == DOCUMENT_TEXT)
        json_put_text(object, key, value.text ? value.text : "");
    else if (field->shape == DOCUMENT_WORDS)
        json_put(object, key, document_words(value.text ? value.text : "", ","));
    else if (field->shape == DOCUMENT_BOOL)
        json_put_bool(object, key, value.is_given && value.number);
    else if (field->shape == DOCUMENT_PLAIN)
        json_put_int(object, key, value.is_given ? in_units(field, value.number) : 0);
    else
        json_put(object, key, number_json(field, path, &value));
    free(value.text);
}

/* The object that a key with dots leads to, made where it is not there yet. */
static struct json *object_of(struct json *json, const char **key)
{
    const char *dot;

    while ((dot = strchr(*key, '.'))) {
        AUTO_FREE char *name = xstrndup(*key, (size_t)(dot - *key));
        struct json *inner = json_find(json, name);

        json = inner ? inner : json_put_object(json, name);
        *key = dot + 1;
    }
    return json;
}

struct json *document_record(const struct document_kind *kind, const struct report_context *ctx,
                             const void *row)
{
    struct json *json = json_new_object();

    for (uint32_t i = 0; i < kind->table->fields_n; i++) {
        const struct document_field *field = &kind->table->fields[i];
        const char *key = field->key;
        struct json *object = object_of(json, &key);

        put_field(field, &kind->paths[i], ctx, row, object, key);
    }
    return json;
}

/* ---- the document ---- */

static bool is_version(const char *text)
{
    return !text || !*text || strcmp(text, PARSER) == 0;
}

int document_check(const struct command *command, const struct document_options *options)
{
    const char *wrong = is_version(options->json) ? options->yaml : options->json;

    if (is_version(wrong))
        return 0;
    log_error(command->log, "Unsupported data_parser \"%.60s\": there is " PARSER, wrong);
    return command_exit_error();
}

static void write_text(const struct strbuf *text)
{
    fwrite(strbuf_text(text), 1, text->len, stdout);
}

void document_begin(const struct document *document, const char *list)
{
    if (document->options->yaml)
        printf("---\n%s:\n", list);
    else
        printf("{\n\"%s\": [", list);
}

void document_add(struct document *document, struct json *record)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (document->options->yaml) {
        json_format_yaml(record, 2, &text);
        text.data[0] = '-';
    } else {
        strbuf_adds(&text, document->records_n ? ",\n" : "\n");
        json_format(record, &text);
        strbuf_truncate(&text, text.len - 1);
    }
    write_text(&text);
    json_free(record);
    document->records_n++;
}

static struct json *slurm_json(const char *cluster)
{
    AUTO(words) struct words parts = words_split(SLURM_VERSION, ".");
    struct json *slurm = json_new_object();
    struct json *version = json_put_object(slurm, "version");

    json_put_text(version, "major", parts.at[0]);
    json_put_text(version, "micro", parts.at[2]);
    json_put_text(version, "minor", parts.at[1]);
    json_put_text(slurm, "release", SLURM_VERSION);
    json_put_text(slurm, "cluster", cluster);
    return slurm;
}

static struct json *client_json(void)
{
    const struct passwd *user = getpwuid(getuid());
    const struct group *group = getgrgid(getgid());
    struct json *client = json_new_object();

    json_put_text(client, "source", isatty(STDIN_FILENO) ? "/dev/tty" : "");
    json_put_text(client, "user", user ? user->pw_name : "");
    json_put_text(client, "group", group ? group->gr_name : "");
    return client;
}

static struct json *meta_json(const struct document *document)
{
    struct json *meta = json_new_object();
    struct json *plugin = json_put_object(meta, "plugin");

    json_put_text(plugin, "type", "");
    json_put_text(plugin, "name", "");
    json_put_text(plugin, "data_parser", "data_parser/" PARSER);
    json_put_text(plugin, "accounting_storage", "");
    json_put(meta, "client", client_json());
    json_put(meta, "command", document_words(document->words, " "));
    json_put(meta, "slurm", slurm_json(document->command->cli.conf->cluster_name));
    return meta;
}

static void put_meta(const struct document *document, struct json *json)
{
    json_put(json, "meta", meta_json(document));
    json_put(json, "errors", json_new_array());
    json_put(json, "warnings", json_new_array());
}

void document_print(const struct document *document, const char *member, struct json *value)
{
    AUTO(json) struct json *json = json_new_object();
    AUTO(strbuf) struct strbuf text = { 0 };

    json_put(json, member, value);
    put_meta(document, json);
    if (document->options->yaml) {
        strbuf_adds(&text, "---\n");
        json_format_yaml(json, 0, &text);
        strbuf_adds(&text, "...\n");
    } else {
        json_format(json, &text);
    }
    write_text(&text);
}

void document_end(const struct document *document, int64_t updated)
{
    struct json *rest = json_new_object();
    AUTO(strbuf) struct strbuf text = { 0 };

    json_put(rest, "last_update", document_number(true, false, updated));
    put_meta(document, rest);
    if (document->options->yaml) {
        if (document->records_n == 0)
            printf("  []\n");
        json_format_yaml(rest, 0, &text);
        strbuf_adds(&text, "...\n");
        write_text(&text);
    } else {
        json_format(rest, &text);
        printf("\n],\n%s", strbuf_text(&text) + 2); /* its members, in the object that is open */
    }
    json_free(rest);
}
