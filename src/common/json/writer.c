#include "common/json/writer.h"

#include <math.h>
#include <stdio.h>

#include "common/json/escape.h"

#define STEP 2 /* blanks for each level */

struct json_writer json_writer_new(enum json_form form, struct strbuf *out)
{
    return (struct json_writer){ .out = out, .form = form };
}

static void begin_line(struct strbuf *out, uint32_t depth)
{
    char *at = strbuf_reserve(out, depth * STEP);

    memset(at, ' ', depth * STEP);
    strbuf_grown(out, depth * STEP);
}

/* ---- JSON ---- */

/* Appends what stands before a value, in one go, because it is half of a document. */
static void begin_json(struct json_writer *json, struct json_level *level, const char *key)
{
    const bool is_compact = json->form == JSON_ONE_LINE;
    const size_t blanks = is_compact ? 0 : json->depth * STEP, key_n = key ? strlen(key) : 0;
    char *const from = strbuf_reserve(json->out, blanks + key_n + sizeof(",\n\"\": "));
    char *at = from;

    if (level->is_begun)
        *at++ = ',';
    if (!is_compact)
        *at++ = '\n';
    memset(at, ' ', blanks);
    at += blanks;
    if (key) {
        *at++ = '"';
        memcpy(at, key, key_n);
        memcpy(at + key_n, "\": ", 3);
        at += key_n + (is_compact ? 2 : 3);
    }
    strbuf_grown(json->out, (size_t)(at - from));
}

static void close_json(struct json_writer *json, const struct json_level *level)
{
    if (level->is_begun && json->form != JSON_ONE_LINE) {
        strbuf_addc(json->out, '\n');
        begin_line(json->out, json->depth);
    }
    strbuf_addc(json->out, level->is_array ? ']' : '}');
    if (json->depth == 0)
        strbuf_addc(json->out, '\n');
}

/* ---- YAML ---- */

/*
 * Returns whether this level is an element of an array, so that its first line stands behind a
 * dash.
 */
static bool is_behind_dash(const struct json_writer *json)
{
    return json->depth > 1 && json->levels[json->depth - 2].is_array;
}

static void begin_yaml(struct json_writer *json, const struct json_level *level, const char *key)
{
    const bool is_first = !level->is_begun;

    if (is_first && json->depth > 1 && !is_behind_dash(json))
        strbuf_addc(json->out, '\n'); /* behind the key of what begins here */
    if (!is_first || !is_behind_dash(json))
        begin_line(json->out, json->depth - 1);
    strbuf_adds(json->out, key ? key : "-");
    strbuf_addc(json->out, key ? ':' : ' ');
}

static void close_yaml(struct json_writer *json, const struct json_level *level)
{
    const bool is_member = json->depth > 0 && !json->levels[json->depth - 1].is_array;

    if (level->is_begun)
        return;
    strbuf_adds(json->out, is_member ? " " : "");
    strbuf_adds(json->out, level->is_array ? "[]\n" : "{}\n");
}

/* ---- values ---- */

/* Appends what stands before a value, in either form. */
static void begin(struct json_writer *json, const char *key)
{
    struct json_level *level;

    assert(json->depth == 0 ? !key : json->levels[json->depth - 1].is_array == !key);
    if (json->depth == 0)
        return;
    level = &json->levels[json->depth - 1];
    if (json->form == JSON_YAML)
        begin_yaml(json, level, key);
    else
        begin_json(json, level, key);
    level->is_begun = true;
}

static void begin_plain(struct json_writer *json, const char *key)
{
    begin(json, key);
    if (key && json->form == JSON_YAML)
        strbuf_addc(json->out, ' ');
}

static void end_plain(struct json_writer *json)
{
    if (json->form == JSON_YAML || json->depth == 0)
        strbuf_addc(json->out, '\n');
}

static void open_level(struct json_writer *json, const char *key, bool is_array)
{
    begin(json, key);
    assert(json->depth < JSON_DEPTH_MAX);
    json->levels[json->depth++] = (struct json_level){ .is_array = is_array };
    if (json->form != JSON_YAML)
        strbuf_addc(json->out, is_array ? '[' : '{');
}

void json_open_object(struct json_writer *json, const char *key)
{
    open_level(json, key, false);
}

void json_open_array(struct json_writer *json, const char *key)
{
    open_level(json, key, true);
}

void json_close(struct json_writer *json)
{
    const struct json_level *level;

    assert(json->depth > 0);
    level = &json->levels[--json->depth];
    if (json->form == JSON_YAML)
        close_yaml(json, level);
    else
        close_json(json, level);
}

static void add_word(struct json_writer *json, const char *key, const char *word)
{
    begin_plain(json, key);
    strbuf_adds(json->out, word);
    end_plain(json);
}

void json_add_text(struct json_writer *json, const char *key, const char *text)
{
    if (!text) {
        json_add_null(json, key);
        return;
    }
    begin_plain(json, key);
    json_escape(text, json->out);
    end_plain(json);
}

void json_add_int(struct json_writer *json, const char *key, int64_t number)
{
    begin_plain(json, key);
    strbuf_addi(json->out, number);
    end_plain(json);
}

/* Appends a number with a point or an exponent, so that readers take it for a real one. */
void json_add_real(struct json_writer *json, const char *key, double number)
{
    char digits[32];

    if (!isfinite(number)) {
        json_add_null(json, key);
        return;
    }
    snprintf(digits, sizeof(digits), "%.17g", number);
    begin_plain(json, key);
    strbuf_adds(json->out, digits);
    strbuf_adds(json->out, strpbrk(digits, ".e") ? "" : ".0");
    end_plain(json);
}

void json_add_bool(struct json_writer *json, const char *key, bool value)
{
    add_word(json, key, value ? "true" : "false");
}

void json_add_null(struct json_writer *json, const char *key)
{
    add_word(json, key, "null");
}
