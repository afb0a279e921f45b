/*
 * The records below stood on a Slurm 22.05 with three nodes; what is expected is what its scontrol
 * printed, with the lines that 25.05 has changed: requested and allocated TRES apart, LicensesAlloc
 * and ExclusiveTopo new, watts and sensors gone.
 */
#include "unit/check_main.h"

#include <string.h>
#include <time.h>

#include "cli/scontrol/show.h"

#define SUBMIT INT64_C(1795209479) /* 2026-11-20T21:17:59 */

static struct job_info info;
static struct job_record *job;
static struct job_spec *spec;
static struct job_body *body;

static void add_node(const char *name, uint32_t first_cpu, uint32_t cpus_n)
{
    struct job_node *node = ARRAY_PUSH(job->nodes, job->nodes_n);

    job_node_init(node);
    node->name = xstrdup(name);
    for (uint32_t i = 0; i < cpus_n; i++)
        *ARRAY_PUSH(node->cpus, node->cpus_n) = first_cpu + i;
}

/* sbatch --wrap 'sleep 300' -t 10 --mem=500 --comment "hello world", running. */
static void before(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    job_info_init(&info);
    info.job = job = xcalloc(1, sizeof(*job));
    job_record_init(job);
    job->spec = spec = xcalloc(1, sizeof(*spec));
    job_spec_init(spec);
    info.now = SUBMIT + 5;
    job->id = 2;
    job->uid = job->gid = 1000;
    job->user_name = xstrdup("ann");
    job->group_name = xstrdup("staff");
    job->partition = xstrdup("main");
    job->state = JOB_RUNNING;
    job->priority = 1;
    job->submit_time = job->eligible_time = SUBMIT;
    job->start_time = SUBMIT + 3;
    job->end_time = SUBMIT + 603;
    job->ncpus = job->ntasks = 1;
    job->node_list = xstrdup("worker-1");
    spec->name = xstrdup("wrap");
    spec->time_limit = 600;
    spec->mem_per_node = 500;
    spec->comment = xstrdup("hello world");
    info.body = body = xcalloc(1, sizeof(*body));
    job_body_init(body);
    body->work_dir = xstrdup("/home/ann");
    spec->submit_host = xstrdup("head");
    add_node("worker-1", 2, 1);
}

static void after(void)
{
    job_info_clear(&info);
}

static char *shown(bool details, bool one_line)
{
    const struct show show = { .details = details, .one_line = one_line };
    struct strbuf out = { 0 };

    show_job(&show, &info, &out);
    return strbuf_steal(&out);
}

START_TEST(every_column_leads_to_a_value)
{
    struct err err = { 0 };

    ck_assert_msg(show_check_tables(&err) == 0, "%s", err.text);
}
END_TEST

START_TEST(a_running_batch_job_is_shown_as_slurm_does)
{
    AUTO_FREE char *text = shown(false, false);

    ck_assert_str_eq(text,
                     "JobId=2 JobName=wrap\n"
                     "   UserId=ann(1000) GroupId=staff(1000) MCS_label=N/A\n"
                     "   Priority=1 Nice=0 Account=(null) QOS=(null)\n"
                     "   JobState=RUNNING Reason=None Dependency=(null)\n"
                     "   Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0\n"
                     "   RunTime=00:00:02 TimeLimit=00:10:00 TimeMin=N/A\n"
                     "   SubmitTime=2026-11-20T21:17:59 EligibleTime=2026-11-20T21:17:59\n"
                     "   AccrueTime=2026-11-20T21:17:59\n"
                     "   StartTime=2026-11-20T21:18:02 EndTime=2026-11-20T21:28:02 Deadline=N/A\n"
                     "   SuspendTime=None SecsPreSuspend=0 LastSchedEval=2026-11-20T21:18:02 "
                     "Scheduler=Main\n"
                     "   Partition=main AllocNode:Sid=head:0\n"
                     "   ReqNodeList=(null) ExcNodeList=(null)\n"
                     "   NodeList=worker-1\n"
                     "   BatchHost=worker-1\n"
                     "   NumNodes=1 NumCPUs=1 NumTasks=1 CPUs/Task=1 ReqB:S:C:T=0:0:*:*\n"
                     "   ReqTRES=cpu=1,mem=500M,node=1,billing=1\n"
                     "   AllocTRES=cpu=1,node=1,billing=1\n"
                     "   Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=*\n"
                     "   MinCPUsNode=1 MinMemoryNode=500M MinTmpDiskNode=0\n"
                     "   Features=(null) DelayBoot=00:00:00\n"
                     "   OverSubscribe=OK Contiguous=0 Licenses=(null) LicensesAlloc=(null) "
                     "Network=(null)\n"
                     "   Command=(null)\n"
                     "   WorkDir=/home/ann\n"
                     "   Comment=hello world\n"
                     "   StdErr=/home/ann/slurm-2.out\n"
                     "   StdIn=/dev/null\n"
                     "   StdOut=/home/ann/slurm-2.out\n"
                     "\n");
}
END_TEST

START_TEST(details_tell_exit_codes_of_steps_and_cpus_by_node)
{
    AUTO_FREE char *text = NULL;

    job->derived_status = 2 << 8;
    add_node("worker-2", 0, 2);
    add_node("worker-3", 0, 2);
    text = shown(true, false);

    ck_assert_ptr_nonnull(strstr(text, "ExitCode=0:0\n   DerivedExitCode=2:0\n   RunTime="));
    ck_assert_ptr_nonnull(strstr(text, "CoreSpec=*\n"
                                       "   JOB_GRES=(null)\n"
                                       "     Nodes=worker-1 CPU_IDs=2 Mem=0 GRES=\n"
                                       "     Nodes=worker-[2-3] CPU_IDs=0-1 Mem=0 GRES=\n"
                                       "   MinCPUsNode=1"));
}
END_TEST

static void add_gres(struct job_node *node, const char *type, uint64_t count)
{
    struct job_gres *gres = ARRAY_PUSH(node->gres, node->gres_n);

    job_gres_init(gres);
    gres->name = xstrdup("gpu");
    gres->type = type ? xstrdup(type) : NULL;
    gres->count = count;
}

START_TEST(details_sum_up_what_all_nodes_give)
{
    AUTO_FREE char *text = NULL;

    add_node("worker-2", 0, 2);
    add_gres(&job->nodes[0], NULL, 2);
    add_gres(&job->nodes[1], NULL, 1);
    add_gres(&job->nodes[1], "tesla", 1);
    text = shown(true, false);

    ck_assert_msg(strstr(text, "   JOB_GRES=gpu:3,gpu:tesla:1\n") != NULL, "%s", text);
}
END_TEST

START_TEST(details_of_a_job_that_is_over_still_tell_its_nodes)
{
    AUTO_FREE char *text = NULL;

    job->state = JOB_COMPLETE;
    add_gres(&job->nodes[0], "tesla", 2);
    text = shown(true, false);

    ck_assert_msg(strstr(text, "   JOB_GRES=gpu:tesla:2\n"
                               "     Nodes=worker-1 CPU_IDs=2 Mem=0 GRES=\n") != NULL,
                  "%s", text);
}
END_TEST

START_TEST(one_line_holds_the_whole_record)
{
    AUTO_FREE char *text = shown(false, true);

    ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
    ck_assert_ptr_nonnull(strstr(text, "JobName=wrap UserId=ann(1000) GroupId="));
}
END_TEST

START_TEST(a_waiting_job_has_no_nodes_and_unknown_times)
{
    AUTO_FREE char *text = NULL;

    job->state = JOB_PENDING;
    job->reason = REASON_HELD_USER;
    job->priority = 0;
    job->eligible_time = job->start_time = job->end_time = 0;
    job_node_clear(&job->nodes[0]);
    job->nodes_n = 0;
    xstrset(&job->node_list, NULL);
    job->ncpus = 8;
    job->ntasks = 4;
    spec->cpus_per_task = 2;
    spec->min_nodes = spec->max_nodes = 2;
    spec->time_limit = LIMIT_INFINITE;
    spec->mem_per_node = MB_UNSET;
    spec->mail_type = xstrdup("BEGIN,END");
    text = shown(false, false);

    ck_assert_ptr_nonnull(strstr(text, "JobState=PENDING Reason=JobHeldUser Dependency=(null)"));
    ck_assert_ptr_nonnull(strstr(text, "RunTime=00:00:00 TimeLimit=UNLIMITED TimeMin=N/A\n"));
    ck_assert_ptr_nonnull(strstr(text, "EligibleTime=Unknown\n   AccrueTime=Unknown\n"
                                       "   StartTime=Unknown EndTime=Unknown Deadline=N/A\n"));
    ck_assert_ptr_nonnull(strstr(text, "   NodeList=\n"
                                       "   NumNodes=2-2 NumCPUs=8 NumTasks=4 CPUs/Task=2 "));
    ck_assert_ptr_nonnull(strstr(text, "   ReqTRES=cpu=8,node=2,billing=8\n"
                                       "   AllocTRES=(null)\n"));
    ck_assert_ptr_nonnull(strstr(text, "MinCPUsNode=2 MinMemoryNode=0 MinTmpDiskNode=0\n"));
    ck_assert_ptr_nonnull(strstr(text, "slurm-2.out\n   MailUser=ann MailType=BEGIN,END\n\n"));
}
END_TEST

/* sbatch --gpus=2 --gpus-per-node=1 --cpus-per-gpu=2 --mem-per-gpu=10 -L matlab:2 --switches=1@2
 * --gres-flags=enforce-binding -p main,debug; 25.05 writes gres/gpu for gres:gpu. */
START_TEST(what_a_job_asks_about_its_place_is_shown)
{
    job->state = JOB_PENDING;
    spec->partition = xstrdup("main,debug");
    spec->tres_per_job = xstrdup("gres/gpu:2");
    spec->tres_per_node = xstrdup("gres/gpu:1");
    spec->cpus_per_gpu = 2;
    spec->mem_per_gpu = 10;
    spec->gres_flags = GRES_FLAG_ENFORCE_BINDING;
    spec->licenses = xstrdup("matlab:2");
    spec->switches = 1;
    spec->switch_wait_s = 120;
    spec->spread_job = true;
    spec->core_spec = 1;

    AUTO_FREE char *text = shown(false, false);

    ck_assert_ptr_nonnull(strstr(text, "   Partition=main,debug "));
    ck_assert_ptr_nonnull(strstr(text, " NtasksPerN:B:S:C=0:0:*:* CoreSpec=1\n"));
    ck_assert_ptr_nonnull(strstr(text, " Licenses=matlab:2 "));
    ck_assert_ptr_nonnull(strstr(text, "   Switches=1@00:02:00\n"
                                       "   GresEnforceBind=Yes\n"
                                       "   SpreadJob=Yes\n"
                                       "   CpusPerTres=gres/gpu:2\n"
                                       "   MemPerTres=gres/gpu:10\n"
                                       "   TresPerJob=gres/gpu:2\n"
                                       "   TresPerNode=gres/gpu:1\n"));
}
END_TEST

START_TEST(threads_for_the_system_are_shown_instead_of_cores)
{
    spec->thread_spec = 2;

    AUTO_FREE char *text = shown(false, false);

    ck_assert_ptr_nonnull(strstr(text, " NtasksPerN:B:S:C=0:0:*:* ThreadSpec=2\n"));
    ck_assert_ptr_null(strstr(text, "CoreSpec="));
}
END_TEST

START_TEST(a_planned_job_tells_when_and_where)
{
    AUTO_FREE char *text = NULL;

    job->state = JOB_PENDING;
    job->start_time = job->end_time = 0;
    info.planned_start = SUBMIT + 3;
    info.planned_nodes = xstrdup("worker-3");
    xstrset(&job->node_list, NULL);
    text = shown(false, false);

    ck_assert_ptr_nonnull(
        strstr(text, "StartTime=2026-11-20T21:18:02 EndTime=2026-11-20T21:28:02"));
    ck_assert_ptr_nonnull(strstr(text, "   NodeList= SchedNodeList=worker-3\n"));
}
END_TEST

START_TEST(a_failed_job_shows_how_it_ended)
{
    AUTO_FREE char *text = NULL;

    job->state = JOB_FAILED;
    job->reason = REASON_NON_ZERO_EXIT;
    job->exit_status = 3 << 8;
    job->end_time = job->start_time;
    spec->requeue = REQUEUE_NO;
    spec->share = SHARE_EXCLUSIVE;
    body->std_out = xstrdup("/tmp/o.%j");
    text = shown(false, false);

    ck_assert_ptr_nonnull(strstr(text, "JobState=FAILED Reason=NonZeroExitCode"));
    ck_assert_ptr_nonnull(strstr(text, "Requeue=0 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=3:0\n"));
    ck_assert_ptr_nonnull(strstr(text, "RunTime=00:00:00 "));
    ck_assert_ptr_nonnull(strstr(text, "OverSubscribe=NO "));
    ck_assert_ptr_nonnull(
        strstr(text, "StdErr=/tmp/o.2\n   StdIn=/dev/null\n   StdOut=/tmp/o.2\n"));
}
END_TEST

START_TEST(a_killed_job_shows_its_signal)
{
    AUTO_FREE char *text = NULL;

    job->state = JOB_CANCELLED;
    job->exit_status = 15;
    text = shown(false, false);

    ck_assert_ptr_nonnull(strstr(text, "ExitCode=0:15\n"));
}
END_TEST

START_TEST(a_job_of_srun_has_no_files)
{
    AUTO_FREE char *text = NULL;

    spec->kind = JOB_KIND_RUN;
    xstrset(&body->command, "/bin/hostname");
    text = shown(false, false);

    ck_assert_ptr_nonnull(strstr(text, "BatchFlag=0"));
    ck_assert_ptr_nonnull(strstr(text, "   Command=/bin/hostname\n   WorkDir=/home/ann\n"));
    ck_assert_ptr_null(strstr(text, "StdOut="));
}
END_TEST

/* ---- steps ---- */

static char *shown_step(const struct step_record *step)
{
    const struct show show = { 0 };
    struct strbuf out = { 0 };

    show_step(&show, step, &out);
    return strbuf_steal(&out);
}

START_TEST(a_step_is_shown_as_slurm_does)
{
    struct step_node nodes[3] = { 0 };
    struct step_record step;
    struct step_spec of_srun;
    AUTO_FREE char *text = NULL;

    step_record_init(&step);
    step_spec_init(&of_srun);
    for (uint32_t i = 0; i < 3; i++)
        step_node_init(&nodes[i]);
    step.job_id = 5;
    step.state = STEP_RUNNING;
    step.start_time = SUBMIT + 3;
    step.partition = (char *)(uintptr_t) "main";
    step.node_list = (char *)(uintptr_t) "worker-[1-3]";
    step.name = (char *)(uintptr_t) "sleep";
    step.nodes = nodes;
    step.nodes_n = step.ncpus = step.ntasks = 3;
    step.spec = &of_srun;
    of_srun.srun_host = (char *)(uintptr_t) "vm";
    of_srun.srun_pid = 6556;
    text = shown_step(&step);

    ck_assert_str_eq(text, "StepId=5.0 UserId=0 StartTime=2026-11-20T21:18:02 TimeLimit=UNLIMITED\n"
                           "   State=RUNNING Partition=main NodeList=worker-[1-3]\n"
                           "   Nodes=3 CPUs=3 Tasks=3 Name=sleep Network=(null)\n"
                           "   TRES=cpu=3,node=3\n"
                           "   ResvPorts=(null)\n"
                           "   CPUFreqReq=Default Dist=Cyclic\n"
                           "   SrunHost:Pid=vm:6556\n"
                           "\n");
}
END_TEST

START_TEST(a_batch_step_has_no_srun)
{
    struct step_record step;
    AUTO_FREE char *text = NULL;

    step_record_init(&step);
    step.job_id = 5;
    step.step_id = STEP_BATCH;
    step.state = STEP_RUNNING;
    text = shown_step(&step);

    ck_assert_ptr_nonnull(strstr(text, "StepId=5.batch UserId=0"));
    ck_assert_ptr_nonnull(strstr(text, "   TRES=(null)\n   ResvPorts=(null)\n"
                                       "   CPUFreqReq=Default\n   SrunHost:Pid=(null):0\n\n"));
}
END_TEST

/* ---- nodes ---- */

static char *name_root(uint32_t uid)
{
    return uid == 0 ? xstrdup("root") : NULL;
}

static char *shown_node(const struct node_info *node, bool details)
{
    const struct show show = { .details = details, .slurmd_port = 6818, .user_name = name_root };
    struct strbuf out = { 0 };

    show_node(&show, node, &out);
    return strbuf_steal(&out);
}

static struct node_info sample_node(struct node_record *record, struct node_hardware *hardware)
{
    static char *partitions[] = { (char *)(uintptr_t) "main", (char *)(uintptr_t) "debug" };
    struct node_info node;

    node_info_init(&node);
    node_record_init(record);
    node_hardware_init(hardware);
    node.node = record;
    record->hardware = hardware;
    record->name = (char *)(uintptr_t) "worker-1";
    record->version = (char *)(uintptr_t) "25.05.0";
    record->slurmd_start = record->last_busy = SUBMIT;
    hardware->arch = (char *)(uintptr_t) "x86_64";
    hardware->os = (char *)(uintptr_t) "Linux 6.1.0 #1 SMP";
    hardware->boot_time = SUBMIT - 5515;
    hardware->cgroup_mode = (char *)(uintptr_t) "v2";
    node.state = NODE_MIXED;
    node.address = (char *)(uintptr_t) "127.0.0.1";
    node.host = (char *)(uintptr_t) "worker-1";
    node.port = 23410;
    node.cpus = node.sockets = 4;
    node.boards = node.cores_per_socket = node.threads_per_core = node.weight = 1;
    node.memory_mb = 4000;
    node.free_memory_mb = 23048;
    node.alloc_cpus = 3;
    node.load_percent = 197;
    node.partitions = partitions;
    node.partitions_n = 2;
    return node;
}

START_TEST(a_node_is_shown_as_slurm_does)
{
    struct node_record record;
    struct node_hardware hardware;
    struct node_info node = sample_node(&record, &hardware);
    AUTO_FREE char *text = shown_node(&node, false);

    ck_assert_str_eq(text,
                     "NodeName=worker-1 Arch=x86_64 CoresPerSocket=1 \n"
                     "   CPUAlloc=3 CPUEfctv=4 CPUTot=4 CPULoad=1.97\n"
                     "   AvailableFeatures=(null)\n"
                     "   ActiveFeatures=(null)\n"
                     "   Gres=(null)\n"
                     "   NodeAddr=127.0.0.1 NodeHostName=worker-1 Port=23410 Version=25.05.0\n"
                     "   OS=Linux 6.1.0 #1 SMP \n"
                     "   RealMemory=4000 AllocMem=0 FreeMem=23048 Sockets=4 Boards=1\n"
                     "   State=MIXED ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A\n"
                     "   Partitions=main,debug \n"
                     "   BootTime=2026-11-20T19:46:04 SlurmdStartTime=2026-11-20T21:17:59\n"
                     "   LastBusyTime=2026-11-20T21:17:59 ResumeAfterTime=None\n"
                     "   CfgTRES=cpu=4,mem=4000M,billing=4\n"
                     "   AllocTRES=cpu=3\n"
                     "   CurrentWatts=0 AveWatts=0\n"
                     "\n");
}
END_TEST

START_TEST(a_drained_node_tells_who_why_and_when)
{
    struct node_record record;
    struct node_hardware hardware;
    struct node_info node = sample_node(&record, &hardware);
    AUTO_FREE char *text = NULL;

    node.flags = NODE_FLAG_DRAIN;
    node.port = 6818;
    node.alloc_cpus = 0;
    record.reason = (char *)(uintptr_t) "bad disk";
    record.reason_time = SUBMIT + 76;
    text = shown_node(&node, true);

    ck_assert_ptr_nonnull(strstr(text, "State=MIXED+DRAIN "));
    ck_assert_ptr_nonnull(strstr(text, "NodeHostName=worker-1 Version="));
    ck_assert_ptr_nonnull(strstr(text, "   Gres=(null)\n   GresDrain=N/A\n   NodeAddr="));
    ck_assert_ptr_nonnull(strstr(text, "Boards=1\n   CgroupMode=v2\n   State="));
    ck_assert_ptr_nonnull(strstr(text, "   AllocTRES=\n   CurrentWatts=0 AveWatts=0\n"
                                       "   Reason=bad disk [root@2026-11-20T21:19:15]\n\n"));
}
END_TEST

START_TEST(a_node_that_never_registered_has_little_to_say)
{
    struct node_record record;
    struct node_hardware hardware;
    struct node_info node = sample_node(&record, &hardware);
    AUTO_FREE char *text = NULL;

    record.hardware = NULL;
    record.version = NULL;
    record.slurmd_start = record.last_busy = 0;
    node.load_percent = COUNT_UNSET;
    node.free_memory_mb = MB_UNSET;
    text = shown_node(&node, true);

    ck_assert_ptr_nonnull(strstr(text, "NodeName=worker-1 CoresPerSocket=1 \n"));
    ck_assert_ptr_nonnull(strstr(text, "CPULoad=N/A\n"));
    ck_assert_ptr_nonnull(strstr(text, "Port=23410\n   RealMemory=4000 AllocMem=0 FreeMem=N/A "));
    ck_assert_ptr_nonnull(strstr(text, "   BootTime=None SlurmdStartTime=None\n"
                                       "   LastBusyTime=Unknown ResumeAfterTime=None\n"));
}
END_TEST

/* ---- partitions ---- */

static struct partition_info sample_partition(void)
{
    struct partition_info part;

    partition_info_init(&part);
    part.name = (char *)(uintptr_t) "main";
    part.nodes = (char *)(uintptr_t) "worker-[1-3]";
    part.is_default = true;
    part.max_time = LIMIT_INFINITE;
    part.max_nodes = part.max_cpus_per_node = COUNT_INFINITE;
    part.priority_tier = part.priority_job_factor = 1;
    part.oversubscribe = (char *)(uintptr_t) "NO";
    part.preempt_mode = (char *)(uintptr_t) "OFF";
    part.total_cpus = 12;
    part.total_nodes = 3;
    part.total_memory_mb = 12000;
    return part;
}

static char *shown_partition(const struct partition_info *part)
{
    const struct show show = { 0 };
    struct strbuf out = { 0 };

    show_partition(&show, part, &out);
    return strbuf_steal(&out);
}

START_TEST(a_partition_is_shown_as_slurm_does)
{
    const struct partition_info part = sample_partition();
    AUTO_FREE char *text = shown_partition(&part);

    ck_assert_str_eq(text,
                     "PartitionName=main\n"
                     "   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL\n"
                     "   AllocNodes=ALL Default=YES QoS=N/A\n"
                     "   DefaultTime=NONE DisableRootJobs=NO ExclusiveUser=NO ExclusiveTopo=NO "
                     "GraceTime=0 Hidden=NO\n"
                     "   MaxNodes=UNLIMITED MaxTime=UNLIMITED MinNodes=0 LLN=NO "
                     "MaxCPUsPerNode=UNLIMITED MaxCPUsPerSocket=UNLIMITED\n"
                     "   Nodes=worker-[1-3]\n"
                     "   PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO "
                     "OverSubscribe=NO\n"
                     "   OverTimeLimit=NONE PreemptMode=OFF\n"
                     "   State=UP TotalCPUs=12 TotalNodes=3 SelectTypeParameters=NONE\n"
                     "   JobDefaults=(null)\n"
                     "   DefMemPerNode=UNLIMITED MaxMemPerNode=UNLIMITED\n"
                     "   TRES=cpu=12,mem=12000M,node=3,billing=12\n"
                     "\n");
}
END_TEST

START_TEST(limits_of_a_partition_are_shown)
{
    struct partition_info part = sample_partition();
    AUTO_FREE char *text = NULL;

    part.is_default = false;
    part.state = PARTITION_DRAIN;
    part.max_time = 1800;
    part.default_time = 60;
    part.max_nodes = 2;
    part.def_mem_per_cpu = 500;
    part.max_mem_per_node = 3000;
    part.deny_accounts = (char *)(uintptr_t) "none";
    part.over_time = 300;
    part.reservation_only = true;
    part.select_params = (char *)(uintptr_t) "CR_CORE_MEMORY";
    part.deny_qos = (char *)(uintptr_t) "low";
    part.alloc_nodes = (char *)(uintptr_t) "login";
    part.max_cpus_per_socket = 2;
    part.def_cpu_per_gpu = 2;
    part.def_mem_per_gpu = 300;
    part.billing_weights = (char *)(uintptr_t) "CPU=1.0";
    text = shown_partition(&part);

    ck_assert_ptr_nonnull(strstr(text, "AllowGroups=ALL DenyAccounts=none DenyQos=low\n"
                                       "   AllocNodes=login Default=NO "));
    ck_assert_ptr_nonnull(strstr(text, " MaxCPUsPerSocket=2\n"));
    ck_assert_ptr_nonnull(strstr(text, "   JobDefaults=DefCpuPerGPU=2,DefMemPerGPU=300\n"));
    ck_assert_ptr_nonnull(strstr(text, "   TRESBillingWeights=CPU=1.0\n"));
    ck_assert_ptr_nonnull(strstr(text, "Default=NO "));
    ck_assert_ptr_nonnull(strstr(text, "DefaultTime=00:01:00 "));
    ck_assert_ptr_nonnull(strstr(text, "MaxNodes=2 MaxTime=00:30:00 "));
    ck_assert_ptr_nonnull(strstr(text, "ReqResv=YES "));
    ck_assert_ptr_nonnull(strstr(text, "   OverTimeLimit=5 PreemptMode=OFF\n   State=DRAIN "));
    ck_assert_ptr_nonnull(strstr(text, "SelectTypeParameters=CR_CORE_MEMORY\n"));
    ck_assert_ptr_nonnull(strstr(text, "   DefMemPerCPU=500 MaxMemPerNode=3000\n"));
}
END_TEST

CHECK_MAIN_WITH(show, before, after, CASE(every_column_leads_to_a_value),
                CASE(a_running_batch_job_is_shown_as_slurm_does),
                CASE(details_tell_exit_codes_of_steps_and_cpus_by_node),
                CASE(details_sum_up_what_all_nodes_give),
                CASE(details_of_a_job_that_is_over_still_tell_its_nodes),
                CASE(one_line_holds_the_whole_record),
                CASE(a_waiting_job_has_no_nodes_and_unknown_times),
                CASE(what_a_job_asks_about_its_place_is_shown),
                CASE(threads_for_the_system_are_shown_instead_of_cores),
                CASE(a_planned_job_tells_when_and_where), CASE(a_failed_job_shows_how_it_ended),
                CASE(a_killed_job_shows_its_signal), CASE(a_job_of_srun_has_no_files),
                CASE(a_step_is_shown_as_slurm_does), CASE(a_batch_step_has_no_srun),
                CASE(a_node_is_shown_as_slurm_does), CASE(a_drained_node_tells_who_why_and_when),
                CASE(a_node_that_never_registered_has_little_to_say),
                CASE(a_partition_is_shown_as_slurm_does), CASE(limits_of_a_partition_are_shown))
