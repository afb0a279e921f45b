#include "cli/sacctmgr/table.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/sacct/layout.h"

/* Returns the column that the first n letters of the field are short for, or NULL. */
static const struct report_column *find_column(const struct report_table *table, const char *field,
                                               size_t n)
{
    for (uint32_t i = 0; i < table->columns_n; i++) {
        const struct report_column *column = &table->columns[i];

        if (n <= strlen(column->name) &&
            strncasecmp(column->name, field, n > column->mark ? n : column->mark) == 0)
            return column;
    }
    return NULL;
}

/* Fields that Slurm had before 25.05. */
static const struct {
    const char *name, *reason;
} gone[] = {
    { "lft", "a number of the tables that Slurm kept its tree in until 23.11: see Lineage" },
    { "rgt", "a number of the tables that Slurm kept its tree in until 23.11: see Lineage" },
    { "pluginidselect", "a number of Slurm's plugins, which 25.05 does not show either" },
};

static void say_unknown(const char *field)
{
    fprintf(stderr, "Unknown field '%s'\n", field);
    for (size_t i = 0; i < ARRAY_N(gone); i++) {
        if (strcmp(gone[i].name, field) == 0)
            fprintf(stderr, " It is %s\n", gone[i].reason);
    }
}

/* Writes out the names that are cut short. Says which field is none, in Slurm's words; a run that
 * reads lines ends with it. */
static bool complete(struct mgr *mgr, const struct report_table *table, struct words *fields)
{
    for (uint32_t i = 0; i < fields->n; i++) {
        const size_t n = strcspn(fields->at[i], "%");
        const struct report_column *column = find_column(table, fields->at[i], n);
        char *whole;

        if (!column) {
            AUTO_FREE char *small = xstrndup(fields->at[i], n);

            for (char *at = small; *at; at++)
                *at = (char)tolower((unsigned char)*at);
            say_unknown(small);
            mgr->status = 1;
            mgr->leaves = true;
            return false;
        }
        /* A width that is none or 0 is the usual one. */
        whole = xasprintf(
            "%s%s", column->name,
            fields->at[i][n] && strtol(fields->at[i] + n + 1, NULL, 10) ? fields->at[i] + n : "");
        free(fields->at[i]);
        fields->at[i] = whole;
    }
    return true;
}

int mgr_print(struct mgr *mgr, const struct mgr_table *table, const struct words *fields)
{
    const struct acct_choice choice = { table->columns, 0 };
    const enum acct_style style = mgr->parsable2  ? ACCT_PARSABLE2
                                  : mgr->parsable ? ACCT_PARSABLE
                                                  : ACCT_COLUMNS;
    AUTO(words) struct words whole = { 0 };
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf text = { 0 };
    struct err err = { 0 };

    report_format_init(&format, table->columns);
    for (uint32_t i = 0; i < fields->n; i++)
        *ARRAY_PUSH(whole.at, whole.n) = xstrdup(fields->at[i]);
    if (fields->n == 0)
        *ARRAY_PUSH(whole.at, whole.n) = xstrdup("");
    if (!complete(mgr, table->columns, &whole))
        return 1;
    if (acct_layout(&choice, &whole, style, "|", &format, &err) < 0) {
        mgr_refuse(mgr, "%s", err.text);
        return 1;
    }
    if (!mgr->no_header)
        acct_header(&format, style, &text);
    for (uint32_t i = 0; i < table->n; i++)
        report_line(&format, &table->ctx, (const char *)table->rows + i * table->row_size, &text);
    fwrite(strbuf_text(&text), 1, text.len, stdout);
    return fflush(stdout) == 0 ? 0 : 1;
}
