#include "cli/sacctmgr/load.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/lib/records.h"
#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/level.h"
#include "cli/sacctmgr/load_plan.h"
#include "cli/sacctmgr/load_say.h"
#include "common/conf/file.h"

/* ---- words ---- */

struct asked {
    const char *file, *cluster; /* borrowed from the line, as the next one */
    const char *word;           /* that names the file */
    bool is_clean;
};

/* Says that something of the request has failed, in Slurm's words. */
static int fail(struct mgr *mgr)
{
    fflush(stdout);
    fputs(" Problem with requests: Unspecified error\n", stderr);
    mgr->status = 1;
    return 1;
}

/* Takes a word alone for a file. Returns false after saying which word is none. */
static bool read_word(struct mgr *mgr, const struct acct_word *word, struct asked *asked)
{
    static const struct acct_key keys[] = { { "Cluster", 3, 0 }, { "File", 1, 1 } };
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : 1;

    if (!word->key && word_is(word->value, "clean")) {
        asked->is_clean = true;
    } else if (key == 0) {
        asked->cluster = word->value;
    } else if (key == 1 && !asked->file) {
        asked->file = word->value;
        asked->word = word->text;
    } else {
        if (word->key && word_is(word->key, "clean"))
            mgr_refuse(mgr,
                       " Unknown option: %s\n clean removes associations; accounts, QOS and "
                       "users, which other clusters may have, are deleted by name",
                       word->text);
        else if (key == 1)
            mgr_refuse(mgr, " File name already set to %s", asked->file);
        else
            mgr_refuse(mgr, " Unknown option: %s", word->text);
        return false;
    }
    return true;
}

static bool read_words(struct mgr *mgr, const struct acct_line *line, struct asked *asked)
{
    for (uint32_t i = 0; i < line->where.n; i++) {
        if (read_word(mgr, &line->where.at[i], asked))
            continue;
        puts(" error: Problem with line(1)");
        fail(mgr);
        return false;
    }
    if (!asked->file || !*asked->file) {
        mgr_refuse(mgr, " No filename given, specify one with file=''");
        return false;
    }
    if (asked->cluster && !*asked->cluster) {
        mgr_refuse(mgr, " No cluster given: cluster= names the one that the file is for");
        return false;
    }
    return true;
}

/* ---- lines ---- */

/* Takes a line that was read. */
static int take(struct load_plan *plan, uint32_t number, const char *text, bool is_ended)
{
    struct load_line line = { .number = number };
    struct err err = { 0 };
    int rc = load_line_read(&line, text, &err);

    if (rc == 0 && line.kind != LOAD_NOTHING && !is_ended)
        rc = err_set(&err, EINVAL, " The line is not ended, so the file may have been cut: %s",
                     text);
    if (rc == 0) {
        rc = load_plan_take(plan, &line);
    } else {
        mgr_refuse(plan->mgr, "%s", err.text);
        printf(" Problem with line(%u)\n", number);
    }
    load_line_clear(&line);
    return rc;
}

static int take_all(struct load_plan *plan, char *text)
{
    uint32_t number = 0;
    int rc = 0;

    while (rc == 0 && *text) {
        char *end = strchr(text, '\n');

        if (end)
            *end = '\0';
        rc = take(plan, ++number, text, end != NULL);
        text = end ? end + 1 : text + strlen(text);
    }
    return rc == 0 ? load_plan_end(plan) : rc;
}

/* ---- the whole ---- */

static int64_t microseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Says that the file makes another cluster than this one, which nobody serves. */
static void say_nobodys(const struct load_plan *plan)
{
    const struct slurm_conf *conf = plan->mgr->command->cli.conf;

    if (plan->mgr->quiet || slurm_conf_has_dbd(conf) ||
        strcmp(plan->cluster, conf->cluster_name) == 0)
        return;
    fprintf(stderr,
            "sacctmgr: note: without a slurmdbd nothing of cluster %s holds for this one, %s: "
            "cluster=%s loads the file for it\n",
            plan->cluster, conf->cluster_name, conf->cluster_name);
}

static int commit(const struct load_plan *plan, int64_t began_us)
{
    struct edits edits = { .adds = "cluster" };
    int status = 0;

    load_plan_gather(plan, &edits);
    if (edits.change.edits_n == 0) {
        puts(" Nothing new added.");
    } else {
        load_say_new(plan);
        fflush(stdout);
        if (!plan->mgr->quiet)
            fprintf(stderr, "sacctmgr: Done adding cluster in usec=%" PRId64 "\n",
                    microseconds() - began_us);
        say_nobodys(plan);
        if (mgr_commits(plan->mgr))
            status = edits_send(plan->mgr, &edits);
    }
    edits_clear(&edits);
    return status;
}

static int load(struct mgr *mgr, const struct book *book, const struct asked *asked, char *text)
{
    struct load_plan plan = { .mgr = mgr, .book = book, .is_clean = asked->is_clean };
    const int64_t began_us = microseconds();
    AUTO(words) struct words cluster = { 0 };
    int status;

    if (asked->cluster && acct_names_add(&cluster, asked->cluster))
        plan.cluster = xstrdup(cluster.at[0]);
    if (take_all(&plan, text) == 0) {
        status = commit(&plan, began_us);
    } else if (plan.is_refused) {
        puts(" Nothing new added.");
        status = 1;
    } else {
        status = fail(mgr);
    }
    load_plan_clear(&plan);
    return status;
}

static int run_line(struct mgr *mgr, const struct acct_line *line)
{
    struct asked asked = { 0 };
    struct book book = { 0 };
    struct err err = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    int status = 1;

    if (!read_words(mgr, line, &asked))
        return 1;
    if (conf_read_disk(NULL, asked.file, &text, &err) < 0) {
        mgr_refuse(mgr, " Unable to read \"%s\": %s", asked.word, strerror(err.code));
        return 1;
    }
    if (text.len > CONF_FILE_MAX) {
        mgr_refuse(mgr, " \"%s\" is larger than %u bytes", asked.word, CONF_FILE_MAX);
        return 1;
    }
    strbuf_addc(&text, '\0');
    if (mgr_connect(mgr) < 0)
        return 1;
    if (!level_reached(mgr, ADMIN_ADMINISTRATOR)) {
        mgr_refuse(mgr, " Your user does not have sufficient privileges to load files.");
        return 1;
    }
    if (book_load(&book, mgr->command, &err) < 0)
        records_report(mgr->command, "Problem with query", &err);
    else
        status = load(mgr, &book, &asked, text.data);
    book_clear(&book);
    return status;
}

int load_run(struct mgr *mgr, const char *const *words, uint32_t n)
{
    struct acct_line line = { 0 };
    int status;

    acct_line_read(words, n, false, &line);
    status = run_line(mgr, &line);
    acct_line_clear(&line);
    return status;
}
