/* Events by pages, forward and back. */
#include "unit/check_main.h"

#include "common/msg/event.h"
#include "unit/ctld/store/store_rig.h"

/* A turn of `n` events, about job `job_id` and those after it. */
static void commit_events(struct store *store, uint64_t number, uint32_t job_id, uint32_t n)
{
    struct turn_changes turn;

    turn_changes_init(&turn);
    turn.turn = number;
    for (uint32_t i = 0; i < n; i++) {
        AUTO(event_record) struct event_record event;

        event_record_init(&event);
        event.kind = EVENT_JOB_SUBMITTED;
        event.time_ms = (int64_t)number * 1000;
        event.job_id = job_id + i;
        rig_note(&turn, CHANGE_EVENT, event_record_schema(), &event, event.job_id, 0);
    }
    store_commit(store, &turn);
    rig_wait_until_committed(store, number);
}

struct page {
    bool came, is_last;
    uint32_t n, first, last; /* events, and the jobs of the first and the last */
    struct event_place first_place, next;
};

static void on_page(struct event_record *events, uint32_t n, struct event_place next, bool is_last,
                    const struct err *err, void *ctx)
{
    struct page *page = ctx;

    ck_assert_ptr_null(err);
    *page = (struct page){ .came = true, .is_last = is_last, .n = n, .next = next };
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0) {
            page->first = events[i].job_id;
            page->first_place =
                (struct event_place){ .turn = events[i].turn, .n = events[i].place };
        }
        page->last = events[i].job_id;
        event_record_clear(&events[i]);
    }
    free(events);
}

static struct page page_at(struct store *store, struct event_place after)
{
    const struct event_list all = { 0 };
    struct page page = { 0 };

    store_events(store, 0, &all, after, on_page, &page);
    while (!page.came)
        rig_wait_for_news(store);
    return page;
}

START_TEST(pages_go_back_from_the_newest_event_to_the_first)
{
    struct store *store = rig_start();
    struct page page;

    commit_events(store, 1, 1, 3);
    commit_events(store, 2, 4, STORE_PAGE);

    page = page_at(store, (struct event_place){ .back = true });
    ck_assert_uint_eq(page.first, 3 + STORE_PAGE);
    ck_assert_uint_eq(page.last, 4);
    ck_assert(page.next.back && !page.is_last);
    ck_assert_uint_eq(page.first_place.turn, 2);
    ck_assert_uint_eq(page.first_place.n, STORE_PAGE - 1);

    page = page_at(store, page.next);
    ck_assert_uint_eq(page.first, 3);
    ck_assert_uint_eq(page.last, 1);
    ck_assert_uint_eq(page.n, 3);
    ck_assert(page.is_last);
    store_free(store);
}
END_TEST

START_TEST(there_may_be_nothing_on_the_way_back)
{
    struct store *store = rig_start();
    const struct page page = page_at(store, (struct event_place){ .back = true });

    ck_assert_uint_eq(page.n, 0);
    ck_assert(page.is_last);
    store_free(store);
}
END_TEST

START_TEST(a_page_forward_begins_behind_a_place)
{
    struct store *store = rig_start();
    struct page page;

    commit_events(store, 1, 1, 3);
    commit_events(store, 2, 4, 2);

    page = page_at(store, (struct event_place){ .turn = 1, .n = 1 });
    ck_assert_uint_eq(page.first, 3);
    ck_assert_uint_eq(page.n, 3);
    page = page_at(store, (struct event_place){ .turn = 1, .n = UINT32_MAX });
    ck_assert_uint_eq(page.first, 4);
    page = page_at(store, (struct event_place){ 0 });
    ck_assert_uint_eq(page.n, 5);
    store_free(store);
}
END_TEST

CHECK_MAIN_WITH(events, rig_make_dir, rig_remove_dir,
                CASE(pages_go_back_from_the_newest_event_to_the_first),
                CASE(there_may_be_nothing_on_the_way_back),
                CASE(a_page_forward_begins_behind_a_place))
