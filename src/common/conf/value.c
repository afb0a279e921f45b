#include "common/conf/value.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "common/conf/lines.h"
#include "common/text/duration.h"
#include "common/text/size.h"
#include "common/text/words.h"

#define NUMBER_MAX (UINT32_MAX - 2) /* what lies above has a meaning of its own */

bool conf_is_unlimited(const char *text)
{
    return word_is(text, "INFINITE") || word_is(text, "UNLIMITED") || word_is(text, "INFINITY") ||
           word_is(text, "-1");
}

static void set_text(const char *text, char **slot)
{
    char *copy = text[0] ? xstrdup(text) : NULL;

    free(*slot);
    *slot = copy;
}

static void add_text(const char *text, char **slot)
{
    char *joined;

    if (!*slot || !text[0]) {
        set_text(text, slot);
        return;
    }
    joined = xasprintf("%s,%s", *slot, text);
    free(*slot);
    *slot = joined;
}

static int set_flag(const char *text, bool *slot, struct err *err)
{
    static const char *const yes[] = { "YES", "TRUE", "UP", "1", "ON" };
    static const char *const no[] = { "NO", "FALSE", "DOWN", "0", "OFF" };

    for (size_t i = 0; i < ARRAY_N(yes); i++) {
        if (word_is(text, yes[i]) || word_is(text, no[i])) {
            *slot = word_is(text, yes[i]);
            return 0;
        }
    }
    return err_set(err, EINVAL, "'%s' is neither YES nor NO", text);
}

static int set_number(const struct conf_key *key, const char *text, uint32_t *slot,
                      struct strbuf *remark, struct err *err)
{
    uint64_t max = key->max > NUMBER_MAX ? NUMBER_MAX : key->max;
    uint64_t number;
    int rc;

    if (key->max == UINT32_MAX && conf_is_unlimited(text)) {
        *slot = CONF_UNLIMITED;
        return 0;
    }
    rc = number_parse(text, key->min, key->clamps ? UINT32_MAX : max, &number, err);
    if (rc < 0)
        return rc;
    if (number > max && remark)
        strbuf_addf(remark, "%s=%s is more than %llu, which is used", key->name, text,
                    (unsigned long long)max);
    *slot = (uint32_t)(number > max ? max : number);
    return 0;
}

static int set_minutes(const char *text, uint32_t *slot, struct err *err)
{
    int64_t s;
    int rc = duration_parse(text, &s, err);

    if (rc < 0)
        return rc;
    if (s == DURATION_INFINITE)
        *slot = CONF_UNLIMITED;
    else
        *slot = (uint32_t)duration_minutes(s); /* DURATION_MAX_S keeps it small */
    return 0;
}

static int set_mem(const char *text, bool per_cpu, struct conf_mem *slot, struct err *err)
{
    uint64_t mb = 0;
    int rc = conf_is_unlimited(text) ? 0 : size_parse_mb(text, &mb, err);

    if (rc < 0)
        return rc;
    *slot = (struct conf_mem){ .mb = mb, .per_cpu = per_cpu && mb };
    return 0;
}

static int set_level(const char *text, uint32_t *slot, struct err *err)
{
    enum log_level level;

    if (log_level_parse(text, &level) < 0)
        return err_set(err, EINVAL,
                       "'%s' is no log level: give quiet, fatal, error, info, "
                       "verbose, debug, debug2 to debug5, or 0 to 9",
                       text);
    *slot = level;
    return 0;
}

/*
 * Returns the row of a word, or NULL. What stands before a '/' in the row may be left out of the
 * word.
 */
static const struct conf_word *find_word(const struct conf_word *words, const char *text)
{
    for (; words->word; words++) {
        const char *slash = strchr(words->word, '/');

        if (word_is(text, words->word) || (slash && word_is(text, slash + 1)))
            return words;
    }
    return NULL;
}

static void list_words(const struct conf_word *words, struct strbuf *out)
{
    for (const struct conf_word *word = words; word->word; word++)
        if (word->word[0])
            strbuf_addf(out, "%s%s", word == words ? "" : ", ", word->word);
}

static int set_choice(const struct conf_key *key, const char *text, uint32_t *slot, struct err *err)
{
    const struct conf_word *word = find_word(key->words, text);
    AUTO(strbuf) struct strbuf known = { 0 };

    if (word) {
        *slot = word->value;
        return 0;
    }
    list_words(key->words, &known);
    return err_set(err, EINVAL, "'%s' is none of %s", text, strbuf_text(&known));
}

static void set_plugin(const struct conf_key *key, const char *text, uint32_t *slot,
                       struct strbuf *remark)
{
    const struct conf_word *word = find_word(key->words, text);

    if (word) {
        *slot = word->value;
        return;
    }
    *slot = find_word(key->words, key->def)->value;
    if (remark)
        strbuf_addf(remark, "%s=%s is not known here; %s is used", key->name, text, key->def);
}

static void set_flags(const struct conf_key *key, const char *text, uint32_t *slot,
                      struct strbuf *remark)
{
    AUTO(words) struct words parts = words_split(text, ",");
    AUTO(strbuf) struct strbuf unknown = { 0 };
    uint32_t flags = 0;

    for (uint32_t i = 0; i < parts.n; i++) {
        const struct conf_word *word = find_word(key->words, parts.at[i]);

        flags |= word ? word->value : key->for_unknown;
        if (!word)
            strbuf_addf(&unknown, "%s%s", unknown.len ? "," : "", parts.at[i]);
    }
    *slot = flags;
    if (!unknown.len || !remark)
        return;
    strbuf_addf(remark, "%s: '%s' is not known here and %s; known are ", key->name,
                strbuf_text(&unknown), key->for_unknown ? "taken for all of them" : "left out");
    list_words(key->words, remark);
}

/* Reads words of which none may be wrong. A word that stands for nothing stands alone. */
static int set_strict_flags(const struct conf_key *key, const char *text, uint32_t *slot,
                            struct err *err)
{
    AUTO(words) struct words parts = words_split(text, ",");
    uint32_t flags = 0;

    for (uint32_t i = 0; i < parts.n; i++) {
        const struct conf_word *word = find_word(key->words, parts.at[i]);
        AUTO(strbuf) struct strbuf known = { 0 };

        if (word && (word->value || parts.n == 1)) {
            flags |= word->value;
            continue;
        }
        list_words(key->words, &known);
        return err_set(err, EINVAL,
                       word ? "'%s' does not go with other words; known are %s"
                            : "'%s' is none of %s",
                       parts.at[i], strbuf_text(&known));
    }
    *slot = flags;
    return 0;
}

static int set_ports(const char *text, struct conf_ports *slot, struct err *err)
{
    const char *dash = strchr(text, '-');
    AUTO_FREE char *low = dash ? xstrndup(text, (size_t)(dash - text)) : xstrdup(text);
    uint64_t first;
    uint64_t last;
    int rc;

    if (strcmp(text, "0-0") == 0 || strcmp(text, "0") == 0) {
        *slot = (struct conf_ports){ 0 };
        return 0;
    }
    rc = number_parse(low, 1, 65535, &first, err);
    if (rc < 0)
        return rc;
    last = first;
    rc = dash ? number_parse(dash + 1, first, 65535, &last, err) : 0;
    if (rc < 0)
        return rc;
    *slot = (struct conf_ports){ (uint32_t)first, (uint32_t)last };
    return 0;
}

#define PERCENT_MAX 1000000u /* as Slurm has no bound, one that cannot overflow */

/* Reads "100", "98.5" or "50%" in hundredths; further digits are dropped. */
static int set_percent(const char *text, uint32_t *slot, struct err *err)
{
    const char *at = text + strspn(text, "0123456789");
    AUTO_FREE char *whole = xstrndup(text, (size_t)(at - text));
    uint64_t number = 0;
    uint32_t part = 0;
    int rc = number_parse(whole, 0, PERCENT_MAX, &number, NULL);

    if (*at == '.') {
        size_t n = strspn(++at, "0123456789");

        part = (n > 0 ? (uint32_t)(at[0] - '0') * 10 : 0) + (n > 1 ? (uint32_t)(at[1] - '0') : 0);
        at += n;
    }
    if (rc < 0 || (*at && strcmp(at, "%") != 0))
        return err_set(err, EINVAL, "'%.40s' is not a percentage from 0 to %u", text, PERCENT_MAX);
    *slot = (uint32_t)number * 100 + part;
    return 0;
}

static int set_value(const struct conf_key *key, const char *text, void *slot,
                     struct strbuf *remark, struct err *err)
{
    switch (key->kind) {
    case CONF_TEXT:
    case CONF_USER:
        set_text(text, slot);
        return 0;
    case CONF_LIST:
        add_text(text, slot);
        return 0;
    case CONF_YES_NO:
    case CONF_ON_OFF:
        return set_flag(text, slot, err);
    case CONF_NUMBER:
        return set_number(key, text, slot, remark, err);
    case CONF_PERCENT:
        return set_percent(text, slot, err);
    case CONF_TIME_LIMIT:
    case CONF_PERIOD:
        return set_minutes(text, slot, err);
    case CONF_MB:
        return size_parse_mb(text, slot, err);
    case CONF_MEM_NODE:
        return set_mem(text, false, slot, err);
    case CONF_MEM_CPU:
        return set_mem(text, true, slot, err);
    case CONF_LEVEL:
        return set_level(text, slot, err);
    case CONF_CHOICE:
        return set_choice(key, text, slot, err);
    case CONF_PLUGIN:
        set_plugin(key, text, slot, remark);
        return 0;
    case CONF_FLAGS:
        set_flags(key, text, slot, remark);
        return 0;
    case CONF_STRICT_FLAGS:
        return set_strict_flags(key, text, slot, err);
    case CONF_PORTS:
        return set_ports(text, slot, err);
    case CONF_SHARING:
        return oversubscribe_parse(text, slot, err);
    case CONF_AGE:
        return conf_age_parse(text, slot, err);
    case CONF_HOSTS:
    case CONF_RECORD:
    case CONF_RUNTIME:
        break;
    }
    assert(false && "a key whose kind has no value");
    return -EINVAL;
}

int conf_value_set(const struct conf_key *key, const char *text, void *slot, struct strbuf *remark,
                   struct err *err)
{
    struct err why = { 0 };
    int rc = set_value(key, text, slot, remark, &why);

    if (rc < 0)
        return err_set(err, -rc, "%s: %s", key->name, why.text);
    return 0;
}

static bool owns_text(const struct conf_key *key)
{
    return key->kind == CONF_TEXT || key->kind == CONF_LIST || key->kind == CONF_USER;
}

void conf_value_clear(const struct conf_key *key, void *slot)
{
    if (!owns_text(key))
        return;
    free(*(char **)slot);
    *(char **)slot = NULL;
}

void *conf_value_slot(const struct conf_key *key, void *base)
{
    return key->at == CONF_NO_FIELD ? NULL : (char *)base + key->at;
}

static void preset(const struct conf_key *key, void *slot)
{
    if (key->def) {
        int rc = conf_value_set(key, key->def, slot, NULL, NULL);

        assert(rc == 0); /* a default that its own row refuses; the table test finds it */
        (void)rc;
    } else if (key->kind == CONF_NUMBER || key->kind == CONF_TIME_LIMIT ||
               key->kind == CONF_LEVEL || key->kind == CONF_PERIOD) {
        *(uint32_t *)slot = CONF_UNSET;
    } else if (key->kind == CONF_MB) {
        *(uint64_t *)slot = CONF_MB_UNSET;
    }
}

/* Returns whether a row is another name for the slot of a row before it. */
static bool is_alias(const struct conf_key *table, const struct conf_key *key)
{
    for (; table != key; table++)
        if (table->at == key->at)
            return true;
    return false;
}

/* Goes backwards, because the first of several rows that share a slot decides its default. */
void conf_values_preset(const struct conf_key *table, void *base)
{
    const struct conf_key *key = table;

    while (key->name)
        key++;
    while (key > table) {
        key--;
        if (key->at != CONF_NO_FIELD)
            preset(key, conf_value_slot(key, base));
    }
}

void conf_values_clear(const struct conf_key *table, void *base)
{
    for (const struct conf_key *key = table; key->name; key++)
        if (key->at != CONF_NO_FIELD)
            conf_value_clear(key, conf_value_slot(key, base));
}

void conf_values_copy(const struct conf_key *table, const void *from, void *to)
{
    static const size_t sizes[] = {
        [CONF_YES_NO] = sizeof(bool),
        [CONF_ON_OFF] = sizeof(bool),
        [CONF_NUMBER] = sizeof(uint32_t),
        [CONF_TIME_LIMIT] = sizeof(uint32_t),
        [CONF_PERIOD] = sizeof(uint32_t),
        [CONF_PERCENT] = sizeof(uint32_t),
        [CONF_MB] = sizeof(uint64_t),
        [CONF_MEM_NODE] = sizeof(struct conf_mem),
        [CONF_MEM_CPU] = sizeof(struct conf_mem),
        [CONF_LEVEL] = sizeof(uint32_t),
        [CONF_CHOICE] = sizeof(uint32_t),
        [CONF_PLUGIN] = sizeof(uint32_t),
        [CONF_FLAGS] = sizeof(uint32_t),
        [CONF_STRICT_FLAGS] = sizeof(uint32_t),
        [CONF_PORTS] = sizeof(struct conf_ports),
        [CONF_SHARING] = sizeof(struct oversubscribe),
        [CONF_AGE] = sizeof(struct conf_age),
        [CONF_RUNTIME] = 0,
    };

    for (const struct conf_key *key = table; key->name; key++) {
        if (key->at == CONF_NO_FIELD || is_alias(table, key))
            continue;
        if (owns_text(key))
            *(char **)conf_value_slot(key, to) =
                xstrdup(*(char *const *)((const char *)from + key->at));
        else
            memcpy(conf_value_slot(key, to), (const char *)from + key->at, sizes[key->kind]);
    }
}
