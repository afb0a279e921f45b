#include "unit/check_main.h"

#include "noded/stepd/program.h"

static void add(struct launch_body *body, uint32_t first, uint32_t last, bool others)
{
    struct step_program *program = ARRAY_PUSH(body->programs, body->programs_n);

    step_program_init(program);
    program->others = others;
    for (uint32_t task = first; task <= last; task++)
        *ARRAY_PUSH(program->tasks, program->tasks_n) = task;
    *ARRAY_PUSH(program->argv, program->argv_n) = xstrdup("echo");
    *ARRAY_PUSH(program->argv, program->argv_n) = xstrdup("%t:%o 5%%%");
}

static const struct {
    uint32_t task;
    const char *words; /* NULL: no program */
} rows[] = {
    { 2, "2:0 5%%" },
    { 3, "3:1 5%%" },
    { 5, "5:5 5%%" },
    { 6, NULL },
};

START_TEST(a_task_finds_its_number_and_place_in_its_arguments)
{
    AUTO(launch_body) struct launch_body body;
    char **argv;

    launch_body_init(&body);
    add(&body, 2, 3, false);
    add(&body, 4, 5, true);
    argv = program_argv(&body, rows[_i].task);

    ck_assert(!argv == !rows[_i].words);
    if (argv) {
        ck_assert_str_eq(argv[0], "echo");
        ck_assert_str_eq(argv[1], rows[_i].words);
        ck_assert_ptr_null(argv[2]);
    }
    program_free(argv);
}
END_TEST

CHECK_MAIN(program, LOOP_CASE(a_task_finds_its_number_and_place_in_its_arguments, ARRAY_N(rows)))
