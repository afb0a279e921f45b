#include "unit/check_main.h"

#include <errno.h>

#include "cli/lib/mail_events.h"

static const struct {
    const char *text, *shown;
} given[] = {
    { "end,begin", "BEGIN,END" },
    { "ALL", "INVALID_DEPEND,BEGIN,END,FAIL,REQUEUE,STAGE_OUT" },
    { "all,time_limit_80", "INVALID_DEPEND,BEGIN,END,FAIL,REQUEUE,STAGE_OUT,TIME_LIMIT_80" },
    { "NONE", "" },
    { "begin,none,fail", "" },
    { "", "" },
};

START_TEST(events_are_shown_in_slurms_order)
{
    AUTO(strbuf) struct strbuf shown = { 0 };
    uint32_t events = 0;

    ck_assert_int_eq(mail_events_read(given[_i].text, &events), 0);
    mail_events_format(events, &shown);

    ck_assert_str_eq(strbuf_text(&shown), given[_i].shown);
}
END_TEST

START_TEST(what_is_no_event_is_refused)
{
    uint32_t events = 0;

    ck_assert_int_eq(mail_events_read("BEGIN,often", &events), -EINVAL);
}
END_TEST

CHECK_MAIN(mail_events, LOOP_CASE(events_are_shown_in_slurms_order, ARRAY_N(given)),
           CASE(what_is_no_event_is_refused))
