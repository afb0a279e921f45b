#include "unit/check_main.h"

#include <string.h>
#include <unistd.h>

#include "common/crypt/crypt.h"
#include "noded/agent/blobs.h"

static struct blob_chunk chunk_of(uint8_t hash[SHA256_BYTES], const char *all, uint32_t offset,
                                  uint32_t n)
{
    crypt_sha256(all, strlen(all), hash);
    return (struct blob_chunk){ .sha256 = { hash, SHA256_BYTES },
                                .total = (uint32_t)strlen(all),
                                .offset = offset,
                                .data = { (uint8_t *)(uintptr_t)all + offset, n } };
}

START_TEST(a_blob_in_chunks_becomes_a_file)
{
    struct blobs *blobs = blobs_new();
    uint8_t hash[SHA256_BYTES];
    struct blob_chunk first = chunk_of(hash, "hello world", 0, 6);
    struct blob_chunk second = chunk_of(hash, "hello world", 6, 5);
    char text[16] = "";

    ck_assert_int_eq(blobs_find(blobs, hash), -1);
    blobs_begin(blobs, hash);
    ck_assert(blobs_is_coming(blobs, hash));
    ck_assert_int_eq(blobs_chunk(blobs, &first, NULL), 0);
    ck_assert_int_eq(blobs_find(blobs, hash), -1);
    ck_assert_int_eq(blobs_chunk(blobs, &second, NULL), 1);

    ck_assert(!blobs_is_coming(blobs, hash));
    ck_assert_int_eq(pread(blobs_find(blobs, hash), text, sizeof(text), 0), 11);
    ck_assert_str_eq(text, "hello world");
    blobs_free(blobs);
}
END_TEST

START_TEST(an_empty_blob_is_one_empty_chunk)
{
    struct blobs *blobs = blobs_new();
    uint8_t hash[SHA256_BYTES];
    struct blob_chunk chunk = chunk_of(hash, "", 0, 0);

    blobs_begin(blobs, hash);
    ck_assert_int_eq(blobs_chunk(blobs, &chunk, NULL), 1);
    ck_assert_int_ge(blobs_find(blobs, hash), 0);
    blobs_free(blobs);
}
END_TEST

START_TEST(chunks_out_of_order_too_long_or_not_asked_for_are_refused)
{
    struct blobs *blobs = blobs_new();
    uint8_t hash[SHA256_BYTES];
    struct blob_chunk late = chunk_of(hash, "hello world", 6, 5);
    struct blob_chunk more = chunk_of(hash, "hello world", 0, 6);
    struct err err = { 0 };

    ck_assert_int_eq(blobs_chunk(blobs, &more, &err), -E_PROTO);
    ck_assert_str_eq(err.text, "a chunk of a blob that was not asked for");
    blobs_begin(blobs, hash);
    ck_assert_int_eq(blobs_chunk(blobs, &late, &err), -E_PROTO);
    more.total = 3;
    ck_assert_int_eq(blobs_chunk(blobs, &more, &err), -E_PROTO);
    more.total = BLOB_MAX + 1;
    ck_assert_int_eq(blobs_chunk(blobs, &more, &err), -E_TOO_BIG);
    blobs_free(blobs);
}
END_TEST

START_TEST(a_blob_with_another_hash_is_refused)
{
    struct blobs *blobs = blobs_new();
    uint8_t hash[SHA256_BYTES];
    struct blob_chunk chunk = chunk_of(hash, "hello", 0, 5);

    hash[0] ^= 1;
    blobs_begin(blobs, hash);
    ck_assert_int_eq(blobs_chunk(blobs, &chunk, NULL), -E_PROTO);
    ck_assert_int_eq(blobs_find(blobs, hash), -1);
    blobs_abort_all(blobs);
    ck_assert(!blobs_is_coming(blobs, hash));
    blobs_free(blobs);
}
END_TEST

START_TEST(the_blob_that_was_not_used_for_the_longest_time_goes_first)
{
    struct blobs *blobs = blobs_new();
    uint8_t hashes[BLOBS_KEEP_N + 1][SHA256_BYTES];

    for (uint32_t i = 0; i <= BLOBS_KEEP_N; i++) {
        AUTO_FREE char *text = xasprintf("blob %u", i);
        struct blob_chunk chunk = chunk_of(hashes[i], text, 0, (uint32_t)strlen(text));

        if (i == BLOBS_KEEP_N)
            ck_assert_int_ge(blobs_find(blobs, hashes[0]), 0); /* used again */
        blobs_begin(blobs, hashes[i]);
        ck_assert_int_eq(blobs_chunk(blobs, &chunk, NULL), 1);
    }

    ck_assert_int_ge(blobs_find(blobs, hashes[0]), 0);
    ck_assert_int_eq(blobs_find(blobs, hashes[1]), -1);
    ck_assert_int_ge(blobs_find(blobs, hashes[BLOBS_KEEP_N]), 0);
    blobs_free(blobs);
}
END_TEST

START_TEST(a_whole_blob_is_taken_without_being_asked_for)
{
    struct blobs *blobs = blobs_new();
    uint8_t hash[SHA256_BYTES], other[SHA256_BYTES];
    struct blob_chunk whole = chunk_of(hash, "hello world", 0, 11);
    struct blob_chunk half = chunk_of(other, "hello there", 0, 5);

    blobs_take(blobs, &whole);
    blobs_take(blobs, &whole);
    blobs_take(blobs, &half);

    ck_assert_int_ge(blobs_find(blobs, hash), 0);
    ck_assert_int_eq(blobs_find(blobs, other), -1);
    ck_assert(!blobs_is_coming(blobs, other));
    blobs_begin(blobs, other); /* it can still be asked for, and be whole */
    whole = chunk_of(other, "hello there", 0, 11);
    ck_assert_int_eq(blobs_chunk(blobs, &whole, NULL), 1);
    blobs_free(blobs);
}
END_TEST

START_TEST(a_whole_blob_with_another_hash_is_dropped)
{
    struct blobs *blobs = blobs_new();
    uint8_t hash[SHA256_BYTES];
    struct blob_chunk whole = chunk_of(hash, "hello world", 0, 11);

    whole.data.data = (uint8_t *)(uintptr_t) "hello earth";
    blobs_take(blobs, &whole);

    ck_assert_int_eq(blobs_find(blobs, hash), -1);
    ck_assert(!blobs_is_coming(blobs, hash));
    blobs_free(blobs);
}
END_TEST

CHECK_MAIN(blobs, CASE(a_whole_blob_is_taken_without_being_asked_for),
           CASE(a_whole_blob_with_another_hash_is_dropped), CASE(a_blob_in_chunks_becomes_a_file),
           CASE(an_empty_blob_is_one_empty_chunk),
           CASE(chunks_out_of_order_too_long_or_not_asked_for_are_refused),
           CASE(a_blob_with_another_hash_is_refused),
           CASE(the_blob_that_was_not_used_for_the_longest_time_goes_first))
