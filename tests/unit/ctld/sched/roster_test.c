#include "unit/check_main.h"

#include "ctld/sched/plan/roster.h"

#define JOBS_N 5000

static struct sched_job *jobs_new(void)
{
    struct sched_job *jobs = xcalloc(JOBS_N, sizeof(*jobs));

    for (uint32_t i = 0; i < JOBS_N; i++)
        jobs[i].id = (uint64_t)i * i + 1;
    return jobs;
}

static void add_all(struct roster *roster, struct sched_job *jobs)
{
    for (uint32_t i = 0; i < JOBS_N; i++)
        roster_add(roster, &jobs[i]);
}

START_TEST(jobs_are_found_while_it_grows)
{
    AUTO_FREE struct sched_job *jobs = jobs_new();
    struct roster roster = { 0 };

    for (uint32_t i = 0; i < JOBS_N; i++) {
        ck_assert_ptr_null(roster_find(&roster, jobs[i].id));
        roster_add(&roster, &jobs[i]);
        ck_assert_ptr_eq(roster_find(&roster, jobs[i].id), &jobs[i]);
        ck_assert_ptr_eq(roster_find(&roster, jobs[i / 2].id), &jobs[i / 2]);
    }

    for (uint32_t i = 0; i < JOBS_N; i++)
        ck_assert_ptr_eq(roster_find(&roster, jobs[i].id), &jobs[i]);
    roster_clear(&roster);
}
END_TEST

START_TEST(one_that_was_removed_is_there_no_more)
{
    AUTO_FREE struct sched_job *jobs = jobs_new();
    struct roster roster = { 0 };

    add_all(&roster, jobs);
    for (uint32_t i = 0; i < JOBS_N; i += 2)
        roster_remove(&roster, &jobs[i]);

    ck_assert_uint_eq(roster.n, JOBS_N / 2);
    for (uint32_t i = 0; i < JOBS_N; i++)
        ck_assert_ptr_eq(roster_find(&roster, jobs[i].id), i % 2 ? &jobs[i] : NULL);
    roster_clear(&roster);
}
END_TEST

START_TEST(all_are_taken_once_and_the_others_found_meanwhile)
{
    AUTO_FREE struct sched_job *jobs = jobs_new();
    AUTO_FREE bool *is_taken = xcalloc(JOBS_N, sizeof(*is_taken));
    struct roster roster = { 0 };
    struct sched_job *taken;

    add_all(&roster, jobs);
    for (uint32_t n = 0; n < JOBS_N; n++) {
        taken = roster_take_any(&roster);
        ck_assert_ptr_nonnull(taken);
        ck_assert(!is_taken[taken - jobs]);
        is_taken[taken - jobs] = true;
        ck_assert_ptr_eq(roster_find(&roster, jobs[n].id), is_taken[n] ? NULL : &jobs[n]);
    }

    ck_assert_ptr_null(roster_take_any(&roster));
    ck_assert_uint_eq(roster.n, 0);
    roster_add(&roster, &jobs[7]);
    ck_assert_ptr_eq(roster_find(&roster, jobs[7].id), &jobs[7]);
    roster_clear(&roster);
}
END_TEST

CHECK_MAIN(roster, CASE(jobs_are_found_while_it_grows), CASE(one_that_was_removed_is_there_no_more),
           CASE(all_are_taken_once_and_the_others_found_meanwhile))
