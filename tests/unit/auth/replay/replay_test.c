#include "auth/replay/replay.h"

#include "common/base/alloc.h"
#include "unit/check_main.h"

#define NOW 1795200000

static enum replay_verdict use(struct replay *replay, uint32_t number, int64_t expires_at,
                               int64_t now)
{
    struct replay_use seen = { .mac = (const uint8_t *)&number,
                               .mac_n = sizeof(number),
                               .expires_at = expires_at,
                               .pid = 10,
                               .uid = 1000 };

    return replay_check(replay, &seen, now);
}

START_TEST(a_credential_is_new_once)
{
    struct replay *replay = replay_new(10, 10);

    ck_assert_int_eq(use(replay, 1, NOW + 300, NOW), REPLAY_NEW);
    ck_assert_int_eq(use(replay, 1, NOW + 300, NOW), REPLAY_SEEN);
    ck_assert_int_eq(use(replay, 2, NOW + 300, NOW), REPLAY_NEW);
    ck_assert_int_eq(use(replay, 1, NOW + 300, NOW + 300), REPLAY_SEEN);
    replay_free(replay);
}
END_TEST

START_TEST(what_has_expired_is_forgotten_and_nothing_else)
{
    struct replay *replay = replay_new(100, 100);

    for (uint32_t i = 0; i < 100; i++)
        use(replay, i, NOW + i * 70, NOW);

    for (int64_t now = NOW; now < NOW + 7200; now += 640) {
        replay_expire(replay, now);
        for (uint32_t i = 0; i < 100; i++) {
            if (NOW + i * 70 >= now)
                ck_assert_int_eq(use(replay, i, NOW + i * 70, now), REPLAY_SEEN);
        }
    }
    replay_expire(replay, NOW + 7200);
    ck_assert_uint_eq(replay_count(replay), 0);
    replay_free(replay);
}
END_TEST

START_TEST(a_clock_that_jumps_either_way_loses_nothing_that_is_good)
{
    struct replay *replay = replay_new(100, 100);

    use(replay, 1, NOW + 300, NOW);
    replay_expire(replay, NOW - 100000);
    ck_assert_int_eq(use(replay, 1, NOW + 300, NOW), REPLAY_SEEN);

    replay_expire(replay, NOW + 100000);
    ck_assert_uint_eq(replay_count(replay), 0);
    ck_assert_int_eq(use(replay, 2, NOW + 300, NOW), REPLAY_NEW);
    ck_assert_int_eq(use(replay, 2, NOW + 300, NOW + 1), REPLAY_SEEN);
    replay_expire(replay, NOW + 400);
    ck_assert_uint_eq(replay_count(replay), 0);
    replay_free(replay);
}
END_TEST

START_TEST(a_full_cache_says_so_until_something_expires)
{
    struct replay *replay = replay_new(2, 2);

    use(replay, 1, NOW + 10, NOW);
    use(replay, 2, NOW + 300, NOW);

    ck_assert_int_eq(use(replay, 3, NOW + 300, NOW), REPLAY_FULL);
    ck_assert_int_eq(use(replay, 2, NOW + 300, NOW), REPLAY_SEEN);
    ck_assert_int_eq(use(replay, 3, NOW + 300, NOW + 100), REPLAY_NEW);
    replay_free(replay);
}
END_TEST

START_TEST(a_user_with_a_full_share_is_the_only_one_refused)
{
    struct replay *replay = replay_new(10, 2);
    struct replay_use other = { .mac = (const uint8_t *)"mac", .mac_n = 3, .pid = 9, .uid = 5 };

    other.expires_at = NOW + 300;
    use(replay, 1, NOW + 10, NOW);
    use(replay, 2, NOW + 300, NOW);

    ck_assert_int_eq(use(replay, 3, NOW + 300, NOW), REPLAY_FULL);
    ck_assert_int_eq(replay_check(replay, &other, NOW), REPLAY_NEW);
    ck_assert_int_eq(use(replay, 3, NOW + 300, NOW + 100), REPLAY_NEW);
    replay_free(replay);
}
END_TEST

START_TEST(only_the_process_that_decoded_may_retry)
{
    struct replay *replay = replay_new(10, 10);
    struct replay_use first = { .mac = (const uint8_t *)"mac", .mac_n = 3, .pid = 10, .uid = 5 };
    struct replay_use retry = first;

    first.expires_at = retry.expires_at = NOW + 300;
    retry.is_retry = true;
    ck_assert_int_eq(replay_check(replay, &first, NOW), REPLAY_NEW);

    ck_assert_int_eq(replay_check(replay, &retry, NOW), REPLAY_NEW);
    retry.pid = 11;
    ck_assert_int_eq(replay_check(replay, &retry, NOW), REPLAY_SEEN);
    retry.pid = 10;
    retry.uid = 6;
    ck_assert_int_eq(replay_check(replay, &retry, NOW), REPLAY_SEEN);
    replay_free(replay);
}
END_TEST

START_TEST(many_credentials_come_and_go)
{
    struct replay *replay = replay_new(REPLAY_ENTRIES_MAX, REPLAY_ENTRIES_MAX);

    for (uint32_t i = 0; i < 50000; i++) {
        int64_t now = NOW + i / 10;

        ck_assert_int_eq(use(replay, i, now + i % 300, now), REPLAY_NEW);
    }
    ck_assert_uint_lt(replay_count(replay), 5000);
    replay_free(replay);
}
END_TEST

CHECK_MAIN(replay, CASE(a_credential_is_new_once),
           CASE(what_has_expired_is_forgotten_and_nothing_else),
           CASE(a_clock_that_jumps_either_way_loses_nothing_that_is_good),
           CASE(a_full_cache_says_so_until_something_expires),
           CASE(a_user_with_a_full_share_is_the_only_one_refused),
           CASE(only_the_process_that_decoded_may_retry), CASE(many_credentials_come_and_go))
