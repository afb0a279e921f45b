#include "cli/lib/reservations.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/nodes.h"
#include "common/text/hostlist.h"
#include "common/text/licenses.h"
#include "common/text/numbers.h"

static int compare_ids(const void *a, const void *b)
{
    const struct reservation_record *one = a, *other = b;

    return one->id < other->id ? -1 : one->id > other->id;
}

int reservations_load(struct client *client, struct records *ret_records, struct err *err)
{
    int rc = records_load_all(client, KEPT_RESERVATION, ret_records, err);

    if (rc >= 0 && ret_records->n)
        qsort(ret_records->at, ret_records->n, sizeof(struct reservation_record), compare_ids);
    return rc;
}

static struct hostlist *hosts_of(const struct reservation_record *record)
{
    struct hostlist *hosts = NULL;

    if (!record->nodes || hostlist_parse(record->nodes, &hosts, NULL) < 0)
        return NULL;
    return hosts;
}

static const struct reservation_part *part_of(const struct reservation_record *record,
                                              const char *node)
{
    for (uint32_t i = 0; i < record->parts_n; i++) {
        if (strcmp(record->parts[i].node, node) == 0)
            return &record->parts[i];
    }
    return NULL;
}

uint64_t reservation_cpus(const struct reservation_record *record, const struct records *nodes)
{
    AUTO(hostlist) struct hostlist *hosts = hosts_of(record);
    uint64_t cpus = 0;

    for (uint32_t i = 0; hosts && i < hostlist_count(hosts); i++) {
        const char *name = hostlist_get(hosts, i);
        const struct reservation_part *part = part_of(record, name);
        const struct node_info *info = part ? NULL : nodes_find(nodes, name);

        if (part)
            cpus += part->cpus_n;
        else if (info)
            cpus += info->cpus;
    }
    return cpus;
}

struct reservation_view reservation_view(const struct reservation_record *record,
                                         const struct records *nodes, int64_t now)
{
    AUTO(hostlist) struct hostlist *hosts = hosts_of(record);
    const bool floats = record->flags & RESV_TIME_FLOAT;
    const int64_t moved = floats && now > record->made ? now - record->made : 0;
    struct reservation_view view = { .record = record,
                                     .nodes = nodes,
                                     .start = record->start + moved,
                                     .end = record->end + moved,
                                     .nodes_n = hosts ? hostlist_count(hosts) : 0 };

    view.is_active = view.start <= now && now < view.end;
    if (nodes)
        view.cpus = reservation_cpus(record, nodes);
    return view;
}

void reservation_cores_format(const struct reservation_view *view,
                              const struct reservation_part *part, struct strbuf *out)
{
    const struct node_info *info = view->nodes ? nodes_find(view->nodes, part->node) : NULL;
    const uint32_t threads = info && info->threads_per_core ? info->threads_per_core : 1;
    AUTO_FREE uint32_t *cores = xcalloc(part->cpus_n, sizeof(*cores));
    uint32_t n = 0;

    for (uint32_t i = 0; i < part->cpus_n; i++) {
        const uint32_t core = part->cpus[i] / threads;

        if (n == 0 || cores[n - 1] != core)
            cores[n++] = core;
    }
    numbers_format(cores, n, out);
}

/* Appends "gres/gpu=4,gres/gpu:a100=2", behind a comma where there is something before it. */
static void add_gres(const struct gres_list *list, struct strbuf *out)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const struct gres *gres = &list->at[i];

        strbuf_addf(out, "%sgres/%s%s%s=%" PRIu64, out->len ? "," : "", gres->name,
                    gres->type ? ":" : "", gres->type ? gres->type : "", gres->count);
    }
}

static void add_licenses(const struct reservation_record *record, struct strbuf *out)
{
    AUTO(licenses) struct licenses list = { 0 };

    if (!record->licenses || licenses_parse(record->licenses, &list, NULL) < 0)
        return;
    for (uint32_t i = 0; i < list.n; i++)
        strbuf_addf(out, "%slicense/%s=%" PRIu64, out->len ? "," : "", list.at[i].name,
                    (uint64_t)list.at[i].count);
}

void reservation_tres_format(const struct reservation_view *view, struct strbuf *out)
{
    const struct reservation_record *record = view->record;
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO(tres) struct tres tres = { 0 };

    if (view->cpus)
        strbuf_addf(&text, "cpu=%" PRIu64, view->cpus);
    for (uint32_t i = 0; i < record->parts_n; i++)
        tres_add_gres(&tres, record->parts[i].gres);
    add_gres(&tres.gres, &text);
    add_licenses(record, &text);
    strbuf_adds(out, strbuf_text(&text));
}

void reservation_per_node_format(const struct reservation_record *record, struct strbuf *out)
{
    AUTO(gres) struct gres_list list = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    if (record->gres_per_node && gres_parse(record->gres_per_node, &list, NULL) == 0)
        add_gres(&list, &text);
    strbuf_adds(out, strbuf_text(&text));
}
