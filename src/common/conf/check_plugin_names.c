/*
 * check_plugin_names.c - finds names of plugins that no version of Slurm has, and what may have
 * been meant.
 */
#include <string.h>

#include "common/conf/check_parts.h"
#include "common/text/words.h"

/*
 * The plugins that slurm.conf(5) of 22.05 to 25.05 names, and those of older versions that
 * check_values.c can rewrite. Keys whose values are read as words of a list are not here, nor keys
 * for which sites write plugins of their own.
 */
static const struct plugins {
    const char *key, *kind, *names;
} plugins[] = {
    { "AccountingStorageType", "accounting_storage",
      "none,slurmdbd,filetxt,mysql,pgsql,ctld_relay" },
    { "AcctGatherEnergyType", "acct_gather_energy",
      "none,gpu,ibmaem,ipmi,pm_counters,rapl,xcc,cray_aries" },
    { "AcctGatherFilesystemType", "acct_gather_filesystem", "none,lustre" },
    { "AcctGatherInterconnectType", "acct_gather_interconnect", "none,ofed,sysfs" },
    { "AcctGatherProfileType", "acct_gather_profile", "none,hdf5,influxdb" },
    { "AuthType", "auth", "munge,slurm,none,authd" },
    { "AuthAltTypes", "auth", "jwt,slurm" },
    { "BurstBufferType", "burst_buffer", "none,datawarp,generic,lua" },
    { "CredType", "cred", "munge,slurm,none" },
    { "JobCompType", "jobcomp", "none,elasticsearch,filetxt,kafka,lua,mysql,pgsql,script" },
    { "JobContainerType", "job_container", "none,tmpfs,cncu" },
    { "MCSPlugin", "mcs", "none,account,group,label,user" },
    { "MpiDefault", "mpi",
      "none,pmi2,pmix,pmix_v1,pmix_v2,pmix_v3,pmix_v4,pmix_v5,cray_shasta,openmpi,lam,mpich1_p4,"
      "mpich1_shmem,mpichgm,mpichmx,mvapich" },
    { "NodeFeaturesPlugins", "node_features", "helpers,knl_cray,knl_generic" },
    { "PreemptType", "preempt", "none,partition_prio,qos" },
    { "SwitchType", "switch",
      "none,hpe_slingshot,nvidia_imex,cray_aries,generic,nrt,federation,elan" },
};

/* Returns the plugin whose name is nearest to the typed one, or NULL when none is near. */
static const char *nearest(const struct words *names, const char *typed)
{
    struct word_search search = word_search_begin(typed);

    for (uint32_t i = 0; i < names->n; i++)
        word_search_offer(&search, names->at[i]);
    return search.nearest;
}

static void check_name(const struct check *check, const struct plugins *row, const char *value)
{
    AUTO(words) struct words names = words_split(row->names, ",");
    const char *slash = strchr(value, '/');
    const char *name = slash ? slash + 1 : value;
    const size_t kind_n = slash ? (size_t)(slash - value) : 0;
    AUTO_FREE char *kind = xstrndup(value, kind_n);
    const bool is_kind = !slash || word_is(kind, row->kind);
    const char *meant = words_have(&names, name) ? name : nearest(&names, name);

    if (is_kind && meant == name)
        return;
    if (meant)
        conf_notes_add(check->notes, CONF_NOTE_VALUE, check_at(check, row->key),
                       "%s=%s: Slurm has no such plugin; is %s/%s meant?", row->key, value,
                       row->kind, meant);
    else
        conf_notes_add(check->notes, CONF_NOTE_VALUE, check_at(check, row->key),
                       "%s=%s: Slurm has no such plugin; it has, behind %s/: %s", row->key, value,
                       row->kind, row->names);
}

void check_plugin_names(const struct check *check)
{
    for (size_t i = 0; i < ARRAY_N(plugins); i++) {
        AUTO(words) struct words values = { 0 };
        const char *text = NULL;

        conf_given_at(check->conf, plugins[i].key, &text);
        values = words_split(text ? text : "", ",");
        for (uint32_t k = 0; k < values.n; k++)
            check_name(check, &plugins[i], values.at[k]);
    }
}
