/*
 * records.h - all records of a stream from the controller, in memory.
 */
#pragma once

#include "cli/lib/command.h"
#include "common/msg/kept.h"

/* Owns its records: `AUTO(records) struct records jobs = { 0 };` */
struct records {
    const struct schema *schema;
    void *at; /* n structs of the schema's size */
    uint32_t n;
    struct arena memory; /* what they point to */
};

/*
 * Sends `msg` and collects the answer, records of `record_type`. A failure also clears what
 * `records` held before.
 */
int records_load(struct client *client, uint32_t type, const void *msg, uint32_t record_type,
                 struct records *records, struct err *err);

/*
 * Looks at each record of a list as it comes. An answer that breaks off is asked for again from its
 * beginning: `begin`, where there is one, is called before each first record, and all records taken
 * before it are void.
 */
struct records_reader {
    void (*begin)(void *ctx);
    bool (*take)(const void *record, void *ctx); /* true: it is done with, and is not kept */
    void *ctx;
};

/* Reads a list and collects the records that the reader does not take. */
int records_read(struct client *client, uint32_t type, const void *msg, uint32_t record_type,
                 const struct records_reader *reader, struct records *records, struct err *err);

/* Collects the kept records of a kind (common/msg/kept.h). */
int records_load_kept(struct client *client, const struct kept_list *request,
                      struct records *records, struct err *err);
/* Collects all kept records of a kind that the caller is shown. */
int records_load_all(struct client *client, enum kept_number kind, struct records *records,
                     struct err *err);
void records_clear(struct records *records);
void records_auto_(struct records *records);

static inline const void *record_at(const struct records *records, uint32_t i)
{
    return (const char *)records->at + i * records->schema->size;
}

/*
 * Prints "slurm_load_jobs error: REASON" on stderr, as Slurm's commands say it and scripts match
 * it; a text that says more goes before it, as "NAME: error: TEXT". `what` is "slurm_load_jobs".
 */
void records_report(const struct command *command, const char *what, const struct err *err);

/*
 * Reads slurm.conf and connects to who keeps accounts and history, as far as that is not done yet.
 * Returns 0, or -1 when that has failed, which has been said, as records_report says it.
 */
int records_connect(struct command *command, const char *what);
