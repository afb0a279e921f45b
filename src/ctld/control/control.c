#include "ctld/control/core.h"
#include "ctld/control/kept.h"

#include <string.h>

#include "common/text/hostlist.h"

/* What priority/basic gives the first job; each that follows gets one less. */
#define FIRST_PRIORITY UINT64_C(4294901759)

int control_new(struct model_config *config, struct control **ret_control, struct err *err)
{
    struct control *control = xcalloc(1, sizeof(*control));
    int rc = model_new(config, &control->model, err);

    if (rc < 0) {
        free(control);
        return rc;
    }
    control->planner = planner_new();
    control->next_priority = FIRST_PRIORITY;
    control->next_ms = INT64_MAX;
    control->planner_stale = true;
    bitset_init(&control->told_usable, control->model->nodes_n);
    bitset_init(&control->told_absent, control->model->nodes_n);
    control_kept_init(control);
    diag_init(&control->diag);
    *ret_control = control;
    return 0;
}

struct control *control_free(struct control *control)
{
    if (!control)
        return NULL;
    feed_free(control);
    model_free(control->model);
    rank_clear(&control->rank);
    depend_clear(&control->depend);
    questions_free(control);
    triggers_clear(&control->triggers);
    control_kept_clear(control);
    bitset_clear(&control->told_usable);
    bitset_clear(&control->told_absent);
    free(control->untold);
    diag_clear(&control->diag);
    free(control);
    return NULL;
}

uint64_t control_incarnation(const struct control *control)
{
    return control->incarnation;
}

const struct model *control_model(const struct control *control)
{
    return control->model;
}

int job_of_caller(const struct control *control, const struct caller *caller, uint32_t job_id,
                  struct job **ret_job, struct err *err)
{
    struct job *job = model_find_job(control->model, job_id);

    if (!job)
        return err_set(err, E_JOB_ID, "%s", err_string(E_JOB_ID));
    if (job->rec.uid != caller->uid && !caller->is_admin)
        return err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
    *ret_job = job;
    return 0;
}

int say_user_id(int rc, struct err *err)
{
    return rc == -E_ACCESS ? err_set(err, E_USER_ID, "%s", err_string(E_USER_ID)) : rc;
}

int model_node_set(const struct model *model, const char *hosts, struct bitset *ret,
                   struct err *err)
{
    AUTO(hostlist) struct hostlist *names = NULL;
    int rc = hostlist_parse(hosts, &names, err);

    if (rc < 0)
        return rc;
    bitset_init(ret, model->nodes_n);
    for (uint32_t i = 0; i < hostlist_count(names); i++) {
        const struct node *node = model_find_node(model, hostlist_get(names, i));

        if (!node) {
            bitset_clear(ret);
            return err_set(err, E_NODE_NAME, "Invalid node name specified: %s",
                           hostlist_get(names, i));
        }
        bitset_add(ret, node->index);
    }
    return 0;
}

int64_t moment_ms_of_wall(struct moment now, int64_t wall_s)
{
    return now.cluster_ms + (wall_s - now.wall_s) * 1000 - now.wall_part_ms;
}

int64_t moment_wall_of_ms(struct moment now, int64_t cluster_ms)
{
    const int64_t ahead_ms = cluster_ms > now.cluster_ms ? cluster_ms - now.cluster_ms : 0;

    return now.wall_s + (ahead_ms + now.wall_part_ms) / 1000;
}
