/* events.c - when nodes could not be used, and what the cluster consisted of. */
#include <stdlib.h>
#include <string.h>

#include "cli/import/history.h"
#include "cli/import/jobs.h"
#include "common/base/alloc.h"
#include "common/msg/import.h"
#include "common/msg/types.h"
#include "common/text/words.h"

#define PAGE_EVENTS 1000

struct events {
    struct cluster_event *at;
    uint32_t n;
};

static void clear_events(struct events *events)
{
    for (uint32_t i = 0; i < events->n; i++)
        cluster_event_clear(&events->at[i]);
    free(events->at);
}

static int compare_events(const void *a, const void *b)
{
    const struct cluster_event *left = a, *right = b;

    if (left->since != right->since)
        return left->since < right->since ? -1 : 1;
    return strcmp(left->node ? left->node : "", right->node ? right->node : "");
}

static const struct cluster_event *find_event(const struct events *events,
                                              const struct cluster_event *wanted)
{
    return events->n ? bsearch(wanted, events->at, events->n, sizeof(*wanted), compare_events)
                     : NULL;
}

static int on_event(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    struct events *events = ctx;

    if (type != MSG_CLUSTER_EVENT)
        return 0;
    return rpc_decode(frame, cluster_event_schema(), ARRAY_PUSH(events->at, events->n), NULL);
}

static int read_ours(struct history *history, struct events *ret, struct err *err)
{
    AUTO(cluster_event_list) struct cluster_event_list list;
    int rc;

    cluster_event_list_init(&list);
    xstrset(&list.cluster, history->cluster);
    rc = client_ask(history->client, MSG_CLUSTER_EVENT_LIST, &list, NULL, on_event, ret, err);
    if (ret->n)
        qsort(ret->at, ret->n, sizeof(*ret->at), compare_events);
    return rc;
}

static int read_theirs(struct history *history, struct events *ret, struct err *err)
{
    const struct kept_rows *rows = &history->survey->tables[FOREIGN_EVENT];

    for (uint32_t i = 0; i < rows->n; i++) {
        struct foreign_row row = survey_kept(history->survey, &rows->at[i]);
        struct cluster_event *event;

        if (foreign_u32(&row, EVENT_deleted, 0))
            continue;
        event = ARRAY_PUSH(ret->at, ret->n);
        cluster_event_init(event);
        event_convert(history->foreign, &row, event);
        if (row.err.code)
            return foreign_error(&row, err);
    }
    if (ret->n)
        qsort(ret->at, ret->n, sizeof(*ret->at), compare_events);
    return 0;
}

/* Returns when this cluster began to tell of itself: what the database has of later is not its. */
static int64_t beginning(const struct events *ours, const struct events *theirs)
{
    for (uint32_t i = 0; i < ours->n; i++) {
        if (!find_event(theirs, &ours->at[i]))
            return ours->at[i].since;
    }
    return INT64_MAX;
}

/* Returns whether the event comes. One of the cluster that goes on ends when ours begins; one of a
 * node that goes on is nobody's. */
static bool comes(struct history *history, const struct events *ours, int64_t begin,
                  struct cluster_event *event)
{
    if (find_event(ours, event)) {
        plan_count(history->plan, PLAN_EVENTS, FATE_EQUAL);
        return false;
    }
    if (!event->node && begin != INT64_MAX && (!event->until || event->until > begin))
        event->until = begin;
    if (event->until && event->since < begin && event->until >= event->since) {
        if (event->until > begin)
            event->until = begin;
        plan_count(history->plan, PLAN_EVENTS, FATE_NEW);
        return true;
    }
    plan_count(history->plan, PLAN_EVENTS, FATE_LEFT);
    plan_note(history->plan, "events do not come: they went on, or are of the time of this cluster",
              "%s", event->node ? event->node : "of the cluster");
    return false;
}

static int send_events(struct history *history, struct import_page *page, struct err *err)
{
    int rc = 0;

    page->number = history->number;
    if (page->number && page->events_n)
        rc = client_call(history->client, MSG_IMPORT_PAGE, page, MSG_IMPORT_TAKEN, NULL, err);
    page->events_n = 0; /* they are the list's */
    return rc;
}

int history_events(struct history *history, struct err *err)
{
    struct events ours = { 0 }, theirs = { 0 };
    struct import_page page;
    int64_t begin;
    int rc = history->client ? read_ours(history, &ours, err) : 0;

    import_page_init(&page);
    page.cluster = (char *)(uintptr_t)history->cluster;
    if (rc == 0)
        rc = read_theirs(history, &theirs, err);
    begin = beginning(&ours, &theirs);
    for (uint32_t i = 0; rc == 0 && i < theirs.n; i++) {
        if (comes(history, &ours, begin, &theirs.at[i]))
            *ARRAY_PUSH(page.events, page.events_n) = theirs.at[i];
        if (page.events_n == PAGE_EVENTS)
            rc = send_events(history, &page, err);
    }
    if (rc == 0)
        rc = send_events(history, &page, err);
    free(page.events);
    clear_events(&ours);
    clear_events(&theirs);
    return rc;
}
