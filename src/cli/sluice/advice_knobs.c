#include "cli/sluice/advice_knobs.h"

#include <inttypes.h>
#include <string.h>

#include "common/text/duration.h"
#include "common/text/gres.h"
#include "common/text/licenses.h"

#define MINUTES_MAX (7 * 24 * 60)

static bool read_minutes(const struct job_spec *asked, uint64_t *ret)
{
    *ret = asked->time_limit < 0 ? MINUTES_MAX : (uint64_t)duration_minutes(asked->time_limit);
    return true;
}

static void write_minutes(const struct job_spec *asked, uint64_t amount, struct job_spec *spec)
{
    (void)asked;
    spec->time_limit = (int64_t)amount * 60;
}

static void show_minutes(const struct job_spec *asked, uint64_t amount, struct strbuf *out)
{
    (void)asked;
    duration_format(out, (int64_t)amount * 60);
}

/* Reads the nodes; with more tasks than nodes, fewer nodes alone would change nothing. */
static bool read_nodes(const struct job_spec *asked, uint64_t *ret)
{
    *ret = asked->min_nodes;
    return asked->min_nodes != COUNT_UNSET && (asked->ntasks == COUNT_UNSET || asked->ntasks <= 1);
}

static void write_nodes(const struct job_spec *asked, uint64_t amount, struct job_spec *spec)
{
    (void)asked;
    spec->min_nodes = spec->max_nodes = (uint32_t)amount;
}

static bool read_tasks(const struct job_spec *asked, uint64_t *ret)
{
    *ret = asked->ntasks;
    return asked->ntasks != COUNT_UNSET;
}

/* Writes the tasks; fewer tasks than nodes means fewer nodes, as sbatch reads it. */
static void write_tasks(const struct job_spec *asked, uint64_t amount, struct job_spec *spec)
{
    const bool few = asked->min_nodes != COUNT_UNSET && asked->min_nodes > amount;

    spec->ntasks = (uint32_t)amount;
    spec->min_nodes = few ? (uint32_t)amount : asked->min_nodes;
}

static bool read_cpus(const struct job_spec *asked, uint64_t *ret)
{
    *ret = asked->cpus_per_task;
    return asked->cpus_per_task != COUNT_UNSET;
}

static void write_cpus(const struct job_spec *asked, uint64_t amount, struct job_spec *spec)
{
    (void)asked;
    spec->cpus_per_task = (uint32_t)amount;
}

static bool read_memory(const struct job_spec *asked, uint64_t *ret)
{
    *ret = asked->mem_per_node;
    return asked->mem_per_node != MB_UNSET && asked->mem_per_node > 0;
}

static void write_memory(const struct job_spec *asked, uint64_t amount, struct job_spec *spec)
{
    (void)asked;
    spec->mem_per_node = amount;
}

static bool read_cpu_memory(const struct job_spec *asked, uint64_t *ret)
{
    *ret = asked->mem_per_cpu;
    return asked->mem_per_cpu != MB_UNSET;
}

static void write_cpu_memory(const struct job_spec *asked, uint64_t amount, struct job_spec *spec)
{
    (void)asked;
    spec->mem_per_cpu = amount;
}

static void show_number(const struct job_spec *asked, uint64_t amount, struct strbuf *out)
{
    (void)asked;
    strbuf_addu(out, amount);
}

static void show_mb(const struct job_spec *asked, uint64_t amount, struct strbuf *out)
{
    (void)asked;
    strbuf_addf(out, "%" PRIu64 "M", amount);
}

/* Reads the count of a text like "gres/gpu:a100:2", only where it names one resource; gres_with
   makes that text anew with `amount` of it. */
static bool read_gres(const char *text, uint64_t *ret)
{
    AUTO(gres) struct gres_list list = { 0 };

    if (!text || gres_parse(text, &list, NULL) < 0 || list.n != 1)
        return false;
    *ret = list.at[0].count;
    return true;
}

static char *gres_with(const char *text, uint64_t amount)
{
    AUTO(gres) struct gres_list list = { 0 };

    if (gres_parse(text, &list, NULL) == 0)
        list.at[0].count = amount;
    return gres_format(&list);
}

static bool read_node_gres(const struct job_spec *asked, uint64_t *ret)
{
    return read_gres(asked->tres_per_node, ret);
}

static void write_node_gres(const struct job_spec *asked, uint64_t amount, struct job_spec *spec)
{
    free(spec->tres_per_node);
    spec->tres_per_node = gres_with(asked->tres_per_node, amount);
}

static void show_node_gres(const struct job_spec *asked, uint64_t amount, struct strbuf *out)
{
    static const char kind[] = "gres/";
    AUTO_FREE char *with = gres_with(asked->tres_per_node, amount);

    strbuf_adds(out, strncmp(with, kind, strlen(kind)) == 0 ? with + strlen(kind) : with);
}

static bool read_gpus(const struct job_spec *asked, uint64_t *ret)
{
    return read_gres(asked->tres_per_job, ret);
}

static void write_gpus(const struct job_spec *asked, uint64_t amount, struct job_spec *spec)
{
    free(spec->tres_per_job);
    spec->tres_per_job = gres_with(asked->tres_per_job, amount);
}

/* Appends "a100:2", or "2". */
static void show_gpus(const struct job_spec *asked, uint64_t amount, struct strbuf *out)
{
    static const char kind[] = "gres/gpu:";
    AUTO_FREE char *with = gres_with(asked->tres_per_job, amount);

    strbuf_adds(out, strncmp(with, kind, strlen(kind)) == 0 ? with + strlen(kind) : with);
}

/* Reads licences of one kind only, as of the others none is too many. */
static bool read_licenses(const struct job_spec *asked, uint64_t *ret)
{
    AUTO(licenses) struct licenses list = { 0 };

    if (!asked->licenses || licenses_parse(asked->licenses, &list, NULL) < 0 || list.n != 1)
        return false;
    *ret = list.at[0].count;
    return true;
}

static void show_licenses(const struct job_spec *asked, uint64_t amount, struct strbuf *out)
{
    AUTO(licenses) struct licenses list = { 0 };

    if (licenses_parse(asked->licenses, &list, NULL) == 0)
        strbuf_addf(out, "%s:%" PRIu64, list.at[0].name, amount);
}

static void write_licenses(const struct job_spec *asked, uint64_t amount, struct job_spec *spec)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    show_licenses(asked, amount, &text);
    xstrset(&spec->licenses, strbuf_text(&text));
}

/* Reads the nodes, each with as many tasks as now. */
static bool read_width(const struct job_spec *asked, uint64_t *ret)
{
    *ret = asked->min_nodes;
    return asked->min_nodes != COUNT_UNSET && asked->min_nodes > 1 &&
           asked->ntasks != COUNT_UNSET && asked->ntasks > 1;
}

static uint32_t tasks_of_width(const struct job_spec *asked, uint64_t amount)
{
    return (uint32_t)((amount * asked->ntasks + asked->min_nodes - 1) / asked->min_nodes);
}

static void write_width(const struct job_spec *asked, uint64_t amount, struct job_spec *spec)
{
    spec->min_nodes = spec->max_nodes = (uint32_t)amount;
    spec->ntasks = tasks_of_width(asked, amount);
}

static void show_width(const struct job_spec *asked, uint64_t amount, struct strbuf *out)
{
    strbuf_addf(out, "%" PRIu64 " --ntasks=%" PRIu32, amount, tasks_of_width(asked, amount));
}

/* Reads the tasks on one node; on several nodes they change with these. */
static bool read_tasks_of_one(const struct job_spec *asked, uint64_t *ret)
{
    uint64_t nodes;

    return !read_width(asked, &nodes) && read_tasks(asked, ret);
}

enum { TIME, NODES, TASKS, CPUS, MEMORY, CPU_MEMORY, GRES, GPUS, LICENSES, KNOBS_N };

static const struct knob knobs[KNOBS_N + 1] = {
    [TIME] = { "--time", read_minutes, write_minutes, show_minutes, true },
    [NODES] = { "--nodes", read_nodes, write_nodes, show_number, false },
    [TASKS] = { "--ntasks", read_tasks, write_tasks, show_number, false },
    [CPUS] = { "--cpus-per-task", read_cpus, write_cpus, show_number, false },
    [MEMORY] = { "--mem", read_memory, write_memory, show_mb, false },
    [CPU_MEMORY] = { "--mem-per-cpu", read_cpu_memory, write_cpu_memory, show_mb, false },
    [GRES] = { "--gres", read_node_gres, write_node_gres, show_node_gres, false },
    [GPUS] = { "--gpus", read_gpus, write_gpus, show_gpus, false },
    [LICENSES] = { "--licenses", read_licenses, write_licenses, show_licenses, false },
};

static const struct knob width = { "--nodes", read_width, write_width, show_width, false };
static const struct knob tasks_of_one = { "--ntasks", read_tasks_of_one, write_tasks, show_number,
                                          false };

static const struct knob *const together[] = {
    &knobs[LICENSES], &knobs[GPUS], &knobs[GRES],  &knobs[CPU_MEMORY], &knobs[MEMORY], &knobs[CPUS],
    &tasks_of_one,    &width,       &knobs[NODES], &knobs[TIME],       NULL,
};

const struct knob *advice_knobs(void)
{
    return knobs;
}

const struct knob *const *advice_knobs_together(void)
{
    return together;
}
