#include "common/base/safe_path.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/base/strbuf.h"

#define LINKS_MAX 40 /* as the kernel */
#define TRIES     16 /* when a file comes and goes */

/* The state of a walk. */
struct walk {
    int fd;             /* the directory */
    struct strbuf text; /* its path, "" for "/" */
    char *rest;         /* what is to be walked yet */
    char *unsafe;
    bool is_sticky; /* others may make entries, and not touch those of others */
    bool makes;
    int links;
};

static bool is_trusted(uid_t uid)
{
    return uid == 0 || uid == geteuid();
}

static int fail(const char *path, int code, struct err *err)
{
    return err_set(err, code, "%s: %s", path, strerror(code));
}

/* ---- what others can change ---- */

static void set_unsafe(struct walk *walk, char *why)
{
    if (walk->unsafe)
        free(why);
    else
        walk->unsafe = why;
}

static void judge_dir(struct walk *walk, const struct stat *status)
{
    const char *path = walk->text.len ? walk->text.data : "/";
    const bool is_shared = status->st_mode & (S_IWGRP | S_IWOTH);

    walk->is_sticky = is_shared && (status->st_mode & S_ISVTX);
    if (!is_trusted(status->st_uid))
        set_unsafe(walk, xasprintf("%s belongs to uid %u, not to root: chown root %s", path,
                                   status->st_uid, path));
    else if (is_shared && !walk->is_sticky)
        set_unsafe(walk, xasprintf("%s can be written by others (mode %04o): chmod go-w %s", path,
                                   status->st_mode & 07777u, path));
}

/* Judges an entry of a directory. In one like /tmp only the owner of a name can change it. */
static void judge_entry(struct walk *walk, const char *name, const struct stat *status)
{
    if (walk->is_sticky && !is_trusted(status->st_uid))
        set_unsafe(walk, xasprintf("%s/%s belongs to uid %u, and %s is open to all",
                                   strbuf_text(&walk->text), name, status->st_uid,
                                   strbuf_text(&walk->text)));
}

/* ---- walking ---- */

static int begin(struct walk *walk, struct err *err)
{
    struct stat status;

    free(walk->unsafe);
    walk->unsafe = NULL;
    if (walk->fd >= 0)
        close(walk->fd);
    strbuf_clear(&walk->text);
    walk->fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (walk->fd < 0 || fstat(walk->fd, &status) < 0)
        return fail("/", errno, err);
    judge_dir(walk, &status);
    return 0;
}

static bool is_magic(int dir_fd)
{
    struct statfs fs;

    return fstatfs(dir_fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/* Follows a link: the rest of the path becomes what the link names, then what came behind it. */
static int follow(struct walk *walk, int fd, const char *name, struct err *err)
{
    AUTO_FREE char *path = xasprintf("%s/%s", strbuf_text(&walk->text), name);
    AUTO_FREE char *rest = STEAL(walk->rest);
    char target[PATH_MAX];
    ssize_t n = readlinkat(fd, "", target, sizeof(target) - 1);

    if (n < 0)
        return fail(path, errno, err);
    if (walk->unsafe && geteuid() == 0)
        return err_set(err, ELOOP, "%s is a link that root does not follow: %s", path,
                       walk->unsafe);
    if (++walk->links > LINKS_MAX)
        return fail(path, ELOOP, err);
    target[n] = '\0';
    walk->rest = xasprintf("%s/%s", target, rest);
    return target[0] == '/' ? begin(walk, err) : 0;
}

static int open_entry(struct walk *walk, const char *name, bool is_last)
{
    int fd = openat(walk->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

    if (fd >= 0 || errno != ENOENT || is_last || !walk->makes)
        return fd;
    if (mkdirat(walk->fd, name, 0755) < 0 && errno != EEXIST)
        return -1;
    return openat(walk->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

static void enter(struct walk *walk, int *fd, const char *name, const struct stat *status)
{
    close(walk->fd);
    walk->fd = steal_fd(fd);
    if (strcmp(name, ".") != 0)
        strbuf_addf(&walk->text, "/%s", name);
    judge_dir(walk, status);
}

/* Takes the next name off the rest of the path. Returns true when it was the last. */
static bool take_name(struct walk *walk, char **ret_name)
{
    const char *at = walk->rest + strspn(walk->rest, "/");
    const size_t n = strcspn(at, "/");
    char *rest = xstrdup(at + n);

    *ret_name = n ? xstrndup(at, n) : xstrdup(".");
    free(walk->rest);
    walk->rest = rest;
    return rest[strspn(rest, "/")] == '\0';
}

/* Walks one name further. Returns 1 after the last one, which is then in *ret_name. */
static int step(struct walk *walk, char **ret_name, struct err *err)
{
    AUTO_FREE char *name = NULL;
    const bool is_last = take_name(walk, &name);
    AUTO_CLOSE int fd = open_entry(walk, name, is_last);
    struct stat status;

    if (fd < 0 && !(errno == ENOENT && is_last)) {
        const int code = errno;
        AUTO_FREE char *path = xasprintf("%s/%s", strbuf_text(&walk->text), name);

        return fail(path, code, err);
    }
    if (fd >= 0 && fstat(fd, &status) < 0)
        return fail(name, errno, err);
    if (fd >= 0)
        judge_entry(walk, name, &status);
    if (fd >= 0 && S_ISLNK(status.st_mode) && !(is_last && is_magic(walk->fd)))
        return follow(walk, fd, name, err);
    if (is_last) {
        *ret_name = STEAL(name);
        return 1;
    }
    if (!S_ISDIR(status.st_mode))
        return fail(name, ENOTDIR, err);
    enter(walk, &fd, name, &status);
    return 0;
}

static int walk_all(struct walk *walk, struct safe_path *ret, struct err *err)
{
    char *name = NULL;
    int rc = begin(walk, err);

    while (rc == 0)
        rc = step(walk, &name, err);
    if (rc < 0)
        return rc;
    *ret = (struct safe_path){ .dir_fd = steal_fd(&walk->fd),
                               .name = name,
                               .text = xasprintf("%s/%s", strbuf_text(&walk->text), name),
                               .unsafe = STEAL(walk->unsafe),
                               .is_open = walk->is_sticky };
    return 0;
}

static int find(const char *path, bool makes, struct safe_path *ret, struct err *err)
{
    AUTO_FREE char *here = path[0] == '/' ? NULL : realpath(".", NULL);
    struct walk walk = { .fd = -1, .makes = makes };
    int rc;

    walk.rest = xasprintf("%s/%s", here ? here : "", path);
    rc = *path ? walk_all(&walk, ret, err) : fail("''", ENOENT, err);
    if (walk.fd >= 0)
        close(walk.fd);
    strbuf_clear(&walk.text);
    free(walk.rest);
    free(walk.unsafe);
    return rc;
}

int safe_path_find(const char *path, struct safe_path *ret, struct err *err)
{
    return find(path, false, ret, err);
}

int safe_path_make(const char *path, struct safe_path *ret, struct err *err)
{
    return find(path, true, ret, err);
}

void safe_path_clear(struct safe_path *path)
{
    if (path->name)
        close(path->dir_fd);
    free(path->name);
    free(path->text);
    free(path->unsafe);
    *path = (struct safe_path){ .dir_fd = -1 };
}

void safe_path_auto_(struct safe_path *path)
{
    safe_path_clear(path);
}

/* ---- opening ---- */

/* Opens or makes the file, never through a link that somebody makes meanwhile. */
static int open_or_make(const struct safe_path *path, const struct safe_file *file, bool *ret_new)
{
    const int link = is_magic(path->dir_fd) ? 0 : O_NOFOLLOW;
    const int flags = file->flags | link | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

    for (int i = 0; i < TRIES; i++) {
        int fd = openat(path->dir_fd, path->name, flags);

        *ret_new = false;
        if (fd >= 0 || errno != ENOENT)
            return fd;
        *ret_new = true;
        fd = openat(path->dir_fd, path->name, flags | O_CREAT | O_EXCL, file->mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Returns whether the place is safe. Where all may write, the file may have come after the walk. */
static bool is_safe(const struct safe_path *path, const struct stat *status)
{
    return !path->unsafe && !(path->is_open && !is_trusted(status->st_uid));
}

/*
 * Checks that a file in an unsafe place was not put there for root to write into, or to give away.
 */
static int check_kind(const struct safe_path *path, const struct safe_file *file,
                      const struct stat *status, struct err *err)
{
    const char *unsafe = path->unsafe ? path->unsafe : "its directory is open to all";
    struct stat dir;

    if (!S_ISREG(status->st_mode))
        return err_set(err, EINVAL, "'%s' is not a regular file, and %s", path->text, unsafe);
    if (status->st_nlink != 1)
        return err_set(err, EPERM, "'%s' has %lu names (hard links), and %s", path->text,
                       (unsigned long)status->st_nlink, unsafe);
    if (fstat(path->dir_fd, &dir) < 0)
        return fail(path->text, errno, err);
    if (is_trusted(status->st_uid) || status->st_uid == file->uid || status->st_uid == dir.st_uid)
        return 0;
    return err_set(err, EPERM, "'%s' belongs to uid %u, and %s", path->text, status->st_uid,
                   unsafe);
}

static int hand_over(int fd, const struct safe_path *path, const struct safe_file *file,
                     const struct stat *status, struct err *err)
{
    if (geteuid() != 0 || file->uid == (uid_t)-1 || status->st_uid == file->uid ||
        !S_ISREG(status->st_mode) || status->st_nlink != 1)
        return 0;
    if (fchown(fd, file->uid, file->gid) < 0)
        return err_set(err, errno, "cannot give '%s' to uid %u: %s", path->text, file->uid,
                       strerror(errno));
    return 0;
}

int safe_path_open(const struct safe_path *path, const struct safe_file *file, struct err *err)
{
    bool is_new;
    AUTO_CLOSE int fd = open_or_make(path, file, &is_new);
    struct stat status;
    int rc;

    if (fd < 0 || fstat(fd, &status) < 0)
        return err_set(err, errno, "cannot open '%s': %s", path->text, strerror(errno));
    if (geteuid() == 0 && !is_new && !is_safe(path, &status))
        rc = check_kind(path, file, &status, err);
    else
        rc = hand_over(fd, path, file, &status, err);
    if (rc == 0 && fcntl(fd, F_SETFL, file->flags) < 0)
        rc = fail(path->text, errno, err);
    return rc < 0 ? rc : steal_fd(&fd);
}

int safe_open(const char *path, const struct safe_file *file, struct err *err)
{
    AUTO(safe_path) struct safe_path found = { .dir_fd = -1 };
    int rc = safe_path_find(path, &found, err);

    return rc < 0 ? rc : safe_path_open(&found, file, err);
}

int safe_own_dir(int dir_fd, const char *name, mode_t mode, const char *text, struct err *err)
{
    AUTO_CLOSE int fd = -1;
    struct stat status;

    if (mkdirat(dir_fd, name, mode) < 0 && errno != EEXIST)
        return err_set(err, errno, "cannot make %s: %s", text, strerror(errno));
    fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) < 0)
        return err_set(err, errno, "cannot open %s: %s", text, strerror(errno));
    if (status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)))
        return err_set(err, EPERM,
                       "%s belongs to uid %u (mode %04o), and must be uid %u's and writable by "
                       "nobody else: remove it",
                       text, status.st_uid, status.st_mode & 07777u, geteuid());
    return steal_fd(&fd);
}
