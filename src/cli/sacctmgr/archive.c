#include "cli/sacctmgr/archive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/sacctmgr/archive_sql.h"
#include "common/msg/archive.h"
#include "common/msg/types.h"

/* ---- what both have ---- */

/* Says that a request has failed, in Slurm's words. */
static int fail(struct mgr *mgr, const char *what, const struct err *err)
{
    fflush(stdout);
    fprintf(stderr, "sacctmgr: error: %s\n Problem %s: %s\n", err->text, what,
            err_string(err->code));
    mgr->status = 1;
    return 1;
}

/* Returns a path as who keeps the history has it, to be freed. */
static char *full_path(const char *path)
{
    AUTO_FREE char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);

    return here ? xasprintf("%s/%s", here, path) : xstrdup(path);
}

/* ---- dump ---- */

enum dump_key {
    KEY_DIRECTORY,
    KEY_SCRIPT,
    KEY_EVENTS, /* the first of those without a value */
    KEY_JOBS,
    KEY_RESERVATIONS,
    KEY_STEPS,
    KEY_SUSPEND,
    KEY_TRANSACTIONS,
    KEY_USAGE, /* the last of these */
    KEY_PURGE_EVENTS,
    KEY_PURGE_JOBS,
    KEY_PURGE_RESERVATIONS,
    KEY_PURGE_STEPS,
    KEY_PURGE_SUSPEND,
    KEY_PURGE_TRANSACTIONS,
    KEY_PURGE_USAGE,
};

static const struct acct_key dump_keys[] = {
    { "Directory", 2, KEY_DIRECTORY },
    { "Events", 1, KEY_EVENTS },
    { "Jobs", 1, KEY_JOBS },
    { "PurgeEventAfter", 10, KEY_PURGE_EVENTS },
    { "PurgeJobAfter", 8, KEY_PURGE_JOBS },
    { "PurgeResvAfter", 9, KEY_PURGE_RESERVATIONS },
    { "PurgeStepAfter", 9, KEY_PURGE_STEPS },
    { "PurgeSuspendAfter", 9, KEY_PURGE_SUSPEND },
    { "PurgeTXNAfter", 8, KEY_PURGE_TRANSACTIONS },
    { "PurgeUsageAfter", 10, KEY_PURGE_USAGE },
    { "Reservations", 1, KEY_RESERVATIONS },
    { "Script", 2, KEY_SCRIPT },
    { "Steps", 2, KEY_STEPS },
    { "Suspend", 2, KEY_SUSPEND },
    { "TXN", 1, KEY_TRANSACTIONS },
    { "Usage", 1, KEY_USAGE },
};

/* What is asked for of which there are no records here, as bits. */
enum { MOOT_SUSPENSIONS = 1, MOOT_RESERVATIONS = 2 };

static uint32_t moot_of(int key)
{
    return key == KEY_SUSPEND || key == KEY_PURGE_SUSPEND ? MOOT_SUSPENSIONS : MOOT_RESERVATIONS;
}

static void say_moot(const struct mgr *mgr, uint32_t moot)
{
    if (!mgr->quiet && moot & MOOT_SUSPENSIONS)
        fputs("sacctmgr: there is nothing of suspensions: how long a job was suspended is part of "
              "its record\n",
              stderr);
    if (!mgr->quiet && moot & MOOT_RESERVATIONS)
        fputs("sacctmgr: there are no records of reservations\n", stderr);
}

static bool *flag_of(struct archive_dump *dump, int key)
{
    switch (key) {
    case KEY_EVENTS:
        return &dump->events;
    case KEY_JOBS:
        return &dump->jobs;
    case KEY_STEPS:
        return &dump->steps;
    case KEY_TRANSACTIONS:
        return &dump->transactions;
    case KEY_USAGE:
        return &dump->usage;
    default:
        return NULL;
    }
}

static char **text_of(struct archive_dump *dump, int key)
{
    switch (key) {
    case KEY_DIRECTORY:
        return &dump->directory;
    case KEY_SCRIPT:
        return &dump->script;
    case KEY_PURGE_EVENTS:
        return &dump->events_after;
    case KEY_PURGE_JOBS:
        return &dump->jobs_after;
    case KEY_PURGE_STEPS:
        return &dump->steps_after;
    case KEY_PURGE_TRANSACTIONS:
        return &dump->transactions_after;
    case KEY_PURGE_USAGE:
        return &dump->usage_after;
    default:
        return NULL;
    }
}

/* Looks at an age, and refuses it in Slurm's words. */
static bool check_age(struct mgr *mgr, const char *value)
{
    static const char *const units[] = { "", "hour", "hours", "day", "days", "month", "months" };
    const char *unit = value + strspn(value, "0123456789");

    if (unit == value || unit - value > 6) {
        fprintf(stderr, "sacctmgr: error: Invalid purge string '%s'\n", value);
        mgr->status = 1;
        return false;
    }
    for (size_t i = 0; i < ARRAY_N(units); i++) {
        if (word_is(unit, units[i]))
            return true;
    }
    fprintf(stderr,
            "sacctmgr: error: Invalid purge unit '%s', valid options are hours, days, or months\n",
            unit);
    mgr->status = 1;
    return false;
}

static void set_path(char **path, const char *value)
{
    free(*path);
    *path = full_path(value);
}

/* Takes a word, and notes in *moot of what there is nothing. Returns false after saying what is
 * wrong with it. */
static bool read_dump_word(struct mgr *mgr, const struct acct_word *word, struct archive_dump *dump,
                           uint32_t *moot)
{
    const int key =
        acct_key_find(dump_keys, ARRAY_N(dump_keys), word->key ? word->key : word->value);
    const bool is_flag = key >= KEY_EVENTS && key <= KEY_USAGE;

    if (key < 0 || is_flag != !word->key) {
        mgr_refuse(mgr, " Unknown condition: %s", word->text);
        return false;
    }
    if (key >= KEY_PURGE_EVENTS && !check_age(mgr, word->value))
        return false;
    if (is_flag && flag_of(dump, key))
        *flag_of(dump, key) = true;
    else if (key == KEY_DIRECTORY || key == KEY_SCRIPT)
        set_path(text_of(dump, key), word->value);
    else if (!is_flag && text_of(dump, key))
        xstrset(text_of(dump, key), word->value);
    else
        *moot |= moot_of(key);
    return true;
}

static int print_dumped(const struct records *rows)
{
    for (uint32_t i = 0; i < rows->n; i++) {
        const struct archive_dumped *dumped = record_at(rows, i);

        printf(" %s: %s\n", dumped->cluster, dumped->left ? dumped->left : "nothing was so old");
    }
    return 0;
}

static int dump(struct mgr *mgr, const struct archive_dump *asked)
{
    AUTO(records) struct records rows = { 0 };
    struct err err = { 0 };

    if (!mgr_agrees(mgr, "This may result in loss of accounting database records (if Purge* "
                         "options enabled).\nAre you sure you want to continue?")) {
        puts(" Changes Discarded");
        return 0;
    }
    if (records_load(mgr->command->cli.client, MSG_ARCHIVE_DUMP, asked, MSG_ARCHIVE_DUMPED, &rows,
                     &err) < 0)
        return fail(mgr, "dumping archive", &err);
    return print_dumped(&rows);
}

static int run_dump(struct mgr *mgr, const struct acct_line *line)
{
    AUTO(archive_dump) struct archive_dump asked;
    uint32_t moot = 0;

    archive_dump_init(&asked);
    for (uint32_t i = 0; i < line->where.n; i++) {
        if (!read_dump_word(mgr, &line->where.at[i], &asked, &moot))
            return 1;
    }
    say_moot(mgr, moot);
    return mgr_connect(mgr) < 0 ? 1 : dump(mgr, &asked);
}

/* ---- load ---- */

/* What is to be loaded. */
struct load_words {
    const char *file; /* borrowed from the line */
    char *insert;     /* owned */
};

/* Returns statements without the quotes around them; those inside are theirs. To be freed. */
static char *statements_of(const char *text)
{
    const size_t n = strlen(text);
    const bool is_quoted = n > 1 && (*text == '"' || *text == '\'') && text[n - 1] == *text;

    return is_quoted ? xstrndup(text + 1, n - 2) : xstrdup(text);
}

static bool read_load_word(struct mgr *mgr, const struct acct_word *word, struct load_words *ret)
{
    static const struct acct_key keys[] = { { "File", 1, 0 }, { "Insert", 2, 1 } };
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : 0;

    if (key < 0) {
        mgr_refuse(mgr, " Unknown option: %s", word->text);
        return false;
    }
    if (key == 1) {
        free(ret->insert);
        ret->insert = statements_of(strchr(word->text, '=') + 1);
    } else {
        ret->file = word->value;
    }
    return true;
}

void archive_say_loaded(void)
{
    fflush(stdout);
    fputs("sacctmgr: archive load: SUCCESS\n", stderr);
}

static void print_loaded(const struct archive_loaded *loaded)
{
    printf(" %s: %llu of %llu records (%s) have come", loaded->cluster,
           (unsigned long long)loaded->came, (unsigned long long)loaded->records, loaded->kind);
    if (loaded->were_there)
        printf("; %llu were there", (unsigned long long)loaded->were_there);
    if (loaded->other)
        printf("; %llu are left out: %s", (unsigned long long)loaded->other,
               strcmp(loaded->kind, "step") == 0
                   ? "their jobs are not in the history, load the archive of jobs first"
                   : "other jobs have their numbers");
    putchar('\n');
    if (!loaded->other)
        archive_say_loaded();
}

/* Asks for a load, or whether there could be one; the answer is one row. */
static int ask(struct mgr *mgr, struct archive_load *asked, struct records *ret)
{
    struct err err = { 0 };

    if (records_load(mgr->command->cli.client, MSG_ARCHIVE_LOAD, asked, MSG_ARCHIVE_LOADED, ret,
                     &err) == 0)
        return 0;
    fail(mgr, "loading archive file", &err);
    if (err.code == ENOENT)
        fputs(" Note: For archive load, the file must be accessible on the slurmdbd host.\n",
              stderr);
    return -1;
}

static int load(struct mgr *mgr, const char *file)
{
    AUTO(records) struct records rows = { 0 };
    AUTO(archive_load) struct archive_load asked;

    archive_load_init(&asked);
    asked.file = full_path(file);
    asked.is_trial = !mgr->at_once;
    if (ask(mgr, &asked, &rows) < 0)
        return 1;
    if (asked.is_trial) {
        const struct archive_loaded *found = rows.n ? record_at(&rows, 0) : NULL;

        if (found)
            printf(" %s: %llu records (%s)\n", found->cluster, (unsigned long long)found->records,
                   found->kind);
        if (!mgr_commits(mgr))
            return 0;
        asked.is_trial = false;
        if (ask(mgr, &asked, &rows) < 0)
            return 1;
    }
    if (rows.n)
        print_loaded(record_at(&rows, 0));
    return 0;
}

static int load_words(struct mgr *mgr, const struct load_words *words)
{
    struct err err = { 0 };
    int fd;

    if (words->insert && !words->file)
        return archive_sql_insert(mgr, words->insert);
    if (words->insert || !words->file || !*words->file) {
        err_set(&err, EINVAL, "%s",
                words->insert ? "either File= or Insert= is loaded, not both"
                              : "No archive file given to recover.");
        return fail(mgr, "loading archive file", &err);
    }
    fd = archive_sql_open(words->file);
    if (fd >= 0)
        return archive_sql_load(mgr, fd, words->file);
    return mgr_connect(mgr) < 0 ? 1 : load(mgr, words->file);
}

static int run_load(struct mgr *mgr, const struct acct_line *line)
{
    struct load_words words = { 0 };
    bool is_read = true;
    int status = 1;

    for (uint32_t i = 0; i < line->where.n && is_read; i++)
        is_read = read_load_word(mgr, &line->where.at[i], &words);
    if (is_read)
        status = load_words(mgr, &words);
    free(words.insert);
    return status;
}

/* ---- both ---- */

int archive_run(struct mgr *mgr, const char *const *words, uint32_t n)
{
    static const struct acct_key parts[] = { { "dump", 1, 0 }, { "load", 1, 1 } };
    const int part = n ? acct_key_find(parts, ARRAY_N(parts), words[0]) : -1;
    struct acct_line line = { 0 };
    int status;

    if (part < 0) {
        fputs("No valid entity in archive command\nInput line must include, \"Dump\", or "
              "\"load\"\n",
              stderr);
        mgr->status = 1;
        return 1;
    }
    acct_line_read(words + 1, n - 1, false, &line);
    status = part == 0 ? run_dump(mgr, &line) : run_load(mgr, &line);
    acct_line_clear(&line);
    return status;
}
