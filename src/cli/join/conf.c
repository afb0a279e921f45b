#include "cli/join/conf.h"

static const char basics[] =
    "# The same file belongs on every host. After a change: `scontrol reconfigure`.\n"
    "# slurm.conf(5) tells every key, and what is the case where none is given.\n"
    "\n";

static const char places[] =
    "# Who the controller runs as, and where daemons keep what they must not lose.\n"
    "SlurmUser=slurm\n"
    "StateSaveLocation=/var/lib/slurm/slurmctld\n"
    "SlurmdSpoolDir=/var/lib/slurm/slurmd\n"
    "SlurmctldPidFile=/run/slurmctld.pid\n"
    "SlurmdPidFile=/run/slurmd.pid\n"
    "SlurmctldLogFile=/var/log/slurm/slurmctld.log\n"
    "SlurmdLogFile=/var/log/slurm/slurmd.log\n"
    "\n"
    "# Jobs are kept together, and to what they were given, by cgroups: see cgroup.conf.\n"
    "ProctrackType=proctrack/cgroup\n"
    "TaskPlugin=task/affinity,task/cgroup\n"
    "JobAcctGatherType=jobacct_gather/cgroup\n"
    "\n"
    "# Jobs get cores. To hand out memory, too, and hold jobs to it:\n"
    "#   SelectTypeParameters=CR_Core_Memory\n"
    "#   DefMemPerCPU=1000\n"
    "SchedulerType=sched/backfill\n"
    "SelectType=select/cons_tres\n"
    "SelectTypeParameters=CR_Core\n"
    "\n"
    "# A node that was away, for whatever reason, takes jobs again when it is back.\n"
    "ReturnToService=2\n"
    "SlurmdTimeout=300\n"
    "\n";

static const char partition[] =
    "\n"
    "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";

const char conf_cgroup[] =
    "# Cores of a job are its own, and memory where slurm.conf hands it out.\n"
    "ConstrainCores=yes\n"
    "ConstrainRAMSpace=yes\n";

void conf_write_slurm(const struct conf_plan *plan, struct strbuf *out)
{
    strbuf_addf(out, "# slurm.conf of cluster %s, as `sluice init` writes it.\n%s", plan->cluster,
                basics);
    strbuf_addf(out, "ClusterName=%s\nSlurmctldHost=%s", plan->cluster, plan->head);
    if (plan->address)
        strbuf_addf(out, "(%s)", plan->address);
    strbuf_addf(out, "\n\n%s", places);
    nodes_begin(plan->hosts, out);
    strbuf_adds(out, partition);
}
