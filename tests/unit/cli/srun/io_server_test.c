/* srun's streams against the code that the nodes run, over real sessions. */
#include "unit/cli/srun/io_rig.h"

#include <errno.h>

/* What a task prints, and what came of all tasks at srun's stdout. */
struct flow {
    struct io_rig *rig;
    uint64_t
        to_print[RIG_NODES_MAX]; /* bytes that the first task of each node has still to print */
    uint64_t at[RIG_NODES_MAX];
    uint64_t printed, read;
    uint64_t wrong;        /* bytes that came out of order */
    uint64_t read_at[256]; /* by the byte's upper half: the node */
};

/* Byte `at` of node's output: tells the node and its place, so that order can be checked. */
static uint8_t byte_of(uint32_t node, uint64_t at)
{
    return (uint8_t)(node << 6 | (at % 61));
}

static void print_some(struct flow *flow, uint32_t node)
{
    uint8_t bytes[32768];
    size_t n = flow->to_print[node] < sizeof(bytes) ? flow->to_print[node] : sizeof(bytes);
    int fd = flow->rig->nodes[node].out[0];
    ssize_t written;

    for (size_t i = 0; i < n; i++)
        bytes[i] = byte_of(node, flow->at[node] + i);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    written = write(fd, bytes, n);
    if (written <= 0)
        return;
    flow->at[node] += (uint64_t)written;
    flow->to_print[node] -= (uint64_t)written;
    flow->printed += (uint64_t)written;
}

static void read_some(struct flow *flow, size_t most)
{
    uint8_t bytes[65536];
    ssize_t n;

    fcntl(flow->rig->sink[0], F_SETFL, O_NONBLOCK);
    n = read(flow->rig->sink[0], bytes, most < sizeof(bytes) ? most : sizeof(bytes));
    for (ssize_t i = 0; i < n; i++) {
        uint32_t node = bytes[i] >> 6;

        flow->wrong += bytes[i] != byte_of(node, flow->read_at[node]);
        flow->read_at[node]++;
    }
    if (n > 0)
        flow->read += (uint64_t)n;
}

static void turn_a_little(struct io_rig *rig)
{
    event_base_loop(rig->base, EVLOOP_NONBLOCK);
}

START_TEST(output_arrives_whole_and_in_order_over_cut_connections)
{
    struct io_rig rig;
    struct flow flow = { .rig = &rig, .to_print = { 3000000, 2000000, 0 } };
    uint64_t cut_at[] = { 100000, 1500000, 3700000 };
    size_t cuts = 0;

    io_rig_open(&rig, 3, 1);
    io_rig_start(&rig, false, COUNT_INFINITE);
    while (flow.read < 5000000) {
        for (uint32_t i = 0; i < 3; i++)
            print_some(&flow, i);
        turn_a_little(&rig);
        read_some(&flow, 65536);
        if (cuts < ARRAY_N(cut_at) && flow.read > cut_at[cuts] && io_rig_cut(&rig) > 0)
            cuts++;
    }

    ck_assert_uint_eq(cuts, ARRAY_N(cut_at));
    for (uint32_t i = 0; i < 3; i++)
        io_rig_end_node(&rig.nodes[i], 3 << 8);
    while (io_server_done(rig.server) < 3)
        io_rig_turn(&rig);
    ck_assert_uint_eq(flow.wrong, 0);
    ck_assert_uint_eq(flow.read_at[0], 3000000);
    ck_assert_uint_eq(flow.read_at[1], 2000000);
    ck_assert_uint_ge(rig.exited_n, 3);
    ck_assert_int_eq(rig.last_status, 3 << 8);
    io_rig_close(&rig);
}
END_TEST

START_TEST(a_reader_that_does_not_read_stops_the_tasks)
{
    struct io_rig rig;
    struct flow flow = { .rig = &rig, .to_print = { 100000000 } };
    uint64_t before;

    io_rig_open(&rig, 1, 1);
    io_rig_start(&rig, false, COUNT_INFINITE);
    do { /* until nothing moves for a while */
        before = flow.printed;
        for (int i = 0; i < 200; i++) {
            print_some(&flow, 0);
            turn_a_little(&rig);
            if (i % 20 == 0)
                usleep(1000);
        }
    } while (flow.printed == 0 || flow.printed != before);

    ck_assert_uint_lt(flow.printed, 4u << 20);
    ck_assert_uint_le(output_backlog(rig.output), 2u << 20);
    flow.to_print[0] = 0;
    while (flow.read < flow.printed) {
        turn_a_little(&rig);
        read_some(&flow, 65536);
    }
    io_rig_close(&rig);
}
END_TEST

START_TEST(labelled_output_comes_line_by_line)
{
    struct io_rig rig;
    AUTO(strbuf) struct strbuf got = { 0 };

    io_rig_open(&rig, 1, 2);
    io_rig_start(&rig, true, COUNT_INFINITE);
    ck_assert_int_eq(write(rig.nodes[0].out[0], "one\ntw", 6), 6);
    while (rig.started_n < 2)
        io_rig_turn(&rig);
    ck_assert_int_eq(write(rig.nodes[0].out[0], "o\nend", 5), 5);
    io_rig_end_node(&rig.nodes[0], 0);
    while (io_server_done(rig.server) < 1)
        io_rig_turn(&rig);
    output_finish(rig.output);
    while (!rig.drained)
        io_rig_turn(&rig);
    strbuf_grown(&got, (size_t)read(rig.sink[0], strbuf_reserve(&got, 4096), 4096));

    ck_assert_str_eq(strbuf_text(&got), "0: one\n0: two\n0: end\n");
    io_rig_close(&rig);
}
END_TEST

static void read_input(struct io_rig *rig, uint32_t node, uint32_t task, struct strbuf *got,
                       bool *ret_end)
{
    ssize_t n = read(rig->nodes[node].in[task], strbuf_reserve(got, 65536), 65536);

    if (n > 0)
        strbuf_grown(got, (size_t)n);
    *ret_end = *ret_end || n == 0;
}

START_TEST(input_goes_to_every_task_over_cut_connections)
{
    struct io_rig rig;
    struct strbuf got[2][2] = { 0 };
    bool ended[2][2] = { 0 };
    size_t sent = 0, total = 3000000;
    bool cut = false;

    io_rig_open(&rig, 2, 2);
    io_rig_start(&rig, false, COUNT_UNSET);
    fcntl(rig.source[1], F_SETFL, O_NONBLOCK);
    while (!ended[0][0] || !ended[0][1] || !ended[1][0] || !ended[1][1]) {
        uint8_t bytes[8192];
        size_t n = total - sent < sizeof(bytes) ? total - sent : sizeof(bytes);

        for (size_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)((sent + i) % 251);
        ssize_t written = n > 0 ? write(rig.source[1], bytes, n) : 0;
        if (written > 0)
            sent += (size_t)written;
        if (sent == total && rig.source[1] >= 0) {
            close(rig.source[1]);
            rig.source[1] = -1;
        }
        turn_a_little(&rig);
        for (uint32_t i = 0; i < 4; i++)
            read_input(&rig, i / 2, i % 2, &got[i / 2][i % 2], &ended[i / 2][i % 2]);
        if (!cut && got[1][1].len > 1000000)
            cut = io_rig_cut(&rig) > 0;
    }

    ck_assert(cut);
    for (uint32_t i = 0; i < 4; i++) {
        struct strbuf *it = &got[i / 2][i % 2];

        ck_assert_uint_eq(it->len, total);
        for (size_t k = 0; k < total; k += 977)
            ck_assert_uint_eq((uint8_t)it->data[k], k % 251);
        strbuf_clear(it);
    }
    io_rig_close(&rig);
}
END_TEST

START_TEST(input_for_one_task_reaches_no_other)
{
    struct io_rig rig;
    struct strbuf got = { 0 };
    bool ended = false;

    io_rig_open(&rig, 2, 2);
    io_rig_start(&rig, false, 3);
    ck_assert_int_eq(write(rig.source[1], "abc", 3), 3);
    close(rig.source[1]);
    rig.source[1] = -1;
    while (!ended) {
        io_rig_turn(&rig);
        read_input(&rig, 1, 1, &got, &ended);
    }

    ck_assert_str_eq(strbuf_text(&got), "abc");
    ck_assert_int_eq(read(rig.nodes[1].in[0], strbuf_reserve(&got, 8), 8), -1);
    ck_assert_int_eq(read(rig.nodes[0].in[0], strbuf_reserve(&got, 8), 8), -1);
    strbuf_clear(&got);
    io_rig_close(&rig);
}
END_TEST

START_TEST(signals_and_windows_reach_nodes_that_come_later)
{
    struct io_rig rig;

    io_rig_open(&rig, 2, 1);
    io_rig_start(&rig, false, COUNT_INFINITE);
    io_server_signal(rig.server, SIGUSR1);
    io_server_set_window(rig.server, 25, 80);
    while (rig.nodes[0].last_signal != SIGUSR1 || rig.nodes[1].last_signal != SIGUSR1)
        io_rig_turn(&rig);
    io_server_signal(rig.server, SIGUSR2);
    while (rig.nodes[0].last_signal != SIGUSR2 || rig.nodes[1].last_signal != SIGUSR2)
        io_rig_turn(&rig);

    ck_assert_uint_eq(rig.nodes[0].rows, 25);
    io_rig_close(&rig);
}
END_TEST

/* Each node tells the two others one number more. */
static void relay_next(struct io_rig *rig, uint32_t number)
{
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t others[] = { (i + 1) % 3, (i + 2) % 3 };
        AUTO(strbuf) struct strbuf bytes = { 0 };

        strbuf_add(&bytes, &number, sizeof(number));
        srun_link_relay(rig->nodes[i].link, others, ARRAY_N(others), &bytes);
    }
}

static uint32_t heard_in_all(const struct io_rig *rig)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 3; k++)
            n += rig->nodes[i].heard[k];
    return n;
}

START_TEST(nodes_hear_each_other_once_and_in_order_over_cut_connections)
{
    const uint32_t numbers = 300;
    uint32_t cut_at[] = { 10, 600, 1200 };
    struct io_rig rig;
    size_t cuts = 0;

    io_rig_open(&rig, 3, 1);
    io_rig_start(&rig, false, COUNT_INFINITE);
    for (uint32_t sent = 0; heard_in_all(&rig) < 6 * numbers;) {
        if (sent < numbers && 6 * sent < heard_in_all(&rig) + 240)
            relay_next(&rig, sent++);
        turn_a_little(&rig);
        if (cuts < ARRAY_N(cut_at) && heard_in_all(&rig) > cut_at[cuts] && io_rig_cut(&rig) > 0)
            cuts++;
    }

    ck_assert_uint_eq(cuts, ARRAY_N(cut_at));
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_uint_eq(rig.nodes[i].heard[(i + 1) % 3], numbers);
    io_rig_close(&rig);
}
END_TEST

START_TEST(a_task_that_aborts_is_heard_of)
{
    struct io_rig rig;

    io_rig_open(&rig, 1, 1);
    io_rig_start(&rig, false, COUNT_INFINITE);
    while (rig.started_n == 0)
        io_rig_turn(&rig);
    srun_link_abort(rig.nodes[0].link, "task 0 called abort");
    while (!rig.aborted[0])
        io_rig_turn(&rig);

    ck_assert_str_eq(rig.aborted, "task 0 called abort");
    io_rig_close(&rig);
}
END_TEST

START_TEST(who_does_not_know_the_token_gets_nothing)
{
    struct io_rig rig;

    io_rig_open(&rig, 1, 1);
    rig.body.io_token.data[5] ^= 1;
    io_rig_start(&rig, false, COUNT_INFINITE);
    while (rig.refused_n == 0)
        io_rig_turn(&rig);

    ck_assert_uint_eq(io_server_open(rig.server), 0);
    ck_assert_uint_eq(rig.started_n, 0);
    io_rig_close(&rig);
}
END_TEST

START_TEST(a_node_that_has_failed_is_not_awaited_nor_let_in_again)
{
    struct io_rig rig;

    io_rig_open(&rig, 2, 1);
    io_rig_start(&rig, false, COUNT_INFINITE);
    while (rig.started_n < 2)
        io_rig_turn(&rig);
    io_server_give_up(rig.server, 1);
    ck_assert_uint_eq(io_server_open(rig.server), 1);
    while (rig.refused_n == 0) /* its link tries again */
        io_rig_turn(&rig);

    ck_assert_uint_eq(io_server_open(rig.server), 1);
    io_rig_close(&rig);
}
END_TEST

START_TEST(output_that_nobody_reads_any_more_is_let_go)
{
    struct io_rig rig;
    struct flow flow = { .rig = &rig, .to_print = { 3000000 } };

    signal(SIGPIPE, SIG_IGN);
    io_rig_open(&rig, 1, 1);
    close(rig.sink[0]);
    rig.sink[0] = -1;
    io_rig_start(&rig, false, COUNT_INFINITE);
    while (flow.to_print[0] > 0) {
        print_some(&flow, 0);
        turn_a_little(&rig);
    }
    io_rig_end_node(&rig.nodes[0], 0);
    while (io_server_done(rig.server) < 1)
        io_rig_turn(&rig);

    ck_assert_int_eq(rig.broken.code, EPIPE);
    io_rig_close(&rig);
}
END_TEST

static void add_local(struct io_rig *rig, const char *name)
{
    *ARRAY_PUSH(rig->body.io_addresses, rig->body.io_addresses_n) =
        xasprintf(STEP_IO_LOCAL "%s", name);
}

/* No proof is asked for, and none could be made. */
START_TEST(a_node_on_this_host_comes_without_credentials)
{
    struct io_rig rig;

    io_rig_open(&rig, 2, 1);
    add_local(&rig, io_server_local_name(rig.server));
    io_rig_stop_authd(&rig);
    io_rig_start(&rig, false, COUNT_INFINITE);
    while (io_server_open(rig.server) < 2)
        io_rig_turn(&rig);
    for (uint32_t i = 0; i < 2; i++)
        io_rig_end_node(&rig.nodes[i], 0);
    while (io_server_done(rig.server) < 2)
        io_rig_turn(&rig);

    ck_assert_uint_eq(rig.refused_n, 0);
    io_rig_close(&rig);
}
END_TEST

START_TEST(a_node_on_another_host_comes_through_the_port)
{
    struct io_rig rig;

    io_rig_open(&rig, 1, 1);
    add_local(&rig, "sluice-srun-of-another-host");
    io_rig_start(&rig, false, COUNT_INFINITE);
    while (io_server_open(rig.server) < 1)
        io_rig_turn(&rig);
    io_rig_end_node(&rig.nodes[0], 0);
    while (io_server_done(rig.server) < 1)
        io_rig_turn(&rig);
    io_rig_close(&rig);
}
END_TEST

/* Who took the name of another srun of the same user is refused there, and has the port left. */
START_TEST(a_node_that_met_another_srun_comes_through_the_port)
{
    struct io_rig rig, other;

    io_rig_open(&rig, 1, 1);
    io_rig_open(&other, 1, 1);
    io_rig_start(&other, false, COUNT_INFINITE);
    add_local(&rig, io_server_local_name(other.server));
    io_rig_start(&rig, false, COUNT_INFINITE);
    while (io_server_open(rig.server) < 1) {
        turn_a_little(&other);
        turn_a_little(&rig);
    }

    ck_assert_uint_eq(other.refused_n, 1);
    io_rig_close(&other);
    io_rig_end_node(&rig.nodes[0], 0);
    while (io_server_done(rig.server) < 1)
        io_rig_turn(&rig);
    io_rig_close(&rig);
}
END_TEST

CHECK_MAIN(io_server, CASE(output_arrives_whole_and_in_order_over_cut_connections),
           CASE(a_reader_that_does_not_read_stops_the_tasks),
           CASE(labelled_output_comes_line_by_line),
           CASE(input_goes_to_every_task_over_cut_connections),
           CASE(input_for_one_task_reaches_no_other),
           CASE(signals_and_windows_reach_nodes_that_come_later),
           CASE(nodes_hear_each_other_once_and_in_order_over_cut_connections),
           CASE(a_task_that_aborts_is_heard_of), CASE(who_does_not_know_the_token_gets_nothing),
           CASE(a_node_that_has_failed_is_not_awaited_nor_let_in_again),
           CASE(output_that_nobody_reads_any_more_is_let_go),
           CASE(a_node_on_this_host_comes_without_credentials),
           CASE(a_node_on_another_host_comes_through_the_port),
           CASE(a_node_that_met_another_srun_comes_through_the_port))
