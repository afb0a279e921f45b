#include "cli/sacctmgr/user_rename.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/wckey.h"

/* A user's new name, and the edits that give it. */
struct renaming {
    const struct book *book;
    const char *from;
    char *to;
    int64_t now;
    struct edits edits;
};

static void move_user(struct renaming *renaming)
{
    const struct user_record *was = book_user(renaming->book, renaming->from);
    struct user_record user = { .name = renaming->to, .admin_level = was->admin_level };

    edits_put(&renaming->edits, KEPT_USER, book_any_user(renaming->book, renaming->to), &user);
}

/* Deletes the association under the old name and adds it under the new one. */
static void move_assoc(struct renaming *renaming, const struct assoc_record *was)
{
    const struct assoc_record *other =
        book_any_assoc(renaming->book, was->cluster, was->account, renaming->to, was->partition);
    struct assoc_record gone = *was, moved = *was; /* borrow its texts */

    gone.deleted = renaming->now;
    gone.is_default = false;
    edits_alter(&renaming->edits, KEPT_ASSOC, was, &gone);
    moved.key = NULL;
    moved.id = 0;
    moved.user = renaming->to;
    edits_put(&renaming->edits, KEPT_ASSOC, other, &moved);
}

static void move_wckeys(struct renaming *renaming)
{
    AUTO(strbuf) struct strbuf unsaid = { 0 };

    for (uint32_t i = 0; i < renaming->book->wckeys.n; i++) {
        const struct wckey_record *was = record_at(&renaming->book->wckeys, i);
        struct wckey_record moved = *was; /* borrows its texts */

        moved.key = NULL;
        moved.id = 0;
        moved.user = renaming->to;
        if (!was->deleted && strcmp(was->user, renaming->from) == 0)
            wckey_add(&renaming->edits, renaming->book, &moved, &unsaid);
    }
}

/* Puts the new name to where the old one is among the coordinators of accounts. */
static void move_coordinator(struct renaming *renaming)
{
    for (uint32_t i = 0; i < renaming->book->accounts.n; i++) {
        const struct account_record *was = record_at(&renaming->book->accounts, i);
        AUTO(account_record) struct account_record account;

        account_record_init(&account);
        schema_copy(account_record_schema(), &account, was);
        for (uint32_t j = 0; j < account.coordinators_n; j++) {
            if (strcmp(account.coordinators[j], renaming->from) == 0)
                xstrset(&account.coordinators[j], renaming->to);
        }
        if (!was->deleted)
            edits_alter(&renaming->edits, KEPT_ACCOUNT, was, &account);
    }
}

static void drop_user(struct renaming *renaming)
{
    const struct user_record *was = book_user(renaming->book, renaming->from);
    struct user_record gone = *was; /* borrows its texts */

    gone.deleted = renaming->now;
    edits_alter(&renaming->edits, KEPT_USER, was, &gone);
}

static int rename_user(struct mgr *mgr, struct renaming *renaming)
{
    const struct records *assocs = &renaming->book->assocs;
    AUTO_FREE char *text = xasprintf(" Modified users...\n  %s\n", renaming->from);

    move_user(renaming);
    for (uint32_t i = 0; i < assocs->n; i++) {
        const struct assoc_record *assoc = record_at(assocs, i);

        if (!assoc->deleted && text_is(assoc->user, renaming->from))
            move_assoc(renaming, assoc);
    }
    move_wckeys(renaming);
    move_coordinator(renaming);
    drop_user(renaming);
    renaming->edits.sets_limits = false; /* they were set under the old name */
    return edits_commit(mgr, &renaming->edits, text);
}

int user_rename(struct mgr *mgr, const struct book *book, const struct user_line *line)
{
    AUTO(words) struct words names = user_line_names(line, book);
    struct renaming renaming = { .book = book, .to = line->new_name, .now = (int64_t)time(NULL) };
    int status = 1;

    if (names.n > 1) {
        fputs("sacctmgr: error: Can only change one at a time\n", stderr);
        mgr_refuse(mgr, " Error with request: Can only change one at a time");
        puts(" If you are changing a users name you can only specify 1 user at a time.");
    } else if (names.n == 0) {
        mgr_refuse(mgr, " Nothing modified");
    } else if (line->has_level || line->default_account || line->default_wckey ||
               line->values.words.n) {
        mgr_refuse(mgr, " newname= is set alone: change the other values by another line");
    } else if (book_user(book, line->new_name)) {
        fprintf(stderr, "sacctmgr: error: there is a user '%s' already\n", line->new_name);
        mgr_refuse(mgr, " Nothing modified");
    } else {
        renaming.from = names.at[0];
        status = rename_user(mgr, &renaming);
    }
    edits_clear(&renaming.edits);
    return status;
}
