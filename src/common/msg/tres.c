#include "common/msg/tres.h"

#include <string.h>

#include "common/text/licenses.h"
#include "common/text/size.h"
#include "common/text/words.h"

#define GRES_PREFIX    "gres/"
#define LICENSE_PREFIX "license/"

void tres_auto_(struct tres *tres)
{
    gres_clear(&tres->gres);
}

static bool is_count(uint32_t count)
{
    return count != COUNT_UNSET && count != COUNT_INFINITE;
}

/* ---- generic resources ---- */

/*
 * Adds what the text asks for, `times` times. Resources that are in the list already keep their
 * counts.
 */
static void add_asked(struct gres_list *list, const char *text, uint64_t times)
{
    AUTO(gres) struct gres_list asked = { 0 };
    const uint32_t before_n = list->n;

    if (!text || gres_parse(text, &asked, NULL) < 0)
        return;
    for (uint32_t i = 0; i < asked.n; i++) {
        const struct gres *gres = &asked.at[i];
        bool is_told = false;

        for (uint32_t j = 0; j < before_n; j++)
            is_told |= strcmp(list->at[j].name, gres->name) == 0;
        if (!is_told && gres->count <= GRES_COUNT_MAX / (times ? times : 1))
            gres_add(list, gres->name, gres->type, gres->count * times);
    }
}

static void add_requested(const struct job_record *job, struct tres *tres)
{
    const struct job_spec *spec = job->spec;
    const uint64_t sockets = is_count(spec->sockets_per_node) ? spec->sockets_per_node : 1;

    add_asked(&tres->gres, spec->tres_per_job, 1);
    add_asked(&tres->gres, spec->tres_per_node, tres->nodes);
    add_asked(&tres->gres, spec->tres_per_socket, tres->nodes * sockets);
    add_asked(&tres->gres, spec->tres_per_task, job->ntasks);
}

static void add_held(const struct job_gres *gres, uint32_t n, struct tres *tres)
{
    for (uint32_t i = 0; i < n; i++)
        gres_add(&tres->gres, gres[i].name, gres[i].type, gres[i].count);
}

/* Leaves out what stands in brackets, which tells where resources are. */
void tres_add_gres(struct tres *tres, const char *text)
{
    AUTO(strbuf) struct strbuf plain = { 0 };
    AUTO(gres) struct gres_list list = { 0 };
    uint32_t depth = 0;

    for (; text && *text; text++) {
        depth += *text == '(';
        if (depth == 0)
            strbuf_addc(&plain, *text);
        depth -= *text == ')' && depth > 0;
    }
    if (gres_parse(strbuf_text(&plain), &list, NULL) == 0)
        gres_add_list(&tres->gres, &list);
}

struct gres_list tres_counted(const struct tres *tres, const char *counted)
{
    AUTO(words) struct words names = { 0 };
    struct gres_list list = { 0 };

    if (!counted || !strstr(counted, GRES_PREFIX))
        return list;
    names = words_split(counted, ",");
    for (uint32_t i = 0; i < names.n; i++) {
        const char *name;
        char *type;

        if (!word_starts(names.at[i], GRES_PREFIX, &name))
            continue;
        type = strchr(name, ':');
        if (type)
            *type++ = '\0';
        gres_add(&list, name, type, gres_count(&tres->gres, name, type));
    }
    return list;
}

/* ---- of a job, of a step ---- */

/* Returns the units that are billed. Without weights each cpu is one unit. */
static uint64_t units_billed(uint32_t told, uint32_t cpus)
{
    return is_count(told) ? told : cpus;
}

struct tres tres_requested(const struct job_record *job)
{
    const struct job_spec *spec = job->spec;
    struct tres tres = { .cpus = job->ncpus,
                         .mem_mb = MB_UNSET,
                         .billing = units_billed(job->billing_asked, job->ncpus),
                         .licenses = spec->licenses };

    tres.nodes = is_count(spec->min_nodes) && spec->min_nodes ? spec->min_nodes : 1;
    if (spec->mem_per_node != MB_UNSET)
        tres.mem_mb = spec->mem_per_node * tres.nodes;
    else if (spec->mem_per_cpu != MB_UNSET)
        tres.mem_mb = spec->mem_per_cpu * tres.cpus;
    add_requested(job, &tres);
    if (tres.mem_mb == MB_UNSET && spec->mem_per_gpu != MB_UNSET)
        tres.mem_mb = spec->mem_per_gpu * gres_count(&tres.gres, "gpu", NULL);
    return tres;
}

struct tres tres_allocated(const struct job_record *job)
{
    struct tres tres = { .mem_mb = MB_UNSET, .nodes = job->nodes_n };

    if (!job->nodes_n)
        return tres;
    tres.cpus = job->ncpus;
    tres.licenses = job->spec->licenses;
    tres.billing = units_billed(job->billing, job->ncpus);
    for (uint32_t i = 0; i < job->nodes_n; i++) {
        if (job->nodes[i].memory != MB_UNSET)
            tres.mem_mb = (tres.mem_mb == MB_UNSET ? 0 : tres.mem_mb) + job->nodes[i].memory;
        add_held(job->nodes[i].gres, job->nodes[i].gres_n, &tres);
    }
    return tres;
}

struct tres tres_of_step(const struct step_record *step)
{
    struct tres tres = { .cpus = step->ncpus, .mem_mb = MB_UNSET, .nodes = step->nodes_n };

    for (uint32_t i = 0; i < step->nodes_n; i++) {
        if (step->nodes[i].memory != MB_UNSET)
            tres.mem_mb = (tres.mem_mb == MB_UNSET ? 0 : tres.mem_mb) + step->nodes[i].memory;
        add_held(step->nodes[i].gres, step->nodes[i].gres_n, &tres);
    }
    return tres;
}

/* ---- one of them ---- */

static uint64_t gres_amount(const struct gres_list *list, const char *name)
{
    AUTO(words) struct words parts = words_split(name, ":");

    return parts.n ? gres_count(list, parts.at[0], parts.n > 1 ? parts.at[1] : NULL) : 0;
}

static uint64_t license_amount(const char *licenses, const char *name)
{
    AUTO(licenses) struct licenses list = { 0 };

    return licenses_parse(licenses, &list, NULL) == 0 ? licenses_count(&list, name) : 0;
}

uint64_t tres_amount(const struct tres *tres, const char *name)
{
    const char *rest;

    if (word_is(name, "cpu"))
        return tres->cpus;
    if (word_is(name, "mem"))
        return tres->mem_mb == MB_UNSET ? 0 : tres->mem_mb;
    if (word_is(name, "node"))
        return tres->nodes;
    if (word_is(name, "billing"))
        return tres->billing;
    if (word_starts(name, GRES_PREFIX, &rest))
        return gres_amount(&tres->gres, rest);
    if (word_starts(name, LICENSE_PREFIX, &rest))
        return license_amount(tres->licenses, rest);
    return 0;
}

/* ---- all of them ---- */

/* Adds to the list unless the name is in it. Takes over the name. */
static void list_amount(struct acct_amount **list, uint32_t *n, char *name, uint64_t count)
{
    struct acct_amount *amount;

    for (uint32_t i = 0; i < *n; i++) {
        if (strcmp((*list)[i].tres, name) == 0) {
            free(name);
            return;
        }
    }
    amount = ARRAY_PUSH(*list, *n);
    acct_amount_init(amount);
    amount->tres = name;
    amount->amount = count;
}

void tres_list_more(const struct tres *tres, struct acct_amount **list, uint32_t *n)
{
    AUTO(licenses) struct licenses licenses = { 0 };

    for (uint32_t i = 0; i < tres->gres.n; i++) {
        const struct gres *gres = &tres->gres.at[i];

        list_amount(list, n, xasprintf(GRES_PREFIX "%s", gres->name),
                    gres_count(&tres->gres, gres->name, NULL));
        if (gres->type)
            list_amount(list, n, xasprintf(GRES_PREFIX "%s:%s", gres->name, gres->type),
                        gres->count);
    }
    if (!tres->licenses || licenses_parse(tres->licenses, &licenses, NULL) < 0)
        return;
    for (uint32_t i = 0; i < licenses.n; i++)
        list_amount(list, n, xasprintf(LICENSE_PREFIX "%s", licenses.at[i].name),
                    licenses.at[i].count);
}

/* ---- as text ---- */

static void add(const char *name, uint64_t amount, size_t begin, struct strbuf *out)
{
    if (!amount)
        return;
    strbuf_adds(out, out->len > begin ? "," : "");
    strbuf_adds(out, name);
    strbuf_addc(out, '=');
    strbuf_addu(out, amount);
}

static void add_memory(uint64_t mb, size_t begin, struct strbuf *out)
{
    if (mb == 0 || mb == MB_UNSET)
        return;
    strbuf_addf(out, "%smem=", out->len > begin ? "," : "");
    size_format_mb(out, mb);
}

static void add_gres(const struct tres *tres, const char *counted, size_t begin, struct strbuf *out)
{
    AUTO(gres) struct gres_list list = tres_counted(tres, counted);

    for (uint32_t i = 0; i < list.n; i++) {
        const struct gres *gres = &list.at[i];
        AUTO_FREE char *name = xasprintf(GRES_PREFIX "%s%s%s", gres->name, gres->type ? ":" : "",
                                         gres->type ? gres->type : "");

        add(name, gres->count, begin, out);
    }
}

/* Appends the licenses that AccountingStorageTRES names, as "license/matlab". */
static void add_licenses(const struct tres *tres, const char *counted, size_t begin,
                         struct strbuf *out)
{
    AUTO(licenses) struct licenses licenses = { 0 };
    AUTO(words) struct words names = { 0 };

    if (!tres->licenses || !counted || !strstr(counted, LICENSE_PREFIX) ||
        licenses_parse(tres->licenses, &licenses, NULL) < 0)
        return;
    names = words_split(counted, ",");
    for (uint32_t i = 0; i < names.n; i++) {
        const char *name;

        if (word_starts(names.at[i], LICENSE_PREFIX, &name))
            add(names.at[i], licenses_count(&licenses, name), begin, out);
    }
}

void tres_format(const struct tres *tres, const char *counted, struct strbuf *out)
{
    size_t begin = out->len;

    add("cpu", tres->cpus, begin, out);
    add_memory(tres->mem_mb, begin, out);
    add("node", tres->nodes, begin, out);
    add("billing", tres->billing, begin, out);
    add_gres(tres, counted, begin, out);
    add_licenses(tres, counted, begin, out);
}

void tres_format_by_name(const struct tres *tres, const char *counted, const char *memory,
                         struct strbuf *out)
{
    size_t begin = out->len;

    add("billing", tres->billing, begin, out);
    add("cpu", tres->cpus, begin, out);
    add_gres(tres, counted, begin, out);
    add_licenses(tres, counted, begin, out);
    if (memory && *memory)
        strbuf_addf(out, "%smem=%s", out->len > begin ? "," : "", memory);
    add("node", tres->nodes, begin, out);
}
