/* Sums of a period of the calendar are copied whole, or left as they are. */
#include "unit/check_main.h"

#include <time.h>

#include "common/msg/sums.h"
#include "common/msg/types.h"
#include "common/text/period.h"
#include "unit/ctld/store/intake_rig.h"

/* ---- periods, as words ---- */

/* Adds a row: of a user (a letter, or - for the cluster) who held so many cpu seconds, and as many
 * of a GPU. */
static void add_row(struct sums_copied *ret, char user, uint64_t cpu)
{
    struct sum_copied *row = ARRAY_PUSH(ret->rows, ret->rows_n);
    struct acct_amount *more;

    sum_copied_init(row);
    row->cpus = 4;
    row->cpu = cpu;
    if (user == '-')
        return;
    row->user = xasprintf("%c", user);
    row->account = xstrdup("physics");
    more = ARRAY_PUSH(row->more, row->more_n);
    acct_amount_init(more);
    more->tres = xstrdup("gres/gpu");
    more->amount = cpu;
}

static void note_rows(struct turn_changes *turn, const struct sums_copied *rows)
{
    rig_note(turn, CHANGE_SUMS, sums_copied_schema(), rows, 0, 0);
}

/*
 * Adds rows of a period as a change. Its word is h, d or m for an hour, day or month, which one
 * since the first, a colon, and users with what each held: "h2:a10b5". One that begins with + goes
 * on with a period whose first rows were in the change before; =9 at the end says a weight other
 * than that of the rows.
 */
static void note_word(struct turn_changes *turn, const char *word)
{
    static const char lengths[] = "hdm";
    AUTO(sums_copied) struct sums_copied rows;
    char *at;

    sums_copied_init(&rows);
    rows.begins = *word != '+';
    word += *word == '+';
    rows.period = (uint32_t)(strchr(lengths, *word) - lengths);
    rows.at = DAY + strtol(word + 1, &at, 10) * HOUR;
    for (at++; *at && *at != ' ' && *at != '=';) {
        const char user = *at;

        add_row(&rows, user, strtoul(at + 1, &at, 10));
        rows.weight += rows.rows[rows.rows_n - 1].cpu;
    }
    if (*at == '=')
        rows.weight = strtoul(at + 1, NULL, 10);
    note_rows(turn, &rows);
}

static struct turn_changes turn_of(const char *words, enum turn_merge merge)
{
    struct turn_changes turn;

    begin_turn(&turn);
    turn.merge = merge;
    for (const char *word = words; *word; word += strspn(word, " ")) {
        note_word(&turn, word);
        word += strcspn(word, " ");
    }
    return turn;
}

/* ---- what is there, told by the next copy ---- */

struct copied {
    struct strbuf text;
    uint64_t turn;
    bool came;
};

static void tell_rows(const struct sums_copied *rows, struct strbuf *out)
{
    strbuf_addf(out, "%s%c%d:", rows->begins ? "" : "+", "hdm"[rows->period],
                (int)((rows->at - DAY) / HOUR));
    for (uint32_t i = 0; i < rows->rows_n; i++) {
        const struct sum_copied *row = &rows->rows[i];

        strbuf_addf(out, "%s%llu", row->user ? row->user : "-", (unsigned long long)row->cpu);
        if (row->user)
            ck_assert_str_eq(row->account, "physics");
        ck_assert_uint_eq(row->more_n, row->user != NULL);
        for (uint32_t k = 0; k < row->more_n; k++)
            ck_assert_uint_eq(row->more[k].amount, row->cpu);
    }
    strbuf_addc(out, ' ');
}

static void on_copy(struct turn_changes *piece, uint64_t turn, const struct err *err, void *ctx)
{
    struct copied *copied = ctx;

    ck_assert_ptr_null(err);
    for (uint32_t i = 0; i < piece->changes_n; i++) {
        const struct change *change = &piece->changes[i];
        AUTO(sums_copied) struct sums_copied rows;

        ck_assert_uint_eq(change->kind, CHANGE_SUMS);
        ck_assert_int_eq(
            schema_decode(sums_copied_schema(), change->record.data, change->record.n, &rows, NULL),
            0);
        tell_rows(&rows, &copied->text);
    }
    copied->turn = turn;
    copied->came = true;
}

/* Asks for pieces of a copy until its end. Returns how many have something. */
static uint32_t copy_all(struct store *store, struct copied *copied)
{
    uint32_t pieces = 0;

    for (bool begins = true; !copied->turn; begins = false) {
        const size_t before = copied->text.len;

        copied->came = false;
        store_copy(store, begins, on_copy, copied);
        while (!copied->came)
            rig_wait_for_news(store);
        pieces += copied->text.len > before;
    }
    return pieces;
}

static void expect(struct store *store, const char *title, const char *expected)
{
    struct copied copied = { .turn = 0 };

    copy_all(store, &copied);
    ck_assert_msg(strcmp(strbuf_text(&copied.text), expected) == 0, "%s: '%s', not '%s'", title,
                  strbuf_text(&copied.text), expected);
    strbuf_clear(&copied.text);
}

static const struct {
    const char *title;
    const char *here;
    enum turn_merge how;
    const char *copy, *then;
} rows[] = {
    { "a period that is not here comes", "", TURN_MERGE_LACKING, "h1:a10b5", "h1:a10b5 " },
    { "one that is lighter here is replaced, whole", "h1:a10b5", TURN_MERGE_LACKING, "h1:a10c6",
      "h1:a10c6 " },
    { "one that is heavier here stays, whole", "h1:a10b5", TURN_MERGE_LACKING, "h1:a10c4",
      "h1:a10b5 " },
    { "of two that weigh alike the one here stays", "h1:a10", TURN_MERGE_LACKING, "h1:b10",
      "h1:a10 " },
    { "unless the copy is right", "h1:a10", TURN_MERGE_RIGHT, "h1:b10", "h1:b10 " },
    { "or begins", "h1:a10", TURN_MERGE_BEGINS, "h1:b10", "h1:b10 " },
    { "but a lighter one is never right", "h1:a10", TURN_MERGE_RIGHT, "h1:b9", "h1:a10 " },
    { "periods that only are here stay", "h1:a1 h2:a2", TURN_MERGE_BEGINS, "h3:a3",
      "h1:a1 h2:a2 h3:a3 " },
    { "each period is weighed on its own", "h1:a10 h2:a10", TURN_MERGE_LACKING,
      "h1:a11 h2:a9 h3:a1", "h1:a11 h2:a10 h3:a1 " },
    { "hours, days and months are periods of their own", "h0:a10 d0:a10 m0:a10", TURN_MERGE_LACKING,
      "h0:b11 d0:b9 m0:b12", "h0:b11 d0:a10 m0:b12 " },
    { "the cluster's own row is one of them", "h1:-10a1", TURN_MERGE_LACKING, "h1:-20a1",
      "h1:-20a1 " },
    { "rows may come in several changes", "h1:a10", TURN_MERGE_LACKING, "h1:a10=15 +h1:b5",
      "h1:a10b5 " },
    { "which pass together, too", "h1:a20", TURN_MERGE_LACKING, "h1:a10=15 +h1:b5", "h1:a20 " },
    { "an empty period that weighs nothing is there", "", TURN_MERGE_LACKING, "h1:a0", "h1:a0 " },
    { "and is not made one of its own by another", "h1:a0", TURN_MERGE_LACKING, "h1:b0", "h1:a0 " },
    { "what goes on with nothing is not taken", "", TURN_MERGE_LACKING, "+h1:a5", "" },
    { "nor is what goes on with another period", "h2:a10", TURN_MERGE_LACKING, "h1:a5 +h2:b100",
      "h1:a5 h2:a10 " },
    { "nor with one of another length", "d1:a10", TURN_MERGE_LACKING, "h1:a5 +d1:b100",
      "h1:a5 d1:a10 " },
    { "the same period a second time is weighed with the first", "", TURN_MERGE_LACKING,
      "h1:a10 h1:b11 h1:c3", "h1:b11 " },
};

static void put_here(struct store *store, int row)
{
    struct turn_changes here = turn_of(rows[row].here, TURN_MERGE_RIGHT);

    store_commit(store, &here);
}

START_TEST(a_period_is_taken_whole_or_left_and_twice_changes_nothing)
{
    struct store *store = rig_start();
    struct turn_changes once, twice;

    put_here(store, _i);
    once = turn_of(rows[_i].copy, rows[_i].how);
    commit(store, &once);
    expect(store, rows[_i].title, rows[_i].then);
    twice = turn_of(rows[_i].copy, rows[_i].how);
    commit(store, &twice);

    expect(store, rows[_i].title, rows[_i].then);
    store_free(store);
}
END_TEST

START_TEST(it_is_so_in_the_transaction_of_other_turns)
{
    struct store *store = rig_open();
    struct turn_changes once, twice;

    put_here(store, _i); /* nobody writes yet */
    once = turn_of(rows[_i].copy, rows[_i].how);
    twice = turn_of(rows[_i].copy, rows[_i].how);
    store_commit(store, &once);
    store_commit(store, &twice);
    ck_assert_int_eq(store_start(store, NULL), 0);
    rig_wait_until_committed(store, turn_number);

    expect(store, rows[_i].title, rows[_i].then);
    store_free(store);
}
END_TEST

/* ---- copies of many ---- */

/* Another store, made of the pieces of a copy. */
static void take_piece(struct turn_changes *piece, uint64_t turn, const struct err *err, void *ctx)
{
    struct copied *copied = ctx;

    ck_assert_ptr_null(err);
    piece->turn = 1; /* of a piece there is none, and one is required */
    schema_encode(turn_changes_schema(), piece, &copied->text);
    copied->turn = turn;
    copied->came = true;
}

static const struct {
    const char *title;
    uint32_t periods, rows;
    uint32_t pieces, changes; /* of the copy */
} many[] = {
    { "few periods go in one piece", 3, 2, 1, 3 },
    { "a piece ends with a period", 5, 1000, 3, 10 },
    { "a period of many rows is in one piece, in several changes", 2, 2600, 2, 12 },
    { "as many rows as a change has are one", 1, 500, 1, 1 },
    { "one more is another", 1, 501, 1, 2 },
};

static void note_many(struct turn_changes *turn, int row)
{
    for (uint32_t i = 0; i < many[row].periods; i++) {
        AUTO(sums_copied) struct sums_copied rows_of;

        sums_copied_init(&rows_of);
        rows_of.period = PERIOD_HOUR;
        rows_of.at = DAY + i * HOUR;
        rows_of.begins = true;
        for (uint32_t k = 0; k < many[row].rows; k++) {
            add_row(&rows_of, 'a', k + 1);
            rows_of.rows[k].cpus = k + 1;
            rows_of.weight += k + 1;
        }
        note_rows(turn, &rows_of);
    }
}

START_TEST(a_copy_of_many_has_each_row_once_and_no_period_in_two_pieces)
{
    struct store *store = rig_start();
    struct copied copied = { .turn = 0 };
    uint32_t pieces = 0, changes = 0, begins = 0, rows_n = 0;
    struct turn_changes turn;

    begin_turn(&turn);
    turn.merge = TURN_MERGE_RIGHT;
    note_many(&turn, _i);
    commit(store, &turn);
    for (bool first = true; !copied.turn; first = false) {
        AUTO(turn_changes) struct turn_changes piece;

        copied.came = false;
        strbuf_truncate(&copied.text, 0);
        store_copy(store, first, take_piece, &copied);
        while (!copied.came)
            rig_wait_for_news(store);
        ck_assert_int_eq(
            schema_decode(turn_changes_schema(), copied.text.data, copied.text.len, &piece, NULL),
            0);
        for (uint32_t i = 0; i < piece.changes_n; i++) {
            AUTO(sums_copied) struct sums_copied part;

            ck_assert_int_eq(schema_decode(sums_copied_schema(), piece.changes[i].record.data,
                                           piece.changes[i].record.n, &part, NULL),
                             0);
            ck_assert(i > 0 || part.begins);
            begins += part.begins;
            rows_n += part.rows_n;
            ck_assert_uint_eq(part.weight, (uint64_t)many[_i].rows * (many[_i].rows + 1) / 2);
        }
        changes += piece.changes_n;
        pieces += piece.changes_n > 0;
    }

    ck_assert_msg(pieces == many[_i].pieces, "%s: %u", many[_i].title, pieces);
    ck_assert_msg(changes == many[_i].changes, "%s: %u", many[_i].title, changes);
    ck_assert_uint_eq(begins, many[_i].periods);
    ck_assert_uint_eq(rows_n, many[_i].periods * many[_i].rows);
    strbuf_clear(&copied.text);
    store_free(store);
}
END_TEST

static void make_dir(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    turn_number = 0;
    rig_make_dir();
}

CHECK_MAIN_WITH(copy_sums, make_dir, rig_remove_dir,
                LOOP_CASE(a_period_is_taken_whole_or_left_and_twice_changes_nothing, ARRAY_N(rows)),
                LOOP_CASE(it_is_so_in_the_transaction_of_other_turns, ARRAY_N(rows)),
                LOOP_CASE(a_copy_of_many_has_each_row_once_and_no_period_in_two_pieces,
                          ARRAY_N(many)))
