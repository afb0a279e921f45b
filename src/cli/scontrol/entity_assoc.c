/* entity_assoc.c - scontrol show assoc_mgr: users, associations and QOS as the controller knows
   them, with what is used of their limits. */
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/scontrol/session.h"
#include "cli/scontrol/show_assoc.h"
#include "common/msg/types.h"
#include "common/text/words.h"

#define INVALID_FLAG "invalid flag '%s', valid options are 'Assoc, QOS, and/or Users'"
#define LOADED       "slurm_load_assoc_mgr_info"

/* ---- words ---- */

enum assoc_word { WORD_USERS, WORD_ACCOUNTS, WORD_QOS, WORD_FLAGS, WORDS_N };

/* What each word names; nothing: all. */
struct chosen {
    struct words of[WORDS_N];
};

static void chosen_auto_(struct chosen *chosen)
{
    for (size_t i = 0; i < WORDS_N; i++)
        words_clear(&chosen->of[i]);
}

static bool is_kind(const char *word)
{
    return word_is("Users", word) || word_is("Assoc", word) || word_is("QOS", word);
}

static bool check_flags(struct scontrol *session, const struct words *flags, const char *text)
{
    for (uint32_t i = 0; i < flags->n; i++) {
        if (is_kind(flags->at[i]))
            continue;
        session_refuse(session, INVALID_FLAG, flags->at[i]);
        return false;
    }
    if (flags->n == 0)
        session_refuse(session, INVALID_FLAG, text);
    return flags->n > 0;
}

/* Reads a word, which may be cut short. */
static bool read_word(struct scontrol *session, const char *word, struct chosen *chosen)
{
    static const char *const names[] = { "users", "accounts", "qos", "flags" };
    const char *equals = strchr(word, '=');
    const size_t n = equals ? (size_t)(equals - word) : strlen(word);

    if (!equals || !equals[1]) {
        session_refuse(session, "No value given for option %s", word);
        return false;
    }
    for (size_t i = 0; i < WORDS_N; i++) {
        if (n == 0 || n > strlen(names[i]) || strncasecmp(word, names[i], n) != 0)
            continue;
        words_add(&chosen->of[i], equals + 1, ",");
        return i != WORD_FLAGS || check_flags(session, &chosen->of[i], equals + 1);
    }
    session_refuse(session, "invalid entity: %s for keyword:show assoc_mgr", word);
    return false;
}

static bool is_chosen(const struct words *words, const char *name)
{
    return words->n == 0 || words_have(words, name);
}

/* ---- records ---- */

static uint32_t user_id(const char *name)
{
    const struct passwd *entry = getpwnam(name);

    return entry ? entry->pw_uid : UINT32_MAX - 1; /* as Slurm prints what it does not know */
}

static bool load_kept(struct scontrol *session, enum kept_number kind, struct records *records)
{
    struct err err = { 0 };

    if (records_load_all(session->command.cli.client, kind, records, &err) == 0)
        return true;
    session_report(session, LOADED, &err);
    return false;
}

static int compare_tres(const void *a, const void *b)
{
    const struct tres_record *left = a, *right = b;

    return (left->id > right->id) - (left->id < right->id);
}

static int compare_users(const void *a, const void *b)
{
    return strcmp(((const struct user_record *)a)->name, ((const struct user_record *)b)->name);
}

static int compare_qos(const void *a, const void *b)
{
    return strcmp(((const struct qos_record *)a)->name, ((const struct qos_record *)b)->name);
}

static void sort(struct records *records, int (*compare)(const void *, const void *))
{
    if (records->n)
        qsort(records->at, records->n, records->schema->size, compare);
}

static bool load(struct scontrol *session, struct assoc_view *view)
{
    AUTO(share_list) struct share_list all;

    share_list_init(&all);
    if (!load_kept(session, KEPT_TRES, &view->tres) ||
        !load_kept(session, KEPT_USER, &view->users) ||
        !load_kept(session, KEPT_WCKEY, &view->wckeys) ||
        !load_kept(session, KEPT_ASSOC, &view->assocs) ||
        !load_kept(session, KEPT_QOS, &view->qos) ||
        !session_records(session, LOADED, MSG_SHARE_LIST, &all, MSG_SHARE_INFO, &view->shares) ||
        !session_records(session, LOADED, MSG_ACCT_USE_LIST, NULL, MSG_ACCT_USE, &view->uses))
        return false;
    sort(&view->tres, compare_tres);
    sort(&view->users, compare_users);
    sort(&view->qos, compare_qos);
    return true;
}

/* ---- the list ---- */

static void add_users(const struct assoc_show *show, const struct chosen *chosen,
                      struct strbuf *out)
{
    for (uint32_t i = 0; i < show->view->users.n; i++) {
        const struct user_record *user = record_at(&show->view->users, i);

        if (!user->deleted && is_chosen(&chosen->of[WORD_USERS], user->name))
            show_assoc_user(show, user, assoc_view_default(show->view, user->name), out);
    }
}

/* Shares come in the order of the tree. */
static void add_assocs(const struct assoc_show *show, const struct chosen *chosen,
                       struct strbuf *out)
{
    for (uint32_t i = 0; i < show->view->shares.n; i++) {
        const struct share_info *share = record_at(&show->view->shares, i);
        const struct assoc_place *place = assoc_view_find(show->view, share->id);

        if (place && is_chosen(&chosen->of[WORD_ACCOUNTS], share->account) &&
            (!share->user || is_chosen(&chosen->of[WORD_USERS], share->user)))
            show_assoc_assoc(show, place, out);
    }
}

static void add_qos(const struct assoc_show *show, const struct chosen *chosen, struct strbuf *out)
{
    for (uint32_t i = 0; i < show->view->qos.n; i++) {
        const struct qos_record *qos = record_at(&show->view->qos, i);

        if (!qos->deleted && is_chosen(&chosen->of[WORD_QOS], qos->name))
            show_assoc_qos(show, qos, out);
    }
}

static const struct {
    const char *flag, *title, *none;
    void (*add)(const struct assoc_show *, const struct chosen *, struct strbuf *);
} kinds[] = {
    { "Users", "User Records", "No users currently cached in Slurm.", add_users },
    { "Assoc", "Association Records", "No associations currently cached in Slurm.", add_assocs },
    { "QOS", "QOS Records", "No QOS currently cached in Slurm.", add_qos },
};

/* Where nobody uses accounts, nothing is told of them: what the controller made itself is none. */
static void print(const struct assoc_show *show, const struct chosen *chosen)
{
    const char *line = show->one_line ? "" : "\n";

    printf("Current Association Manager state\n");
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        AUTO(strbuf) struct strbuf text = { 0 };

        if (!is_chosen(&chosen->of[WORD_FLAGS], kinds[i].flag))
            continue;
        if (show->view->uses.n)
            kinds[i].add(show, chosen, &text);
        if (text.len)
            printf("%s%s\n%s%s", line, kinds[i].title, line, strbuf_text(&text));
        else
            printf("%s%s\n%s", line, kinds[i].none, line);
    }
}

void show_assoc_mgr(struct scontrol *session, char *const *words, int n)
{
    AUTO(chosen) struct chosen chosen = { 0 };
    struct assoc_view view = { 0 };
    const struct assoc_show show = { &view, session->options.one_line, user_id };

    for (int i = 0; i < n; i++) {
        if (!read_word(session, words[i], &chosen))
            return;
    }
    if (!session_connect(session, LOADED))
        return;
    if (load(session, &view)) {
        assoc_view_index(&view);
        print(&show, &chosen);
    }
    assoc_view_clear(&view);
}
