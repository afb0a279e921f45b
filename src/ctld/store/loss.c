/* loss.c - whether the database has all that was committed; see mark.h. */
#include <string.h>

#include "ctld/store/inside.h"

static int write_last(struct store *store, const struct turn_changes *last, struct err *err)
{
    int rc = sql_begin(store->writer_db, err);

    if (rc == 0)
        rc = writer_apply(store->writer, last, err);
    if (rc == 0)
        rc = writer_note_turn(store->writer, last->turn, err);
    return rc == 0 ? sql_commit(store->writer_db, err) : rc;
}

/* Goes on from the mark, which is from after all that the database has: its numbers are later. */
static int go_on_from_mark(struct store *store, struct err *err)
{
    const struct turn_changes *last = mark_last(store->mark);

    store->loss = xasprintf(
        "state database '%s' lacks its last %llu turns of %llu, which were on disk: it, or the "
        "log '%s-wal' beside it, was cut, damaged, deleted, or put back from an older copy. Jobs "
        "that were submitted then are not known, others are what they were before; ids, clock and "
        "incarnation go on behind those that were lost",
        store->path, (unsigned long long)(last->turn - store->committed),
        (unsigned long long)last->turn, store->path);
    store->committed = last->turn;
    return write_last(store, last, err);
}

int store_loss_find(struct store *store, struct err *err)
{
    AUTO_FREE char *path = xasprintf("%s-mark", store->path);
    int rc;

    if (!store->path) /* a server answers for its log itself */
        return 0;
    rc = mark_open(path, &store->mark, err);
    if (rc < 0)
        return rc;
    if (mark_is_damaged(store->mark) && !store->remark)
        store->remark =
            xasprintf("'%s' is damaged and begun anew: whether the state database lacks "
                      "commits cannot be told this once",
                      path);
    return mark_last(store->mark)->turn > store->committed ? go_on_from_mark(store, err) : 0;
}

int store_loss_begin(struct store *store, struct err *err)
{
    AUTO(turn_changes) struct turn_changes numbers;
    struct sql_stmt *stmt;
    int rc;

    turn_changes_init(&numbers);
    if (!store->mark)
        return 0;
    rc = sql_prepare(store->writer_db, "SELECT name, number FROM {numbers}", &stmt, err);

    if (rc < 0)
        return rc;
    while ((rc = sql_step(stmt, err)) > 0) {
        struct change *change = ARRAY_PUSH(numbers.changes, numbers.changes_n);

        change_init(change);
        change->kind = CHANGE_NUMBER;
        change->name = xstrdup(sql_text(stmt, 0));
        change->number = sql_int64(stmt, 1);
    }
    sql_finalize(stmt);
    if (rc < 0)
        return rc;
    mark_note(store->mark, &numbers);
    mark_write(store->mark, store->committed);
    return 0;
}

void store_loss_note(struct store *store, const struct turn_changes *turns, uint32_t n)
{
    if (!store->mark)
        return;
    for (uint32_t i = 0; i < n; i++)
        mark_note(store->mark, &turns[i]);
    mark_write(store->mark, turns[n - 1].turn);
}

const char *store_loss(const struct store *store)
{
    return store->loss;
}
