#include "common/conf/debug_flags.h"

#include "common/base/strbuf.h"
#include "common/text/words.h"

/* The names of flags, as slurm.conf(5) has them. */
static const char *const names[] = {
    "Accrue",       "Agent",         "AuditRPCs",
    "Backfill",     "BackfillMap",   "BurstBuffer",
    "Cgroup",       "ConMgr",        "CPU_Bind",
    "CpuFrequency", "Data",          "DBD_Agent",
    "Dependency",   "Elasticsearch", "Energy",
    "Federation",   "Gang",          "GLOB_SILENCE",
    "Gres",         "Hetjob",        "JobAccountGather",
    "JobComp",      "JobContainer",  "License",
    "Network",      "NetworkRaw",    "NodeFeatures",
    "NO_CONF_HASH", "Power",         "Priority",
    "Profile",      "Protocol",      "Reservation",
    "Route",        "Script",        "SelectType",
    "Steps",        "Switch",        "TLS",
    "TraceJobs",    "Triggers",      "WorkQueue",
};

static bool is_known(const char *word)
{
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (word_is(names[i], word))
            return true;
    }
    return false;
}

int conf_debug_flags_change(char **flags, const char *change, struct err *err)
{
    const bool adds = change[0] == '+';
    AUTO(words) struct words given = { 0 }, had = words_split(*flags ? *flags : "", ",");
    AUTO(strbuf) struct strbuf now = { 0 };

    if (!adds && change[0] != '-')
        return err_set(err, EINVAL, "'%s': begin with + or -", change);
    given = words_split(change + 1, ",");
    for (uint32_t i = 0; i < given.n; i++) {
        if (!is_known(given.at[i]))
            return err_set(err, EINVAL, "Invalid DebugFlag: %s", given.at[i]);
    }
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (words_have(&given, names[i]) ? adds : words_have(&had, names[i]))
            strbuf_addf(&now, "%s%s", now.len ? "," : "", names[i]);
    }
    free(*flags);
    *flags = now.len ? xstrdup(strbuf_text(&now)) : NULL;
    return 0;
}
