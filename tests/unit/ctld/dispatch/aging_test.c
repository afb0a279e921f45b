#include "unit/check_main.h"

#include <time.h>

#include "ctld/dispatch/aging.h"

#define NOW INT64_C(1795302930) /* 2026-11-21T23:15:30 */

static const struct {
    struct conf_dbd conf;
    int64_t jobs_before, steps_before;
    const char *jobs, *steps;
} plans[] = {
    { { .archive_dir = NULL }, 0, 0, NULL, NULL },
    { { .archive_jobs = true, .archive_steps = true }, 0, 0, NULL, NULL },
    { { .jobs = { 1, CONF_AGE_DAYS } }, 1795132800, 0, NULL, NULL },
    { { .jobs = { 1, CONF_AGE_DAYS }, .archive_jobs = true, .archive_dir = (char *)"/tmp" },
      1795132800,
      0,
      "/tmp/lab_job_archive_begin_2026-11-20T00:00:00",
      NULL },
    { { .jobs = { 1, CONF_AGE_DAYS }, .archive_steps = true, .archive_dir = (char *)"/srv" },
      1795132800,
      0,
      NULL,
      "/srv/lab_step_archive_2026-11-19T23:00:00_2026-11-20T00:00:00" },
    { { .steps = { 2, CONF_AGE_HOURS },
        .archive_jobs = true,
        .archive_steps = true,
        .archive_dir = (char *)"/tmp" },
      0,
      1795294800,
      NULL,
      "/tmp/lab_step_archive_2026-11-19T23:00:00_2026-11-21T21:00:00" },
};

static void check_path(const char *path, const char *expected)
{
    if (expected)
        ck_assert_str_eq(path, expected);
    else
        ck_assert_ptr_null(path);
}

START_TEST(a_purge_follows_ages_and_archives)
{
    struct aging_plan plan;

    setenv("TZ", "UTC", 1);
    tzset();
    aging_plan_init(&plan, &plans[_i].conf, "lab", AGING_ALL, NOW, 1795129200);

    ck_assert_int_eq(plan.how.what.jobs_before, plans[_i].jobs_before);
    ck_assert_int_eq(plan.how.what.steps_before, plans[_i].steps_before);
    check_path(plan.how.archives[ARCHIVE_JOBS], plans[_i].jobs);
    check_path(plan.how.archives[ARCHIVE_STEPS], plans[_i].steps);
    aging_plan_clear(&plan);
}
END_TEST

START_TEST(an_archive_script_is_told_what_goes)
{
    const struct conf_dbd conf = { .jobs = { 1, CONF_AGE_DAYS }, .archive_jobs = true };
    const struct purge_record what = { .jobs_before = 1795132800 };
    char **variables = aging_script_environment(&conf, &what, "lab");
    AUTO(strbuf) struct strbuf text = { 0 };

    for (char **at = variables; *at; at++) {
        strbuf_addf(&text, "%s\n", *at);
        free(*at);
    }
    free(variables);
    ck_assert_str_eq(strbuf_text(&text), "PATH=/usr/sbin:/usr/bin:/sbin:/bin\n"
                                         "SLURM_CLUSTER_NAME=lab\n"
                                         "SLURM_ARCHIVE_JOBS=1\n"
                                         "SLURM_ARCHIVE_LAST_JOB=1795132800\n"
                                         "SLURM_ARCHIVE_STEPS=0\n"
                                         "SLURM_ARCHIVE_LAST_STEP=0\n"
                                         "SLURM_ARCHIVE_EVENTS=0\n"
                                         "SLURM_ARCHIVE_LAST_EVENT=0\n"
                                         "SLURM_ARCHIVE_SUSPEND=0\n"
                                         "SLURM_ARCHIVE_LAST_SUSPEND=0\n"
                                         "SLURM_ARCHIVE_TXN=0\n"
                                         "SLURM_ARCHIVE_LAST_TXN=0\n"
                                         "SLURM_ARCHIVE_USAGE=0\n"
                                         "SLURM_ARCHIVE_LAST_USAGE=0\n");
}
END_TEST

CHECK_MAIN(aging, CASE(an_archive_script_is_told_what_goes),
           LOOP_CASE(a_purge_follows_ages_and_archives, ARRAY_N(plans)))
