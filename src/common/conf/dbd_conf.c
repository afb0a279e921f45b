#include "common/conf/dbd_conf.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "common/conf/load_beside.h"
#include "common/conf/value.h"

#define AT(field) offsetof(struct conf_dbd, field)
#define TXT(key, field, preset)                                                                    \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .at = AT(field), .def = (preset)                          \
    }
#define FLAG(key, field)                                                                           \
    {                                                                                              \
        .name = #key, .kind = CONF_YES_NO, .at = AT(field), .def = "no"                            \
    }
#define AGE(key, field)                                                                            \
    {                                                                                              \
        .name = #key, .kind = CONF_AGE, .at = AT(field)                                            \
    }
#define OLD(key, field, now)                                                                       \
    {                                                                                              \
        .name = #key, .kind = CONF_AGE, .status = CONF_REPLACED, .at = AT(field), .instead = (now) \
    }
/* A key that nothing acts on. */
#define OFF(key)                                                                                   \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .status = CONF_NO_EFFECT, .at = CONF_NO_FIELD             \
    }
/* A key that can have no effect, and why. */
#define MOOT(key, why)                                                                             \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .status = CONF_NO_EFFECT, .at = CONF_NO_FIELD,            \
        .instead = (why)                                                                           \
    }
#define SUSPENSIONS  "how long a job was suspended is part of its record"
#define RESERVATIONS "there are no records of reservations"
/* A key of what is not there yet. */
#define LATER(key) OFF(key)

static const struct conf_word storage_words[] = {
    { "accounting_storage/sqlite", CONF_DBD_SQLITE },
    { "accounting_storage/mysql", CONF_DBD_MYSQL },
    { NULL, 0 },
};

static const struct conf_key dbd_keys[] = {
    LATER(AllResourcesAbsolute),
    FLAG(AllowNoDefAcct, allows_no_default),
    TXT(ArchiveDir, archive_dir, "/tmp"),
    FLAG(ArchiveEvents, archive_events),
    FLAG(ArchiveJobs, archive_jobs),
    MOOT(ArchiveResvs, RESERVATIONS),
    TXT(ArchiveScript, archive_script, NULL),
    FLAG(ArchiveSteps, archive_steps),
    MOOT(ArchiveSuspend, SUSPENSIONS),
    FLAG(ArchiveTXN, archive_transactions),
    FLAG(ArchiveUsage, archive_usage),
    OFF(AuthAltParameters),
    OFF(AuthAltTypes),
    TXT(AuthInfo, auth_info, NULL),
    { .name = "AuthType",
      .kind = CONF_TEXT,
      .status = CONF_NO_EFFECT, /* munge is what there is */
      .at = CONF_NO_FIELD,
      .def = "auth/munge" },
    OFF(CommitDelay), /* what is acknowledged is on disk */
    OFF(CommunicationParameters),
    TXT(DbdAddr, addr, NULL),
    TXT(DbdBackupHost, backup_host, NULL),
    TXT(DbdHost, host, NULL),
    { .name = "DbdPort",
      .kind = CONF_NUMBER,
      .at = AT(port),
      .def = "6819",
      .min = 1,
      .max = 65535 },
    OFF(DebugFlags),
    { .name = "DebugLevel", .kind = CONF_LEVEL, .at = AT(debug), .def = "info" },
    OFF(DebugLevelSyslog),
    TXT(DefaultQOS, default_qos, NULL),
    FLAG(DisableArchiveCommands, refuses_archive),
    LATER(DisableCoordDBD),
    OFF(HashPlugin),
    OLD(JobPurge, jobs, "PurgeJobAfter"),
    TXT(LogFile, log_file, NULL),
    OFF(LogTimeFormat),
    OFF(MaxPurgeLimit), /* purges go in small bites always */
    { .name = "MaxQueryTimeRange",
      .kind = CONF_TIME_LIMIT,
      .at = AT(max_query_min),
      .def = "INFINITE" },
    OFF(MessageTimeout),
    OFF(Parameters),
    TXT(PidFile, pid_file, "/var/run/slurmdbd.pid"),
    OFF(PluginDir),
    CONF_PRIVATE_DATA(AT(private_data)),
    AGE(PurgeEventAfter, events),
    AGE(PurgeJobAfter, jobs),
    MOOT(PurgeResvAfter, RESERVATIONS),
    AGE(PurgeStepAfter, steps),
    MOOT(PurgeSuspendAfter, SUSPENSIONS),
    AGE(PurgeTXNAfter, transactions),
    AGE(PurgeUsageAfter, usage),
    { .name = "SlurmUser", .kind = CONF_USER, .at = AT(user), .def = "root" },
    OLD(StepPurge, steps, "PurgeStepAfter"),
    TXT(StorageBackupHost, storage_backup_host, NULL),
    TXT(StorageHost, storage_host, NULL),
    TXT(StorageLoc, storage_loc, NULL),
    TXT(StorageParameters, storage_parameters, NULL),
    TXT(StoragePass, storage_pass, NULL),
    TXT(StoragePassScript, storage_pass_script, NULL),
    { .name = "StoragePort",
      .kind = CONF_NUMBER,
      .at = AT(storage_port),
      .def = "0",
      .min = 0,
      .max = 65535 },
    { .name = "StorageType",
      .kind = CONF_CHOICE,
      .at = AT(storage),
      .def = "accounting_storage/sqlite",
      .words = storage_words },
    TXT(StorageUser, storage_user, NULL),
    OFF(TCPTimeout),
    LATER(TrackSlurmctldDown),
    FLAG(TrackWCKey, track_wckey),
    { .name = NULL },
};

const struct conf_key *conf_dbd_keys(void)
{
    return dbd_keys;
}

/* What is there of the file is seen by its reader: a missing one counts as empty. */
struct seen {
    conf_read_fn read;
    void *ctx;
    bool is_there;
};

static int read_seen(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    struct seen *seen = ctx;
    int rc = seen->read(seen->ctx, path, text, err);

    seen->is_there |= rc != -ENOENT;
    return rc;
}

int conf_dbd_load(const char *conf_path, conf_read_fn read, void *ctx, struct conf_notes *notes,
                  struct conf_dbd *ret, struct err *err)
{
    const struct beside_table table = { "slurmdbd.conf", dbd_keys, true, NULL };
    struct seen seen = { read, ctx, false };
    struct beside beside = { .loader = { .notes = notes }, .read = read_seen, .ctx = &seen };
    int rc;

    *ret = (struct conf_dbd){ 0 };
    rc = beside_read(&beside, conf_path, &table, ret, err);
    if (rc < 0) {
        conf_dbd_clear(ret);
        conf_values_preset(dbd_keys, ret);
    }
    ret->is_there = seen.is_there;
    return rc;
}

void conf_dbd_clear(struct conf_dbd *dbd)
{
    if (dbd->storage_pass)
        explicit_bzero(dbd->storage_pass, strlen(dbd->storage_pass));
    conf_values_clear(dbd_keys, dbd);
    *dbd = (struct conf_dbd){ 0 };
}

void conf_dbd_auto_(struct conf_dbd *dbd)
{
    conf_dbd_clear(dbd);
}
