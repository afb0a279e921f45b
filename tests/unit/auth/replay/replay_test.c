#include "auth/replay/replay.h"

#include "common/base/alloc.h"
#include "unit/check_main.h"

#define NOW 1795200000

enum { SLOTS = 1024, ROOM = SLOTS / 8 * 6, KEPT = SLOTS / 8 * 5 };

static struct replay *new_replay(void)
{
    return replay_new(SLOTS, 12345);
}

/* MACs are random: neighbours in number are none in the table. */
static struct replay_use made(uint64_t *number, uint32_t encoded_at, uint32_t ttl, uid_t by)
{
    *number = (*number + 1) * 0x9e3779b97f4a7c15;
    return (struct replay_use){ .mac = (const uint8_t *)number,
                                .mac_n = sizeof(*number),
                                .encoded_at = encoded_at,
                                .ttl = ttl,
                                .made_by = by,
                                .is_reserved = by < 1000,
                                .pid = 10,
                                .uid = 500 };
}

static enum replay_verdict use_by(struct replay *replay, uint64_t number, uid_t by,
                                  uint32_t encoded_at, int64_t now)
{
    struct replay_use use = made(&number, encoded_at, REPLAY_TTL_MAX_S, by);

    return replay_check(replay, &use, now);
}

/* One that expires then. */
static enum replay_verdict use(struct replay *replay, uint64_t number, int64_t expires_at,
                               int64_t now)
{
    struct replay_use use = made(&number, (uint32_t)expires_at - 300, 300, 1000);

    return replay_check(replay, &use, now);
}

START_TEST(a_credential_is_new_once)
{
    struct replay *replay = new_replay();

    ck_assert_int_eq(use(replay, 1, NOW + 300, NOW), REPLAY_NEW);
    ck_assert_int_eq(use(replay, 1, NOW + 300, NOW), REPLAY_SEEN);
    ck_assert_int_eq(use(replay, 2, NOW + 300, NOW), REPLAY_NEW);
    ck_assert_int_eq(use(replay, 1, NOW + 300, NOW + 300), REPLAY_SEEN);
    replay_free(replay);
}
END_TEST

START_TEST(what_has_expired_is_forgotten_and_nothing_else)
{
    struct replay *replay = new_replay();

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
    struct replay *replay = new_replay();

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

/* User 5000 makes `n`, ten a second, from NOW on; returns the second after. */
static int64_t flood(struct replay *replay, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        ck_assert_int_eq(use_by(replay, i, 5000, NOW + i / 10, NOW + i / 10), REPLAY_NEW);
    return NOW + n / 10;
}

START_TEST(who_makes_too_many_loses_the_life_of_his_oldest)
{
    struct replay *replay = new_replay();
    uint32_t good = 0;
    int64_t now;

    use_by(replay, 1000000, 2000, NOW, NOW);
    use_by(replay, 1000001, 0, NOW, NOW);

    now = flood(replay, 3000);

    ck_assert_uint_le(replay_count(replay), ROOM);
    ck_assert_uint_ge(replay_count(replay), KEPT - 80); /* what a span has */
    ck_assert_int_eq(use_by(replay, 1000000, 2000, NOW, now), REPLAY_SEEN);
    ck_assert_int_eq(use_by(replay, 1000001, 0, NOW, now), REPLAY_SEEN);
    ck_assert_int_eq(use_by(replay, 1000002, 2000, NOW, now), REPLAY_NEW);
    ck_assert_int_eq(use_by(replay, 1000003, 0, NOW, now), REPLAY_NEW);
    ck_assert_int_eq(use_by(replay, 1000004, 5000, NOW, now), REPLAY_CAPPED);
    for (uint32_t i = 0; i < 3000; i++)
        good += use_by(replay, i, 5000, NOW + i / 10, now) == REPLAY_NEW;
    ck_assert_uint_eq(good, 0);
    replay_free(replay);
}
END_TEST

/* What a village of made-up users may have: each is small, and no heavier than who is honest. */
START_TEST(any_number_of_users_who_fill_it_keeps_nobody_out)
{
    struct replay *replay = new_replay();
    uint64_t number = 0;

    for (uint32_t s = 0; s < 1000; s++) {
        for (uid_t uid = 100000; uid < 100020; uid++)
            use_by(replay, number++, uid + 20 * s, NOW + s, NOW + s);
        ck_assert_int_eq(use_by(replay, number++, 0, NOW + s, NOW + s), REPLAY_NEW);
        ck_assert_int_eq(use_by(replay, number++, 2000, NOW + s, NOW + s), REPLAY_NEW);
        ck_assert_int_eq(use_by(replay, number++, 2000, NOW + s - 2, NOW + s), REPLAY_NEW);
        ck_assert_uint_le(replay_count(replay), ROOM);
    }
    for (uint64_t i = 0; i < number; i++) {
        uint32_t second = NOW + (uint32_t)(i / 23);

        if (i % 23 < 20)
            ck_assert_int_ne(
                use_by(replay, i, 100000 + (uid_t)(i % 23 + i / 23 * 20), second, NOW + 999),
                REPLAY_NEW);
    }
    replay_free(replay);
}
END_TEST

START_TEST(what_root_made_is_remembered_while_others_fill_it)
{
    struct replay *replay = new_replay();

    for (uint64_t i = 0; i < SLOTS / 64; i++)
        use_by(replay, 500000 + i, 0, NOW, NOW);
    for (uint64_t i = 0; i < 20000; i++)
        use_by(replay, i, 5000 + (uid_t)(i % 7), NOW + (uint32_t)(i / 10), NOW + (int64_t)i / 10);

    for (uint64_t i = 0; i < SLOTS / 64; i++)
        ck_assert_int_eq(use_by(replay, 500000 + i, 0, NOW, NOW + 2000), REPLAY_SEEN);
    ck_assert_int_eq(use_by(replay, 600000, 0, NOW, NOW + 2000), REPLAY_NEW);
    replay_free(replay);
}
END_TEST

START_TEST(a_clock_ahead_is_no_way_to_fill_it)
{
    struct replay *replay = new_replay();
    uint32_t taken = 0;

    for (uint64_t i = 0; i < 5000; i++)
        taken += use_by(replay, i, 5000 + (uid_t)(i % 7), NOW + 3000, NOW) == REPLAY_NEW;

    ck_assert_uint_eq(taken, SLOTS / 2);
    ck_assert_int_eq(use_by(replay, 10000, 0, NOW + 3000, NOW), REPLAY_NEW);
    ck_assert_int_eq(use_by(replay, 10001, 5000, NOW, NOW), REPLAY_NEW);
    replay_free(replay);
}
END_TEST

START_TEST(a_table_full_of_the_future_refuses_rather_than_forgets)
{
    struct replay *replay = new_replay();
    uint32_t full = 0;

    for (uint64_t i = 0; i < SLOTS; i++)
        full += use_by(replay, i, 0, NOW, NOW - 20000) == REPLAY_FULL;

    ck_assert_uint_eq(full, SLOTS - ROOM);
    ck_assert_int_eq(use_by(replay, SLOTS, 2000, NOW - 20000, NOW - 20000), REPLAY_FULL);
    ck_assert_int_eq(use_by(replay, SLOTS, 2000, NOW + 4000, NOW + 4000), REPLAY_NEW);
    replay_free(replay);
}
END_TEST

START_TEST(what_was_given_up_stays_refused_when_the_clock_is_set_back)
{
    struct replay *replay = new_replay();
    int64_t now = flood(replay, 3000);

    for (uint64_t i = 0; i < 3000; i++)
        use_by(replay, 10000 + i, 5000, (uint32_t)(now - 2000 + (int64_t)i / 10),
               now - 2000 + (int64_t)i / 10);

    for (uint32_t i = 0; i < 3000; i++) {
        ck_assert_int_ne(use_by(replay, i, 5000, NOW + i / 10, now), REPLAY_NEW);
        ck_assert_int_ne(use_by(replay, 10000 + i, 5000, (uint32_t)(now - 2000 + i / 10), now),
                         REPLAY_NEW);
    }
    replay_free(replay);
}
END_TEST

START_TEST(only_the_process_that_decoded_may_retry)
{
    struct replay *replay = new_replay();
    uint64_t number = 1;
    struct replay_use first = made(&number, NOW, 300, 1000);
    struct replay_use retry = first;

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
    struct replay *replay = replay_new(REPLAY_SLOTS_MAX, 1);

    for (uint32_t i = 0; i < 50000; i++) {
        int64_t now = NOW + i / 10;

        ck_assert_int_eq(use(replay, i, now + i % 300, now), REPLAY_NEW);
    }
    ck_assert_uint_lt(replay_count(replay), 5000);
    replay_free(replay);
}
END_TEST

/* Against a list that forgets nothing: whatever comes, nothing is new twice. What has expired once
   is not tried again, also when the clock was set back. */
START_TEST(nothing_is_new_twice_whatever_comes)
{
    enum { N = 6000 };
    static struct {
        uint32_t encoded_at;
        uid_t by;
        bool was_new;
    } seen[N];
    struct replay *replay = new_replay();
    uint64_t random = (uint64_t)_i + 1;
    int64_t now = NOW;
    int64_t latest = NOW;

    for (uint32_t i = 0; i < 8 * N; i++) {
        random = random * 6364136223846793005 + 1442695040888963407;

        uint32_t pick = (uint32_t)(random >> 33);
        uint32_t which = pick % N;

        if (!seen[which].encoded_at) {
            seen[which].encoded_at = (uint32_t)(now - 1800 + pick / N % 3600);
            seen[which].by = pick % 3 ? 5000 + pick % 9 : pick % 4;
        }
        if (pick % 1000 == 0)
            now += pick / N % 2 ? 900 : -700;
        if (pick % 500 == 1)
            replay_expire(replay, now);
        now += pick % 64 == 0;
        latest = now > latest ? now : latest;
        if (now < seen[which].encoded_at - REPLAY_TTL_MAX_S ||
            latest > seen[which].encoded_at + REPLAY_TTL_MAX_S)
            continue;

        enum replay_verdict verdict =
            use_by(replay, which, seen[which].by, seen[which].encoded_at, now);

        ck_assert(!seen[which].was_new || verdict != REPLAY_NEW);
        seen[which].was_new |= verdict == REPLAY_NEW;
    }
    replay_free(replay);
}
END_TEST

CHECK_MAIN(replay, CASE(a_credential_is_new_once),
           CASE(what_has_expired_is_forgotten_and_nothing_else),
           CASE(a_clock_that_jumps_either_way_loses_nothing_that_is_good),
           CASE(who_makes_too_many_loses_the_life_of_his_oldest),
           CASE(any_number_of_users_who_fill_it_keeps_nobody_out),
           CASE(what_root_made_is_remembered_while_others_fill_it),
           CASE(a_clock_ahead_is_no_way_to_fill_it),
           CASE(a_table_full_of_the_future_refuses_rather_than_forgets),
           CASE(what_was_given_up_stays_refused_when_the_clock_is_set_back),
           CASE(only_the_process_that_decoded_may_retry), CASE(many_credentials_come_and_go),
           LOOP_CASE(nothing_is_new_twice_whatever_comes, 20))
