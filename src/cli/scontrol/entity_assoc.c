/* entity_assoc.c - scontrol show assoc_mgr: users, associations and QOS that the controller knows
 * from a database of accounts. There is none, and so there are none. */
#include <stdio.h>

#include "cli/scontrol/session.h"
#include "common/text/words.h"

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

/* users=, accounts= and qos= choose among nothing; flags= says which kinds are wanted. */
static bool read_choice(struct scontrol *session, const char *id, struct words *ret_flags)
{
    const char *flags = NULL;

    if (!id || word_starts(id, "users=", NULL) || word_starts(id, "accounts=", NULL) ||
        word_starts(id, "qos=", NULL))
        return true;
    if (!word_starts(id, "flags=", &flags)) {
        session_refuse(session, "invalid entity: %s for keyword:show assoc_mgr", id);
        return false;
    }
    *ret_flags = words_split(flags, ",");
    for (uint32_t i = 0; i < ret_flags->n; i++) {
        if (!is_kind(ret_flags->at[i])) {
            session_refuse(session,
                           "invalid flag '%s', valid options are 'Assoc, QOS, and/or Users'",
                           ret_flags->at[i]);
            return false;
        }
    }
    return true;
}

void show_assoc_mgr(struct scontrol *session, const char *id)
{
    const bool in_one_line = session->options.one_line;
    AUTO(words) struct words flags = { 0 };

    if (!read_choice(session, id, &flags) || !session_connect(session, "slurm_load_assoc_mgr_info"))
        return;
    printf("Current Association Manager state\n");
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (flags.n == 0 || words_have(&flags, kinds[i].flag))
            printf("%sNo %s currently cached in Slurm.\n%s", in_one_line ? "" : "\n",
                   kinds[i].title, in_one_line ? "" : "\n");
    }
}
