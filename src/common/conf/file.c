#include "common/conf/file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/conf/cursor.h"
#include "common/conf/notes.h"

/* A walk over a file and what it includes. */
struct parser {
    conf_read_fn read;
    void *ctx;
    struct conf_notes *notes;
    struct conf_file *file;
    size_t total;
    uint32_t pairs_n;
    const char *open[CONF_INCLUDE_MAX]; /* the files that we are inside of */
    uint32_t open_n;
};

int conf_err(struct err *err, int code, struct conf_at at, const char *fmt, ...)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&text, fmt, args);
    va_end(args);
    return err_set(err, code, "%s:%u:%u: %s", at.file, at.line, at.column, strbuf_text(&text));
}

/* Reads what follows a key; the cursor is behind the key's last character. */
static int read_pair_value(struct cursor *cur, struct conf_pair *pair, struct err *err)
{
    struct conf_at end = cur->pos;

    if (!cursor_is_blank(cursor_peek(cur)) && !cursor_at_line_end(cur) && cursor_peek(cur) != '=')
        return conf_err(err, E_SYNTAX, end, "'%s' is followed by what is no part of a key",
                        pair->key);
    cursor_skip_blanks(cur);
    if (cursor_peek(cur) != '=')
        return 0;
    cursor_skip(cur);
    cursor_skip_blanks(cur);
    pair->value_at = cur->pos;
    return cursor_read_value(cur, pair->key, &pair->value, err);
}

/*
 * Returns whether a value has "$HOSTNAME", "${HOSTNAME}" or "$(hostname)". Secrets, free texts, and
 * command lines that a user's shell sees are not looked at.
 */
static bool has_variable(const struct conf_pair *pair)
{
    static const char *const free_texts[] = { "Comment", "Extra", "InteractiveStepOptions",
                                              "Reason" };
    const size_t n = strlen(pair->key);
    const char *at = pair->value;

    if (n >= 4 && strcasecmp(pair->key + n - 4, "Pass") == 0)
        return false;
    for (size_t i = 0; i < ARRAY_N(free_texts); i++) {
        if (strcasecmp(pair->key, free_texts[i]) == 0)
            return false;
    }
    while ((at = strchr(at, '$'))) {
        at++;
        if (isalpha((unsigned char)*at) || *at == '_' || *at == '{' || *at == '(')
            return true;
    }
    return false;
}

static void record_clear(struct conf_record *record)
{
    for (uint32_t i = 0; i < record->pairs_n; i++) {
        free(record->pairs[i].key);
        free(record->pairs[i].value);
    }
    free(record->pairs);
    *record = (struct conf_record){ 0 };
}

static int parse_path(struct parser *parser, const char *path, const struct conf_at *from,
                      struct err *err);

/* Returns the last value that the records so far give to `key`, or "". */
static const char *value_so_far(const struct conf_file *file, const char *key)
{
    for (uint32_t i = file->records_n; i > 0; i--) {
        const struct conf_pair *pair = conf_record_find(&file->records[i - 1], key);

        if (pair && pair->value)
            return pair->value;
    }
    return "";
}

/*
 * Returns the path of an included file: beside the file that includes it, unless absolute; %c is
 * the name of the cluster.
 */
static char *include_path(const struct conf_file *file, const char *includer, const char *said)
{
    AUTO(strbuf) struct strbuf path = { 0 };
    const char *slash = strrchr(includer, '/');

    if (said[0] != '/' && slash)
        strbuf_add(&path, includer, (size_t)(slash + 1 - includer));
    for (; *said; said++) {
        if (said[0] == '%' && said[1] == 'c') {
            strbuf_adds(&path, value_so_far(file, "ClusterName"));
            said++;
        } else {
            strbuf_addc(&path, *said);
        }
    }
    return strbuf_steal(&path);
}

static int parse_include(struct parser *parser, struct cursor *cur, struct conf_at at,
                         struct err *err)
{
    AUTO_FREE char *said = NULL;
    int rc;

    cursor_skip_blanks(cur);
    rc = cursor_read_value(cur, "Include", &said, err);
    if (rc < 0)
        return rc;
    cursor_skip_blanks(cur);
    if (!cursor_at_line_end(cur))
        return conf_err(err, E_SYNTAX, cur->pos, "text follows Include '%s'", said);
    if (!said[0])
        return conf_err(err, E_SYNTAX, at, "Include names no file");

    AUTO_FREE char *path = include_path(parser->file, at.file, said);

    return parse_path(parser, path, &at, err);
}

/* Returns whether this is an Include, which stands at the start of a line and has no '='. */
static bool is_include(struct cursor *cur, const struct conf_record *record, const char *key)
{
    if (record->pairs_n || strcasecmp(key, "Include") != 0)
        return false;
    cursor_skip_blanks(cur);
    return cursor_peek(cur) != '=';
}

static int parse_pairs(struct parser *parser, struct cursor *cur, struct conf_record *record,
                       struct err *err)
{
    for (cursor_skip_blanks(cur); !cursor_at_line_end(cur); cursor_skip_blanks(cur)) {
        struct conf_at at = cur->pos;
        AUTO_FREE char *key = NULL;
        int rc = cursor_read_key(cur, &key, err);

        if (rc < 0)
            return rc;
        if (is_include(cur, record, key))
            return parse_include(parser, cur, at, err);
        if (parser->pairs_n++ == CONF_PAIRS_MAX)
            return conf_err(err, E_TOO_BIG, at, "more than %u keys", CONF_PAIRS_MAX);
        struct conf_pair *pair = ARRAY_PUSH(record->pairs, record->pairs_n);

        *pair = (struct conf_pair){ .key = STEAL(key), .at = at };
        rc = read_pair_value(cur, pair, err);
        if (rc < 0)
            return rc;
        if (parser->notes && pair->value && has_variable(pair))
            conf_notes_add(parser->notes, CONF_NOTE_WRONG, pair->at,
                           "%s=%s: no variable is expanded in this file; write what is meant",
                           pair->key, pair->value);
    }
    return 0;
}

static int parse_line(struct parser *parser, struct cursor *cur, struct err *err)
{
    struct conf_record record = { 0 };
    int rc = parse_pairs(parser, cur, &record, err);

    if (rc < 0 || record.pairs_n == 0)
        record_clear(&record);
    else
        *ARRAY_PUSH(parser->file->records, parser->file->records_n) = record;
    return rc;
}

static int parse_text(struct parser *parser, const char *name, const struct strbuf *text,
                      struct err *err)
{
    struct cursor cur = { .text = text->data, .n = text->len, .pos = { name, 1, 1 } };

    if (text->len >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0)
        cur.at = 3; /* the mark that some editors put first */
    while (cursor_raw(&cur, 0) != CURSOR_END) {
        const struct conf_at start = cur.pos;
        struct err why = { 0 };
        int rc = parse_line(parser, &cur, &why);

        if (rc < 0 && conf_notes_go_on(parser->notes, rc, start, &why) < 0)
            return err_set(err, why.code, "%s", why.text);
        cursor_skip_line(&cur);
    }
    return 0;
}

/* Reads `path`; `from` is the place of the Include, or NULL for the first file. */
static int read_path(struct parser *parser, const char *path, const struct conf_at *from,
                     struct strbuf *text, struct err *err)
{
    struct err why = { 0 };
    int rc = parser->read(parser->ctx, path, text, &why);

    if (rc < 0 && from)
        return conf_err(err, -rc, *from, "cannot read the included '%s': %s", path,
                        err_string(-rc));
    if (rc < 0)
        return err_set(err, -rc, "cannot read configuration '%s': %s", path, err_string(-rc));
    parser->total += text->len;
    if (text->len > CONF_FILE_MAX)
        return err_set(err, E_TOO_BIG, "%s: more than %u bytes", path, CONF_FILE_MAX);
    if (parser->total > CONF_TOTAL_MAX)
        return err_set(err, E_TOO_BIG, "%s: with the files before it more than %u bytes", path,
                       CONF_TOTAL_MAX);
    if (text->len && memchr(text->data, '\0', text->len))
        return err_set(err, E_SYNTAX, "%s: holds a zero byte, so it is no text", path);
    return 0;
}

static int check_include(const struct parser *parser, const char *path, const struct conf_at *from,
                         struct err *err)
{
    for (uint32_t i = 0; i < parser->open_n; i++)
        if (strcmp(parser->open[i], path) == 0)
            return conf_err(err, ELOOP, *from, "'%s' includes itself", path);
    if (parser->open_n == CONF_INCLUDE_MAX)
        return conf_err(err, ELOOP, *from, "'%s' would be more than %d files inside one another",
                        path, CONF_INCLUDE_MAX);
    if (parser->file->names_n == CONF_FILES_MAX)
        return conf_err(err, E_TOO_BIG, *from, "'%s' would be more than %d files", path,
                        CONF_FILES_MAX);
    return 0;
}

static int parse_path(struct parser *parser, const char *path, const struct conf_at *from,
                      struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    char *name;
    int rc = check_include(parser, path, from, err);

    if (rc < 0)
        return rc;
    rc = read_path(parser, path, from, &text, err);
    if (rc < 0)
        return rc;
    name = xstrdup(path);
    *ARRAY_PUSH(parser->file->names, parser->file->names_n) = name;
    parser->open[parser->open_n++] = name;
    rc = parse_text(parser, name, &text, err);
    parser->open_n--;
    return rc;
}

int conf_file_parse(const char *path, conf_read_fn read, void *ctx, struct conf_file **ret_file,
                    struct err *err)
{
    return conf_file_parse_noting(path, read, ctx, NULL, ret_file, err);
}

int conf_file_parse_noting(const char *path, conf_read_fn read, void *ctx, struct conf_notes *notes,
                           struct conf_file **ret_file, struct err *err)
{
    struct parser parser = { .read = read, .ctx = ctx, .notes = notes };
    int rc;

    parser.file = xcalloc(1, sizeof(*parser.file));
    rc = parse_path(&parser, path, NULL, err);
    if (rc < 0) {
        conf_file_free(parser.file);
        return rc;
    }
    *ret_file = parser.file;
    return 0;
}

struct conf_file *conf_file_free(struct conf_file *file)
{
    if (!file)
        return NULL;
    for (uint32_t i = 0; i < file->records_n; i++)
        record_clear(&file->records[i]);
    free(file->records);
    for (uint32_t i = 0; i < file->names_n; i++)
        free(file->names[i]);
    free(file->names);
    free(file);
    return NULL;
}

const struct conf_pair *conf_record_find(const struct conf_record *record, const char *key)
{
    for (uint32_t i = record->pairs_n; i > 0; i--)
        if (strcasecmp(record->pairs[i - 1].key, key) == 0)
            return &record->pairs[i - 1];
    return NULL;
}

int conf_read_disk(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

    (void)ctx;
    if (fd < 0)
        return err_set(err, errno, "%s: %s", path, err_string(errno));
    while (text->len <= CONF_FILE_MAX) {
        ssize_t n = read(fd, strbuf_reserve(text, 16384), 16384);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, errno, "%s: %s", path, err_string(errno));
        if (n == 0)
            return 0;
        strbuf_grown(text, (size_t)n);
    }
    return 0;
}
