#include "cli/sacctmgr/site.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/lib/records.h"
#include "cli/sacctmgr/level.h"
#include "cli/sdiag/text.h"
#include "common/base/clock.h"
#include "common/base/version.h"
#include "common/conf/show.h"
#include "common/msg/types.h"
#include "common/text/timetext.h"
#include "common/text/words.h"

/* ---- the configuration ---- */

/* A line, and what it says where the configuration has nothing of it. */
struct row {
    const char *title, *key, *otherwise;
};

/* What Slurm tells of slurm.conf, in its order, with its distances. */
static const struct row rows[] = {
    { "AccountingStorageBackupHost ", "AccountingStorageBackupHost", NULL },
    { "AccountingStorageHost ", "AccountingStorageHost", NULL },
    { "AccountingStorageParameters", "AccountingStorageParameters", NULL },
    { "AccountingStoragePass ", "AccountingStoragePass", NULL },
    { "AccountingStoragePort ", "AccountingStoragePort", NULL },
    { "AccountingStorageType ", "AccountingStorageType", NULL },
    { "AccountingStorageUser ", "AccountingStorageUser", NULL },
    { "AuthType              ", "AuthType", NULL },
    { "MessageTimeout        ", "MessageTimeout", NULL },
    { "PluginDir             ", "PluginDir", NULL },
    { "PrivateData           ", "PrivateData", NULL },
    { "SlurmUserId           ", "SlurmUser", NULL },
    { "SLURM_CONF            ", "SLURM_CONF", NULL },
    { "SLURM_VERSION         ", "SLURM_VERSION", NULL },
    { "TCPTimeout            ", "TCPTimeout", NULL },
    { "TrackWCKey            ", "TrackWCKey", NULL },
};

/* And of slurmdbd.conf. */
static const struct row dbd_rows[] = {
    { "AllowNoDefAcct        ", "AllowNoDefAcct", "No" },
    { "ArchiveDir            ", "ArchiveDir", NULL },
    { "ArchiveEvents         ", "ArchiveEvents", "No" },
    { "ArchiveJobs           ", "ArchiveJobs", "No" },
    { "ArchiveResvs          ", "ArchiveResvs", "No" },
    { "ArchiveScript         ", "ArchiveScript", NULL },
    { "ArchiveSteps          ", "ArchiveSteps", "No" },
    { "ArchiveSuspend        ", "ArchiveSuspend", "No" },
    { "ArchiveTXN            ", "ArchiveTXN", "No" },
    { "ArchiveUsage          ", "ArchiveUsage", "No" },
    { "AuthAltTypes          ", "AuthAltTypes", NULL },
    { "AuthAltParameters     ", "AuthAltParameters", NULL },
    { "AuthInfo              ", "AuthInfo", NULL },
    { "AuthType              ", "AuthType", "auth/munge" },
    { "BOOT_TIME             ", "BOOT_TIME", NULL },
    { "CommitDelay           ", "CommitDelay", "No" },
    { "CommunicationParameters", "CommunicationParameters", NULL },
    { "DbdAddr               ", "DbdAddr", NULL },
    { "DbdBackupHost         ", "DbdBackupHost", NULL },
    { "DbdHost               ", "DbdHost", NULL },
    { "DbdPort               ", "DbdPort", NULL },
    { "DebugFlags            ", "DebugFlags", NULL },
    { "DebugLevel            ", "DebugLevel", NULL },
    { "DebugLevelSyslog      ", "DebugLevelSyslog", NULL },
    { "DefaultQOS            ", "DefaultQOS", NULL },
    { "LogFile               ", "LogFile", NULL },
    { "MaxQueryTimeRange     ", "MaxQueryTimeRange", "UNLIMITED" },
    { "MessageTimeout        ", "MessageTimeout", "10 secs" },
    { "Parameters            ", "Parameters", NULL },
    { "PidFile               ", "PidFile", NULL },
    { "PluginDir             ", "PluginDir", NULL },
    { "PrivateData           ", "PrivateData", NULL },
    { "PurgeEventAfter       ", "PurgeEventAfter", "NONE" },
    { "PurgeJobAfter         ", "PurgeJobAfter", "NONE" },
    { "PurgeResvAfter        ", "PurgeResvAfter", "NONE" },
    { "PurgeStepAfter        ", "PurgeStepAfter", "NONE" },
    { "PurgeSuspendAfter     ", "PurgeSuspendAfter", "NONE" },
    { "PurgeTXNAfter         ", "PurgeTXNAfter", "NONE" },
    { "PurgeUsageAfter       ", "PurgeUsageAfter", "NONE" },
    { "SLURMDBD_CONF         ", "SLURMDBD_CONF", NULL },
    { "SLURMDBD_VERSION      ", "SLURMDBD_VERSION", NULL },
    { "SlurmUser             ", "SlurmUser", NULL },
    { "StorageBackupHost     ", "StorageBackupHost", NULL },
    { "StorageHost           ", "StorageHost", NULL },
    { "StorageLoc            ", "StorageLoc", NULL },
    { "StorageParameters     ", "StorageParameters", NULL },
    { "StoragePort           ", "StoragePort", NULL },
    { "StorageType           ", "StorageType", NULL },
    { "StorageUser           ", "StorageUser", NULL },
    { "TCPTimeout            ", "TCPTimeout", "2 secs" },
    { "TrackWCKey            ", "TrackWCKey", "No" },
    { "TrackSlurmctldDown    ", "TrackSlurmctldDown", "No" },
};

/* The rows of one file, with what was found of each; NULL: nothing. */
struct sheet {
    const struct row *rows;
    size_t n;
    char **values; /* owned */
};

static struct sheet sheet_begin(const struct row *all, size_t n)
{
    return (struct sheet){ all, n, xcalloc(n, sizeof(char *)) };
}

static void sheet_note(struct sheet *sheet, const char *key, const char *value)
{
    for (size_t i = 0; i < sheet->n; i++) {
        if (!sheet->values[i] && word_is(key, sheet->rows[i].key))
            sheet->values[i] = xstrdup(value);
    }
}

static void sheet_print(struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->n; i++) {
        const struct row *row = &sheet->rows[i];
        const char *value = sheet->values[i] ? sheet->values[i] : row->otherwise;

        printf("%s = %s\n", row->title, value ? value : "(null)");
        free(sheet->values[i]);
    }
    free(sheet->values);
}

static int64_t find_uid(void *ctx, const char *user)
{
    const struct cli *cli = ctx;

    return strcmp(user, cli->conf->slurm_user) == 0 ? (int64_t)cli->slurm_uid : -1;
}

/* Prints what slurm.conf says here. */
static void print_own(struct cli *cli)
{
    const struct conf_show_facts facts = { .version = SLURM_VERSION,
                                           .find_uid = find_uid,
                                           .ctx = cli };
    struct conf_show show = conf_show_begin(cli->conf, &facts);
    struct sheet sheet = sheet_begin(rows, ARRAY_N(rows));
    AUTO(strbuf) struct strbuf key = { 0 }, value = { 0 };

    while (conf_show_next(&show, &key, &value))
        sheet_note(&sheet, strbuf_text(&key), strbuf_text(&value));
    sheet_print(&sheet);
}

static int load_dbd(const struct mgr *mgr, struct records *entries, struct err *err)
{
    return records_load(mgr->command->cli.client, MSG_CONFIG_LIST, NULL, MSG_CONFIG_ENTRY, entries,
                        err);
}

char *site_dbd_value(struct mgr *mgr, const char *key)
{
    AUTO(records) struct records entries = { 0 };

    if (!mgr->command->cli.is_at_dbd || load_dbd(mgr, &entries, NULL) < 0)
        return NULL;
    for (uint32_t i = 0; i < entries.n; i++) {
        const struct config_entry *entry = record_at(&entries, i);

        if (word_is(entry->key, key))
            return word_is(entry->value, "(null)") ? NULL : xstrdup(entry->value);
    }
    return NULL;
}

bool site_dbd_says_yes(struct mgr *mgr, const char *key)
{
    AUTO_FREE char *value = site_dbd_value(mgr, key);

    return value && word_is(value, "Yes");
}

/* Prints what slurmdbd.conf says there. */
static int print_dbd(struct mgr *mgr)
{
    struct sheet sheet;
    AUTO(records) struct records entries = { 0 };
    struct err err = { 0 };

    if (load_dbd(mgr, &entries, &err) < 0) {
        records_report(mgr->command, "Problem with query", &err);
        return 1;
    }
    puts("\nSlurmDBD configuration:");
    sheet = sheet_begin(dbd_rows, ARRAY_N(dbd_rows));
    for (uint32_t i = 0; i < entries.n; i++) {
        const struct config_entry *entry = record_at(&entries, i);

        sheet_note(&sheet, entry->key, entry->value);
    }
    sheet_print(&sheet);
    return 0;
}

int config_list(struct mgr *mgr, const struct acct_line *line)
{
    struct cli *cli = &mgr->command->cli;
    const time_t now = time(NULL);
    struct err err = { 0 };
    struct tm local;
    char text[32];

    (void)line;
    if (!cli->conf && cli_load(cli, &err) < 0) {
        command_report(mgr->command, NULL, &err);
        return 1;
    }
    strftime(text, sizeof(text), "%FT%T", localtime_r(&now, &local));
    printf("Configuration data as of %s\n", text);
    print_own(cli);
    if (!slurm_conf_has_dbd(cli->conf))
        return 0;
    fflush(stdout); /* before what it says of a slurmdbd that is not there */
    return mgr_connect(mgr) == 0 && cli->is_at_dbd ? print_dbd(mgr) : 0;
}

/* ---- counters ---- */

#define RULE "*******************************************************************\n"

static char *user_name(uint32_t uid)
{
    const struct passwd *entry = getpwuid(uid);

    return xstrdup(entry ? entry->pw_name : NULL);
}

/* Refuses who has not reached the level, in the line that a request of slurmdbd's ends with. */
static bool may_ask(struct mgr *mgr, enum admin_level least)
{
    if (level_reached(mgr, least))
        return true;
    log_error(mgr->command->log, "Your user doesn't have privilege to perform this action");
    mgr->status = 1;
    return false;
}

int stats_list(struct mgr *mgr, const struct acct_line *line)
{
    static const struct sdiag_widths widths = { 25, 20, 10 };
    const struct sdiag_view view = { (int64_t)time(NULL), SDIAG_BY_COUNT, user_name };
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO(diag) struct diag diag;
    struct err err = { 0 };

    (void)line;
    if (!may_ask(mgr, ADMIN_ADMINISTRATOR))
        return 1;
    diag_init(&diag);
    if (client_call(mgr->command->cli.client, MSG_DIAG_GET, NULL, MSG_DIAG, &diag, &err) < 0) {
        records_report(mgr->command, "Problem with query", &err);
        return 1;
    }
    strbuf_adds(&text, RULE "sacctmgr show stats output at ");
    sdiag_moment(view.now, &text);
    strbuf_adds(&text, "Data since                    ");
    sdiag_moment(diag.since, &text);
    strbuf_adds(&text, "All statistics are in microseconds\n" RULE "\n");
    sdiag_requests(&diag, &view, &widths, &text);
    fputs(strbuf_text(&text), stdout);
    return fflush(stdout) == 0 ? 0 : 1;
}

int stats_clear(struct mgr *mgr)
{
    struct err err = { 0 };

    if (mgr_connect(mgr) < 0)
        return 1;
    if (client_call(mgr->command->cli.client, MSG_DIAG_RESET, NULL, MSG_OK, NULL, &err) == 0)
        return 0;
    mgr_refuse_value(mgr, &err);
    return 1;
}

/* ---- slurmdbd ---- */

static bool load_conf(struct mgr *mgr)
{
    struct err err = { 0 };

    if (mgr->command->cli.conf || cli_load(&mgr->command->cli, &err) == 0)
        return true;
    command_report(mgr->command, NULL, &err);
    return false;
}

/* What a slurmdbd did when it was asked. */
struct ping {
    const char *host;
    bool is_up, is_backup;
    uint64_t took_us;
};

static struct ping ping_one(struct mgr *mgr, uint32_t dbd)
{
    struct cli *cli = &mgr->command->cli;
    struct ping ping = { .is_backup = dbd > 0 };
    const uint64_t begin = clock_mono_us();
    struct client *client = NULL;
    struct err why = { 0 };

    ping.is_up = cli_try_dbd(cli, dbd, &client, &why) == 0;
    ping.took_us = clock_mono_us() - begin;
    ping.host = cli->dbd_hosts[dbd]; /* which the attempt has filled in */
    client_free(client);
    if (!ping.is_up)
        log_debug(mgr->command->log, "%s", why.text);
    return ping;
}

static void print_ping(const struct ping *ping)
{
    printf("slurmdbd(%s) at %s is %s\n", ping->is_backup ? "backup" : "primary", ping->host,
           ping->is_up ? "UP" : "DOWN");
}

static void add_ping(struct json_writer *json, const struct ping *ping)
{
    json_open_object(json, NULL);
    json_add_text(json, "hostname", ping->host);
    json_add_bool(json, "responding", ping->is_up);
    json_add_int(json, "latency", (int64_t)ping->took_us);
    json_add_bool(json, "primary", !ping->is_backup);
    json_close(json);
}

/* Who keeps the records is asked where no slurmdbd does. */
static bool ping_controller(struct mgr *mgr, bool is_told)
{
    const bool is_up = mgr_connect(mgr) == 0;

    if (is_told && is_up)
        puts("there is no slurmdbd: the controller keeps these records, and is UP");
    return is_up;
}

int site_ping(struct mgr *mgr)
{
    const bool is_document = document_is_wanted(&mgr->document);
    struct document document = { .command = mgr->command,
                                 .options = &mgr->document,
                                 .words = mgr->command->argv,
                                 .words_n = mgr->command->argc };
    bool is_up = false;
    uint32_t n;

    if (!load_conf(mgr))
        return 1;
    n = cli_dbds_n(&mgr->command->cli);
    if (is_document)
        document_begin_list(&document, "pings");
    for (uint32_t i = 0; i < n; i++) {
        const struct ping ping = ping_one(mgr, i);

        is_up |= ping.is_up;
        if (is_document)
            add_ping(&document.json, &ping);
        else
            print_ping(&ping);
    }
    if (n == 0)
        is_up = ping_controller(mgr, !is_document);
    if (is_document) {
        json_close(&document.json);
        document_end(&document);
    }
    return !is_up;
}

/* Connects to the slurmdbd that serves, never to a controller, which may keep accounts itself. */
static struct client *connect_dbd(struct mgr *mgr)
{
    struct cli *cli = &mgr->command->cli;
    struct client *client = NULL;
    struct err err = { 0 };

    for (uint32_t i = 0; i < cli_dbds_n(cli); i++) {
        if (cli_try_dbd(cli, i, &client, &err) == 0)
            return client;
    }
    mgr_refuse_value(mgr, &err);
    return NULL;
}

int site_shutdown(struct mgr *mgr)
{
    struct client *client;
    struct err err = { 0 };
    int rc;

    if (!load_conf(mgr))
        return 1;
    if (!slurm_conf_has_dbd(mgr->command->cli.conf)) {
        mgr_refuse(mgr, " There is no slurmdbd to shut down: scontrol shutdown ends the "
                        "controller, which keeps these records.");
        return 1;
    }
    client = connect_dbd(mgr);
    if (!client)
        return 1;
    rc = client_call(client, MSG_SHUTDOWN, NULL, MSG_OK, NULL, &err);
    client_free(client);
    if (rc < 0)
        mgr_refuse_value(mgr, &err);
    return rc < 0;
}

int site_roll(struct mgr *mgr, const char *const *words, uint32_t n)
{
    if (mgr_connect(mgr) < 0 || !may_ask(mgr, ADMIN_OPERATOR))
        return 1;
    for (uint32_t i = 0; i < n && i < 2; i++) {
        struct err err = { 0 };
        int64_t at;

        if (time_parse_past(words[i], (int64_t)time(NULL), &at, &err) < 0)
            puts(err.text); /* and it succeeds, as in Slurm */
    }
    if (n > 3) {
        fputs("too many arguments for roll keyword\n", stderr);
        mgr->status = 1;
    }
    fflush(stdout);
    fputs("sacctmgr: roll: SUCCESS, for sums are kept as jobs end\n", stderr);
    return 0;
}
