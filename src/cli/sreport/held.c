#include "cli/sreport/held.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/clusters.h"
#include "common/msg/types.h"

/* Returns the whole name of a TRES, or NULL: there is none of that name. */
static const char *find_tres(const struct book *book, const char *name)
{
    for (uint32_t i = 0; i < book->tres.n; i++) {
        const struct tres_record *tres = record_at(&book->tres, i);

        if (word_is(tres->name, name))
            return tres->name;
    }
    return NULL;
}

static int compare_tres(const void *a, const void *b)
{
    const struct tres_record *left = a, *right = b;

    return (left->id > right->id) - (left->id < right->id);
}

static void choose_all(struct held *held)
{
    if (held->book.tres.n)
        qsort(held->book.tres.at, held->book.tres.n, sizeof(struct tres_record), compare_tres);
    for (uint32_t i = 0; i < held->book.tres.n; i++)
        *ARRAY_PUSH(held->tres.at, held->tres.n) =
            xstrdup(((const struct tres_record *)record_at(&held->book.tres, i))->name);
}

static int choose_tres(struct sreport *sreport, struct held *held)
{
    if (sreport->tres_asked.n == 0) {
        *ARRAY_PUSH(held->tres.at, held->tres.n) = xstrdup("cpu");
        return 0;
    }
    if (words_have(&sreport->tres_asked, "ALL"))
        choose_all(held);
    for (uint32_t i = 0; held->tres.n < sreport->tres_asked.n && i < sreport->tres_asked.n; i++) {
        const char *name = find_tres(&held->book, sreport->tres_asked.at[i]);

        if (name)
            *ARRAY_PUSH(held->tres.at, held->tres.n) = xstrdup(name);
    }
    if (held->tres.n)
        return 0;
    sreport_refuse(sreport, "sreport: fatal: No valid TRES given");
    sreport->leaves = true;
    return -1;
}

int held_begin(struct sreport *sreport, struct held *held)
{
    struct err err = { 0 };

    if (sreport_connect(sreport) < 0)
        return -1;
    if (book_load(&held->book, sreport->command, &err) < 0) {
        records_report(sreport->command, "Problem with query", &err);
        return -1;
    }
    return choose_tres(sreport, held);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds this cluster, or all of the federation that it is in where that is asked for. */
static void add_ours(const struct sreport *sreport, const struct book *book, struct words *ret)
{
    const struct cluster_record *ours = book_cluster(book, book->cluster);
    const char *federation =
        ours && sreport->federation && !sreport->local ? ours->federation : NULL;

    for (uint32_t i = 0; federation && i < book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&book->clusters, i);

        if (!cluster->deleted && cluster != ours && text_is(cluster->federation, federation))
            *ARRAY_PUSH(ret->at, ret->n) = xstrdup(cluster->name);
    }
    *ARRAY_PUSH(ret->at, ret->n) = xstrdup(book->cluster);
}

void held_clusters(const struct sreport *sreport, const struct ask *ask, const struct held *held,
                   struct words *ret)
{
    const struct words *named =
        ask->is_given[ASK_CLUSTERS] ? &ask->lists[ASK_CLUSTERS] : &sreport->clusters;
    const bool is_all = sreport->all_clusters || ask->all_clusters || words_have(named, "all");
    const bool is_ours = !is_all && !ask->is_given[ASK_CLUSTERS] && named->n == 0;

    if (!is_ours)
        clusters_add_names(&held->book.clusters, is_all, named, ret);
    else
        add_ours(sreport, &held->book, ret);
    if (ret->n)
        qsort(ret->at, ret->n, sizeof(*ret->at), compare_names);
}

void held_begin_part(const struct held *whole, const char *cluster, struct held *ret_part)
{
    *ret_part = (struct held){ .book = whole->book, .tres = whole->tres, .is_part = true };
    ret_part->book.cluster = cluster;
}

/* Loads rows of a cluster. One that has told nothing yet has none. */
static int load(struct sreport *sreport, uint32_t type, const void *request, uint32_t row_type,
                struct records *records)
{
    struct err err = { 0 };

    records->schema = msg_schema(row_type);
    if (records_load(sreport->command->cli.client, type, request, row_type, records, &err) == 0 ||
        err.code == ESRCH)
        return 0;
    records_report(sreport->command, "Problem with query", &err);
    return -1;
}

int held_load_sums(struct sreport *sreport, const struct sums_list *asked, struct held *held)
{
    struct sums_list request = *asked;

    request.cluster = (char *)(uintptr_t)held->book.cluster;
    if (load(sreport, MSG_SUMS_LIST, &request, MSG_SUM_INFO, &held->loaded) < 0)
        return -1;
    held->sums = held->loaded.at;
    held->sums_n = held->loaded.n;
    return 0;
}

int held_load_times(struct sreport *sreport, const struct ask *ask, struct held *held)
{
    const struct utilization_list request = { .from = ask->start,
                                              .until = ask->end,
                                              .cluster = (char *)(uintptr_t)held->book.cluster };

    return load(sreport, MSG_UTILIZATION_LIST, &request, MSG_UTILIZATION_INFO, &held->times);
}

void held_clear(struct held *held)
{
    if (!held->is_part) {
        book_clear(&held->book);
        words_clear(&held->tres);
    }
    records_clear(&held->loaded);
    records_clear(&held->times);
    for (uint32_t i = 0; held->past && i < held->sums_n; i++)
        sum_info_clear(&held->past[i]);
    free(held->past);
}

void held_auto_(struct held *held)
{
    held_clear(held);
}

uint64_t held_amount(const struct acct_amount *list, uint32_t n, const char *tres)
{
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(list[i].tres, tres) == 0)
            return list[i].amount;
    }
    return 0;
}

uint64_t held_whole(const struct held *held, const char *tres)
{
    for (uint32_t i = 0; i < held->times.n; i++) {
        const struct utilization_info *info = record_at(&held->times, i);

        if (strcmp(info->tres, tres) == 0)
            return info->allocated + info->down + info->planned_down + info->idle + info->planned;
    }
    return 0;
}

/* A list that is given without any name means nobody: no name is a blank. */
static void fill(const struct ask *ask, enum ask_list list, char ***ret, uint32_t *ret_n)
{
    static char blank[] = " ", *nobody[] = { blank };
    const struct words *words = &ask->lists[list];

    if (!ask->is_given[list])
        return;
    *ret = words->n ? words->at : nobody;
    *ret_n = words->n ? words->n : 1;
}

struct sums_list held_request(const struct ask *ask)
{
    struct sums_list request = { .from = ask->start, .until = ask->end };

    fill(ask, ASK_USERS, &request.users, &request.users_n);
    fill(ask, ASK_PARTITIONS, &request.partitions, &request.partitions_n);
    fill(ask, ASK_WCKEY_NAMES, &request.wckeys, &request.wckeys_n);
    return request;
}
