#include "common/text/licenses.h"

#include <errno.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/text/words.h"

#define COUNT_MAX  65534
#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.@/+"

static struct license *find(const struct licenses *list, const char *name)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (strcmp(list->at[i].name, name) == 0)
            return &list->at[i];
    return NULL;
}

static int add(struct licenses *list, const char *name, uint32_t count, struct err *err)
{
    struct license *license = find(list, name);

    if (license && count > COUNT_MAX - license->count)
        return err_set(err, ERANGE, "license %s: more than %d", name, COUNT_MAX);
    if (license) {
        license->count += count;
        return 0;
    }
    if (list->n == LICENSES_MAX)
        return err_set(err, ERANGE, "more than %d licenses", LICENSES_MAX);
    *ARRAY_PUSH(list->at, list->n) = (struct license){ xstrdup(name), count };
    return 0;
}

static int parse_one(struct licenses *list, const char *text, struct err *err)
{
    const size_t n = strspn(text, NAME_CHARS);
    AUTO_FREE char *name = xstrndup(text, n);
    struct err why = { 0 };
    uint64_t count = 1;

    if (n == 0 || (text[n] && text[n] != ':'))
        return err_set(err, EINVAL, "'%.80s' is not NAME or NAME:COUNT", text);
    if (text[n] && number_parse(text + n + 1, 0, COUNT_MAX, &count, &why) < 0)
        return err_set(err, why.code, "license %.80s: %s", name, why.text);
    return add(list, name, (uint32_t)count, err);
}

int licenses_parse(const char *text, struct licenses *ret, struct err *err)
{
    AUTO(words) struct words words = words_split(text ? text : "", ",;");
    AUTO(licenses) struct licenses list = { 0 };
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < words.n; i++)
        rc = parse_one(&list, words.at[i], err);
    if (rc < 0)
        return rc;
    *ret = list;
    list = (struct licenses){ 0 };
    return 0;
}

void licenses_clear(struct licenses *licenses)
{
    for (uint32_t i = 0; i < licenses->n; i++)
        free(licenses->at[i].name);
    free(licenses->at);
    *licenses = (struct licenses){ 0 };
}

void licenses_auto_(struct licenses *licenses)
{
    licenses_clear(licenses);
}

uint32_t licenses_count(const struct licenses *licenses, const char *name)
{
    const struct license *license = find(licenses, name);

    return license ? license->count : 0;
}
