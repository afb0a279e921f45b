#include "unit/check_main.h"

#include <string.h>

#include "noded/mpi/task_map.h"

/* "0011": tasks 0 and 1 on node 0, 2 and 3 on node 1. */
static void make_body(struct launch_body *body, const char *nodes)
{
    launch_body_init(body);
    body->ntasks = (uint32_t)strlen(nodes);
    for (uint32_t i = 0; i < 3; i++) {
        struct step_node *node = ARRAY_PUSH(body->nodes, body->nodes_n);

        step_node_init(node);
        node->name = xasprintf("n%u", i);
        for (uint32_t task = 0; task < body->ntasks; task++) {
            if (nodes[task] == (char)('0' + i))
                *ARRAY_PUSH(node->tasks, node->tasks_n) = task;
        }
    }
}

static const struct {
    const char *nodes, *text;
} maps[] = {
    { "0", "(vector,(0,1,1))" },
    { "000111222", "(vector,(0,3,3))" },
    { "012", "(vector,(0,3,1))" },
    { "012012", "(vector,(0,3,1))" },
    { "00112", "(vector,(0,2,2),(2,1,1))" },
    { "0211", "(vector,(0,1,1),(2,1,1),(1,1,2))" },
    { "00110011", "(vector,(0,2,2))" },
};

START_TEST(blocks_tell_where_tasks_are)
{
    AUTO(launch_body) struct launch_body body;

    make_body(&body, maps[_i].nodes);
    AUTO_FREE char *text = task_map_format(&body, 1000);

    ck_assert_str_eq(text, maps[_i].text);
}
END_TEST

START_TEST(a_map_that_is_too_long_is_left_out)
{
    AUTO(launch_body) struct launch_body body;

    make_body(&body, "0211");
    ck_assert_ptr_null(task_map_format(&body, 20));
}
END_TEST

CHECK_MAIN(task_map, LOOP_CASE(blocks_tell_where_tasks_are, ARRAY_N(maps)),
           CASE(a_map_that_is_too_long_is_left_out))
