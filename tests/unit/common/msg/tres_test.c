#include "unit/check_main.h"

#include "common/base/alloc.h"
#include "common/msg/tres.h"

#define COUNTED "cpu,mem,energy,node,billing,fs/disk,vmem,pages,gres/gpu,gres/gpu:a,gres/tape"

static struct job_record *job;

/* sbatch -N2 -n4 --mem=64 */
static void before(void)
{
    job = xcalloc(1, sizeof(*job));
    job_record_init(job);
    job->spec = xcalloc(1, sizeof(*job->spec));
    job_spec_init(job->spec);
    job->spec->min_nodes = 2;
    job->spec->mem_per_node = 64;
    job->ncpus = job->ntasks = 4;
}

static void after(void)
{
    job_record_clear(job);
    free(job);
}

static void check_requested(const char *counted, const char *expected)
{
    AUTO(tres) struct tres tres = tres_requested(job);
    AUTO(strbuf) struct strbuf out = { 0 };

    tres_format(&tres, counted, &out);

    ck_assert_str_eq(strbuf_text(&out), expected);
}

START_TEST(resources_of_each_node_are_multiplied)
{
    job->spec->tres_per_node = xstrdup("gres/gpu:2,gres/tape:1");

    check_requested(COUNTED, "cpu=4,mem=128M,node=2,billing=4,gres/gpu=4,gres/tape=2");
}
END_TEST

START_TEST(resources_of_each_task_are_multiplied)
{
    job->spec->tres_per_task = xstrdup("gres/gpu:a:1");

    check_requested(COUNTED, "cpu=4,mem=128M,node=2,billing=4,gres/gpu=4,gres/gpu:a=4");
}
END_TEST

START_TEST(what_a_job_asks_in_two_ways_is_told_once)
{
    job->spec->tres_per_job = xstrdup("gres/gpu:6");
    job->spec->tres_per_node = xstrdup("gres/gpu:3");

    check_requested(COUNTED, "cpu=4,mem=128M,node=2,billing=4,gres/gpu=6");
}
END_TEST

START_TEST(what_is_not_counted_is_not_told)
{
    job->spec->tres_per_node = xstrdup("gres/gpu:2");

    check_requested("cpu,mem,gres/tape", "cpu=4,mem=128M,node=2,billing=4");
    check_requested(NULL, "cpu=4,mem=128M,node=2,billing=4");
}
END_TEST

START_TEST(licenses_are_told_where_they_are_counted)
{
    AUTO(strbuf) struct strbuf by_name = { 0 };

    job->spec->licenses = xstrdup("ansys,matlab:2");

    check_requested(COUNTED, "cpu=4,mem=128M,node=2,billing=4");
    check_requested("gres/gpu,license/matlab,license/other",
                    "cpu=4,mem=128M,node=2,billing=4,license/matlab=2");
    AUTO(tres) struct tres tres = tres_requested(job);
    tres_format_by_name(&tres, "license/matlab", "1G", &by_name);
    ck_assert_str_eq(strbuf_text(&by_name), "billing=4,cpu=4,license/matlab=2,mem=1G,node=2");
}
END_TEST

START_TEST(memory_for_each_gpu_is_told)
{
    job->spec->mem_per_node = MB_UNSET;
    job->spec->mem_per_gpu = 100;
    job->spec->tres_per_job = xstrdup("gres/gpu:a:3");

    check_requested(COUNTED, "cpu=4,mem=300M,node=2,billing=4,gres/gpu=3,gres/gpu:a=3");
}
END_TEST

START_TEST(what_a_job_holds_has_the_types_of_its_nodes)
{
    static const char *const types[] = { "a", "b" };

    for (uint32_t i = 0; i < ARRAY_N(types); i++) {
        struct job_node *node = ARRAY_PUSH(job->nodes, job->nodes_n);
        struct job_gres *gres;

        job_node_init(node);
        node->name = xasprintf("tux%u", i);
        gres = ARRAY_PUSH(node->gres, node->gres_n);
        job_gres_init(gres);
        gres->name = xstrdup("gpu");
        gres->type = xstrdup(types[i]);
        gres->count = 2;
    }
    AUTO(tres) struct tres tres = tres_allocated(job);
    AUTO(strbuf) struct strbuf out = { 0 };
    AUTO(strbuf) struct strbuf by_name = { 0 };

    tres_format(&tres, COUNTED, &out);
    tres_format_by_name(&tres, COUNTED, "1G", &by_name);

    ck_assert_str_eq(strbuf_text(&out), "cpu=4,node=2,billing=4,gres/gpu=4,gres/gpu:a=2");
    ck_assert_str_eq(strbuf_text(&by_name),
                     "billing=4,cpu=4,gres/gpu=4,gres/gpu:a=2,mem=1G,node=2");
}
END_TEST

START_TEST(what_a_node_has_is_read_without_where_it_is)
{
    AUTO(tres) struct tres tres = { .cpus = 8 };
    AUTO(strbuf) struct strbuf out = { 0 };

    tres_add_gres(&tres, "gpu:a:2(IDX:0,3),gpu:b:1(IDX:2),tape:1K");
    tres_format(&tres, COUNTED, &out);

    ck_assert_str_eq(strbuf_text(&out), "cpu=8,gres/gpu=3,gres/gpu:a=2,gres/tape=1024");
}
END_TEST

CHECK_MAIN_WITH(tres, before, after, CASE(resources_of_each_node_are_multiplied),
                CASE(resources_of_each_task_are_multiplied),
                CASE(what_a_job_asks_in_two_ways_is_told_once),
                CASE(what_is_not_counted_is_not_told),
                CASE(licenses_are_told_where_they_are_counted), CASE(memory_for_each_gpu_is_told),
                CASE(what_a_job_holds_has_the_types_of_its_nodes),
                CASE(what_a_node_has_is_read_without_where_it_is))
