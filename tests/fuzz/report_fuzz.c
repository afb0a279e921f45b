/* Any -o and -O is read without harm, and a line has the width that its fields ask for. */
#include <stdint.h>
#include <stdlib.h>

#include "common/msg/job.h"
#include "common/report/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct row {
    const struct job_record *job;
};

static const struct report_root roots[] = {
    { "job", job_record_schema, offsetof(struct row, job) },
};
static const struct report_column columns[] = {
    { .letter = 'i', .name = "JobID", .title = "JOBID", .path = "job.id" },
    { .letter = 'j', .name = "Name", .title = "NAME", .path = "job.spec.name" },
};
static const struct report_table table = { roots, 1, columns, 2 };

static void print(const struct report_format *format)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO(job_record) struct job_record job;
    const struct row row = { &job };
    size_t header;

    job_record_init(&job);
    report_header(format, &out);
    header = out.len;
    report_line(format, &(struct report_context){ 0 }, &row, &out);
    for (uint32_t i = 0; i < format->cells_n; i++) {
        if (format->cells[i].column && !format->cells[i].width)
            return;
    }
    if (out.len != 2 * header)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO_FREE char *text = size ? xstrndup((const char *)data, size) : xstrdup("");
    AUTO(report_format) struct report_format letters, names;

    report_format_init(&letters, &table);
    report_format_init(&names, &table);
    if (size > 4096)
        return 0;
    if (report_format_parse_letters(&letters, text, NULL) == 0)
        print(&letters);
    if (report_format_parse_names(&names, text, NULL) == 0)
        print(&names);
    return 0;
}
