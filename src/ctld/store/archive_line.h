/*
 * archive_line.h - lines of archives: what stands in them of each kind of record, and what is read
 * back from them.
 *
 * Fields are divided by '|'; '|', '\\' and control characters in a field are written as \xHH. Times
 * are seconds since 1970, empty when there is none. The last fields of all but usage are for who
 * loads the archive: the record as it was, in hexadecimal digits. Those before them are for people
 * and their tools, and nobody reads them back.
 */
#pragma once

#include "common/msg/cluster_event.h"
#include "common/msg/event.h"
#include "common/msg/job.h"
#include "common/msg/job_sums.h"
#include "ctld/store/store.h"

/* Returns the names of the fields, divided as they are. */
const char *archive_line_titles(enum archive_kind kind);

/* Appends a field, and the divider behind it. NULL is empty. */
void archive_line_text(struct strbuf *line, const char *text);

/* ---- writing: the whole line without its end ---- */

struct archive_job {
    const struct job_record *job;
    const struct job_body *body;
    bool is_earlier_run;
};
void archive_line_job(struct strbuf *line, const struct archive_job *job);
void archive_line_step(struct strbuf *line, const struct step_record *step);
void archive_line_event(struct strbuf *line, const struct cluster_event *event);

/* Of the log of events, and of transactions; the event has turn and place. */
void archive_line_log(struct strbuf *line, const struct event_record *event);
void archive_line_usage(struct strbuf *line, const struct job_sum *sum);

/* ---- reading ---- */

#define ARCHIVE_FIELDS_MAX 40

struct archive_field {
    const char *text; /* borrowed, not ended */
    size_t n;
};
struct archive_fields {
    struct archive_field at[ARCHIVE_FIELDS_MAX];
    uint32_t n;
};

/* Splits a line. What is beyond ARCHIVE_FIELDS_MAX fields stays in the last one. */
void archive_fields_split(const char *line, size_t n, struct archive_fields *ret);

/* Returns the text that a field was made of, to be freed, or NULL: it cannot be one. */
char *archive_field_text(const struct archive_field *field);

/* A record of a line. All but that of the kind are empty. `archived_init` and `_clear` are due. */
struct archived {
    struct job_record job;
    struct blob body; /* encoded job_body */
    bool is_earlier_run;
    struct step_record step;
    struct cluster_event event;
    struct event_record log; /* with turn and place */
    struct job_sum *sum;     /* owned, as are `more` and its names */
    char *texts[4];          /* of the sum */
};
void archived_init(struct archived *archived);
void archived_clear(struct archived *archived);
void archived_auto_(struct archived *archived);

/* Reads a line without its end, into one that is empty. Fails with EINVAL. */
int archive_line_parse(enum archive_kind kind, const char *line, size_t n, struct archived *ret,
                       struct err *err);
