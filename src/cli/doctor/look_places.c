/* look_places.c - directories of the daemons: there, theirs, on a disk that lasts, with room. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

#include "cli/doctor/findings.h"
#include "common/conf/paths.h"

#define ROOM_MB      100 /* less is an illness */
#define RAMFS_NUMBER 0x858458f6

/* A directory that a daemon keeps things in. */
struct place {
    const char *key;
    const char *path;
    const char *owner_name; /* NULL: nobody knows whose it should be */
    uid_t owner;
    bool must_last;    /* over a reboot */
    uid_t other_owner; /* who may own it too */
};

static void check_room(struct doctor *doctor, const struct place *place)
{
    struct statfs fs;
    uint64_t free_mb;

    if (statfs(place->path, &fs) < 0)
        return;
    if (fs.f_flags & ST_RDONLY) {
        doctor_find(doctor,
                    xasprintf("mount -o remount,rw \"$(findmnt -n -o TARGET -T %s)\", and dmesg "
                              "tells whether the disk failed",
                              place->path),
                    "%s=%s is on a file system that is mounted read-only", place->key, place->path);
        return;
    }
    free_mb = (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize >> 20;
    if (free_mb < ROOM_MB)
        doctor_find(doctor, xasprintf("make room: du -xh %s | sort -h | tail", place->path),
                    "%s=%s has %" PRIu64 " MB left", place->key, place->path, free_mb);
    if (fs.f_ffree < 1000 && fs.f_files)
        doctor_find(doctor, xasprintf("remove files: df -i %s", place->path),
                    "%s=%s has room for %" PRIu64 " more files", place->key, place->path,
                    (uint64_t)fs.f_ffree);
    if (place->must_last && (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_NUMBER))
        doctor_find(
            doctor, xasprintf("mount a disk there, or set %s to a directory on one", place->key),
            "%s=%s is in memory: all in it is gone after a reboot", place->key, place->path);
}

static void check_rights(struct doctor *doctor, const struct place *place, const struct stat *st)
{
    if (place->owner_name && st->st_uid != place->owner && st->st_uid != place->other_owner)
        doctor_find(doctor, xasprintf("chown -R %s %s", place->owner_name, place->path),
                    "%s=%s belongs to uid %u, the daemon runs as %s (uid %u)", place->key,
                    place->path, (unsigned)st->st_uid, place->owner_name, (unsigned)place->owner);
    if (st->st_mode & S_IWOTH)
        doctor_find(doctor, xasprintf("chmod 755 %s", place->path),
                    "%s=%s can be written by everyone: its mode is %03o", place->key, place->path,
                    (unsigned)st->st_mode & 07777);
}

static void check_place(struct doctor *doctor, const struct place *place)
{
    struct stat st;

    if (stat(place->path, &st) < 0) {
        if (errno == ENOENT)
            doctor_find(
                doctor,
                place->owner_name
                    ? xasprintf("install -d -m 755 -o %s %s", place->owner_name, place->path)
                    : xasprintf("once its owner exists: install -d -m 755 -o OWNER %s",
                                place->path),
                "%s=%s is not there", place->key, place->path);
        return;
    }
    if (!S_ISDIR(st.st_mode)) {
        doctor_find(doctor, xasprintf("mv %s %s.old", place->path, place->path),
                    "%s=%s is no directory", place->key, place->path);
        return;
    }
    check_rights(doctor, place, &st);
    check_room(doctor, place);
}

/* Checks the owners of what a daemon keeps there; somebody may have copied it back as root. */
static void check_owners(struct doctor *doctor, const struct place *place)
{
    DIR *dir = place->owner_name ? opendir(place->path) : NULL;
    bool found = false;

    for (const struct dirent *entry; dir && !found && (entry = readdir(dir));) {
        struct stat st;

        if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
            !S_ISREG(st.st_mode) || st.st_uid == place->owner)
            continue;
        doctor_find(doctor, xasprintf("chown -R %s %s", place->owner_name, place->path),
                    "%s in %s=%s belongs to uid %u, the daemon runs as %s (uid %u)", entry->d_name,
                    place->key, place->path, (unsigned)st.st_uid, place->owner_name,
                    (unsigned)place->owner);
        found = true;
    }
    if (dir)
        closedir(dir);
}

/* Checks that users can write to /tmp, as their jobs need to from the start. */
static void check_tmp(struct doctor *doctor)
{
    struct stat st;

    if (stat("/tmp", &st) == 0 && !(st.st_mode & S_IWOTH))
        doctor_find(doctor, xstrdup("chmod 1777 /tmp"),
                    "users cannot write to /tmp: its mode is %03o", (unsigned)st.st_mode & 07777);
}

/* Checks the directory that a daemon's log is in; the daemon makes the file. */
static void check_log(struct doctor *doctor, const struct place *log)
{
    AUTO_FREE char *copy = xstrdup(log->path);
    const char *dir = copy ? dirname(copy) : NULL;
    struct stat st;

    if (!dir)
        return;
    if (stat(dir, &st) < 0 && errno == ENOENT)
        doctor_find(doctor,
                    log->owner_name ? xasprintf("install -d -m 755 -o %s %s", log->owner_name, dir)
                                    : xasprintf("mkdir -p %s", dir),
                    "%s=%s: its directory is not there", log->key, log->path);
    if (stat(log->path, &st) < 0)
        return;
    if (S_ISDIR(st.st_mode)) {
        doctor_find(doctor, xasprintf("name a file in %s", doctor->conf->path),
                    "%s=%s is a directory, no file", log->key, log->path);
        return;
    }
    if (log->owner_name && st.st_uid != log->owner && st.st_uid != 0)
        doctor_find(doctor, xasprintf("chown %s %s", log->owner_name, log->path),
                    "%s=%s belongs to uid %u, the daemon runs as %s (uid %u)", log->key, log->path,
                    (unsigned)st.st_uid, log->owner_name, (unsigned)log->owner);
    check_room(doctor, &(struct place){ .key = log->key, .path = dir });
}

/* Checks the controller's directories. A cluster for trying things may well be in memory. */
static void look_at_head(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;
    struct place place = { .key = "StateSaveLocation",
                           .path = conf->state_save_location,
                           .owner_name = doctor->knows_slurm_user ? conf->slurm_user : NULL,
                           .owner = doctor->slurm_uid,
                           .must_last = !doctor->is_up,
                           .other_owner = doctor->slurm_uid };

    check_place(doctor, &place);
    check_owners(doctor, &place);
    place.key = "SlurmctldLogFile";
    place.path = conf->slurmctld_log_file;
    check_log(doctor, &place);
    if (!doctor->knows_slurm_user)
        doctor_skip(doctor, "who SlurmUser=%s is, whose they should be, nobody knows here",
                    conf->slurm_user);
}

/* Checks a node's directories. slurmd is root's, or a user's in a cluster of their own. */
static void look_at_node(struct doctor *doctor, const struct conf_node *node)
{
    const struct slurm_conf *conf = doctor->conf;
    const bool is_users = doctor->is_up && doctor->knows_slurm_user;
    AUTO_FREE char *spool = conf_path_expand(conf->slurmd_spool_dir, doctor->host, node->name);
    AUTO_FREE char *log = conf->slurmd_log_file
                              ? conf_path_expand(conf->slurmd_log_file, doctor->host, node->name)
                              : NULL;
    struct place place = { .key = "SlurmdSpoolDir",
                           .path = spool,
                           .owner_name = is_users ? conf->slurm_user : "root",
                           .owner = is_users ? doctor->slurm_uid : 0,
                           .must_last = !doctor->is_up,
                           .other_owner = doctor->knows_slurm_user ? doctor->slurm_uid : 0 };

    check_place(doctor, &place);
    place.key = "SlurmdLogFile";
    place.path = log;
    check_log(doctor, &place);
    check_tmp(doctor);
}

void look_at_places(struct doctor *doctor)
{
    if (doctor->is_controller)
        look_at_head(doctor);
    if (doctor->node)
        look_at_node(doctor, doctor->node);
}
