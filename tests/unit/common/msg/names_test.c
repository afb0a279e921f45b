/* How jobs and the tasks of arrays are named; lengths as Slurm 22.05 cuts them. */
#include "unit/check_main.h"

#include "common/msg/job.h"

static const struct {
    uint32_t room;
    const char *text;
} cut[] = {
    { 0, "7_[1,4,9,16-20%3]" }, { 1, "7_[%3]" },
    { 3, "7_[..%3]" },          { 4, "7_[...%3]" },
    { 5, "7_[1...%3]" },        { 10, "7_[1,4,9,...%3]" },
    { 11, "7_[1,4,9,1...%3]" }, { 12, "7_[1,4,9,16-20%3]" },
};

START_TEST(tasks_of_an_array_are_cut_to_the_room_that_there_is)
{
    const struct job_record job = { .id = 9,
                                    .array_job_id = 7,
                                    .array_task = COUNT_UNSET,
                                    .array_tasks = (char[]){ "1,4,9,16-20" },
                                    .array_limit = 3 };
    AUTO(strbuf) struct strbuf name = { 0 };

    job_name_format(&job, cut[_i].room, &name);

    ck_assert_str_eq(strbuf_text(&name), cut[_i].text);
}
END_TEST

CHECK_MAIN(names, LOOP_CASE(tasks_of_an_array_are_cut_to_the_room_that_there_is, ARRAY_N(cut)))
