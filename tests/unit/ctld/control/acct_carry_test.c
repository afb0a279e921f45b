/* Transactions of one place come to another, each once, with the place where they happened. */
#include "unit/check_main.h"

#include <inttypes.h>

#include "unit/ctld/control/acct_desk.h"
#include "ctld/control/acct/carry.h"

#define OWN   5 /* numbers of places */
#define THERE 7
#define THIRD 9

/* An event of the turn, or the end of a list. */
struct said {
    uint64_t turn;
    uint32_t n;
    uint64_t origin;
};
#define SAID_MAX 4

static struct event_record *events_of(const struct said *said, uint32_t *ret_n)
{
    struct event_record *events = NULL;

    *ret_n = 0;
    for (; said->turn; said++) {
        struct event_record *event = ARRAY_PUSH(events, *ret_n);

        event_record_init(event);
        event->kind = EVENT_ACCOUNTING;
        event->time_ms = 1;
        event->turn = said->turn;
        event->place = said->n;
        event->origin = said->origin;
        event->text = xasprintf("%" PRIu64 ".%u", said->turn, said->n);
    }
    return events;
}

/* Appends what the turn notes from that change on: text and origin of events, names and values. */
static void describe(const struct act *act, uint32_t from, struct strbuf *out)
{
    for (uint32_t i = from; i < act->turn->changes.changes_n; i++) {
        const struct change *change = &act->turn->changes.changes[i];
        AUTO(event_record) struct event_record event;

        event_record_init(&event);
        if (change->kind == CHANGE_NUMBER) {
            strbuf_addf(out, "%s=%" PRIu64 ".%u;", change->name,
                        carry_place_turn((uint64_t)change->number),
                        carry_place_n((uint64_t)change->number));
            continue;
        }
        ck_assert_uint_eq(change->kind, CHANGE_EVENT);
        ck_assert_int_eq(schema_decode(event_record_schema(), change->record.data, change->record.n,
                                       &event, NULL),
                         0);
        ck_assert_uint_eq(event.turn, 0);
        ck_assert_uint_eq(event.place, 0);
        ck_assert_int_ne(event.came_ms, 0);
        strbuf_addf(out, "%s of %" PRIu64 ";", event.text, event.origin);
    }
}

/* Takes a page of the other place. */
static void take(struct desk *desk, const struct said *said, uint64_t until, struct strbuf *out)
{
    struct act *act = lab_act(desk->lab, NULL);
    const uint32_t before = act->turn->changes.changes_n;
    AUTO(dbd_carried) struct dbd_carried page;

    dbd_carried_init(&page);
    page.place = THERE;
    page.until = until;
    page.events = events_of(said, &page.events_n);
    carry_take(act, OWN, &page);
    describe(act, before, out);
}

/* A place as a constant, which carry_place() is not. */
#define AT(turn, n) (UINT64_C(turn) << CARRY_TURN_BITS | (n))

#define MARK "carried 0000000000000007"

static const struct {
    const char *title;
    struct said said[SAID_MAX];
    uint64_t before, until; /* what was here, and what the page is up to */
    const char *noted;
} pages[] = {
    { "an empty page of an empty place", { { 0 } }, 0, 0, "" },
    { "an empty page that was looked for further", { { 0 } }, 0, AT(4, 2), MARK "=4.2;" },
    { "one that brings nothing more", { { 0 } }, AT(4, 2), AT(4, 2), "" },
    { "a mark that went back", { { 0 } }, AT(4, 2), AT(4, 1), "" },
    { "one event", { { 3, 0, 0 } }, 0, AT(3, 0), "3.0 of 7;" MARK "=3.0;" },
    { "what is here up to the mark",
      { { 3, 0, 0 }, { 3, 1, 0 }, { 3, 2, 0 } },
      AT(3, 1),
      AT(3, 2),
      "3.2 of 7;" MARK "=3.2;" },
    { "a turn further, though its number in it is lower",
      { { 3, 5, 0 }, { 4, 0, 0 } },
      AT(3, 5),
      AT(4, 0),
      "4.0 of 7;" MARK "=4.0;" },
    { "what happened here", { { 3, 0, OWN } }, 0, AT(3, 0), MARK "=3.0;" },
    { "what happened at a third place",
      { { 3, 0, THIRD } },
      0,
      AT(3, 0),
      "3.0 of 9;" MARK "=3.0;" },
    { "events before the mark of a page that is behind", { { 2, 0, 0 } }, AT(4, 2), AT(2, 0), "" },
};

START_TEST(what_is_not_here_yet_comes_with_its_place)
{
    struct desk desk = desk_with_accounts();
    AUTO(strbuf) struct strbuf noted = { 0 };
    const uint64_t greatest =
        pages[_i].before > pages[_i].until ? pages[_i].before : pages[_i].until;

    carry_load_number(desk.lab->control, MARK, (int64_t)pages[_i].before);
    take(&desk, pages[_i].said, pages[_i].until, &noted);
    ck_assert_msg(strcmp(strbuf_text(&noted), pages[_i].noted) == 0, "%s: %s", pages[_i].title,
                  strbuf_text(&noted));
    ck_assert_uint_eq(carry_until(desk.lab->control, THERE), greatest);
    ck_assert_uint_eq(carry_until(desk.lab->control, THIRD), 0);

    strbuf_truncate(&noted, 0);
    take(&desk, pages[_i].said, pages[_i].until, &noted);
    ck_assert_msg(noted.len == 0, "%s, twice: %s", pages[_i].title, strbuf_text(&noted));
    desk_free(&desk);
}
END_TEST

static const struct {
    const char *title;
    struct said said[SAID_MAX];
    const char *left; /* what is told */
} fills[] = {
    { "nothing", { { 0 } }, "" },
    { "one", { { 3, 0, 0 } }, "3.0;" },
    { "one of who is told", { { 3, 0, THERE } }, "" },
    { "others beside it", { { 3, 0, 0 }, { 3, 1, THERE }, { 4, 0, THIRD } }, "3.0;4.0;" },
};

START_TEST(nobody_is_told_what_happened_there)
{
    AUTO(dbd_carried) struct dbd_carried page;
    AUTO(strbuf) struct strbuf left = { 0 };
    uint32_t n;
    struct event_record *events = events_of(fills[_i].said, &n);

    carry_fill(OWN, THERE, events, n, carry_place(4, 1), &page);
    for (uint32_t i = 0; i < page.events_n; i++)
        strbuf_addf(&left, "%s;", page.events[i].text);

    ck_assert_msg(strcmp(strbuf_text(&left), fills[_i].left) == 0, "%s: %s", fills[_i].title,
                  strbuf_text(&left));
    ck_assert_uint_eq(page.place, OWN);
    ck_assert_uint_eq(page.until, carry_place(4, 1));
}
END_TEST

START_TEST(a_place_is_a_number_that_rises)
{
    const uint32_t last = (1U << CARRY_TURN_BITS) - 1;

    ck_assert_uint_eq(carry_place_turn(carry_place(3, last)), 3);
    ck_assert_uint_eq(carry_place_n(carry_place(3, last)), last);
    ck_assert_uint_lt(carry_place(3, last), carry_place(4, 0));
    ck_assert_uint_eq(carry_place_n(carry_place(4, 0)), 0);
}
END_TEST

START_TEST(marks_are_found_again_by_their_names)
{
    struct desk desk = desk_with_accounts();
    struct control *control = desk.lab->control;

    carry_load_number(control, "carried 00000000000000ff", 12);
    carry_load_number(control, "carried ffffffffffffffff", INT64_MAX);
    carry_load_number(control, "carried", 13);
    carry_load_number(control, "log_from", 14);

    ck_assert_uint_eq(carry_until(control, 255), 12);
    ck_assert_uint_eq(carry_until(control, UINT64_MAX), INT64_MAX);
    ck_assert_uint_eq(control->carried_n, 2);
    carry_load_number(control, "carried 00000000000000ff", 15);
    ck_assert_uint_eq(carry_until(control, 255), 15);
    ck_assert_uint_eq(control->carried_n, 2);
    carry_clear(control);
    ck_assert_uint_eq(carry_until(control, 255), 0);
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(acct_carry, LOOP_CASE(what_is_not_here_yet_comes_with_its_place, ARRAY_N(pages)),
           LOOP_CASE(nobody_is_told_what_happened_there, ARRAY_N(fills)),
           CASE(a_place_is_a_number_that_rises), CASE(marks_are_found_again_by_their_names))
