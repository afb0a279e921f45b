#include "common/text/gres.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/text/words.h"

#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+"

int gres_parse_count(const char *text, uint64_t *ret, struct err *err)
{
    static const char letters[] = "KMGTP";
    const size_t digits = strspn(text, "0123456789");
    AUTO_FREE char *number = xstrndup(text, digits);
    const char *letter = NULL;
    uint64_t count;
    int rc;

    if (digits == 0)
        return err_set(err, EINVAL, "'%.80s' is not a count", text);
    if (text[digits])
        letter = strchr(letters, toupper((unsigned char)text[digits]));
    if (text[digits] && (!letter || text[digits + 1]))
        return err_set(err, EINVAL, "'%.80s' is not a count", text);
    rc = number_parse(number, 0, GRES_COUNT_MAX, &count, err);
    for (; rc == 0 && letter && letter >= letters; letter--) {
        count *= 1024;
        if (count > GRES_COUNT_MAX)
            return err_set(err, ERANGE, "'%.80s' is more than %llu", text,
                           (unsigned long long)GRES_COUNT_MAX);
    }
    if (rc == 0)
        *ret = count;
    return rc;
}

bool gres_add(struct gres_list *list, const char *name, const char *type, uint64_t count)
{
    for (uint32_t i = 0; i < list->n; i++) {
        struct gres *gres = &list->at[i];

        if (strcmp(gres->name, name) == 0 && text_is(gres->type, type)) {
            const bool fits = count <= GRES_COUNT_MAX - gres->count;

            gres->count += fits ? count : 0;
            return fits;
        }
    }
    if (list->n == GRES_MAX)
        return false;
    *ARRAY_PUSH(list->at, list->n) = (struct gres){ xstrdup(name), xstrdup(type), count };
    return true;
}

void gres_add_list(struct gres_list *list, const struct gres_list *more)
{
    for (uint32_t i = 0; i < more->n; i++)
        gres_add(list, more->at[i].name, more->at[i].type, more->at[i].count);
}

/* Skips the prefix that a request may have. */
static const char *skip_prefix(const char *text)
{
    const char *rest = text;

    return word_starts(text, "gres/", &rest) || word_starts(text, "gres:", &rest) ? rest : text;
}

static bool is_name(const char *text)
{
    return *text && *text != '-' && text[strspn(text, NAME_CHARS)] == '\0';
}

static bool has_empty_part(const char *text)
{
    const size_t n = strlen(text);

    return n == 0 || text[0] == ':' || text[n - 1] == ':' || strstr(text, "::");
}

static int err_form(const char *text, struct err *err)
{
    return err_set(err, EINVAL, "'%.80s' is not NAME[:TYPE][:COUNT]", text);
}

/* Reads "tesla:2", "tesla" or "2", the parts behind the name. */
static int read_rest(const struct words *parts, uint32_t from, const char *text,
                     const char **ret_type, uint64_t *ret_count, struct err *err)
{
    const uint32_t n = parts->n - from;
    struct err why = { 0 };
    int rc = 0;

    *ret_type = NULL;
    *ret_count = 1;
    if (n > 2)
        return err_form(text, err);
    if (n > 0)
        rc = gres_parse_count(parts->at[parts->n - 1], ret_count, &why);
    /* A word such as "1g.5gb" begins like a number, and is a type. */
    if (n == 2 || rc == -EINVAL)
        *ret_type = parts->at[from];
    if (rc == -ERANGE || (rc < 0 && n == 2))
        return err_set(err, why.code, "%.80s: %s", text, why.text);
    return *ret_type && !is_name(*ret_type) ? err_form(text, err) : 0;
}

/* Reads one resource. `name` is NULL when the text has the name. */
static int read_one(struct gres_list *list, const char *name, const char *text, struct err *err)
{
    AUTO(words) struct words parts = words_split(text, ":");
    const char *type;
    uint64_t count;
    int rc;

    if (has_empty_part(text) || (!name && !is_name(parts.at[0])))
        return err_form(text, err);
    rc = read_rest(&parts, name ? 0 : 1, text, &type, &count, err);
    if (rc < 0)
        return rc;
    if (!gres_add(list, name ? name : parts.at[0], type, count))
        return err_set(err, ERANGE, "%.80s: more than %d different ones, or too many", text,
                       GRES_MAX);
    return 0;
}

static int parse(const char *name, const char *text, struct gres_list *ret, struct err *err)
{
    AUTO(words) struct words words = words_split(text ? text : "", ",");
    AUTO(gres) struct gres_list list = { 0 };
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < words.n; i++)
        rc = read_one(&list, name, name ? words.at[i] : skip_prefix(words.at[i]), err);
    if (rc < 0)
        return rc;
    *ret = list;
    list = (struct gres_list){ 0 };
    return 0;
}

int gres_parse(const char *text, struct gres_list *ret, struct err *err)
{
    return parse(NULL, text, ret, err);
}

int gres_parse_of(const char *name, const char *text, struct gres_list *ret, struct err *err)
{
    return parse(name, text, ret, err);
}

void gres_clear(struct gres_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        free(list->at[i].name);
        free(list->at[i].type);
    }
    free(list->at);
    *list = (struct gres_list){ 0 };
}

void gres_auto_(struct gres_list *list)
{
    gres_clear(list);
}

void gres_write(const struct gres_list *list, const char *prefix, struct strbuf *out)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const struct gres *gres = &list->at[i];

        strbuf_addf(out, "%s%s%s%s%s:%llu", i ? "," : "", prefix, gres->name, gres->type ? ":" : "",
                    gres->type ? gres->type : "", (unsigned long long)gres->count);
    }
}

char *gres_format(const struct gres_list *list)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    gres_write(list, "gres/", &out);
    return list->n ? strbuf_steal(&out) : NULL;
}

uint64_t gres_count(const struct gres_list *list, const char *name, const char *type)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < list->n; i++) {
        const struct gres *gres = &list->at[i];

        if (strcmp(gres->name, name) == 0 && (!type || text_is(gres->type, type)))
            count += gres->count;
    }
    return count;
}

bool gres_type_fits(const char *type, const char *found)
{
    return !type || strcasestr(found, type);
}
