#include "tables.h"

#include <string.h>

#include "cli/sacct/columns.h"
#include "cli/sinfo/columns.h"
#include "cli/sprio/columns.h"
#include "cli/squeue/columns.h"
#include "cli/sstat/columns.h"
#include "cli/submit/option_table.h"
#include "roff.h"

/* ---- options of sbatch, srun and salloc ---- */

static int find_command(const char *name, enum submit_command *ret, struct err *err)
{
    static const enum submit_command commands[] = { SUBMIT_SBATCH, SUBMIT_SRUN, SUBMIT_SALLOC };

    for (size_t i = 0; i < ARRAY_N(commands); i++) {
        if (strcmp(submit_command_name(commands[i]), name) == 0) {
            *ret = commands[i];
            return 0;
        }
    }
    return err_set(err, EINVAL, "'%s' is not a command that submits", name);
}

static bool is_shown(const struct option_row *row)
{
    return row && row->help && row->effect == OPTION_ACTS;
}

int tables_variables(const char *name, struct strbuf *out, struct err *err)
{
    enum submit_command command;
    int rc = find_command(name, &command, err);

    for (uint32_t i = 0; rc == 0 && i < option_variables_n; i++) {
        const struct option_variable *variable = &option_variables[i];

        if (!(variable->commands & command) ||
            !is_shown(option_row_find(command, variable->option)))
            continue;
        AUTO_FREE char *option = xasprintf("--%s", variable->option);
        roff_item(out, variable->name, option);
    }
    return rc;
}

/* Each option of that sort, with the reason that the table gives. */
static int add_rows(const char *name, enum option_effect effect, struct strbuf *out,
                    struct err *err)
{
    enum submit_command command;
    int rc = find_command(name, &command, err);

    for (uint32_t i = 0; rc == 0 && i < option_rows_n; i++) {
        const struct option_row *row = &option_rows[i];
        AUTO_FREE char *spec = xasprintf("--%s", row->name);

        if ((row->commands & command) && row->effect == effect)
            roff_item(out, spec, row->help ? row->help : "");
    }
    return rc;
}

int tables_noted(const char *command, struct strbuf *out, struct err *err)
{
    return add_rows(command, OPTION_NOTED, out, err);
}

int tables_silent(const char *command, struct strbuf *out, struct err *err)
{
    return add_rows(command, OPTION_MET, out, err);
}

int tables_refused(const char *command, struct strbuf *out, struct err *err)
{
    return add_rows(command, OPTION_REFUSED, out, err);
}

/* ---- columns ---- */

static int find_table(const char *name, const struct report_table **ret, struct err *err)
{
    static const struct {
        const char *name;
        const struct report_table *table;
    } tables[] = {
        { "squeue", &queue_table }, { "sprio", &prio_table }, { "steps", &step_table },
        { "sinfo", &sinfo_table },  { "sacct", &acct_table }, { "sstat", &stat_table },
    };

    for (size_t i = 0; i < ARRAY_N(tables); i++) {
        if (strcmp(tables[i].name, name) == 0) {
            *ret = tables[i].table;
            return 0;
        }
    }
    return err_set(err, EINVAL, "'%s' is no table of columns", name);
}

int tables_letters(const char *name, struct strbuf *out, struct err *err)
{
    const struct report_table *table = NULL;
    int rc = find_table(name, &table, err);

    for (uint32_t i = 0; rc == 0 && i < table->columns_n; i++) {
        const struct report_column *column = &table->columns[i];
        const char spec[] = { '%', column->letter, '\0' };

        if (column->letter)
            roff_item(out, spec, column->name ? column->name : column->title);
    }
    return rc;
}

int tables_names(const char *name, struct strbuf *out, struct err *err)
{
    const struct report_table *table = NULL;
    int rc = find_table(name, &table, err);
    AUTO_FREE const char **names = xcalloc(table ? table->columns_n : 1, sizeof(*names));
    size_t n = 0;

    for (uint32_t i = 0; rc == 0 && i < table->columns_n; i++) {
        if (table->columns[i].name)
            names[n++] = table->columns[i].name;
    }
    roff_names(out, names, n);
    return rc;
}
