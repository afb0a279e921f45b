/* What a controller sends before it has registered is kept in bounds. */
#include "unit/check_main.h"

#include <string.h>

#include "common/base/alloc.h"
#include "dbd/coming.h"

#define PIECE (1u << 20)

static int add_records(struct coming *coming, uint32_t n, uint64_t others, struct err *err)
{
    AUTO(dbd_records) struct dbd_records piece;
    struct dbd_record *record;

    dbd_records_init(&piece);
    record = ARRAY_PUSH(piece.records, piece.records_n);
    dbd_record_init(record);
    record->kind = 1;
    record->record.data = xcalloc(1, n);
    record->record.n = n;
    return coming_add_records(coming, &piece, others, err);
}

static int add_carried(struct coming *coming, uint32_t n, uint64_t others, struct err *err)
{
    AUTO(dbd_carried) struct dbd_carried page;

    dbd_carried_init(&page);
    page.place = 7;
    for (uint32_t i = 0; i < n; i++)
        event_record_init(ARRAY_PUSH(page.events, page.events_n));
    return coming_add_carried(coming, &page, others, err);
}

START_TEST(what_comes_is_joined)
{
    struct coming coming;

    coming_init(&coming);
    ck_assert_int_eq(add_carried(&coming, 2, 0, NULL), 0);
    ck_assert_int_eq(add_records(&coming, 10, 0, NULL), 0);
    ck_assert_int_eq(add_records(&coming, 20, 0, NULL), 0);
    ck_assert_uint_eq(coming.carried_n, 1);
    ck_assert_uint_eq(coming.carried[0].events_n, 2);
    ck_assert_uint_eq(coming.records.records_n, 2);
    ck_assert_uint_ge(coming.bytes, 30 + 2 * sizeof(struct event_record));

    coming_clear(&coming);
    ck_assert_uint_eq(coming.records.records_n, 0);
    ck_assert_uint_eq(coming.bytes, 0);
}
END_TEST

START_TEST(more_than_there_is_room_for_is_refused_in_words)
{
    struct coming coming;
    struct err err = { 0 };

    coming_init(&coming);
    ck_assert_int_eq(add_records(&coming, PIECE, COMING_BYTES_MAX - 3 * PIECE, &err), 0);
    ck_assert_int_eq(add_records(&coming, PIECE, COMING_BYTES_MAX - 3 * PIECE, &err), 0);
    ck_assert_int_eq(add_records(&coming, PIECE, COMING_BYTES_MAX - 3 * PIECE, &err), -E_TOO_BIG);
    ck_assert_ptr_nonnull(strstr(err.text, "more than 512 MiB together"));
    ck_assert_uint_eq(coming.records.records_n, 2);
    ck_assert_int_eq(add_carried(&coming, 1, COMING_BYTES_MAX - coming.bytes, &err), -E_TOO_BIG);
    ck_assert_uint_eq(coming.carried_n, 0);
    coming_clear(&coming);
}
END_TEST

CHECK_MAIN(coming, CASE(what_comes_is_joined),
           CASE(more_than_there_is_room_for_is_refused_in_words))
