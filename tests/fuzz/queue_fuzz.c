/*
 * A saved queue from outside: it is read, and each job of it becomes options of sbatch, and units
 * with dependencies, without a controller. The bytes are read as columns of squeue and an answer of
 * sacct, too.
 */
#include <stdint.h>

#include "cli/import/queue/old.h"
#include "cli/import/queue/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_texts(const uint8_t *data, size_t size)
{
    AUTO_FREE char *text = xstrndup((const char *)data, size);
    AUTO(saved) struct saved saved = { 0 };
    AUTO(strbuf) struct strbuf environment = { 0 };

    (void)old_read_rows(text, &saved, NULL);
    old_read_environment(text, &environment);
}

static void make_options(const struct unit *unit)
{
    AUTO(submit_options) struct submit_options options;

    submit_options_init(&options, SUBMIT_SBATCH);
    (void)wish_options(&unit->wish, unit->jobs[0], 0, &options, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(saved) struct saved saved = { 0 };
    AUTO(units) struct units units = { 0 };

    read_texts(data, size);
    if (saved_parse("fuzz", data, size, &saved, NULL) < 0)
        return 0;
    units_make(&saved, &units);
    for (uint32_t i = 0; i < units.n; i++) {
        if (units.at[i].state == UNIT_STAYS)
            continue;
        units.at[i].job_id = i % 2;
        (void)units_map_dependency(&units, &units.at[i]);
        make_options(&units.at[i]);
    }
    return 0;
}
