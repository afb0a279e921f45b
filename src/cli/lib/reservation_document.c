#include "cli/lib/reservation_document.h"

#include "cli/lib/document_fields.h"

static const struct reservation_view *view_of(const void *row)
{
    return ((const struct reservation_document_row *)row)->view;
}

static bool start_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = view_of(row)->start;
    return true;
}

static bool end_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = view_of(row)->end;
    return true;
}

static bool node_count(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = view_of(row)->nodes_n;
    return true;
}

static void make_tres(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    reservation_tres_format(view_of(row), out);
}

/* Writes which cores it has of each node that it does not have whole. */
static void make_cores(const struct report_context *ctx, const void *row, struct json_writer *json,
                       const char *key)
{
    const struct reservation_record *record = view_of(row)->record;

    (void)ctx;
    json_open_array(json, key);
    for (uint32_t i = 0; i < record->parts_n; i++) {
        AUTO(strbuf) struct strbuf cores = { 0 };

        reservation_cores_format(view_of(row), &record->parts[i], &cores);
        json_open_object(json, NULL);
        json_add_text(json, "node", record->parts[i].node);
        json_add_text(json, "core", strbuf_text(&cores));
        json_close(json);
    }
    json_close(json);
}

static void add_flag(void *ctx, const char *word)
{
    json_add_text(ctx, NULL, word);
}

static void make_flags(const struct report_context *ctx, const void *row, struct json_writer *json,
                       const char *key)
{
    (void)ctx;
    json_open_array(json, key);
    reservation_flags_each(view_of(row)->record->flags, add_flag, json);
    json_close(json);
}

static bool purge_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct reservation_record *record = view_of(row)->record;

    (void)ctx;
    *ret = record->purge_comp_s;
    return record->flags & RESV_PURGE_COMP;
}

static const struct report_root roots[] = {
    { "resv", reservation_record_schema, offsetof(struct reservation_document_row, record) },
};

/* clang-format off */
static const struct document_field fields[] = {
    TEXT("accounts", .path = "resv.accounts"),
    NO_TEXT("burst_buffer"),
    PLAIN("core_count", .path = "resv.core_cnt"),
    MADE("core_specializations", make_cores),
    NUMBER("end_time", .number = end_time, .kind = KIND_TIME),
    TEXT("features", .path = "resv.features"),
    MADE("flags", make_flags),
    TEXT("groups", .path = "resv.groups"),
    TEXT("licenses", .path = "resv.licenses"),
    PLAIN("max_start_delay", .path = "resv.max_start_delay_s"),
    TEXT("name", .path = "resv.name"),
    PLAIN("node_count", .number = node_count, .kind = KIND_U32),
    TEXT("node_list", .path = "resv.nodes"),
    TEXT("partition", .path = "resv.partition"),
    NUMBER("purge_completed.time", .number = purge_time, .kind = KIND_U32),
    NUMBER("start_time", .number = start_time, .kind = KIND_TIME),
    NO_NUMBER("watts"),
    TEXT("tres", .make = make_tres),
    TEXT("users", .path = "resv.users"),
};
/* clang-format on */

const struct document_table reservation_document = { roots, ARRAY_N(roots), fields,
                                                     ARRAY_N(fields) };
