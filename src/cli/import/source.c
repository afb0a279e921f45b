#include "cli/import/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/import/survey.h"
#include "common/base/alloc.h"
#include "common/base/strbuf.h"

#define COPY_BYTES  (256u << 10)
#define CONF_NAME   "slurmdbd.conf"
#define STATUS_NONE 127 /* of a child: there is no such program */

void source_database_clear(struct source_database *database)
{
    if (database->password)
        explicit_bzero(database->password, strlen(database->password));
    free(database->host);
    free(database->user);
    free(database->password);
    free(database->database);
    free(database->port);
    *database = (struct source_database){ 0 };
}

/* ---- slurmdbd.conf ---- */

/* Sets the value of "Key=value  # remark", without quotes, where the key is that. */
static void take_key(const char *line, const char *key, char **value)
{
    const size_t n = strlen(key);
    size_t end;

    line += strspn(line, " \t");
    if (*value || strncasecmp(line, key, n) != 0)
        return;
    line += n;
    line += strspn(line, " \t");
    if (*line != '=')
        return;
    line++;
    line += strspn(line, " \t");
    if (*line == '"')
        *value = xstrndup(line + 1, strcspn(line + 1, "\"\n"));
    else {
        end = strcspn(line, "#\n\r");
        while (end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\t'))
            end--;
        *value = xstrndup(line, end);
    }
}

int source_database_load(struct source_database *database, const char *conf_path, struct err *err)
{
    const char *slash = strrchr(conf_path, '/');
    AUTO_FREE char *path =
        xasprintf("%.*s%s", slash ? (int)(slash - conf_path + 1) : 0, conf_path, CONF_NAME);
    AUTO_FREE char *line = NULL;
    FILE *file = fopen(path, "re");
    size_t size = 0;

    if (!file && errno != ENOENT)
        return err_set(err, errno, "cannot read %s: %s", path, strerror(errno));
    while (file && getline(&line, &size, file) >= 0) {
        take_key(line, "StorageHost", &database->host);
        take_key(line, "StoragePort", &database->port);
        take_key(line, "StorageUser", &database->user);
        take_key(line, "StoragePass", &database->password);
        take_key(line, "StorageLoc", &database->database);
    }
    if (line)
        explicit_bzero(line, size);
    if (file)
        fclose(file);
    if (!database->database)
        database->database = xstrdup("slurm_acct_db");
    return 0;
}

int source_database_read_password(struct source_database *database, const char *path,
                                  struct err *err)
{
    FILE *file = fopen(path, "re");
    size_t size = 0;

    if (!file)
        return err_set(err, errno, "cannot read %s: %s", path, strerror(errno));
    free(database->password);
    database->password = NULL;
    if (getline(&database->password, &size, file) < 0)
        xstrset(&database->password, "");
    fclose(file);
    database->password[strcspn(database->password, "\r\n")] = '\0';
    return 0;
}

/* ---- files ---- */

/* Makes a file without a name. */
static int make_temporary(int *ret_fd, struct err *err)
{
    const char *dir = getenv("TMPDIR");
    int fd = open(dir && *dir ? dir : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd < 0)
        return err_set(err, errno, "cannot make a file in %s: %s", dir && *dir ? dir : "/tmp",
                       strerror(errno));
    *ret_fd = fd;
    return 0;
}

static int write_all(int fd, const char *bytes, size_t n, struct err *err)
{
    while (n > 0) {
        const ssize_t done = write(fd, bytes, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return err_set(err, errno, "cannot write to a temporary file: %s", strerror(errno));
        bytes += done;
        n -= (size_t)done;
    }
    return 0;
}

static int copy_all(int from, int to, const char *name, struct err *err)
{
    AUTO_FREE char *bytes = xmalloc(COPY_BYTES);
    ssize_t n;

    while ((n = read(from, bytes, COPY_BYTES)) != 0) {
        int rc = 0;

        if (n < 0 && errno != EINTR)
            return err_set(err, errno, "cannot read %s: %s", name, strerror(errno));
        if (n > 0)
            rc = write_all(to, bytes, (size_t)n, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

int source_open(const char *path, int *ret_fd, char **ret_name, struct err *err)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC), to = -1, rc;
    struct stat status;

    if (fd < 0 || fstat(fd, &status) < 0)
        return err_set(err, errno, "cannot read %s: %s", path, strerror(errno));
    *ret_name = xstrdup(is_stdin ? "standard input" : path);
    if (S_ISREG(status.st_mode) && lseek(fd, 0, SEEK_CUR) == 0) {
        *ret_fd = fd;
        return 0;
    }
    rc = make_temporary(&to, err);
    if (rc == 0)
        rc = copy_all(fd, to, *ret_name, err);
    if (!is_stdin)
        close(fd);
    if (rc < 0 && to >= 0)
        close(to);
    else
        *ret_fd = to;
    return rc;
}

/* ---- a database ---- */

static void add_option(struct strbuf *text, const char *key, const char *value)
{
    if (!value)
        return;
    strbuf_addf(text, "%s=\"", key);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            strbuf_addc(text, '\\');
        strbuf_addc(text, *value);
    }
    strbuf_adds(text, "\"\n");
}

/* Makes a file in memory that tells mysqldump where to connect, and as whom. */
static int make_options(const struct source_database *database, int *ret_fd, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    int fd = memfd_create("options", 0), rc; /* the child inherits it */

    if (fd < 0 || fchmod(fd, 0600) < 0)
        return err_set(err, errno, "cannot make a file in memory: %s", strerror(errno));
    strbuf_adds(&text, "[client]\n");
    add_option(&text, "host", database->host);
    add_option(&text, "port", database->port);
    add_option(&text, "user", database->user);
    add_option(&text, "password", database->password);
    rc = write_all(fd, strbuf_text(&text), text.len, err);
    explicit_bzero(text.data, text.len);
    *ret_fd = fd;
    return rc;
}

/* The words of a command line. */
struct line {
    char **words;
    uint32_t n;
};

static void add_word(struct line *line, const char *word)
{
    *ARRAY_PUSH(line->words, line->n) = xstrdup(word);
}

static void clear_line(struct line *line)
{
    for (uint32_t i = 0; i < line->n; i++)
        free(line->words[i]);
    free(line->words);
    *line = (struct line){ 0 };
}

/* In the child: becomes the first of the two programs that is there. */
static void become(struct line *line, int out)
{
    static const char *const programs[] = { "mariadb-dump", "mysqldump" };

    if (dup2(out, STDOUT_FILENO) >= 0) {
        *ARRAY_PUSH(line->words, line->n) = NULL;
        for (size_t i = 0; i < ARRAY_N(programs); i++)
            execvp(programs[i], line->words);
    }
    _exit(STATUS_NONE);
}

/* Runs the program with its output in a file. */
static int run(struct line *line, int out, struct err *err)
{
    int status;
    const pid_t child = fork();

    if (child < 0)
        return err_set(err, errno, "cannot start mysqldump: %s", strerror(errno));
    if (child == 0)
        become(line, out);
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return err_set(err, errno, "mysqldump: %s", strerror(errno));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_NONE)
        return err_set(err, ENOENT,
                       "neither mariadb-dump nor mysqldump is installed here: install one of them "
                       "(Debian: mariadb-client), or make the dump where it is and give its file");
    if (status != 0)
        return err_set(err, EIO, "mysqldump has failed: what it says stands above");
    return 0;
}

static void begin_line(struct line *line, int options)
{
    AUTO_FREE char *file = xasprintf("--defaults-extra-file=/dev/fd/%d", options);

    add_word(line, "mysqldump");
    add_word(line, file);
    add_word(line, "--single-transaction");
    add_word(line, "--quick");
    add_word(line, "--skip-lock-tables");
    add_word(line, "--no-create-db");
}

/* Adds the names of tables that an import looks at, from a dump of all tables without rows. */
static int add_tables(int fd, const char *cluster, struct line *line, struct err *err)
{
    struct dump *dump = dump_new(fd, "mysqldump's output");
    struct dump_row row;
    int rc;

    while ((rc = dump_next(dump, &row, err)) > 0)
        ;
    for (uint32_t i = 0; rc == 0 && i < dump_layouts_n(dump); i++) {
        const struct dump_layout *layout = dump_layout_at(dump, i);
        enum foreign_table table;
        AUTO_FREE char *of = NULL;

        if (!foreign_table_find(layout, &table, &of))
            continue;
        if (!of || table == FOREIGN_ASSOC || table == FOREIGN_WCKEY || strcmp(of, cluster) == 0)
            add_word(line, layout->table);
    }
    dump_free(dump);
    return rc;
}

/* Runs the program twice: to hear which tables there are, and for those that are needed. */
static int dump_to(const struct source_database *database, const char *cluster, int options,
                   int *ret_fd, struct err *err)
{
    struct line line = { 0 };
    int names = -1, out = -1, rc = make_temporary(&names, err);

    begin_line(&line, options);
    add_word(&line, "--no-data");
    add_word(&line, "--"); /* what follows are names, whatever they look like */
    add_word(&line, database->database);
    if (rc == 0)
        rc = run(&line, names, err);
    clear_line(&line);
    begin_line(&line, options);
    add_word(&line, "--order-by-primary");
    add_word(&line, "--hex-blob");
    add_word(&line, "--");
    add_word(&line, database->database);
    if (rc == 0)
        rc = add_tables(names, cluster, &line, err);
    if (rc == 0)
        rc = make_temporary(&out, err);
    if (rc == 0)
        rc = run(&line, out, err);
    clear_line(&line);
    if (names >= 0)
        close(names);
    if (rc < 0 && out >= 0)
        close(out);
    *ret_fd = out;
    return rc;
}

int source_dump(const struct source_database *database, const char *cluster, struct log *log,
                int *ret_fd, char **ret_name, struct err *err)
{
    int options = -1, rc = make_options(database, &options, err);

    *ret_name = xasprintf("database %s", database->database);
    log_info(log, "reading %s at %s", *ret_name, database->host ? database->host : "localhost");
    if (rc == 0)
        rc = dump_to(database, cluster, options, ret_fd, err);
    if (options >= 0)
        close(options);
    return rc;
}
