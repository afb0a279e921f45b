#include "noded/stepd/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/text/hostlist.h"
#include "common/text/jobid.h"

#define LOWEST_FD 3 /* what becomes 0, 1, 2 must not lie there */

bool streams_need_srun(const struct launch_body *body)
{
    return body->io_addresses_n > 0;
}

static bool is_given(const char *pattern)
{
    return pattern && *pattern;
}

/* Returns the number for %n, which counts in the job, not in the step. */
static uint32_t node_in_job(const struct launch_body *body, const char *node)
{
    AUTO(hostlist) struct hostlist *nodes = NULL;
    int64_t at = 0;

    if (body->job_nodes && hostlist_parse(body->job_nodes, &nodes, NULL) == 0)
        at = hostlist_find(nodes, node);
    return at < 0 ? 0 : (uint32_t)at;
}

static struct pattern_values values_of(const struct launch_body *body, const struct step_node *here,
                                       uint32_t local)
{
    return (struct pattern_values){
        .job = body->job_id,
        .array_job = body->array_job_id ? body->array_job_id : body->job_id,
        .array_task = body->array_task,
        .step = body->step_id,
        .node = node_in_job(body, here->name),
        .task = here->tasks[local],
        .node_name = here->name,
        .user_name = body->user_name,
        .job_name = body->job_name,
    };
}

static int open_output(struct streams *streams, const struct launch_body *body, const char *pattern,
                       const struct pattern_values *values, int *ret_fd, struct err *err)
{
    return stdio_files_open_output(&streams->files, pattern, body->open_mode, values, ret_fd, err);
}

static int open_task_files(struct streams *streams, const struct launch_body *body,
                           const struct step_node *here, uint32_t local, struct err *err)
{
    struct pattern_values values = values_of(body, here, local);
    struct stream_set *set = &streams->tasks[local];
    bool batch = !streams_need_srun(body);
    int rc = 0;

    if (is_given(body->std_in))
        rc = stdio_files_open_input(&streams->files, body->std_in, &values, &set->in, err);
    if (rc == 0 && is_given(body->std_out))
        rc = open_output(streams, body, body->std_out, &values, &set->out, err);
    if (rc == 0 && is_given(body->std_err))
        rc = open_output(streams, body, body->std_err, &values, &set->err, err);
    if (batch && set->in < 0)
        set->in = streams->null_fd;
    if (batch && set->out < 0)
        set->out = streams->null_fd;
    if (batch && set->err < 0)
        set->err = set->out;
    return rc;
}

/* Returns the descriptor, or a copy that is above 2; this module closes it later. */
static int own(struct streams *streams, int fd)
{
    int above = fd >= 0 && fd < LOWEST_FD ? fcntl(fd, F_DUPFD_CLOEXEC, LOWEST_FD) : fd;

    if (above != fd)
        close(fd);
    if (above >= 0)
        *ARRAY_PUSH(streams->owned, streams->owned_n) = above;
    return above;
}

static int begin(struct streams *streams, const struct launch_body *body,
                 const struct step_node *here, struct err *err)
{
    streams->terminal_fd = -1;
    streams->files.dir = body->work_dir;
    streams->tasks_n = here->tasks_n;
    streams->tasks = xcalloc(here->tasks_n, sizeof(*streams->tasks));
    streams->null_fd = own(streams, open("/dev/null", O_RDWR | O_CLOEXEC));
    if (streams->null_fd < 0)
        return err_set(err, errno, "cannot open /dev/null: %s", strerror(errno));
    for (uint32_t i = 0; i < here->tasks_n; i++)
        streams->tasks[i] = (struct stream_set){ .in = -1, .out = -1, .err = -1 };
    return 0;
}

int streams_open_files(struct streams *streams, const struct launch_body *body, uint32_t node_index,
                       struct err *err)
{
    const struct step_node *here = &body->nodes[node_index];
    int rc = streams->tasks ? 0 : begin(streams, body, here, err);

    for (uint32_t i = 0; i < here->tasks_n && rc == 0; i++)
        rc = open_task_files(streams, body, here, i, err);
    streams->error_fd = streams->tasks_n ? streams->tasks[0].err : -1;
    return rc;
}

static int make_pipe(int ends[2], struct err *err)
{
    if (pipe2(ends, O_CLOEXEC) < 0)
        return err_set(err, errno, "cannot make a pipe: %s", strerror(errno));
    return 0;
}

static int pipe_output(struct streams *streams, struct srun_link *srun, uint32_t task,
                       enum io_stream stream, int *ret_fd, struct err *err)
{
    int ends[2], rc = make_pipe(ends, err);

    if (rc < 0)
        return rc;
    srun_link_add_output(srun, task, stream, ends[0]);
    *ret_fd = own(streams, ends[1]);
    return 0;
}

static int pipe_input(struct streams *streams, struct srun_link *srun, uint32_t local, int *ret_fd,
                      struct err *err)
{
    int ends[2], rc = make_pipe(ends, err);

    if (rc < 0)
        return rc;
    srun_link_add_input(srun, local, ends[1], false);
    *ret_fd = own(streams, ends[0]);
    return 0;
}

static int open_terminal(struct streams *streams, struct srun_link *srun, uint32_t local,
                         struct err *err)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), slave = -1, input;
    char name[64];

    if (master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0 &&
        ptsname_r(master, name, sizeof(name)) == 0)
        slave = own(streams, open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    input = slave >= 0 ? fcntl(master, F_DUPFD_CLOEXEC, LOWEST_FD) : -1;
    if (input < 0) {
        int rc = err_set(err, errno, "cannot make a terminal: %s", strerror(errno));

        if (master >= 0)
            close(master);
        return rc;
    }
    streams->terminal_fd = master;
    streams->tasks[local] = (struct stream_set){ slave, slave, slave, true };
    srun_link_add_output(srun, 0, IO_STDOUT, master);
    srun_link_add_input(srun, local, input, true);
    return 0;
}

static bool wants_stdin(const struct launch_body *body, uint32_t task)
{
    return body->stdin_task == COUNT_UNSET || body->stdin_task == task;
}

static int connect_task(struct streams *streams, const struct launch_body *body, uint32_t task,
                        uint32_t local, struct srun_link *srun, struct err *err)
{
    struct stream_set *set = &streams->tasks[local];
    int rc = 0;

    if (body->pty && task == 0)
        return open_terminal(streams, srun, local, err);
    if (set->in < 0 && (body->pty || !wants_stdin(body, task)))
        set->in = streams->null_fd;
    if (body->pty && set->out < 0)
        set->out = streams->null_fd;
    if (body->pty && set->err < 0)
        set->err = streams->null_fd;
    if (set->in < 0)
        rc = pipe_input(streams, srun, local, &set->in, err);
    if (rc == 0 && set->out < 0)
        rc = pipe_output(streams, srun, task, IO_STDOUT, &set->out, err);
    if (rc == 0 && set->err < 0)
        rc = pipe_output(streams, srun, task, IO_STDERR, &set->err, err);
    return rc;
}

int streams_open_srun(struct streams *streams, const struct launch_body *body, uint32_t node_index,
                      struct srun_link *srun, struct err *err)
{
    const struct step_node *here = &body->nodes[node_index];
    int rc = 0;

    for (uint32_t i = 0; i < here->tasks_n && rc == 0; i++)
        rc = connect_task(streams, body, here->tasks[i], i, srun, err);
    return rc;
}

static bool is_labelled(const char *pattern)
{
    return is_given(pattern) && strcmp(pattern, "/dev/null") != 0;
}

static int label_output(struct streams *streams, const struct launch_body *body, uint32_t task,
                        struct event_base *base, int *fd, struct err *err)
{
    int ends[2], rc = make_pipe(ends, err);

    if (rc < 0)
        return rc;
    *ARRAY_PUSH(streams->labels, streams->labels_n) =
        label_new(base, task, body->ntasks, ends[0], *fd);
    *fd = own(streams, ends[1]);
    return 0;
}

int streams_label(struct streams *streams, const struct launch_body *body, uint32_t node_index,
                  struct event_base *base, struct err *err)
{
    const struct step_node *here = &body->nodes[node_index];
    int rc = 0;

    for (uint32_t i = 0; body->label && i < here->tasks_n && rc == 0; i++) {
        struct stream_set *set = &streams->tasks[i];

        if (is_labelled(body->std_out))
            rc = label_output(streams, body, here->tasks[i], base, &set->out, err);
        if (rc == 0 && is_labelled(body->std_err))
            rc = label_output(streams, body, here->tasks[i], base, &set->err, err);
    }
    return rc;
}

void streams_finish(struct streams *streams)
{
    for (uint32_t i = 0; i < streams->labels_n; i++)
        label_free(streams->labels[i]);
    free(streams->labels);
    streams->labels = NULL;
    streams->labels_n = 0;
}

int streams_error_file(const struct streams *streams, const struct launch_body *body)
{
    if (streams_need_srun(body) && !is_given(body->std_err))
        return -1;
    return streams->error_fd;
}

void streams_close_tasks(struct streams *streams)
{
    for (uint32_t i = 0; i < streams->owned_n; i++)
        close(streams->owned[i]);
    free(streams->owned);
    streams->owned = NULL;
    streams->owned_n = 0;
}
