#include "common/conf/purge_conf.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "common/text/words.h"

#define COUNT_MAX 100000u

/* ---- ages ---- */

static bool unit_of(const char *word, enum conf_age_unit *ret)
{
    static const struct {
        const char *word;
        enum conf_age_unit unit;
    } units[] = {
        { "", CONF_AGE_MONTHS },     { "month", CONF_AGE_MONTHS }, { "months", CONF_AGE_MONTHS },
        { "day", CONF_AGE_DAYS },    { "days", CONF_AGE_DAYS },    { "hour", CONF_AGE_HOURS },
        { "hours", CONF_AGE_HOURS },
    };

    for (size_t i = 0; i < ARRAY_N(units); i++) {
        if (word_is(word, units[i].word)) {
            *ret = units[i].unit;
            return true;
        }
    }
    return false;
}

int conf_age_parse(const char *text, struct conf_age *ret, struct err *err)
{
    size_t digits = strspn(text, "0123456789");
    AUTO_FREE char *number = xstrndup(text, digits);
    struct conf_age age = { 0 };
    uint64_t count = 0;

    if (number_parse(number, 1, COUNT_MAX, &count, NULL) < 0 || !unit_of(text + digits, &age.unit))
        return err_set(err, EINVAL, "'%.40s' is no age: 12 or 12months, 30days, 48hours", text);
    age.count = (uint32_t)count;
    *ret = age;
    return 0;
}

int64_t conf_age_before(const struct conf_age *age, int64_t now)
{
    time_t t = (time_t)now;
    struct tm tm;

    if (!age->count || !localtime_r(&t, &tm))
        return 0;
    tm.tm_min = tm.tm_sec = 0;
    tm.tm_isdst = -1;
    if (age->unit != CONF_AGE_HOURS)
        tm.tm_hour = 0;
    if (age->unit == CONF_AGE_HOURS)
        return (int64_t)mktime(&tm) - (int64_t)age->count * 3600;
    if (age->unit == CONF_AGE_DAYS) {
        tm.tm_mday -= (int)age->count;
    } else {
        tm.tm_mday = 1;
        tm.tm_mon -= (int)age->count;
    }
    return (int64_t)mktime(&tm);
}

/* ---- the file ---- */

static int read_age(const struct conf_pair *pair, struct conf_age *ret, struct err *err)
{
    struct err why = { 0 };

    if (conf_age_parse(pair->value ? pair->value : "", ret, &why) == 0)
        return 0;
    return conf_err(err, EINVAL, pair->value_at, "%s: %s", pair->key, why.text);
}

static int read_flag(const struct conf_pair *pair, bool *ret, struct err *err)
{
    const char *value = pair->value ? pair->value : "";

    *ret = word_is(value, "yes") || word_is(value, "true") || word_is(value, "up") ||
           strcmp(value, "1") == 0;
    if (*ret || word_is(value, "no") || word_is(value, "false") || word_is(value, "down") ||
        strcmp(value, "0") == 0)
        return 0;
    return conf_err(err, EINVAL, pair->value_at, "%s=%.40s: yes or no", pair->key, value);
}

static void take_text(const struct conf_pair *pair, char **ret)
{
    xstrset(ret, pair->value && *pair->value ? pair->value : NULL);
}

/* Keys of a slurmdbd's other work, of versions old and new. */
static const char *const others[] = {
    "AllowNoDefAcct",
    "AllResourcesAbsolute",
    "ArchiveEvents",
    "ArchiveResvs",
    "ArchiveSuspend",
    "ArchiveTXN",
    "ArchiveUsage",
    "AuthAltParameters",
    "AuthAltTypes",
    "AuthInfo",
    "AuthType",
    "CommitDelay",
    "CommunicationParameters",
    "DbdAddr",
    "DbdBackupHost",
    "DbdHost",
    "DbdPort",
    "DebugFlags",
    "DebugLevel",
    "DebugLevelSyslog",
    "DefaultQOS",
    "DisableArchiveCommands",
    "DisableCoordDBD",
    "HashPlugin",
    "JobPurge",
    "LogFile",
    "LogTimeFormat",
    "MaxPurgeLimit",
    "MaxQueryTimeRange",
    "MessageTimeout",
    "Parameters",
    "PidFile",
    "PluginDir",
    "PrivateData",
    "PurgeResvAfter",
    "PurgeSuspendAfter",
    "PurgeTXNAfter",
    "PurgeUsageAfter",
    "SlurmUser",
    "StepPurge",
    "StorageBackupHost",
    "StorageHost",
    "StorageLoc",
    "StorageParameters",
    "StoragePass",
    "StoragePassScript",
    "StoragePort",
    "StorageType",
    "StorageUser",
    "TCPTimeout",
    "TrackSlurmctldDown",
    "TrackWCKey",
};

static void note_unknown(const struct conf_pair *pair, struct conf_notes *notes)
{
    for (size_t i = 0; i < ARRAY_N(others); i++) {
        if (word_is(pair->key, others[i]))
            return;
    }
    conf_notes_add(notes, CONF_NOTE_UNKNOWN, pair->at, "%s is no key of slurmdbd.conf", pair->key);
}

static int read_pair(const struct conf_pair *pair, struct conf_notes *notes,
                     struct conf_purge *purge, struct err *err)
{
    if (word_is(pair->key, "PurgeJobAfter"))
        return read_age(pair, &purge->jobs, err);
    if (word_is(pair->key, "PurgeStepAfter"))
        return read_age(pair, &purge->steps, err);
    if (word_is(pair->key, "PurgeEventAfter"))
        return read_age(pair, &purge->events, err);
    if (word_is(pair->key, "ArchiveJobs"))
        return read_flag(pair, &purge->archive_jobs, err);
    if (word_is(pair->key, "ArchiveSteps"))
        return read_flag(pair, &purge->archive_steps, err);
    if (word_is(pair->key, "ArchiveDir"))
        take_text(pair, &purge->archive_dir);
    else if (word_is(pair->key, "ArchiveScript"))
        take_text(pair, &purge->archive_script);
    else
        note_unknown(pair, notes);
    return 0;
}

static int read_file(const struct conf_file *file, struct conf_notes *notes,
                     struct conf_purge *purge, struct err *err)
{
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < file->records_n; i++) {
        for (uint32_t k = 0; rc == 0 && k < file->records[i].pairs_n; k++)
            rc = read_pair(&file->records[i].pairs[k], notes, purge, err);
    }
    return rc;
}

int conf_purge_load(const char *conf_path, conf_read_fn read, void *ctx, struct conf_notes *notes,
                    struct conf_purge *ret, struct err *err)
{
    const char *slash = strrchr(conf_path, '/');
    AUTO_FREE char *path =
        xasprintf("%.*sslurmdbd.conf", slash ? (int)(slash + 1 - conf_path) : 0, conf_path);
    struct conf_file *file = NULL;
    AUTO(strbuf) struct strbuf probe = { 0 };
    int rc;

    *ret = (struct conf_purge){ 0 };
    if (read(ctx, path, &probe, NULL) == -ENOENT)
        return 0;
    rc = conf_file_parse(path, read, ctx, &file, err);
    if (rc == 0)
        rc = read_file(file, notes, ret, err);
    conf_file_free(file);
    if (rc < 0)
        conf_purge_clear(ret);
    return rc;
}

void conf_purge_clear(struct conf_purge *purge)
{
    free(purge->archive_dir);
    free(purge->archive_script);
    *purge = (struct conf_purge){ 0 };
}

void conf_purge_auto_(struct conf_purge *purge)
{
    conf_purge_clear(purge);
}
