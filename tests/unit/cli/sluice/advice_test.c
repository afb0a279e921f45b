#include "unit/check_main.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/sluice/advice.h"

#define NOON INT64_C(1795176000) /* 2026-11-20T12:00:00 */
#define PLAN (NOON + 36000)      /* when the job is planned to start */

/* A scheduler with one gap before the plan: what fits into it starts at noon. */
struct gap {
    uint32_t minutes, nodes, mb;
    const char *partition; /* which has room at once, or NULL */
    uint32_t asked;
};

static bool fits(const struct gap *gap, const struct job_spec *spec)
{
    if (gap->partition && spec->partition && strcmp(spec->partition, gap->partition) == 0)
        return true;
    return spec->time_limit >= 0 && spec->time_limit <= gap->minutes * 60 &&
           spec->min_nodes <= gap->nodes &&
           (spec->mem_per_node == MB_UNSET || spec->mem_per_node <= gap->mb);
}

static bool ask(void *ctx, const struct job_spec *spec, int64_t *ret_start, char **ret_nodes)
{
    struct gap *gap = ctx;

    gap->asked++;
    *ret_start = fits(gap, spec) ? NOON : PLAN;
    *ret_nodes = fits(gap, spec) ? xstrdup("tux1") : NULL;
    return true;
}

/* Two nodes with 8000 MB for ten hours in main. */
static void fill(struct job_info *info)
{
    setenv("TZ", "UTC", 1);
    tzset();
    job_info_init(info);
    info->job = xcalloc(1, sizeof(*info->job));
    job_record_init(info->job);
    info->job->spec = xcalloc(1, sizeof(*info->job->spec));
    job_spec_init(info->job->spec);
    info->planned_start = PLAN;
    info->job->state = JOB_PENDING;
    info->job->reason = REASON_RESOURCES;
    info->job->partition = xstrdup("main");
    info->job->spec->min_nodes = 2;
    info->job->spec->mem_per_node = 8000;
    info->job->spec->time_limit = 36000;
}

static char *advice(const struct job_info *info, struct gap *gap)
{
    static char main_part[] = "main", other[] = "other";
    static char *partitions[] = { main_part, other };
    const struct advice_asker asker = { ask, gap, partitions, 2 };
    struct strbuf out = { 0 };
    AUTO(advice) struct advice found = { 0 };

    advice_find(info, &asker, &found);
    advice_format(&found, &out);
    return strbuf_steal(&out);
}

static const struct {
    struct gap gap;
    const char *says;
} gaps[] = {
    { { .minutes = 45, .nodes = 2, .mb = 8000 },
      "    --time=00:45:00 instead of 10:00:00: at 2026-11-20T12:00:00 on tux1\n" },
    { { .minutes = 600, .nodes = 1, .mb = 8000 },
      "    --nodes=1 instead of 2: at 2026-11-20T12:00:00 on tux1\n" },
    { { .minutes = 600, .nodes = 2, .mb = 4321 },
      "    --mem=4321M instead of 8000M: at 2026-11-20T12:00:00 on tux1\n" },
    { { .minutes = 45, .nodes = 1, .mb = 4321 },
      "    --mem=4321M --nodes=1 --time=00:45:00 instead of --mem=8000M --nodes=2 --time=10:00:00: "
      "at 2026-11-20T12:00:00 on tux1\n" },
    { { .partition = "other" }, "    --partition=other: at 2026-11-20T12:00:00 on tux1\n" },
};

START_TEST(the_smallest_change_that_helps_is_named)
{
    struct job_info info;
    struct gap gap = gaps[_i].gap;
    AUTO_FREE char *expected = xasprintf(
        "  One of these changes would start it sooner, as the scheduler says:\n%s", gaps[_i].says);

    fill(&info);
    AUTO_FREE char *text = advice(&info, &gap);

    ck_assert_str_eq(text, expected);
    ck_assert_uint_le(gap.asked, 90);
    job_info_clear(&info);
}
END_TEST

START_TEST(where_nothing_helps_it_says_so)
{
    struct job_info info;
    struct gap gap = { 0 };

    fill(&info);
    AUTO_FREE char *text = advice(&info, &gap);

    ck_assert_str_eq(
        text,
        "  No smaller request was found that would start sooner even behind all that wait.\n");
    job_info_clear(&info);
}
END_TEST

/* All that it asks for can be had; it is kept from its turn by something else. */
static void fill_kept(struct job_info *info, uint32_t reason)
{
    fill(info);
    info->planned_start = 0;
    info->now = NOON - 1;
    info->job->id = 7;
    info->job->priority = 100;
    info->job->reason = reason;
}

static const struct {
    uint32_t reason, priority;
    int64_t planned;
    const char *says;
} kept[] = {
    { REASON_HELD_USER, 0, 0, "scontrol release 7" },
    { REASON_HELD_ADMIN, 0, 0, "scontrol release 7" },
    { REASON_BEGIN_TIME, 1, PLAN, "without --begin" },
    { REASON_BEGIN_TIME, 1, NOON + 30, NULL },
    { REASON_DEPENDENCY_NEVER, 1, 0, "without --dependency" },
    { REASON_ARRAY_LIMIT, 1, 0, "scontrol update JobId=5 ArrayTaskThrottle=3" },
    { REASON_DEPENDENCY, 1, 0, NULL },
};

START_TEST(what_keeps_a_job_from_its_turn_is_taken_away)
{
    struct job_info info;
    struct gap gap = { .minutes = 600, .nodes = 2, .mb = 8000 };
    AUTO_FREE char *expected =
        kept[_i].says ? xasprintf("  One of these changes would start it sooner, as the scheduler "
                                  "says:\n    %s: at 2026-11-20T12:00:00 on tux1\n",
                                  kept[_i].says)
                      : xstrdup("");

    fill_kept(&info, kept[_i].reason);
    info.job->priority = kept[_i].priority;
    info.planned_start = kept[_i].planned;
    if (kept[_i].reason == REASON_ARRAY_LIMIT) {
        info.job->array_job_id = 5;
        info.job->array_limit = 2;
    }
    AUTO_FREE char *text = advice(&info, &gap);

    ck_assert_str_eq(text, expected);
    job_info_clear(&info);
}
END_TEST

/* When a running task of the array ends is not known: it may be before that. */
START_TEST(more_tasks_at_once_are_no_help_where_none_could_start)
{
    struct job_info info;
    struct gap gap = { 0 };

    fill_kept(&info, REASON_ARRAY_LIMIT);
    AUTO_FREE char *text = advice(&info, &gap);

    ck_assert_str_eq(text, "");
    ck_assert_uint_eq(gap.asked, 1);
    job_info_clear(&info);
}
END_TEST

/* The plan of a job that has just come: as of one like it. */
START_TEST(nothing_is_sooner_than_a_start_that_is_only_not_yet_known)
{
    struct job_info info;
    struct gap gap = { 0 };

    fill(&info);
    info.planned_start = 0;
    AUTO_FREE char *text = advice(&info, &gap);

    ck_assert_str_eq(
        text,
        "  No smaller request was found that would start sooner even behind all that wait.\n");
    job_info_clear(&info);
}
END_TEST

/* Where fewer tasks were tried first, more of them need all the nodes again. */
static bool ask_four_nodes(void *ctx, const struct job_spec *spec, int64_t *ret_start,
                           char **ret_nodes)
{
    bool *is_few = ctx;

    *ret_nodes = NULL;
    *is_few |= spec->ntasks >= 4 && spec->min_nodes != 4;
    *ret_start = spec->ntasks <= 6 ? NOON : PLAN;
    return true;
}

START_TEST(as_many_tasks_as_nodes_ask_for_all_of_these)
{
    struct job_info info;
    AUTO(advice) struct advice found = { 0 };
    bool is_few = false;

    fill(&info);
    info.job->spec->min_nodes = 4;
    info.job->spec->ntasks = 8;
    advice_find(&info, &(struct advice_asker){ ask_four_nodes, &is_few, NULL, 0 }, &found);

    ck_assert(!is_few);
    ck_assert_uint_eq(found.n, 1);
    ck_assert_str_eq(found.changes[0].change, "--ntasks=6");
    job_info_clear(&info);
}
END_TEST

/* Nothing alone is enough: two tasks on a node for a minute are. */
static bool ask_narrow_and_short(void *ctx, const struct job_spec *spec, int64_t *ret_start,
                                 char **ret_nodes)
{
    uint32_t *asked = ctx;

    ++*asked;
    *ret_nodes = NULL;
    *ret_start = spec->min_nodes * spec->time_limit <= 60 && spec->ntasks <= 2 ? NOON : PLAN;
    return true;
}

START_TEST(several_changes_at_once_are_tried_where_none_alone_helps)
{
    struct job_info info;
    AUTO(advice) struct advice found = { 0 };
    uint32_t asked = 0;

    fill(&info);
    info.job->spec->ntasks = 4;
    info.job->spec->mem_per_node = MB_UNSET;
    advice_find(&info, &(struct advice_asker){ ask_narrow_and_short, &asked, NULL, 0 }, &found);

    ck_assert_uint_eq(found.n, 1);
    ck_assert_str_eq(found.changes[0].change, "--nodes=1 --ntasks=2 --time=00:01:00");
    ck_assert_str_eq(found.changes[0].before, "--nodes=2 --ntasks=4 --time=10:00:00");
    ck_assert_int_eq(found.changes[0].start, NOON);
    ck_assert_uint_le(asked, 60);
    job_info_clear(&info);
}
END_TEST

/* Wide for a moment, or narrow for long: what one gives up is for the other to keep. */
static bool ask_area(void *ctx, const struct job_spec *spec, int64_t *ret_start, char **ret_nodes)
{
    (void)ctx;
    *ret_nodes = NULL;
    *ret_start = spec->min_nodes <= 4 && spec->time_limit <= 7200 &&
                         spec->min_nodes * spec->time_limit <= 7200
                     ? NOON
                     : PLAN;
    return true;
}

START_TEST(the_widest_and_the_longest_are_told)
{
    struct job_info info;
    AUTO(advice) struct advice found = { 0 };

    fill(&info);
    info.job->spec->min_nodes = 8;
    info.job->spec->mem_per_node = MB_UNSET;
    advice_find(&info, &(struct advice_asker){ ask_area, NULL, NULL, 0 }, &found);

    ck_assert_uint_eq(found.n, 2);
    ck_assert_str_eq(found.changes[0].change, "--nodes=4 --time=00:30:00");
    ck_assert_str_eq(found.changes[1].change, "--nodes=1 --time=02:00:00");
    job_info_clear(&info);
}
END_TEST

/* Up to ten minutes it starts now, up to an hour sooner than planned. */
static bool ask_two_gaps(void *ctx, const struct job_spec *spec, int64_t *ret_start,
                         char **ret_nodes)
{
    (void)ctx;
    *ret_nodes = NULL;
    *ret_start = spec->time_limit <= 600 ? NOON : spec->time_limit <= 3600 ? NOON + 7200 : PLAN;
    return true;
}

START_TEST(the_longest_time_with_which_it_starts_now_is_told)
{
    struct job_info info;
    AUTO(advice) struct advice found = { 0 };

    fill(&info);
    info.now = NOON;
    advice_find(&info, &(struct advice_asker){ ask_two_gaps, NULL, NULL, 0 }, &found);

    ck_assert_uint_eq(found.n, 2);
    ck_assert_str_eq(found.changes[0].change, "--time=01:00:00");
    ck_assert_str_eq(found.changes[1].change, "--time=00:10:00");
    ck_assert_int_eq(found.changes[1].start, NOON);
    job_info_clear(&info);
}
END_TEST

static int last_number(const char *text)
{
    return atoi(strrchr(text, ':') + 1);
}

/* A device or a licence less, and it starts at noon. */
static bool ask_few_things(void *ctx, const struct job_spec *spec, int64_t *ret_start,
                           char **ret_nodes)
{
    (void)ctx;
    *ret_nodes = NULL;
    *ret_start = last_number(spec->tres_per_node) < 3 || last_number(spec->tres_per_job) < 4 ||
                         last_number(spec->licenses) < 2
                     ? NOON
                     : PLAN;
    return true;
}

START_TEST(fewer_devices_and_licenses_are_tried)
{
    static const char *const says[] = { "--gres=gpu:a100:2", "--gpus=3", "--licenses=matlab:1" };
    struct job_info info;
    AUTO(advice) struct advice found = { 0 };

    fill(&info);
    info.job->spec->tres_per_node = xstrdup("gres/gpu:a100:3");
    info.job->spec->tres_per_job = xstrdup("gres/gpu:4");
    info.job->spec->licenses = xstrdup("matlab:2");
    advice_find(&info, &(struct advice_asker){ ask_few_things, NULL, NULL, 0 }, &found);

    ck_assert_uint_eq(found.n, ARRAY_N(says));
    for (uint32_t i = 0; i < found.n; i++)
        ck_assert_str_eq(found.changes[i].change, says[i]);
    ck_assert_str_eq(found.changes[0].before, "gpu:a100:3");
    ck_assert_str_eq(found.changes[1].before, "4");
    ck_assert_str_eq(found.changes[2].before, "matlab:2");
    job_info_clear(&info);
}
END_TEST

CHECK_MAIN(advice, LOOP_CASE(the_smallest_change_that_helps_is_named, ARRAY_N(gaps)),
           CASE(where_nothing_helps_it_says_so),
           LOOP_CASE(what_keeps_a_job_from_its_turn_is_taken_away, ARRAY_N(kept)),
           CASE(more_tasks_at_once_are_no_help_where_none_could_start),
           CASE(nothing_is_sooner_than_a_start_that_is_only_not_yet_known),
           CASE(as_many_tasks_as_nodes_ask_for_all_of_these),
           CASE(several_changes_at_once_are_tried_where_none_alone_helps),
           CASE(the_widest_and_the_longest_are_told),
           CASE(the_longest_time_with_which_it_starts_now_is_told),
           CASE(fewer_devices_and_licenses_are_tried))
