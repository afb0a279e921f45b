/* entity_assoc.c - scontrol show assoc_mgr: users, associations and QOS that the controller knows
   from a database of accounts. There is no such database, and so there are none. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/scontrol/session.h"
#include "common/text/words.h"

#define INVALID_FLAG "invalid flag '%s', valid options are 'Assoc, QOS, and/or Users'"

struct kind {
    const char *flag, *title;
};

static const struct kind kinds[] = {
    { "Users", "users" },
    { "Assoc", "associations" },
    { "QOS", "QOS" },
};

static bool is_kind(const char *word)
{
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (word_is(kinds[i].flag, word))
            return true;
    }
    return false;
}

static bool add_flags(struct scontrol *session, const char *text, struct words *flags)
{
    const uint32_t before = flags->n;

    words_add(flags, text, ",");
    for (uint32_t i = before; i < flags->n; i++) {
        if (is_kind(flags->at[i]))
            continue;
        session_refuse(session, INVALID_FLAG, flags->at[i]);
        return false;
    }
    if (flags->n == before)
        session_refuse(session, INVALID_FLAG, text);
    return flags->n > before;
}

/* Reads a word, which may be cut short. users=, accounts= and qos= choose among nothing. */
static bool read_word(struct scontrol *session, const char *word, struct words *flags)
{
    static const char *const names[] = { "users", "accounts", "qos", "flags" };
    const char *equals = strchr(word, '=');
    const size_t n = equals ? (size_t)(equals - word) : strlen(word);

    if (!equals || !equals[1]) {
        session_refuse(session, "No value given for option %s", word);
        return false;
    }
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (n > 0 && n <= strlen(names[i]) && strncasecmp(word, names[i], n) == 0)
            return strcmp(names[i], "flags") != 0 || add_flags(session, equals + 1, flags);
    }
    session_refuse(session, "invalid entity: %s for keyword:show assoc_mgr", word);
    return false;
}

void show_assoc_mgr(struct scontrol *session, char *const *words, int n)
{
    const bool in_one_line = session->options.one_line;
    AUTO(words) struct words flags = { 0 };

    for (int i = 0; i < n; i++) {
        if (!read_word(session, words[i], &flags))
            return;
    }
    if (!session_connect(session, "slurm_load_assoc_mgr_info"))
        return;
    printf("Current Association Manager state\n");
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (flags.n == 0 || words_have(&flags, kinds[i].flag))
            printf("%sNo %s currently cached in Slurm.\n%s", in_one_line ? "" : "\n",
                   kinds[i].title, in_one_line ? "" : "\n");
    }
}
