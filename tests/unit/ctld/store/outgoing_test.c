/* What slurmdbd is told stays within bounds: a turn of the log, and a piece of a copy. */
#include "unit/check_main.h"

#include "unit/ctld/store/store_rig.h"

#define MIB (1u << 20)

static uint64_t turn_number;

static void commit(struct store *store, struct turn_changes *turn)
{
    turn->turn = ++turn_number;
    store_commit(store, turn);
    turn_changes_clear(turn);
}

/* Notes a body of so many bytes, which is named by a letter. */
static void note_body(struct turn_changes *turn, char letter, uint32_t bytes)
{
    AUTO_FREE uint8_t *data = xcalloc(1, bytes);
    uint8_t sha256[SHA256_BYTES];

    memset(sha256, letter, sizeof(sha256));
    rig_note_blob(turn, sha256, data, bytes);
    turn->changes[turn->changes_n - 1].is_body = true;
}

/* ---- the log ---- */

struct log_look {
    uint64_t from, last;
    struct strbuf turns;
    bool came, is_over;
};

static void on_log(struct turn_changes *turns, uint32_t n, uint64_t from, const struct err *err,
                   void *ctx)
{
    struct log_look *look = ctx;

    ck_assert_msg(!err, "%s", err ? err->text : "");
    look->from = from;
    for (uint32_t i = 0; i < n; i++) {
        look->last = turns[i].turn;
        strbuf_addf(&look->turns, " %llu", (unsigned long long)look->last);
    }
    look->came = true;
    look->is_over = n == 0;
}

static void read_log(struct store *store, struct log_look *look)
{
    while (!look->is_over) {
        look->came = false;
        store_log(store, look->last, on_log, look);
        while (!look->came)
            rig_wait_for_news(store);
    }
}

static const struct {
    const char *title;
    uint32_t mib[4]; /* of each turn */
    uint64_t from;   /* behind which the log is */
    const char *turns;
} logs[] = {
    { "what a message holds is in the log", { 1, 47 }, 0, " 1 2" },
    { "behind one that none holds it begins anew", { 1, 48, 1 }, 2, " 3" },
    { "also where that is the first", { 48, 1 }, 1, " 2" },
    { "or the only one", { 48 }, 1, "" },
};

START_TEST(a_turn_that_is_too_big_for_a_message_is_not_in_the_log)
{
    struct log_look look = { .is_over = false };
    struct store *store = rig_start();

    store_log_keep(store, true);
    for (uint32_t i = 0; logs[_i].mib[i]; i++) {
        struct turn_changes turn;

        turn_changes_init(&turn);
        note_body(&turn, (char)('a' + i), logs[_i].mib[i] * MIB);
        commit(store, &turn);
    }
    rig_wait_until_committed(store, turn_number);
    read_log(store, &look);

    ck_assert_msg(look.from == logs[_i].from, "%s: from %llu", logs[_i].title,
                  (unsigned long long)look.from);
    ck_assert_msg(strcmp(strbuf_text(&look.turns), logs[_i].turns) == 0, "%s:%s", logs[_i].title,
                  strbuf_text(&look.turns));
    strbuf_clear(&look.turns);
    store_free(store);
}
END_TEST

/* ---- a copy ---- */

struct copy_look {
    struct strbuf pieces; /* a letter for each change, and a bar behind each piece that has any */
    uint64_t turn;
    bool is_over;
};

static void on_copy(struct turn_changes *piece, uint64_t turn, const struct err *err, void *ctx)
{
    static const char letters[] = { [CHANGE_JOB] = 'j', [CHANGE_BLOB] = 'b', [CHANGE_KEPT] = 'u' };
    struct copy_look *look = ctx;

    ck_assert_msg(!err, "%s", err ? err->text : "");
    for (uint32_t i = 0; i < piece->changes_n; i++)
        strbuf_addc(&look->pieces, letters[piece->changes[i].kind]);
    if (piece->changes_n)
        strbuf_addc(&look->pieces, '|');
    look->turn = turn;
    look->is_over = true;
}

static void note_job(struct turn_changes *turn, uint32_t id, uint32_t bytes)
{
    AUTO(job_record) struct job_record job;
    const char letter = (char)('a' + id);

    job_record_init(&job);
    job.spec = xcalloc(1, sizeof(*job.spec));
    job_spec_init(job.spec);
    job.id = id;
    note_body(turn, letter, bytes);
    job.body_sha256 = (struct blob){ xmalloc(SHA256_BYTES), SHA256_BYTES };
    memset(job.body_sha256.data, letter, SHA256_BYTES);
    rig_note(turn, CHANGE_JOB, job_record_schema(), &job, id, 0);
}

/* Notes what somebody used; the store does not look into such a record. */
static void note_usage(struct turn_changes *turn, uint32_t n, uint32_t bytes)
{
    struct change *change;

    rig_note(turn, CHANGE_KEPT, NULL, NULL, 0, 0);
    change = &turn->changes[turn->changes_n - 1];
    change->kept = KEPT_USAGE;
    change->name = xasprintf("usage %u", n);
    change->record = (struct blob){ xcalloc(1, bytes), bytes };
}

static const struct {
    const char *title;
    uint32_t usage_mib[4], job_mib[4]; /* of each record, and of the body of each job */
    const char *pieces;
} copies[] = {
    { "what is small is in one piece of its kind", { 1, 1, 1 }, { 1, 1, 1 }, "uuu|bjbjbj|" },
    { "a piece of jobs ends when it is full", { 0 }, { 9, 9, 9 }, "bjbj|bj|" },
    { "also with the first, and with the last", { 0 }, { 17, 1, 15 }, "bj|bjbj|" },
    { "so does one of other records", { 9, 9, 9 }, { 0 }, "uu|u|" },
    { "which then are over", { 9, 9 }, { 1 }, "uu|bj|" },
};

START_TEST(a_piece_of_a_copy_ends_when_it_is_full)
{
    struct copy_look look = { .is_over = false };
    struct store *store = rig_start();
    struct turn_changes turn;

    turn_changes_init(&turn);
    for (uint32_t i = 0; copies[_i].usage_mib[i]; i++)
        note_usage(&turn, i, copies[_i].usage_mib[i] * MIB);
    for (uint32_t i = 0; copies[_i].job_mib[i]; i++)
        note_job(&turn, i + 1, copies[_i].job_mib[i] * MIB);
    commit(store, &turn);
    rig_wait_until_committed(store, turn_number);
    for (bool begins = true; !look.turn; begins = false) {
        look.is_over = false;
        store_copy(store, begins, on_copy, &look);
        while (!look.is_over)
            rig_wait_for_news(store);
    }

    ck_assert_msg(strcmp(strbuf_text(&look.pieces), copies[_i].pieces) == 0, "%s: %s",
                  copies[_i].title, strbuf_text(&look.pieces));
    strbuf_clear(&look.pieces);
    store_free(store);
}
END_TEST

static void make_dir(void)
{
    rig_is_about_a_file(); /* records of this size are no server's default */
    turn_number = 0;
    rig_make_dir();
}

CHECK_MAIN_WITH(outgoing, make_dir, rig_remove_dir,
                LOOP_CASE(a_turn_that_is_too_big_for_a_message_is_not_in_the_log, ARRAY_N(logs)),
                LOOP_CASE(a_piece_of_a_copy_ends_when_it_is_full, ARRAY_N(copies)))
