/* Amounts are written as sacct of Slurm 22.05 writes them. */
#include "unit/check_main.h"

#include "cli/sacct/amount.h"
#include "cli/sacct/columns.h"

static struct usage_spread *spread(uint64_t least, uint64_t most)
{
    struct usage_spread *it = xcalloc(1, sizeof(*it));

    *it = (struct usage_spread){ .total = least + most,
                                 .max = most,
                                 .max_node = 1,
                                 .max_task = 3,
                                 .min = least,
                                 .min_task = 2 };
    return it;
}

/* Two tasks, on tux1 and tux2. */
static void fill_step(struct step_record *step, uint32_t tasks)
{
    step_record_init(step);
    for (int i = 1; i <= 2; i++) {
        struct step_node *node = ARRAY_PUSH(step->nodes, step->nodes_n);

        step_node_init(node);
        node->name = xasprintf("tux%d", i);
    }
    step->usage = xcalloc(1, sizeof(*step->usage));
    step_usage_init(step->usage);
    step->usage->tasks = tasks;
    step->usage->user_us = 61250000;
    step->usage->system_us = 750000;
    if (!tasks)
        return;
    step->usage->cpu_us = spread(1900000, 3700 * UINT64_C(1000000));
    step->usage->memory_kb = spread(1024, 3517);
    step->usage->virtual_kb = spread(0, 145376);
    step->usage->pages = spread(0, 12);
    step->usage->read_bytes = spread(2012, 6 << 20);
    step->usage->written_bytes = spread(0, 5500000);
}

static const struct {
    const char *column;
    char unit;
    bool exact;
    const char *text;
} values[] = {
    { "MaxRSS", 0, false, "3517K" },
    { "MaxRSS", 0, true, "3601408" },
    { "MaxRSS", 'M', false, "3.43M" },
    { "MaxRSS", 'M', true, "3.43M" },
    { "MaxRSSNode", 0, false, "tux2" },
    { "MaxRSSTask", 0, false, "3" },
    { "AveRSS", 0, false, "2270K" },
    { "MaxVMSize", 0, false, "145376K" },
    { "MaxPages", 0, false, "12" },
    { "AvePages", 0, false, "6" },
    { "MaxDiskRead", 0, false, "6M" },
    { "MaxDiskWrite", 0, false, "5.25M" },
    { "AveDiskWrite", 0, false, "2.62M" },
    { "MaxDiskWriteNode", 0, false, "tux2" },
    { "AveCPU", 0, false, "00:30:50" },
    { "MinCPU", 0, false, "00:00:01" },
    { "MinCPUNode", 0, false, "tux1" },
    { "MinCPUTask", 0, false, "2" },
    { "TotalCPU", 0, false, "00:01:02" },
    { "UserCPU", 0, false, "01:01.250" },
    { "SystemCPU", 0, false, "00:00.750" },
    { "TRESUsageInMax", 0, false,
      "cpu=01:01:40,energy=0,fs/disk=6M,mem=3517K,pages=12,vmem=145376K" },
    { "TRESUsageInMin", 0, false, "cpu=00:00:01,energy=0,fs/disk=2012,mem=1M,pages=0,vmem=0" },
    { "TRESUsageInMaxNode", 0, false,
      "cpu=tux2,energy=tux1,fs/disk=tux2,mem=tux2,pages=tux2,vmem=tux2" },
    { "TRESUsageInMaxTask", 0, false, "cpu=3,fs/disk=3,mem=3,pages=3,vmem=3" },
    { "TRESUsageOutMax", 0, false, "energy=0,fs/disk=5500000" },
    { "TRESUsageOutTot", 0, true, "energy=0,fs/disk=5500000" },
    { "TRESUsageOutMinTask", 0, false, "fs/disk=2" },
};

static void write_value(const char *column, const struct acct_row *row, char unit, bool exact,
                        struct strbuf *out)
{
    const struct acct_context mine = { .cluster = "lab", .unit = unit };
    const struct report_context ctx = { .exact_units = exact, .user = &mine };

    report_find_name(&acct_table, column)->make(&ctx, row, out);
}

START_TEST(what_a_step_used_is_written_as_in_slurm)
{
    AUTO(step_record) struct step_record step;
    AUTO(strbuf) struct strbuf out = { 0 };

    fill_step(&step, 2);
    const struct acct_row row = { .step = &step };
    write_value(values[_i].column, &row, values[_i].unit, values[_i].exact, &out);

    ck_assert_str_eq(strbuf_text(&out), values[_i].text);
}
END_TEST

START_TEST(a_job_has_the_times_of_its_steps_and_no_peaks)
{
    struct step_record steps[2];
    AUTO(strbuf) struct strbuf total = { 0 };
    AUTO(strbuf) struct strbuf peak = { 0 };

    fill_step(&steps[0], 2);
    fill_step(&steps[1], 2);
    const struct acct_row row = { .steps = steps, .steps_n = 2 };
    write_value("TotalCPU", &row, 0, false, &total);
    write_value("MaxRSS", &row, 0, false, &peak);

    ck_assert_str_eq(strbuf_text(&total), "00:02:04");
    ck_assert_str_eq(strbuf_text(&peak), "");
    step_record_clear(&steps[0]);
    step_record_clear(&steps[1]);
}
END_TEST

/* Its node could tell about processes only. */
START_TEST(a_step_whose_tasks_told_nothing_has_times_only)
{
    AUTO(step_record) struct step_record step;
    AUTO(strbuf) struct strbuf out = { 0 };

    fill_step(&step, 0);
    const struct acct_row row = { .step = &step };
    write_value("MaxRSS", &row, 0, false, &out);
    write_value("TRESUsageInTot", &row, 0, false, &out);
    write_value("UserCPU", &row, 0, false, &out);

    ck_assert_str_eq(strbuf_text(&out), "01:01.250");
}
END_TEST

static const struct {
    double amount;
    char from, unit;
    bool exact;
    const char *text;
} amounts[] = {
    { 0, 'M', 0, false, "0" },          { 0, 'M', 'G', false, "0" },
    { 512, 'M', 0, false, "512M" },     { 1000, 'M', 0, false, "1000M" },
    { 1024, 'M', 0, false, "1G" },      { 1536, 'M', 0, false, "1.50G" },
    { 1536, 'M', 0, true, "1536M" },    { 1536, 'M', 'K', false, "1572864K" },
    { 1000, 'M', 'G', false, "0.98G" }, { 1024 * 1024, 'M', 0, false, "1T" },
    { 1024, 'M', 'P', false, "0.00P" }, { 700, 'B', 0, false, "700" },
    { 1024, 'P', 0, false, "1024P" },
};

START_TEST(amounts_keep_what_they_say_exactly)
{
    const struct amount_manner manner = { amounts[_i].unit, amounts[_i].exact };
    AUTO(strbuf) struct strbuf out = { 0 };

    amount_format(amounts[_i].amount, amounts[_i].from, &manner, &out);

    ck_assert_str_eq(strbuf_text(&out), amounts[_i].text);
}
END_TEST

CHECK_MAIN(usage, LOOP_CASE(what_a_step_used_is_written_as_in_slurm, ARRAY_N(values)),
           CASE(a_job_has_the_times_of_its_steps_and_no_peaks),
           CASE(a_step_whose_tasks_told_nothing_has_times_only),
           LOOP_CASE(amounts_keep_what_they_say_exactly, ARRAY_N(amounts)))
