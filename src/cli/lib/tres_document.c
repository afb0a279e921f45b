#include "cli/lib/tres_document.h"

static void open_tres(struct json_writer *json, const char *type, const char *name, uint32_t id,
                      uint64_t count)
{
    json_open_object(json, NULL);
    json_add_text(json, "type", type);
    json_add_text(json, "name", name);
    json_add_int(json, "id", id);
    json_add_int(json, "count", (int64_t)count);
}

void document_open_tres(struct json_writer *json, enum tres_id id, uint64_t count)
{
    static const char *const types[] = {
        [TRES_CPU] = "cpu",   [TRES_MEM] = "mem",         [TRES_ENERGY] = "energy",
        [TRES_NODE] = "node", [TRES_BILLING] = "billing", [TRES_DISK] = "fs",
        [TRES_VMEM] = "vmem", [TRES_PAGES] = "pages",
    };

    open_tres(json, types[id], id == TRES_DISK ? "disk" : "", id, count);
}

static void add_amount(struct json_writer *json, enum tres_id id, uint64_t count)
{
    if (!count)
        return;
    document_open_tres(json, id, count);
    json_close(json);
}

static void add_gres(struct json_writer *json, const struct tres *tres, const char *counted)
{
    AUTO(gres) struct gres_list list = tres_counted(tres, counted);

    for (uint32_t i = 0; i < list.n; i++) {
        const struct gres *gres = &list.at[i];
        AUTO_FREE char *name =
            gres->type ? xasprintf("%s:%s", gres->name, gres->type) : xstrdup(gres->name);

        if (!gres->count)
            continue;
        open_tres(json, "gres", name, TRES_GRES + i, gres->count);
        json_close(json);
    }
}

void document_tres(struct json_writer *json, const char *key, const struct tres *tres,
                   const char *counted)
{
    json_open_array(json, key);
    add_amount(json, TRES_CPU, tres->cpus);
    add_amount(json, TRES_MEM, tres->mem_mb == MB_UNSET ? 0 : tres->mem_mb);
    add_amount(json, TRES_NODE, tres->nodes);
    add_amount(json, TRES_BILLING, tres->billing);
    add_gres(json, tres, counted);
    json_close(json);
}
