#include "noded/mpi/pmi_wire.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"

#define LENGTH_CHARS 6 /* before a packet */

void pmi_message_clear(struct pmi_message *message)
{
    for (uint32_t i = 0; i < message->n; i++) {
        free(message->pairs[i].key);
        free(message->pairs[i].value);
    }
    message->n = 0;
}

void pmi_message_auto_(struct pmi_message *message)
{
    pmi_message_clear(message);
}

const char *pmi_get(const struct pmi_message *message, const char *key)
{
    for (uint32_t i = 0; i < message->n; i++) {
        if (strcmp(message->pairs[i].key, key) == 0)
            return message->pairs[i].value;
    }
    return NULL;
}

/* ---- reading ---- */

/* Takes bytes up to a single divider, or the end; doubled ones stand for themselves. Returns how
 * many it took. */
static size_t take_word(const char *at, size_t n, char divider, bool doubled, struct strbuf *word)
{
    size_t i = 0;

    for (; i < n; i++) {
        if (at[i] == divider && doubled && i + 1 < n && at[i + 1] == divider)
            i++;
        else if (at[i] == divider)
            return i + 1;
        strbuf_addc(word, at[i]);
    }
    return i;
}

static int add_pair(struct pmi_message *message, const char *word, struct err *err)
{
    const char *equals = strchr(word, '=');
    struct pmi_pair *pair;

    if (!*word)
        return 0;
    if (!equals || equals == word)
        return err_set(err, E_PROTO, "PMI: '%.40s' is no key=value", word);
    if (message->n == PMI_PAIRS_MAX)
        return err_set(err, E_TOO_BIG, "PMI: more than %d words in a message", PMI_PAIRS_MAX);
    pair = &message->pairs[message->n++];
    pair->key = xstrndup(word, (size_t)(equals - word));
    pair->value = xstrdup(equals + 1);
    return 0;
}

static int read_pairs(const char *bytes, size_t n, char divider, bool doubled,
                      struct pmi_message *ret, struct err *err)
{
    int rc = 0;

    ret->n = 0;
    while (n > 0 && rc == 0) {
        AUTO(strbuf) struct strbuf word = { 0 };
        const size_t took = take_word(bytes, n, divider, doubled, &word);

        rc = add_pair(ret, strbuf_text(&word), err);
        bytes += took;
        n -= took;
    }
    if (rc == 0 && (ret->n == 0 || !strstr(ret->pairs[0].key, "cmd")))
        rc = err_set(err, E_PROTO, "PMI: a message without a command");
    if (rc < 0)
        pmi_message_clear(ret);
    return rc;
}

static int64_t decode_line(const char *bytes, size_t n, struct pmi_message *ret, struct err *err)
{
    const char *end = memchr(bytes, '\n', n);
    int rc;

    if (!end && n >= PMI_BYTES_MAX)
        return err_set(err, E_TOO_BIG, "PMI: a line of more than %u bytes", PMI_BYTES_MAX);
    if (!end)
        return 0;
    rc = read_pairs(bytes, (size_t)(end - bytes), ' ', false, ret, err);
    return rc < 0 ? rc : end + 1 - bytes;
}

static int64_t decode_packet(const char *bytes, size_t n, struct pmi_message *ret, struct err *err)
{
    uint32_t length = 0;
    int rc;

    if (n < LENGTH_CHARS)
        return 0;
    for (size_t i = 0; i < LENGTH_CHARS; i++) {
        if (bytes[i] == ' ' && length == 0)
            continue;
        if (!isdigit((unsigned char)bytes[i]))
            return err_set(err, E_PROTO, "PMI: a packet without a length");
        length = length * 10 + (uint32_t)(bytes[i] - '0');
    }
    if (length > PMI_BYTES_MAX)
        return err_set(err, E_TOO_BIG, "PMI: a packet of %u bytes, more than %u", length,
                       PMI_BYTES_MAX);
    if (n < LENGTH_CHARS + length)
        return 0;
    rc = read_pairs(bytes + LENGTH_CHARS, length, ';', true, ret, err);
    return rc < 0 ? rc : (int64_t)(LENGTH_CHARS + length);
}

int64_t pmi_decode(enum pmi_version version, const char *bytes, size_t n, struct pmi_message *ret,
                   struct err *err)
{
    return version == PMI_1 ? decode_line(bytes, n, ret, err) : decode_packet(bytes, n, ret, err);
}

/* ---- writing ---- */

void pmi_begin(struct pmi_answer *answer, enum pmi_version version, const char *command)
{
    *answer = (struct pmi_answer){ .version = version };
    pmi_add(answer, "cmd", "%s", command);
}

void pmi_add(struct pmi_answer *answer, const char *key, const char *fmt, ...)
{
    AUTO(strbuf) struct strbuf value = { 0 };
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&value, fmt, args);
    va_end(args);
    strbuf_addf(&answer->text, "%s%s=", answer->version == PMI_1 && answer->text.len ? " " : "",
                key);
    for (const char *at = strbuf_text(&value); *at; at++) {
        if (*at == ';' && answer->version == PMI_2)
            strbuf_addc(&answer->text, ';');
        strbuf_addc(&answer->text, *at);
    }
    if (answer->version == PMI_2)
        strbuf_addc(&answer->text, ';');
}

void pmi_end(struct pmi_answer *answer, struct strbuf *out)
{
    if (answer->version == PMI_1)
        strbuf_addf(out, "%s\n", strbuf_text(&answer->text));
    else
        strbuf_addf(out, "%6zu%s", answer->text.len, strbuf_text(&answer->text));
    strbuf_clear(&answer->text);
}
