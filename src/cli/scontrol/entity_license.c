/* entity_license.c - scontrol show licenses. */
#include <stdio.h>
#include <string.h>

#include "cli/scontrol/entities.h"
#include "common/msg/types.h"
#include "common/text/licenses.h"
#include "common/text/words.h"

/* Loads Licenses= as the controller has it, which is not always what this host's file says. */
static bool load_configured(struct scontrol *session, struct licenses *ret)
{
    AUTO(records) struct records entries = { 0 };

    if (!session_records(session, "slurm_load_license", MSG_CONFIG_LIST, NULL, MSG_CONFIG_ENTRY,
                         &entries))
        return false;
    for (uint32_t i = 0; i < entries.n; i++) {
        const struct config_entry *entry = record_at(&entries, i);

        if (word_is(entry->key, "Licenses") && strcmp(entry->value, "(null)") != 0 &&
            licenses_parse(entry->value, ret, NULL) < 0)
            return false;
    }
    return true;
}

static uint32_t used_of(const char *name, const struct records *jobs)
{
    uint32_t used = 0;

    for (uint32_t i = 0; i < jobs->n; i++) {
        const struct job_record *job = ((const struct job_info *)record_at(jobs, i))->job;
        AUTO(licenses) struct licenses licenses = { 0 };

        if (!job->nodes_n || job_state_is_over(job->state) ||
            licenses_parse(job->spec->licenses, &licenses, NULL) < 0)
            continue;
        used += licenses_count(&licenses, name);
    }
    return used;
}

struct license_row {
    const char *name;
    uint32_t total, used;
};

static uint32_t unused_of(const struct license_row *row)
{
    return row->total > row->used ? row->total - row->used : 0;
}

/*
 * Writes a license: none is reserved, nor from a server elsewhere, which would have told the last
 * three members.
 */
static void add_license(struct entity_sink *sink, const void *row)
{
    const struct license_row *license = row;
    struct json_writer *json = &sink->document.json;

    json_open_object(json, NULL);
    json_add_text(json, "LicenseName", license->name);
    json_add_int(json, "Total", license->total);
    json_add_int(json, "Used", license->used);
    json_add_int(json, "Free", unused_of(license));
    json_add_bool(json, "Remote", false);
    json_add_int(json, "Reserved", 0);
    json_add_int(json, "LastConsumed", 0);
    json_add_int(json, "LastDeficit", 0);
    json_add_int(json, "LastUpdate", 0);
    json_close(json);
}

static const struct entity_kind license_kind = { "licenses", NULL, add_license, NULL };

static void print_license(struct entity_sink *sink, const struct license *license,
                          const struct records *jobs)
{
    const struct license_row row = { license->name, license->count, used_of(license->name, jobs) };

    if (entity_sink_take(sink, &row))
        return;
    printf("LicenseName=%s%sTotal=%u Used=%u Free=%u Reserved=0 Remote=no\n", row.name,
           sink->show.one_line ? " " : "\n    ", row.total, row.used, unused_of(&row));
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct license *)a)->name, ((const struct license *)b)->name);
}

void show_licenses(struct scontrol *session, const char *id)
{
    AUTO(licenses) struct licenses licenses = { 0 };
    AUTO(records) struct records jobs = { 0 };
    AUTO(job_list) struct job_list all;
    struct entity_sink sink;

    job_list_init(&all);
    if (!load_configured(session, &licenses) ||
        !session_records(session, "slurm_load_license", MSG_JOB_LIST, &all, MSG_JOB_INFO, &jobs) ||
        !entity_sink_begin(session, &license_kind, &sink))
        return;
    if (licenses.n)
        qsort(licenses.at, licenses.n, sizeof(*licenses.at), compare_names);
    for (uint32_t i = 0; i < licenses.n; i++) {
        if (!id || strcmp(id, licenses.at[i].name) == 0)
            print_license(&sink, &licenses.at[i], &jobs);
    }
    entity_sink_end(&sink);
    if (licenses.n == 0 && !sink.is_document)
        entity_say(session, "No licenses configured in Slurm.");
}
