#include "cli/import/statements.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/import/history_page.h"
#include "cli/import/jobs.h"
#include "common/base/alloc.h"
#include "common/text/words.h"

/* ---- rows ---- */

/* Takes the word of a row or table for the cluster that all is of; each other one has to say the
 * same. Names in rows are those of the cluster. */
static int settle_cluster(struct statements *statements, const struct dump_place *place,
                          const char *cluster, struct err *err)
{
    const bool is_own = strcmp(cluster, statements->own) == 0;
    const struct cluster_record *known;

    if (statements->cluster && strcmp(cluster, statements->cluster) != 0)
        return dump_fail(statements->dump, place, err, EINVAL,
                         "cluster '%.60s', after %s: a file "
                         "is of one cluster",
                         cluster, statements->cluster);
    if (statements->cluster)
        return 0;
    known = is_own ? NULL : book_cluster(statements->book, cluster);
    if (!is_own && !known)
        return dump_fail(statements->dump, place, err, ESRCH, "cluster '%.60s' is not known",
                         cluster);
    statements->cluster = is_own ? statements->own : known->name;
    statements->survey.cluster = statements->cluster;
    foreign_make_own(&statements->foreign, &statements->survey, statements->book,
                     statements->cluster);
    return 0;
}

/* Returns how rows of the layout are to be read, or NULL after an error. */
static const struct foreign_layout *find_layout(struct statements *statements,
                                                const struct dump_place *place, struct err *err)
{
    struct survey *survey = &statements->survey;
    const struct dump_layout *layout = place->layout;
    AUTO_FREE struct foreign_layout *made = NULL;
    AUTO_FREE char *cluster = NULL;
    struct err why = { 0 };
    enum foreign_table table;

    for (uint32_t i = survey->layouts_n; i > 0; i--) {
        if (survey->layouts[i - 1]->layout == layout)
            return survey->layouts[i - 1];
    }
    if (!foreign_table_find_archived(layout, &table, &cluster)) {
        (void)dump_fail(statements->dump, place, err, EINVAL,
                        "table %s is none of jobs or events: of others nothing is taken",
                        layout->table);
        return NULL;
    }
    if (cluster && settle_cluster(statements, place, cluster, err) < 0)
        return NULL;
    made = xmalloc(sizeof(*made));
    if (foreign_layout_make_archived(layout, table, made, &why) < 0) {
        (void)dump_fail(statements->dump, place, err, why.code, "%s", why.text);
        return NULL;
    }
    *ARRAY_PUSH(survey->layouts, survey->layouts_n) = made;
    return STEAL(made);
}

/* Returns what a column that only tables of all clusters have says, or NULL. */
static const char *cluster_of(const struct dump_row *row)
{
    for (uint32_t i = 0; i < row->n; i++) {
        if (strcmp(row->place.layout->columns[i], "cluster") == 0)
            return row->cells[i].text;
    }
    return NULL;
}

static int check_cluster(struct statements *statements, const struct dump_row *row, struct err *err)
{
    const char *cluster = cluster_of(row), *table = row->place.layout->table;

    if (cluster)
        return settle_cluster(statements, &row->place, cluster, err);
    if ((strcmp(table, "job_table") == 0 || strcmp(table, "cluster_event_table") == 0))
        return dump_fail(statements->dump, &row->place, err, EINVAL,
                         "a row of table %s does not tell its cluster", table);
    return 0;
}

typedef int on_row_fn(struct statements *statements, const struct dump_row *raw,
                      struct foreign_row *row, void *ctx, struct err *err);

static int each_row(struct statements *statements, on_row_fn *on_row, void *ctx, struct err *err)
{
    struct dump_row raw;
    int rc;

    while ((rc = dump_next(statements->dump, &raw, err)) > 0) {
        const struct foreign_layout *layout = find_layout(statements, &raw.place, err);
        struct foreign_row row;

        if (!layout || check_cluster(statements, &raw, err) < 0)
            return -EINVAL;
        row = survey_row(&statements->survey, layout, &raw);
        rc = on_row(statements, &raw, &row, ctx, err);
        if (rc == 0 && row.err.code) {
            *err = row.err;
            rc = -row.err.code;
        }
        if (rc < 0)
            return rc;
    }
    return rc;
}

/* ---- a job ---- */

/* Names who is not told by the association: it is of another database, or there is none. */
static void name_user(const struct statements *statements, struct foreign_row *row,
                      struct job_record *job)
{
    const struct foreign_assoc *assoc =
        foreign_assoc(&statements->foreign, foreign_u32(row, JOB_id_assoc, 0));

    if (assoc && assoc->user && text_is(job->spec->account, assoc->account))
        return;
    xstrset(&job->user_name, foreign_user(&statements->foreign, job->uid));
}

/* Returns whether the row comes, if it is alone of its number: also of a job without an end, which
 * somebody may end later. */
static bool does_come(struct foreign_row *row)
{
    const struct survey alone = {
        .numbers = &(struct job_number){ foreign_u32(row, JOB_id_job, 0),
                                         foreign_u64(row, JOB_job_db_inx, 0) },
        .numbers_n = 1,
    };

    const enum job_fate fate = job_fate_of(&alone, row);

    return fate == JOB_COMES || (fate == JOB_IS_ALIVE && !foreign_time(row, JOB_time_end));
}

static struct history_job make_job(struct statements *statements, struct foreign_row *row)
{
    struct history_job job;

    history_job_init(&job);
    job.job = xmalloc(sizeof(*job.job));
    job_record_init(job.job);
    job.body = xmalloc(sizeof(*job.body));
    job_body_init(job.body);
    job_convert(&statements->foreign, row, &statements->plan, job.job, job.body);
    name_user(statements, row, job.job);
    return job;
}

/* ---- reading ---- */

static int check_row(struct statements *statements, const struct dump_row *raw,
                     struct foreign_row *row, void *ctx, struct err *err)
{
    struct survey *survey = &statements->survey;

    (void)ctx;
    (void)err;
    if (row->layout->table == FOREIGN_EVENT) {
        survey_keep(survey, row->layout, raw, NULL);
        statements->events++;
    } else if (!does_come(row)) {
        statements->alive++;
    } else {
        AUTO(history_job) struct history_job job = make_job(statements, row);

        *ARRAY_PUSH(survey->numbers, survey->numbers_n) =
            (struct job_number){ job.job->id, raw->place.line };
        statements->jobs++;
    }
    return 0;
}

static int compare_numbers(const void *a, const void *b)
{
    const struct job_number *left = a, *right = b;

    if (left->id != right->id)
        return left->id < right->id ? -1 : 1;
    return (left->inx > right->inx) - (left->inx < right->inx);
}

/* Each job is there once: which of two rows would be meant is not for us to say. */
static int check_numbers(struct statements *statements, struct err *err)
{
    const struct survey *survey = &statements->survey;

    if (survey->numbers_n)
        qsort(survey->numbers, survey->numbers_n, sizeof(*survey->numbers), compare_numbers);
    for (uint32_t i = 1; i < survey->numbers_n; i++) {
        if (survey->numbers[i].id == survey->numbers[i - 1].id)
            return err_set(err, EINVAL, "%s, line %llu: job %u is there already, in line %llu",
                           dump_name(statements->dump), (unsigned long long)survey->numbers[i].inx,
                           survey->numbers[i].id, (unsigned long long)survey->numbers[i - 1].inx);
    }
    return 0;
}

/* Looks at what is made of events, too. */
static int check_events(struct statements *statements, struct err *err)
{
    const struct kept_rows *rows = &statements->survey.tables[FOREIGN_EVENT];

    for (uint32_t i = 0; i < rows->n; i++) {
        struct foreign_row row = survey_kept(&statements->survey, &rows->at[i]);
        AUTO(cluster_event) struct cluster_event event;

        cluster_event_init(&event);
        event_convert(&statements->foreign, &row, &event);
        if (row.err.code) {
            *err = row.err;
            return -row.err.code;
        }
    }
    return 0;
}

int statements_read(struct statements *statements, int fd, const char *name,
                    const struct book *book, const char *own, struct err *err)
{
    int rc;

    *statements = (struct statements){ .book = book, .own = own };
    statements->dump = dump_new(fd, name);
    statements->survey.dump = statements->dump;
    dump_be_strict(statements->dump);
    rc = each_row(statements, check_row, NULL, err);
    if (rc == 0)
        rc = check_numbers(statements, err);
    if (rc == 0)
        rc = check_events(statements, err);
    plan_clear(&statements->plan);
    return rc;
}

void statements_clear(struct statements *statements)
{
    plan_clear(&statements->plan);
    foreign_clear(&statements->foreign);
    survey_clear(&statements->survey);
    statements->dump = dump_free(statements->dump);
}

/* ---- sending ---- */

static int send_row(struct statements *statements, const struct dump_row *raw,
                    struct foreign_row *row, void *ctx, struct err *err)
{
    struct history_job job;

    (void)raw;
    if (row->layout->table != FOREIGN_JOB || !does_come(row))
        return 0;
    job = make_job(statements, row);
    return history_page_add(ctx, &job, 1, NULL, 0, err);
}

bool statements_are_foreign(const struct statements *statements)
{
    return statements->cluster && strcmp(statements->cluster, statements->own) != 0;
}

int statements_send(struct statements *statements, struct client *client, struct err *err)
{
    struct history history = { .survey = &statements->survey,
                               .foreign = &statements->foreign,
                               .plan = &statements->plan,
                               .client = client,
                               .cluster = statements_are_foreign(statements) ? statements->cluster
                                                                             : NULL };
    struct history_page page;
    int rc = history_begin(&history, err);

    if (rc < 0)
        return rc;
    dump_rewind(statements->dump);
    history_page_init(&page, &history);
    rc = each_row(statements, send_row, &page, err);
    if (rc == 0)
        rc = history_page_send(&page, err);
    history_page_clear(&page);
    statements->open = history.open_n;
    return rc < 0 ? rc : history_events(&history, err);
}
