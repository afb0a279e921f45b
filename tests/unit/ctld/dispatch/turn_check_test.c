/* What a peer says that no log and no copy has is refused before the store sees it. */
#include "unit/check_main.h"

#include <string.h>

#include "common/crypt/crypt.h"
#include "common/msg/job.h"
#include "common/msg/sums.h"
#include "ctld/dispatch/turn_check.h"

static struct change *add(struct dbd_turn *turn, uint32_t kind, const void *data, uint32_t n)
{
    struct change *change = ARRAY_PUSH(turn->changes, turn->changes_n);

    change_init(change);
    change->kind = kind;
    if (n)
        change->record = (struct blob){ xmemdup(data, n), n };
    return change;
}

static int check(struct dbd_turn *turn, struct err *err)
{
    const struct turn_changes whole = { .changes = turn->changes, .changes_n = turn->changes_n };
    const int rc = turn_check_part(turn, err);

    return rc < 0 ? rc : turn_check_whole(&whole, err);
}

static const struct {
    uint32_t kind;
    bool is_copy;
    const char *record; /* bytes, empty or no record of any kind */
    const char *text;   /* of the refusal; NULL: it is taken */
} kinds[] = {
    { CHANGE_JOB_RETIRE, false, "", NULL },
    { CHANGE_STEP, true, "", NULL },
    { CHANGE_JOB, true, "", "" },
    { CHANGE_RUN, false, "\xff\xff\xff", "" },
    { CHANGE_CLUSTER_EVENT, false, "\xff\xff\xff", "" },
    { CHANGE_AMEND, false, "\xff\xff\xff", "" },
    { CHANGE_SUMS, true, "\xff\xff\xff", "" },
    { CHANGE_SUMS, true, "", "sums of a period" },
    { CHANGE_SUMS, false, "", "change 14 is none" },
    { CHANGE_SUMS_WHOLE, false, "", NULL },
    { CHANGE_SUMS_WHOLE, false, "\xff\xff\xff", "" },
    { CHANGE_SUMS_WHOLE, true, "", "change 15 is none" },
    { CHANGE_KEPT, true, "", "a record of accounts" },
    { CHANGE_NUMBER, true, "", "change 6 is none" },
    { CHANGE_PURGE, true, "", "change 10 is none" },
    { CHANGE_EVENT, true, "", "change 11 is none" },
    { 0, true, "", "change 0 is none" },
    { UINT32_MAX, true, "", "is none" },
    { CHANGE_BLOB, true, "x", "1 bytes that are not what their name says" },
};

START_TEST(only_what_is_told_of_is_taken)
{
    AUTO(dbd_turn) struct dbd_turn turn;
    struct err err = { 0 };
    int rc;

    dbd_turn_init(&turn);
    turn.is_copy = kinds[_i].is_copy;
    add(&turn, kinds[_i].kind, kinds[_i].record, (uint32_t)strlen(kinds[_i].record));
    rc = check(&turn, &err);

    ck_assert_msg(rc == (kinds[_i].text ? -E_PROTO : 0), "%d: %s", _i, err.text);
    if (kinds[_i].text)
        ck_assert_msg(strstr(err.text, kinds[_i].text) != NULL, "%s", err.text);
}
END_TEST

static struct blob ended_at(int64_t end_time)
{
    AUTO(job_record) struct job_record job;

    job_record_init(&job);
    job.spec = xcalloc(1, sizeof(*job.spec));
    job_spec_init(job.spec);
    job.id = 7;
    job.state = JOB_COMPLETE;
    job.start_time = 100;
    job.end_time = end_time;
    return schema_encode_blob(job_record_schema(), &job);
}

static void expect_job(uint32_t kind, int64_t end_time, int rc)
{
    AUTO(dbd_turn) struct dbd_turn turn;
    const struct blob record = ended_at(end_time);

    dbd_turn_init(&turn);
    add(&turn, kind, record.data, record.n);
    free(record.data);

    ck_assert_int_eq(check(&turn, NULL), rc);
}

START_TEST(jobs_of_times_that_cannot_be_are_refused)
{
    static const uint32_t records[] = { CHANGE_JOB, CHANGE_RUN };

    expect_job(records[_i], 1790000000, 0);
    expect_job(records[_i], INT64_C(1) << 40, -E_PROTO);
}
END_TEST

START_TEST(a_blob_is_taken_by_its_own_name_alone)
{
    AUTO(dbd_turn) struct dbd_turn turn;
    uint8_t sha256[CRYPT_SHA256_N];
    struct change *change;

    dbd_turn_init(&turn);
    crypt_sha256("script", 6, sha256);
    change = add(&turn, CHANGE_BLOB, "script", 6);
    change->sha256 = (struct blob){ xmemdup(sha256, sizeof(sha256)), sizeof(sha256) };

    ck_assert_int_eq(check(&turn, NULL), 0);
    change->record.data[0]++;
    ck_assert_int_eq(check(&turn, NULL), -E_PROTO);
    change->record.data[0]--;
    change->sha256.n--;
    ck_assert_int_eq(check(&turn, NULL), -E_PROTO);
}
END_TEST

#define FULL (UINT64_C(1) << 62)

/* Rows of a period in a change: one of cpu, and one of another TRES. */
struct said {
    bool begins;
    uint32_t period;
    int64_t at;
    uint64_t weight, cpu, cpu_too, more;
};

static const struct {
    const char *title;
    struct said said[3];
    bool is_good;
} sums[] = {
    { "a period", { { true, 0, 3600, 9, 5, 4, 7 } }, true },
    { "one in two changes",
      { { true, 0, 3600, 9, 5, 0, 0 }, { false, 0, 3600, 9, 4, 0, 0 } },
      true },
    { "two periods", { { true, 0, 3600, 9, 9, 0, 0 }, { true, 2, 0, 4, 4, 0, 0 } }, true },
    { "what was moved is below zero", { { true, 0, 3600, 0, -UINT64_C(5), 5, 0 } }, true },
    { "a weight that the rows do not have", { { true, 0, 3600, 10, 5, 4, 0 } }, false },
    { "a weight that rows go beyond", { { true, 0, 3600, 8, 5, 4, 0 } }, false },
    { "no length of the calendar", { { true, 3, 3600, 5, 5, 0, 0 } }, false },
    { "none whose bits are", { { true, UINT32_MAX, 3600, 5, 5, 0, 0 } }, false },
    { "before all time", { { true, 0, INT64_MIN, 5, 5, 0, 0 } }, false },
    { "behind it", { { true, 0, INT64_MAX, 5, 5, 0, 0 } }, false },
    { "rows of none that began", { { false, 0, 3600, 5, 5, 0, 0 } }, false },
    { "rows of another one",
      { { true, 0, 3600, 9, 9, 0, 0 }, { false, 0, 7200, 9, 0, 0, 0 } },
      false },
    { "of another length",
      { { true, 0, 3600, 9, 9, 0, 0 }, { false, 1, 3600, 9, 0, 0, 0 } },
      false },
    { "the next one before all rows came",
      { { true, 0, 3600, 9, 5, 0, 0 }, { true, 0, 7200, 9, 9, 0, 0 } },
      false },
    { "as much as a column holds", { { true, 0, 3600, FULL, FULL, 0, 0 } }, true },
    { "more", { { true, 0, 3600, FULL + 1, FULL, 1, 0 } }, false },
    { "more, of which half is below zero", { { true, 0, 3600, 0, FULL, -FULL, 0 } }, false },
    { "the least number", { { true, 0, 3600, FULL * 2, FULL * 2, 0, 0 } }, false },
    { "more in two changes",
      { { true, 0, 3600, FULL + 1, FULL, 0, 0 }, { false, 0, 3600, FULL + 1, 1, 0, 0 } },
      false },
    { "too much of another TRES", { { true, 0, 3600, 5, 5, 0, FULL + 1 } }, false },
};

static void note_said(struct dbd_turn *turn, const struct said *said)
{
    AUTO(sums_copied) struct sums_copied rows;
    struct acct_amount *more;
    struct blob bytes;

    sums_copied_init(&rows);
    rows.begins = said->begins;
    rows.period = said->period;
    rows.at = said->at;
    rows.weight = said->weight;
    for (int i = 0; i < 2; i++) {
        struct sum_copied *row = ARRAY_PUSH(rows.rows, rows.rows_n);

        sum_copied_init(row);
        row->cpu = i == 0 ? said->cpu : said->cpu_too;
    }
    more = ARRAY_PUSH(rows.rows[0].more, rows.rows[0].more_n);
    acct_amount_init(more);
    more->tres = xstrdup("gres/gpu");
    more->amount = said->more;
    bytes = schema_encode_blob(sums_copied_schema(), &rows);
    add(turn, CHANGE_SUMS, bytes.data, bytes.n);
    free(bytes.data);
}

START_TEST(sums_that_cannot_be_are_refused)
{
    AUTO(dbd_turn) struct dbd_turn turn;

    dbd_turn_init(&turn);
    turn.is_copy = true;
    for (const struct said *said = sums[_i].said; said->weight || said->cpu || said->at; said++)
        note_said(&turn, said);

    ck_assert_msg((check(&turn, NULL) == 0) == sums[_i].is_good, "%s", sums[_i].title);
}
END_TEST

START_TEST(whole_sums_that_cannot_be_are_refused)
{
    AUTO(dbd_turn) struct dbd_turn turn;
    AUTO(sums_whole) struct sums_whole whole;
    struct blob bytes;
    struct err err = { 0 };

    dbd_turn_init(&turn);
    sums_whole_init(&whole);
    whole.account = xstrdup("chem");
    bytes = schema_encode_blob(sums_whole_schema(), &whole);
    add(&turn, CHANGE_SUMS_WHOLE, bytes.data, bytes.n);
    free(bytes.data);

    ck_assert_int_eq(check(&turn, &err), -E_PROTO);
    ck_assert_str_eq(err.text, "sums that are not of a user in an account");
}
END_TEST

CHECK_MAIN(turn_check, LOOP_CASE(only_what_is_told_of_is_taken, ARRAY_N(kinds)),
           LOOP_CASE(jobs_of_times_that_cannot_be_are_refused, 2),
           CASE(a_blob_is_taken_by_its_own_name_alone),
           LOOP_CASE(sums_that_cannot_be_are_refused, ARRAY_N(sums)),
           CASE(whole_sums_that_cannot_be_are_refused))
