#include "cli/import/survey.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/schema/schema.h"

#define TELL_BYTES (UINT64_C(64) << 20) /* between two words of progress */

/* ---- layouts ---- */

bool survey_is_of_cluster(const struct survey *survey, const char *cluster)
{
    return cluster && strcmp(cluster, survey->cluster) == 0;
}

/* Associations and wckeys come of all clusters, the rest of one. */
static bool is_wanted(const struct survey *survey, enum foreign_table table, const char *cluster)
{
    return !cluster || table == FOREIGN_ASSOC || table == FOREIGN_WCKEY ||
           survey_is_of_cluster(survey, cluster);
}

static bool is_of_database(const struct survey *survey, const struct dump_layout *layout)
{
    return !survey->database || !*layout->database ||
           strcmp(layout->database, survey->database) == 0;
}

static bool wants(const struct dump_layout *layout, void *ctx)
{
    const struct survey *survey = ctx;
    enum foreign_table table;
    AUTO_FREE char *cluster = NULL;

    return is_of_database(survey, layout) && foreign_table_find(layout, &table, &cluster) &&
           is_wanted(survey, table, cluster);
}

const struct foreign_layout *survey_layout(struct survey *survey, const struct dump_layout *layout,
                                           struct err *err)
{
    struct foreign_layout *made;
    enum foreign_table table;
    AUTO_FREE char *cluster = NULL;

    for (uint32_t i = survey->layouts_n; i > 0; i--) {
        if (survey->layouts[i - 1]->layout == layout)
            return survey->layouts[i - 1];
    }
    if (!foreign_table_find(layout, &table, &cluster))
        return NULL;
    made = xcalloc(1, sizeof(*made));
    if (foreign_layout_make(layout, table, made, err) < 0) {
        free(made);
        return NULL;
    }
    *ARRAY_PUSH(survey->layouts, survey->layouts_n) = made;
    return made;
}

struct foreign_row survey_row(const struct survey *survey, const struct foreign_layout *layout,
                              const struct dump_row *row)
{
    return (struct foreign_row){
        .dump = survey->dump, .layout = layout, .place = row->place, .cells = row->cells
    };
}

struct foreign_row survey_kept(const struct survey *survey, const struct kept_row *row)
{
    return (struct foreign_row){
        .dump = survey->dump, .layout = row->layout, .place = row->place, .cells = row->cells
    };
}

/* ---- what is kept ---- */

/* Copies the cells and their bytes into one block. */
static struct dump_cell *copy_cells(const struct dump_row *row)
{
    size_t size = row->n * sizeof(struct dump_cell);
    struct dump_cell *cells;
    char *bytes;

    for (uint32_t i = 0; i < row->n; i++)
        size += row->cells[i].text ? row->cells[i].n + 1 : 0;
    cells = xmalloc(size);
    bytes = (char *)(cells + row->n);
    for (uint32_t i = 0; i < row->n; i++) {
        cells[i] = row->cells[i];
        if (!cells[i].text)
            continue;
        memcpy(bytes, row->cells[i].text, cells[i].n + 1);
        cells[i].text = bytes;
        bytes += cells[i].n + 1;
    }
    return cells;
}

void survey_keep(struct survey *survey, const struct foreign_layout *layout,
                 const struct dump_row *row, const char *cluster)
{
    struct kept_rows *rows = &survey->tables[layout->table];

    *ARRAY_PUSH(rows->at, rows->n) = (struct kept_row){
        .layout = layout, .place = row->place, .cells = copy_cells(row), .cluster = xstrdup(cluster)
    };
}

static void keep_row(struct survey *survey, const struct foreign_layout *layout,
                     const struct dump_row *row)
{
    enum foreign_table table;
    AUTO_FREE char *cluster = NULL;

    (void)foreign_table_find(layout->layout, &table, &cluster);
    survey_keep(survey, layout, row, cluster);
}

/* A job that goes on may be older than all that was not purged. */
static void note_earliest(struct survey *survey, struct foreign_row *row)
{
    const int64_t submitted = foreign_time(row, JOB_time_submit);

    if (submitted && submitted < survey->earliest && foreign_time(row, JOB_time_end) &&
        !foreign_u32(row, JOB_deleted, 0))
        survey->earliest = submitted;
}

static void note_job(struct survey *survey, struct foreign_row *row)
{
    struct job_number *number = ARRAY_PUSH(survey->numbers, survey->numbers_n);

    number->id = foreign_u32(row, JOB_id_job, 0);
    number->inx = foreign_u64(row, JOB_job_db_inx, 0);
    note_earliest(survey, row);
}

static void note_usage(struct survey *survey, enum period period, struct foreign_row *row)
{
    const int64_t at = foreign_time(row, USAGE_time_start);

    if (foreign_u64(row, USAGE_alloc_secs, 0) && at < survey->usage_since[period])
        survey->usage_since[period] = at;
}

static void note_suspension(struct survey *survey, struct foreign_row *row)
{
    struct suspension *suspension = ARRAY_PUSH(survey->suspensions, survey->suspensions_n);

    suspension->inx = foreign_u64(row, SUSPEND_job_db_inx, 0);
    suspension->from = foreign_time(row, SUSPEND_time_start);
    suspension->until = foreign_time(row, SUSPEND_time_end);
}

static void note_text(struct text_places *places, struct foreign_row *row, int hash)
{
    struct text_place *place = ARRAY_PUSH(places->at, places->n);

    place->hash = foreign_u64(row, hash, 0);
    place->place = row->place;
}

static void take_row(struct survey *survey, const struct foreign_layout *layout,
                     const struct dump_row *raw, struct foreign_row *row)
{
    if (!survey->first[layout->table].layout)
        survey->first[layout->table] = raw->place;
    survey->rows[layout->table]++;
    switch (layout->table) {
    case FOREIGN_JOB:
        note_job(survey, row);
        break;
    case FOREIGN_SUSPEND:
        note_suspension(survey, row);
        break;
    case FOREIGN_SCRIPT:
        note_text(&survey->scripts, row, SCRIPT_hash_inx);
        break;
    case FOREIGN_ENVIRONMENT:
        note_text(&survey->environments, row, ENVIRONMENT_hash_inx);
        break;
    case FOREIGN_USAGE_HOUR:
    case FOREIGN_USAGE_DAY:
    case FOREIGN_USAGE_MONTH:
        note_usage(survey, (enum period)(layout->table - FOREIGN_USAGE_HOUR), row);
        break;
    case FOREIGN_STEP:
    case FOREIGN_CLUSTER_HOUR:
    case FOREIGN_TRANSACTION:
        break;
    default:
        keep_row(survey, layout, raw);
        break;
    }
}

/* ---- sorting ---- */

#define COMPARE(a, b) ((a) < (b) ? -1 : (a) > (b))

static int compare_numbers(const void *a, const void *b)
{
    const struct job_number *left = a, *right = b;

    return left->id != right->id ? COMPARE(left->id, right->id) : COMPARE(left->inx, right->inx);
}

static int compare_suspensions(const void *a, const void *b)
{
    const struct suspension *left = a, *right = b;

    return left->inx != right->inx ? COMPARE(left->inx, right->inx)
                                   : COMPARE(left->from, right->from);
}

static int compare_texts(const void *a, const void *b)
{
    const struct text_place *left = a, *right = b;

    return COMPARE(left->hash, right->hash);
}

static void sort(struct survey *survey)
{
    uint32_t n = 0;

    if (survey->numbers_n)
        qsort(survey->numbers, survey->numbers_n, sizeof(*survey->numbers), compare_numbers);
    for (uint32_t i = 0; i < survey->numbers_n; i++) { /* the last row of each number stays */
        n -= n > 0 && survey->numbers[n - 1].id == survey->numbers[i].id;
        survey->numbers[n++] = survey->numbers[i];
    }
    survey->numbers_n = n;
    if (survey->suspensions_n)
        qsort(survey->suspensions, survey->suspensions_n, sizeof(*survey->suspensions),
              compare_suspensions);
    if (survey->scripts.n)
        qsort(survey->scripts.at, survey->scripts.n, sizeof(*survey->scripts.at), compare_texts);
    if (survey->environments.n)
        qsort(survey->environments.at, survey->environments.n, sizeof(*survey->environments.at),
              compare_texts);
}

uint64_t survey_last_inx(const struct survey *survey, uint32_t id)
{
    uint32_t low = 0, high = survey->numbers_n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (survey->numbers[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < survey->numbers_n && survey->numbers[low].id == id ? survey->numbers[low].inx : 0;
}

const struct suspension *survey_suspensions(const struct survey *survey, uint64_t inx,
                                            uint32_t *ret_n)
{
    uint32_t low = 0, high = survey->suspensions_n;

    *ret_n = 0;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (survey->suspensions[middle].inx < inx)
            low = middle + 1;
        else
            high = middle;
    }
    while (low + *ret_n < survey->suspensions_n && survey->suspensions[low + *ret_n].inx == inx)
        ++*ret_n;
    return survey->suspensions + low;
}

const struct dump_place *text_places_find(const struct text_places *places, uint64_t hash)
{
    const struct text_place key = { .hash = hash };
    const struct text_place *found =
        places->n ? bsearch(&key, places->at, places->n, sizeof(key), compare_texts) : NULL;

    return found ? &found->place : NULL;
}

/* ---- the look ---- */

static int look_at(struct survey *survey, const struct dump_row *raw, struct err *err)
{
    const struct foreign_layout *layout = survey_layout(survey, raw->place.layout, err);
    struct foreign_row row;

    if (!layout)
        return -E_NOT_SUPPORTED;
    row = survey_row(survey, layout, raw);
    take_row(survey, layout, raw, &row);
    return foreign_error(&row, err);
}

/* Notes which tables there are, with rows or without, and in which database. */
static int look_at_layouts(struct survey *survey, const char *name, struct err *err)
{
    for (uint32_t i = 0; i < dump_layouts_n(survey->dump); i++) {
        const struct dump_layout *layout = dump_layout_at(survey->dump, i);
        enum foreign_table table;
        AUTO_FREE char *cluster = NULL;

        if (!is_of_database(survey, layout) || !foreign_table_find(layout, &table, &cluster))
            continue;
        if (cluster && !survey_is_of_cluster(survey, cluster))
            continue;
        survey->seen[table] = true;
        if (table != FOREIGN_CLUSTER)
            continue;
        if (survey->found && strcmp(survey->found, layout->database) != 0)
            return err_set(err, EINVAL,
                           "%s: it holds databases of several slurmdbd: %s and %s; --database "
                           "chooses",
                           name, survey->found, layout->database);
        xstrset(&survey->found, layout->database);
    }
    return 0;
}

static bool has_cluster(const struct survey *survey, const char *name)
{
    for (uint32_t i = 0; i < survey->tables[FOREIGN_CLUSTER].n; i++) {
        const struct foreign_row row = survey_kept(survey, &survey->tables[FOREIGN_CLUSTER].at[i]);
        const char *text = foreign_text(&row, CLUSTER_name);

        if (text && strcmp(text, name) == 0)
            return true;
    }
    return false;
}

/* Appends the names of the clusters there are. */
static void add_clusters(const struct survey *survey, struct strbuf *out)
{
    for (uint32_t i = 0; i < survey->tables[FOREIGN_CLUSTER].n; i++) {
        const struct foreign_row row = survey_kept(survey, &survey->tables[FOREIGN_CLUSTER].at[i]);

        strbuf_addf(out, "%s%s", i ? ", " : "", foreign_text(&row, CLUSTER_name));
    }
}

static int check_tables(const struct survey *survey, const char *name, struct err *err)
{
    AUTO(strbuf) struct strbuf clusters = { 0 };

    if (!survey->seen[FOREIGN_CLUSTER])
        return err_set(
            err, E_NOT_SUPPORTED, "%s: there is no cluster_table%s%s: it is no slurmdbd's", name,
            survey->database ? " in database " : "", survey->database ? survey->database : "");
    add_clusters(survey, &clusters);
    if (!has_cluster(survey, survey->cluster))
        return err_set(err, ENOENT,
                       "%s: there is no cluster '%s'; those that are there: %.300s; --cluster "
                       "chooses",
                       name, survey->cluster, strbuf_text(&clusters));
    for (int i = 0; i < FOREIGN_TABLES_N; i++) {
        if (foreign_table_is_needed((enum foreign_table)i) && !survey->seen[i])
            return err_set(err, E_NOT_SUPPORTED, "%s: there is no table %s of cluster %s", name,
                           foreign_table_name((enum foreign_table)i), survey->cluster);
    }
    return 0;
}

int survey_make(struct survey *survey, struct dump *dump, const char *database, const char *cluster,
                void (*tell)(uint64_t bytes, void *ctx), void *ctx, struct err *err)
{
    uint64_t told = 0;
    struct dump_row row;
    int rc;

    *survey = (struct survey){
        .dump = dump, .database = database, .cluster = cluster, .earliest = INT64_MAX
    };
    for (int i = 0; i < PERIODS_N; i++)
        survey->usage_since[i] = INT64_MAX;
    dump_filter(dump, wants, survey);
    while ((rc = dump_next(dump, &row, err)) > 0) {
        rc = look_at(survey, &row, err);
        if (rc < 0)
            return rc;
        if (dump_offset(dump) - told < TELL_BYTES)
            continue;
        told = dump_offset(dump);
        tell(told, ctx);
    }
    if (rc == 0)
        rc = look_at_layouts(survey, dump_name(dump), err);
    if (rc == 0)
        rc = check_tables(survey, dump_name(dump), err);
    sort(survey);
    return rc;
}

void survey_clear(struct survey *survey)
{
    for (int i = 0; i < FOREIGN_TABLES_N; i++) {
        for (uint32_t k = 0; k < survey->tables[i].n; k++) {
            free(survey->tables[i].at[k].cells);
            free(survey->tables[i].at[k].cluster);
        }
        free(survey->tables[i].at);
    }
    for (uint32_t i = 0; i < survey->layouts_n; i++)
        free(survey->layouts[i]);
    free(survey->layouts);
    free(survey->numbers);
    free(survey->suspensions);
    free(survey->scripts.at);
    free(survey->environments.at);
    free(survey->found);
    *survey = (struct survey){ 0 };
}
