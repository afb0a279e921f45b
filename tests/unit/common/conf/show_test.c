#include "unit/check_main.h"

#include "common/conf/show.h"
#include "unit/common/conf/text_files.h"

static int64_t find_uid(void *ctx, const char *user)
{
    (void)ctx;
    return strcmp(user, "slurm") == 0 ? 64030 : -1;
}

static const struct conf_show_facts facts = {
    .boot_time = "2026-11-20T20:07:13",
    .version = "22.05.8",
    .next_job_id = 17,
    .find_uid = find_uid,
};

/* Every line as scontrol prints it, between line ends. */
static char *shown(const char *text)
{
    struct slurm_conf *conf = must_load(text, NULL);
    struct conf_show show = conf_show_begin(conf, &facts);
    AUTO(strbuf) struct strbuf key = { 0 };
    AUTO(strbuf) struct strbuf value = { 0 };
    struct strbuf out = { 0 };

    strbuf_addc(&out, '\n');
    while (conf_show_next(&show, &key, &value))
        strbuf_addf(&out, "%-23s = %s\n", strbuf_text(&key), strbuf_text(&value));
    slurm_conf_free(conf);
    return strbuf_steal(&out);
}

/* Lines that Slurm 22.05 prints for these files. */
static const struct {
    const char *conf;
    const char *line;
} lines[] = {
    { "", "\nAccountingStorageEnforce = none\n" },
    { "AccountingStorageEnforce=0\n", "\nAccountingStorageEnforce = none\n" },
    { "AccountingStorageEnforce=1\n", "\nAccountingStorageEnforce = associations\n" },
    { "AccountingStorageEnforce=2\n", "\nAccountingStorageEnforce = associations,limits\n" },
    { "AccountingStorageEnforce=QOS\n", "\nAccountingStorageEnforce = associations,qos\n" },
    { "AccountingStorageEnforce=safe\n",
      "\nAccountingStorageEnforce = associations,limits,safe\n" },
    { "AccountingStorageEnforce=wckeys\n", "\nAccountingStorageEnforce = associations,wckeys\n" },
    { "AccountingStorageEnforce=nojobs\n", "\nAccountingStorageEnforce = nojobs,nosteps\n" },
    { "AccountingStorageEnforce=all\n",
      "\nAccountingStorageEnforce = associations,limits,qos,safe,wckeys\n" },
    { "", "\nAccountingStorageTRES   = cpu,mem,energy,node,billing,fs/disk,vmem,pages\n" },
    { "AccountingStorageTRES=gres/gpu\n",
      "\nAccountingStorageTRES   = cpu,mem,energy,node,billing,fs/disk,vmem,pages,gres/gpu\n" },
    { "", "\nAcctGatherNodeFreq      = 0 sec\n" },
    { "", "\nBOOT_TIME               = 2026-11-20T20:07:13\n" },
    { "", "\nDefMemPerNode           = UNLIMITED\n" },
    { "DefMemPerCPU=500\n", "\nDefMemPerCPU            = 500\n" },
    { "MaxMemPerCPU=600\n", "\nMaxMemPerCPU            = 600\n" },
    { "", "\nEioTimeout              = 60\n" },
    { "EnforcePartLimits=YES\n", "\nEnforcePartLimits       = ANY\n" },
    { "", "\nEpilogMsgTime           = 2000 usec\n" },
    { "EpilogTimeout=40\n", "\nEpilogTimeout           = 40\n" },
    { "HealthCheckNodeState=ANY,CYCLE\n", "\nHealthCheckNodeState    = CYCLE,ANY\n" },
    { "", "\nInteractiveStepOptions  = --interactive --preserve-env --pty $SHELL\n" },
    { "", "\nJobRequeue              = 1\n" },
    { "DefCpuPerGPU=2\n", "\nJobDefaults             = DefCpuPerGPU=2\n" },
    { "KillWait=45\n", "\nKillWait                = 45 sec\n" },
    { "", "\nMaxArraySize            = 1001\n" },
    { "", "\nMaxJobId                = 67043328\n" },
    { "NodeName=n[1-7]\n", "\nMaxNodeCount            = 7\n" },
    { "", "\nNEXT_JOB_ID             = 17\n" },
    { "OverTimeLimit=UNLIMITED\n", "\nOverTimeLimit           = UNLIMITED\n" },
    { "", "\nOverTimeLimit           = 0 min\n" },
    { "", "\nPowerPlugin             = \n" },
    { "PriorityDecayHalfLife=30-0\n", "\nPriorityDecayHalfLife   = 30-00:00:00\n" },
    { "", "\nPriorityCalcPeriod      = 00:05:00\n" },
    { "PrivateData=usage,users\n", "\nPrivateData             = usage,users\n" },
    { "PrivateData=none\n", "\nPrivateData             = none\n" },
    { "PrivateData=jobs,All\n",
      "\nPrivateData             = "
      "accounts,cloud,events,jobs,nodes,partitions,reservations,usage,users\n" },
    { "PrivateData=jbos\n",
      "\nPrivateData             = "
      "accounts,cloud,events,jobs,nodes,partitions,reservations,usage,users\n" },
    { "PrologFlags=Alloc,NoHold\n", "\nPrologFlags             = Alloc,NoHold\n" },
    { "", "\nPrologFlags             = (null)\n" },
    { "", "\nPropagateResourceLimits = ALL\n" },
    { "PropagateResourceLimits=NONE\n", "\nPropagateResourceLimits = NONE\n" },
    { "PropagateResourceLimitsExcept=MEMLOCK\n",
      "\nPropagateResourceLimits = (null)\nPropagateResourceLimitsExcept = MEMLOCK\n" },
    { "", "\nResumeRate              = 300 nodes/min\n" },
    { "", "\nSchedulerTimeSlice      = 30 sec\n" },
    { "SelectTypeParameters=CR_Core\n", "\nSelectTypeParameters    = CR_CORE\n" },
    { "SelectTypeParameters=CR_Core_MEMORY,CR_ONE_TASK_PER_CORE\n",
      "\nSelectTypeParameters    = CR_CORE_MEMORY,CR_ONE_TASK_PER_CORE\n" },
    { "SlurmUser=slurm\n", "\nSlurmUser               = slurm(64030)\n" },
    { "SlurmUser=nobody\n", "\nSlurmUser               = nobody\n" },
    { "SlurmctldHost=vm(127.0.0.1)\n",
      "\nSlurmctldHost[0]        = head\nSlurmctldHost[1]        = vm(127.0.0.1)\n" },
    { "SlurmctldSyslogDebug=4\n", "\nSlurmctldSyslogDebug    = verbose\n" },
    { "SlurmctldDebug=3\n", "\nSlurmctldDebug          = info\n" },
    { "", "\nSLURM_CONF              = slurm.conf\n" },
    { "", "\nSLURM_VERSION           = 22.05.8\n" },
    { "", "\nSrunPortRange           = 0-0\n" },
    { "", "\nSuspendTime             = INFINITE\n" },
    { "SuspendTime=600\n", "\nSuspendTime             = 600 sec\n" },
    { "", "\nTaskPlugin              = task/none\n" },
    { "TrackWCKey=yes\n", "\nTrackWCKey              = Yes\n" },
    { "", "\nVSizeFactor             = 0 percent\n" },
    { "TreeWidth=few\n", "\nTreeWidth               = few\n" },
};

START_TEST(a_line_is_as_slurm_prints_it)
{
    AUTO_FREE char *conf = xasprintf("%s%s", HEAD, lines[_i].conf);
    AUTO_FREE char *text = shown(conf);

    ck_assert_msg(strstr(text, lines[_i].line) != NULL, "%s not in %s", lines[_i].line, text);
}
END_TEST

START_TEST(passwords_are_never_shown)
{
    AUTO_FREE char *text = shown(HEAD "AccountingStoragePass=hush\nJobCompPass=hush\n");

    ck_assert_ptr_null(strstr(text, "hush"));
}
END_TEST

CHECK_MAIN(conf_show, LOOP_CASE(a_line_is_as_slurm_prints_it, ARRAY_N(lines)),
           CASE(passwords_are_never_shown))
