#include "cli/lib/document.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/lib/signals.h"
#include "common/base/version.h"
#include "common/text/words.h"

#define PLUGIN "data_parser/"

/*
 * Versions of the data parser; the first is the usual one. Members that came with a later version
 * are in both.
 */
static const char *const parsers[] = { "v0.0.42", "v0.0.43" };

/* ---- kinds ---- */

/*
 * Steps between keys: objects of the key before are left up to `shared`, those of this one entered
 * from there on.
 */
struct document_step {
    uint32_t shared; /* bytes of the key that name objects which are open already */
    uint32_t leaf;   /* where the member's own name begins */
    uint32_t closes; /* objects to leave before */
};

/* Returns where the last part of a key with dots begins. */
static uint32_t leaf_of(const char *key)
{
    const char *dot = strrchr(key, '.');

    return dot ? (uint32_t)(dot - key) + 1 : 0;
}

static uint32_t count_dots(const char *key)
{
    uint32_t n = 0;

    while ((key = strchr(key, '.'))) {
        key++;
        n++;
    }
    return n;
}

static struct document_step step_between(const char *before, const char *key)
{
    struct document_step step = { .leaf = leaf_of(key) };

    for (uint32_t i = 0; before[i] && before[i] == key[i]; i++) {
        if (key[i] == '.')
            step.shared = i + 1;
    }
    step.closes = count_dots(before + step.shared);
    return step;
}

int document_kind_init(struct document_kind *kind, const struct document_table *table,
                       struct err *err)
{
    const struct report_table columns = { .roots = table->roots, .roots_n = table->roots_n };
    const char *before = "";

    *kind = (struct document_kind){ table, xcalloc(table->fields_n, sizeof(*kind->paths)),
                                    xcalloc(table->fields_n, sizeof(*kind->steps)) };
    for (uint32_t i = 0; i < table->fields_n; i++) {
        int rc = report_path_find(&columns, &table->fields[i].value, &kind->paths[i], err);

        if (rc < 0)
            return rc;
        kind->steps[i] = step_between(before, table->fields[i].key);
        before = table->fields[i].key;
    }
    return 0;
}

void document_kind_auto_(struct document_kind *kind)
{
    free(kind->paths);
    free(kind->steps);
}

/* ---- values ---- */

void document_number(struct json_writer *json, const char *key, bool is_set, bool is_infinite,
                     int64_t number)
{
    json_open_object(json, key);
    json_add_bool(json, "set", is_set);
    json_add_bool(json, "infinite", is_infinite);
    json_add_int(json, "number", is_set ? number : 0);
    json_close(json);
}

void document_words(struct json_writer *json, const char *key, const char *text,
                    const char *between)
{
    AUTO(words) struct words words = words_split(text, between);

    json_open_array(json, key);
    for (uint32_t i = 0; i < words.n; i++)
        json_add_text(json, NULL, words.at[i]);
    json_close(json);
}

void document_word(struct json_writer *json, const char *key, const char *word)
{
    json_open_array(json, key);
    if (word)
        json_add_text(json, NULL, word);
    json_close(json);
}

static const char *exit_word(bool is_pending, int32_t status)
{
    if (is_pending)
        return "PENDING";
    if (WIFSIGNALED(status))
        return "SIGNALED";
    return WEXITSTATUS(status) ? "ERROR" : "SUCCESS";
}

void document_exit(struct json_writer *json, const char *key, bool is_pending, int32_t status)
{
    const bool by_signal = WIFSIGNALED(status);

    json_open_object(json, key);
    document_word(json, "status", exit_word(is_pending, status));
    document_number(json, "return_code", true, false, WEXITSTATUS(status));
    json_open_object(json, "signal");
    document_number(json, "id", by_signal, false, by_signal ? WTERMSIG(status) : 0);
    json_add_text(json, "name", by_signal ? signal_name(WTERMSIG(status)) : "");
    json_close(json);
    json_close(json);
}

void document_user(struct json_writer *json, const char *key, uint32_t uid)
{
    const struct passwd *user = uid == COUNT_UNSET ? NULL : getpwuid(uid);
    char number[16] = "";

    if (!user && uid != COUNT_UNSET)
        snprintf(number, sizeof(number), "%u", uid);
    json_add_text(json, key, user ? user->pw_name : number);
}

/* ---- records ---- */

static bool is_endless(enum schema_kind kind, int64_t number)
{
    return (kind == KIND_COUNT && number == COUNT_INFINITE) ||
           (kind == KIND_LIMIT && number == LIMIT_INFINITE);
}

static int64_t in_units(const struct document_field *field, int64_t number)
{
    return field->unit ? (number + field->unit - 1) / field->unit : number;
}

/* Writes a number. A moment that is not known is 0, and set: so Slurm has it. */
static void add_number(const struct document_field *field, const struct report_path *path,
                       const struct report_order *value, struct json_writer *json, const char *key)
{
    const enum schema_kind kind =
        path->root ? path->fields[path->fields_n - 1]->kind : field->value.kind;

    if (value->is_given && is_endless(kind, value->number))
        document_number(json, key, false, true, 0);
    else
        document_number(json, key, value->is_given || kind == KIND_TIME, false,
                        value->is_given ? in_units(field, value->number) : 0);
}

static bool has_source(const struct report_column *column)
{
    return column->path || column->number || column->make;
}

static void add_value(const struct document_field *field, const struct report_path *path,
                      const struct report_order *value, struct json_writer *json, const char *key)
{
    if (field->shape == DOCUMENT_TEXT)
        json_add_text(json, key, value->text ? value->text : "");
    else if (field->shape == DOCUMENT_WORDS)
        document_words(json, key, value->text ? value->text : "", ",");
    else if (field->shape == DOCUMENT_BOOL)
        json_add_bool(json, key, value->is_given && value->number);
    else if (field->shape == DOCUMENT_PLAIN)
        json_add_int(json, key, value->is_given ? in_units(field, value->number) : 0);
    else
        add_number(field, path, value, json, key);
}

/* Leaves and enters the objects that stand between the member before and this one. */
static void take_step(const struct document_step *step, const char *key, struct json_writer *json)
{
    for (uint32_t i = 0; i < step->closes; i++)
        json_close(json);
    for (uint32_t at = step->shared; at < step->leaf;) {
        const uint32_t n = (uint32_t)strcspn(key + at, ".");
        AUTO_FREE char *name = xstrndup(key + at, n);

        json_open_object(json, name);
        at += n + 1;
    }
}

void document_record(const struct document_kind *kind, const struct report_context *ctx,
                     const void *row, struct json_writer *json, const char *key)
{
    uint32_t open = json->depth + 1;

    json_open_object(json, key);
    for (uint32_t i = 0; i < kind->table->fields_n; i++) {
        const struct document_field *field = &kind->table->fields[i];
        const char *name = field->key + kind->steps[i].leaf;
        struct report_order value = { 0 };

        take_step(&kind->steps[i], field->key, json);
        if (has_source(&field->value))
            report_order_of(&field->value, &kind->paths[i], ctx, row, &value);
        if (field->make)
            field->make(ctx, row, json, name);
        else
            add_value(field, &kind->paths[i], &value, json, name);
        free(value.text);
    }
    while (json->depth >= open)
        json_close(json);
}

/* ---- the document ---- */

/* Prints the versions; the title is for people, as scripts read stdout. */
static int list_versions(void)
{
    fputs("Possible data_parser plugins:\n", stderr);
    for (size_t i = 0; i < ARRAY_N(parsers); i++)
        printf(PLUGIN "%s\n", parsers[i]);
    return fflush(stdout) == 0 ? 0 : 1;
}

/* Returns the parser of that version; NULL if there is none. */
static const char *find_parser(const char *version)
{
    const bool is_whole = strncmp(version, PLUGIN, strlen(PLUGIN)) == 0;

    if (!*version)
        return parsers[0];
    for (size_t i = 0; i < ARRAY_N(parsers); i++) {
        if (strcmp(is_whole ? version + strlen(PLUGIN) : version, parsers[i]) == 0)
            return parsers[i];
    }
    return NULL;
}

int document_check(const struct command *command, const char *version)
{
    if (strcasecmp(version, "list") == 0)
        return list_versions();
    if (find_parser(version))
        return -1;
    log_error(command->log, "Unsupported data_parser \"%.60s\": there are %s and %s", version,
              parsers[0], parsers[1]);
    return command_exit_error();
}

#define FLUSH_AT 65536 /* bytes */

static int flush(struct document *document, struct err *err)
{
    const size_t n = document->text.len;
    const bool is_done = fwrite(strbuf_text(&document->text), 1, n, stdout) == n;

    strbuf_truncate(&document->text, 0);
    return is_done ? 0 : err_set(err, errno, "standard output: %s", strerror(errno));
}

int document_flush(struct document *document, struct err *err)
{
    return document->text.len < FLUSH_AT ? 0 : flush(document, err);
}

/* Returns how JSON or YAML is laid out; YAML in one line is JSON. */
static enum json_form form_of(const struct document_options *options)
{
    const char *form = options->yaml ? options->yaml_form : options->json_form;

    if (form && strcasecmp(form, "compact") == 0)
        return JSON_ONE_LINE;
    return options->yaml ? JSON_YAML : JSON_INDENTED;
}

void document_begin(struct document *document)
{
    document->json = json_writer_new(form_of(document->options), &document->text);
    if (document->options->yaml)
        strbuf_adds(&document->text, "---\n");
    json_open_object(&document->json, NULL);
}

static void add_slurm(struct json_writer *json, const char *cluster)
{
    AUTO(words) struct words parts = words_split(SLURM_VERSION, ".");

    json_open_object(json, "slurm");
    json_open_object(json, "version");
    json_add_text(json, "major", parts.at[0]);
    json_add_text(json, "micro", parts.at[2]);
    json_add_text(json, "minor", parts.at[1]);
    json_close(json);
    json_add_text(json, "release", SLURM_VERSION);
    json_add_text(json, "cluster", cluster);
    json_close(json);
}

static void add_client(struct json_writer *json)
{
    const struct passwd *user = getpwuid(getuid());
    const struct group *group = getgrgid(getgid());

    json_open_object(json, "client");
    json_add_text(json, "source", isatty(STDIN_FILENO) ? "/dev/tty" : "");
    json_add_text(json, "user", user ? user->pw_name : "");
    json_add_text(json, "group", group ? group->gr_name : "");
    json_close(json);
}

static void add_plugin(const struct document_options *options, struct json_writer *json)
{
    const char *version = find_parser(options->yaml ? options->yaml : options->json);
    AUTO_FREE char *parser = xasprintf(PLUGIN "%s", version);

    json_open_object(json, "plugin");
    json_add_text(json, "type", "");
    json_add_text(json, "name", "");
    json_add_text(json, "data_parser", parser);
    json_add_text(json, "accounting_storage", "");
    json_close(json);
}

static void add_meta(const struct document *document, struct json_writer *json)
{
    json_open_object(json, "meta");
    add_plugin(document->options, json);
    add_client(json);
    json_open_array(json, "command");
    for (int i = 0; i < document->words_n; i++)
        json_add_text(json, NULL, document->words[i]);
    json_close(json);
    add_slurm(json, document->command->cli.conf->cluster_name);
    json_close(json);
    document_word(json, "errors", NULL);
    document_word(json, "warnings", NULL);
}

void document_end(struct document *document)
{
    add_meta(document, &document->json);
    json_close(&document->json);
    if (document->options->yaml)
        strbuf_adds(&document->text, "...\n");
    (void)flush(document, NULL);
    strbuf_clear(&document->text);
}

/* ---- lists ---- */

void document_begin_list(struct document *document, const char *list)
{
    document_begin(document);
    json_open_array(&document->json, list);
}

void document_add(struct document *document, const struct document_kind *kind,
                  const struct report_context *ctx, const void *row)
{
    document_record(kind, ctx, row, &document->json, NULL);
    (void)document_flush(document, NULL);
}

void document_end_list(struct document *document, int64_t updated)
{
    json_close(&document->json);
    document_number(&document->json, "last_update", true, false, updated);
    document_end(document);
}
