/*
 * Lines of archives on bytes: the first byte says of which kind, the rest is a first line and a
 * record's line. What is read is written as it was read: a second time it is the same.
 */
#include <stdlib.h>
#include <string.h>

#include "ctld/store/archive.h"
#include "ctld/store/archive_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_line(enum archive_kind kind, const struct archived *archived, struct strbuf *line)
{
    AUTO(job_body) struct job_body body;
    const struct archive_job job = { &archived->job, &body, archived->is_earlier_run };

    job_body_init(&body);
    if (kind == ARCHIVE_JOBS &&
        schema_decode(job_body_schema(), archived->body.data, archived->body.n, &body, NULL) < 0)
        abort();
    if (kind == ARCHIVE_JOBS)
        archive_line_job(line, &job);
    else if (kind == ARCHIVE_STEPS)
        archive_line_step(line, &archived->step);
    else if (kind == ARCHIVE_EVENTS)
        archive_line_event(line, &archived->event);
    else if (kind == ARCHIVE_USAGE)
        archive_line_usage(line, archived->sum);
    else
        archive_line_log(line, &archived->log);
}

static void check_line(enum archive_kind kind, const char *text, size_t n)
{
    AUTO(archived) struct archived archived, again;
    AUTO(strbuf) struct strbuf line = { 0 };
    AUTO(strbuf) struct strbuf second = { 0 };
    struct err err = { 0 };

    archived_init(&archived);
    archived_init(&again);
    if (archive_line_parse(kind, text, n, &archived, &err) < 0) {
        if (!err.text[0])
            abort();
        return;
    }
    write_line(kind, &archived, &line);
    if (archive_line_parse(kind, line.data, line.len, &again, NULL) < 0)
        abort();
    write_line(kind, &again, &second);
    if (second.len != line.len || memcmp(second.data, line.data, line.len) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(archive_head) struct archive_head head = { 0 };
    AUTO_FREE char *text = NULL;
    const char *end;
    struct err err = { 0 };
    size_t n;

    if (size == 0)
        return 0;
    n = size - 1;
    text = xmalloc(n + 1);
    memcpy(text, data + 1, n);
    text[n] = '\0';
    end = memchr(text, '\n', n);
    if (archive_head_parse(text, end ? (size_t)(end - text) : n, &head, &err) < 0 && !err.text[0])
        abort();
    if (end)
        check_line((enum archive_kind)(data[0] % ARCHIVE_KINDS_N), end + 1,
                   n - (size_t)(end + 1 - text));
    return 0;
}
