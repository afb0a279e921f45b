/* The reservations below stood on a Slurm 22.05; what is expected is what its sinfo -T printed. */
#include "unit/check_main.h"

#include <time.h>

#include "cli/sinfo/reservations.h"

#define NOW INT64_C(1795829882) /* 2026-11-28T01:38:02 */

static const struct {
    const char *name, *nodes;
    int64_t start, seconds;
} samples[] = {
    { "r1", "worker-1", NOW - 3, 3600 },
    { "longername_of_reservation", "worker-[3-4]", NOW + 3597, 2 * 86400 },
    { "r11", NULL, NOW + 3597, 365 * 86400 },
};

static struct reservation_record all[ARRAY_N(samples)];
static struct records reservations;

static void before(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    for (size_t i = 0; i < ARRAY_N(samples); i++) {
        reservation_record_init(&all[i]);
        all[i].name = (char *)(uintptr_t)samples[i].name;
        all[i].nodes = (char *)(uintptr_t)samples[i].nodes;
        all[i].start = samples[i].start;
        all[i].end = samples[i].start + samples[i].seconds;
    }
    reservations =
        (struct records){ .schema = reservation_record_schema(), .at = all, .n = ARRAY_N(samples) };
}

static char *shown(bool has_header)
{
    const struct report_context ctx = { .now = NOW };
    struct strbuf out = { 0 };

    sinfo_reservations_format(&reservations, &ctx, has_header, &out);
    return strbuf_steal(&out);
}

START_TEST(the_first_column_is_as_wide_as_the_longest_name)
{
    AUTO_FREE char *text = shown(true);

    ck_assert_str_eq(
        text, "RESV_NAME                     STATE           START_TIME             END_TIME     "
              "DURATION  NODELIST\n"
              "r1                           ACTIVE  2026-11-28T01:37:59  2026-11-28T02:37:59     "
              "01:00:00  worker-1\n"
              "longername_of_reservation  INACTIVE  2026-11-28T02:37:59  2026-11-30T02:37:59   "
              "2-00:00:00  worker-[3-4]\n"
              "r11                        INACTIVE  2026-11-28T02:37:59  2027-11-28T02:37:59  "
              "365-00:00:00  (null)\n");
}
END_TEST

START_TEST(without_a_header_long_names_go_over_the_edge)
{
    AUTO_FREE char *text = NULL;

    reservations.n = 2;

    text = shown(false);
    ck_assert_str_eq(
        text, "r1           ACTIVE  2026-11-28T01:37:59  2026-11-28T02:37:59     01:00:00  "
              "worker-1\n"
              "longername_of_reservation  INACTIVE  2026-11-28T02:37:59  2026-11-30T02:37:59   "
              "2-00:00:00  worker-[3-4]\n");
}
END_TEST

CHECK_MAIN_WITH(sinfo_reservations, before, NULL,
                CASE(the_first_column_is_as_wide_as_the_longest_name),
                CASE(without_a_header_long_names_go_over_the_edge))
