#include "unit/check_main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/flags.h"

struct options {
    bool all;
    uint32_t verbose;
    const char *jobs, *user, *format;
};

#define AT(member) offsetof(struct options, member)

static const struct flag rows[] = {
    { "all", 'a', FLAG_SET, AT(all), NULL, "FLAGS_TEST_ALL", "everything" },
    { "jobs", 'j', FLAG_LIST, AT(jobs), "JOBS", NULL, "these" },
    { "user", 'u', FLAG_TEXT, AT(user), "NAME", "FLAGS_TEST_USER", "of this one" },
    { "users", 0, FLAG_TEXT, AT(user), "NAME", NULL, NULL },
    { "verbose", 'v', FLAG_MORE, AT(verbose), NULL, NULL, "more words" },
    { "local", 0, FLAG_SAME, 0, NULL, NULL, "here" },
    { "json", 0, FLAG_REFUSED, 0, NULL, NULL, "no" },
    { NULL, 0, FLAG_VARIABLE, AT(format), NULL, "FLAGS_TEST_FORMAT", "how" },
    FLAGS_COMMON,
};
static const struct flag_table table = { .purpose = "Tests.",
                                         .flags = rows,
                                         .flags_n = ARRAY_N(rows) };

static int read_flags_of(const struct flag_table *of, struct options *options, char **argv)
{
    AUTO(command) struct command command;
    int argc = 0;

    while (argv[argc])
        argc++;
    memset(options, 0, sizeof(*options));
    command_init(&command, "test");
    return flags_read(of, &command, argc, argv, options, NULL, NULL);
}

static int read_flags(struct options *options, char **argv)
{
    return read_flags_of(&table, options, argv);
}

#define ARGV(...) ((char *[]){ ARG("test"), __VA_ARGS__, NULL })
#define ARG(text) ((char *)(uintptr_t)(text))

START_TEST(options_fill_their_members)
{
    struct options options;

    ck_assert_int_eq(read_flags(&options, ARGV(ARG("-avv"), ARG("--user=ann"), ARG("--local"))),
                     -1);

    ck_assert(options.all);
    ck_assert_uint_eq(options.verbose, 2);
    ck_assert_str_eq(options.user, "ann");
    ck_assert_ptr_null(options.jobs);
}
END_TEST

START_TEST(a_list_may_be_left_out_or_follow)
{
    struct options options;

    ck_assert_int_eq(read_flags(&options, ARGV(ARG("-j"), ARG("-a"))), -1);
    ck_assert_str_eq(options.jobs, "");
    ck_assert_int_eq(read_flags(&options, ARGV(ARG("-j"), ARG("12,15"), ARG("-a"))), -1);
    ck_assert_str_eq(options.jobs, "12,15");
    ck_assert_int_eq(read_flags(&options, ARGV(ARG("-j7"))), -1);
    ck_assert_str_eq(options.jobs, "7");
    ck_assert_int_eq(read_flags(&options, ARGV(ARG("--jobs"), ARG("8"))), -1);
    ck_assert_str_eq(options.jobs, "8");
}
END_TEST

START_TEST(options_win_over_variables)
{
    struct options options;

    setenv("FLAGS_TEST_USER", "bob", 1);
    setenv("FLAGS_TEST_ALL", "", 1);
    setenv("FLAGS_TEST_FORMAT", "%i", 1);
    ck_assert_int_eq(read_flags(&options, ARGV(ARG("-v"))), -1);
    ck_assert_str_eq(options.user, "bob");
    ck_assert_str_eq(options.format, "%i");
    ck_assert(options.all);
    ck_assert_int_eq(read_flags(&options, ARGV(ARG("-u"), ARG("ann"))), -1);
    ck_assert_str_eq(options.user, "ann");
}
END_TEST

START_TEST(a_name_in_part_is_an_option_with_two_names)
{
    struct options options;

    ck_assert_int_eq(read_flags(&options, ARGV(ARG("--use=ann"))), -1);

    ck_assert_str_eq(options.user, "ann");
}
END_TEST

START_TEST(what_cannot_be_done_ends_the_command)
{
    struct options options;

    ck_assert_int_eq(read_flags(&options, ARGV(ARG("--json"))), 1);
    ck_assert_int_eq(read_flags(&options, ARGV(ARG("--bogus"))), 1);
    ck_assert_int_eq(read_flags(&options, ARGV(ARG("operand"))), 1);
    ck_assert_int_eq(read_flags(&options, ARGV(ARG("-u"))), 1);
}
END_TEST

START_TEST(operands_are_dropped_where_slurm_drops_them)
{
    struct flag_table drops = table;
    struct options options;

    drops.drops_operands = true;
    ck_assert_int_eq(read_flags_of(&drops, &options, ARGV(ARG("operand"), ARG("-a"))), -1);
    ck_assert(options.all);
}
END_TEST

START_TEST(help_and_usage_come_from_the_table)
{
    AUTO(strbuf) struct strbuf help = { 0 };
    AUTO(strbuf) struct strbuf usage = { 0 };

    flags_help(&table, "test", &help);
    flags_usage(&table, "test", &usage);

    ck_assert_ptr_nonnull(strstr(strbuf_text(&help), "  -j, --jobs[=JOBS]           these\n"));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&help), "  FLAGS_TEST_USER             --user\n"));
    ck_assert_ptr_null(strstr(strbuf_text(&help), "--users"));
    ck_assert_str_eq(strbuf_text(&usage),
                     "Usage: test [-a] [-j jobs] [-u name] [-v] [--local] [--json] [--help]\n"
                     "        [--usage] [-V]\n");
}
END_TEST

START_TEST(what_is_needed_stands_in_the_synopsis_and_alone_in_the_usage)
{
    AUTO(strbuf) struct strbuf help = { 0 };
    AUTO(strbuf) struct strbuf usage = { 0 };
    struct flag_table needs = table;

    needs.heading = "Valid <OPTION> values are";
    needs.needed = "-j <job[.step],...>";
    flags_help(&needs, "sstat", &help);
    flags_usage(&needs, "sstat", &usage);

    ck_assert_ptr_eq(strstr(strbuf_text(&help), "Usage: sstat [<OPTION>] -j <job[.step],...>\n"),
                     strbuf_text(&help));
    ck_assert_str_eq(strbuf_text(&usage), "Usage: sstat [options] -j <job[.step],...>\n"
                                          "       Use --help for help\n");
}
END_TEST

START_TEST(a_table_may_end_its_help_with_lines_and_bring_a_usage_of_its_own)
{
    AUTO(strbuf) struct strbuf help = { 0 };
    AUTO(strbuf) struct strbuf usage = { 0 };
    struct flag_table own = table;

    own.more_help = (const char *const[]){ "one", "two", NULL };
    own.usage = "Usage: short\n";
    flags_help(&own, "test", &help);
    flags_usage(&own, "test", &usage);

    ck_assert_str_eq(strbuf_text(&help) + help.len - 8, "one\ntwo\n");
    ck_assert_str_eq(strbuf_text(&usage), "Usage: short\n");
}
END_TEST

START_TEST(what_was_asked_for_is_said_with_verbose)
{
    AUTO(strbuf) struct strbuf said = { 0 };
    const struct options options = { .all = true, .verbose = 1, .user = "ann" };
    struct log *log = log_new_command("test", LOG_VERBOSE);
    char line[256];
    FILE *file = tmpfile();
    int stderr_fd = dup(STDERR_FILENO);

    dup2(fileno(file), STDERR_FILENO);
    flags_say(&table, &options, log);
    dup2(stderr_fd, STDERR_FILENO);
    rewind(file);
    while (fgets(line, sizeof(line), file))
        strbuf_adds(&said, line);

    ck_assert_str_eq(strbuf_text(&said), "test: all          = true\n"
                                         "test: jobs         = (null)\n"
                                         "test: user         = ann\n"
                                         "test: verbose      = 1\n");
    fclose(file);
    close(stderr_fd);
    log_free(log);
}
END_TEST

CHECK_MAIN(flags, CASE(options_fill_their_members),
           CASE(operands_are_dropped_where_slurm_drops_them),
           CASE(a_list_may_be_left_out_or_follow), CASE(options_win_over_variables),
           CASE(a_name_in_part_is_an_option_with_two_names),
           CASE(what_cannot_be_done_ends_the_command), CASE(help_and_usage_come_from_the_table),
           CASE(what_is_needed_stands_in_the_synopsis_and_alone_in_the_usage),
           CASE(a_table_may_end_its_help_with_lines_and_bring_a_usage_of_its_own),
           CASE(what_was_asked_for_is_said_with_verbose))
