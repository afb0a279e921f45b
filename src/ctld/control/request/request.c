#include "ctld/control/request/request.h"

#include "common/text/hostlist.h"
#include "common/text/licenses.h"
#include "common/text/words.h"
#include "ctld/control/request/spec.h"

/* Notes the first thing of the request that cannot be read. */
static void note_unreadable(struct job_request *request, int rc, const struct err *why)
{
    if (rc < 0 && !request->unreadable)
        request->unreadable = xstrdup(why->text);
}

static void read_gres(const struct model *model, const char *text, struct gres_list *ret,
                      struct job_request *request)
{
    struct err why = { 0 };

    note_unreadable(request, spec_read_gres(model, text, ret, &why), &why);
}

/* Reads licenses, which need not be there: the job waits for them as for others, as in Slurm. */
static void read_licenses(const struct job_spec *spec, struct job_request *request)
{
    struct err why = { 0 };

    note_unreadable(request, licenses_parse(spec->licenses, &request->licenses, &why), &why);
}

static void read_nodes(const struct model *model, const struct job_spec *spec,
                       struct job_request *request)
{
    struct err why = { 0 };

    if (spec->req_nodes)
        note_unreadable(request, model_node_set(model, spec->req_nodes, &request->required, &why),
                        &why);
    if (spec->exc_nodes)
        note_unreadable(request,
                        model_known_nodes(model, spec->exc_nodes, &request->excluded, &why), &why);
}

/* Reads --distribution=arbitrary: a node gets a task for each time that it is named. */
static void read_listed(const struct model *model, const struct job_spec *spec,
                        struct job_request *request)
{
    AUTO(hostlist) struct hostlist *names = NULL;
    AUTO_FREE uint32_t *tasks = NULL;

    if (spec->dist_nodes != DIST_ARBITRARY || request->required.size == 0 ||
        hostlist_parse(spec->req_nodes, &names, NULL) < 0)
        return;
    tasks = xcalloc(model->nodes_n, sizeof(*tasks));
    for (uint32_t i = 0; i < hostlist_count(names); i++)
        tasks[model_find_node(model, hostlist_get(names, i))->index]++;
    BITSET_FOREACH (&request->required, node)
        *ARRAY_PUSH(request->listed, request->listed_n) = tasks[node];
}

/* Reads the spec's other candidates, without those that would let the job wait. */
static void read_partitions(const struct model *model, const struct job_spec *spec,
                            uint32_t partition, struct job_request *request)
{
    AUTO(words) struct words names = words_split(spec->partition ? spec->partition : "", ",");

    for (uint32_t i = 0; i < names.n; i++) {
        const struct partition *other = model_find_partition(model, names.at[i]);

        if (other && other->index != partition && spec_waits_for(model, spec, other) == REASON_NONE)
            *ARRAY_PUSH(request->others, request->others_n) = other->index;
    }
    if (partition != PARTITION_NONE)
        request->waits_for = spec_waits_for(model, spec, &model->partitions[partition]);
}

void request_read(const struct model *model, const struct job_spec *spec, uint32_t partition,
                  struct job_request *ret)
{
    job_request_clear(ret);
    read_gres(model, spec->tres_per_node, &ret->per_node, ret);
    read_gres(model, spec->tres_per_job, &ret->per_job, ret);
    read_gres(model, spec->tres_per_socket, &ret->per_socket, ret);
    read_gres(model, spec->tres_per_task, &ret->per_task, ret);
    read_licenses(spec, ret);
    read_nodes(model, spec, ret);
    read_listed(model, spec, ret);
    read_partitions(model, spec, partition, ret);
}

void job_read_request(const struct model *model, struct job *job)
{
    request_read(model, job->rec.spec, job->partition, &job->request);
}
