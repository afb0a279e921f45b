/* Nodes that gather bytes, with letters that arrive in any order between different pairs. */
#include "unit/check_main.h"

#include <string.h>

#include "common/base/alloc.h"
#include "noded/mpi/gather.h"

#define NODES 4

struct letter {
    uint32_t from, to;
    struct strbuf bytes;
};

struct world {
    struct site {
        struct world *world;
        uint32_t number;
        struct gather *gather;
        struct strbuf heard;
        uint32_t done_n;
    } sites[NODES];
    struct letter *letters;
    uint32_t letters_n;
};

static void on_send(void *ctx, const uint32_t *nodes, uint32_t nodes_n, const struct strbuf *bytes)
{
    struct site *site = ctx;

    for (uint32_t i = 0; i < nodes_n; i++) {
        struct letter *letter = ARRAY_PUSH(site->world->letters, site->world->letters_n);

        *letter = (struct letter){ .from = site->number, .to = nodes[i] };
        strbuf_add(&letter->bytes, bytes->data, bytes->len);
    }
}

static void on_done(void *arg, const void *bytes, size_t n)
{
    struct site *site = arg;

    site->done_n++;
    strbuf_add(&site->heard, bytes, n);
}

static struct world *world_new(void)
{
    struct world *world = xcalloc(1, sizeof(*world));

    for (uint32_t i = 0; i < NODES; i++) {
        world->sites[i] = (struct site){ .world = world, .number = i };
        world->sites[i].gather = gather_new(i, NODES, on_send, &world->sites[i]);
    }
    return world;
}

static void world_free(struct world *world)
{
    for (uint32_t i = 0; i < NODES; i++) {
        gather_free(world->sites[i].gather);
        strbuf_clear(&world->sites[i].heard);
    }
    for (uint32_t i = 0; i < world->letters_n; i++)
        strbuf_clear(&world->letters[i].bytes);
    free(world->letters);
    free(world);
}

static void deliver_all(struct world *world)
{
    struct err err = { 0 };

    for (uint32_t i = 0; i < world->letters_n; i++) { /* more may come on the way */
        const struct letter letter = world->letters[i];
        int rc = gather_receive(world->sites[letter.to].gather, letter.from, letter.bytes.data,
                                letter.bytes.len, &err);

        ck_assert_msg(rc == 0, "%s", err.text);
        strbuf_clear(&world->letters[i].bytes);
    }
    world->letters_n = 0;
}

static void enter(struct world *world, uint32_t node, const char *name, const uint32_t *members,
                  uint32_t n, const char *bytes)
{
    ck_assert_int_eq(gather_enter(world->sites[node].gather, name, members, n, bytes, strlen(bytes),
                                  on_done, &world->sites[node], NULL),
                     0);
}

static const uint32_t all[NODES] = { 0, 1, 2, 3 };

START_TEST(all_hear_what_all_said_in_the_members_order)
{
    static const char *const said[NODES] = { "a", "bb", "", "d" };
    struct world *world = world_new();

    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = NODES; i-- > 0;) {
            enter(world, i, "x", all, NODES, said[i]);
            deliver_all(world);
            ck_assert_uint_eq(world->sites[3].done_n, round + (i == 0));
        }
    }

    for (uint32_t i = 0; i < NODES; i++)
        ck_assert_str_eq(strbuf_text(&world->sites[i].heard), "abbdabbd");
    world_free(world);
}
END_TEST

START_TEST(some_gather_while_others_do)
{
    static const uint32_t odd[] = { 1, 3 }, even[] = { 0, 2 };
    struct world *world = world_new();

    enter(world, 3, "x", odd, 2, "3");
    enter(world, 0, "x", even, 2, "0");
    enter(world, 2, "x", even, 2, "2");
    enter(world, 1, "x", odd, 2, "1");
    deliver_all(world);

    ck_assert_str_eq(strbuf_text(&world->sites[0].heard), "02");
    ck_assert_str_eq(strbuf_text(&world->sites[2].heard), "02");
    ck_assert_str_eq(strbuf_text(&world->sites[1].heard), "13");
    ck_assert_str_eq(strbuf_text(&world->sites[3].heard), "13");
    world_free(world);
}
END_TEST

START_TEST(much_goes_in_pieces)
{
    static const uint32_t two[] = { 0, 1 };
    const size_t n = 700000;
    AUTO_FREE char *many = xcalloc(n + 1, 1);
    struct world *world = world_new();

    memset(many, 'm', n);
    enter(world, 0, "x", two, 2, "-");
    enter(world, 1, "x", two, 2, many);
    ck_assert_uint_eq(world->letters_n, 3);
    deliver_all(world);

    ck_assert_uint_eq(world->sites[1].heard.len, n + 1);
    ck_assert_int_eq(world->sites[1].heard.data[0], '-');
    world_free(world);
}
END_TEST

START_TEST(a_node_alone_is_done_at_once)
{
    static const uint32_t one[] = { 2 };
    struct world *world = world_new();

    enter(world, 2, "x", one, 1, "z");

    ck_assert_str_eq(strbuf_text(&world->sites[2].heard), "z");
    ck_assert_uint_eq(world->letters_n, 0);
    world_free(world);
}
END_TEST

START_TEST(what_no_node_of_ours_sends_is_refused)
{
    static const uint32_t others[] = { 1, 3 }, unsorted[] = { 3, 0 }, none[] = { 0, 9 };
    struct world *world = world_new();
    struct gather *gather = world->sites[0].gather;

    ck_assert_int_lt(gather_receive(gather, 1, "garbage", 7, NULL), 0);
    ck_assert_int_lt(gather_enter(gather, "x", others, 2, "", 0, on_done, NULL, NULL), 0);
    ck_assert_int_lt(gather_enter(gather, "x", unsorted, 2, "", 0, on_done, NULL, NULL), 0);
    ck_assert_int_lt(gather_enter(gather, "x", none, 2, "", 0, on_done, NULL, NULL), 0);
    enter(world, 0, "x", all, NODES, "a");
    ck_assert_int_lt(gather_enter(gather, "x", all, NODES, "", 0, on_done, NULL, NULL), 0);
    world_free(world);
}
END_TEST

CHECK_MAIN(gather, CASE(all_hear_what_all_said_in_the_members_order),
           CASE(some_gather_while_others_do), CASE(much_goes_in_pieces),
           CASE(a_node_alone_is_done_at_once), CASE(what_no_node_of_ours_sends_is_refused))
