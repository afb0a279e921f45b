/* main.c - one executable for all roles; the name it is called by chooses which. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "auth/cli/cli.h"
#include "auth/main/munged.h"
#include "cli/sacct/sacct.h"
#include "cli/salloc/salloc.h"
#include "cli/sattach/sattach.h"
#include "cli/sbatch/sbatch.h"
#include "cli/sbcast/receive.h"
#include "cli/sbcast/sbcast.h"
#include "cli/scancel/scancel.h"
#include "cli/sdiag/sdiag.h"
#include "cli/seff/seff.h"
#include "cli/sinfo/sinfo.h"
#include "cli/scontrol/scontrol.h"
#include "cli/sluice/sluice.h"
#include "cli/sprio/sprio.h"
#include "cli/sreport/sreport.h"
#include "cli/srun/srun.h"
#include "cli/sshare/sshare.h"
#include "cli/squeue/squeue.h"
#include "cli/sstat/sstat.h"
#include "cli/sacctmgr/sacctmgr.h"
#include "cli/strigger/strigger.h"
#include "common/base/alloc.h"
#include "common/names/names.h"
#include "common/names/run_as.h"
#include "common/proc/daemon.h"
#include "common/proc/tied.h"
#include "ctld/main/main.h"
#include "dbd/main.h"
#include "noded/main/main.h"

struct role {
    const char *name;
    int (*main)(int argc, char **argv);
    const char *help;
};

static const struct role roles[] = {
    { "slurmctld", slurmctld_main, "controller" },
    { "slurmd", slurmd_main, "node daemon" },
    { "slurmdbd", slurmdbd_main, "accounts and history of several clusters" },
    { "sbatch", sbatch_main, "submit a batch script" },
    { "srun", srun_main, "run a command as tasks" },
    { "salloc", salloc_main, "get nodes, run a command meanwhile" },
    { "sattach", sattach_main, "join the streams of a step that runs" },
    { "sbcast", sbcast_main, "copy a file to the nodes of a job" },
    { "scancel", scancel_main, "end or signal jobs" },
    { "sinfo", sinfo_main, "list partitions and nodes" },
    { "sacct", sacct_main, "list past and present jobs" },
    { "scontrol", scontrol_main, "show and change what the controller knows" },
    { "sdiag", sdiag_main, "tell how busy the controller is" },
    { "seff", seff_main, "tell how well a job used what it had" },
    { "sprio", sprio_main, "tell what priorities are made of" },
    { "sreport", sreport_main, "report what was held over a time" },
    { "sshare", sshare_main, "list shares and what was used" },
    { "squeue", squeue_main, "list jobs and steps" },
    { "sstat", sstat_main, "tell what running steps use" },
    { "sacctmgr", sacctmgr_main, "accounts, users, QOS and their limits" },
    { "strigger", strigger_main, "run programs when something happens" },
    { "munged", munged_main, "authentication daemon" },
    { "munge", munge_main, "make a credential" },
    { "unmunge", unmunge_main, "check a credential" },
    { "remunge", remunge_main, "count credentials a second" },
    { "mungekey", mungekey_main, "make a key" },
    { "sluice", sluice_main, "the project's own verbs" },
    { RUN_AS_ROLE, run_as_main, "becomes a user, and a program, for slurmctld" },
    { NAMES_ROLE, names_main, "asks the name service for slurmctld" },
    { TIED_ROLE, tied_main, "runs a program that ends with slurmctld" },
    { RECEIVER_ROLE, receive_main, "takes the file of sbcast on a node" },
    { EXTERN_ROLE, extern_main, "stands for what a user does on a node outside of steps" },
};

static const struct role *find_role(const char *name)
{
    for (size_t i = 0; i < ARRAY_N(roles); i++) {
        if (roles[i].name && strcmp(roles[i].name, name) == 0)
            return &roles[i];
    }
    return NULL;
}

/* A disk that is full; not a reader that has seen enough, as of `squeue | head`. */
static bool is_output_lost(void)
{
    struct pollfd output = { .fd = STDOUT_FILENO, .events = POLLOUT };

    if (fflush(stdout) == 0 && !ferror(stdout))
        return false;
    return poll(&output, 1, 0) != 1 || !(output.revents & POLLERR);
}

/* A role that was started as /proc/self/exe would be "exe" in process lists, and to pgrep. */
static int run(const struct role *role, int argc, char **argv)
{
    int status;

    (void)prctl(PR_SET_NAME, role->name);
    status = role->main(argc, argv);
    if (status != 0 || !is_output_lost())
        return status;
    fprintf(stderr, "%s: error: standard output: not all could be written\n", role->name);
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash ? slash + 1 : argv[0];
    const struct role *role = find_role(name);

    (void)proc_open_std(NULL); /* "srun ... >&-": or a socket would be taken for the output */
    if (argc > 1 && strcmp(name, "sluice") == 0 && find_role(argv[1])) /* sluice slurmctld -D */
        return run(find_role(argv[1]), argc - 1, argv + 1);
    if (!role) {
        fprintf(stderr, "%s: not a role of this program\n", name);
        return 2;
    }
    return run(role, argc, argv);
}
