/*
 * The option table against Slurm's manual pages, and docs/COMPATIBILITY.md against the table.
 * Called with UPDATE_DOCS=1 it writes that page anew.
 *
 * data/options/manuals and data/options/variables list the options and input variables that the
 * manual pages of Slurm 22.05 and 25.05 name: "COMMAND VERSION NAME", one a line.
 */
#include "unit/check_main.h"

#include <stdio.h>
#include <string.h>

#include "cli/submit/option_table.h"
#include "common/text/words.h"

#define PAGE "../docs/COMPATIBILITY.md"

static const enum submit_command commands[] = { SUBMIT_SBATCH, SUBMIT_SRUN, SUBMIT_SALLOC };

static char *read_file(const char *path)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    FILE *file = fopen(path, "re");
    char line[512];

    ck_assert_msg(file != NULL, "%s", path);
    while (fgets(line, sizeof(line), file))
        strbuf_adds(&text, line);
    fclose(file);
    return strbuf_steal(&text);
}

static enum submit_command command_of(const char *name)
{
    for (size_t i = 0; i < ARRAY_N(commands); i++)
        if (strcmp(submit_command_name(commands[i]), name) == 0)
            return commands[i];
    ck_abort_msg("no command %s", name);
    return SUBMIT_ALL;
}

START_TEST(every_option_of_the_manual_pages_is_in_the_table)
{
    AUTO_FREE char *text = read_file("data/options/manuals");
    AUTO(words) struct words lines = words_split(text, "\n");

    for (uint32_t i = 0; i < lines.n; i++) {
        AUTO(words) struct words line = words_split(lines.at[i], " ");

        ck_assert_uint_eq(line.n, 3);
        ck_assert_msg(option_row_find(command_of(line.at[0]), line.at[2]) != NULL, "%s",
                      lines.at[i]);
    }
}
END_TEST

/* What they do is about more than one option, or about none. */
static const char *const read_elsewhere[] = {
    "SLURM_CONF",
    "SLURM_DEBUG_FLAGS",
    "SLURM_EXIT_ERROR",
    "SLURM_EXIT_IMMEDIATE",
    "SLURM_STEP_KILLED_MSG_NODE_ID",
    "SLURM_UMASK",
    "SLURM_CPUS_PER_TASK", /* since 22.05 srun reads SRUN_CPUS_PER_TASK instead */
    "SLURM_DIST_PLANESIZE",
    "SLURM_PMI_KVS_NO_DUP_KEYS",
    "SLURM_SRUN_REDUCE_TASK_EXIT_MSG",
    "SLURM_TEST_EXEC",
    "PMI_FANOUT",
    "PMI_FANOUT_OFF_HOST",
    "PMI_TIME",
    "SALLOC_WAIT",
};

static bool is_known_variable(enum submit_command command, const char *name)
{
    for (uint32_t i = 0; i < option_variables_n; i++)
        if ((option_variables[i].commands & command) && strcmp(option_variables[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < ARRAY_N(read_elsewhere); i++)
        if (strcmp(read_elsewhere[i], name) == 0)
            return true;
    return false;
}

START_TEST(every_input_variable_of_the_manual_pages_is_known)
{
    AUTO_FREE char *text = read_file("data/options/variables");
    AUTO(words) struct words lines = words_split(text, "\n");

    for (uint32_t i = 0; i < lines.n; i++) {
        AUTO(words) struct words line = words_split(lines.at[i], " ");

        ck_assert_uint_eq(line.n, 3);
        ck_assert_msg(is_known_variable(command_of(line.at[0]), line.at[2]), "%s", lines.at[i]);
    }
}
END_TEST

START_TEST(every_variable_stands_for_an_option_of_its_command)
{
    for (uint32_t i = 0; i < option_variables_n; i++)
        ck_assert_msg(option_row_find((enum submit_command)option_variables[i].commands,
                                      option_variables[i].option) != NULL,
                      "%s", option_variables[i].name);
}
END_TEST

/* ---- the page ---- */

static const char *state_of(const struct option_row *row)
{
    static const char *const states[] = { "acts", "as it is anyway", "no effect, with a warning",
                                          "refused" };

    return row->set ? states[row->effect] : "another name";
}

static void add_names(const struct option_row *row, struct strbuf *out)
{
    if (row->letter)
        strbuf_addf(out, "| `-%c`, `--%s` |", row->letter, row->name);
    else
        strbuf_addf(out, "| `--%s` |", row->name);
    for (size_t i = 0; i < ARRAY_N(commands); i++)
        strbuf_adds(out, row->commands & commands[i] ? " x |" : "  |");
}

static void add_row(const struct option_row *row, struct strbuf *out)
{
    AUTO(words) struct words parts = { 0 };

    add_names(row, out);
    if (!row->set) {
        strbuf_addf(out, " %s | of `--%s` |\n", state_of(row), row->value);
        return;
    }
    parts = words_split(row->help, "|"); /* ends a column */
    strbuf_addf(out, " %s | ", state_of(row));
    for (uint32_t i = 0; i < parts.n; i++)
        strbuf_addf(out, "%s%s", i ? " or " : "", parts.at[i]);
    strbuf_adds(out, " |\n");
}

static void add_variables(struct strbuf *out)
{
    for (uint32_t i = 0; i < option_variables_n; i++)
        strbuf_addf(out, "| `%s` | %s | `--%s` |\n", option_variables[i].name,
                    submit_command_name((enum submit_command)option_variables[i].commands),
                    option_variables[i].option);
}

static void make_page(struct strbuf *out)
{
    strbuf_adds(out,
                "# Options of sbatch, srun and salloc\n\n"
                "Made from `src/cli/submit/option_table.c` by the test "
                "`unit.cli.submit.compatibility` (`UPDATE_DOCS=1`, run in `tests`); do not edit.\n"
                "All options of the manual pages of Slurm 22.05 and 25.05 are here. What differs "
                "in what they do is in\n`tests/cluster/submit/differences`.\n\n"
                "| option | sbatch | srun | salloc | state | what it does, or why not |\n"
                "|---|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < option_rows_n; i++)
        add_row(&option_rows[i], out);
    strbuf_adds(out, "\n# Variables that stand for options\n\n"
                     "The command line beats them, they beat `#SBATCH` lines.\n\n"
                     "| variable | read by | stands for |\n|---|---|---|\n");
    add_variables(out);
}

START_TEST(the_page_says_what_the_table_says)
{
    AUTO(strbuf) struct strbuf page = { 0 };
    AUTO_FREE char *there = NULL;

    make_page(&page);
    if (getenv("UPDATE_DOCS")) {
        FILE *file = fopen(PAGE, "we");

        ck_assert(file && fputs(strbuf_text(&page), file) >= 0 && fclose(file) == 0);
    }
    there = read_file(PAGE);
    ck_assert_msg(strcmp(there, strbuf_text(&page)) == 0,
                  PAGE " is old: UPDATE_DOCS=1 unit.cli.submit.compatibility writes it");
}
END_TEST

CHECK_MAIN(compatibility, CASE(every_option_of_the_manual_pages_is_in_the_table),
           CASE(every_input_variable_of_the_manual_pages_is_known),
           CASE(every_variable_stands_for_an_option_of_its_command),
           CASE(the_page_says_what_the_table_says))
