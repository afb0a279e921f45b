#include "cli/sacctmgr/wckey.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/sacctmgr/choice.h"

/* Returns the record, also one that is deleted, or NULL. */
static const struct wckey_record *find(const struct book *book, const char *cluster,
                                       const char *user, const char *name)
{
    AUTO_FREE char *key = acct_wckey_key(cluster, user, name);

    for (uint32_t i = 0; i < book->wckeys.n; i++) {
        const struct wckey_record *wckey = record_at(&book->wckeys, i);

        if (text_is(wckey->key, key))
            return wckey;
    }
    return NULL;
}

void wckey_add(struct edits *edits, const struct book *book, const struct wckey_record *wckey,
               struct strbuf *out)
{
    const struct wckey_record *was = find(book, wckey->cluster, wckey->user, wckey->name);
    AUTO(wckey_record) struct wckey_record added;

    wckey_record_init(&added);
    if (was && !was->deleted)
        return;
    schema_copy(wckey_record_schema(), &added, wckey);
    edits_put(edits, KEPT_WCKEY, was, &added);
    strbuf_addf(out, "  U = %-9.9s W = %-10.10s C = %-10.10s\n", wckey->user, wckey->name,
                wckey->cluster);
}

void wckey_choose(struct edits *edits, const struct book *book, const char *cluster,
                  const char *user, const char *name)
{
    for (uint32_t i = 0; i < book->wckeys.n; i++) {
        const struct wckey_record *was = record_at(&book->wckeys, i);
        struct wckey_record wckey = *was; /* borrows its texts */

        wckey.is_default = text_is(was->name, name);
        if (!was->deleted && strcmp(was->user, user) == 0 && strcmp(was->cluster, cluster) == 0)
            edits_alter(edits, KEPT_WCKEY, was, &wckey);
    }
}

bool wckey_may_be_default(struct mgr *mgr, const struct book *book, const struct user_line *line)
{
    const char *name = line->default_wckey;
    bool may = true;

    for (uint32_t i = 0; name && i < book->users.n; i++) {
        const struct user_record *user = record_at(&book->users, i);
        const struct wckey_record *wckey = find(book, book->cluster, user->name, name);

        if (!user_line_means(line, book, user) || (wckey && !wckey->deleted))
            continue;
        if (may)
            mgr_refuse(mgr,
                       " Can't modify because these users aren't associated with new default "
                       "wckey '%s'...",
                       name);
        printf("  U = %s C = %s\n", user->name, book->cluster);
        may = false;
    }
    return may;
}

/* ---- deleting ---- */

static void drop(struct edits *edits, const struct wckey_record *was, int64_t now)
{
    struct wckey_record gone = *was; /* borrows its texts */

    gone.deleted = now;
    gone.is_default = false;
    edits_alter(edits, KEPT_WCKEY, was, &gone);
}

static bool is_meant(const struct user_line *line, const struct book *book,
                     const struct wckey_record *wckey)
{
    const struct user_record *user = book_user(book, wckey->user);

    return !wckey->deleted && user && user_line_means(line, book, user) &&
           choice_fits(&line->wckeys, wckey->name) && choice_fits(&line->clusters, wckey->cluster);
}

int wckey_delete(struct mgr *mgr, const struct book *book, const struct user_line *line)
{
    const int64_t now = (int64_t)time(NULL);
    AUTO(strbuf) struct strbuf text = { 0 };
    struct edits edits = { 0 };
    int status = 1;

    strbuf_adds(&text, " Deleting user WCKeys...\n");
    for (uint32_t i = 0; i < book->wckeys.n; i++) {
        const struct wckey_record *wckey = record_at(&book->wckeys, i);

        if (!is_meant(line, book, wckey))
            continue;
        drop(&edits, wckey, now);
        strbuf_addf(&text, "  C = %-10s W = %-20s U = %-9s\n", wckey->cluster,
                    wckey->name ? wckey->name : "", wckey->user);
    }
    if (edits.change.edits_n)
        status = edits_commit(mgr, &edits, strbuf_text(&text));
    else
        mgr_refuse(mgr, " Nothing deleted");
    edits_clear(&edits);
    return status;
}
