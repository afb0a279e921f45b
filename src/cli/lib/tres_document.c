#include "cli/lib/tres_document.h"

void document_open_tres(struct json_writer *json, enum tres_id id, uint64_t count)
{
    static const char *const types[] = {
        [TRES_CPU] = "cpu",   [TRES_MEM] = "mem",         [TRES_ENERGY] = "energy",
        [TRES_NODE] = "node", [TRES_BILLING] = "billing", [TRES_DISK] = "fs",
        [TRES_VMEM] = "vmem", [TRES_PAGES] = "pages",
    };

    json_open_object(json, NULL);
    json_add_text(json, "type", types[id]);
    json_add_text(json, "name", id == TRES_DISK ? "disk" : "");
    json_add_int(json, "id", id);
    json_add_int(json, "count", (int64_t)count);
}

static void add_amount(struct json_writer *json, enum tres_id id, uint64_t count)
{
    if (!count)
        return;
    document_open_tres(json, id, count);
    json_close(json);
}

void document_tres(struct json_writer *json, const char *key, const struct tres *tres)
{
    json_open_array(json, key);
    add_amount(json, TRES_CPU, tres->cpus);
    add_amount(json, TRES_MEM, tres->mem_mb == MB_UNSET ? 0 : tres->mem_mb);
    add_amount(json, TRES_NODE, tres->nodes);
    add_amount(json, TRES_BILLING, tres->billing);
    json_close(json);
}
