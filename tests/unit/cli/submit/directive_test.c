/* What each line gives was seen with Slurm 22.05, but for one: "" is an empty word here. */
#include "unit/check_main.h"

#include <string.h>

#include "cli/submit/directive.h"

static const struct {
    const char *line;
    const char *words; /* divided by | */
} lines[] = {
    { "#SBATCH", "" },
    { "#SBATCH   # only comment", "" },
    { "#SBATCH -J a # c", "|-J|a" },
    { "#SBATCH -J a#b", "|-J|a" },
    { "#SBATCH -J \"a # b\" ### x", "|-J|a # b" },
    { "#SBATCH --job-name=multijob ### Name of the job", "|--job-name=multijob" },
    { "#SBATCH --output=%x_%j.out ### Slurm Output file, %x is job name", "|--output=%x_%j.out" },
    { "#SBATCH -J \"a\\\"b\"", "|-J|a\"b" },
    { "#SBATCH -J \"a\\nb\\\\c\"", "|-J|anb\\c" },
    { "#SBATCH -J a\\nb", "|-J|anb" },
    { "#SBATCH -J pre\"in q\"post", "|-J|prein qpost" },
    { "#SBATCH -J 'a \"b\" c'", "|-J|a \"b\" c" },
    { "#SBATCH -Jfoo -N3", "|-Jfoo|-N3" },
    { "#SBATCH\t-J\ttab", "|-J|tab" },
    { "#SBATCH-J x", "|-J|x" },
    { "#SBATCHES are nice", "|ES|are|nice" },
    { "#SBATCH -J a\\", "|-J|a" },
    { "#SBATCH -J x;y", "|-J|x;y" },
    { "#SBATCH -J $HOME --comment=`x`", "|-J|$HOME|--comment=`x`" },
    { "#SBATCH --signal B:USR2@30", "|--signal|B:USR2@30" },
    { "#SBATCH -J \"\" -H", "|-J||-H" },
    { "#SBATCH -J a\\ b", "|-J|a|b" },
    { "#SBATCH --comment='a\\b'", "|--comment=ab" },
    { "#SBATCH --comment=\"a\\nb\"", "|--comment=anb" },
    { " #SBATCH -J lead", NULL },
    { "##SBATCH -J dbl", NULL },
    { "# SBATCH -J sp", NULL },
    { "#sbatch -J low", NULL },
    { "#PBS -N foo", NULL },
};

START_TEST(a_line_is_split_as_slurm_splits_it)
{
    AUTO_FREE char *script = xasprintf("#!/bin/sh\n%s\ntrue\n", lines[_i].line);
    AUTO(directives) struct directives found = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };

    ck_assert_int_eq(directives_parse(script, strlen(script), DIRECTIVE_MAGIC, &found, NULL), 0);

    ck_assert_uint_eq(found.n, lines[_i].words ? 1 : 0);
    if (found.n == 0)
        return;
    ck_assert_uint_eq(found.at[0].line, 2);
    for (uint32_t i = 0; i < found.at[0].words_n; i++)
        strbuf_addf(&out, "%s%s", i > 0 ? "|" : "", found.at[0].words[i]);
    ck_assert_str_eq(strbuf_text(&out), lines[_i].words);
    ck_assert_ptr_null(found.at[0].words[found.at[0].words_n]);
}
END_TEST

START_TEST(directives_end_at_the_first_command)
{
    const char *script = "#!/bin/sh\n\n# hi\n   \n#SBATCH -J after\n  echo\n#SBATCH -J no\n";
    AUTO(directives) struct directives found = { 0 };

    ck_assert_int_eq(directives_parse(script, strlen(script), DIRECTIVE_MAGIC, &found, NULL), 0);

    ck_assert_uint_eq(found.n, 1);
    ck_assert_uint_eq(found.at[0].line, 5);
    ck_assert_str_eq(found.at[0].words[2], "after");
}
END_TEST

START_TEST(a_last_line_needs_no_newline)
{
    const char *script = "#!/bin/sh\n#SBATCH -H";
    AUTO(directives) struct directives found = { 0 };

    ck_assert_int_eq(directives_parse(script, strlen(script), DIRECTIVE_MAGIC, &found, NULL), 0);

    ck_assert_uint_eq(found.n, 1);
    ck_assert_str_eq(found.at[0].words[1], "-H");
}
END_TEST

START_TEST(an_open_quote_is_an_error_that_names_the_line)
{
    const char *script = "#!/bin/sh\n#SBATCH -H\n#SBATCH -J \"a b\n";
    struct directives found = { 0 };
    struct err err = { 0 };

    ck_assert_int_eq(directives_parse(script, strlen(script), DIRECTIVE_MAGIC, &found, &err),
                     -E_SYNTAX);

    ck_assert_str_eq(err.text, "line 3: Unmatched `\"` in [\"a b]");
    ck_assert_ptr_null(found.at);
}
END_TEST

START_TEST(lines_and_words_are_bounded)
{
    AUTO(strbuf) struct strbuf script = { 0 };
    struct directives found = { 0 };
    struct err err = { 0 };

    strbuf_adds(&script, "#SBATCH");
    for (uint32_t i = 0; i <= DIRECTIVE_WORDS_MAX; i++)
        strbuf_adds(&script, " -H");
    ck_assert_int_eq(directives_parse(script.data, script.len, DIRECTIVE_MAGIC, &found, &err),
                     -E_TOO_BIG);

    strbuf_truncate(&script, 0);
    for (uint32_t i = 0; i <= DIRECTIVES_MAX; i++)
        strbuf_adds(&script, "#SBATCH -H\n");
    ck_assert_int_eq(directives_parse(script.data, script.len, DIRECTIVE_MAGIC, &found, &err),
                     -E_TOO_BIG);
}
END_TEST

CHECK_MAIN(directive, LOOP_CASE(a_line_is_split_as_slurm_splits_it, ARRAY_N(lines)),
           CASE(directives_end_at_the_first_command), CASE(a_last_line_needs_no_newline),
           CASE(an_open_quote_is_an_error_that_names_the_line), CASE(lines_and_words_are_bounded))
