#include "noded/stepd/init_script.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/proc/signals.h"
#include "common/proc/wait.h"

#define WAIT_S 10

/* Runs in a process and a session of its own: what the script leaves behind ends with it when it
 * takes too long. */
static NO_RETURN void run(const char *path, const struct launch_cred *cred, const char *job_dir)
{
    char *const argv[] = { xstrdup(path), NULL };
    char *const environment[] = {
        xstrdup("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
        xasprintf("SLURM_JOB_ID=%u", cred->job_id),
        xasprintf("SLURM_JOB_UID=%u", cred->uid),
        xasprintf("SLURM_JOB_USER=%s", cred->user_name),
        xasprintf("SLURM_JOB_MOUNTPOINT_SRC=%s", job_dir),
        NULL,
    };
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int i = 0; null >= 0 && i < 3; i++)
        (void)dup2(null, i);
    (void)setsid();
    signals_reset();
    execve(path, argv, environment);
    _exit(127);
}

int as_root_init_script_run(const struct conf_container *container, const struct launch_cred *cred,
                            const char *job_dir, struct err *err)
{
    const char *path = container->init_script;
    AUTO_FREE char *what = path ? xasprintf("InitScript=%s", path) : NULL;
    pid_t pid;

    if (!path)
        return 0;
    pid = fork();
    if (pid < 0)
        return err_set(err, errno, "cannot fork for %s: %s", path, strerror(errno));
    if (pid == 0)
        run(path, cred, job_dir);
    return proc_wait_well(pid, what, WAIT_S, NULL, NULL, err);
}
