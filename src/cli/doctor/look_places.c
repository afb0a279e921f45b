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
    else if (fs.f_ffree < 1000 && fs.f_files)
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
    if (st->st_uid != place->owner && st->st_uid != place->other_owner)
        doctor_find(doctor, xasprintf("chown -R %u %s", (unsigned)place->owner, place->path),
                    "%s=%s belongs to uid %u, the daemon runs as uid %u", place->key, place->path,
                    (unsigned)st->st_uid, (unsigned)place->owner);
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
                xasprintf("install -d -m 755 -o %u %s", (unsigned)place->owner, place->path),
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

/* What a daemon keeps there; somebody who copied it back as root, say. */
static void check_owners(struct doctor *doctor, const struct place *place)
{
    DIR *dir = opendir(place->path);
    bool found = false;

    for (const struct dirent *entry; dir && !found && (entry = readdir(dir));) {
        struct stat st;

        if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
            !S_ISREG(st.st_mode) || st.st_uid == place->owner)
            continue;
        doctor_find(doctor, xasprintf("chown -R %u %s", (unsigned)place->owner, place->path),
                    "%s in %s=%s belongs to uid %u, the daemon runs as uid %u", entry->d_name,
                    place->key, place->path, (unsigned)st.st_uid, (unsigned)place->owner);
        found = true;
    }
    if (dir)
        closedir(dir);
}

/* Jobs of users begin with it. */
static void check_tmp(struct doctor *doctor)
{
    struct stat st;

    if (stat("/tmp", &st) == 0 && !(st.st_mode & S_IWOTH))
        doctor_find(doctor, xstrdup("chmod 1777 /tmp"),
                    "users cannot write to /tmp: its mode is %03o", (unsigned)st.st_mode & 07777);
}

/* The directory that a daemon's log is in; the daemon makes the file. */
static void check_log(struct doctor *doctor, const char *key, const char *path, uid_t owner)
{
    AUTO_FREE char *copy = xstrdup(path);
    const char *dir = copy ? dirname(copy) : NULL;
    struct stat st;

    if (!dir)
        return;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        doctor_find(doctor, xasprintf("name a file in %s", doctor->conf->path),
                    "%s=%s is a directory, no file", key, path);
    else if (stat(dir, &st) < 0 && errno == ENOENT)
        doctor_find(doctor, xasprintf("install -d -m 755 -o %u %s", (unsigned)owner, dir),
                    "%s=%s: its directory is not there", key, path);
    else if (stat(path, &st) == 0 && st.st_uid != owner && st.st_uid != 0)
        doctor_find(doctor, xasprintf("chown %u %s", (unsigned)owner, path),
                    "%s=%s belongs to uid %u, the daemon runs as uid %u", key, path,
                    (unsigned)st.st_uid, (unsigned)owner);
    else if (stat(path, &st) == 0)
        check_room(doctor, &(struct place){ .key = key, .path = dir });
}

void look_at_places(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;

    if (doctor->is_controller) {
        const struct place state = { "StateSaveLocation", conf->state_save_location,
                                     doctor->slurm_uid, true, doctor->slurm_uid };

        check_place(doctor, &state);
        check_owners(doctor, &state);
        check_log(doctor, "SlurmctldLogFile", conf->slurmctld_log_file, doctor->slurm_uid);
    }
    if (doctor->node) {
        AUTO_FREE char *spool =
            conf_path_expand(conf->slurmd_spool_dir, doctor->host, doctor->node->name);
        AUTO_FREE char *log =
            conf->slurmd_log_file
                ? conf_path_expand(conf->slurmd_log_file, doctor->host, doctor->node->name)
                : NULL;

        check_place(doctor, &(struct place){ "SlurmdSpoolDir", spool, 0, true, doctor->slurm_uid });
        check_log(doctor, "SlurmdLogFile", log, 0);
        check_tmp(doctor);
    }
}
