#include "common/proc/daemon.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/alloc.h"

enum { RECORD_MAX = 1 << 20, GROUPS_MAX = 65536 };

void proc_user_clear(struct proc_user *user)
{
    free(user->name);
    free(user->groups);
    *user = (struct proc_user){ 0 };
}

void proc_user_auto_(struct proc_user *user)
{
    proc_user_clear(user);
}

/* ---- looking up ---- */

static bool parse_uid(const char *text, uid_t *ret_uid)
{
    char *end;
    unsigned long value;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    value = strtoul(text, &end, 10);
    if (*end != '\0' || errno != 0 || value >= UINT32_MAX)
        return false;
    *ret_uid = (uid_t)value;
    return true;
}

/* Reads the record of a user; *ret_found is NULL when there is none. */
static int read_record(const char *text, struct passwd *record, char **buffer,
                       struct passwd **ret_found)
{
    uid_t uid;

    for (size_t n = 1024; n <= RECORD_MAX; n *= 2) {
        int code;

        *buffer = xrealloc(*buffer, n);
        code = getpwnam_r(text, record, *buffer, n, ret_found);
        if ((code == 0 || code == ENOENT) && !*ret_found && parse_uid(text, &uid))
            code = getpwuid_r(uid, record, *buffer, n, ret_found);
        if (code != ERANGE)
            return code == ENOENT || code == ESRCH ? 0 : -code;
    }
    return -ERANGE;
}

static void read_groups(struct proc_user *user)
{
    user->groups_n = 32;
    for (;;) {
        int n = user->groups_n;

        user->groups = xreallocarray(user->groups, (size_t)n, sizeof(gid_t));
        if (getgrouplist(user->name, user->gid, user->groups, &user->groups_n) >= 0)
            return;
        if (user->groups_n <= n)
            user->groups_n = 2 * n;
        if (user->groups_n > GROUPS_MAX) { /* nobody is in so many: keep what was read */
            user->groups_n = n;
            return;
        }
    }
}

int proc_user_lookup(const char *text, struct proc_user *ret_user, struct err *err)
{
    struct passwd record, *found = NULL;
    AUTO_FREE char *buffer = NULL;
    struct proc_user user = { 0 };
    int rc = read_record(text, &record, &buffer, &found);

    if (rc < 0)
        return err_set(err, -rc, "user '%.100s' cannot be looked up: %s", text, strerror(-rc));
    if (found) {
        user.name = xstrdup(found->pw_name);
        user.uid = found->pw_uid;
        user.gid = found->pw_gid;
        read_groups(&user);
    } else if (parse_uid(text, &user.uid)) {
        user.name = xstrdup(text);
        user.gid = (gid_t)user.uid;
    } else {
        return err_set(err, ENOENT, "user '%.100s' does not exist", text);
    }
    *ret_user = user;
    return 0;
}

/* The uids of systemd's dynamic users. */
#define DYNAMIC_UID_MIN 61184u
#define DYNAMIC_UID_N   4336u

static bool uid_is_free(uid_t uid)
{
    struct passwd record, *found = NULL;
    char buffer[4096];

    return getpwuid_r(uid, &record, buffer, sizeof(buffer), &found) == 0 && !found;
}

int proc_user_make_up(const char *purpose, struct proc_user *ret_user, struct err *err)
{
    uint32_t hash = 2166136261u;

    for (const char *at = purpose; *at; at++)
        hash = (hash ^ (uint8_t)*at) * 16777619u;
    for (uint32_t i = 0; i < DYNAMIC_UID_N; i++) {
        uid_t uid = DYNAMIC_UID_MIN + (hash + i) % DYNAMIC_UID_N;

        if (!uid_is_free(uid))
            continue;
        *ret_user = (struct proc_user){ .name = xasprintf("uid %u", uid), .uid = uid, .gid = uid };
        return 0;
    }
    return err_set(err, ENOENT, "no uid from %u to %u is free", DYNAMIC_UID_MIN,
                   DYNAMIC_UID_MIN + DYNAMIC_UID_N - 1);
}

/* ---- becoming ---- */

static bool has_capabilities(void)
{
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[2] = { { 0 } };

    if (syscall(SYS_capget, &header, data) < 0)
        return true;
    return data[0].permitted || data[1].permitted;
}

static int check_gone(const struct proc_user *user, struct err *err)
{
    uid_t uid[3];
    gid_t gid[3];

    if (getresuid(&uid[0], &uid[1], &uid[2]) < 0 || getresgid(&gid[0], &gid[1], &gid[2]) < 0)
        return err_set(err, errno, "own user cannot be read: %s", strerror(errno));
    for (int i = 0; i < 3; i++) {
        if (uid[i] != user->uid || gid[i] != user->gid)
            return err_set(err, EPERM, "not wholly user %s after the change", user->name);
    }
    if (setuid(0) == 0 || seteuid(0) == 0 || has_capabilities())
        return err_set(err, EPERM, "root's rights can still be had after becoming user %s",
                       user->name);
    return 0;
}

static int change(const struct proc_user *user)
{
    if (setgroups((size_t)user->groups_n, user->groups) < 0 ||
        setresgid(user->gid, user->gid, user->gid) < 0 ||
        setresuid(user->uid, user->uid, user->uid) < 0)
        return -errno;
    return 0;
}

int proc_become(const struct proc_user *user, bool no_new_privs, struct err *err)
{
    int rc = 0;

    if (no_new_privs && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return err_set(err, errno, "no_new_privs: %s", strerror(errno));
    if (geteuid() == user->uid)
        return 0;
    if (geteuid() != 0)
        return err_set(err, EPERM, "only root can become user %s (uid %u); this is uid %u",
                       user->name, (unsigned)user->uid, (unsigned)geteuid());
    rc = change(user);
    if (rc < 0)
        return err_set(err, -rc, "cannot become user %s (uid %u): %s", user->name,
                       (unsigned)user->uid, strerror(-rc));
    return check_gone(user, err);
}
