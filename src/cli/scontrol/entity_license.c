/* entity_license.c - scontrol show licenses. */
#include <stdio.h>
#include <string.h>

#include "cli/scontrol/entities.h"
#include "common/msg/types.h"
#include "common/text/licenses.h"
#include "common/text/words.h"

/* Licenses= as the controller has it, which is not always what this host's file says. */
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

static void print_license(const struct scontrol *session, const struct license *license,
                          const struct records *jobs)
{
    const uint32_t used = used_of(license->name, jobs);
    const uint32_t unused = license->count > used ? license->count - used : 0;

    printf("LicenseName=%s%sTotal=%u Used=%u Free=%u Reserved=0 Remote=no\n", license->name,
           session->options.one_line ? " " : "\n    ", license->count, used, unused);
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

    job_list_init(&all);
    if (!load_configured(session, &licenses) ||
        !session_records(session, "slurm_load_license", MSG_JOB_LIST, &all, MSG_JOB_INFO, &jobs))
        return;
    if (licenses.n == 0) {
        entity_say(session, "No licenses configured in Slurm.");
        return;
    }
    qsort(licenses.at, licenses.n, sizeof(*licenses.at), compare_names);
    for (uint32_t i = 0; i < licenses.n; i++) {
        if (!id || strcmp(id, licenses.at[i].name) == 0)
            print_license(session, &licenses.at[i], &jobs);
    }
}
