#include "unit/check_main.h"

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
    ck_assert_uint_le(gap.asked, 60);
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

START_TEST(a_job_that_waits_for_something_else_gets_no_advice)
{
    struct job_info info;
    struct gap gap = { .minutes = 600, .nodes = 2, .mb = 8000 };

    fill(&info);
    info.job->reason = REASON_HELD_USER;
    AUTO_FREE char *text = advice(&info, &gap);

    ck_assert_str_eq(text, "");
    ck_assert_uint_eq(gap.asked, 0);
    job_info_clear(&info);
}
END_TEST

CHECK_MAIN(advice, LOOP_CASE(the_smallest_change_that_helps_is_named, ARRAY_N(gaps)),
           CASE(where_nothing_helps_it_says_so),
           CASE(a_job_that_waits_for_something_else_gets_no_advice))
