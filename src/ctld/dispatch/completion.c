#include "ctld/dispatch/completion.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/base/safe_path.h"
#include "common/msg/job.h"
#include "common/text/words.h"
#include "ctld/control/act/turn.h"
#include "ctld/dispatch/completion_text.h"
#include "ctld/dispatch/programs.h"
#include "ctld/dispatch/turn_stream.h"

#define SCRIPT_TIMEOUT_S 300

enum way { WAY_NONE, WAY_FILE, WAY_SCRIPT };

struct completion {
    enum way way;
    char *location, *cluster, *counted;
    struct programs *programs;
    struct log *log;
    struct turn_stream *stream;
    struct turn_reader reader;
    uint64_t told, kept; /* see completion_told; what turns have kept of it */
};

static enum way way_of(const struct slurm_conf *conf, struct log *log)
{
    const char *type = conf->job_comp_type;

    if (word_is(type, "jobcomp/filetxt"))
        return WAY_FILE;
    if (word_is(type, "jobcomp/script"))
        return WAY_SCRIPT;
    if (!word_is(type, "jobcomp/none"))
        log_error(log,
                  "JobCompType=%s is not supported: jobcomp/filetxt and jobcomp/script are. All "
                  "jobs are in the history anyway, see sacct",
                  type);
    return WAY_NONE;
}

/* Opens the file, anew for each line, as it may have been moved away since. Logs why and returns -1
 * when that fails. */
static int open_file(const struct completion *completion)
{
    const struct safe_file file = { O_WRONLY | O_APPEND | O_NONBLOCK, 0644, (uid_t)-1, (gid_t)-1 };
    struct err err = { 0 };
    int fd = safe_open(completion->location, &file, &err);

    if (fd < 0)
        log_error(completion->log, "JobCompLoc=%s cannot be written: %s", completion->location,
                  err.text);
    return fd;
}

/* Logs at the beginning what would go wrong at the end of a job. */
static void check_location(const struct completion *completion)
{
    const int fd = completion->way == WAY_FILE ? open_file(completion) : -1;

    if (fd >= 0)
        close(fd);
    if (completion->way == WAY_SCRIPT && access(completion->location, X_OK) < 0)
        log_error(completion->log, "JobCompLoc=%s cannot be run: %s", completion->location,
                  strerror(errno));
}

/* Writes a line in one call, so that lines of two writers do not mix. */
static void write_line(const struct completion *completion, const struct job_record *job,
                       const struct job_body *body)
{
    AUTO(strbuf) struct strbuf line = { 0 };
    AUTO_CLOSE int fd = open_file(completion);

    completion_line(job, body, completion->cluster, completion->counted, &line);
    if (fd >= 0 && write(fd, line.data, line.len) != (ssize_t)line.len)
        log_error(completion->log, "job %u is not in JobCompLoc=%s: %s", job->id,
                  completion->location, strerror(errno));
}

static void run_script(struct completion *completion, const struct job_record *job,
                       const struct job_body *body, uint64_t turn)
{
    AUTO_FREE char *what = xasprintf("jobcomp/script for job %u", job->id);
    char **environment = completion_environment(job, body, completion->cluster);

    const struct program_run run = { .paths = (char *const[]){ completion->location, NULL },
                                     .environment = environment,
                                     .what = what,
                                     .timeout_s = SCRIPT_TIMEOUT_S,
                                     .turn = turn,
                                     .alone = true };

    programs_run(completion->programs, &run);
    for (uint32_t i = 0; environment[i]; i++)
        free(environment[i]);
    free(environment);
}

void completion_tell(struct completion *completion, const struct job_record *job,
                     const struct job_body *body, uint64_t turn)
{
    if (completion->way == WAY_FILE)
        write_line(completion, job, body);
    else if (completion->way == WAY_SCRIPT)
        run_script(completion, job, body, turn);
    completion->told = turn;
}

uint64_t completion_told(const struct completion *completion)
{
    return completion->told;
}

#define NUMBER_NAME "jobcomp_turn"

void completion_begin(struct completion *completion, uint64_t turn)
{
    if (completion->way != WAY_NONE)
        completion->told = turn ? turn : 1; /* 0 is nobody */
}

void completion_note(struct completion *completion, struct turn *turn)
{
    if (completion->told == completion->kept)
        return;
    turn_note_number(turn, NUMBER_NAME, (int64_t)completion->told);
    completion->kept = completion->told;
}

void completion_load_number(struct completion *completion, const char *name, int64_t number)
{
    if (strcmp(name, NUMBER_NAME) != 0)
        return;
    completion->kept = (uint64_t)number;
    if (completion->way != WAY_NONE)
        completion->told = completion->kept;
}

static bool take(const struct change *change, uint64_t turn, void *ctx)
{
    struct completion *completion = ctx;
    AUTO(job_record) struct job_record job;
    AUTO(job_body) struct job_body body;
    struct err err = { 0 };
    int rc;

    job_record_init(&job);
    job_body_init(&body);
    rc = schema_decode(job_record_schema(), change->record.data, change->record.n, &job, &err);
    if (rc == 0)
        rc = schema_decode(job_body_schema(), change->body.data, change->body.n, &body, &err);
    if (rc < 0)
        log_error(completion->log, "job %u is not told of: %s", change->job_id, err.text);
    else
        completion_tell(completion, &job, &body, turn);
    return true;
}

static bool is_of_end(const struct change *change)
{
    return (change->kind == CHANGE_RUN || change->is_end) && !change->is_past;
}

struct completion *completion_new(struct turn_stream *stream, struct programs *programs,
                                  struct log *log)
{
    struct completion *completion = xcalloc(1, sizeof(*completion));

    completion->programs = programs;
    completion->log = log;
    completion->stream = stream;
    completion->reader =
        (struct turn_reader){ .wants = is_of_end, .take = take, .ctx = completion };
    turn_stream_add(stream, &completion->reader);
    return completion;
}

static void forget_conf(struct completion *completion)
{
    free(completion->location);
    free(completion->cluster);
    free(completion->counted);
}

void completion_configure(struct completion *completion, const struct slurm_conf *conf,
                          uint64_t now_turn)
{
    forget_conf(completion);
    completion->way = way_of(conf, completion->log);
    completion->location = xstrdup(conf->job_comp_loc);
    completion->cluster = xstrdup(conf->cluster_name);
    completion->counted = xstrdup(conf->accounting_tres);
    completion->reader.kinds =
        completion->way == WAY_NONE ? 0 : TURN_KIND(CHANGE_JOB) | TURN_KIND(CHANGE_RUN);
    if (completion->way == WAY_NONE)
        completion->told = 0;
    else if (completion->told == 0 && now_turn)
        completion_begin(completion, now_turn);
    check_location(completion);
}

struct completion *completion_free(struct completion *completion)
{
    if (!completion)
        return NULL;
    turn_stream_remove(completion->stream, &completion->reader);
    forget_conf(completion);
    free(completion);
    return NULL;
}
