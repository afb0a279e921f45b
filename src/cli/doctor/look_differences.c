/* look_differences.c - slurm.conf here against the one that the controller runs by. */
#include <inttypes.h>
#include <string.h>

#include "cli/doctor/findings.h"
#include "cli/doctor/mend.h"
#include "common/conf/show.h"
#include "common/msg/node.h"
#include "common/msg/types.h"

#define NAMED_MAX 3 /* keys in one finding; the others are counted */

struct difference {
    const struct slurm_conf *conf;
    struct strbuf text;
    uint32_t n;
};

/* True for lines about the controller's process, or a place on its host, not about a file. */
static bool is_of_the_process(const char *key)
{
    static const char *const names[] = { "BOOT_TIME",  "HASH_VAL",       "NEXT_JOB_ID",
                                         "SLURM_CONF", "SLURM_VERSION",  "SlurmUser",
                                         "SlurmdUser", "MULTIPLE_SLURMD" };

    for (size_t i = 0; i < ARRAY_N(names); i++)
        if (strcmp(key, names[i]) == 0)
            return true;
    return false;
}

static void compare_key(struct difference *difference, const char *key, const char *there)
{
    const struct conf_show_facts facts = { 0 };
    struct conf_show show = conf_show_begin(difference->conf, &facts);
    AUTO(strbuf) struct strbuf name = { 0 };
    AUTO(strbuf) struct strbuf here = { 0 };

    while (conf_show_next(&show, &name, &here)) {
        if (strcmp(strbuf_text(&name), key) != 0)
            continue;
        if (strcmp(strbuf_text(&here), there) != 0 && ++difference->n <= NAMED_MAX)
            strbuf_addf(&difference->text, "%s%s is %s here, %s there",
                        difference->n > 1 ? "; " : "", key, strbuf_text(&here), there);
        return;
    }
}

static int on_entry(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    AUTO(config_entry) struct config_entry entry;
    int rc;

    if (type != MSG_CONFIG_ENTRY)
        return 0;
    rc = rpc_decode(frame, config_entry_schema(), &entry, NULL);
    if (rc == 0 && entry.key && entry.value && !is_of_the_process(entry.key))
        compare_key(ctx, entry.key, entry.value);
    return rc;
}

static void compare_nodes(struct difference *difference, const struct records *nodes)
{
    for (uint32_t i = 0; i < nodes->n; i++) {
        const struct node_info *there = record_at(nodes, i);
        const struct conf_node *here = slurm_conf_find_node(difference->conf, there->node->name);

        if (here && here->cpus == there->cpus && here->memory_mb == there->memory_mb)
            continue;
        if (++difference->n > NAMED_MAX)
            continue;
        strbuf_addf(&difference->text, "%s", difference->n > 1 ? "; " : "");
        if (here)
            strbuf_addf(&difference->text,
                        "node %s has %u CPUs and %" PRIu64 " MB here, %u and %" PRIu64 " there",
                        here->name, here->cpus, here->memory_mb, there->cpus, there->memory_mb);
        else
            strbuf_addf(&difference->text, "node %s has no line here", there->node->name);
    }
}

static char *mend_difference(const struct doctor *doctor)
{
    AUTO_FREE char *head = mend_restart(doctor, DAEMON_SLURMCTLD, NULL);
    AUTO_FREE char *node = mend_restart(doctor, DAEMON_SLURMD, NULL);
    AUTO_FREE char *copy = mend_copy(doctor, doctor->conf->path);

    if (doctor->is_controller)
        return xasprintf("scontrol reconfigure, or for some keys: %s", head);
    return doctor->node ? xasprintf("%s; %s", copy, node) : STEAL(copy);
}

void look_at_differences(struct doctor *doctor)
{
    struct difference difference = { .conf = doctor->conf };
    struct err err = { 0 };

    if (client_stream(doctor->cli->client, MSG_CONFIG_LIST, NULL, on_entry, &difference, &err) == 0)
        compare_nodes(&difference, &doctor->nodes);
    else
        doctor_skip(doctor, "%s", err.text);
    if (difference.n > NAMED_MAX)
        strbuf_addf(&difference.text, "; and %u more", difference.n - NAMED_MAX);
    if (difference.n)
        doctor_find(doctor, mend_difference(doctor), "%s is not what the controller runs by: %s",
                    doctor->conf->path, strbuf_text(&difference.text));
    strbuf_clear(&difference.text);
}
