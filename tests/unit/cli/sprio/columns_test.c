/* What a Slurm 22.05 printed for the same job and weights; names of account and QOS came later. */
#include "unit/check_main.h"

#include "cli/sprio/columns.h"
#include "common/report/format.h"

static struct priority_part tres[] = { { "cpu", 250000000, 250000000000 },
                                       { "mem", 1000000000, 2000000000000 } };
static char root[] = "root", part[] = "main", account[] = "physics";

static const struct priority_info job = {
    .job_id = 2,
    .user = root,
    .partition = part,
    .account = account,
    .priority = 6498,
    .nice = 2,
    .job_size = UINT64_C(1250000000000),
    .job_size_raw = 625000000,
    .in_partition = UINT64_C(3000000000000),
    .in_partition_raw = 1000000000,
    .tres = tres,
    .tres_n = 2,
};
static const struct priority_info set = {
    .job_id = 6, .user = root, .partition = part, .priority = 77, .is_set = true
};

static const struct {
    struct prio_shape shape;
    const struct priority_info *job; /* NULL: the weights */
    const char *lines;
} cases_of[] = {
    { { false, false, false },
      &job,
      "          JOBID PARTITION   PRIORITY       SITE        AGE    JOBSIZE  PARTITION"
      "                 TRES\n"
      "              2 main            6498          0          0       1250       3000"
      "     cpu=250,mem=2000\n" },
    { { false, true, false },
      &job,
      "          JOBID PARTITION     USER   PRIORITY       SITE        AGE      ASSOC"
      "  FAIRSHARE    JOBSIZE  PARTITION        QOS        NICE                 TRES\n"
      "              2 main          root       6498          0          0          0"
      "          0       1250       3000          0           2     "
      "cpu=250,mem=2000\n" },
    { { false, true, false },
      NULL,
      "          JOBID PARTITION     USER   PRIORITY       SITE        AGE      ASSOC"
      "  FAIRSHARE    JOBSIZE  PARTITION        QOS        NICE                 TRES\n"
      "        Weights                                        1       1000          0"
      "          0       2000       3000          0                "
      "CPU=1000,Mem=2000\n" },
    { { true, false, false },
      &job,
      "          JOBID PARTITION PRIORITY   AGE        JOBSIZE    PARTITION  TRES                \n"
      "              2 main      0.00000151 0.0000000  0.6250000  1.0000000  cpu=0.25,mem=1.00   "
      "\n" },
    { { true, false, false },
      &set,
      "          JOBID PARTITION PRIORITY   AGE        JOBSIZE    PARTITION  TRES                \n"
      "              6 main      77.0000000 0.0000000  0.0000000  0.0000000                      "
      "\n" },
    { { false, false, true },
      NULL,
      "          JOBID PARTITION     USER   PRIORITY       SITE        AGE    JOBSIZE  PARTITION"
      "                 TRES\n"
      "        Weights                                        1       1000       2000       3000"
      "    CPU=1000,Mem=2000\n" },
    { { true, false, false },
      NULL,
      "          JOBID PARTITION PRIORITY   AGE        JOBSIZE    PARTITION  TRES                \n"
      "        Weights                      1000       2000       3000                           "
      "\n" },
};

START_TEST(lines_are_those_of_slurm)
{
    static char weights[] = "CPU=1000,Mem=2000";
    const struct slurm_conf conf = { .priority_weight_age = 1000,
                                     .priority_weight_job_size = 2000,
                                     .priority_weight_partition = 3000,
                                     .priority_weight_tres = weights };
    const struct prio_row row = { cases_of[_i].job, &conf };
    const struct report_context ctx = { 0 };
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };

    prio_default_format(&conf, &cases_of[_i].shape, &text);
    report_format_init(&format, &prio_table);
    ck_assert_int_eq(report_format_parse_letters(&format, strbuf_text(&text), NULL), 0);
    report_header(&format, &out);
    report_line(&format, &ctx, &row, &out);

    ck_assert_str_eq(strbuf_text(&out), cases_of[_i].lines);
}
END_TEST

static const struct {
    const char *format, *line;
} chosen[] = {
    { "%i_%y|%c|%N", "2_0.00000151293352|(null)|2\n" }, /* without a width: all its digits */
    { "%i_%o_%n", "2_physics_(null)\n" },               /* in no form unasked */
};

START_TEST(columns_are_those_that_are_asked_for)
{
    const struct slurm_conf conf = { 0 };
    const struct prio_row row = { &job, &conf };
    const struct report_context ctx = { 0 };
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };

    report_format_init(&format, &prio_table);
    ck_assert_int_eq(report_format_parse_letters(&format, chosen[_i].format, NULL), 0);
    report_line(&format, &ctx, &row, &out);

    ck_assert_str_eq(strbuf_text(&out), chosen[_i].line);
}
END_TEST

CHECK_MAIN(prio_columns, LOOP_CASE(lines_are_those_of_slurm, ARRAY_N(cases_of)),
           LOOP_CASE(columns_are_those_that_are_asked_for, ARRAY_N(chosen)))
