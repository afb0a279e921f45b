#include "cli/submit/option_table.h"

#define HELP_COLUMN 30

static const char *synopsis(enum submit_command command)
{
    switch (command) {
    case SUBMIT_SBATCH:
        return "sbatch [OPTION]... [SCRIPT [ARGUMENT]...]";
    case SUBMIT_SRUN:
        return "srun [OPTION]... COMMAND [ARGUMENT]...";
    default:
        return "salloc [OPTION]... [COMMAND [ARGUMENT]...]";
    }
}

static const char *purpose(enum submit_command command)
{
    switch (command) {
    case SUBMIT_SBATCH:
        return "Submits a batch script, from SCRIPT, --wrap or standard input.";
    case SUBMIT_SRUN:
        return "Runs a command as parallel tasks, in a job of its own or inside a job.";
    default:
        return "Gets nodes for a job and runs a command (a shell) here while it has them.";
    }
}

static void add_option(const struct option_row *row, struct strbuf *out)
{
    size_t begin = out->len, width;

    if (row->letter)
        strbuf_addf(out, "  -%c, --%s", row->letter, row->name);
    else
        strbuf_addf(out, "      --%s", row->name);
    if (row->need == ARG_REQUIRED)
        strbuf_addf(out, "=%s", row->value);
    else if (row->need == ARG_OPTIONAL)
        strbuf_addf(out, "[=%s]", row->value);
    width = out->len - begin;
    if (width >= HELP_COLUMN)
        strbuf_addf(out, "\n%*s%s\n", HELP_COLUMN, "", row->help);
    else
        strbuf_addf(out, "%*s%s\n", (int)(HELP_COLUMN - width), "", row->help);
}

void submit_options_help(enum submit_command command, struct strbuf *out)
{
    strbuf_addf(out, "Usage: %s\n%s\n\nOptions:\n", synopsis(command), purpose(command));
    for (uint32_t i = 0; i < option_rows_n; i++) {
        if ((option_rows[i].commands & command) && option_rows[i].help &&
            option_rows[i].effect == OPTION_ACTS)
            add_option(&option_rows[i], out);
    }
}

void submit_options_usage(enum submit_command command, struct strbuf *out)
{
    strbuf_addf(out, "Usage: %s\nTry \"%s --help\" for all options.\n", synopsis(command),
                submit_command_name(command));
}
