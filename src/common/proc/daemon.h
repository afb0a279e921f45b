/*
 * daemon.h - becoming a daemon: background, pid file, another user for good.
 *
 * For the start of main(), before any thread or loop: these block, and look users up.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "common/base/err.h"

/* ---- users ---- */

/* A user to become, who was looked up once. Owns `name` and `groups`. */
struct proc_user {
    char *name;
    uid_t uid;
    gid_t gid; /* its primary group */
    gid_t *groups;
    int groups_n;
};

/* Looks a user up by name or number. A number that is not in the user database has no groups. */
int proc_user_lookup(const char *text, struct proc_user *ret_user, struct err *err);

/*
 * Makes up a user whom nobody else is, with a uid of those that service managers give out while a
 * service runs. The same `purpose` gives the same uid when that is free, so that process lists show
 * it.
 */
int proc_user_make_up(const char *purpose, struct proc_user *ret_user, struct err *err);
/*
 * Look a user up in a process of its own, which ends with the libraries that the name service
 * opens: in a daemon they would stay, and each process that it forks would get them too. `find` may
 * look several users up, and return more than 0 to tell which it found.
 */
typedef int proc_user_fn(const void *arg, struct proc_user *ret_user, struct err *err);
int proc_user_apart(proc_user_fn *find, const void *arg, struct proc_user *ret_user,
                    struct err *err);
int proc_user_lookup_apart(const char *text, struct proc_user *ret_user, struct err *err);
void proc_user_clear(struct proc_user *user);
void proc_user_auto_(struct proc_user *user);

/*
 * Becomes the user for good: supplementary groups, gid, uid, no capabilities to get back, no new
 * privileges by exec when `no_new_privs`. Checks that the old rights are gone. Does nothing when
 * this process already is that user without being root.
 */
int proc_become(const struct proc_user *user, bool no_new_privs, struct err *err);

/* ---- descriptors and directories ---- */

/* Makes sure that 0, 1 and 2 are open, so that no later descriptor gets one of these numbers. */
int proc_open_std(struct err *err);

/*
 * Makes `path` and its missing parents. `path` itself gets `mode` and the owner uid:gid (-1 leaves
 * them). A directory that exists keeps its mode; its owner is changed only when it was root's and
 * empty. Refuses what is not a directory, and links as safe_path.h does.
 */
int proc_make_dir(const char *path, mode_t mode, uid_t uid, gid_t gid, struct err *err);

/*
 * Opens the directory of a daemon's own files. A daemon of root fails when neither root nor `also`
 * owns it, or when it is one like /tmp. When all may write into it, that right is taken away.
 */
int proc_open_own_dir(const char *path, uid_t also, struct err *err);

/* ---- background ---- */

/*
 * Forks into the background: a session of its own, in "/", standard input from /dev/null. The
 * parent waits until the daemon calls proc_ready (then it exits 0) or ends without (then it exits
 * 1), so that whoever started it knows that it serves. Standard error stays until proc_ready,
 * for start-up errors. Returns in the child only, with a handle for proc_ready.
 */
struct proc_background;
int proc_background(struct proc_background **ret, struct err *err);

/* Tells the parent that all is well and sends 1 and 2 to /dev/null. Frees; NULL is fine. */
void proc_ready(struct proc_background *background);

/*
 * Frees the handle of a start that failed. The parent exits 1 when this process ends. NULL is fine.
 */
void proc_not_ready(struct proc_background *background);

/* ---- pid file ---- */

/* How long a daemon that starts waits for what a dying one still holds. */
#define PROC_PATIENCE_MS 2000

struct proc_pidfile;

/*
 * Creates and locks the file, owned by uid:gid (-1 leaves them), and writes the pid. Fails with
 * EBUSY, naming the pid, when another process still holds it after PROC_PATIENCE_MS. It must follow
 * proc_background.
 */
int proc_pidfile_open(const char *path, uid_t uid, gid_t gid, struct proc_pidfile **ret,
                      struct err *err);

/* Removes the file where rights allow, else empties it. NULL is fine. Returns NULL. */
struct proc_pidfile *proc_pidfile_free(struct proc_pidfile *pidfile);
