#include "cli/sacctmgr/site.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/lib/records.h"
#include "cli/sdiag/text.h"
#include "common/msg/types.h"
#include "common/text/words.h"

/* ---- the configuration ---- */

/* What Slurm tells of its configuration, in its order, with its distances. */
static const struct {
    const char *title, *key;
} rows[] = {
    { "AccountingStorageBackupHost ", "AccountingStorageBackupHost" },
    { "AccountingStorageHost ", "AccountingStorageHost" },
    { "AccountingStorageParameters", "AccountingStorageParameters" },
    { "AccountingStoragePass ", "AccountingStoragePass" },
    { "AccountingStoragePort ", "AccountingStoragePort" },
    { "AccountingStorageType ", "AccountingStorageType" },
    { "AccountingStorageUser ", "AccountingStorageUser" },
    { "AuthType              ", "AuthType" },
    { "MessageTimeout        ", "MessageTimeout" },
    { "PluginDir             ", "PluginDir" },
    { "PrivateData           ", "PrivateData" },
    { "SlurmUserId           ", "SlurmUser" },
    { "SLURM_CONF            ", "SLURM_CONF" },
    { "SLURM_VERSION         ", "SLURM_VERSION" },
    { "TCPTimeout            ", "TCPTimeout" },
    { "TrackWCKey            ", "TrackWCKey" },
};

static const char *find_value(const struct records *entries, const char *key)
{
    for (uint32_t i = 0; i < entries->n; i++) {
        const struct config_entry *entry = record_at(entries, i);

        if (word_is(entry->key, key) && entry->value)
            return entry->value;
    }
    return "(null)";
}

static void print_config(const struct records *entries)
{
    const time_t now = time(NULL);
    struct tm local;
    char text[32];

    strftime(text, sizeof(text), "%FT%T", localtime_r(&now, &local));
    printf("Configuration data as of %s\n", text);
    for (size_t i = 0; i < ARRAY_N(rows); i++)
        printf("%s = %s\n", rows[i].title, find_value(entries, rows[i].key));
}

int config_list(struct mgr *mgr, const struct acct_line *line)
{
    AUTO(records) struct records entries = { 0 };
    struct err err = { 0 };

    (void)line;
    if (records_load(mgr->command->cli.client, MSG_CONFIG_LIST, NULL, MSG_CONFIG_ENTRY, &entries,
                     &err) < 0) {
        records_report(mgr->command, "Problem with query", &err);
        return 1;
    }
    print_config(&entries);
    return 0;
}

/* ---- counters ---- */

#define RULE "*******************************************************************\n"

static char *user_name(uint32_t uid)
{
    const struct passwd *entry = getpwuid(uid);

    return xstrdup(entry ? entry->pw_name : NULL);
}

int stats_list(struct mgr *mgr, const struct acct_line *line)
{
    const struct sdiag_view view = { (int64_t)time(NULL), SDIAG_BY_COUNT, user_name };
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO(diag) struct diag diag;
    struct err err = { 0 };

    (void)line;
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
    sdiag_requests(&diag, &view, &text);
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
