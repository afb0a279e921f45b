#include "unit/check_main.h"

#include <string.h>

#include "cli/lib/args.h"
#include "common/base/strbuf.h"
#include "common/text/words.h"

static const struct arg_option options[] = {
    { "all", 'a', ARG_NONE, 1 },
    { "cpus-per-gpu", 0, ARG_REQUIRED, 2 },
    { "cpus-per-task", 'c', ARG_REQUIRED, 3 },
    { "mem", 0, ARG_REQUIRED, 4 },
    { "mem-per-cpu", 0, ARG_REQUIRED, 5 },
    { "kill", 'K', ARG_OPTIONAL, 6 },
    { "name", 'n', ARG_REQUIRED, 7 },
    { "jobname", 0, ARG_REQUIRED, 7 },
    { "names", 0, ARG_REQUIRED, 7 },
};

/* Each option as "id" or "id=value", then the operands after a bar, or the error's first line. */
static void read_line(const char *text, bool mixed, struct strbuf *out)
{
    AUTO(words) struct words words = words_split(text, " ");
    char *argv[32] = { "" };
    struct arg_reader reader = { .options = options,
                                 .options_n = ARRAY_N(options),
                                 .argv = argv,
                                 .argc = (int)words.n + 1,
                                 .mixed = mixed,
                                 .ending = "change",
                                 .at = 1 };
    struct err err = { 0 };
    const char *value;
    int id, rc;

    for (uint32_t i = 0; i < words.n; i++)
        argv[i + 1] = words.at[i];
    while ((rc = arg_next(&reader, &id, &value, &err)) > 0)
        strbuf_addf(out, "%d%s%s ", id, value ? "=" : "", value ? value : "");
    if (rc < 0)
        strbuf_adds(out, err.text);
    strbuf_addc(out, '|');
    for (uint32_t i = 0; i < reader.operands_n; i++)
        strbuf_addf(out, " %s", reader.operands[i]);
    for (int i = reader.at; rc == 0 && i < reader.argc; i++)
        strbuf_addf(out, " %s", argv[i]);
    arg_reader_clear(&reader);
}

static const struct {
    const char *text;
    bool mixed;
    const char *result;
} lines[] = {
    { "", false, "|" },
    { "--all -a", false, "1 1 |" },
    { "-ac3 -c 4 -K -K5 --kill --kill=6", false, "1 3=3 3=4 6 6=5 6 6=6 |" },
    { "--mem=5 --mem 6 --mem-per-cpu=7", false, "4=5 4=6 5=7 |" },
    { "--cpus-per-t=5 --cpus-per-task=6", false, "3=5 3=6 |" },
    { "--nam=5 --names=6 --jobname=7", false, "7=5 7=6 7=7 |" },
    { "-a cmd -a --x", false, "1 | cmd -a --x" },
    { "-a -- -a", false, "1 | -a" },
    { "-a - -a", false, "1 | - -a" },
    { "7 -a 8 -- -a 9", true, "1 | 7 8 -a 9" },
    { "-a 7 CHANGE -x -- -a", true, "1 | 7 CHANGE -x -- -a" },
    { "--mem=", false, "4= |" },
    { "--cpus=3", false,
      "option '--cpus=3' is ambiguous; possibilities: '--cpus-per-gpu' '--cpus-per-task'|" },
    { "--mem", false, "option '--mem' requires an argument|" },
    { "--cpus-per-t", false, "option '--cpus-per-task' requires an argument|" },
    { "--all=3", false, "option '--all' doesn't allow an argument|" },
    { "-c", false, "option requires an argument -- 'c'|" },
    { "-x", false, "invalid option -- 'x'|" },
    { "-ax", false, "1 invalid option -- 'x'|" },
    { "--quite-other", false, "unrecognized option '--quite-other'|" },
    { "--memory=1", false, "unrecognized option '--memory=1'\ndid you mean '--mem'?|" },
    { "--mem-per-task=1", false,
      "unrecognized option '--mem-per-task=1'\ndid you mean '--mem-per-cpu'?|" },
    { "--cpu-per-gpu=1", false,
      "unrecognized option '--cpu-per-gpu=1'\ndid you mean '--cpus-per-gpu'?|" },
};

START_TEST(command_lines_are_read_as_getopt_reads_them)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    read_line(lines[_i].text, lines[_i].mixed, &out);

    ck_assert_str_eq(strbuf_text(&out), lines[_i].result);
}
END_TEST

CHECK_MAIN(args, LOOP_CASE(command_lines_are_read_as_getopt_reads_them, ARRAY_N(lines)))
