#include "cli/sacctmgr/qos_value.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sacctmgr/choice.h"
#include "common/text/duration.h"

#define MILLION 1000000

enum {
    KEY_DESCRIPTION,
    KEY_FLAGS,
    KEY_GRACE_TIME,
    KEY_LIMIT_FACTOR,
    KEY_PREEMPT,
    KEY_PREEMPT_EXEMPT_TIME,
    KEY_PREEMPT_MODE,
    KEY_PRIORITY,
    KEY_RAW_USAGE,
    KEY_USAGE_FACTOR,
    KEY_USAGE_THRESHOLD
};

static const struct acct_key keys[] = {
    { "Description", 1, KEY_DESCRIPTION },
    { "Flags", 2, KEY_FLAGS },
    { "GraceTime", 3, KEY_GRACE_TIME },
    { "LimitFactor", 6, KEY_LIMIT_FACTOR },
    { "Preempt", 7, KEY_PREEMPT },
    { "PreemptExemptTime", 8, KEY_PREEMPT_EXEMPT_TIME },
    { "PreemptMode", 8, KEY_PREEMPT_MODE },
    { "Priority", 3, KEY_PRIORITY },
    { "RawUsage", 7, KEY_RAW_USAGE },
    { "UsageFactor", 6, KEY_USAGE_FACTOR },
    { "UsageThreshold", 6, KEY_USAGE_THRESHOLD },
};

/* ---- one value ---- */

/* Sets a description in small letters, as Slurm does. */
static void set_description(const char *value, struct qos_record *record)
{
    xstrset(&record->description, value);
    for (char *at = record->description; *at; at++)
        *at = (char)tolower((unsigned char)*at);
}

static int bad_flags(const struct acct_word *word, struct err *err)
{
    AUTO(strbuf) struct strbuf all = { 0 };

    qos_flags_format(UINT32_MAX, &all);
    return err_set(err, EINVAL,
                   " Unknown QOS flag used in:\n  '%.200s'\n Valid QOS flags are\n  '%s'",
                   word->value, strbuf_text(&all));
}

static int set_flags(const struct acct_word *word, struct qos_record *record, struct err *err)
{
    AUTO(words) struct words names = words_split(word->value, ",");
    uint32_t flags = 0;

    if (word->operation == ACCT_IS && limit_is_cleared(word->value)) {
        record->flags = 0;
        return 0;
    }
    for (uint32_t i = 0; i < names.n; i++) {
        const char *name = names.at[i] + (*names.at[i] == '+'); /* Slurm takes no notice of it */
        const uint32_t flag = qos_flag_find(name);

        if (*name == '-' && qos_flag_find(name + 1))
            return err_set(err, EINVAL,
                           " A flag is taken away by Flags-=%s (Slurm would set it here)",
                           name + 1);
        if (!flag)
            return bad_flags(word, err);
        flags |= flag;
    }
    if (names.n == 0)
        return bad_flags(word, err);
    record->flags = word->operation == ACCT_IS     ? flags
                    : word->operation == ACCT_PLUS ? record->flags | flags
                                                   : record->flags & ~flags;
    return 0;
}

/* Reads a number; below zero and nothing at all are `unset`. */
static int set_number(const char *name, const char *value, uint32_t unset, uint32_t *ret,
                      struct err *err)
{
    uint64_t number;

    if (!*value || limit_is_cleared(value)) {
        *ret = unset;
        return 0;
    }
    if (number_parse(value, 0, COUNT_UNSET - 1, &number, NULL) < 0)
        return err_set(err, EINVAL, "Invalid value for %s (%.100s)", name, value);
    *ret = (uint32_t)number;
    return 0;
}

/* Reads a decimal number as millionths; below zero it is `unset`. */
static int set_millionths(const char *name, const char *value, uint32_t unset, uint32_t *ret,
                          struct err *err)
{
    char *end;
    double number;

    if (limit_is_cleared(value)) {
        *ret = unset;
        return 0;
    }
    number = strtod(value, &end);
    if (end == value || *end || !(number >= 0))
        return err_set(err, EINVAL, "Invalid value for %s (%.100s)", name, value);
    if (number * MILLION > COUNT_UNSET - 2)
        return err_set(err, EINVAL, "Invalid value for %s (%.100s): more than %u", name, value,
                       (COUNT_UNSET - 2) / MILLION);
    *ret = (uint32_t)(number * MILLION + 0.5);
    return 0;
}

static int set_usage_factor(const char *value, struct qos_record *record, struct err *err)
{
    uint32_t millionths;
    int rc = set_millionths("UsageFactor", value, MILLION, &millionths, err);

    if (rc == 0)
        record->usage_factor_above_1 = (int64_t)millionths - MILLION;
    return rc;
}

static int set_exempt_time(const struct acct_word *word, struct qos_record *record, struct err *err)
{
    int64_t seconds;

    if (duration_parse(word->value, &seconds, NULL) < 0)
        return err_set(err, EINVAL, " Bad PreemptExemptTime time format: %.100s", word->text);
    record->preempt_exempt_time = seconds == DURATION_INFINITE ? COUNT_UNSET : (uint32_t)seconds;
    return 0;
}

/* Reads seconds. Of "1:00" Slurm would read the 1 alone, and say nothing. */
static int set_grace_time(const char *value, struct qos_record *record, struct err *err)
{
    int64_t seconds;

    if (strpbrk(value, ":-") && !limit_is_cleared(value) &&
        duration_parse(value, &seconds, NULL) == 0 && seconds >= 0)
        return err_set(err, EINVAL,
                       "Invalid value for GraceTime (%.100s): it is in seconds, as GraceTime=%lld",
                       value, (long long)seconds);
    return set_number("GraceTime", value, COUNT_UNSET, &record->grace_time, err);
}

static int set_preempt_mode(const struct acct_word *word, struct qos_record *record,
                            struct err *err)
{
    const int mode = qos_preempt_mode_find(word->value);

    if (mode < 0)
        return err_set(err, EINVAL, " Bad Preempt Mode given: %.100s", word->text);
    record->preempt_mode = (uint32_t)mode;
    return 0;
}

/* ---- Preempt ---- */

static void drop_preempt(struct qos_record *record, const char *name)
{
    for (uint32_t i = 0; i < record->preempt_n; i++) {
        if (strcmp(record->preempt[i], name) != 0)
            continue;
        free(record->preempt[i]);
        record->preempt_n--;
        memmove(&record->preempt[i], &record->preempt[i + 1],
                (record->preempt_n - i) * sizeof(*record->preempt));
        return;
    }
}

static uint32_t id_of(const struct book *book, const char *name)
{
    const struct qos_record *qos = book_any_qos(book, name);

    return qos ? qos->id : 0;
}

/* Adds a name where it stands by the numbers of QOS. */
static void add_preempt(const struct book *book, struct qos_record *record, const char *name)
{
    uint32_t at;

    drop_preempt(record, name);
    ARRAY_PUSH(record->preempt, record->preempt_n);
    for (at = record->preempt_n - 1;
         at > 0 && id_of(book, record->preempt[at - 1]) > id_of(book, name); at--)
        record->preempt[at] = record->preempt[at - 1];
    record->preempt[at] = xstrdup(name);
}

static int set_preempt(const struct book *book, const struct acct_word *word,
                       struct qos_record *record, struct err *err)
{
    AUTO(words) struct words names = { 0 };

    if (!limit_is_cleared(word->value))
        acct_names_add(&names, word->value);
    for (uint32_t i = 0; i < names.n; i++) {
        if (!book_qos(book, names.at[i]))
            return choice_bad_qos(book, names.at[i], err);
    }
    while (word->operation == ACCT_IS && record->preempt_n)
        free(record->preempt[--record->preempt_n]);
    for (uint32_t i = 0; i < names.n; i++) {
        if (word->operation == ACCT_MINUS)
            drop_preempt(record, names.at[i]);
        else
            add_preempt(book, record, names.at[i]);
    }
    return 0;
}

/* ---- all values ---- */

static int apply_key(const struct book *book, int key, const struct acct_word *word,
                     struct qos_record *record, struct err *err)
{
    const char *value = word->value;

    switch (key) {
    case KEY_DESCRIPTION:
        set_description(value, record);
        return 0;
    case KEY_FLAGS:
        return set_flags(word, record, err);
    case KEY_GRACE_TIME:
        return set_grace_time(value, record, err);
    case KEY_LIMIT_FACTOR:
        return set_millionths("LimitFactor", value, COUNT_UNSET, &record->limit_factor, err);
    case KEY_PREEMPT:
        return set_preempt(book, word, record, err);
    case KEY_PREEMPT_EXEMPT_TIME:
        return set_exempt_time(word, record, err);
    case KEY_PREEMPT_MODE:
        return set_preempt_mode(word, record, err);
    case KEY_PRIORITY:
        return set_number("Priority", value, 0, &record->priority, err);
    case KEY_USAGE_FACTOR:
        return set_usage_factor(value, record, err);
    case KEY_USAGE_THRESHOLD:
        return set_millionths("UsageThreshold", value, COUNT_UNSET, &record->usage_threshold, err);
    default:
        return acct_forget_usage(word->value, &record->usage_resets, err);
    }
}

int qos_apply(const struct book *book, const struct acct_word *word, struct qos_record *record,
              struct err *err)
{
    const struct limit_row *row = word->key ? limit_find(word->key, LIMIT_OF_QOS) : NULL;
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : -1;
    int rc;

    if (key >= 0)
        rc = apply_key(book, key, word, record, err);
    else if (row)
        rc = limit_set(book, row, LIMIT_OF_QOS, word, record, err);
    else
        return 0;
    return rc < 0 ? rc : 1;
}

void qos_apply_all(const struct book *book, const struct acct_words *words,
                   struct qos_record *record)
{
    for (uint32_t i = 0; i < words->n; i++)
        qos_apply(book, &words->at[i], record, NULL);
}

/* ---- Settings ---- */

#define NAME_FORMAT "  %-24s = "

static void show_names(const struct qos_record *record, struct strbuf *out)
{
    strbuf_addf(out, NAME_FORMAT, "Preempt");
    for (uint32_t i = 0; i < record->preempt_n; i++)
        strbuf_addf(out, "%s%s", i ? "," : "", record->preempt[i]);
    strbuf_addc(out, '\n');
}

static void show_mode(const struct qos_record *record, struct strbuf *out)
{
    strbuf_addf(out, NAME_FORMAT, "PreemptMode");
    for (const char *at = qos_preempt_mode_name(record->preempt_mode); *at; at++)
        strbuf_addc(out, (char)toupper((unsigned char)*at));
    strbuf_addc(out, '\n');
}

static void show_millionths(const char *name, int64_t millionths, struct strbuf *out)
{
    strbuf_addf(out, NAME_FORMAT "%.4f\n", name, (double)millionths / MILLION);
}

static void show_preemption(const struct qos_record *record, struct strbuf *out)
{
    if (record->preempt_n)
        show_names(record, out);
    if (record->preempt_mode != QOS_PREEMPT_CLUSTER)
        show_mode(record, out);
    if (record->preempt_exempt_time != COUNT_UNSET) {
        strbuf_addf(out, NAME_FORMAT, "PreemptExemptTime");
        duration_format(out, record->preempt_exempt_time);
        strbuf_addc(out, '\n');
    }
}

void qos_values_show(const struct book *book, const struct qos_record *record, struct strbuf *out)
{
    if (record->flags) {
        strbuf_addf(out, NAME_FORMAT, "Flags");
        qos_flags_format(record->flags, out);
        strbuf_addc(out, '\n');
    }
    if (record->grace_time != COUNT_UNSET)
        strbuf_addf(out, NAME_FORMAT "%u\n", "GraceTime", record->grace_time);
    limits_show(book, LIMIT_OF_QOS, record, out);
    show_preemption(record, out);
    if (record->priority)
        strbuf_addf(out, NAME_FORMAT "%u\n", "Priority", record->priority);
    if (record->usage_factor_above_1)
        show_millionths("UsageFactor", record->usage_factor_above_1 + MILLION, out);
    if (record->usage_threshold != COUNT_UNSET)
        show_millionths("UsageThreshold", record->usage_threshold, out);
    if (record->limit_factor != COUNT_UNSET)
        show_millionths("LimitFactor", record->limit_factor, out);
}
