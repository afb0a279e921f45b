#include "cli/srun/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "common/base/clock.h"

#define DIR_WAIT_MS 2000 /* for a directory that is not there yet */
#define DIR_LOOK_MS 20
#define LAST_PIECE  UINT32_MAX /* source of the empty pieces behind all others */

/* The part of a labelled line that has come so far. */
struct partial {
    struct strbuf text;
    bool goes_on; /* the line's beginning was written: no second label */
};

struct output {
    struct output_options options;
    struct output_callbacks callbacks;
    void *ctx;
    struct sink *out, *err;   /* may be the same */
    uint32_t width;           /* of a label's number */
    struct partial *partials; /* two for each task: IO_STDOUT, IO_STDERR */
    uint32_t partials_n;
    uint32_t undrained; /* sinks that have not come to their last piece */
};

static void on_written(uint32_t source, uint32_t credit, void *ctx)
{
    struct output *output = ctx;

    if (source != LAST_PIECE)
        output->callbacks.on_consumed(source, credit, output->ctx);
    else if (--output->undrained == 0)
        output->callbacks.on_drained(output->ctx);
}

static void on_broken(const struct err *why, void *ctx)
{
    struct output *output = ctx;

    output->callbacks.on_broken(why, output->ctx);
}

/* True if the path's directory may still come: the one that it is to be in exists. */
static bool may_come(const char *path)
{
    AUTO_FREE char *copy = xstrdup(path);

    return access(dirname(dirname(copy)), F_OK) == 0;
}

static int open_patiently(const char *path, int flags)
{
    const int64_t deadline = clock_mono_ms() + DIR_WAIT_MS;

    for (;;) {
        const int fd = open(path, flags, 0666);

        if (fd >= 0 || errno != ENOENT)
            return fd;
        if (!may_come(path) || clock_mono_ms() >= deadline) {
            errno = ENOENT;
            return fd;
        }
        (void)poll(NULL, 0, DIR_LOOK_MS);
    }
}

static int make_sink(struct output *output, const char *path, int fd, const char *name,
                     struct sink **ret_sink, struct err *err)
{
    const struct sink_callbacks callbacks = { on_written, on_broken };
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (output->options.append ? O_APPEND : O_TRUNC);

    if (path) {
        fd = open_patiently(path, flags);
        if (fd < 0)
            return err_set(err, errno, "Could not open %s file: %s", name, strerror(errno));
    }
    *ret_sink = sink_new(output->options.base, fd, path != NULL, name, &callbacks, output);
    return 0;
}

static bool same_path(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static int open_sinks(struct output *output, struct err *err)
{
    const struct output_options *options = &output->options;

    int rc = make_sink(output, options->out.path, options->out_fd, "stdout", &output->out, err);
    if (rc < 0)
        return rc;
    if (same_path(options->out.path, options->err.path))
        output->err = output->out;
    else
        rc = make_sink(output, options->err.path, options->err_fd, "stderr", &output->err, err);
    return rc;
}

int output_new(const struct output_options *options, const struct output_callbacks *callbacks,
               void *ctx, struct output **ret_output, struct err *err)
{
    struct output *output = xcalloc(1, sizeof(*output));
    int rc;

    output->options = *options;
    output->callbacks = *callbacks;
    output->ctx = ctx;
    output->width = 1;
    rc = open_sinks(output, err);
    if (rc < 0)
        output_free(output);
    else
        *ret_output = output;
    return rc;
}

struct output *output_free(struct output *output)
{
    if (!output)
        return NULL;
    for (uint32_t i = 0; i < output->partials_n; i++)
        strbuf_clear(&output->partials[i].text);
    free(output->partials);
    if (output->err != output->out)
        sink_free(output->err);
    sink_free(output->out);
    free(output);
    return NULL;
}

void output_set_ntasks(struct output *output, uint32_t ntasks)
{
    output->width = 1;
    for (uint32_t highest = ntasks > 0 ? ntasks - 1 : 0; highest >= 10; highest /= 10)
        output->width++;
}

static struct sink *sink_of(const struct output *output, uint32_t stream)
{
    return stream == IO_STDERR ? output->err : output->out;
}

/* Returns where the line of that task's stream is collected. */
static struct partial *partial_of(struct output *output, uint32_t task, uint32_t stream)
{
    uint32_t i = task * 2 + (stream == IO_STDERR), n = (task + 1) * 2;

    if (n > output->partials_n) {
        output->partials = xreallocarray(output->partials, n, sizeof(*output->partials));
        memset(&output->partials[output->partials_n], 0,
               (n - output->partials_n) * sizeof(*output->partials));
        output->partials_n = n;
    }
    return &output->partials[i];
}

/* Moves what has been collected to the output behind a label. */
static void take_partial(const struct output *output, struct partial *partial, uint32_t task,
                         bool ends, struct strbuf *out)
{
    if (!partial->goes_on)
        strbuf_addf(out, "%*u: ", (int)output->width, task);
    strbuf_add(out, partial->text.data, partial->text.len);
    if (ends)
        strbuf_addc(out, '\n');
    strbuf_truncate(&partial->text, 0);
    partial->goes_on = !ends;
}

/*
 * Adds labelled lines; those that came together are written together, as one write for each would
 * take most of the time.
 */
static void add_labelled(struct output *output, uint32_t task, uint32_t stream, const char *data,
                         uint32_t n)
{
    struct partial *partial = partial_of(output, task, stream);
    AUTO(strbuf) struct strbuf lines = { 0 };

    while (n > 0) {
        const char *end = memchr(data, '\n', n);
        uint32_t part = end ? (uint32_t)(end - data) : n;

        strbuf_add(&partial->text, data, part);
        if (end || partial->text.len > OUTPUT_LINE_MAX)
            take_partial(output, partial, task, end != NULL, &lines);
        part += end != NULL;
        data += part;
        n -= part;
    }
    if (lines.len)
        sink_add(sink_of(output, stream), lines.data, (uint32_t)lines.len, 0, 0);
}

static void end_labelled(struct output *output, uint32_t task, uint32_t stream)
{
    struct partial *partial = partial_of(output, task, stream);
    AUTO(strbuf) struct strbuf line = { 0 };

    if (partial->text.len == 0 && !partial->goes_on)
        return;
    take_partial(output, partial, task, true, &line);
    sink_add(sink_of(output, stream), line.data, (uint32_t)line.len, 0, 0);
}

static bool is_wanted(const struct output *output, uint32_t task, uint32_t stream)
{
    uint32_t only =
        stream == IO_STDERR ? output->options.err.only_task : output->options.out.only_task;

    return task == COUNT_UNSET || only == COUNT_UNSET || only == task;
}

void output_add(struct output *output, uint32_t source, uint32_t task, uint32_t stream,
                const void *data, uint32_t n)
{
    if (!is_wanted(output, task, stream)) {
        if (n > 0)
            output->callbacks.on_consumed(source, n, output->ctx);
        return;
    }
    if (!output->options.label || task == COUNT_UNSET) {
        if (n > 0)
            sink_add(sink_of(output, stream), data, n, source, n);
        return;
    }
    if (n == 0) {
        end_labelled(output, task, stream);
        return;
    }
    add_labelled(output, task, stream, data, n);
    /* Credit comes with an empty piece behind the lines, so that a slow reader slows the task. */
    sink_add(sink_of(output, stream), NULL, 0, source, n);
}

void output_finish(struct output *output)
{
    for (uint32_t i = 0; i < output->partials_n; i++)
        end_labelled(output, i / 2, i % 2 ? IO_STDERR : IO_STDOUT);
    output->undrained = output->err == output->out ? 1 : 2;
    sink_add(output->out, NULL, 0, LAST_PIECE, 1);
    if (output->err != output->out)
        sink_add(output->err, NULL, 0, LAST_PIECE, 1);
}

uint64_t output_backlog(const struct output *output)
{
    return sink_backlog(output->out) + (output->err == output->out ? 0 : sink_backlog(output->err));
}
