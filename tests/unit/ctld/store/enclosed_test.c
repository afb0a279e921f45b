/* Scripts and environments that a body names go along with it, in changes that fit into frames. */
#include "unit/check_main.h"

#include "ctld/store/enclosed.h"
#include "ctld/store/sql/sqlite.h"
#include "unit/ctld/store/store_rig.h"

#define PART (256u << 10) /* at which a blob goes on in another change */

static void name_of(char letter, uint8_t ret[SHA256_BYTES])
{
    memset(ret, letter, SHA256_BYTES);
}

/* Blobs that are there, and how many bytes they have. */
static const struct {
    char letter;
    uint32_t bytes;
} blobs[] = { { 'a', 0 }, { 'b', 1 }, { 'c', PART }, { 'd', PART + 1 }, { 'e', 2 * PART } };

static void note_blob(struct turn_changes *turn, char letter, uint32_t bytes)
{
    AUTO_FREE uint8_t *data = xcalloc(1, bytes + 1);
    uint8_t sha256[SHA256_BYTES];

    for (uint32_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)(i % 251);
    name_of(letter, sha256);
    rig_note_blob(turn, sha256, data, bytes);
}

static void keep_blobs(void)
{
    struct store *store = rig_start();
    const uint64_t number = store_committed(store) + 1;
    struct turn_changes turn;

    turn_changes_init(&turn);
    turn.turn = number;
    for (size_t i = 0; i < ARRAY_N(blobs); i++)
        note_blob(&turn, blobs[i].letter, blobs[i].bytes);
    store_commit(store, &turn);
    turn_changes_clear(&turn);
    rig_wait_until_committed(store, number);
    store_free(store);
}

static struct sql *open_db(void)
{
    AUTO_FREE char *path = xasprintf("%s/sluice.db", rig_dir);
    struct sql *db = NULL;

    ck_assert_int_eq(sqlite_open_reader(path, &db, NULL), 0);
    return db;
}

/* Encodes a body that names a script and an environment; 0: none. */
static struct blob body_of(char script, char environment)
{
    uint8_t names[2][SHA256_BYTES];
    struct job_body body;

    job_body_init(&body);
    name_of(script, names[0]);
    name_of(environment, names[1]);
    if (script)
        body.script_sha256 = (struct blob){ names[0], SHA256_BYTES };
    if (environment)
        body.environment_sha256 = (struct blob){ names[1], SHA256_BYTES };
    return schema_encode_blob(job_body_schema(), &body);
}

/* Appends "name+offset:bytes" of each change. */
static void describe(const struct turn_changes *changes, struct strbuf *out)
{
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < changes->changes_n; i++) {
        const struct change *change = &changes->changes[i];

        ck_assert_uint_eq(change->kind, CHANGE_BLOB);
        ck_assert(!change->is_body);
        strbuf_addf(out, "%c+%lld:%u ", change->sha256.data[0], (long long)change->number,
                    change->record.n);
        for (uint32_t at = 0; at < change->record.n; at++)
            wrong += change->record.data[at] != ((uint32_t)change->number + at) % 251;
    }
    ck_assert_uint_eq(wrong, 0);
}

static const struct {
    const char *title;
    char script, environment;
    struct store_bodies which;
    const char *changes;
} rows[] = {
    { "no script", 0, 0, { true, true }, "" },
    { "an empty one", 'a', 0, { true, true }, "a+0:0 " },
    { "one byte", 'b', 0, { true, true }, "b+0:1 " },
    { "what just fits into a change", 'c', 0, { true, true }, "c+0:262144 " },
    { "a byte more", 'd', 0, { true, true }, "d+0:262144 d+262144:1 " },
    { "twice as much", 'e', 0, { true, true }, "e+0:262144 e+262144:262144 " },
    { "one that has left", 'x', 0, { true, true }, "" },
    { "scripts are not asked for", 'b', 0, { false, true }, "" },
    { "it is the environment", 0, 'b', { false, true }, "b+0:1 " },
    { "which is not asked for", 0, 'b', { true, false }, "" },
    { "both", 'b', 'c', { true, true }, "b+0:1 c+0:262144 " },
    { "script and environment that are the same come once", 'b', 'b', { true, true }, "b+0:1 " },
    { "what is not there does not keep the other away", 'x', 'b', { true, true }, "b+0:1 " },
};

/* Adds what goes along once more, and expects that all of it is there once. */
static void expect(struct sql *db, int row, const struct blob *body, struct turn_changes *changes)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    ck_assert_int_eq(enclosed_add(db, body, &rows[row].which, changes, NULL), 0);
    describe(changes, &text);
    ck_assert_msg(strcmp(strbuf_text(&text), rows[row].changes) == 0, "%s: %s", rows[row].title,
                  strbuf_text(&text));
}

START_TEST(what_a_body_names_goes_along_once)
{
    struct sql *db;

    keep_blobs();
    db = open_db();
    for (int row = 0; row < (int)ARRAY_N(rows); row++) {
        const struct blob body = body_of(rows[row].script, rows[row].environment);
        AUTO(turn_changes) struct turn_changes changes;

        turn_changes_init(&changes);
        expect(db, row, &body, &changes);
        expect(db, row, &body, &changes);
        free(body.data);
    }
    sql_close(db);
}
END_TEST

START_TEST(a_body_that_was_cut_is_an_error)
{
    static const struct store_bodies both = { true, true };
    AUTO(turn_changes) struct turn_changes changes;
    struct blob body = body_of('b', 0);
    struct err err = { 0 };
    struct sql *db;

    keep_blobs();
    db = open_db();
    turn_changes_init(&changes);
    body.n--;
    ck_assert_int_lt(enclosed_add(db, &body, &both, &changes, &err), 0);
    ck_assert_uint_eq(changes.changes_n, 0);
    ck_assert_str_ne(err.text, "");
    free(body.data);
    sql_close(db);
}
END_TEST

static void make_dir(void)
{
    rig_is_about_a_file();
    rig_make_dir();
}

CHECK_MAIN_WITH(enclosed, make_dir, rig_remove_dir, CASE(what_a_body_names_goes_along_once),
                CASE(a_body_that_was_cut_is_an_error))
