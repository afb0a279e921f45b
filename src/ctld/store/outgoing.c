#include "ctld/store/outgoing.h"

#include <inttypes.h>
#include <string.h>

#include "ctld/store/enclosed.h"

#define LOG_FROM "log_from" /* all turns behind this one are in the log; no number: no log */

/* What a turn of the log takes in memory, at most: it is to be decoded. */
#define LOG_TURN_BYTES (SCHEMA_DECODED_MAX / 4 * 3)

struct outgoing {
    struct sql *db;
    struct sql_stmt *add;
    bool is_kept;  /* there is a log */
    uint64_t from; /* LOG_FROM */
};

/* ---- what it may see ---- */

/* Returns whether a slurmdbd is told of the change: of jobs that are recorded and what became of
 * them, and nothing that is the controller's own. Scripts and environments come with their bodies,
 * where they do; the body of a job that is not recorded comes, too, for a later job may share it.
 */
static bool is_seen(const struct change *change)
{
    switch (change->kind) {
    case CHANGE_JOB:
    case CHANGE_JOB_RETIRE:
    case CHANGE_RUN:
        return change->unrecorded != UNRECORDED_ALL;
    case CHANGE_STEP:
        return change->unrecorded == UNRECORDED_NOTHING;
    case CHANGE_CLUSTER_EVENT:
    case CHANGE_AMEND:
    case CHANGE_SUMS_WHOLE:
        return true;
    case CHANGE_KEPT:
        return change->kept == KEPT_USAGE;
    case CHANGE_BLOB:
        return change->is_body;
    default:
        return false;
    }
}

/* Gathers the changes that are seen; they stay the turn's. A job's body has come as a blob before,
 * so its end is told without. */
static void seen_of(const struct turn_changes *turn, struct turn_changes *ret)
{
    turn_changes_init(ret);
    ret->turn = turn->turn;
    for (uint32_t i = 0; i < turn->changes_n; i++) {
        struct change *change;

        if (!is_seen(&turn->changes[i]))
            continue;
        change = ARRAY_PUSH(ret->changes, ret->changes_n);
        *change = turn->changes[i];
        change->body = (struct blob){ 0 };
    }
}

/* ---- writing ---- */

static int read_from(struct sql *db, uint64_t *ret, struct err *err)
{
    int64_t number = 0;
    int rc =
        sql_number(db, "SELECT ifnull(max(number), -1) FROM {numbers} WHERE name = '" LOG_FROM "'",
                   &number, err);

    *ret = (uint64_t)number; /* -1 is UINT64_MAX */
    return rc;
}

int outgoing_new(struct sql *db, struct outgoing **ret, struct err *err)
{
    struct outgoing *outgoing = xcalloc(1, sizeof(*outgoing));
    int rc = read_from(db, &outgoing->from, err);

    outgoing->db = db;
    outgoing->is_kept = outgoing->from != UINT64_MAX;
    if (rc == 0)
        rc = sql_prepare(db, "INSERT INTO {outgoing} (turn, changes) VALUES (?, ?)", &outgoing->add,
                         err);
    if (rc < 0)
        outgoing_free(outgoing);
    else
        *ret = outgoing;
    return rc;
}

struct outgoing *outgoing_free(struct outgoing *outgoing)
{
    if (outgoing)
        sql_finalize(outgoing->add);
    free(outgoing);
    return NULL;
}

bool outgoing_is_kept(const struct outgoing *outgoing)
{
    return outgoing->is_kept;
}

static int set_from(struct outgoing *outgoing, uint64_t from, struct err *err)
{
    AUTO_FREE char *forget = xasprintf("DELETE FROM {outgoing} WHERE turn <= %" PRIu64, from);
    AUTO_FREE char *note = xasprintf(
        "REPLACE INTO {numbers} (name, number) VALUES ('" LOG_FROM "', %" PRIu64 ")", from);
    int rc = sql_exec(outgoing->db, forget, err);

    outgoing->from = from;
    return rc < 0 ? rc : sql_exec(outgoing->db, note, err);
}

static int drop_log(struct outgoing *outgoing, struct err *err)
{
    int rc = sql_exec(outgoing->db, "DELETE FROM {outgoing}", err);

    outgoing->is_kept = false;
    return rc < 0
               ? rc
               : sql_exec(outgoing->db, "DELETE FROM {numbers} WHERE name = '" LOG_FROM "'", err);
}

/* Adds what the bodies of a turn name, which is in the tables by now, too. */
static int enclose(struct outgoing *outgoing, const struct store_bodies *which,
                   struct turn_changes *seen, struct err *err)
{
    const uint32_t n = seen->changes_n;
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && (which->scripts || which->environments) && i < n; i++) {
        const struct blob record = seen->changes[i].record;

        if (seen->changes[i].kind == CHANGE_BLOB)
            rc = enclosed_add(outgoing->db, &record, which, seen, err);
    }
    return rc;
}

static bool is_too_big(const struct turn_changes *turn)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < turn->changes_n; i++)
        bytes += change_bytes(&turn->changes[i]);
    return bytes > LOG_TURN_BYTES;
}

static int write_turn(struct outgoing *outgoing, const struct turn_changes *turn, struct err *err)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    schema_encode(turn_changes_schema(), turn, &bytes);
    sql_bind_int64(outgoing->add, 1, (int64_t)turn->turn);
    sql_bind_blob(outgoing->add, 2, bytes.data, bytes.len);
    return sql_run(outgoing->add, err);
}

/* Adds what slurmdbd may see of a turn. Behind one that is too big for a message the log begins
 * anew, and slurmdbd is told by a copy. */
static int add_turn(struct outgoing *outgoing, const struct store_bodies *which,
                    const struct turn_changes *turn, struct err *err)
{
    struct turn_changes seen;
    uint32_t borrowed_n;
    int rc;

    if (turn->merge) /* it has come from there */
        return 0;
    seen_of(turn, &seen);
    if (seen.changes_n == 0)
        return 0;
    borrowed_n = seen.changes_n;
    rc = enclose(outgoing, which, &seen, err);
    if (rc == 0)
        rc = is_too_big(&seen) ? set_from(outgoing, turn->turn, err)
                               : write_turn(outgoing, &seen, err);
    for (uint32_t i = borrowed_n; i < seen.changes_n; i++)
        change_clear(&seen.changes[i]);
    free(seen.changes);
    return rc;
}

int outgoing_write(struct outgoing *outgoing, const struct outgoing_wish *wish,
                   const struct turn_changes *turns, uint32_t n, struct err *err)
{
    int rc = 0;

    if (!wish->is_kept)
        return outgoing->is_kept ? drop_log(outgoing, err) : 0;
    if (!outgoing->is_kept)
        rc = set_from(outgoing, turns[0].turn - 1, err);
    else if (wish->told > outgoing->from)
        rc = set_from(outgoing, wish->told, err);
    outgoing->is_kept = true;
    for (uint32_t i = 0; rc == 0 && i < n; i++)
        rc = add_turn(outgoing, &wish->bodies, &turns[i], err);
    return rc;
}

/* ---- reading ---- */

#define PAGE_TURNS 500
#define PAGE_BYTES (1u << 20)

static int read_turn(struct sql_stmt *stmt, struct turn_changes *ret, struct err *err)
{
    int rc = schema_decode(turn_changes_schema(), sql_blob(stmt, 0), sql_bytes(stmt, 0), ret, err);

    return rc < 0 ? err_prefix(err, "state database: its log for slurmdbd is damaged") : 0;
}

static int read_page(struct sql_stmt *stmt, struct turn_changes **ret_turns, uint32_t *ret_n,
                     struct err *err)
{
    uint32_t bytes = 0;
    int rc = 0, step = 0;

    while (rc == 0 && *ret_n < PAGE_TURNS && bytes < PAGE_BYTES &&
           (step = sql_step(stmt, err)) > 0) {
        bytes += (uint32_t)sql_bytes(stmt, 0);
        rc = read_turn(stmt, ARRAY_PUSH(*ret_turns, *ret_n), err);
        if (rc < 0)
            (*ret_n)--; /* what was not read is empty */
    }
    return step < 0 ? step : rc;
}

int outgoing_read(struct sql *db, uint64_t after, struct turn_changes **ret_turns, uint32_t *ret_n,
                  uint64_t *ret_from, struct err *err)
{
    struct sql_stmt *stmt = NULL;
    int rc = read_from(db, ret_from, err);

    if (rc == 0)
        rc = sql_prepare(db, "SELECT changes FROM {outgoing} WHERE turn > ? ORDER BY turn", &stmt,
                         err);
    if (rc == 0) {
        sql_bind_int64(stmt, 1, (int64_t)after);
        rc = read_page(stmt, ret_turns, ret_n, err);
    }
    sql_finalize(stmt);
    return rc;
}
