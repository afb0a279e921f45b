/* check_values.c - values that older versions of Slurm knew, and what one writes today. */
#include <string.h>

#include "common/conf/check_parts.h"
#include "common/conf/keys.h"
#include "common/text/words.h"

#define NO_SERVER "history is kept below StateSaveLocation, no other place is asked or told"

/* What is noted about a value of a key; `value` "*" is any value. */
static const struct old_value {
    const char *key, *value;
    enum conf_note_kind kind;
    const char *says;
} old_values[] = {
    { "SelectType", "select/cons_res", CONF_NOTE_REPLACED, "today it is select/cons_tres" },
    { "SelectType", "cons_res", CONF_NOTE_REPLACED, "today it is select/cons_tres" },
    { "SelectType", "select/bluegene", CONF_NOTE_REPLACED, "today it is select/linear" },
    { "SelectType", "select/cray", CONF_NOTE_REPLACED, "today it is select/cons_tres" },
    { "SelectType", "select/cray_aries", CONF_NOTE_REPLACED, "today it is select/cons_tres" },
    { "SelectType", "select/serial", CONF_NOTE_REPLACED, "today it is select/cons_tres" },
    { "AccountingStorageType", "accounting_storage/filetxt", CONF_NOTE_REPLACED, NO_SERVER },
    { "AccountingStorageType", "accounting_storage/mysql", CONF_NOTE_REPLACED, NO_SERVER },
    { "AccountingStorageType", "accounting_storage/pgsql", CONF_NOTE_REPLACED, NO_SERVER },
    { "AccountingStorageType", "accounting_storage/slurmdbd", CONF_NOTE_HINT,
      "where no slurmdbd answers, the controller keeps accounts and history itself" },
    { "AccountingStorageEnforce", "1", CONF_NOTE_REPLACED, "today it is associations" },
    { "AccountingStorageEnforce", "2", CONF_NOTE_REPLACED, "today it is associations,limits" },
    { "AuthType", "auth/none", CONF_NOTE_HINT, "hosts prove themselves with MUNGE all the same" },
    { "AuthType", "auth/slurm", CONF_NOTE_HINT, "hosts prove themselves with MUNGE all the same" },
    { "MpiDefault", "openmpi", CONF_NOTE_REPLACED, "today it is none, or pmix for srun ./program" },
    { "MpiDefault", "lam", CONF_NOTE_REPLACED, "today it is none" },
    { "MpiDefault", "mpich1_p4", CONF_NOTE_REPLACED, "today it is none" },
    { "MpiDefault", "mpich1_shmem", CONF_NOTE_REPLACED, "today it is none" },
    { "MpiDefault", "mpichgm", CONF_NOTE_REPLACED, "today it is none" },
    { "MpiDefault", "mpichmx", CONF_NOTE_REPLACED, "today it is none" },
    { "MpiDefault", "mvapich", CONF_NOTE_REPLACED, "today it is none, or pmi2" },
    { "ProctrackType", "proctrack/sgi_job", CONF_NOTE_REPLACED, "today it is proctrack/cgroup" },
    { "ProctrackType", "proctrack/lua", CONF_NOTE_REPLACED, "today it is proctrack/cgroup" },
    { "SchedulerType", "sched/gang", CONF_NOTE_REPLACED, "today it is PreemptMode=GANG" },
    { "TopologyPlugin", "topology/3d_torus", CONF_NOTE_REPLACED, "today it is topology/flat" },
    { "TopologyPlugin", "topology/none", CONF_NOTE_HINT, "today it is topology/flat" },
    { "TopologyPlugin", "topology/default", CONF_NOTE_HINT, "today it is topology/flat" },
    { "JobContainerType", "job_container/tmpfs", CONF_NOTE_HINT,
      "since Slurm 25.11 it is NamespaceType=namespace/tmpfs" },
};

/* Plugins that do nothing. Today their key is left out instead. */
static const char *const empty_plugins[] = {
    "SwitchType",
    "TaskPlugin",
    "JobCompType",
    "JobAcctGatherType",
    "PreemptType",
    "MCSPlugin",
    "ExtSensors",
    "JobContainerType",
    "AcctGatherEnergyType",
    "CoreSpecPlugin",
    "PowerPlugin",
    "SiteFactorPlugin",
    "AcctGatherProfileType",
    "BurstBufferType",
    "CheckpointType",
};

static void note(const struct check *check, const char *key, enum conf_note_kind kind,
                 const char *text, const char *says)
{
    conf_notes_add(check->notes, kind, check_at(check, key), "%s=%s: %s", key, text, says);
}

static void check_old_values(const struct check *check)
{
    for (size_t i = 0; i < ARRAY_N(old_values); i++) {
        const struct old_value *old = &old_values[i];
        const char *text = NULL;

        conf_given_at(check->conf, old->key, &text);
        if (text && word_is(text, old->value))
            note(check, old->key, old->kind, text, old->says);
    }
}

static void check_empty_plugins(const struct check *check)
{
    for (size_t i = 0; i < ARRAY_N(empty_plugins); i++) {
        const struct conf_key *key = conf_key_find(conf_global_keys(), empty_plugins[i]);
        const char *text = NULL;
        const char *slash;

        conf_given_at(check->conf, empty_plugins[i], &text);
        slash = text ? strrchr(text, '/') : NULL;
        if (key && key->status != CONF_REMOVED && slash && word_is(slash, "/none"))
            note(check, key->name, CONF_NOTE_HINT, text, "today one leaves the key out");
    }
}

/* Notes log levels that are written as numbers, such as SlurmctldDebug=3. */
static void check_levels(const struct check *check)
{
    static const char *const names[] = { "quiet", "fatal",  "error",  "info",   "verbose",
                                         "debug", "debug2", "debug3", "debug4", "debug5" };

    for (const struct conf_key *key = conf_global_keys(); key->name; key++) {
        const char *text = NULL;
        uint64_t level;

        if (key->kind != CONF_LEVEL)
            continue;
        conf_given_at(check->conf, key->name, &text);
        if (text && number_parse(text, 0, ARRAY_N(names) - 1, &level, NULL) == 0)
            conf_notes_add(check->notes, CONF_NOTE_REPLACED, check_at(check, key->name),
                           "%s=%s: levels have names: today it is %s", key->name, text,
                           names[level]);
    }
}

void check_values(const struct check *check)
{
    check_old_values(check);
    check_empty_plugins(check);
    check_levels(check);
}
