/* look_auth.c - munged, its key, and whether this host's credentials are good for anything. */
#include <errno.h>
#include <libgen.h>
#include <pwd.h>
#include <sys/stat.h>

#include "cli/doctor/findings.h"
#include "cli/doctor/mend.h"
#include "common/authc/authc.h"

#define KEY_FILE  "/etc/munge/munge.key"
#define KEY_LEAST 32 /* bytes */

/* Checks who may write to the key's directory: he may put another key in its place. */
static void check_key_folder(struct doctor *doctor)
{
    AUTO_FREE char *copy = xstrdup(KEY_FILE);
    const char *folder = dirname(copy);
    struct stat st;

    if (stat(folder, &st) == 0 && st.st_mode & (S_IWGRP | S_IWOTH))
        doctor_find(doctor, xasprintf("chmod 700 %s", folder),
                    "others than its owner may replace the munge key: the mode of %s is %03o",
                    folder, (unsigned)st.st_mode & 07777);
}

/*
 * Returns how to get the controller's key, which all hosts have; if the controller lost it, from a
 * node.
 */
static char *mend_no_key(const struct doctor *doctor)
{
    AUTO_FREE char *copy = mend_copy(doctor, KEY_FILE);

    if (!doctor->conf)
        return xstrdup(
            "on the controller: mungekey --create, unless other hosts have one; elsewhere "
            "scp -p it from there");
    if (doctor->is_controller)
        return xasprintf("%s; in a new cluster: mungekey --create, and copy it to every node",
                         copy);
    return STEAL(copy);
}

static void check_key_file(struct doctor *doctor)
{
    const struct passwd *munge = getpwnam("munge");
    struct stat st;

    if (stat(KEY_FILE, &st) < 0) {
        if (errno == ENOENT)
            doctor_find(doctor, mend_no_key(doctor), "there is no munge key in %s", KEY_FILE);
        return;
    }
    check_key_folder(doctor);
    if (st.st_size < KEY_LEAST)
        doctor_find(doctor,
                    xasprintf("make a new one, mungekey --create --force, and copy it to every "
                              "host"),
                    "the munge key %s has %lld bytes, fewer than the %d that munged takes",
                    KEY_FILE, (long long)st.st_size, KEY_LEAST);
    if (st.st_mode & (S_IRWXG | S_IRWXO))
        doctor_find(doctor, xasprintf("chmod 400 %s", KEY_FILE),
                    "others than its owner may use the munge key %s: its mode is %03o", KEY_FILE,
                    (unsigned)st.st_mode & 07777);
    if (munge && st.st_uid != munge->pw_uid)
        doctor_find(doctor, xasprintf("chown munge: %s", KEY_FILE),
                    "the munge key %s belongs to uid %u, munged runs as munge (uid %u)", KEY_FILE,
                    (unsigned)st.st_uid, (unsigned)munge->pw_uid);
}

/* Checks that users can reach the socket: their commands make credentials too. */
static void check_socket(struct doctor *doctor, const char *path)
{
    AUTO_FREE char *copy = xstrdup(path);
    const char *folder = dirname(copy);
    struct stat st;

    if (stat(folder, &st) == 0 && !(st.st_mode & S_IXOTH))
        doctor_find(doctor, xasprintf("chmod 755 %s", folder),
                    "users cannot get to munged's socket %s: the mode of %s is %03o", path, folder,
                    (unsigned)st.st_mode & 07777);
    if (stat(path, &st) == 0 && !(st.st_mode & S_IWOTH))
        doctor_find(doctor, xasprintf("chmod 777 %s", path),
                    "users cannot connect to munged: the mode of %s is %03o", path,
                    (unsigned)st.st_mode & 07777);
}

/* Makes a credential and reads it back. */
static int try_credential(const struct authc_options *options, struct err *err)
{
    AUTO(authc_identity) struct authc_identity identity = { 0 };
    AUTO_FREE char *credential = NULL;
    int rc = authc_encode(options, NULL, 0, AUTHC_ANY, 0, &credential, err);

    return rc < 0 ? rc : authc_decode(options, credential, &identity, err);
}

void look_at_auth(struct doctor *doctor)
{
    const struct authc_options options = { .socket_path =
                                               doctor->conf ? doctor->conf->auth_socket : NULL };
    const char *path = authc_socket_path(&options);
    struct err err = { 0 };

    /* A cluster with a socket of its own has a key of its own, wherever that is. */
    if (!path || strcmp(path, AUTHC_SOCKET_DEFAULT) == 0)
        check_key_file(doctor);
    if (doctor->is_root)
        check_socket(doctor, path ? path : AUTHC_SOCKET_DEFAULT);
    else
        doctor_skip(doctor, "only root can look at the key and the socket's directory");
    if (try_credential(&options, &err) < 0)
        doctor_find(doctor, mend_start(doctor, DAEMON_MUNGED, NULL),
                    "munged makes no credentials here: %s", err.text);
}
