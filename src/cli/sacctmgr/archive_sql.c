#include "cli/sacctmgr/archive_sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/import/statements.h"
#include "cli/sacctmgr/archive.h"
#include "common/base/file_io.h"

/* ---- which files ---- */

/* Returns whether a text begins with a statement, or with a comment; not one with #, as our own
 * archives begin. */
static bool begins_as_sql(const char *text)
{
    static const char *const starts[] = { "insert ", "replace ",  "--",      "/*",
                                          "create ", "use ",      "delete ", "drop ",
                                          "set ",    "truncate ", "update " };

    text += strspn(text, " \t\r\n");
    for (size_t i = 0; i < ARRAY_N(starts); i++) {
        if (strncasecmp(text, starts[i], strlen(starts[i])) == 0)
            return true;
    }
    return false;
}

int archive_sql_open(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info;
    char head[512] = "";
    ssize_t n;

    if (fd < 0)
        return -1;
    n = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? pread(fd, head, sizeof(head) - 1, 0) : -1;
    if (n > 0 && !memchr(head, '\0', (size_t)n) && begins_as_sql(head))
        return fd;
    close(fd);
    return -1;
}

/* ---- loading ---- */

static int fail(struct mgr *mgr, const struct err *err)
{
    fflush(stdout);
    fprintf(stderr, "sacctmgr: error: %s\n Problem loading archive file: %s\n", err->text,
            err_string(err->code == EILSEQ ? EINVAL : err->code)); /* what is no SQL of ours */
    mgr->status = 1;
    return 1;
}

static void say_found(const struct statements *statements)
{
    printf(" %s: %llu jobs, %llu events\n",
           statements->cluster ? statements->cluster : statements->own,
           (unsigned long long)statements->jobs, (unsigned long long)statements->events);
}

static void say_kind(const struct plan *plan, enum plan_kind kind, const char *words)
{
    const uint64_t *counts = plan->counts[kind];
    uint64_t all = 0;

    for (int i = 0; i < FATES_N; i++)
        all += counts[i];
    if (!all)
        return;
    printf(" %llu of %llu %s have come", (unsigned long long)counts[FATE_NEW],
           (unsigned long long)all, words);
    if (counts[FATE_EQUAL])
        printf("; %llu were there", (unsigned long long)counts[FATE_EQUAL]);
    putchar('\n');
}

/* Says what has come, and why the rest has not. */
static void say_loaded(const struct statements *statements)
{
    const struct plan *plan = &statements->plan;

    say_kind(plan, PLAN_JOBS, "jobs");
    say_kind(plan, PLAN_EVENTS, "events");
    if (statements->alive)
        printf(" %llu jobs do not come: they were deleted, or have an end and are not over\n",
               (unsigned long long)statements->alive);
    if (statements->open)
        printf(" %llu jobs have no end: `sacctmgr show runawayjobs` gives them one\n",
               (unsigned long long)statements->open);
    for (uint32_t i = 0; i < plan->notes_n; i++)
        printf(" %llu %s (%s)\n", (unsigned long long)plan->notes[i].n, plan->notes[i].text,
               plan->notes[i].examples[0]);
}

/* Connects to the controller, whose history it is also where a slurmdbd keeps the accounts. */
static int send_to_controller(struct statements *statements, struct err *err)
{
    struct command controller;
    int rc;

    command_init(&controller, "sacctmgr");
    rc = cli_open(&controller.cli, RPC_ROLE_CLIENT, err);
    if (rc == 0)
        rc = statements_send(statements, controller.cli.client, err);
    command_clear(&controller);
    return rc;
}

static int send_to_slurmdbd(const struct mgr *mgr, struct statements *statements, struct err *err)
{
    if (!mgr->command->cli.is_at_dbd)
        return err_set(err, E_NOT_SUPPORTED,
                       "the history of cluster %s, which a slurmdbd would take: none keeps the "
                       "accounts here",
                       statements->cluster);
    return statements_send(statements, mgr->command->cli.client, err);
}

static int send(struct mgr *mgr, struct statements *statements)
{
    struct err err = { 0 };
    int rc = statements_are_foreign(statements) ? send_to_slurmdbd(mgr, statements, &err)
                                                : send_to_controller(statements, &err);

    if (rc < 0)
        return fail(mgr, &err);
    say_loaded(statements);
    if (!statements->alive && statements->plan.notes_n == 0)
        archive_say_loaded();
    return 0;
}

static int load(struct mgr *mgr, const struct book *book, int fd, const char *name)
{
    struct statements statements;
    struct err err = { 0 };
    int status;

    if (statements_read(&statements, fd, name, book, book->cluster, &err) < 0) {
        status = fail(mgr, &err);
    } else {
        if (!mgr->at_once)
            say_found(&statements);
        status = mgr_commits(mgr) ? send(mgr, &statements) : 0;
    }
    statements_clear(&statements);
    return status;
}

int archive_sql_load(struct mgr *mgr, int fd, const char *name)
{
    struct book book = { 0 };
    struct err err = { 0 };
    int status = 1;

    if (mgr_connect(mgr) == 0 && book_load(&book, mgr->command, &err) < 0)
        records_report(mgr->command, "Problem with query", &err);
    else if (mgr->command->cli.client)
        status = load(mgr, &book, fd, name);
    book_clear(&book);
    close(fd);
    return status;
}

int archive_sql_insert(struct mgr *mgr, const char *statements)
{
    AUTO_FREE char *ended = xasprintf("%s;\n", statements); /* its last one need not be */
    struct err err = { 0 };
    int fd = memfd_create("insert", MFD_CLOEXEC);

    if (fd >= 0 && write_all(fd, ended, strlen(ended)) == 0)
        return archive_sql_load(mgr, fd, "Insert=");
    err_set(&err, errno, "Insert=: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return fail(mgr, &err);
}
