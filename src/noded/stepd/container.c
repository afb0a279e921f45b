#include "noded/stepd/container.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/proc/daemon.h"
#include "common/text/words.h"
#include "noded/stepd/init_script.h"

#define SHM       "/dev/shm"
#define DEPTH_MAX 256 /* of directories that are removed; descriptors are few */

static bool is_on(const struct conf_container *container)
{
    return container && container->base_path;
}

static char *job_dir(const struct conf_container *container, uint32_t job_id)
{
    return xasprintf("%s/%u", container->base_path, job_id);
}

/* Where the job's own version of `dir` is. */
static char *source_of(const struct conf_container *container, uint32_t job_id, const char *dir)
{
    AUTO_FREE char *base = job_dir(container, job_id);
    char *path;

    if (strcmp(dir, SHM) == 0)
        return xasprintf("%s/.shm", base);
    if (strcmp(dir, "/tmp") == 0)
        return xasprintf("%s/.%u", base, job_id);
    path = xasprintf("%s/.%u%s", base, job_id, dir);
    for (char *at = path + strlen(base) + 1; *at; at++) {
        if (*at == '/')
            *at = '_';
    }
    return path;
}

/* ---- making ---- */

static int own_dir(const char *path, const struct launch_cred *cred, struct err *err)
{
    if (mkdir(path, 0700) < 0)
        return errno == EEXIST ? 0
                               : err_set(err, errno, "cannot make %s: %s", path, strerror(errno));
    if (lchown(path, cred->uid, cred->gid) < 0)
        return err_set(err, errno, "cannot give %s to user %s: %s", path, cred->user_name,
                       strerror(errno));
    return 0;
}

static bool is_tmpfs(const char *path)
{
    struct statfs fs;

    return statfs(path, &fs) == 0 && fs.f_type == TMPFS_MAGIC;
}

/* In the node's own namespace, so that all steps of the job find the same. */
static int mount_shm(const char *path, struct err *err)
{
    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        return err_set(err, errno, "cannot make %s: %s", path, strerror(errno));
    if (!is_tmpfs(path) && mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") < 0)
        return err_set(err, errno, "cannot mount %s: %s", path, strerror(errno));
    return 0;
}

static int make_all(const struct conf_container *container, const struct launch_cred *cred,
                    struct err *err)
{
    AUTO(words) struct words dirs = words_split(container->dirs, ",");
    AUTO_FREE char *shm = source_of(container, cred->job_id, SHM);
    int rc = mount_shm(shm, err); /* also where jobs do not see it: it tells this boot's jobs */

    for (uint32_t i = 0; i < dirs.n && rc == 0; i++) {
        AUTO_FREE char *path = source_of(container, cred->job_id, dirs.at[i]);

        if (strcmp(dirs.at[i], SHM) != 0)
            rc = own_dir(path, cred, err);
    }
    return rc;
}

/* Under the job's lock: the first of its steps finds nothing there yet. */
static int prepare(const struct conf_container *container, const struct launch_cred *cred,
                   const char *path, struct err *err)
{
    AUTO_FREE char *shm = source_of(container, cred->job_id, SHM);
    int rc;

    if (access(shm, F_OK) == 0)
        return 0;
    rc = as_root_init_script_run(container, cred, path, err);
    if (rc < 0)
        (void)rmdir(path);
    return rc;
}

int as_root_container_make(const struct conf_container *container, const struct launch_cred *cred,
                           struct err *err)
{
    AUTO_FREE char *path = NULL;
    AUTO_CLOSE int lock = -1;
    int rc = 0;

    if (!is_on(container))
        return 0;
    if (container->auto_base_path)
        rc = proc_make_dir(container->base_path, 0755, (uid_t)-1, (gid_t)-1, err);
    if (rc < 0)
        return rc;
    path = job_dir(container, cred->job_id);
    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        return err_set(err, errno, "cannot make %s (BasePath of job_container.conf): %s", path,
                       strerror(errno));
    lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock < 0 || flock(lock, LOCK_EX) < 0) /* another step of the job may do the same now */
        return err_set(err, errno, "cannot lock %s: %s", path, strerror(errno));
    rc = prepare(container, cred, path, err);
    return rc < 0 ? rc : make_all(container, cred, err);
}

/* ---- entering ---- */

int as_root_container_enter(const struct conf_container *container, const struct launch_cred *cred,
                            struct err *err)
{
    AUTO(words) struct words dirs = { 0 };

    if (!is_on(container))
        return 0;
    if (unshare(CLONE_NEWNS) < 0)
        return err_set(err, errno, "cannot leave the node's mounts: %s", strerror(errno));
    if (mount("none", "/", NULL, MS_REC | (container->shared ? MS_SLAVE : MS_PRIVATE), NULL) < 0)
        return err_set(err, errno, "cannot keep mounts to the job: %s", strerror(errno));
    dirs = words_split(container->dirs, ",");
    for (uint32_t i = 0; i < dirs.n; i++) {
        AUTO_FREE char *source = source_of(container, cred->job_id, dirs.at[i]);

        if (mount(source, dirs.at[i], NULL, MS_BIND | MS_REC, NULL) < 0)
            return err_set(err, errno, "cannot put %s in the place of %s: %s", source, dirs.at[i],
                           strerror(errno));
    }
    return 0;
}

/* ---- removing ---- */

/* By descriptors, never through a link, and never into another file system. */
static void remove_at(int parent, const char *name, dev_t device, int depth)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    struct dirent *entry;
    DIR *dir;

    if (fd < 0) {
        (void)unlinkat(parent, name, 0);
        return;
    }
    if (fstat(fd, &status) < 0 || status.st_dev != device || depth == DEPTH_MAX ||
        !(dir = fdopendir(fd))) {
        close(fd);
        return;
    }
    while ((entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove_at(fd, entry->d_name, device, depth + 1);
    }
    closedir(dir);
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

static void remove_job(const struct conf_container *container, uint32_t job_id)
{
    AUTO_FREE char *shm = source_of(container, job_id, SHM);
    AUTO_CLOSE int base = open(container->base_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat status;
    char name[16];

    (void)umount2(shm, MNT_DETACH | UMOUNT_NOFOLLOW);
    snprintf(name, sizeof(name), "%u", job_id);
    if (base >= 0 && fstat(base, &status) == 0)
        remove_at(base, name, status.st_dev, 0);
}

/* Files of a job may be many: nobody waits for them. The daemon reaps all its children. */
void as_root_container_remove(const struct conf_container *container, uint32_t job_id)
{
    AUTO_FREE char *path = is_on(container) ? job_dir(container, job_id) : NULL;

    if (!path || access(path, F_OK) < 0 || fork() != 0)
        return;
    (void)close_range(3, ~0U, 0); /* locks and sockets of the daemon must end with it */
    remove_job(container, job_id);
    _exit(EXIT_SUCCESS);
}

void as_root_container_sweep(const struct conf_container *container)
{
    DIR *dir = is_on(container) ? opendir(container->base_path) : NULL;
    struct dirent *entry;
    uint64_t job_id;

    while (dir && (entry = readdir(dir))) {
        if (number_parse(entry->d_name, 1, UINT32_MAX, &job_id, NULL) < 0)
            continue;
        AUTO_FREE char *shm = source_of(container, (uint32_t)job_id, SHM);

        if (!is_tmpfs(shm))
            as_root_container_remove(container, (uint32_t)job_id);
    }
    if (dir)
        closedir(dir);
}
