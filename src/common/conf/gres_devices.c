/*
 * Deals the generic resources that Gres= of slurm.conf gives a node out over the lines of
 * gres.conf.
 */
#include <errno.h>
#include <string.h>

#include "common/conf/beside.h"
#include "common/conf/gres_lines.h"

/* The devices of one node, while Gres= of slurm.conf is dealt out over the lines. */
struct deal {
    struct gres_reader *reader;
    struct conf_node *node;
    uint32_t gpu_env;      /* where no flag says it */
    struct gres_list left; /* what Gres= says and no line has given yet */
};

static bool wants(const struct gres *want, const struct gres_line *line, bool same_type)
{
    if (want->count == 0 || strcmp(want->name, line->name) != 0)
        return false;
    if (!same_type)
        return !want->type || !line->type;
    return want->type && line->type ? strcmp(want->type, line->type) == 0
                                    : want->type == line->type;
}

/* Finds the resource that a line serves: first its own type, then any if one side names no type. */
static struct gres *find_want(struct deal *deal, const struct gres_line *line)
{
    for (int same = 1; same >= 0; same--)
        for (uint32_t i = 0; i < deal->left.n; i++)
            if (wants(&deal->left.at[i], line, same))
                return &deal->left.at[i];
    return NULL;
}

static int check_cores(const struct deal *deal, const struct gres_line *line, struct err *err)
{
    const uint32_t cores = deal->node->sockets * deal->node->cores_per_socket;

    for (uint32_t i = 0; i < line->cores.n; i++)
        if (line->cores.at[i] >= cores)
            return conf_err(err, ERANGE, line->at, "Cores=%.80s: node %s has cores 0 to %u",
                            line->cores_text, deal->node->name, cores - 1);
    return 0;
}

/*
 * Returns whether the node looks for a device by itself, as it may for gpus that gres.conf does not
 * describe.
 */
static bool is_found(const struct conf_node *node, const struct conf_device *device)
{
    return node->gpu_detect != CONF_GPU_DETECT_OFF && strcmp(device->name, "gpu") == 0;
}

static void give(struct deal *deal, const struct gres_line *line, struct gres *want, uint64_t from,
                 uint64_t count)
{
    struct conf_device *device = ARRAY_PUSH(deal->node->devices, deal->node->devices_n);

    *device = (struct conf_device){
        .name = xstrdup(line->name),
        .type = xstrdup(line->type ? line->type : want->type),
        .count = count,
        .cores = xmemdup(line->cores.at, line->cores.n * sizeof(*line->cores.at)),
        .cores_n = line->cores.n,
        .gpu_env = line->env_said ? line->gpu_env : deal->gpu_env,
    };
    want->count -= count;
    device->found = is_found(deal->node, device) && line->files_n == 0 && line->cores.n == 0;
    if (gres_line_is_shared(line))
        return;
    for (uint64_t i = from; i < from + count && i < line->files_n; i++)
        *ARRAY_PUSH(device->files, device->files_n) = xstrdup(line->files[i]);
}

static int deal_line(struct deal *deal, const struct gres_line *line, struct err *err)
{
    uint64_t given = 0;
    int rc = check_cores(deal, line, err);

    while (rc == 0 && given < line->count) {
        struct gres *want = find_want(deal, line);
        uint64_t count;

        if (!want)
            break;
        count = want->count < line->count - given ? want->count : line->count - given;
        give(deal, line, want, given, count);
        given += count;
    }
    if (rc == 0 && given < line->count && line->nodes)
        conf_notes_add(deal->reader->loader->notes, CONF_NOTE_VALUE, line->at,
                       "node %s: %llu of these %s are more than Gres= of slurm.conf says, and left "
                       "out",
                       deal->node->name, (unsigned long long)(line->count - given), line->name);
    return rc;
}

static bool has_files_of(const struct conf_node *node, const struct gres *gres)
{
    for (uint32_t i = 0; i < node->devices_n; i++) {
        if (node->devices[i].files_n && strcmp(node->devices[i].name, gres->name) == 0)
            return true;
    }
    return false;
}

/* Adds devices that are only counted, because no line of gres.conf describes them. */
static void count_rest(struct deal *deal)
{
    for (uint32_t i = 0; i < deal->left.n; i++) {
        const struct gres *want = &deal->left.at[i];
        struct conf_device *device;

        if (want->count == 0)
            continue;
        if (has_files_of(deal->node, want))
            conf_notes_add(deal->reader->loader->notes, CONF_NOTE_VALUE, deal->node->at,
                           "node %s: Gres= says %llu more of %s than gres.conf has files of; they "
                           "are counted, without a file",
                           deal->node->name, (unsigned long long)want->count, want->name);
        device = ARRAY_PUSH(deal->node->devices, deal->node->devices_n);
        *device = (struct conf_device){
            .name = xstrdup(want->name),
            .type = xstrdup(want->type),
            .count = want->count,
            .gpu_env = deal->gpu_env,
        };
        device->found = is_found(deal->node, device);
    }
}

static int read_node_gres(struct deal *deal, struct err *err)
{
    const struct conf_node *node = deal->node;
    struct err why = { 0 };

    if (gres_parse(node->gres, &deal->left, &why) < 0)
        return conf_err(err, why.code, node->at, "node %s: Gres: %s", node->name, why.text);
    for (uint32_t i = 0; i < deal->left.n; i++) {
        struct gres *gres = &deal->left.at[i];

        if (gres_is_type(deal->reader->loader->conf, gres->name))
            continue;
        conf_notes_add(deal->reader->loader->notes, CONF_NOTE_VALUE, node->at,
                       "node %s: Gres=%s is not among GresTypes= and left out", node->name,
                       gres->name);
        gres->count = 0;
    }
    return 0;
}

int gres_settle_node(struct gres_reader *reader, uint32_t i, struct err *err)
{
    const struct gres_detect *detect = gres_detect_of(reader, i);
    struct deal deal = { .reader = reader,
                         .node = &reader->loader->conf->nodes[i],
                         .gpu_env = detect->gpu_env };
    const struct gres_node_lines *lines = &reader->of_node[i];
    int rc;

    deal.node->gpu_detect = detect->how;
    rc = read_node_gres(&deal, err);

    for (uint32_t k = 0; rc == 0 && k < lines->n; k++)
        rc = deal_line(&deal, &reader->lines[lines->at[k]], err);
    if (rc == 0)
        count_rest(&deal);
    gres_clear(&deal.left);
    return rc;
}

/* ---- as an operator has it ---- */

static bool is_described(const struct conf_device *device)
{
    return device->files_n || device->cores_n;
}

/* Takes from `left` what gres.conf describes; its count may neither rise nor fall. */
static int keep_described(const struct conf_node *node, struct gres_list *left, struct err *err)
{
    for (uint32_t i = 0; i < node->devices_n; i++) {
        const struct conf_device *device = &node->devices[i];
        uint64_t due = is_described(device) ? device->count : 0;

        for (uint32_t k = 0; k < left->n && due; k++) {
            struct gres *want = &left->at[k];
            const bool fits =
                strcmp(want->name, device->name) == 0 &&
                (!want->type || (device->type && strcmp(want->type, device->type) == 0));
            const uint64_t taken = !fits ? 0 : want->count < due ? want->count : due;

            want->count -= taken;
            due -= taken;
        }
        if (due)
            return err_set(
                err, E_GRES,
                "node %s: gres.conf describes %llu %s more than that: change them there, "
                "then scontrol reconfigure",
                node->name, (unsigned long long)due, device->name);
    }
    return 0;
}

static int check_rest(const struct slurm_conf *conf, const struct conf_node *node,
                      const struct gres_list *left, struct err *err)
{
    for (uint32_t i = 0; i < left->n; i++) {
        const char *name = left->at[i].name;

        if (!gres_is_type(conf, name))
            return err_set(err, E_GRES, "node %s: '%.80s' is not among GresTypes=%s", node->name,
                           name, conf->gres_types ? conf->gres_types : "");
        for (uint32_t k = 0; left->at[i].count && k < node->devices_n; k++) {
            if (is_described(&node->devices[k]) && strcmp(node->devices[k].name, name) == 0)
                return err_set(err, E_GRES,
                               "node %s: gres.conf describes %llu %s less than that: change them "
                               "there, then scontrol reconfigure",
                               node->name, (unsigned long long)left->at[i].count, name);
        }
    }
    return 0;
}

static void device_clear(struct conf_device *device)
{
    for (uint32_t k = 0; k < device->files_n; k++)
        free(device->files[k]);
    free(device->files);
    free(device->cores);
    free(device->name);
    free(device->type);
}

static void drop_counted(struct conf_node *node)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < node->devices_n; i++) {
        if (is_described(&node->devices[i]))
            node->devices[kept++] = node->devices[i];
        else
            device_clear(&node->devices[i]);
    }
    node->devices_n = kept;
}

int conf_node_set_gres(const struct slurm_conf *conf, struct conf_node *node, const char *text,
                       struct err *err)
{
    struct deal deal = { .node = node,
                         .gpu_env = node->gpu_detect ? CONF_GPU_NVIDIA : CONF_GPU_ALL };
    int rc = gres_parse(text, &deal.left, err);

    if (rc == 0)
        rc = keep_described(node, &deal.left, err);
    if (rc == 0)
        rc = check_rest(conf, node, &deal.left, err);
    if (rc == 0) {
        drop_counted(node);
        count_rest(&deal);
        xstrset(&node->gres, *text ? text : NULL);
    }
    gres_clear(&deal.left);
    return rc;
}

void conf_devices_clear(struct conf_node *node)
{
    for (uint32_t i = 0; i < node->devices_n; i++)
        device_clear(&node->devices[i]);
    free(node->devices);
    node->devices = NULL;
    node->devices_n = 0;
}
