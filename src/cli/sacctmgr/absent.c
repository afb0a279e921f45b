#include "cli/sacctmgr/absent.h"

#include <stdio.h>
#include <time.h>

#include "cli/sacctmgr/table.h"
#include "common/text/timetext.h"

/* ---- reservations and instances: there are none ---- */

/* The lists have columns, and never a row to make them of. */
static void nothing(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}

/* A list without rows: its columns, what it is asked by, and what it shows unasked. */
struct empty {
    struct report_table columns;
    const struct acct_key *keys;
    size_t keys_n;
    const char *usual;
};

enum { KEY_OTHER, KEY_TIME, KEY_FORMAT };

/* clang-format off */
static const struct report_column reservation_columns[] = {
    MGR_COLUMN("Associations", 2, "Assocs", 10, nothing),
    MGR_COLUMN("Cluster", 2, "Cluster", 10, nothing),
    MGR_COLUMN("End", 2, "TimeEnd", 19, nothing),
    MGR_COLUMN("Flags", 2, "Flags", 20, nothing),
    MGR_COLUMN("ID", 2, "ID", 6, nothing),
    MGR_COLUMN("Name", 2, "Name", 10, nothing),
    MGR_COLUMN("NodeNames", 5, "NodeName", 15, nothing),
    MGR_COLUMN("Start", 1, "TimeStart", 19, nothing),
    MGR_COLUMN("TRES", 2, "TRES", 20, nothing),
    MGR_COLUMN("UnusedWall", 1, "UnusedWall", 10, nothing),
};

static const struct report_column instance_columns[] = {
    MGR_COLUMN("Cluster", 2, "Cluster", 10, nothing),
    MGR_COLUMN("End", 2, "TimeEnd", 19, nothing),
    MGR_COLUMN("Extra", 2, "Extra", 20, nothing),
    MGR_COLUMN("InstanceID", 9, "InstanceId", 20, nothing),
    MGR_COLUMN("InstanceType", 9, "InstanceType", 20, nothing),
    MGR_COLUMN("NodeName", 1, "NodeName", 15, nothing),
    MGR_COLUMN("Start", 1, "TimeStart", 19, nothing),
};
/* clang-format on */

static const struct acct_key reservation_keys[] = {
    { "Clusters", 1, KEY_OTHER }, { "End", 1, KEY_TIME },    { "Format", 1, KEY_FORMAT },
    { "IDs", 1, KEY_OTHER },      { "Names", 2, KEY_OTHER }, { "Nodes", 2, KEY_OTHER },
    { "Start", 1, KEY_TIME },
};

static const struct acct_key instance_keys[] = {
    { "Clusters", 1, KEY_OTHER }, { "End", 2, KEY_TIME },         { "Extra", 2, KEY_OTHER },
    { "Format", 1, KEY_FORMAT },  { "InstanceID", 9, KEY_OTHER }, { "InstanceType", 9, KEY_OTHER },
    { "Nodes", 1, KEY_OTHER },    { "Start", 1, KEY_TIME },
};

static const struct empty reservations = { { NULL, 0, reservation_columns,
                                             ARRAY_N(reservation_columns) },
                                           reservation_keys,
                                           ARRAY_N(reservation_keys),
                                           "Cluster,Name%15,TRES%30,Start,End,UnusedWall" };

static const struct empty instances = { { NULL, 0, instance_columns, ARRAY_N(instance_columns) },
                                        instance_keys,
                                        ARRAY_N(instance_keys),
                                        "Cluster,NodeName,Start,End,InstanceID,InstanceType,"
                                        "Extra" };

/* Reads what is asked. Returns false after saying which word, or time, is none. */
static bool read_empty(struct mgr *mgr, const struct acct_line *line, const struct empty *list,
                       struct words *fields)
{
    for (uint32_t i = 0; i < line->where.n; i++) {
        const struct acct_word *word = &line->where.at[i];
        const int key = word->key ? acct_key_find(list->keys, list->keys_n, word->key) : -1;
        struct err err = { 0 };
        int64_t at;

        if (key < 0) {
            mgr_refuse_condition(mgr, word);
            return false;
        }
        if (key == KEY_FORMAT)
            words_add(fields, word->value, ",");
        if (key == KEY_TIME && time_parse_past(word->value, (int64_t)time(NULL), &at, &err) < 0) {
            mgr_refuse(mgr, "%s", err.text);
            return false;
        }
    }
    if (fields->n == 0)
        words_add(fields, list->usual, ",");
    return true;
}

static int print_empty(struct mgr *mgr, const struct acct_line *line, const struct empty *list)
{
    const struct mgr_table table = { .columns = &list->columns };
    AUTO(words) struct words fields = { 0 };

    return read_empty(mgr, line, list, &fields) ? mgr_print(mgr, &table, &fields) : 1;
}

int reservation_list(struct mgr *mgr, const struct acct_line *line)
{
    return print_empty(mgr, line, &reservations);
}

int instance_list(struct mgr *mgr, const struct acct_line *line)
{
    return print_empty(mgr, line, &instances);
}
