#ifdef SLUICE_PMIX

#include "noded/mpi/pmix_facts.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "noded/mpi/task_map.h"

/* A growing array of what the library calls infos. Owns strings and arrays in it. */
struct infos {
    pmix_info_t *at;
    size_t n, room;
};

static pmix_info_t *add(struct infos *infos, const char *key, pmix_data_type_t type)
{
    pmix_info_t *info;

    if (infos->n == infos->room) {
        infos->room = infos->room ? infos->room * 2 : 32;
        infos->at = xrealloc(infos->at, infos->room * sizeof(*infos->at));
    }
    info = &infos->at[infos->n++];
    memset(info, 0, sizeof(*info));
    memcpy(info->key, key, strlen(key));
    info->value.type = type;
    return info;
}

static void add_number(struct infos *infos, const char *key, uint32_t number)
{
    add(infos, key, PMIX_UINT32)->value.data.uint32 = number;
}

static void add_small(struct infos *infos, const char *key, uint32_t number)
{
    add(infos, key, PMIX_UINT16)->value.data.uint16 = (uint16_t)number;
}

static void add_rank(struct infos *infos, const char *key, uint32_t rank)
{
    add(infos, key, PMIX_PROC_RANK)->value.data.rank = rank;
}

static void add_text(struct infos *infos, const char *key, const char *text)
{
    add(infos, key, PMIX_STRING)->value.data.string = xstrdup(text);
}

/* Takes the members over. */
static void add_infos(struct infos *infos, const char *key, const struct infos *members)
{
    pmix_data_array_t *array = xcalloc(1, sizeof(*array));

    *array = (pmix_data_array_t){ .type = PMIX_INFO, .size = members->n, .array = members->at };
    add(infos, key, PMIX_DATA_ARRAY)->value.data.darray = array;
}

static void clear(pmix_info_t *at, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pmix_value_t *value = &at[i].value;

        if (value->type == PMIX_STRING)
            free(value->data.string);
        if (value->type != PMIX_DATA_ARRAY)
            continue;
        clear(value->data.darray->array, value->data.darray->size);
        free(value->data.darray);
    }
    free(at);
}

static void add_task(struct infos *infos, const struct pmix_facts_of *of, uint32_t node,
                     uint32_t local)
{
    const uint32_t rank = of->body->nodes[node].tasks[local];
    struct infos task = { 0 };

    add_rank(&task, PMIX_RANK, rank);
    add_number(&task, PMIX_APPNUM, 0);
    add_rank(&task, PMIX_GLOBAL_RANK, rank);
    add_small(&task, PMIX_LOCAL_RANK, local);
    add_small(&task, PMIX_NODE_RANK, local);
    add_number(&task, PMIX_NODEID, node);
    add_text(&task, PMIX_HOSTNAME, of->body->nodes[node].name);
    if (node == of->node_index) {
        AUTO_FREE char *dir = xasprintf("%s/%u", of->dir, rank);

        add_text(&task, PMIX_PROCDIR, dir);
    }
    add_infos(infos, PMIX_PROC_DATA, &task);
}

static void add_ranks(const struct step_node *node, struct strbuf *out)
{
    for (uint32_t i = 0; i < node->tasks_n; i++)
        strbuf_addf(out, "%s%u", i ? "," : "", node->tasks[i]);
}

/* Adds which nodes there are, and which tasks on each, in the library's own short form. */
static int add_maps(struct infos *infos, const struct pmix_facts_of *of)
{
    AUTO(strbuf) struct strbuf names = { 0 };
    AUTO(strbuf) struct strbuf ranks = { 0 };
    char *node_map = NULL, *task_map = NULL;
    pmix_status_t rc;

    for (uint32_t i = 0; i < of->body->nodes_n; i++) {
        strbuf_addf(&names, "%s%s", i ? "," : "", of->body->nodes[i].name);
        strbuf_adds(&ranks, i ? ";" : "");
        add_ranks(&of->body->nodes[i], &ranks);
    }
    rc = of->lib->PMIx_generate_regex(strbuf_text(&names), &node_map);
    if (rc == PMIX_SUCCESS)
        rc = of->lib->PMIx_generate_ppn(strbuf_text(&ranks), &task_map);
    if (rc == PMIX_SUCCESS) {
        add_text(infos, PMIX_NODE_MAP, node_map);
        add_text(infos, PMIX_PROC_MAP, task_map);
    }
    free(node_map);
    free(task_map);
    return rc;
}

static int add_step(struct infos *infos, const struct pmix_facts_of *of)
{
    const struct launch_body *body = of->body;
    const struct step_node *here = &body->nodes[of->node_index];
    AUTO(strbuf) struct strbuf peers = { 0 };
    AUTO_FREE char *job = xasprintf("%u.%u", body->job_id, body->step_id);

    add_ranks(here, &peers);
    add_text(infos, PMIX_JOBID, job);
    add_number(infos, PMIX_UNIV_SIZE, body->ntasks);
    add_number(infos, PMIX_MAX_PROCS, body->ntasks);
    add_number(infos, PMIX_JOB_SIZE, body->ntasks);
    add_number(infos, PMIX_APP_SIZE, body->ntasks);
    add_number(infos, PMIX_JOB_NUM_APPS, 1);
    add_number(infos, PMIX_NUM_NODES, body->nodes_n);
    add_number(infos, PMIX_LOCAL_SIZE, here->tasks_n);
    add_number(infos, PMIX_NODE_SIZE, here->tasks_n);
    add_number(infos, PMIX_NODEID, of->node_index);
    add_text(infos, PMIX_LOCAL_PEERS, strbuf_text(&peers));
    add_rank(infos, PMIX_LOCALLDR, here->tasks[0]);
    add_rank(infos, PMIX_APPLDR, 0);
    add_text(infos, PMIX_TMPDIR, of->dir);
    add_text(infos, PMIX_NSDIR, of->dir);
    return add_maps(infos, of);
}

static int register_tasks(const struct pmix_facts_of *of)
{
    const struct step_node *here = &of->body->nodes[of->node_index];
    pmix_status_t rc = PMIX_SUCCESS;

    for (uint32_t i = 0; i < here->tasks_n && rc == PMIX_SUCCESS; i++) {
        pmix_proc_t task = { .rank = here->tasks[i] };

        memcpy(task.nspace, of->nspace, strlen(of->nspace));
        rc = of->lib->PMIx_server_register_client(&task, getuid(), getgid(), NULL, NULL, NULL);
        if (rc == PMIX_OPERATION_SUCCEEDED)
            rc = PMIX_SUCCESS;
    }
    return rc;
}

int pmix_facts_register(const struct pmix_facts_of *of, struct err *err)
{
    const struct launch_body *body = of->body;
    pmix_nspace_t nspace = { 0 };
    struct infos infos = { 0 };
    pmix_status_t rc = add_step(&infos, of);

    for (uint32_t i = 0; i < body->nodes_n; i++) {
        for (uint32_t k = 0; k < body->nodes[i].tasks_n; k++)
            add_task(&infos, of, i, k);
    }
    memcpy(nspace, of->nspace, strlen(of->nspace));
    if (rc == PMIX_SUCCESS)
        rc = of->lib->PMIx_server_register_nspace(nspace, (int)body->nodes[of->node_index].tasks_n,
                                                  infos.at, infos.n, NULL, NULL);
    clear(infos.at, infos.n);
    if (rc == PMIX_SUCCESS || rc == PMIX_OPERATION_SUCCEEDED)
        rc = register_tasks(of);
    if (rc == PMIX_SUCCESS)
        return 0;
    return err_set(err, ENOTSUP, "--mpi=pmix: libpmix takes no tasks: %s",
                   of->lib->PMIx_Error_string(rc));
}

#else
typedef int pmix_facts_are_not_built;
#endif
