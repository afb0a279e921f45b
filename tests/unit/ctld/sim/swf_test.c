#include "unit/check_main.h"

#include <string.h>

#include "ctld/sim/swf.h"

#define JOB(id) #id " 5 -1 10 4 -1 -1 8 20 -1 1 3 4 -1 2 1 -1 -1\n"

static int read_text(const char *text, size_t piece, struct swf *swf, struct err *err)
{
    const size_t size = strlen(text);
    int rc = 0;

    swf_init(swf, "t.swf");
    for (size_t at = 0; rc == 0 && at < size; at += piece)
        rc = swf_feed(swf, text + at, size - at < piece ? size - at : piece, err);
    return rc == 0 ? swf_end(swf, err) : rc;
}

START_TEST(a_line_gives_a_job_and_the_header_the_machine)
{
    AUTO(swf) struct swf swf;
    struct err err = { 0 };

    ck_assert_msg(read_text("; MaxNodes: 12 (batch)\n; MaxProcs: 100\n" JOB(7), 1000, &swf, &err) ==
                      0,
                  "%s", err.text);

    ck_assert_int_eq(swf.max_procs, 100);
    ck_assert_int_eq(swf.max_nodes, 12);
    ck_assert_uint_eq(swf.jobs_n, 1);
    ck_assert_int_eq(swf.jobs[0].id, 7);
    ck_assert_int_eq(swf.jobs[0].submit_s, 5);
    ck_assert_int_eq(swf.jobs[0].run_s, 10);
    ck_assert_int_eq(swf.jobs[0].procs_used, 4);
    ck_assert_int_eq(swf.jobs[0].procs_asked, 8);
    ck_assert_int_eq(swf.jobs[0].request_s, 20);
    ck_assert_int_eq(swf.jobs[0].user, 3);
    ck_assert_int_eq(swf.jobs[0].group, 4);
    ck_assert_int_eq(swf.jobs[0].queue, 2);
    ck_assert_int_eq(swf.jobs[0].partition, 1);
    ck_assert_uint_eq(swf.jobs[0].line, 3);
}
END_TEST

static const size_t pieces[] = { 1, 2, 7, 63, 64, 1000 };

START_TEST(it_does_not_matter_where_the_bytes_are_cut)
{
    AUTO(swf) struct swf swf;
    struct err err = { 0 };

    ck_assert_int_eq(
        read_text("; x\r\n\n" JOB(1) "\t" JOB(2) "3 0 0 1 1 0.5 0 1 1 0 0 0 0 0 0 0 0 0",
                  pieces[_i], &swf, &err),
        0);

    ck_assert_uint_eq(swf.jobs_n, 3);
    ck_assert_int_eq(swf.jobs[2].id, 3);
    ck_assert_uint_eq(swf.jobs[2].line, 5);
}
END_TEST

static const struct {
    const char *text, *error;
} wrong[] = {
    { JOB(1) "2 5 -1 ten 4 -1 -1 8 20 -1 1 3 4 -1 2 1 -1 -1\n",
      "t.swf:2:8: run time: 'ten' is not a whole number from -1 to 3000000000" },
    { "1 5 -1 10\n", "t.swf:1:10: the line ends before the processors (number 5 of 18)" },
    { "1 5 -1 1.5 4 -1 -1 8 20 -1 1 3 4 -1 2 1 -1 -1\n",
      "t.swf:1:8: run time: '1.5' is not a whole number from -1 to 3000000000" },
    { "1 5 -1 10 4 1.x -1 8 20 -1 1 3 4 -1 2 1 -1 -1\n",
      "t.swf:1:13: average CPU time: '1.x' is not a number from -1 to 999999999999999" },
    { "1 5 -1 10 4 -1 -1 8 20 -1 1 3 4 -1 2 1 -1 -1 0\n",
      "t.swf:1:46: more than 18 numbers in a line" },
    { "-1 5 -1 10 4 -1 -1 8 20 -1 1 3 4 -1 2 1 -1 -1\n", "t.swf:1:1: the job number is negative" },
    { "1 5 -1 3000000001 4 -1 -1 8 20 -1 1 3 4 -1 2 1 -1 -1\n",
      "t.swf:1:8: run time: '3000000001' is not a whole number from -1 to 3000000000" },
    { ";\n; MaxProcs: 1,152\n", "t.swf:2:14: the header's number of processors cannot be read" },
};

START_TEST(a_wrong_line_is_named_with_its_column)
{
    AUTO(swf) struct swf swf;
    struct err err = { 0 };

    ck_assert_int_eq(read_text(wrong[_i].text, 1000, &swf, &err), -E_SYNTAX);

    ck_assert_str_eq(err.text, wrong[_i].error);
}
END_TEST

START_TEST(a_line_without_end_is_refused_before_it_fills_the_memory)
{
    AUTO_FREE char *text = xmalloc(SWF_LINE_MAX + 2);
    AUTO(swf) struct swf swf;
    struct err err = { 0 };

    memset(text, ';', SWF_LINE_MAX + 1);
    text[SWF_LINE_MAX + 1] = 0;
    ck_assert_int_eq(read_text(text, 100, &swf, &err), -E_SYNTAX);

    ck_assert_str_eq(err.text, "t.swf:1: a line of more than 4096 characters");
}
END_TEST

CHECK_MAIN(swf, CASE(a_line_gives_a_job_and_the_header_the_machine),
           LOOP_CASE(it_does_not_matter_where_the_bytes_are_cut, ARRAY_N(pieces)),
           LOOP_CASE(a_wrong_line_is_named_with_its_column, ARRAY_N(wrong)),
           CASE(a_line_without_end_is_refused_before_it_fills_the_memory))
