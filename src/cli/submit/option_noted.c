/*
 * option_noted.c - options that are checked as Slurm checks them, and kept where the job's
 * variables show them, but that have no effect here.
 */
#include "cli/submit/option_table.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/text/duration.h"
#include "common/text/words.h"

static bool is_number(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

/* Returns the word of the list that `text` is, or NULL. */
static const char *find_word(const char *text, const char *const *words, size_t words_n)
{
    for (size_t i = 0; i < words_n; i++)
        if (word_is(text, words[i]))
            return words[i];
    return NULL;
}

/* Sets "30" or "task=30,energy=10". */
int option_set_acctg_freq(struct submit_options *options, const struct option_row *row,
                          const char *value, struct err *err)
{
    static const char *const kinds[] = { "task", "energy", "network", "filesystem" };
    AUTO(words) struct words items = words_split(value, ",");

    for (uint32_t i = 0; i < items.n; i++) {
        const char *number = strchr(items.at[i], '=');
        AUTO_FREE char *kind = xstrndup(items.at[i], number ? (size_t)(number - items.at[i]) : 0);

        if ((number && !find_word(kind, kinds, ARRAY_N(kinds))) ||
            !is_number(number ? number + 1 : items.at[i]))
            return err_set(err, EINVAL, "Invalid --%s specification: %.100s", row->name, value);
    }
    return option_set_text(options, row, value, err);
}

static int add_frequency(const char *text, const char *const *words, size_t words_n,
                         struct strbuf *out)
{
    const char *word = find_word(text, words, words_n);

    if (!word && !is_number(text))
        return -EINVAL;
    strbuf_adds(out, word ? word : text);
    return 0;
}

/*
 * Appends "P1[-P2][:GOVERNOR]" or "GOVERNOR", with the words as Slurm spells them in the job's
 * variable.
 */
static int format_frequency(const char *value, struct strbuf *out)
{
    static const char *const speeds[] = { "Low", "Medium", "High", "Highm1" };
    static const char *const governors[] = { "Conservative", "OnDemand",  "Performance",
                                             "PowerSave",    "SchedUtil", "UserSpace" };
    const char *colon = strchr(value, ':');
    AUTO_FREE char *range = xstrndup(value, colon ? (size_t)(colon - value) : strlen(value));
    char *dash = strchr(range, '-');
    int rc;

    if (!colon && find_word(value, governors, ARRAY_N(governors))) {
        strbuf_adds(out, find_word(value, governors, ARRAY_N(governors)));
        return 0;
    }
    if (dash)
        *dash = '\0';
    rc = add_frequency(range, speeds, ARRAY_N(speeds), out);
    if (rc == 0 && dash) {
        strbuf_addc(out, '-');
        rc = add_frequency(dash + 1, speeds, ARRAY_N(speeds), out);
    }
    if (rc == 0 && colon) {
        const char *governor = find_word(colon + 1, governors, ARRAY_N(governors));

        strbuf_addf(out, ":%s", governor ? governor : "");
        rc = governor ? 0 : -EINVAL;
    }
    return rc;
}

int option_set_cpu_freq(struct submit_options *options, const struct option_row *row,
                        const char *value, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (format_frequency(value, &text) < 0)
        return err_set(err, EINVAL, "unrecognized --%s argument \"%.100s\"\nInvalid --%s argument",
                       row->name, value, row->name);
    return option_set_text(options, row, strbuf_text(&text), err);
}

/* Sets the kinds in the order, and with the names, that Slurm gives them in the job's variable. */
int option_set_profile(struct submit_options *options, const struct option_row *row,
                       const char *value, struct err *err)
{
    static const char *const kinds[] = { "Energy", "Lustre", "Network", "Task" };
    AUTO(words) struct words asked = words_split(value, ",");
    AUTO(strbuf) struct strbuf text = { 0 };
    bool all = words_have(&asked, "all"), none = words_have(&asked, "none");

    for (uint32_t i = 0; i < asked.n; i++)
        if (!find_word(asked.at[i], kinds, ARRAY_N(kinds)) && !word_is(asked.at[i], "all") &&
            !word_is(asked.at[i], "none") && !word_is(asked.at[i], "filesystem"))
            return err_set(err, EINVAL, "invalid --%s=%.100s option", row->name, value);
    for (size_t i = 0; i < ARRAY_N(kinds) && !none; i++)
        if (all || words_have(&asked, kinds[i]) || (i == 1 && words_have(&asked, "filesystem")))
            strbuf_addf(&text, "%s%s", text.len ? "," : "", kinds[i]);
    return option_set_text(options, row, none ? "None" : strbuf_text(&text), err);
}

int option_set_delay_boot(struct submit_options *options, const struct option_row *row,
                          const char *value, struct err *err)
{
    int64_t seconds;

    (void)options;
    if (duration_parse(value, &seconds, NULL) < 0)
        return err_set(err, EINVAL, "Invalid --%s specification", row->name);
    return 0;
}

int option_set_wait_all_nodes(struct submit_options *options, const struct option_row *row,
                              const char *value, struct err *err)
{
    (void)options;
    if (strcmp(value, "0") == 0 || strcmp(value, "1") == 0)
        return 0;
    return err_set(err, ERANGE, "Invalid numeric value \"%.100s\" for --%s.", value, row->name);
}

int option_set_reboot(struct submit_options *options, const struct option_row *row,
                      const char *value, struct err *err)
{
    if (geteuid() == 0)
        return option_set_flag(options, row, value, err);
    return err_set(err, EPERM,
                   "rebooting of nodes is only allowed for admins\n"
                   "Batch job submission failed: %s",
                   err_string(E_ACCESS));
}
