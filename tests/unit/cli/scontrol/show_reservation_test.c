/* The records below stood on a Slurm 22.05; what is expected is what its scontrol printed. */
#include "unit/check_main.h"

#include <string.h>
#include <time.h>

#include "cli/lib/reservation_document.h"
#include "cli/scontrol/show.h"

#define NOW INT64_C(1795815522) /* 2026-11-27T21:38:42 */

static struct reservation_record record;
static struct records nodes;

static void add_node(const char *name, uint32_t cpus)
{
    struct node_info *all = xrealloc(nodes.at, (nodes.n + 1) * sizeof(*all));
    struct node_info *info = &all[nodes.n++];

    nodes.at = all;
    node_info_init(info);
    info->node = xcalloc(1, sizeof(*info->node));
    node_record_init(info->node);
    info->node->name = xstrdup(name);
    info->cpus = cpus;
}

static void before(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    nodes = (struct records){ .schema = node_info_schema() };
    add_node("worker-1", 4);
    add_node("worker-2", 4);
    add_node("worker-3", 8);
    reservation_record_init(&record);
    record.name = xstrdup("root_1");
    record.start = NOW;
    record.end = NOW + 600;
    record.made = NOW;
    record.users = xstrdup("root");
}

static void after(void)
{
    for (uint32_t i = 0; i < nodes.n; i++)
        node_info_clear((struct node_info *)nodes.at + i);
    free(nodes.at);
    reservation_record_clear(&record);
}

static char *shown(int64_t now, bool one_line)
{
    const struct reservation_view view = reservation_view(&record, &nodes, now);
    const struct show show = { .one_line = one_line };
    struct strbuf out = { 0 };

    show_reservation(&show, &view, &out);
    return strbuf_steal(&out);
}

START_TEST(a_reservation_of_a_node_is_shown_as_in_slurm)
{
    AUTO_FREE char *text = NULL;

    record.nodes = xstrdup("worker-1");
    record.core_cnt = 4;
    record.flags = RESV_SPEC_NODES;

    text = shown(NOW, false);
    ck_assert_str_eq(text,
                     "ReservationName=root_1 StartTime=2026-11-27T21:38:42 "
                     "EndTime=2026-11-27T21:48:42 Duration=00:10:00\n"
                     "   Nodes=worker-1 NodeCnt=1 CoreCnt=4 Features=(null) PartitionName=(null) "
                     "Flags=SPEC_NODES\n"
                     "   TRES=cpu=4\n"
                     "   Users=root Groups=(null) Accounts=(null) Licenses=(null) State=ACTIVE "
                     "BurstBuffer=(null) Watts=n/a\n"
                     "   MaxStartDelay=(null)\n\n");
}
END_TEST

START_TEST(all_that_22_05_has_fits_in_one_line)
{
    AUTO_FREE char *text = NULL;

    record.partition = xstrdup("main");
    record.licenses = xstrdup("foo:2");
    record.end = NOW + 365 * 86400;
    record.max_start_delay_s = 300;

    text = shown(NOW - 1, true);
    ck_assert_str_eq(text,
                     "ReservationName=root_1 StartTime=2026-11-27T21:38:42 "
                     "EndTime=2027-11-27T21:38:42 Duration=365-00:00:00 Nodes=(null) "
                     "NodeCnt=0 CoreCnt=0 Features=(null) PartitionName=main Flags= "
                     "TRES=license/foo=2 Users=root Groups=(null) Accounts=(null) Licenses=foo:2 "
                     "State=INACTIVE BurstBuffer=(null) Watts=n/a MaxStartDelay=00:05:00\n");
}
END_TEST

START_TEST(what_later_versions_have_is_on_lines_of_its_own)
{
    AUTO_FREE char *text = NULL;

    record.qos = xstrdup("high");
    record.partitions = xstrdup("main,spare");
    record.gres_per_node = xstrdup("gpu:a100:2,nic:1");
    record.comment = xstrdup("for the course");

    text = shown(NOW, false);
    ck_assert_ptr_nonnull(strstr(text, "\n   TRESPerNode=gres/gpu:a100=2,gres/nic=1\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n   QOS=high\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n   AllowedPartitions=main,spare\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n   Comment=for the course\n"));
}
END_TEST

static struct reservation_part *add_part(const char *node, uint32_t cpus)
{
    struct reservation_part *part = ARRAY_PUSH(record.parts, record.parts_n);

    reservation_part_init(part);
    part->node = xstrdup(node);
    for (uint32_t i = 0; i < cpus; i++)
        *ARRAY_PUSH(part->cpus, part->cpus_n) = i;
    return part;
}

START_TEST(cores_of_nodes_that_it_has_in_part_are_listed)
{
    AUTO_FREE char *text = NULL;
    AUTO_FREE char *line = NULL;

    record.nodes = xstrdup("worker-[1-3]");
    record.flags = RESV_SPEC_NODES;
    ((struct node_info *)nodes.at)[2].threads_per_core = 2;
    add_part("worker-2", 2);
    add_part("worker-3", 4);

    text = shown(NOW, false);
    line = shown(NOW, true);
    ck_assert_ptr_nonnull(strstr(text, " Flags=SPEC_NODES\n     NodeName=worker-2 CoreIDs=0-1\n"
                                       "     NodeName=worker-3 CoreIDs=0-1\n   TRES=cpu=10\n"));
    ck_assert_ptr_nonnull(strstr(line, " Flags=SPEC_NODES   NodeName=worker-2 CoreIDs=0-1   "
                                       "NodeName=worker-3 CoreIDs=0-1 TRES=cpu=10 "));
}
END_TEST

START_TEST(cpus_and_devices_of_whole_nodes_and_of_parts_are_added_up)
{
    AUTO_FREE char *text = NULL;

    record.nodes = xstrdup("worker-[1-3]");
    add_part("worker-1", 1)->gres = xstrdup("gpu:a100:2(IDX:0-1)");
    add_part("worker-2", 2)->gres = xstrdup("gpu:a100:1(IDX:3)");

    text = shown(NOW, true);
    ck_assert_ptr_nonnull(strstr(text, " TRES=cpu=11,gres/gpu:a100=3 "));
    ck_assert_ptr_nonnull(strstr(text, " NodeCnt=3 "));
}
END_TEST

START_TEST(a_node_that_is_gone_has_no_cpus)
{
    record.nodes = xstrdup("worker-[3-4]");

    ck_assert_uint_eq(reservation_cpus(&record, &nodes), 8);
}
END_TEST

static const struct {
    int64_t at, start, end;
    uint64_t flags;
    bool is_active;
} moments[] = {
    { NOW - 1, NOW, NOW + 600, 0, false },
    { NOW, NOW, NOW + 600, 0, true },
    { NOW + 599, NOW, NOW + 600, 0, true },
    { NOW + 600, NOW, NOW + 600, 0, false },
    { NOW + 3600, NOW + 3600, NOW + 4200, RESV_TIME_FLOAT, true },
    { NOW - 5, NOW, NOW + 600, RESV_TIME_FLOAT, false }, /* a clock that was set back */
};

START_TEST(it_is_active_from_its_start_to_its_end_which_may_move)
{
    struct reservation_view view;

    record.flags = moments[_i].flags;

    view = reservation_view(&record, NULL, moments[_i].at);
    ck_assert_int_eq(view.start, moments[_i].start);
    ck_assert_int_eq(view.end, moments[_i].end);
    ck_assert_int_eq(view.is_active, moments[_i].is_active);
}
END_TEST

/* Returns the document of the record, in one line. */
static char *document(void)
{
    const struct reservation_view view = reservation_view(&record, &nodes, NOW);
    const struct reservation_document_row row = { &record, &view };
    const struct report_context ctx = { .now = NOW };
    AUTO(document_kind) struct document_kind kind = { 0 };
    struct strbuf out = { 0 };
    struct json_writer json;
    struct err err = { 0 };

    ck_assert_msg(document_kind_init(&kind, &reservation_document, &err) == 0, "%s", err.text);
    json = json_writer_new(JSON_ONE_LINE, &out);
    document_record(&kind, &ctx, &row, &json, NULL);
    return strbuf_steal(&out);
}

START_TEST(a_document_has_the_members_of_the_data_parser)
{
    AUTO_FREE char *text = NULL;

    record.nodes = xstrdup("worker-[1-2]");
    record.core_cnt = 5;
    record.flags = RESV_DAILY | RESV_PURGE_COMP;
    record.purge_comp_s = 300;
    add_part("worker-1", 2);

    text = document();
    ck_assert_str_eq(
        text, "{\"accounts\":\"\",\"burst_buffer\":\"\",\"core_count\":5,"
              "\"core_specializations\":[{\"node\":\"worker-1\",\"core\":\"0-1\"}],"
              "\"end_time\":{\"set\":true,\"infinite\":false,\"number\":1795816122},"
              "\"features\":\"\",\"flags\":[\"DAILY\",\"PURGE_COMP\"],\"groups\":\"\","
              "\"licenses\":\"\",\"max_start_delay\":0,\"name\":\"root_1\",\"node_count\":2,"
              "\"node_list\":\"worker-[1-2]\",\"partition\":\"\","
              "\"purge_completed\":{\"time\":{\"set\":true,\"infinite\":false,\"number\":300}},"
              "\"start_time\":{\"set\":true,\"infinite\":false,\"number\":1795815522},"
              "\"watts\":{\"set\":false,\"infinite\":false,\"number\":0},"
              "\"tres\":\"cpu=6\",\"users\":\"root\"}\n");
}
END_TEST

CHECK_MAIN_WITH(show_reservation, before, after, CASE(a_reservation_of_a_node_is_shown_as_in_slurm),
                CASE(all_that_22_05_has_fits_in_one_line),
                CASE(what_later_versions_have_is_on_lines_of_its_own),
                CASE(cores_of_nodes_that_it_has_in_part_are_listed),
                CASE(cpus_and_devices_of_whole_nodes_and_of_parts_are_added_up),
                CASE(a_node_that_is_gone_has_no_cpus),
                LOOP_CASE(it_is_active_from_its_start_to_its_end_which_may_move, ARRAY_N(moments)),
                CASE(a_document_has_the_members_of_the_data_parser))
