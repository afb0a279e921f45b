#include "unit/check_main.h"

#include <string.h>

#include "cli/join/conf.h"
#include "common/conf/slurm_conf.h"

#define BIG   "CPUs=8 State=UNKNOWN"
#define SMALL "CPUs=2 State=UNKNOWN"

static char *text;

static void begin(const char *hosts)
{
    AUTO(hostlist) struct hostlist *list = NULL;
    AUTO(strbuf) struct strbuf out = { 0 };

    ck_assert_int_eq(hostlist_parse(hosts, &list, NULL), 0);
    strbuf_adds(&out, "ClusterName=c\n");
    nodes_begin(list, &out);
    strbuf_adds(&out, "PartitionName=p Nodes=ALL\n");
    text = strbuf_steal(&out);
}

static void update(const char *host, const char *description)
{
    char *changed = NULL;

    ck_assert_int_eq(nodes_update(text, host, description, &changed, NULL), 0);
    free(text);
    text = changed;
}

/* The NodeName lines, one after the other. */
static char *lines(void)
{
    static char found[4096];
    char *copy = xstrdup(text);

    found[0] = '\0';
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "NodeName=", 9) == 0)
            strcat(strcat(found, line + 9), "\n");
    }
    free(copy);
    return found;
}

static void after(void)
{
    free(text);
    text = NULL;
}

START_TEST(hosts_begin_assumed_in_one_line)
{
    begin("w-[1-3]");

    ck_assert_str_eq(lines(), "w-[1-3] " NODES_ASSUMED "\n");
}
END_TEST

START_TEST(a_host_that_is_known_leaves_the_assumed)
{
    begin("w-[1-3]");

    update("w-2", BIG);

    ck_assert_str_eq(lines(), "w-[1,3] " NODES_ASSUMED "\nw-2 " BIG "\n");
}
END_TEST

START_TEST(hosts_that_are_alike_share_a_line)
{
    begin("w-[1-4]");

    update("w-2", BIG);
    update("w-3", SMALL);
    update("w-1", BIG);
    update("w-4", BIG);

    ck_assert_str_eq(lines(), "w-[1-2,4] " BIG "\nw-3 " SMALL "\n");
}
END_TEST

START_TEST(a_host_that_changed_moves)
{
    begin("w-[1-2]");
    update("w-1", BIG);
    update("w-2", BIG);

    update("w-1", SMALL);

    ck_assert_str_eq(lines(), "w-2 " BIG "\nw-1 " SMALL "\n");
}
END_TEST

START_TEST(a_host_that_nobody_named_is_added)
{
    begin("w-1");

    update("x", BIG);

    ck_assert_str_eq(lines(), "w-1 " NODES_ASSUMED "\nx " BIG "\n");
}
END_TEST

START_TEST(the_same_again_changes_nothing)
{
    AUTO_FREE char *before = NULL;

    begin("w-[1-2]");
    update("w-1", BIG);
    before = xstrdup(text);

    update("w-1", BIG);

    ck_assert_str_eq(text, before);
}
END_TEST

START_TEST(what_is_not_between_the_marks_stays)
{
    AUTO(strbuf) struct strbuf whole = { 0 };

    begin("w-1");
    strbuf_addf(&whole, "# mine\nNodeName=w-1 CPUs=3\n%sNodeName=z CPUs=4\n", text);
    free(text);
    text = strbuf_steal(&whole);

    update("z", BIG);

    ck_assert_str_eq(lines(), "w-1 CPUs=3\nw-1 " NODES_ASSUMED "\nz " BIG "\nz CPUs=4\n");
}
END_TEST

START_TEST(a_file_without_marks_is_left_alone)
{
    char *changed = NULL;

    ck_assert_int_eq(nodes_update("NodeName=a CPUs=1\n", "a", BIG, &changed, NULL), -ENOENT);
    ck_assert_ptr_null(changed);
}
END_TEST

START_TEST(some_memory_stays_with_the_system)
{
    const struct node_hardware hardware = { .cpus = 8,
                                            .boards = 1,
                                            .sockets = 2,
                                            .cores_per_socket = 2,
                                            .threads_per_core = 2,
                                            .memory_mb = 2000 };
    AUTO_FREE char *description = nodes_describe(&hardware);

    ck_assert_str_eq(description, "CPUs=8 Boards=1 SocketsPerBoard=2 CoresPerSocket=2 "
                                  "ThreadsPerCore=2 RealMemory=1900 State=UNKNOWN");
}
END_TEST

static int read_text(void *ctx, const char *path, struct strbuf *out, struct err *err)
{
    (void)path;
    (void)err;
    strbuf_adds(out, ctx);
    return 0;
}

START_TEST(the_configuration_that_is_written_loads_without_a_note)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = NULL;
    struct conf_plan plan = { .cluster = "lab", .head = "head", .address = "10.0.0.1" };
    struct err err = { 0 };

    ck_assert_int_eq(hostlist_parse("w-[1-3]", &hosts, NULL), 0);
    plan.hosts = hosts;
    conf_write_slurm(&plan, &out);
    text = strbuf_steal(&out);
    update("w-2", BIG);

    ck_assert_msg(slurm_conf_load_from("/x", read_text, text, &conf, &notes, &err) == 0, "%s",
                  err.text);
    ck_assert_uint_eq(notes.notes_n, 0);
    ck_assert_str_eq(conf->cluster_name, "lab");
    ck_assert_str_eq(conf->controllers[0].addr, "10.0.0.1");
    ck_assert_uint_eq(conf->nodes_n, 3);
    ck_assert_uint_eq(slurm_conf_find_node(conf, "w-2")->cpus, 8);
    slurm_conf_free(conf);
}
END_TEST

CHECK_MAIN_WITH(cli_join_nodes, NULL, after, CASE(hosts_begin_assumed_in_one_line),
                CASE(a_host_that_is_known_leaves_the_assumed),
                CASE(hosts_that_are_alike_share_a_line), CASE(a_host_that_changed_moves),
                CASE(a_host_that_nobody_named_is_added), CASE(the_same_again_changes_nothing),
                CASE(what_is_not_between_the_marks_stays), CASE(a_file_without_marks_is_left_alone),
                CASE(some_memory_stays_with_the_system),
                CASE(the_configuration_that_is_written_loads_without_a_note))
