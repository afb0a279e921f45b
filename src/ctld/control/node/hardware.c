/* What a node says it has, against what slurm.conf says of it: with less it takes no jobs. */
#include "ctld/control/node/hardware.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/strbuf.h"
#include "common/text/words.h"
#include "ctld/control/node/update.h"
#include "ctld/model/gres.h"

/* Beginnings of the reasons that the controller gives by itself. The cause stands behind. */
static const char low_threads[] = "Low socket*core*thread count (reported:";
static const char low_cpus[] = "Low CPUs (reported:";
static const char low_memory[] = "Low RealMemory (reported:";
static const char low_disk[] = "Low TmpDisk (reported:";
static const char low_gres[] = " count reported lower than configured (";

static bool is_about_gres(const char *reason)
{
    return word_starts(reason, "gres/", NULL) && strstr(reason, low_gres);
}

static bool is_about_hardware(const char *reason)
{
    static const char *const beginnings[] = { low_threads, low_cpus, low_memory, low_disk };
    bool is = reason && is_about_gres(reason);

    for (size_t i = 0; reason && i < ARRAY_N(beginnings) && !is; i++)
        is = word_starts(reason, beginnings[i], NULL);
    return is;
}

/* True if the node reports fewer threads than configured. A daemon that does not say how its cpus
 * are laid out is not held to it. */
static bool has_fewer_threads(const struct node *node)
{
    const struct node_hardware *has = node->rec.hardware;
    const struct node_info *conf = node->conf;
    const uint64_t threads = (uint64_t)has->sockets * has->cores_per_socket * has->threads_per_core;

    return threads &&
           threads < (uint64_t)conf->sockets * conf->cores_per_socket * conf->threads_per_core;
}

/* Returns how many devices of the name all lines of the node have together. */
static uint64_t configured_gres(const struct node_info *conf, const char *name)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < conf->devices_n; i++)
        sum += strcmp(conf->devices[i].name, name) == 0 ? conf->devices[i].count : 0;
    return sum;
}

static void next_one(struct strbuf *low)
{
    strbuf_adds(low, low->len ? ", " : "");
}

static void add_low_count(const struct node *node, const char *name, uint64_t count,
                          struct strbuf *low)
{
    const uint64_t wanted = configured_gres(node->conf, name);

    if (count >= wanted)
        return;
    next_one(low);
    strbuf_addf(low, "gres/%s%s%" PRIu64 " < %" PRIu64 ")", name, low_gres, count, wanted);
}

/* Adds the GRES whose files are not there, and the gpus that AutoDetect does not find. */
static void add_low_gres(const struct node *node, struct strbuf *low)
{
    const struct node_hardware *has = node->rec.hardware;
    const uint64_t missing = node_missing_gpus(node);

    for (uint32_t i = 0; i < has->gres_n; i++)
        add_low_count(node, has->gres[i].name, has->gres[i].count, low);
    if (missing)
        add_low_count(node, "gpu", configured_gres(node->conf, "gpu") - missing, low);
}

static void add_low_cpus(const struct node *node, struct strbuf *low)
{
    const struct node_hardware *has = node->rec.hardware;
    const struct node_info *conf = node->conf;

    if (has_fewer_threads(node)) {
        next_one(low);
        strbuf_addf(low, "%s%u*%u*%u < configured:%u*%u*%u)", low_threads, has->sockets,
                    has->cores_per_socket, has->threads_per_core, conf->sockets,
                    conf->cores_per_socket, conf->threads_per_core);
    }
    if (has->cpus < conf->cpus) {
        next_one(low);
        strbuf_addf(low, "%s%u < configured:%u)", low_cpus, has->cpus, conf->cpus);
    }
}

/* Returns what is low on the node, in Slurm's words and with the figures, to be freed. */
static char *what_is_low(const struct node *node)
{
    const struct node_hardware *has = node->rec.hardware;
    const struct node_info *conf = node->conf;
    AUTO(strbuf) struct strbuf low = { 0 };

    add_low_gres(node, &low);
    add_low_cpus(node, &low);
    if (has->memory_mb < conf->memory_mb) {
        next_one(&low);
        strbuf_addf(&low, "%s%" PRIu64 " < 100.00%% of configured:%" PRIu64 ")", low_memory,
                    has->memory_mb, conf->memory_mb);
    }
    if (has->tmp_disk_mb < conf->tmp_disk_mb) {
        next_one(&low);
        strbuf_addf(&low, "%s%" PRIu64 " < configured:%" PRIu64 ")", low_disk, has->tmp_disk_mb,
                    conf->tmp_disk_mb);
    }
    return low.len ? xstrdup(strbuf_text(&low)) : NULL;
}

bool node_check_hardware(struct model *model, struct node *node, struct moment now)
{
    const bool other_gpus = node_take_found(model, node);
    AUTO_FREE char *low = model->config.trust_conf ? NULL : what_is_low(node);

    node->invalid = low;
    if (low) {
        node->rec.drain = true;
        if (!node->rec.reason || is_about_hardware(node->rec.reason))
            node_set_reason(node, now, low, 0);
    } else if (node->rec.drain && is_about_hardware(node->rec.reason)) {
        node->rec.drain = false;
        node_set_reason(node, now, NULL, 0);
    }
    return other_gpus;
}
