/* entity_license.c - scontrol show licenses. */
#include <stdio.h>
#include <string.h>

#include "cli/scontrol/entities.h"
#include "common/msg/types.h"
#include "common/text/timetext.h"

static uint32_t free_of(const struct license_info *license)
{
    const uint64_t taken = (uint64_t)license->used + license->last_deficit;

    return license->total > taken ? license->total - (uint32_t)taken : 0;
}

/* Writes a license. As in Slurm, what is reserved is not taken off what is free. */
static void add_license(struct entity_sink *sink, const void *row)
{
    const struct license_info *license = row;
    struct json_writer *json = &sink->document.json;

    json_open_object(json, NULL);
    json_add_text(json, "LicenseName", license->name);
    json_add_int(json, "Total", license->total);
    json_add_int(json, "Used", license->used);
    json_add_int(json, "Free", free_of(license));
    json_add_bool(json, "Remote", license->is_remote);
    json_add_int(json, "Reserved", license->reserved);
    json_add_int(json, "LastConsumed", license->last_consumed);
    json_add_int(json, "LastDeficit", license->last_deficit);
    json_add_int(json, "LastUpdate", license->last_update);
    json_close(json);
}

static const struct entity_kind license_kind = { "licenses", NULL, add_license, NULL };

static void print_server(const struct license_info *license, const char *gap)
{
    AUTO(strbuf) struct strbuf time = { 0 };

    time_format(&time, license->last_update, NULL, 0, "");
    printf("%sLastConsumed=%u LastDeficit=%u LastUpdate=%s", gap, license->last_consumed,
           license->last_deficit, strbuf_text(&time));
}

/* Prints a license; what its server says, once it was told that. */
static void print_license(struct entity_sink *sink, const struct license_info *license)
{
    const char *gap = sink->show.one_line ? " " : "\n    ";

    if (entity_sink_take(sink, license))
        return;
    printf("LicenseName=%s%sTotal=%u Used=%u Free=%u Reserved=%u Remote=%s", license->name, gap,
           license->total, license->used, free_of(license), license->reserved,
           license->is_remote ? "yes" : "no");
    if (license->last_consumed)
        print_server(license, gap);
    printf("\n");
}

static int compare_names(const void *a, const void *b)
{
    const struct license_info *one = a, *other = b;

    return strcmp(one->name, other->name);
}

void show_licenses(struct scontrol *session, const char *id)
{
    AUTO(records) struct records licenses = { 0 };
    struct entity_sink sink;

    if (!session_records(session, "slurm_load_license", MSG_LICENSE_LIST, NULL, MSG_LICENSE_INFO,
                         &licenses) ||
        !entity_sink_begin(session, &license_kind, &sink))
        return;
    if (licenses.n)
        qsort(licenses.at, licenses.n, sizeof(struct license_info), compare_names);
    for (uint32_t i = 0; i < licenses.n; i++) {
        const struct license_info *license = record_at(&licenses, i);

        if (!id || strcmp(id, license->name) == 0)
            print_license(&sink, license);
    }
    entity_sink_end(&sink);
    if (licenses.n == 0 && !sink.is_document)
        entity_say(session, "No licenses configured in Slurm.");
}
