/* The words of reports, their times and amounts. */
#include "unit/check_main.h"

#include <time.h>

#include "cli/sreport/ask.h"
#include "cli/sreport/print.h"
#include "common/text/timetext.h"

static void set_zone(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
}

/* What is asked for at 2026-11-27T03:16:20, and what the report is about. */
static const struct {
    const char *words[2];
    const char *start, *end;
} times[] = {
    { { NULL }, "2026-11-26T00:00:00", "2026-11-27T00:00:00" },
    { { "start=2026-11-20" }, "2026-11-20T00:00:00", "2026-11-27T00:00:00" },
    { { "start=2026-11-26T10:20:30", "end=2026-11-26T11:10" },
      "2026-11-26T10:00:00",
      "2026-11-26T11:00:00" },
    { { "start=2026-11-26T02:30" }, "2026-11-26T03:00:00", "2026-11-27T00:00:00" },
    { { "start=2026-11-26T02:29:29" }, "2026-11-26T02:00:00", "2026-11-27T00:00:00" },
    { { "start=2026-11-26T02:29:31" }, "2026-11-26T03:00:00", "2026-11-27T00:00:00" },
    { { "end=2026-11-26T05:59" }, "2026-11-26T00:00:00", "2026-11-26T06:00:00" },
    { { "start=2026-11-27", "end=2026-11-26" }, "2026-11-27T00:00:00", "2026-11-27T01:00:00" },
    { { "s=now", "e=now" }, "2026-11-27T03:00:00", "2026-11-27T04:00:00" },
    { { "end=2026-11-28" }, "2026-11-26T00:00:00", "2026-11-27T04:00:00" },
    { { "start=", "end=" }, "2026-11-26T00:00:00", "2026-11-27T00:00:00" },
};

#define NOW INT64_C(1795749380)

static struct ask read_words(enum ask_about about, const char *const *words, uint32_t n,
                             int *status)
{
    struct sreport sreport = { 0 };
    struct ask ask;

    set_zone();
    ask_read(&sreport, about, words, n, NOW, &ask);
    *status = sreport.status;
    return ask;
}

START_TEST(a_time_is_one_of_full_hours)
{
    AUTO(strbuf) struct strbuf start = { 0 }, end = { 0 };
    uint32_t n = 0;
    int status;

    while (n < 2 && times[_i].words[n])
        n++;
    struct ask ask = read_words(ASK_TOP, times[_i].words, n, &status);

    time_format(&start, ask.start, NULL, NOW, "");
    time_format(&end, ask.end, NULL, NOW, "");
    ck_assert_int_eq(status, 0);
    ck_assert_str_eq(strbuf_text(&start), times[_i].start);
    ck_assert_str_eq(strbuf_text(&end), times[_i].end);
    ask_clear(&ask);
}
END_TEST

START_TEST(a_start_that_is_rounded_to_none_is_told_as_unknown)
{
    static const char *const words[] = { "start=1970-01-01T00:10", "end=1970-01-01T05:00" };
    AUTO(strbuf) struct strbuf told = { 0 };
    int status;
    struct ask ask = read_words(ASK_UTILIZATION, words, 2, &status);

    print_times(&ask, true, &told);
    ck_assert_str_eq(strbuf_text(&told), "Unknown - 1970-01-01T04:59:59 (18000 secs)");
    ask_clear(&ask);
}
END_TEST

/* A word, how many names the list has then, and what the command exits with. */
static const struct {
    enum ask_about about;
    const char *word;
    int list;
    uint32_t n;
    int status;
} rows[] = {
    { ASK_TOP, "users=alice,bob", ASK_USERS, 2, 0 },
    { ASK_TOP, "U='Alice'", ASK_USERS, 1, 0 },
    { ASK_TOP, "users=", ASK_USERS, 0, 0 },
    { ASK_TOP, "alice", ASK_USERS, 1, 0 },
    { ASK_TOP, "ac=chem", ASK_ACCOUNTS, 1, 0 },
    { ASK_TOP, "a=chem", ASK_ACCOUNTS, 0, 1 },
    { ASK_TOP, "nodes=n1", ASK_NODES, 0, 1 },
    { ASK_UTILIZATION, "lab", ASK_CLUSTERS, 1, 0 },
    { ASK_UTILIZATION, "users=alice", ASK_USERS, 0, 1 },
    { ASK_SIZES, "wc=w1", ASK_WCKEY_NAMES, 1, 0 },
    { ASK_SIZES, "nodes=n[1-3]", ASK_NODES, 3, 0 },
    { ASK_SIZES, "gid=1,2", ASK_GIDS, 2, 0 },
    { ASK_WCKEYS, "w1", ASK_WCKEY_NAMES, 1, 0 },
    { ASK_RESERVATION, "names=r", ASK_NAMES, 1, 0 },
};

START_TEST(each_report_knows_its_words)
{
    int status;
    struct ask ask = read_words(rows[_i].about, &rows[_i].word, 1, &status);

    ck_assert_msg(status == rows[_i].status, "%s: %d", rows[_i].word, status);
    ck_assert_uint_eq(ask.lists[rows[_i].list].n, rows[_i].n);
    ck_assert(ask_fits(&ask, (enum ask_list)rows[_i].list, "nosuch") ==
              !ask.is_given[rows[_i].list]);
    ask_clear(&ask);
}
END_TEST

START_TEST(words_that_stand_alone_are_switches_where_they_are_known)
{
    const char *const words[] = { "all", "flat", "printj", "acctas", "group", "tree" };
    int status;
    struct ask ask = read_words(ASK_SIZES, words, 6, &status);

    ck_assert(ask.all_clusters && ask.flat && ask.counts && ask.parents);
    ck_assert(!ask.group && !ask.tree);
    ck_assert_uint_eq(ask.lists[ASK_CLUSTERS].n, 2);
    ask_clear(&ask);
}
END_TEST

static const struct {
    enum unit unit;
    uint64_t seconds, whole;
    const char *text;
} amounts[] = {
    { UNIT_SECONDS, 151890, 691200, "151890" },
    { UNIT_MINUTES, 151890, 691200, "2532" },
    { UNIT_HOURS, 383910, 691200, "107" },
    { UNIT_PERCENT, 151890, 691200, "21.97%" },
    { UNIT_PERCENT, 5, 0, "0.00%" },
    { UNIT_SECONDS_PERCENT, 691200, 691200, "691200(100.00%)" },
    { UNIT_MINUTES_PERCENT, 100200, 691200, "1670(14.50%)" },
    { UNIT_HOURS_PERCENT, 0, 691200, "0(0.00%)" },
};

START_TEST(an_amount_is_shown_in_its_unit)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    unit_format(amounts[_i].unit, amounts[_i].seconds, amounts[_i].whole, &text);
    ck_assert_str_eq(strbuf_text(&text), amounts[_i].text);
}
END_TEST

START_TEST(a_unit_may_be_cut_short)
{
    ck_assert_int_eq(unit_find("s"), UNIT_SECONDS);
    ck_assert_int_eq(unit_find("HOURS"), UNIT_HOURS);
    ck_assert_int_eq(unit_find("p"), UNIT_PERCENT);
    ck_assert_int_eq(unit_find("secper"), UNIT_SECONDS_PERCENT);
    ck_assert_int_eq(unit_find("secp"), -1);
    ck_assert_int_eq(unit_find("minutesx"), -1);
}
END_TEST

CHECK_MAIN(ask, LOOP_CASE(a_time_is_one_of_full_hours, ARRAY_N(times)),
           CASE(a_start_that_is_rounded_to_none_is_told_as_unknown),
           LOOP_CASE(each_report_knows_its_words, ARRAY_N(rows)),
           CASE(words_that_stand_alone_are_switches_where_they_are_known),
           LOOP_CASE(an_amount_is_shown_in_its_unit, ARRAY_N(amounts)),
           CASE(a_unit_may_be_cut_short))
