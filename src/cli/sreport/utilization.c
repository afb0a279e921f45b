/* utilization.c - what became of the time of the cluster; and reservations, which there are not. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/sreport/held.h"
#include "cli/sreport/others.h"
#include "cli/sreport/print.h"

/* clang-format off */
static const struct report_column time_columns[] = {
    PRINT_AMOUNT("Allocated", 2, "Allocated", 8, ROW_ALLOCATED),
    PRINT_TEXT("Cluster", 2, "Cluster", 9, print_cluster),
    PRINT_AMOUNT("Count", 2, "TRES Count", 10, ROW_COUNT),
    PRINT_AMOUNT("Down", 1, "Down", 8, ROW_DOWN),
    PRINT_AMOUNT("Energy", 1, "Energy", 8, ROW_ENERGY),
    PRINT_AMOUNT("Idle", 1, "Idle", 8, ROW_IDLE),
    PRINT_AMOUNT("OverCommitted", 1, "Over Comm", 8, ROW_OVER),
    PRINT_AMOUNT("PlannedDown", 2, "PLND Down", 8, ROW_PLANNED_DOWN),
    PRINT_AMOUNT("Reported", 3, "Reported", 8, ROW_REPORTED),
    PRINT_AMOUNT("Reserved", 3, "Planned", 8, ROW_PLANNED),
    PRINT_AMOUNT("TresCount", 5, "TRES Count", 10, ROW_COUNT),
    PRINT_TEXT("TresName", 5, "TRES Name", 14, print_tres),
};

/* A reservation has no row yet. */
static const struct report_column reservation_columns[] = {
    PRINT_AMOUNT("Allocated", 2, "Allocated", 20, ROW_ALLOCATED),
    PRINT_TEXT("Associations", 2, "Associations", 15, print_account),
    PRINT_TEXT("Cluster", 2, "Cluster", 9, print_cluster),
    PRINT_AMOUNT("Count", 2, "TRES count", 10, ROW_COUNT),
    PRINT_AMOUNT("CPUTime", 2, "TRES Time", 9, ROW_REPORTED),
    PRINT_TEXT("End", 2, "End", 19, print_user),
    PRINT_TEXT("Flags", 2, "Flags", 20, print_user),
    PRINT_AMOUNT("Idle", 1, "Idle", 20, ROW_IDLE),
    PRINT_TEXT("Name", 2, "Name", 9, print_user),
    PRINT_TEXT("Nodes", 2, "Nodes", 15, print_user),
    PRINT_TEXT("ReservationId", 2, "Id", 8, print_user),
    PRINT_TEXT("Start", 2, "Start", 19, print_user),
    PRINT_TEXT("TotalTime", 2, "TotalTime", 9, print_user),
    PRINT_AMOUNT("TresCount", 5, "TRES count", 10, ROW_COUNT),
    PRINT_TEXT("TresName", 5, "TRES Name", 14, print_tres),
    PRINT_AMOUNT("TresTime", 5, "TRES Time", 9, ROW_REPORTED),
};
/* clang-format on */

static const struct report_table time_table = { NULL, 0, time_columns, ARRAY_N(time_columns) };
static const struct report_table reservation_table = { NULL, 0, reservation_columns,
                                                       ARRAY_N(reservation_columns) };

/* Fills in the title of a report, in texts of the caller. */
static void set_title(const struct sreport *sreport, const struct ask *ask, const char *name,
                      const char *tres, struct strbuf *title, struct strbuf *what)
{
    strbuf_addf(title, "%s ", name);
    print_times(ask, false, title);
    strbuf_addf(what, "Usage reported in %s%s%s", sreport->unit == UNIT_PERCENT ? "" : tres,
                sreport->unit == UNIT_PERCENT ? "" : " ", unit_name(sreport->unit));
}

/* Adds the row of a TRES; one that the cluster never had has none. */
static void push_time(const struct held *held, const char *tres, struct rows *rows)
{
    for (uint32_t i = 0; i < held->times.n; i++) {
        const struct utilization_info *info = record_at(&held->times, i);
        const uint64_t whole = held_whole(held, tres);
        struct row *row;

        if (strcmp(info->tres, tres) != 0)
            continue;
        row = ARRAY_PUSH(rows->at, rows->n);
        *row = (struct row){ .cluster = held->book.cluster,
                             .tres = tres,
                             .whole = whole,
                             .values = { [ROW_COUNT] = info->count,
                                         [ROW_ALLOCATED] = info->allocated,
                                         [ROW_DOWN] = info->down,
                                         [ROW_PLANNED_DOWN] = info->planned_down,
                                         [ROW_IDLE] = info->idle,
                                         [ROW_PLANNED] = info->planned,
                                         [ROW_OVER] = info->over,
                                         [ROW_REPORTED] = whole } };
    }
}

/* A node counts once for each job on it, so node is no TRES of which time can be shared out. */
static int check_tres(struct sreport *sreport, struct held *held)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < held->tres.n; i++) {
        if (word_is(held->tres.at[i], "node"))
            free(held->tres.at[i]);
        else
            held->tres.at[kept++] = held->tres.at[i];
    }
    held->tres.n = kept;
    if (kept)
        return 0;
    sreport_refuse(sreport, "sreport: fatal: TRES node usage is no longer reported in the Cluster "
                            "Utilization report.  Please use TRES CPU instead.");
    sreport->leaves = true;
    return -1;
}

static int print_times_of(struct sreport *sreport, struct ask *ask, const struct rows *rows)
{
    const bool has_tres = sreport->tres_asked.n > 0;
    AUTO(strbuf) struct strbuf title = { 0 }, what = { 0 };
    struct print columns = {
        .columns = &time_table, .fields = &ask->fields, .widens = true, .title_first = true
    };

    if (!ask->has_fields) {
        words_add(&ask->fields, has_tres ? "Cluster,TresName" : "Cluster", ",");
        words_add(&ask->fields, "Allocated,Down,PlannedDown,Idle,Reserved,Reported", ",");
    }
    set_title(sreport, ask, "Cluster Utilization", has_tres ? "TRES" : "CPU", &title, &what);
    columns.title = strbuf_text(&title);
    columns.what = strbuf_text(&what);
    return print_rows(sreport, &columns, rows);
}

/* Adds the rows of a cluster. */
static int push_cluster(struct sreport *sreport, const struct ask *ask, const struct held *whole,
                        const char *cluster, struct rows *rows)
{
    AUTO(held) struct held held;
    int rc;

    held_begin_part(whole, cluster, &held);
    rc = held_load_times(sreport, ask, &held);
    for (uint32_t i = 0; rc == 0 && i < held.tres.n; i++)
        push_time(&held, held.tres.at[i], rows);
    return rc;
}

int report_utilization(struct sreport *sreport, const char *const *words, uint32_t n)
{
    AUTO(ask) struct ask ask;
    AUTO(held) struct held held = { 0 };
    AUTO(words) struct words clusters = { 0 };
    struct rows rows = { 0 };
    int rc = 0, status = 1;

    ask_read(sreport, ASK_UTILIZATION, words, n, (int64_t)time(NULL), &ask);
    if (held_begin(sreport, &held) < 0 || check_tres(sreport, &held) < 0)
        return 1;
    held_clusters(sreport, &ask, &held, &clusters);
    for (uint32_t i = 0; rc == 0 && i < clusters.n; i++)
        rc = push_cluster(sreport, &ask, &held, clusters.at[i], &rows);
    if (rc == 0)
        status = print_times_of(sreport, &ask, &rows);
    rows_clear(&rows);
    return status;
}

int report_reservations(struct sreport *sreport, const char *const *words, uint32_t n)
{
    AUTO(ask) struct ask ask;
    AUTO(held) struct held held = { 0 };
    AUTO(strbuf) struct strbuf title = { 0 }, what = { 0 };
    struct print columns = { .columns = &reservation_table, .fields = &ask.fields };
    const struct rows none = { 0 };

    ask_read(sreport, ASK_RESERVATION, words, n, (int64_t)time(NULL), &ask);
    if (held_begin(sreport, &held) < 0)
        return 1;
    if (!ask.has_fields)
        words_add(&ask.fields, "Cluster,Name,Start,End,TresName,Allocated,Idle", ",");
    set_title(sreport, &ask, "Reservation Utilization", "TRES", &title, &what);
    columns.title = strbuf_text(&title);
    columns.what = strbuf_text(&what);
    if (!sreport->quiet)
        fprintf(stderr, "sreport: there are no reservations in this version\n");
    return print_rows(sreport, &columns, &none);
}
