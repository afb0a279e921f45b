#include "cli/lib/records.h"

#include <stdio.h>
#include <string.h>

#include "common/msg/types.h"

struct collector {
    struct records *records;
    uint32_t type;
    const struct kept_kind *kept; /* MSG_KEPT_INFO carries records of this kind; NULL: of no such */
    const struct records_reader *reader; /* or NULL */
    struct err *err;
};

static int decode(const struct collector *collector, const void *bytes, size_t n,
                  const struct schema *schema, void *ret)
{
    return schema_decode_in(&collector->records->memory, schema, bytes, n, ret, collector->err);
}

static int on_record(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    const struct collector *collector = ctx;
    struct records *records = collector->records;
    size_t size = records->schema->size;
    const struct arena_mark mark = arena_mark(&records->memory);

    if (type != collector->type)
        return err_set(collector->err, E_PROTO, "%s in a list of %s", msg_name(type),
                       msg_name(collector->type));
    records->at = array_grow_(records->at, records->n, size);

    void *record = (char *)records->at + records->n * size;
    struct kept_info info;
    int rc;

    if (collector->kept) {
        rc = decode(collector, frame->body, frame->body_n, kept_info_schema(), &info);
        if (rc == 0)
            rc = decode(collector, info.record.data, info.record.n, records->schema, record);
    } else {
        rc = decode(collector, frame->body, frame->body_n, records->schema, record);
    }
    if (rc == 0 && collector->reader && collector->reader->take(record, collector->reader->ctx))
        arena_return(&records->memory, mark);
    else if (rc == 0)
        records->n++;
    return rc;
}

static void begin(void *ctx)
{
    const struct collector *collector = ctx;

    records_clear(collector->records);
    collector->records->schema =
        collector->kept ? collector->kept->schema() : msg_schema(collector->type);
    if (collector->reader && collector->reader->begin)
        collector->reader->begin(collector->reader->ctx);
}

static int load(struct client *client, uint32_t type, const void *msg, struct collector *collector)
{
    int rc = client_ask(client, type, msg, begin, on_record, collector, collector->err);

    if (rc < 0)
        records_clear(collector->records);
    return rc;
}

int records_load(struct client *client, uint32_t type, const void *msg, uint32_t record_type,
                 struct records *records, struct err *err)
{
    struct collector collector = { .records = records, .type = record_type, .err = err };

    return load(client, type, msg, &collector);
}

int records_read(struct client *client, uint32_t type, const void *msg, uint32_t record_type,
                 const struct records_reader *reader, struct records *records, struct err *err)
{
    struct collector collector = {
        .records = records, .type = record_type, .reader = reader, .err = err
    };

    return load(client, type, msg, &collector);
}

int records_load_kept(struct client *client, const struct kept_list *request,
                      struct records *records, struct err *err)
{
    struct collector collector = {
        .records = records, .type = MSG_KEPT_INFO, .kept = kept_kind_find(request->kind), .err = err
    };

    return load(client, MSG_KEPT_LIST, request, &collector);
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

int records_load_all(struct client *client, enum kept_number kind, struct records *records,
                     struct err *err)
{
    const struct kept_list all = { .kind = kind };

    records->schema = kept_kind_find(kind)->schema();
    return records_load_kept(client, &all, records, err);
}

void records_report(const struct command *command, const char *what, const struct err *err)
{
    const char *reason = err_string(err->code);

    if (strcmp(err->text, reason) != 0)
        command_report(command, NULL, err);
    fprintf(stderr, "%s: %s\n", what, reason);
}

int records_connect(struct command *command, const char *what)
{
    struct cli *cli = &command->cli;
    struct err err = { 0 };

    if (cli->client)
        return 0;
    if (!cli->conf && cli_load(cli, &err) < 0) {
        command_report(command, NULL, &err);
        return -1;
    }
    if (cli_connect_accounting(cli, &err) < 0) {
        records_report(command, what, &err);
        return -1;
    }
    return 0;
}
