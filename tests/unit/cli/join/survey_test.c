#include "unit/check_main.h"

#include "cli/join/survey.h"

#define GOOD                                                                                       \
    "NodeName=w CPUs=8 Boards=2 SocketsPerBoard=2 CoresPerSocket=2 ThreadsPerCore=1 "              \
    "RealMemory=2000\n"

START_TEST(the_line_of_slurmd_is_understood)
{
    AUTO(node_hardware) struct node_hardware hardware;

    ck_assert_int_eq(survey_parse(GOOD "UpTime=0-00:00:01\n", &hardware, NULL), 0);

    ck_assert_uint_eq(hardware.cpus, 8);
    ck_assert_uint_eq(hardware.sockets, 4);
    ck_assert_uint_eq(hardware.memory_mb, 2000);
}
END_TEST

static const char *const bad[] = {
    "",
    "Permission denied\n",
    "\n" GOOD,
    "NodeName=w CPUs=8\n",
    "NodeName=w CPUs=0 Boards=1 SocketsPerBoard=1 CoresPerSocket=1 ThreadsPerCore=1 RealMemory=1\n",
    ("NodeName=w CPUs=1 Boards=60000 SocketsPerBoard=60000 CoresPerSocket=1 ThreadsPerCore=1 "
     "RealMemory=1\n"),
    "NodeName=w CPUs=\"8 Boards=1\n",
};

START_TEST(anything_else_is_no_answer)
{
    AUTO(node_hardware) struct node_hardware hardware;

    ck_assert_int_lt(survey_parse(bad[_i], &hardware, NULL), 0);
}
END_TEST

CHECK_MAIN(cli_join_survey, CASE(the_line_of_slurmd_is_understood),
           LOOP_CASE(anything_else_is_no_answer, sizeof(bad) / sizeof(bad[0])))
