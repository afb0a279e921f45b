#include "cli/sacctmgr/assoc.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/choice.h"

enum { KEY_COMMENT, KEY_DEFAULT_QOS, KEY_SHARES, KEY_PRIORITY, KEY_QOS, KEY_RAW_USAGE };

static const struct acct_key keys[] = {
    { "Comment", 3, KEY_COMMENT },    { "DefaultQOS", 8, KEY_DEFAULT_QOS },
    { "FairShare", 1, KEY_SHARES },   { "Shares", 1, KEY_SHARES },
    { "Priority", 3, KEY_PRIORITY },  { "QosLevel", 1, KEY_QOS },
    { "RawUsage", 4, KEY_RAW_USAGE },
};

static int set_default_qos(const struct book *book, const char *value, struct assoc_record *record,
                           struct err *err)
{
    AUTO(words) struct words names = { 0 };

    free(STEAL(record->default_qos));
    if (strcmp(value, "-1") == 0)
        return 0;
    acct_names_add(&names, value);
    if (names.n == 0 || !book_qos(book, names.at[0]))
        return err_set(err, E_QOS,
                       "You gave a bad default qos '%s'.  Use 'list qos' to get complete list.",
                       value);
    record->default_qos = xstrdup(names.at[0]);
    return 0;
}

static void drop_name(struct assoc_record *record, const char *name)
{
    for (uint32_t i = 0; i < record->qos_n; i++) {
        if (strcmp(record->qos[i], name) != 0)
            continue;
        free(record->qos[i]);
        record->qos_n--;
        memmove(&record->qos[i], &record->qos[i + 1], (record->qos_n - i) * sizeof(*record->qos));
        return;
    }
}

/* Adds to or takes from a list of its own, or notes how it differs from the account's above. */
static void change_qos(struct assoc_record *record, const char *name, char sign)
{
    const bool is_own = record->qos_n && !qos_has_sign(record->qos[0]);
    AUTO_FREE char *added = xasprintf("+%s", name);
    AUTO_FREE char *taken = xasprintf("-%s", name);

    drop_name(record, is_own ? name : added);
    drop_name(record, taken);
    if (is_own && sign == '-')
        return;
    *ARRAY_PUSH(record->qos, record->qos_n) = xstrdup(is_own ? name : sign == '+' ? added : taken);
}

static int set_qos(const struct book *book, const struct acct_word *word,
                   struct assoc_record *record, struct err *err)
{
    AUTO(words) struct words names = { 0 };

    acct_names_add(&names, word->value);
    if (word->operation == ACCT_IS && !(names.n && qos_has_sign(names.at[0]))) {
        while (record->qos_n)
            free(record->qos[--record->qos_n]);
    }
    for (uint32_t i = 0; i < names.n && strcmp(names.at[0], "-1") != 0; i++) {
        const char *name = names.at[i];
        const char own = qos_has_sign(name) ? *name++ : 0;

        if (!book_qos(book, name))
            return choice_bad_qos(book, name, err);
        if (own || word->operation != ACCT_IS)
            change_qos(record, name, own ? own : (char)word->operation);
        else
            *ARRAY_PUSH(record->qos, record->qos_n) = xstrdup(name);
    }
    return 0;
}

static int set_number(const char *name, const char *value, uint32_t *ret, struct err *err)
{
    uint64_t number;

    if (strcmp(value, "-1") == 0) {
        *ret = COUNT_UNSET;
        return 0;
    }
    if (number_parse(value, 0, COUNT_UNSET - 1, &number, NULL) < 0)
        return err_set(err, EINVAL, "Invalid value for %s (%s)", name, value);
    *ret = (uint32_t)number;
    return 0;
}

static int set_shares(const char *value, struct assoc_record *record, struct err *err)
{
    if (word_is(value, "parent")) {
        record->shares = SHARES_PARENT;
        return 0;
    }
    return set_number("FairShare", value, &record->shares, err);
}

static int apply_key(const struct book *book, int key, const struct acct_word *word,
                     struct assoc_record *record, struct err *err)
{
    switch (key) {
    case KEY_COMMENT:
        xstrset(&record->comment, *word->value ? word->value : NULL);
        return 0;
    case KEY_DEFAULT_QOS:
        return set_default_qos(book, word->value, record, err);
    case KEY_SHARES:
        return set_shares(word->value, record, err);
    case KEY_PRIORITY:
        return set_number("Priority", word->value, &record->priority, err);
    case KEY_RAW_USAGE:
        return acct_forget_usage(word->value, &record->usage_resets, err);
    default:
        return set_qos(book, word, record, err);
    }
}

int assoc_apply(const struct book *book, const struct acct_word *word, struct assoc_record *record,
                struct err *err)
{
    const struct limit_row *row = word->key ? limit_find(word->key, LIMIT_OF_ASSOC) : NULL;
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : -1;
    int rc = 0;

    if (row && limit_is_list(row, LIMIT_OF_ASSOC) && !*word->value)
        return 0; /* Slurm knows such a word as little */
    if ((row || key == KEY_SHARES || key == KEY_PRIORITY) && !*word->value)
        return 1; /* an empty value says nothing */
    if (row)
        rc = limit_set(book, row, LIMIT_OF_ASSOC, word, record, err);
    else if (key >= 0)
        rc = apply_key(book, key, word, record, err);
    else
        return 0;
    return rc < 0 ? rc : 1;
}

void assoc_values_init(struct assoc_values *values)
{
    *values = (struct assoc_values){ 0 };
    assoc_record_init(&values->record);
}

void assoc_values_clear(struct assoc_values *values)
{
    free(values->words.at);
    assoc_record_clear(&values->record);
}

/* Returns whether an error about the word's value tells all: of amounts it names TRES and amount,
 * and RawUsage is known. Of other words Slurm goes on to say that it does not know them. */
static bool is_known_amiss(const struct acct_word *word)
{
    const struct limit_row *row = limit_find(word->key, LIMIT_OF_ASSOC);

    return row ? limit_is_list(row, LIMIT_OF_ASSOC)
               : acct_key_find(keys, ARRAY_N(keys), word->key) == KEY_RAW_USAGE;
}

int assoc_values_take(struct mgr *mgr, const struct book *book, const struct acct_word *word,
                      struct assoc_values *values)
{
    struct err err = { 0 };
    const int rc = assoc_apply(book, word, &values->record, &err);

    if (rc > 0) {
        *ARRAY_PUSH(values->words.at, values->words.n) = *word;
        return 1;
    }
    if (rc == -E_QOS) {
        fflush(stdout);
        fprintf(stderr, "%s\n", err.text);
        mgr->status = 1;
        return -1;
    }
    if (rc == 0)
        return 0;
    mgr_refuse_value(mgr, &err);
    return is_known_amiss(word) ? -1 : 0;
}

void assoc_apply_all(const struct book *book, const struct acct_words *words,
                     struct assoc_record *record)
{
    for (uint32_t i = 0; i < words->n; i++)
        assoc_apply(book, &words->at[i], record, NULL);
}

void assoc_values_apply(const struct book *book, const struct assoc_values *values,
                        bool names_cluster, struct assoc_record *record)
{
    const uint32_t resets = record->usage_resets;

    assoc_apply_all(book, &values->words, record);
    if (!names_cluster && strcmp(record->cluster, book->cluster) != 0)
        record->usage_resets = resets;
}

void assoc_say_reset(const struct book *book, const struct assoc_values *values, bool names_cluster)
{
    if (values->record.usage_resets && !names_cluster)
        printf("No cluster specified, resetting on local cluster %s\n", book->cluster);
}

static void show_qos(const struct assoc_record *record, struct strbuf *out)
{
    AUTO(words) struct words names = { 0 };

    for (uint32_t i = 0; i < record->qos_n; i++)
        words_add(&names, record->qos[i], ",");
    choice_sort(&names);
    if (names.n)
        strbuf_addf(out, "  %-13s = ", "QOS");
    for (uint32_t i = 0; i < names.n; i++)
        strbuf_addf(out, "%s%s", names.at[i], i + 1 < names.n ? "," : "\n");
}

void assoc_show(const struct book *book, const struct assoc_record *record, struct strbuf *out)
{
    if (record->shares == SHARES_PARENT)
        strbuf_addf(out, "  %-13s = parent\n", "Fairshare");
    else if (record->shares != COUNT_UNSET)
        strbuf_addf(out, "  %-13s = %u\n", "Fairshare", record->shares);
    limits_show(book, LIMIT_OF_ASSOC, record, out);
    if (record->parent)
        strbuf_addf(out, "  %-13s = %s\n", "Parent", record->parent);
    if (record->priority != COUNT_UNSET)
        strbuf_addf(out, "  %-13s = %u\n", "Priority", record->priority);
    show_qos(record, out);
    if (record->default_qos)
        strbuf_addf(out, "  %-13s = %s\n", "DefQOS", record->default_qos);
}

struct assoc_record assoc_of(const char *cluster, const char *account, const char *user,
                             const char *partition)
{
    struct assoc_record record;

    assoc_record_init(&record);
    record.cluster = xstrdup(cluster);
    record.account = xstrdup(account);
    record.user = user ? xstrdup(user) : NULL;
    record.partition = partition && *partition ? xstrdup(partition) : NULL;
    return record;
}
