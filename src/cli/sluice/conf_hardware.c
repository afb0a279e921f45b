/* conf_hardware.c - a NodeName line against the machine. Pure. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "cli/sluice/conf.h"
#include "common/text/words.h"

static void check_cpus(const struct conf_node *node, const struct node_hardware *hardware,
                       struct conf_notes *notes)
{
    if (node->cpus > hardware->cpus)
        conf_notes_add(notes, CONF_NOTE_WRONG, node->at,
                       "node %s: %u CPUs, this machine has %u: it would be drained; write CPUs=%u",
                       node->name, node->cpus, hardware->cpus, hardware->cpus);
    else if (node->cpus < hardware->cpus &&
             node->cpus != hardware->sockets * hardware->cores_per_socket)
        conf_notes_add(notes, CONF_NOTE_HINT, node->at,
                       "node %s: %u of the %u CPUs of this machine are used", node->name,
                       node->cpus, hardware->cpus);
}

/*
 * Checks sockets, cores and threads, which jobs are bound by; a sum that is right does not make
 * them so.
 */
static void check_shape(const struct conf_node *node, const struct node_hardware *hardware,
                        struct conf_notes *notes)
{
    const struct {
        const char *key;
        uint32_t said, has;
    } parts[] = {
        { "Sockets", node->sockets, hardware->sockets },
        { "CoresPerSocket", node->cores_per_socket, hardware->cores_per_socket },
        { "ThreadsPerCore", node->threads_per_core, hardware->threads_per_core },
    };

    if (node->cpus != hardware->cpus)
        return;
    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        if (parts[i].said != parts[i].has)
            conf_notes_add(notes, CONF_NOTE_VALUE, node->at,
                           "node %s: %s=%u, this machine has %u; jobs are bound to what is said",
                           node->name, parts[i].key, parts[i].said, parts[i].has);
    }
}

static void check_memory(const struct conf_node *node, const struct node_hardware *hardware,
                         struct conf_notes *notes)
{
    if (node->memory_given && node->memory_mb > hardware->memory_mb)
        conf_notes_add(notes, CONF_NOTE_WRONG, node->at,
                       "node %s: RealMemory=%" PRIu64 ", this machine has %" PRIu64
                       " MB: it would be drained; write RealMemory=%" PRIu64,
                       node->name, node->memory_mb, hardware->memory_mb, hardware->memory_mb);
    if (node->tmp_disk_mb > hardware->tmp_disk_mb)
        conf_notes_add(notes, CONF_NOTE_WRONG, node->at,
                       "node %s: TmpDisk=%" PRIu64 ", this machine has %" PRIu64
                       " MB: it would be drained",
                       node->name, node->tmp_disk_mb, hardware->tmp_disk_mb);
}

static void check_files(const struct conf_node *node, const char *gres, const char *device,
                        conf_exists_fn exists, struct conf_notes *notes)
{
    AUTO(words) struct words files = words_split(device, ",");

    for (uint32_t i = 0; i < files.n; i++) {
        if (!exists(files.at[i]))
            conf_notes_add(notes, CONF_NOTE_WRONG, node->at, "node %s: gres %s: %s is not there",
                           node->name, gres, files.at[i]);
    }
}

static void check_devices(const struct conf_node *node, conf_exists_fn exists,
                          struct conf_notes *notes)
{
    for (uint32_t i = 0; i < node->devices_n; i++) {
        const struct conf_device *device = &node->devices[i];

        for (uint32_t k = 0; k < device->files_n; k++)
            check_files(node, device->name, device->files[k], exists, notes);
    }
}

void conf_check_hardware(const struct conf_node *node, const struct node_hardware *hardware,
                         conf_exists_fn exists, struct conf_notes *notes)
{
    if (hardware) {
        check_cpus(node, hardware, notes);
        check_shape(node, hardware, notes);
        check_memory(node, hardware, notes);
    }
    if (exists)
        check_devices(node, exists, notes);
}

bool conf_overrides(const struct slurm_conf *conf)
{
    AUTO(words)
    struct words words = words_split(conf->slurmd_params ? conf->slurmd_params : "", ",");

    return words_have(&words, "config_overrides");
}
