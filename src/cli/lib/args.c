#include "cli/lib/args.h"

#include <string.h>

#include "common/base/minmax.h"
#include "common/base/strbuf.h"
#include "common/text/words.h"

#define NAME_MAX_SHOWN 100 /* of what the user typed, in an error */

/* Returns how many letters to add, drop or change to make one word of the other. */
static size_t distance(const char *a, size_t a_n, const char *b)
{
    size_t row[64], b_n = strlen(b);

    if (b_n >= ARRAY_N(row) || a_n >= ARRAY_N(row))
        return SIZE_MAX;
    for (size_t j = 0; j <= b_n; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_n; i++) {
        size_t corner = row[0];

        row[0] = i;
        for (size_t j = 1; j <= b_n; j++) {
            size_t above = row[j];

            row[j] = MIN(MIN(row[j - 1], above) + 1, corner + (a[i - 1] != b[j - 1]));
            corner = above;
        }
    }
    return row[b_n];
}

static size_t common_prefix(const char *a, size_t a_n, const char *b)
{
    size_t n = 0;

    while (n < a_n && b[n] && a[n] == b[n])
        n++;
    return n;
}

/*
 * Returns what may have been meant, or NULL. "--memory" is "--mem", "--mem-per-task"
 * "--mem-per-cpu".
 */
static const char *nearest(const struct arg_reader *reader, const char *name, size_t n)
{
    const char *best = NULL;
    size_t best_distance = (n < 6 ? 1 : n / 3) + 1, best_prefix = 0;

    for (uint32_t i = 0; i < reader->options_n; i++) {
        const char *option = reader->options[i].name;
        size_t prefix = option ? common_prefix(name, n, option) : 0;
        size_t away = option ? distance(name, n, option) : SIZE_MAX;

        if (option && prefix >= 3 && prefix == strlen(option) && name[prefix] != '-')
            away = 1;
        if (away < best_distance || (best && away == best_distance && prefix > best_prefix)) {
            best = option;
            best_distance = away;
            best_prefix = prefix;
        }
    }
    return best;
}

static int err_unknown(const struct arg_reader *reader, const char *text, size_t n, struct err *err)
{
    const char *meant = nearest(reader, text, n);

    if (meant)
        return err_set(err, E_SYNTAX, "unrecognized option '--%.*s'\ndid you mean '--%s'?",
                       NAME_MAX_SHOWN, text, meant);
    return err_set(err, E_SYNTAX, "unrecognized option '--%.*s'", NAME_MAX_SHOWN, text);
}

static int err_ambiguous(const struct arg_reader *reader, const char *text, size_t n,
                         struct err *err)
{
    AUTO(strbuf) struct strbuf names = { 0 };

    for (uint32_t i = 0; i < reader->options_n; i++) {
        const char *name = reader->options[i].name;

        if (name && strncmp(name, text, n) == 0)
            strbuf_addf(&names, " '--%s'", name);
    }
    return err_set(err, E_SYNTAX, "option '--%.*s' is ambiguous; possibilities:%s", NAME_MAX_SHOWN,
                   text, strbuf_text(&names));
}

/* Finds the option that `text`, n characters long, names in full or in part. */
static int find_long(const struct arg_reader *reader, const char *text, size_t n,
                     const struct arg_option **ret_option, struct err *err)
{
    const struct arg_option *found = NULL;

    for (uint32_t i = 0; i < reader->options_n; i++) {
        const struct arg_option *option = &reader->options[i];

        if (!option->name || strncmp(option->name, text, n) != 0)
            continue;
        if (strlen(option->name) == n) {
            *ret_option = option;
            return 0;
        }
        if (found && found->id != option->id)
            return err_ambiguous(reader, text, n, err);
        found = option;
    }
    if (!found)
        return err_unknown(reader, text, n, err);
    *ret_option = found;
    return 0;
}

static int next_long(struct arg_reader *reader, const char *text, int *ret_id,
                     const char **ret_value, struct err *err)
{
    size_t n = strcspn(text, "=");
    const struct arg_option *option = NULL;
    const char *value = text[n] ? text + n + 1 : NULL;

    int rc = find_long(reader, text, n, &option, err);
    if (rc < 0)
        return rc;
    if (value && option->need == ARG_NONE)
        return err_set(err, E_SYNTAX, "option '--%s' doesn't allow an argument", option->name);
    if (!value && option->need == ARG_REQUIRED) {
        if (reader->at >= reader->argc)
            return err_set(err, E_SYNTAX, "option '--%s' requires an argument", option->name);
        value = reader->argv[reader->at++];
    }
    *ret_id = option->id;
    *ret_value = value;
    return 1;
}

static const struct arg_option *find_letter(const struct arg_reader *reader, char letter)
{
    for (uint32_t i = 0; i < reader->options_n; i++) {
        if (reader->options[i].letter == letter)
            return &reader->options[i];
    }
    return NULL;
}

static int next_letter(struct arg_reader *reader, int *ret_id, const char **ret_value,
                       struct err *err)
{
    char letter = *reader->letters++;
    const struct arg_option *option = letter == ':' ? NULL : find_letter(reader, letter);
    const char *value = NULL;

    if (!option)
        return err_set(err, E_SYNTAX, "invalid option -- '%c'", letter);
    if (option->need != ARG_NONE && *reader->letters) {
        value = reader->letters;
        reader->letters = NULL;
    } else if (option->need == ARG_REQUIRED) {
        if (reader->at >= reader->argc)
            return err_set(err, E_SYNTAX, "option requires an argument -- '%c'", letter);
        value = reader->argv[reader->at++];
    }
    *ret_id = option->id;
    *ret_value = value;
    return 1;
}

int arg_next(struct arg_reader *reader, int *ret_id, const char **ret_value, struct err *err)
{
    if (reader->letters && *reader->letters)
        return next_letter(reader, ret_id, ret_value, err);
    while (reader->at < reader->argc) {
        const char *arg = reader->argv[reader->at];

        if (arg[0] != '-' || !arg[1]) {
            if (!reader->mixed)
                return 0;
            *ARRAY_PUSH(reader->operands, reader->operands_n) = arg;
            reader->at++;
            if (word_is(reader->ending, arg))
                break;
            continue;
        }
        reader->at++;
        if (strcmp(arg, "--") == 0)
            break;
        if (arg[1] == '-')
            return next_long(reader, arg + 2, ret_id, ret_value, err);
        reader->letters = arg + 1;
        return next_letter(reader, ret_id, ret_value, err);
    }
    while (reader->mixed && reader->at < reader->argc)
        *ARRAY_PUSH(reader->operands, reader->operands_n) = reader->argv[reader->at++];
    return 0;
}

void arg_reader_clear(struct arg_reader *reader)
{
    free(reader->operands);
    reader->operands = NULL;
    reader->operands_n = 0;
}

void arg_reader_auto_(struct arg_reader *reader)
{
    arg_reader_clear(reader);
}
