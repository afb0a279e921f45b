#include "common/conf/found.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/conf/beside.h"
#include "common/conf/cgroup_conf.h"
#include "common/conf/check.h"
#include "common/conf/container_conf.h"
#include "common/conf/dbd_conf.h"
#include "common/text/words.h"

static void note_failure(struct conf_found *found, const char *path, const struct err *err)
{
    const struct conf_at at = { path, 1, 1 };

    conf_notes_go_on(&found->notes, -err->code, at, err);
}

/* Returns the setting of slurm.conf that needs cgroups, or NULL. */
static const char *cgroup_user(const struct slurm_conf *conf)
{
    if (conf->proctrack_type == CONF_PROCTRACK_CGROUP)
        return "ProctrackType=proctrack/cgroup";
    if (conf->task_plugins & CONF_TASK_CGROUP)
        return "TaskPlugin=task/cgroup";
    return conf->gather_type == CONF_GATHER_CGROUP ? "JobAcctGatherType=jobacct_gather/cgroup"
                                                   : NULL;
}

/* Notes limits of cgroup.conf without effect, because what they limit is not bounded. */
static void check_cgroup_parts(struct conf_found *found, const struct conf_cgroup *cgroup,
                               struct conf_at at)
{
    enum { WHOLE = 10000 }; /* hundredths of a percent */

    if ((cgroup->allowed_ram != WHOLE || cgroup->max_ram != WHOLE) && !cgroup->constrain_ram &&
        !cgroup->constrain_swap)
        conf_notes_add(&found->notes, CONF_NOTE_VALUE, at,
                       "its AllowedRAMSpace= and MaxRAMPercent= count only with "
                       "ConstrainRAMSpace=yes");
    if ((cgroup->allowed_swap != 0 || cgroup->max_swap != WHOLE) && !cgroup->constrain_swap)
        conf_notes_add(&found->notes, CONF_NOTE_VALUE, at,
                       "its AllowedSwapSpace= and MaxSwapPercent= count only with "
                       "ConstrainSwapSpace=yes");
}

static void check_cgroup(struct conf_found *found, const char *path)
{
    AUTO_FREE char *file = conf_path_beside(path, "cgroup.conf");
    const struct slurm_conf *conf = found->conf;
    AUTO(conf_cgroup) struct conf_cgroup cgroup = { 0 };
    struct conf_at at = { file, 1, 1 };
    const char *user = cgroup_user(conf);
    struct err err = { 0 };

    if (conf_cgroup_load(path, conf_read_disk, NULL, &found->notes, &cgroup, &err) < 0) {
        note_failure(found, file, &err);
        return;
    }
    check_cgroup_parts(found, &cgroup, at);
    if ((cgroup.constrain_cores || cgroup.constrain_ram || cgroup.constrain_devices) &&
        !(conf->task_plugins & CONF_TASK_CGROUP))
        conf_notes_add(&found->notes, CONF_NOTE_WRONG, at,
                       "its Constrain...=yes count only with TaskPlugin=task/cgroup in %s", path);
    if (cgroup.plugin == CONF_CGROUP_DISABLED && user)
        conf_notes_add(&found->notes, CONF_NOTE_WRONG, at, "CgroupPlugin=disabled, and %s in %s",
                       user, path);
}

/*
 * Checks job_container.conf. Its lines may be for some nodes only, so it is read once for each kind
 * of node.
 */
static void check_container(struct conf_found *found, const char *path)
{
    AUTO_FREE char *file = conf_path_beside(path, "job_container.conf");
    const struct slurm_conf *conf = found->conf;
    bool used =
        conf->job_container_type && word_is(conf->job_container_type, "job_container/tmpfs");
    AUTO(conf_container) struct conf_container container = { 0 };
    struct err err = { 0 };
    const char *node = conf->nodes_n ? conf->nodes[0].name : "";

    if (!used && access(file, F_OK) < 0)
        return;
    if (conf_container_load(path, node, conf_read_disk, NULL, &found->notes, &container, &err) < 0)
        note_failure(found, file, &err);
    else if (!used)
        conf_notes_add(&found->notes, CONF_NOTE_VALUE, (struct conf_at){ file, 1, 1 },
                       "it counts only with JobContainerType=job_container/tmpfs in %s", path);
}

/* Checks slurmdbd.conf, which holds a password: who may not read it is told so. */
static void check_dbd(struct conf_found *found, const char *path)
{
    AUTO_FREE char *file = conf_path_beside(path, "slurmdbd.conf");
    AUTO(conf_dbd) struct conf_dbd dbd = { 0 };
    struct err err = { 0 };

    if (access(file, R_OK) < 0 && errno != ENOENT)
        conf_notes_add(&found->notes, CONF_NOTE_HINT, (struct conf_at){ file, 1, 1 },
                       "not looked into, since you may not read it: root and SlurmUser may");
    else if (conf_dbd_load(path, conf_read_disk, NULL, &found->notes, &dbd, &err) < 0)
        note_failure(found, file, &err);
}

static void check_unused(struct conf_found *found, const char *path)
{
    AUTO_FREE char *file = conf_path_beside(path, "topology.conf");

    if (found->conf->topology != CONF_TOPOLOGY_TREE && access(file, F_OK) == 0)
        conf_notes_add(&found->notes, CONF_NOTE_VALUE, (struct conf_at){ file, 1, 1 },
                       "it counts only with TopologyPlugin=topology/tree in %s", path);
}

/*
 * Finds out whether a daemon would start with the file, as far as that depends on it and on those
 * beside it.
 */
static void try_strictly(const char *path, struct conf_found *ret)
{
    struct slurm_conf *conf = NULL;
    int rc = slurm_conf_load(path, &conf, NULL, &ret->refusal);

    if (rc == 0)
        rc = conf_load_beside(conf, NULL, &ret->refusal);
    slurm_conf_free(conf);
    ret->is_refused = rc < 0;
}

void conf_find(const char *path, struct conf_found *ret)
{
    struct err err = { 0 };

    *ret = (struct conf_found){ .notes = { .goes_on = true } };
    try_strictly(path, ret);
    if (slurm_conf_load(path, &ret->conf, &ret->notes, &err) < 0) {
        note_failure(ret, path, &err);
        return;
    }
    if (conf_load_beside(ret->conf, &ret->notes, &err) < 0)
        note_failure(ret, path, &err);
    check_cgroup(ret, path);
    check_container(ret, path);
    check_dbd(ret, path);
    check_unused(ret, path);
    conf_check(ret->conf, &ret->notes);
    conf_notes_sort(&ret->notes, ret->conf->files, ret->conf->files_n);
}

void conf_found_count(const struct conf_found *found, uint32_t ret_counts[CONF_WEIGHTS_N])
{
    for (uint32_t i = 0; i < CONF_WEIGHTS_N; i++)
        ret_counts[i] = 0;
    for (uint32_t i = 0; i < found->notes.notes_n; i++)
        ret_counts[conf_note_weight(&found->notes.notes[i])]++;
}

void conf_found_format(const struct conf_found *found, enum conf_weight least, struct strbuf *out)
{
    static const char *const names[CONF_WEIGHTS_N] = { "note", "warning", "error" };

    for (uint32_t i = 0; i < found->notes.notes_n; i++) {
        const struct conf_note *note = &found->notes.notes[i];
        const enum conf_weight weight = conf_note_weight(note);

        if (weight >= least)
            strbuf_addf(out, "%s:%u:%u: %s: %s\n", note->file, note->line, note->column,
                        names[weight], note->text);
    }
    if (found->notes.left_off)
        strbuf_addf(out, "%u more are not shown\n", found->notes.left_off);
}

void conf_found_auto_(struct conf_found *found)
{
    slurm_conf_free(found->conf);
    conf_notes_clear(&found->notes);
}

enum conf_weight conf_note_weight(const struct conf_note *note)
{
    static const enum conf_weight weights[] = {
        [CONF_NOTE_UNKNOWN] = CONF_WEIGHT_ERROR,    [CONF_NOTE_WRONG] = CONF_WEIGHT_ERROR,
        [CONF_NOTE_REPLACED] = CONF_WEIGHT_WARNING, [CONF_NOTE_REMOVED] = CONF_WEIGHT_WARNING,
        [CONF_NOTE_VALUE] = CONF_WEIGHT_WARNING,    [CONF_NOTE_NO_EFFECT] = CONF_WEIGHT_NOTE,
        [CONF_NOTE_HINT] = CONF_WEIGHT_NOTE,
    };

    return weights[note->kind];
}
