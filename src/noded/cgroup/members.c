/* Finds the members of a step, and signals, freezes and kills them. */
#include "noded/cgroup/hierarchy.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "noded/cgroup/descent.h"
#include "noded/cgroup/files.h"

#define FREEZE_CHECKS 25
#define FREEZE_NS     200000

int cgroup_members(const struct cgroup *cgroup, pid_t **ret_pids)
{
    uint32_t n = 0;

    *ret_pids = NULL;
    if (cgroup->mode != CGROUP_NONE)
        cgroup_files_pids(cgroup->dirs[TRACK], ret_pids, &n);
    else if (cgroup->owner > 0)
        descent_pids(cgroup->owner, ret_pids, &n);
    return (int)n;
}

int cgroup_signal(const struct cgroup *cgroup, int signal, pid_t except)
{
    AUTO_FREE pid_t *pids = NULL;
    int n = cgroup_members(cgroup, &pids), signalled = 0;

    for (int i = 0; i < n; i++) {
        if (pids[i] == except || pids[i] == getpid())
            continue;
        (void)kill(pids[i], signal); /* it may just have ended */
        signalled++;
    }
    return signalled;
}

static bool is_frozen(const struct cgroup *cgroup)
{
    AUTO(strbuf) struct strbuf state = { 0 };

    if (cgroup->mode == CGROUP_V2)
        return cgroup_file_number(cgroup->tasks_dir, "cgroup.events", "frozen") == 1;
    return cgroup_file_read(cgroup->tasks_dir, "freezer.state", &state) < 0 ||
           strncmp(strbuf_text(&state), "FROZEN", 6) == 0;
}

static int set_frozen(const struct cgroup *cgroup, bool frozen)
{
    if (cgroup->mode == CGROUP_V2)
        return cgroup_file_write(cgroup->tasks_dir, "cgroup.freeze", frozen ? "1" : "0");
    return cgroup_file_write(cgroup->tasks_dir, "freezer.state", frozen ? "FROZEN" : "THAWED");
}

void cgroup_freeze(const struct cgroup *cgroup, bool freeze, pid_t except)
{
    int rc = cgroup->mode == CGROUP_NONE ? -1 : set_frozen(cgroup, freeze);

    if (rc < 0 || !freeze)
        (void)cgroup_signal(cgroup, freeze ? SIGSTOP : SIGCONT, except);
}

static int count_others(const pid_t *pids, int n, pid_t except)
{
    int others = 0;

    for (int i = 0; i < n; i++)
        others += pids[i] != except;
    return others;
}

/* Kills frozen members, which can neither fork nor end and give their pid to another process while
 * we count. */
static void kill_frozen(const struct cgroup *cgroup, pid_t except)
{
    const struct timespec pause = { .tv_nsec = FREEZE_NS };

    (void)set_frozen(cgroup, true);
    for (int i = 0; i < FREEZE_CHECKS && !is_frozen(cgroup); i++)
        (void)nanosleep(&pause, NULL);
    (void)cgroup_signal(cgroup, SIGKILL, except);
    (void)set_frozen(cgroup, false); /* v1 delivers a SIGKILL only to the thawed */
}

/* Kills by cgroup.kill, which kernels from 5.14 on have on v2; returns false elsewhere. */
static bool kill_at_once(const struct cgroup *cgroup)
{
    return cgroup->mode == CGROUP_V2 &&
           cgroup_file_write(cgroup->tasks_dir, "cgroup.kill", "1") == 0;
}

int cgroup_kill(const struct cgroup *cgroup, pid_t except)
{
    AUTO_FREE pid_t *pids = NULL;
    int n = cgroup_members(cgroup, &pids);

    n = count_others(pids, n, except);
    if (n == 0)
        return 0;
    if (cgroup->mode == CGROUP_NONE)
        (void)cgroup_signal(cgroup, SIGSTOP, except);
    if (cgroup->mode == CGROUP_NONE || kill_at_once(cgroup))
        (void)cgroup_signal(cgroup, SIGKILL, except); /* also who never got among the tasks */
    else
        kill_frozen(cgroup, except);
    return n;
}
