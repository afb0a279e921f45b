#include "noded/stepd/container.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/safe_path.h"
#include "common/text/words.h"
#include "noded/stepd/init_script.h"

#define SHM       "/dev/shm"
#define SHM_NAME  ".shm"
#define DEPTH_MAX 256 /* of directories that are removed at once; descriptors are few */

static bool is_on(const struct conf_container *container)
{
    return container && container->base_path;
}

static char *job_dir(const struct conf_container *container, uint32_t job_id)
{
    return xasprintf("%s/%u", container->base_path, job_id);
}

/* Returns what the job's own version of `dir` is called, in the job's directory. */
static char *source_name(uint32_t job_id, const char *dir)
{
    char *name;

    if (strcmp(dir, SHM) == 0)
        return xstrdup(SHM_NAME);
    if (strcmp(dir, "/tmp") == 0)
        return xasprintf(".%u", job_id);
    name = xasprintf(".%u%s", job_id, dir);
    for (char *at = name; *at; at++) {
        if (*at == '/')
            *at = '_';
    }
    return name;
}

static int open_dir(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* A name of a descriptor, for mount and such, which take no descriptors. */
struct fd_path {
    char text[64];
};

static struct fd_path path_of(int fd)
{
    struct fd_path path;

    snprintf(path.text, sizeof(path.text), "/proc/self/fd/%d", fd);
    return path;
}

/* Returns whether something is mounted on it. */
static bool is_mounted(int job_fd, int fd)
{
    struct stat job, status;

    return fstat(job_fd, &job) == 0 && fstat(fd, &status) == 0 && job.st_dev != status.st_dev;
}

/* ---- whom the place belongs to ---- */

/* Opens BasePath. Whoever could exchange it, or a directory above it, would choose where root
 * mounts. */
static int open_base(const struct conf_container *container, struct err *err)
{
    AUTO_FREE char *path = xasprintf("%s/.", container->base_path);
    AUTO(safe_path) struct safe_path found = { .dir_fd = -1 };
    int rc = container->auto_base_path ? safe_path_make(path, &found, err)
                                       : safe_path_find(path, &found, err);

    if (rc == 0 && found.unsafe)
        rc = err_set(err, EPERM, "%s", found.unsafe);
    if (rc < 0)
        return err_prefix(err, "BasePath of job_container.conf");
    rc = open_dir(found.dir_fd, ".");
    return rc < 0 ? err_set(err, errno, "BasePath=%s: %s", container->base_path, strerror(errno))
                  : rc;
}

int as_root_container_check(const struct conf_container *container, struct err *err)
{
    AUTO_CLOSE int base = is_on(container) ? open_base(container, err) : -1;

    return is_on(container) && base < 0 ? steal_fd(&base) : 0;
}

/* Opens the job's directory, made if need be: root's, so that all below it is what root has
 * made. */
static int open_job(const struct conf_container *container, uint32_t job_id, struct err *err)
{
    AUTO_FREE char *path = job_dir(container, job_id);
    AUTO_CLOSE int base = open_base(container, err);

    if (base < 0)
        return steal_fd(&base);
    return safe_own_dir(base, strrchr(path, '/') + 1, 0700, path, err);
}

/* ---- making ---- */

static int own_dir(int job_fd, const char *name, const struct launch_cred *cred, struct err *err)
{
    if (mkdirat(job_fd, name, 0700) < 0)
        return errno == EEXIST ? 0
                               : err_set(err, errno, "cannot make %s: %s", name, strerror(errno));
    if (fchownat(job_fd, name, cred->uid, cred->gid, AT_SYMLINK_NOFOLLOW) < 0)
        return err_set(err, errno, "cannot give %s to user %s: %s", name, cred->user_name,
                       strerror(errno));
    return 0;
}

/* Mounts the tmpfs in the node's own namespace, so that all steps of the job find the same. */
static int mount_shm(int job_fd, struct err *err)
{
    AUTO_CLOSE int fd = -1;

    if (mkdirat(job_fd, SHM_NAME, 0700) < 0 && errno != EEXIST)
        return err_set(err, errno, "cannot make %s: %s", SHM_NAME, strerror(errno));
    fd = open_dir(job_fd, SHM_NAME);
    if (fd < 0)
        return err_set(err, errno, "cannot open %s: %s", SHM_NAME, strerror(errno));
    if (!is_mounted(job_fd, fd) &&
        mount("tmpfs", path_of(fd).text, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") < 0)
        return err_set(err, errno, "cannot mount %s: %s", SHM_NAME, strerror(errno));
    return 0;
}

static int make_all(int job_fd, const struct conf_container *container,
                    const struct launch_cred *cred, struct err *err)
{
    AUTO(words) struct words dirs = words_split(container->dirs, ",");
    int rc = mount_shm(job_fd, err); /* also where jobs do not see it: it tells this boot's jobs */

    for (uint32_t i = 0; i < dirs.n && rc == 0; i++) {
        AUTO_FREE char *name = source_name(cred->job_id, dirs.at[i]);

        if (strcmp(dirs.at[i], SHM) != 0)
            rc = own_dir(job_fd, name, cred, err);
    }
    return rc;
}

/* Runs the InitScript for the first of the job's steps, which finds nothing there yet. Needs the
 * job's lock. */
static int prepare(int job_fd, const struct conf_container *container,
                   const struct launch_cred *cred, struct err *err)
{
    AUTO_FREE char *path = job_dir(container, cred->job_id);
    int rc;

    if (faccessat(job_fd, SHM_NAME, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return 0;
    rc = as_root_init_script_run(container, cred, path, err);
    if (rc < 0)
        (void)rmdir(path);
    return rc;
}

int as_root_container_make(const struct conf_container *container, const struct launch_cred *cred,
                           struct err *err)
{
    AUTO_CLOSE int job_fd = -1;
    int rc;

    if (!is_on(container))
        return 0;
    job_fd = open_job(container, cred->job_id, err);
    if (job_fd < 0)
        return steal_fd(&job_fd);
    if (flock(job_fd, LOCK_EX) < 0) /* another step of the job may do the same now */
        return err_set(err, errno, "cannot lock the job's directory: %s", strerror(errno));
    rc = prepare(job_fd, container, cred, err);
    if (rc < 0)
        return rc;
    rc = make_all(job_fd, container, cred, err);
    return rc < 0 ? err_prefix(err, "%s/%u", container->base_path, cred->job_id) : 0;
}

/* ---- entering ---- */

/* Opens what root mounts over, which must be what the administrator named. */
static int open_target(const char *dir, struct err *err)
{
    AUTO(safe_path) struct safe_path found = { .dir_fd = -1 };
    int rc = safe_path_find(dir, &found, err);

    if (rc == 0 && found.unsafe)
        rc = err_set(err, EPERM, "%s", found.unsafe);
    if (rc < 0)
        return err_prefix(err, "Dirs=%s of job_container.conf", dir);
    rc = openat(found.dir_fd, found.name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return rc < 0 ? err_set(err, errno, "Dirs=%s: %s", dir, strerror(errno)) : rc;
}

static int replace(int job_fd, uint32_t job_id, const char *dir, struct err *err)
{
    AUTO_FREE char *name = source_name(job_id, dir);
    AUTO_CLOSE int source = open_dir(job_fd, name), target = open_target(dir, err);

    if (target < 0)
        return steal_fd(&target);
    if (source < 0 ||
        mount(path_of(source).text, path_of(target).text, NULL, MS_BIND | MS_REC, NULL) < 0)
        return err_set(err, errno, "cannot put %s of job %u in the place of %s: %s", name, job_id,
                       dir, strerror(errno));
    return 0;
}

int as_root_container_enter(const struct conf_container *container, const struct launch_cred *cred,
                            struct err *err)
{
    AUTO(words) struct words dirs = { 0 };
    AUTO_CLOSE int job_fd = -1;
    int rc = 0;

    if (!is_on(container))
        return 0;
    if (unshare(CLONE_NEWNS) < 0)
        return err_set(err, errno, "cannot leave the node's mounts: %s", strerror(errno));
    if (mount("none", "/", NULL, MS_REC | (container->shared ? MS_SLAVE : MS_PRIVATE), NULL) < 0)
        return err_set(err, errno, "cannot keep mounts to the job: %s", strerror(errno));
    job_fd = open_job(container, cred->job_id, err); /* of this namespace's mounts */
    if (job_fd < 0)
        return steal_fd(&job_fd);
    dirs = words_split(container->dirs, ",");
    for (uint32_t i = 0; i < dirs.n && rc == 0; i++)
        rc = replace(job_fd, cred->job_id, dirs.at[i], err);
    return rc;
}

/* ---- removing ---- */

/* A removal of one job's directory. What lies too deep is put into it and removed from there. */
struct removal {
    int job_fd;
    dev_t device;
    uint32_t names; /* tried so far */
    bool is_deeper; /* something was put there and is yet to be removed */
};

static void lift(struct removal *removal, int parent, const char *name)
{
    int rc;

    do {
        AUTO_FREE char *lifted = xasprintf(".lifted.%u", removal->names++);

        rc = renameat(parent, name, removal->job_fd, lifted);
    } while (rc < 0 && (errno == EEXIST || errno == ENOTEMPTY)); /* of a removal that was ended */
    removal->is_deeper |= rc == 0;
}

/* Removes by descriptors, never through a link, and never into another file system. */
static void remove_at(struct removal *removal, int parent, const char *name, int depth)
{
    int fd = open_dir(parent, name);
    struct stat status;
    struct dirent *entry;
    DIR *dir;

    if (fd < 0) {
        (void)unlinkat(parent, name, 0);
        return;
    }
    if (depth == DEPTH_MAX)
        lift(removal, parent, name);
    if (depth == DEPTH_MAX || fstat(fd, &status) < 0 || status.st_dev != removal->device ||
        !(dir = fdopendir(fd))) {
        close(fd);
        return;
    }
    while ((entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove_at(removal, fd, entry->d_name, depth + 1);
    }
    closedir(dir);
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

/* Opens a job's directory that is root's: whatever else has such a name there is not ours. */
static int open_old_job(int base, const char *name)
{
    AUTO_CLOSE int fd = open_dir(base, name);
    struct stat status;

    if (fd < 0 || fstat(fd, &status) < 0 || status.st_uid != geteuid() ||
        (status.st_mode & (S_IWGRP | S_IWOTH)))
        return -1;
    return steal_fd(&fd);
}

static void remove_job(int base, const char *name)
{
    AUTO_CLOSE int job_fd = open_old_job(base, name);
    AUTO_FREE char *shm = xasprintf("%s/%s", path_of(job_fd).text, SHM_NAME);
    struct removal removal = { .job_fd = job_fd };
    struct stat status;

    if (job_fd < 0)
        return;
    (void)umount2(shm, MNT_DETACH | UMOUNT_NOFOLLOW);
    if (fstat(base, &status) < 0)
        return;
    removal.device = status.st_dev;
    do {
        removal.is_deeper = false;
        remove_at(&removal, base, name, 0);
    } while (removal.is_deeper);
}

/* Removes in a process of its own, since files of a job may be many and nobody waits for them. The
 * daemon reaps all its children. */
void as_root_container_remove(const struct conf_container *container, uint32_t job_id)
{
    AUTO_FREE char *path = is_on(container) ? job_dir(container, job_id) : NULL;
    int base;

    if (!path || access(path, F_OK) < 0 || fork() != 0)
        return;
    (void)close_range(3, ~0U, 0); /* locks and sockets of the daemon must end with it */
    base = open_base(container, NULL);
    if (base >= 0)
        remove_job(base, strrchr(path, '/') + 1);
    _exit(EXIT_SUCCESS);
}

static bool is_of_this_boot(int base, const char *name)
{
    AUTO_CLOSE int job_fd = open_old_job(base, name);
    AUTO_CLOSE int shm = job_fd < 0 ? -1 : open_dir(job_fd, SHM_NAME);

    return shm >= 0 && is_mounted(job_fd, shm);
}

void as_root_container_sweep(const struct conf_container *container)
{
    AUTO_CLOSE int base = is_on(container) ? open_base(container, NULL) : -1;
    const int copy = base < 0 ? -1 : open_dir(base, ".");
    DIR *dir = copy < 0 ? NULL : fdopendir(copy);
    struct dirent *entry;
    uint64_t job_id;

    while (dir && (entry = readdir(dir))) {
        if (number_parse(entry->d_name, 1, UINT32_MAX, &job_id, NULL) == 0 &&
            !is_of_this_boot(base, entry->d_name))
            as_root_container_remove(container, (uint32_t)job_id);
    }
    if (dir)
        closedir(dir);
}
