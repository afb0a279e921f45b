/* Who reads committed changes is told each once, in order, at its own pace. */
#include "unit/check_main.h"

#include "ctld/dispatch/turn_stream.h"

struct seen {
    struct strbuf told;
    bool not_now, lost;
};

static bool take(const struct change *change, uint64_t turn, void *ctx)
{
    struct seen *seen = ctx;

    if (seen->not_now)
        return false;
    strbuf_addf(&seen->told, "%llu:%u ", (unsigned long long)turn, change->job_id);
    return true;
}

static void on_lost(void *ctx)
{
    ((struct seen *)ctx)->lost = true;
}

static void offer(struct turn_stream *stream, uint64_t turn, enum change_kind kind, uint32_t job_id)
{
    struct change change = { .kind = kind, .job_id = job_id };
    const struct turn_changes changes = { .turn = turn, .changes = &change, .changes_n = 1 };

    turn_stream_offer(stream, &changes);
}

static void expect(struct seen *seen, const char *told)
{
    ck_assert_str_eq(strbuf_text(&seen->told), told);
    strbuf_truncate(&seen->told, 0);
}

START_TEST(nothing_is_told_before_it_is_on_disk)
{
    struct turn_stream *stream = turn_stream_new();
    struct seen seen = { 0 };
    struct turn_reader reader = { .kinds = TURN_KIND(CHANGE_JOB), .take = take, .ctx = &seen };

    turn_stream_add(stream, &reader);
    offer(stream, 1, CHANGE_JOB, 7);
    offer(stream, 2, CHANGE_JOB, 8);
    expect(&seen, "");
    turn_stream_release(stream, 1);
    expect(&seen, "1:7 ");
    turn_stream_release(stream, 2);
    expect(&seen, "2:8 ");
    turn_stream_free(stream);
    strbuf_clear(&seen.told);
}
END_TEST

START_TEST(a_reader_is_told_of_its_kinds_and_from_when_it_came_on)
{
    struct turn_stream *stream = turn_stream_new();
    struct seen jobs = { 0 }, numbers = { 0 };
    struct turn_reader first = { .kinds = TURN_KIND(CHANGE_JOB), .take = take, .ctx = &jobs };
    struct turn_reader second = { .kinds = TURN_KIND(CHANGE_NUMBER),
                                  .take = take,
                                  .ctx = &numbers };

    turn_stream_add(stream, &first);
    offer(stream, 1, CHANGE_JOB, 1);
    offer(stream, 1, CHANGE_NUMBER, 2);
    turn_stream_add(stream, &second);
    offer(stream, 2, CHANGE_NUMBER, 3);
    offer(stream, 2, CHANGE_STEP, 4);
    turn_stream_release(stream, 2);
    expect(&jobs, "1:1 ");
    expect(&numbers, "2:3 ");
    turn_stream_free(stream);
    strbuf_clear(&jobs.told);
    strbuf_clear(&numbers.told);
}
END_TEST

START_TEST(who_is_slow_holds_up_nobody_and_misses_nothing)
{
    struct turn_stream *stream = turn_stream_new();
    struct seen slow = { .not_now = true }, quick = { 0 };
    struct turn_reader first = { .kinds = TURN_KIND(CHANGE_JOB), .take = take, .ctx = &slow };
    struct turn_reader second = { .kinds = TURN_KIND(CHANGE_JOB), .take = take, .ctx = &quick };

    turn_stream_add(stream, &first);
    turn_stream_add(stream, &second);
    offer(stream, 1, CHANGE_JOB, 1);
    turn_stream_release(stream, 1);
    offer(stream, 2, CHANGE_JOB, 2);
    turn_stream_release(stream, 2);
    expect(&quick, "1:1 2:2 ");
    expect(&slow, "");
    slow.not_now = false;
    turn_stream_release(stream, 2);
    expect(&slow, "1:1 2:2 ");
    turn_stream_remove(stream, &first);
    offer(stream, 3, CHANGE_JOB, 3);
    turn_stream_release(stream, 3);
    expect(&slow, "");
    turn_stream_free(stream);
    strbuf_clear(&slow.told);
    strbuf_clear(&quick.told);
}
END_TEST

START_TEST(who_falls_too_far_behind_is_lost_and_told_so)
{
    struct turn_stream *stream = turn_stream_new();
    struct seen slow = { .not_now = true };
    struct turn_reader reader = {
        .kinds = TURN_KIND(CHANGE_JOB), .take = take, .on_lost = on_lost, .ctx = &slow
    };

    turn_stream_add(stream, &reader);
    for (uint32_t i = 0; i <= TURN_STREAM_MAX; i++)
        offer(stream, i + 1, CHANGE_JOB, i);
    ck_assert(slow.lost);
    turn_stream_release(stream, TURN_STREAM_MAX + 1);
    slow.not_now = false;
    turn_stream_release(stream, TURN_STREAM_MAX + 1);
    expect(&slow, "");
    turn_stream_free(stream);
}
END_TEST

CHECK_MAIN(turn_stream, CASE(nothing_is_told_before_it_is_on_disk),
           CASE(a_reader_is_told_of_its_kinds_and_from_when_it_came_on),
           CASE(who_is_slow_holds_up_nobody_and_misses_nothing),
           CASE(who_falls_too_far_behind_is_lost_and_told_so))
