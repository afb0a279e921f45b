#include "unit/check_main.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "common/conf/dbd_conf.h"

static const struct {
    const char *text;
    int rc;
    uint32_t count;
    enum conf_age_unit unit;
} ages[] = {
    { "12", 0, 12, CONF_AGE_MONTHS },
    { "1month", 0, 1, CONF_AGE_MONTHS },
    { "2Months", 0, 2, CONF_AGE_MONTHS },
    { "30days", 0, 30, CONF_AGE_DAYS },
    { "1day", 0, 1, CONF_AGE_DAYS },
    { "48hours", 0, 48, CONF_AGE_HOURS },
    { "0", -EINVAL, 0, 0 },
    { "", -EINVAL, 0, 0 },
    { "days", -EINVAL, 0, 0 },
    { "12 months", -EINVAL, 0, 0 },
    { "-1", -EINVAL, 0, 0 },
    { "99999999999days", -EINVAL, 0, 0 },
    { "2years", -EINVAL, 0, 0 },
};

START_TEST(an_age_has_a_number_and_a_unit)
{
    struct conf_age age = { 0 };

    ck_assert_int_eq(conf_age_parse(ages[_i].text, &age, NULL), ages[_i].rc);

    ck_assert_uint_eq(age.count, ages[_i].count);
    ck_assert_uint_eq(age.unit, ages[_i].unit);
}
END_TEST

/* 2026-11-21T23:15:30 */
#define NOW INT64_C(1795302930)

static const struct {
    struct conf_age age;
    int64_t before;
} moments[] = {
    { { 0, CONF_AGE_DAYS }, 0 },
    { { 2, CONF_AGE_HOURS }, 1795294800 },   /* today, 21:00 */
    { { 1, CONF_AGE_DAYS }, 1795132800 },    /* yesterday, 00:00 */
    { { 1, CONF_AGE_MONTHS }, 1790812800 },  /* 1 October */
    { { 12, CONF_AGE_MONTHS }, 1761955200 }, /* 1 November of the year before */
};

START_TEST(what_is_kept_begins_with_a_whole_hour_day_or_month)
{
    setenv("TZ", "UTC", 1);
    tzset();

    ck_assert_int_eq(conf_age_before(&moments[_i].age, NOW), moments[_i].before);
}
END_TEST

static int read_text(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    if (!ctx || strcmp(path, "/etc/slurm/slurmdbd.conf") != 0)
        return err_set(err, ENOENT, "no such file");
    strbuf_adds(text, ctx);
    return 0;
}

static int load(const char *text, struct conf_dbd *ret, struct err *err)
{
    return conf_dbd_load("/etc/slurm/slurm.conf", read_text, (void *)(uintptr_t)text, NULL, ret,
                         err);
}

START_TEST(ages_and_archives_are_read)
{
    AUTO(conf_dbd) struct conf_dbd conf;

    ck_assert_int_eq(load("DbdHost=localhost\nStoragePass=a b\nPurgeJobAfter=12month\n"
                          "purgestepafter=2days # soon\nArchiveJobs=yes ArchiveDir=/srv/old\n",
                          &conf, NULL),
                     0);

    ck_assert_uint_eq(conf.jobs.count, 12);
    ck_assert_uint_eq(conf.steps.unit, CONF_AGE_DAYS);
    ck_assert(conf.archive_jobs);
    ck_assert(!conf.archive_steps);
    ck_assert_str_eq(conf.archive_dir, "/srv/old");
}
END_TEST

START_TEST(all_data_is_private_where_all_is_said_or_a_word_is_wrong)
{
    static const char *const lines[] = { "PrivateData=all", "PrivateData=users,jbos" };
    AUTO_FREE char *text = xasprintf("DbdHost=localhost\n%s\n", lines[_i]);
    AUTO(conf_dbd) struct conf_dbd conf;

    ck_assert_int_eq(load(text, &conf, NULL), 0);

    ck_assert_uint_eq(conf.private_data, CONF_PRIVATE_ALL);
}
END_TEST

START_TEST(keys_that_no_slurmdbd_has_are_noted)
{
    static const char text[] = "DbdHost=localhost\nPurgeJobsAfter=1\nArchiveScript=/bin/true\n";
    AUTO(conf_dbd) struct conf_dbd conf;
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO_FREE char *note = NULL;

    ck_assert_int_eq(conf_dbd_load("/etc/slurm/slurm.conf", read_text, (void *)(uintptr_t)text,
                                   &notes, &conf, NULL),
                     0);

    ck_assert_uint_eq(notes.notes_n, 1);
    note = conf_note_format(&notes.notes[0]);
    ck_assert_str_eq(note,
                     "/etc/slurm/slurmdbd.conf:2:1: 'PurgeJobsAfter' is not known and left out; "
                     "is PurgeJobAfter meant?");
    ck_assert_str_eq(conf.archive_script, "/bin/true");
}
END_TEST

START_TEST(without_a_file_all_is_kept)
{
    AUTO(conf_dbd) struct conf_dbd conf;

    ck_assert_int_eq(load(NULL, &conf, NULL), 0);

    ck_assert_uint_eq(conf.jobs.count, 0);
    ck_assert_str_eq(conf.archive_dir, "/tmp");
}
END_TEST

static const struct {
    const char *text, *error;
} wrong[] = {
    { "PurgeJobAfter=2years\n", "/etc/slurm/slurmdbd.conf:1:15: PurgeJobAfter: '2years' is no age: "
                                "12 or 12months, 30days, 48hours" },
    { "ArchiveDir=/x\nArchiveJobs=maybe\n",
      "/etc/slurm/slurmdbd.conf:2:13: ArchiveJobs: 'maybe' is neither YES nor NO" },
};

START_TEST(a_mistake_is_named_and_keeps_all)
{
    AUTO(conf_dbd) struct conf_dbd conf;
    struct err err = { 0 };

    ck_assert_int_lt(load(wrong[_i].text, &conf, &err), 0);

    ck_assert_str_eq(err.text, wrong[_i].error);
    ck_assert_uint_eq(conf.jobs.count, 0);
    ck_assert_str_eq(conf.archive_dir, "/tmp");
}
END_TEST

CHECK_MAIN(dbd_conf, LOOP_CASE(an_age_has_a_number_and_a_unit, ARRAY_N(ages)),
           LOOP_CASE(what_is_kept_begins_with_a_whole_hour_day_or_month, ARRAY_N(moments)),
           CASE(ages_and_archives_are_read),
           LOOP_CASE(all_data_is_private_where_all_is_said_or_a_word_is_wrong, 2),
           CASE(keys_that_no_slurmdbd_has_are_noted), CASE(without_a_file_all_is_kept),
           LOOP_CASE(a_mistake_is_named_and_keeps_all, ARRAY_N(wrong)))
