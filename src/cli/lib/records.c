#include "cli/lib/records.h"

#include <stdio.h>
#include <string.h>

#include "common/msg/types.h"

struct collector {
    struct records *records;
    uint32_t type;
    struct err *err;
};

static int on_record(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    const struct collector *collector = ctx;
    struct records *records = collector->records;
    size_t size = records->schema->size;

    if (type != collector->type)
        return err_set(collector->err, E_PROTO, "%s in a list of %s", msg_name(type),
                       msg_name(collector->type));
    records->at = array_grow_(records->at, records->n, size);

    void *record = (char *)records->at + records->n * size;
    int rc = schema_decode_in(&records->memory, records->schema, frame->body, frame->body_n, record,
                              collector->err);

    if (rc == 0)
        records->n++;
    return rc;
}

static void begin(void *ctx)
{
    const struct collector *collector = ctx;

    records_clear(collector->records);
    collector->records->schema = msg_schema(collector->type);
}

int records_load(struct client *client, uint32_t type, const void *msg, uint32_t record_type,
                 struct records *records, struct err *err)
{
    struct collector collector = { records, record_type, err };
    int rc = client_ask(client, type, msg, begin, on_record, &collector, err);

    if (rc < 0)
        records_clear(records);
    return rc;
}

void records_clear(struct records *records)
{
    free(records->at);
    arena_clear(&records->memory);
    *records = (struct records){ 0 };
}

void records_auto_(struct records *records)
{
    records_clear(records);
}

void records_report(const struct command *command, const char *what, const struct err *err)
{
    const char *reason = err_string(err->code);

    if (strcmp(err->text, reason) != 0)
        command_report(command, NULL, err);
    fprintf(stderr, "%s: %s\n", what, reason);
}
