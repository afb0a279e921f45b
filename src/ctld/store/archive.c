#include "ctld/store/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/crypt/crypt.h"
#include "common/text/words.h"
#include "ctld/store/archive_line.h"

#define FILES_MAX   10000 /* of one name */
#define NEARLY_FULL 2000  /* lines that belong together are seldom more */
#define HEAD        "#sluice archive"

struct archive {
    char *path;
    enum archive_kind kind;
    uint32_t file_n; /* of the file at hand, among those of this path */
    int fd;
    char *file;      /* its name */
    uint64_t number; /* drawn */
    uint64_t lines, size;
    uint64_t final_lines, final_size; /* that are on disk for good */
};

static const char *const kind_names[ARCHIVE_KINDS_N] = {
    [ARCHIVE_JOBS] = "job", [ARCHIVE_STEPS] = "step",       [ARCHIVE_EVENTS] = "event",
    [ARCHIVE_LOG] = "log",  [ARCHIVE_TRANSACTIONS] = "txn", [ARCHIVE_USAGE] = "usage",
};

const char *store_archive_name(enum archive_kind kind)
{
    return kind_names[kind];
}

struct archive *archive_new(const char *path, enum archive_kind kind)
{
    struct archive *archive;

    if (!path)
        return NULL;
    archive = xcalloc(1, sizeof(*archive));
    archive->path = xstrdup(path);
    archive->kind = kind;
    archive->fd = -1;
    return archive;
}

static void close_file(struct archive *archive)
{
    if (archive->fd >= 0)
        close(archive->fd);
    archive->fd = -1;
    archive->number = 0;
    archive->lines = archive->size = archive->final_lines = archive->final_size = 0;
}

struct archive *archive_free(struct archive *archive)
{
    if (!archive)
        return NULL;
    archive_undo(archive);
    (void)archive_end(archive, NULL);
    close_file(archive);
    free(archive->path);
    free(archive->file);
    free(archive);
    return NULL;
}

int archive_check_dir(const struct archive *archive, struct err *err)
{
    const char *slash = archive ? strrchr(archive->path, '/') : NULL;
    AUTO_FREE char *dir = slash ? xstrndup(archive->path, (size_t)(slash - archive->path)) : NULL;
    struct stat stat_of;

    if (!slash)
        return 0;
    if (stat(*dir ? dir : "/", &stat_of) < 0)
        return err_set(err, errno, "archive '%s': %s", archive->path, strerror(errno));
    if (!S_ISDIR(stat_of.st_mode))
        return err_set(err, ENOTDIR, "archive dir %s isn't a directory", dir);
    return 0;
}

int archive_sync(struct archive *archive, struct err *err)
{
    if (!archive || archive->fd < 0 || archive->size == archive->final_size)
        return 0;
    if (fsync(archive->fd) < 0)
        return err_set(err, errno, "archive '%s': %s", archive->file, strerror(errno));
    archive->final_size = archive->size;
    archive->final_lines = archive->lines;
    return 0;
}

void archive_undo(struct archive *archive)
{
    if (!archive || archive->fd < 0 ||
        (archive->final_size > 0 && archive->size == archive->final_size))
        return;
    /* What cannot be taken back is no harm: the ledger says how many lines count. */
    if (archive->final_size == 0 ? unlink(archive->file) < 0
                                 : ftruncate(archive->fd, (off_t)archive->final_size) < 0)
        return;
    archive->size = archive->final_size;
    archive->lines = archive->final_lines;
    if (archive->final_size == 0)
        close_file(archive);
}

/* Writes all of it; a full disk may take a part. */
static int write_all(struct archive *archive, const char *text, size_t n, struct err *err)
{
    ssize_t done = 0;

    for (size_t at = 0; at < n; at += (size_t)done) {
        done = write(archive->fd, text + at, n - at);
        if (done <= 0)
            return err_set(err, done < 0 ? errno : EIO, "archive '%s': %s", archive->file,
                           strerror(done < 0 ? errno : EIO));
        archive->size += (uint64_t)done;
    }
    return 0;
}

static int write_head(struct archive *archive, const struct archive_source *source, struct err *err)
{
    AUTO(strbuf) struct strbuf head = { 0 };

    crypt_random(&archive->number, sizeof(archive->number));
    archive->number = (archive->number & INT64_MAX) | 1;
    strbuf_addf(&head, HEAD " %d|%s|", ARCHIVE_VERSION, kind_names[archive->kind]);
    archive_line_text(&head, source->cluster);
    strbuf_addf(&head, "%016" PRIx64 "|%016" PRIx64 "\n#%s\n", source->store, archive->number,
                archive_line_titles(archive->kind));
    return write_all(archive, head.data, head.len, err);
}

static int open_file(struct archive *archive, struct err *err)
{
    while (archive->fd < 0 && archive->file_n < FILES_MAX) {
        AUTO_FREE char *path = ++archive->file_n == 1
                                   ? xstrdup(archive->path)
                                   : xasprintf("%s.%" PRIu32, archive->path, archive->file_n);

        archive->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
        if (archive->fd < 0 && errno != EEXIST)
            return err_set(err, errno, "archive '%s' cannot be made: %s", path, strerror(errno));
        xstrset(&archive->file, path);
    }
    if (archive->fd < 0)
        return err_set(err, EEXIST, "archive '%s': %d files of that name exist", archive->path,
                       FILES_MAX);
    return 0;
}

int archive_end(struct archive *archive, struct err *err)
{
    AUTO_FREE char *end = NULL;
    int rc;

    if (!archive || archive->fd < 0)
        return 0;
    end = xasprintf("#end %" PRIu64 "\n", archive->lines);
    rc = write_all(archive, end, strlen(end), err);
    if (rc == 0)
        rc = archive_sync(archive, err);
    if (rc < 0)
        archive_undo(archive);
    else
        close_file(archive);
    return rc;
}

int archive_turn_over(struct archive *archive, struct err *err)
{
    return archive && archive->lines + NEARLY_FULL > ARCHIVE_LINES_MAX ? archive_end(archive, err)
                                                                       : 0;
}

int archive_add(struct archive *archive, const struct archive_source *source,
                const struct strbuf *line, struct err *err)
{
    int rc = 0;

    if (line->len > ARCHIVE_LINE_MAX)
        return err_set(err, E_TOO_BIG, "archive '%s': a record of %zu bytes", archive->path,
                       line->len);
    if (archive->fd < 0)
        rc = open_file(archive, err);
    if (rc == 0 && archive->size == 0)
        rc = write_head(archive, source, err);
    if (rc == 0)
        rc = write_all(archive, line->data, line->len, err);
    if (rc == 0)
        rc = write_all(archive, "\n", 1, err);
    archive->lines++;
    return rc;
}

uint64_t archive_number(const struct archive *archive)
{
    return archive->number;
}

uint64_t archive_lines(const struct archive *archive)
{
    return archive->lines;
}

/* ---- reading ---- */

static bool is_sql(const char *line, size_t n)
{
    static const char *const starts[] = { "insert ", "replace ", "--", "/*", "create ", "use " };

    for (size_t i = 0; i < ARRAY_N(starts); i++) {
        if (n >= strlen(starts[i]) && strncasecmp(line, starts[i], strlen(starts[i])) == 0)
            return true;
    }
    return false;
}

/* Says what a file is that is no archive, as far as its first bytes tell. */
static int refuse(const char *line, size_t n, struct err *err)
{
    static const char before[] = "#jobid|";
    /* A version, the time in 64 bits, and the number of a request to slurmdbd. */
    static const char packed[] = { 0x26, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5 };

    if (n >= strlen(before) && strncmp(line, before, strlen(before)) == 0)
        return err_set(err, E_NOT_SUPPORTED,
                       "an archive of an earlier version, whose lines do not say all of a record: "
                       "it is to be read, and cannot be loaded");
    if (n >= sizeof(packed) && memcmp(line + 1, packed + 1, 5) == 0 && line[10] == packed[10])
        return err_set(err, E_NOT_SUPPORTED,
                       "a packed archive of Slurm's slurmdbd: it is to be loaded there, and comes "
                       "by a dump of that database (sluice import slurmdbd)");
    if (is_sql(line, n))
        return err_set(
            err, E_NOT_SUPPORTED,
            "statements in SQL, which are not executed here: sacctmgr parses them, where "
            "it can read the file");
    return err_set(err, EINVAL, "no archive: its first line is another");
}

static bool kind_parse(const char *text, enum archive_kind *ret)
{
    for (int i = 0; i < ARCHIVE_KINDS_N; i++) {
        if (strcmp(text, kind_names[i]) == 0) {
            *ret = (enum archive_kind)i;
            return true;
        }
    }
    return false;
}

static bool hex_number(const char *text, uint64_t *ret)
{
    char *end;

    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return false;
    *ret = strtoull(text, &end, 16);
    return *ret != 0 && *ret <= INT64_MAX;
}

void archive_head_clear(struct archive_head *head)
{
    free(head->cluster);
    *head = (struct archive_head){ 0 };
}

void archive_head_auto_(struct archive_head *head)
{
    archive_head_clear(head);
}

int archive_head_parse(const char *line, size_t n, struct archive_head *ret, struct err *err)
{
    struct archive_fields fields;
    struct archive_head head = { 0 };

    if (n < strlen(HEAD) || memcmp(line, HEAD, strlen(HEAD)) != 0)
        return refuse(line, n, err);
    archive_fields_split(line + strlen(HEAD), n - strlen(HEAD), &fields);
    if (fields.n != 5 || fields.at[0].n != 2 || strncmp(fields.at[0].text, " 1", 2) != 0)
        return err_set(err, E_NOT_SUPPORTED, "an archive of another version of Sluice");
    AUTO_FREE char *kind = archive_field_text(&fields.at[1]);
    AUTO_FREE char *store = archive_field_text(&fields.at[3]);
    AUTO_FREE char *number = archive_field_text(&fields.at[4]);
    if (!kind || !kind_parse(kind, &head.kind) || !store || !hex_number(store, &head.store) ||
        !number || !hex_number(number, &head.number))
        return err_set(err, EINVAL, "an archive whose first line is damaged");
    head.cluster = archive_field_text(&fields.at[2]);
    if (!head.cluster)
        return err_set(err, EINVAL, "an archive whose first line is damaged");
    *ret = head;
    return 0;
}

#define HEAD_MAX 4096

static int read_head(int fd, struct archive_head *ret, struct err *err)
{
    char bytes[HEAD_MAX];
    const ssize_t n = pread(fd, bytes, sizeof(bytes), 0);
    const char *end;

    if (n < 0)
        return err_set(err, errno, "%s", strerror(errno));
    if (n == 0)
        return err_set(err, EINVAL, "no archive: it is empty");
    end = memchr(bytes, '\n', (size_t)n);
    return archive_head_parse(bytes, end ? (size_t)(end - bytes) : (size_t)n, ret, err);
}

int archive_open(const char *path, int *ret_fd, struct archive_head *ret, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat stat_of;
    int rc = 0;

    if (fd < 0 || fstat(fd, &stat_of) < 0)
        return err_set(err, errno, "%s: %s", path, strerror(errno));
    if (!S_ISREG(stat_of.st_mode))
        return err_set(err, EINVAL, "%s: no regular file", path);
    rc = read_head(fd, ret, err);
    if (rc < 0)
        return err_prefix(err, "%s", path);
    *ret_fd = fd;
    fd = -1;
    return 0;
}
