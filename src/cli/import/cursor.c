#include "cli/import/cursor.h"

#include <errno.h>
#include <string.h>

#include "common/base/alloc.h"

static bool is_of_cursor(const struct dump_layout *layout, void *ctx)
{
    const struct cursor *cursor = ctx;
    const struct survey *survey = cursor->survey;
    enum foreign_table table;
    AUTO_FREE char *cluster = NULL;

    return foreign_table_find(layout, &table, &cluster) && table == cursor->table &&
           survey_is_of_cluster(survey, cluster) &&
           (!survey->database || !*layout->database ||
            strcmp(layout->database, survey->database) == 0);
}

int cursor_next(struct cursor *cursor, struct err *err)
{
    const struct foreign_layout *layout;
    const uint64_t before = cursor->key;
    struct dump_row raw;
    int rc;

    cursor->is_there = false;
    if (cursor->left == 0)
        return 0;
    rc = dump_next(cursor->dump, &raw, err);
    if (rc <= 0)
        return rc;
    layout = survey_layout(cursor->survey, raw.place.layout, err);
    if (!layout)
        return -E_NOT_SUPPORTED;
    cursor->left--;
    cursor->row = survey_row(cursor->survey, layout, &raw);
    cursor->key = foreign_u64(&cursor->row, cursor->column, 0);
    cursor->is_there = true;
    if (cursor->key < before)
        return dump_fail(cursor->dump, &raw.place, err, EINVAL,
                         "rows of table %s are not in the order of %s: make the dump with "
                         "--order-by-primary",
                         raw.place.layout->table,
                         foreign_column_name(cursor->table, cursor->column));
    return 0;
}

int cursor_begin(struct cursor *cursor, struct survey *survey, enum foreign_table table, int column,
                 struct err *err)
{
    const struct dump_place *first = &survey->first[table];

    *cursor = (struct cursor){ .survey = survey, .table = table, .column = column };
    cursor->dump = dump_fork(survey->dump);
    dump_filter(cursor->dump, is_of_cursor, cursor);
    if (!first->layout)
        return 0;
    cursor->left = survey->rows[table];
    dump_seek(cursor->dump, first);
    return cursor_next(cursor, err);
}

void cursor_end(struct cursor *cursor)
{
    dump_free(cursor->dump);
    cursor->dump = NULL;
}
