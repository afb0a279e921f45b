#include "ctld/store/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define FILES_MAX 10000 /* of one name */

#define JOB_TITLES                                                                                 \
    "#jobid|array_job_id|array_task|launch|user|uid|group|gid|account|partition|name|state|"       \
    "ended_by|exit_status|derived_status|submit|eligible|start|end|time_limit_s|ncpus|nnodes|"     \
    "nodelist|work_dir|submit_line|comment\n"
#define STEP_TITLES                                                                                \
    "#jobid|step|launch|name|state|exit_status|start|end|ntasks|ncpus|nodelist|user_us|system_us|" \
    "max_memory_kb|total_memory_kb|read_bytes|written_bytes\n"

struct archive {
    char *path;
    uint32_t number; /* of the file at hand */
    uint32_t lines;
    int fd;
    char *file;     /* its name */
    uint64_t size;  /* what was written to it */
    uint64_t final; /* of that, what is on disk for good */
};

struct archive *archive_new(const char *path)
{
    struct archive *archive;

    if (!path)
        return NULL;
    archive = xcalloc(1, sizeof(*archive));
    archive->path = xstrdup(path);
    archive->fd = -1;
    return archive;
}

struct archive *archive_free(struct archive *archive)
{
    if (!archive)
        return NULL;
    if (archive->fd >= 0)
        close(archive->fd);
    free(archive->path);
    free(archive->file);
    free(archive);
    return NULL;
}

int archive_sync(struct archive *archive, struct err *err)
{
    if (!archive || archive->fd < 0)
        return 0;
    if (fsync(archive->fd) < 0)
        return err_set(err, errno, "archive '%s': %s", archive->file, strerror(errno));
    archive->final = archive->size;
    return 0;
}

void archive_undo(struct archive *archive)
{
    if (!archive || archive->fd < 0)
        return;
    /* Whoever reads the archive bears a line twice better than half a line. */
    if (archive->final == 0 ? unlink(archive->file) < 0
                            : ftruncate(archive->fd, (off_t)archive->final) < 0)
        return;
    archive->size = archive->final;
    if (archive->final == 0) {
        close(archive->fd);
        archive->fd = -1;
    }
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

static int open_next(struct archive *archive, const char *titles, struct err *err)
{
    int rc = archive_sync(archive, err);

    if (rc < 0)
        return rc;
    if (archive->fd >= 0)
        close(archive->fd);
    archive->fd = -1;
    archive->lines = 0;
    archive->size = archive->final = 0;
    while (archive->fd < 0 && archive->number < FILES_MAX) {
        AUTO_FREE char *path = ++archive->number == 1
                                   ? xstrdup(archive->path)
                                   : xasprintf("%s.%" PRIu32, archive->path, archive->number);

        archive->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
        if (archive->fd < 0 && errno != EEXIST)
            return err_set(err, errno, "archive '%s' cannot be made: %s", path, strerror(errno));
        xstrset(&archive->file, path);
    }
    if (archive->fd < 0)
        return err_set(err, EEXIST, "archive '%s': %d files of that name exist", archive->path,
                       FILES_MAX);
    return write_all(archive, titles, strlen(titles), err);
}

static int add_line(struct archive *archive, const char *titles, struct strbuf *line,
                    struct err *err)
{
    int rc = 0;

    if (archive->fd < 0 || archive->lines == ARCHIVE_LINES_MAX)
        rc = open_next(archive, titles, err);
    line->data[line->len - 1] = '\n'; /* instead of the last divider */
    if (rc == 0)
        rc = write_all(archive, line->data, line->len, err);
    archive->lines++;
    return rc;
}

/* ---- fields ---- */

static void add_text(struct strbuf *line, const char *text)
{
    for (const char *at = text ? text : ""; *at; at++) {
        unsigned char byte = (unsigned char)*at;

        if (byte < ' ' || byte == '|' || byte == '\\')
            strbuf_addf(line, "\\x%02x", byte);
        else
            strbuf_addc(line, *at);
    }
    strbuf_addc(line, '|');
}

static void add_number(struct strbuf *line, int64_t number)
{
    strbuf_addf(line, "%" PRId64 "|", number);
}

static void add_amount(struct strbuf *line, uint64_t amount)
{
    strbuf_addf(line, "%" PRIu64 "|", amount);
}

static void add_time(struct strbuf *line, int64_t t)
{
    if (t)
        add_number(line, t);
    else
        strbuf_addc(line, '|');
}

static void add_count(struct strbuf *line, uint32_t count)
{
    if (count == COUNT_UNSET)
        strbuf_addc(line, '|');
    else
        add_number(line, count);
}

static void add_who(struct strbuf *line, const struct job_record *job)
{
    add_number(line, job->id);
    add_number(line, job->array_job_id);
    add_count(line, job->array_task);
    add_number(line, job->launch_number);
    add_text(line, job->user_name);
    add_number(line, job->uid);
    add_text(line, job->group_name);
    add_number(line, job->gid);
    add_text(line, job->spec->account);
    add_text(line, job->partition);
    add_text(line, job->spec->name);
}

int archive_add_job(struct archive *archive, const struct job_record *job,
                    const struct job_body *body, struct err *err)
{
    AUTO(strbuf) struct strbuf line = { 0 };

    if (!archive)
        return 0;
    add_who(&line, job);
    add_text(&line, job_state_name(job->state, 0));
    add_count(&line, job->ended_by);
    add_number(&line, job->exit_status);
    add_number(&line, job->derived_status);
    add_time(&line, job->submit_time);
    add_time(&line, job->eligible_time);
    add_time(&line, job->start_time);
    add_time(&line, job->end_time);
    add_number(&line, job->spec->time_limit);
    add_number(&line, job->ncpus);
    add_number(&line, job->nodes_n);
    add_text(&line, job->node_list);
    add_text(&line, body->work_dir);
    add_text(&line, body->submit_line);
    add_text(&line, job->spec->comment);
    return add_line(archive, JOB_TITLES, &line, err);
}

static void add_usage(struct strbuf *line, const struct step_usage *usage)
{
    const struct usage_spread *memory = usage ? usage->memory_kb : NULL;

    add_amount(line, usage ? usage->user_us : 0);
    add_amount(line, usage ? usage->system_us : 0);
    add_amount(line, memory ? memory->max : 0);
    add_amount(line, memory ? memory->total : 0);
    add_amount(line, usage && usage->read_bytes ? usage->read_bytes->total : 0);
    add_amount(line, usage && usage->written_bytes ? usage->written_bytes->total : 0);
}

int archive_add_step(struct archive *archive, const struct step_record *step, struct err *err)
{
    AUTO(strbuf) struct strbuf line = { 0 };

    if (!archive)
        return 0;
    add_number(&line, step->job_id);
    add_number(&line, step->step_id);
    add_number(&line, step->launch_number);
    add_text(&line, step->name);
    add_text(&line, job_state_name(step->end_state, 0));
    add_number(&line, step->exit_status);
    add_time(&line, step->start_time);
    add_time(&line, step->end_time);
    add_number(&line, step->ntasks);
    add_number(&line, step->ncpus);
    add_text(&line, step->node_list);
    add_usage(&line, step->usage);
    return add_line(archive, STEP_TITLES, &line, err);
}
