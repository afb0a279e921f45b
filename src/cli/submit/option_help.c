#include "cli/submit/option_table.h"

#include <string.h>

#include "common/base/version.h"

#define HELP_COLUMN 30

static const char *synopsis(enum submit_command command)
{
    switch (command) {
    case SUBMIT_SBATCH:
        return "sbatch [OPTION]... [SCRIPT [ARGUMENT]...]";
    case SUBMIT_SRUN:
        return "srun [OPTION]... executable [ARGUMENT]...";
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

/* Headings of Slurm's help; what stands under none of these goes under the first. */
#define SECTION_NAMES_MAX 12
static const struct section {
    const char *title;
    const char *names[SECTION_NAMES_MAX];
} sections[] = {
    { "Parallel run options", { NULL } },
    { "Constraint options",
      { "constraint", "contiguous", "exclude", "mem", "mincpus", "nodefile", "nodelist",
        "reservation", "spread-job", "tmp", "use-min-nodes" } },
    { "Consumable resources related options",
      { "exact", "exclusive", "mem-per-cpu", "overcommit", "overlap", "oversubscribe" } },
    { "Multi-core options",
      { "core-spec", "cores-per-socket", "cpu-bind", "extra-node-info", "hint", "ntasks-per-core",
        "ntasks-per-socket", "sockets-per-node", "thread-spec", "threads-per-core" } },
    { "GPU scheduling options",
      { "cpus-per-gpu", "gpus", "gpus-per-node", "gpus-per-socket", "gpus-per-task", "gres",
        "gres-flags", "mem-per-gpu", "ntasks-per-gpu" } },
    { "Help options", { "help", "usage" } },
    { "Other options", { "version" } },
};

static const struct section *section_of(const struct option_row *row)
{
    for (size_t i = 0; i < ARRAY_N(sections); i++) {
        for (size_t k = 0; k < SECTION_NAMES_MAX && sections[i].names[k]; k++) {
            if (strcmp(sections[i].names[k], row->name) == 0)
                return &sections[i];
        }
    }
    return &sections[0];
}

static void add_section(const struct section *section, enum submit_command command,
                        struct strbuf *out)
{
    strbuf_addf(out, "\n%s:\n", section->title);
    for (uint32_t i = 0; i < option_rows_n; i++) {
        const struct option_row *row = &option_rows[i];

        if ((row->commands & command) && row->help && row->effect == OPTION_ACTS &&
            section_of(row) == section)
            add_option(row, out);
    }
}

void submit_options_help(enum submit_command command, struct strbuf *out)
{
    strbuf_addf(out, "Usage: %s\n%s\n", synopsis(command), purpose(command));
    for (size_t i = 0; i < ARRAY_N(sections); i++)
        add_section(&sections[i], command, out);
    strbuf_adds(out, "\n" VERSION_OURS);
}

void submit_options_usage(enum submit_command command, struct strbuf *out)
{
    strbuf_addf(out, "Usage: %s\nTry \"%s --help\" for all options.\n", synopsis(command),
                submit_command_name(command));
}
