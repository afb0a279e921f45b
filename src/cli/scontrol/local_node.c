#include "cli/scontrol/local_node.h"

#include <string.h>
#include <unistd.h>

const struct conf_node *local_node_find(struct scontrol *session, const char *name)
{
    const struct slurm_conf *conf = session->command.cli.conf;
    char host[256] = "";

    if (!name)
        name = getenv("SLURMD_NODENAME");
    if (name)
        return slurm_conf_find_node(conf, name);
    (void)gethostname(host, sizeof(host) - 1);
    AUTO_FREE char *brief = xstrndup(host, strcspn(host, "."));
    for (uint32_t i = 0; i < conf->nodes_n; i++) {
        if (strcmp(conf->nodes[i].hostname, brief) == 0 ||
            strcmp(conf->nodes[i].hostname, host) == 0)
            return &conf->nodes[i];
    }
    return NULL;
}

static int compare_steps(const void *a, const void *b)
{
    const struct node_step *one = a, *other = b;

    if (one->job_id != other->job_id)
        return one->job_id < other->job_id ? -1 : 1;
    return (one->step_id > other->step_id) - (one->step_id < other->step_id);
}

bool local_node_ask(struct scontrol *session, const struct conf_node *node, struct sight *ret,
                    struct err *err)
{
    *ret = (struct sight){ .node = node->name,
                           .host = node->addr,
                           .port = (uint16_t)node->port,
                           .preface = { .target = RPC_TARGET_NODE },
                           .uid = session->command.cli.slurm_uid };
    sights_load(session->command.cli.conf, ret, 1);
    if (ret->info.steps_n)
        qsort(ret->info.steps, ret->info.steps_n, sizeof(*ret->info.steps), compare_steps);
    *err = ret->why;
    return ret->why.code == 0;
}

static uint32_t keep_answered(struct sight *steps, uint32_t n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct sight step = steps[i];

        if (step.why.code) {
            sights_clear(&step, 1);
            continue;
        }
        steps[kept++] = step;
    }
    return kept;
}

uint32_t local_node_steps(struct scontrol *session, const struct sight *node,
                          step_wanted_fn *wanted, const void *ctx, struct sight **ret_steps)
{
    const bool sees_all = geteuid() == 0 || geteuid() == session->command.cli.slurm_uid;
    struct sight *steps = NULL;
    uint32_t n = 0;

    for (uint32_t i = 0; i < node->info.steps_n; i++) {
        const struct node_step *it = &node->info.steps[i];

        if (wanted && !wanted(it, ctx))
            continue;
        *ARRAY_PUSH(steps, n) = (struct sight){
            .node = node->node,
            .host = node->host,
            .port = node->port,
            .preface = { RPC_TARGET_STEP, it->job_id, it->step_id },
            .uid = sees_all ? (uint32_t)-1 : geteuid(),
        };
    }
    sights_load(session->command.cli.conf, steps, n);
    *ret_steps = steps;
    return keep_answered(steps, n);
}
