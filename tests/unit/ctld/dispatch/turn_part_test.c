/* A turn goes into as many frames as it needs, and is whole again. */
#include "unit/check_main.h"

#include <string.h>

#include "common/crypt/crypt.h"
#include "common/rpc/frame.h"
#include "ctld/dispatch/turn_part.h"

#define KIB 1024u
#define MIB (1024u * KIB)

/* A change whose bytes tell its place. */
static void add(struct dbd_turn *whole, uint32_t kind, uint32_t bytes)
{
    struct change *change = ARRAY_PUSH(whole->changes, whole->changes_n);

    change_init(change);
    change->kind = kind;
    change->job_id = whole->changes_n;
    if (bytes) {
        change->record = (struct blob){ xmalloc(bytes), bytes };
        memset(change->record.data, (int)whole->changes_n, bytes);
    }
}

static const struct {
    const char *title;
    uint32_t n, bytes; /* so many changes of so many bytes */
    uint32_t parts;
} sizes[] = {
    { "an empty turn is one part, which says that it ends", 0, 0, 1 },
    { "what is small goes in one", 10, 100, 1 },
    { "changes without a record take room, too", 3 * RPC_BODY_MAX / 2 / 128, 0, 4 },
    { "what is larger than a frame is split", 5, RPC_BODY_MAX / 4, 5 },
    { "each part is filled", 16, RPC_BODY_MAX / 16, 3 },
    { "one change that alone is larger than the bound goes alone", 3, RPC_BODY_MAX / 2 + 1, 3 },
};

/* What a peer gets of a part: a copy by way of bytes. */
static struct dbd_turn through_the_wire(const struct dbd_turn *part)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct dbd_turn came;

    schema_encode(dbd_turn_schema(), part, &bytes);
    ck_assert_uint_le(bytes.len, RPC_BODY_MAX);
    ck_assert_int_eq(schema_decode(dbd_turn_schema(), bytes.data, bytes.len, &came, NULL), 0);
    return came;
}

START_TEST(a_turn_is_split_and_put_together)
{
    AUTO(dbd_turn) struct dbd_turn whole;
    AUTO(turn_changes) struct turn_changes joined;
    struct dbd_turn part = { 0 };
    uint32_t parts = 0;
    uint64_t bytes = 0;

    dbd_turn_init(&whole);
    turn_changes_init(&joined);
    whole.turn = 7;
    whole.is_copy = whole.begins = true;
    for (uint32_t i = 0; i < sizes[_i].n; i++)
        add(&whole, CHANGE_JOB, sizes[_i].bytes);
    while (turn_part_next(&whole, &part)) {
        struct dbd_turn came = through_the_wire(&part);

        ck_assert_uint_eq(came.turn, 7);
        ck_assert(came.is_copy);
        ck_assert_msg(came.begins == (parts == 0), "%s: part %u", sizes[_i].title, parts);
        ck_assert_int_eq(turn_part_join(&joined, &bytes, &came, NULL), 0);
        ck_assert_msg(came.is_end == (joined.changes_n == sizes[_i].n), "%s", sizes[_i].title);
        ck_assert_uint_eq(came.changes_n, 0);
        dbd_turn_clear(&came);
        parts++;
    }

    ck_assert_msg(sizes[_i].parts == parts, "%s: %u", sizes[_i].title, parts);
    ck_assert_uint_eq(joined.changes_n, sizes[_i].n);
    for (uint32_t i = 0; i < joined.changes_n; i++)
        ck_assert(schema_equal(change_schema(), &joined.changes[i], &whole.changes[i]));
}
END_TEST

/* ---- blobs in pieces ---- */

/* A piece of the blob 'a' or 'b': one that says where it begins, and has so many bytes. */
struct piece {
    char name;
    int64_t at;
    const char *bytes;
    uint32_t kind; /* 0: a blob */
};

static const struct {
    const char *title;
    struct piece pieces[5];
    const char *joined; /* of each change: its name and bytes */
} blobs[] = {
    { "one piece is as it is", { { 'a', 0, "xy", 0 } }, "a:xy " },
    { "those that go on are one", { { 'a', 0, "xy", 0 }, { 'a', 2, "z", 0 } }, "a:xyz " },
    { "three are", { { 'a', 0, "x", 0 }, { 'a', 1, "y", 0 }, { 'a', 2, "z", 0 } }, "a:xyz " },
    { "two blobs are two",
      { { 'a', 0, "xy", 0 }, { 'a', 2, "z", 0 }, { 'b', 0, "uvw", 0 } },
      "a:xyz b:uvw " },
    { "another name does not go on", { { 'a', 0, "xy", 0 }, { 'b', 2, "z", 0 } }, "a:xy b:z " },
    { "nor does what leaves a hole", { { 'a', 0, "xy", 0 }, { 'a', 3, "z", 0 } }, "a:xy a:z " },
    { "nor what was there", { { 'a', 0, "xy", 0 }, { 'a', 1, "z", 0 } }, "a:xy a:z " },
    { "nor what stands before the beginning",
      { { 'a', 0, "xy", 0 }, { 'a', -2, "z", 0 } },
      "a:xy a:z " },
    { "nor 4 GiB further, which ends in the same bits",
      { { 'a', 0, "xy", 0 }, { 'a', (INT64_C(1) << 32) + 2, "z", 0 } },
      "a:xy a:z " },
    { "nor what has something between",
      { { 'a', 0, "xy", 0 }, { 'b', 0, "u", 0 }, { 'a', 2, "z", 0 } },
      "a:xy b:u a:z " },
    { "nor what is no blob", { { 'a', 0, "xy", 0 }, { 'a', 2, "z", CHANGE_NUMBER } }, "a:xy a:z " },
    { "an empty piece adds nothing", { { 'a', 0, "xy", 0 }, { 'a', 2, "", 0 } }, "a:xy " },
    { "one that goes on with nothing stands alone", { { 'a', 2, "z", 0 } }, "a:z " },
};

static void add_piece(struct dbd_turn *part, const struct piece *piece)
{
    struct change *change = ARRAY_PUSH(part->changes, part->changes_n);
    const uint32_t n = (uint32_t)strlen(piece->bytes);

    change_init(change);
    change->kind = piece->kind ? piece->kind : CHANGE_BLOB;
    change->number = piece->at;
    change->sha256 = (struct blob){ xmalloc(SHA256_BYTES), SHA256_BYTES };
    memset(change->sha256.data, piece->name, SHA256_BYTES);
    if (n)
        change->record = (struct blob){ xmemdup(piece->bytes, n), n };
}

static void expect_joined(int row, bool in_one_part)
{
    AUTO(turn_changes) struct turn_changes joined;
    AUTO(strbuf) struct strbuf text = { 0 };
    struct dbd_turn part;
    uint64_t bytes = 0;

    turn_changes_init(&joined);
    dbd_turn_init(&part);
    for (const struct piece *piece = blobs[row].pieces; piece->name; piece++) {
        add_piece(&part, piece);
        if (!in_one_part)
            ck_assert_int_eq(turn_part_join(&joined, &bytes, &part, NULL), 0);
    }
    ck_assert_int_eq(turn_part_join(&joined, &bytes, &part, NULL), 0);
    dbd_turn_clear(&part);
    for (uint32_t i = 0; i < joined.changes_n; i++)
        strbuf_addf(&text, "%c:%.*s ", joined.changes[i].sha256.data[0],
                    (int)joined.changes[i].record.n, (const char *)joined.changes[i].record.data);
    ck_assert_msg(strcmp(strbuf_text(&text), blobs[row].joined) == 0, "%s: '%s', not '%s'",
                  blobs[row].title, strbuf_text(&text), blobs[row].joined);
}

START_TEST(a_blob_that_came_in_pieces_is_one_again)
{
    expect_joined(_i, false);
    expect_joined(_i, true);
}
END_TEST

/* ---- what does not end ---- */

static const struct {
    const char *title;
    uint32_t changes;   /* that are there */
    uint64_t below_max; /* what they leave free, beside a change without a record */
    uint32_t bytes;     /* of the one that comes */
    bool fits;
} ends[] = {
    { "what fills it fits", 1, 100, 100, true },
    { "a byte more does not", 1, 100, 101, false },
    { "nor does an empty change, where nothing is free", 1, UINT64_MAX, 0, false },
    { "what was there before a new whole does not count", 0, UINT64_MAX, 1000, true },
};

START_TEST(parts_that_go_on_for_too_long_are_refused)
{
    AUTO(turn_changes) struct turn_changes whole;
    AUTO(dbd_turn) struct dbd_turn part;
    uint64_t bytes = TURN_BYTES_MAX - sizeof(struct change) - ends[_i].below_max;
    const uint64_t before = bytes;
    struct err err = { 0 };
    int rc;

    turn_changes_init(&whole);
    dbd_turn_init(&part);
    part.turn = 4711;
    if (ends[_i].changes)
        change_init(ARRAY_PUSH(whole.changes, whole.changes_n));
    add(&part, CHANGE_JOB, ends[_i].bytes);
    rc = turn_part_join(&whole, &bytes, &part, &err);

    ck_assert_msg(rc == (ends[_i].fits ? 0 : -E_TOO_BIG), "%s: %d", ends[_i].title, rc);
    ck_assert_uint_eq(whole.changes_n, ends[_i].changes + ends[_i].fits);
    ck_assert_uint_eq(part.changes_n, !ends[_i].fits);
    if (ends[_i].fits)
        return;
    ck_assert_uint_eq(bytes, before);
    ck_assert_msg(strstr(err.text, "turn 4711 takes more than 256 MiB") != NULL, "%s", err.text);
}
END_TEST

CHECK_MAIN(turn_part, LOOP_CASE(a_turn_is_split_and_put_together, ARRAY_N(sizes)),
           LOOP_CASE(a_blob_that_came_in_pieces_is_one_again, ARRAY_N(blobs)),
           LOOP_CASE(parts_that_go_on_for_too_long_are_refused, ARRAY_N(ends)))
