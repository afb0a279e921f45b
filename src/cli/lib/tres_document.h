/*
 * tres_document.h - amounts of TRES in JSON, as lists of { "type", "name", "id", "count" }. Pure.
 */
#pragma once

#include "common/json/writer.h"
#include "common/msg/tres.h"

/* Numbers of TRES as in a new database of Slurm's. */
enum tres_id {
    TRES_CPU = 1,
    TRES_MEM,
    TRES_ENERGY,
    TRES_NODE,
    TRES_BILLING,
    TRES_DISK, /* what is read and written */
    TRES_VMEM,
    TRES_PAGES,
    TRES_GRES = 1001 /* the first that AccountingStorageTRES names; the others follow */
};

/*
 * Writes a list of amounts. Leaves out what is 0 or not known, and what `counted` does not name;
 * memory is in megabytes.
 */
void document_tres(struct json_writer *json, const char *key, const struct tres *tres,
                   const char *counted);

/* Opens one element of such a list without its end, so that the caller can add members. */
void document_open_tres(struct json_writer *json, enum tres_id id, uint64_t count);
