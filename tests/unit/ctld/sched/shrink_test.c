/* A story that fails is made small. The planner is right here: it is the promise that lies. */
#include "unit/check_main.h"

#include "unit/ctld/sched/proof/shrink.h"
#include "unit/ctld/sched/proof/trial.h"

static const char story[] = "nodes=4x2x3x2 select=core\n"
                            "node 0: weight=1 features=x\n"
                            "node 1: weight=0\n"
                            "partition all:\n"
                            "partition p0: nodes=0-3 tier=2\n"
                            "job j0: priority=2 partition=p0 time=20 nodes=1-3 tasks=3\n"
                            "now 500 ms, step 2\n"
                            "job j1: priority=1 partition=p1 time=7 nodes=2 exclusive\n"
                            "node 2 down\n"
                            "now 1000 ms\n"
                            "job j2: priority=1 time=3 nodes=1 tasks=5 cpus=2 contiguous\n"
                            "limit j0 17\n"
                            "now 3000 ms\n"
                            "end j0\n"
                            "now 4000 ms\n";

static bool has_the_word(const char *text, void *arg)
{
    return strstr(text, arg) != NULL;
}

START_TEST(only_what_matters_stays)
{
    AUTO_FREE char *small = shrink("one 1\ntwo 2 b=77 c\nthree 3\n", has_the_word, "b=7", 100);

    ck_assert_str_eq(small, "two 1 b=70\n");
}
END_TEST

START_TEST(no_more_texts_are_tried_than_allowed)
{
    AUTO_FREE char *small = shrink("one 1\ntwo 2\n", has_the_word, "two", 0);

    ck_assert_str_eq(small, "one 1\ntwo 2\n");
}
END_TEST

/* The lie: two jobs never run at once. */
static bool runs_alone(const struct trial_moment *moment, struct strbuf *problem)
{
    uint32_t running = 0;

    for (uint32_t i = 0; i < moment->after.jobs_n; i++)
        running += moment->after.jobs[i].runs;
    strbuf_addf(problem, "%u jobs run", running);
    return running < 2;
}

START_TEST(a_story_that_fails_becomes_a_small_one_that_fails)
{
    AUTO_FREE char *small = trial_shrink(runs_alone, story);
    AUTO_FREE char *failure = trial_retell(runs_alone, small);

    ck_assert_str_eq(failure, "2 jobs run\n");
    ck_assert_str_eq(small, "nodes=2x1x1x1\n"
                            "job j0: time=1\n"
                            "job j2: time=1\n"
                            "now 0\n");
}
END_TEST

/* As a planner that dies would do. */
static bool dies_of_exclusive_jobs(const struct trial_moment *moment, struct strbuf *problem)
{
    (void)problem;
    for (uint32_t i = 0; i < moment->after.jobs_n; i++) {
        if (moment->after.jobs[i].shape.exclusive)
            abort();
    }
    return true;
}

START_TEST(a_story_that_crashes_becomes_a_small_one_that_crashes)
{
    AUTO_FREE char *small = trial_shrink(dies_of_exclusive_jobs, story);
    AUTO_FREE char *failure = trial_retell(dies_of_exclusive_jobs, small);

    ck_assert_ptr_nonnull(failure);
    ck_assert_str_eq(small, "nodes=1x1x1x1\n"
                            "job j1: time=1 exclusive\n"
                            "now 0\n");
}
END_TEST

START_TEST(a_story_that_holds_stays_as_it_is)
{
    AUTO_FREE char *same = trial_shrink(runs_alone, "nodes=1x1\njob a: time=3\nnow 5 ms\n");

    ck_assert_str_eq(same, "nodes=1x1\njob a: time=3\nnow 5 ms\n");
}
END_TEST

CHECK_MAIN(shrink, CASE(only_what_matters_stays), CASE(no_more_texts_are_tried_than_allowed),
           CASE(a_story_that_fails_becomes_a_small_one_that_fails),
           CASE(a_story_that_crashes_becomes_a_small_one_that_crashes),
           CASE(a_story_that_holds_stays_as_it_is))
