#include "cli/import/tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/base/plain.h"
#include "common/schema/schema.h"

struct column {
    const char *name;
    bool is_needed;
};

#define COLUMN_ROW(name, needed) { #name, needed },
#define COLUMNS_OF(table, words, of_cluster, needed)                                               \
    static const struct column table##_columns[] = { table##_COLUMNS(COLUMN_ROW) };                \
    _Static_assert(sizeof(table##_columns) / sizeof(table##_columns[0]) <= FOREIGN_COLUMNS_MAX,    \
                   "more columns than there is room for");
FOREIGN_TABLES(COLUMNS_OF)

#define TABLE_ROW(name, words, of_cluster, needed)                                                 \
    { words, of_cluster, needed, name##_columns, name##_COLUMNS_N },
static const struct table {
    const char *words;
    bool of_cluster, is_needed;
    const struct column *columns;
    int columns_n;
} tables[] = { FOREIGN_TABLES(TABLE_ROW) };

static bool ends_with(const char *text, const char *end, size_t *ret_before)
{
    const size_t n = strlen(text), end_n = strlen(end);

    *ret_before = n - end_n;
    return n > end_n && strcmp(text + n - end_n, end) == 0;
}

bool foreign_table_find(const struct dump_layout *layout, enum foreign_table *ret,
                        char **ret_cluster)
{
    for (int i = 0; i < FOREIGN_TABLES_N; i++) {
        size_t n;

        *ret_cluster = NULL;
        *ret = (enum foreign_table)i;
        if (!tables[i].of_cluster && strcmp(layout->table, tables[i].words) == 0)
            return true;
        if (!tables[i].of_cluster || !ends_with(layout->table, tables[i].words, &n))
            continue;
        *ret_cluster = xstrndup(layout->table, n);
        return true;
    }
    return false;
}

const char *foreign_table_name(enum foreign_table table)
{
    return tables[table].words + tables[table].of_cluster;
}

bool foreign_table_is_needed(enum foreign_table table)
{
    return tables[table].is_needed;
}

const char *foreign_column_name(enum foreign_table table, int column)
{
    return tables[table].columns[column].name;
}

static int find_column(const struct dump_layout *layout, const char *name)
{
    for (uint32_t i = 0; name && i < layout->columns_n; i++) {
        if (strcmp(layout->columns[i], name) == 0)
            return (int)i;
    }
    return -1;
}

int foreign_layout_make(const struct dump_layout *layout, enum foreign_table table,
                        struct foreign_layout *ret, struct err *err)
{
    const struct table *of = &tables[table];

    *ret = (struct foreign_layout){ .layout = layout, .table = table };
    for (int i = 0; i < of->columns_n; i++) {
        ret->at[i] = (int16_t)find_column(layout, of->columns[i].name);
        if (ret->at[i] < 0 && of->columns[i].is_needed)
            return err_set(err, E_NOT_SUPPORTED,
                           "table %s has no column %s: it is not of a slurmdbd of 22.05 to 25.05",
                           layout->table, of->columns[i].name);
    }
    return 0;
}

/* ---- archives ---- */

/* What columns were called before 2.2; NULL: what they are called is no matter of time. */
static const struct {
    enum foreign_table table;
    const char *now, *then;
    bool is_needed;
} archived[] = {
    { FOREIGN_JOB, "account", NULL, true },
    { FOREIGN_JOB, "id_job", "jobid", true },
    { FOREIGN_JOB, "state", NULL, true },
    { FOREIGN_JOB, "time_submit", "submit", true },
    { FOREIGN_JOB, "time_start", "start", true },
    { FOREIGN_JOB, "time_end", "end", true },
    { FOREIGN_JOB, "tres_alloc", NULL, true },
    { FOREIGN_JOB, "cpus_req", "req_cpus", false },
    { FOREIGN_JOB, "derived_es", "comment", false },
    { FOREIGN_JOB, "exit_code", "comp_code", false },
    { FOREIGN_JOB, "id_assoc", "associd", false },
    { FOREIGN_JOB, "id_group", "gid", false },
    { FOREIGN_JOB, "id_qos", "qos", false },
    { FOREIGN_JOB, "id_resv", "resvid", false },
    { FOREIGN_JOB, "id_user", "uid", false },
    { FOREIGN_JOB, "job_db_inx", "id", false },
    { FOREIGN_JOB, "job_name", "name", false },
    { FOREIGN_JOB, "nodes_alloc", "alloc_nodes", false },
    { FOREIGN_JOB, "time_eligible", "eligible", false },
    { FOREIGN_JOB, "time_suspended", "suspended", false },
    { FOREIGN_EVENT, "node_name", NULL, true },
    { FOREIGN_EVENT, "time_start", "period_start", true },
    { FOREIGN_EVENT, "time_end", "period_end", true },
    { FOREIGN_EVENT, "tres", NULL, true },
};

bool foreign_table_find_archived(const struct dump_layout *layout, enum foreign_table *ret,
                                 char **ret_cluster)
{
    *ret_cluster = NULL;
    if (strcmp(layout->table, "job_table") == 0)
        *ret = FOREIGN_JOB;
    else if (strcmp(layout->table, "cluster_event_table") == 0)
        *ret = FOREIGN_EVENT;
    else
        return foreign_table_find(layout, ret, ret_cluster) &&
               (*ret == FOREIGN_JOB || *ret == FOREIGN_EVENT);
    return true;
}

int foreign_layout_make_archived(const struct dump_layout *layout, enum foreign_table table,
                                 struct foreign_layout *ret, struct err *err)
{
    const struct table *of = &tables[table];

    *ret = (struct foreign_layout){ .layout = layout, .table = table };
    for (int i = 0; i < of->columns_n; i++)
        ret->at[i] = (int16_t)find_column(layout, of->columns[i].name);
    for (size_t k = 0; k < ARRAY_N(archived); k++) {
        int i = 0;

        if (archived[k].table != table)
            continue;
        while (strcmp(of->columns[i].name, archived[k].now) != 0)
            i++;
        if (ret->at[i] < 0)
            ret->at[i] = (int16_t)find_column(layout, archived[k].then);
        if (ret->at[i] < 0 && archived[k].is_needed)
            return err_set(err, EINVAL, "rows of table %s without %s", layout->table,
                           archived[k].now);
    }
    return 0;
}

/* ---- rows ---- */

const struct dump_cell *foreign_cell(const struct foreign_row *row, int column)
{
    const int at = row->layout->at[column];

    return at < 0 || !row->cells[at].text ? NULL : &row->cells[at];
}

const char *foreign_text(const struct foreign_row *row, int column)
{
    const struct dump_cell *cell = foreign_cell(row, column);

    return cell && cell->n ? cell->text : NULL;
}

void foreign_refuse(struct foreign_row *row, int column, const char *why)
{
    const struct dump_cell *cell = foreign_cell(row, column);
    AUTO_FREE char *value = NULL;

    if (row->err.code)
        return;
    value = plain_copy(cell ? cell->text : "NULL");
    (void)dump_fail(row->dump, &row->place, &row->err, EINVAL, "%s of table %s is '%.60s': %s",
                    foreign_column_name(row->layout->table, column), row->layout->layout->table,
                    value, why);
}

int foreign_error(const struct foreign_row *row, struct err *err)
{
    if (row->err.code)
        *err = row->err;
    return row->err.code ? -row->err.code : 0;
}

/* Reads a number with a sign, or without. Returns false where there is none. */
static bool read_number(struct foreign_row *row, int column, bool *ret_negative, uint64_t *ret)
{
    const char *text = foreign_text(row, column);
    char *end;

    if (!text)
        return false;
    *ret_negative = *text == '-';
    errno = 0;
    *ret = strtoull(text + *ret_negative, &end, 10);
    if (errno || *end || end == text + *ret_negative || text[*ret_negative] == '+' ||
        text[*ret_negative] == ' ') {
        foreign_refuse(row, column, "no number");
        return false;
    }
    return true;
}

uint64_t foreign_u64(struct foreign_row *row, int column, uint64_t absent)
{
    uint64_t number;
    bool negative;

    if (!read_number(row, column, &negative, &number))
        return absent;
    if (negative)
        foreign_refuse(row, column, "below zero");
    return number;
}

uint32_t foreign_u32(struct foreign_row *row, int column, uint32_t absent)
{
    const uint64_t number = foreign_u64(row, column, absent);

    if (number > UINT32_MAX)
        foreign_refuse(row, column, "more than 32 bits hold");
    return (uint32_t)number;
}

int64_t foreign_i64(struct foreign_row *row, int column, int64_t absent)
{
    uint64_t number;
    bool negative;

    if (!read_number(row, column, &negative, &number))
        return absent;
    if (number > INT64_MAX) {
        foreign_refuse(row, column, "more than 63 bits hold");
        return absent;
    }
    return negative ? -(int64_t)number : (int64_t)number;
}

int64_t foreign_time(struct foreign_row *row, int column)
{
    const int64_t time = foreign_i64(row, column, 0);

    if (time < 0 || time > SCHEMA_SECONDS_MAX)
        foreign_refuse(row, column, "no time");
    return time;
}

double foreign_double(struct foreign_row *row, int column, double absent)
{
    const char *text = foreign_text(row, column);
    double number;
    char *end;

    if (!text)
        return absent;
    number = strtod(text, &end);
    if (*end || end == text) {
        foreign_refuse(row, column, "no number");
        return absent;
    }
    return number;
}

#define AMOUNT_UNKNOWN UINT64_C(0xfffffffffffffffe) /* and what is above: unlimited */

void foreign_each_amount(struct foreign_row *row, int column, foreign_amount_fn *on_amount,
                         void *ctx)
{
    const char *text = foreign_text(row, column);

    while (text && *text) {
        uint64_t amount;
        unsigned long id;
        char *end;

        if (*text == ',') {
            text++;
            continue;
        }
        errno = 0;
        id = strtoul(text, &end, 10);
        if (end == text || *end != '=' || id == 0 || id > UINT32_MAX) {
            foreign_refuse(row, column, "no list of amounts");
            return;
        }
        text = end + 1;
        amount = strtoull(text, &end, 10);
        if (end == text || errno || *text == '-' || (*end && *end != ',')) {
            foreign_refuse(row, column, "no list of amounts");
            return;
        }
        if (amount < AMOUNT_UNKNOWN)
            on_amount((uint32_t)id, amount, ctx);
        text = end;
    }
}
