#include "unit/check_main.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/sluice/explain_text.h"
#include "common/msg/node.h"

#define NOON INT64_C(1795176000) /* 2026-11-20T12:00:00 */

static struct node_info nodes[8];
static struct job_info jobs[8];
static struct records all_nodes, all_jobs;

static void before(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    all_nodes = (struct records){ .schema = node_info_schema(), .at = nodes };
    all_jobs = (struct records){ .schema = job_info_schema(), .at = jobs };
}

static void after(void)
{
    for (uint32_t i = 0; i < all_nodes.n; i++)
        node_info_clear(&nodes[i]);
    for (uint32_t i = 0; i < all_jobs.n; i++)
        job_info_clear(&jobs[i]);
}

/* Of four cpus and 4000 MB, in main. */
static struct node_info *add_node(const char *name)
{
    struct node_info *node = &nodes[all_nodes.n++];

    node_info_init(node);
    node->node = xcalloc(1, sizeof(*node->node));
    node_record_init(node->node);
    node->node->name = xstrdup(name);
    node->state = NODE_IDLE;
    node->cpus = 4;
    node->threads_per_core = 1;
    node->memory_mb = 4000;
    *ARRAY_PUSH(node->partitions, node->partitions_n) = xstrdup("main");
    return node;
}

static struct job_info *add_job(uint32_t id, uint32_t state)
{
    struct job_info *info = &jobs[all_jobs.n++];

    job_info_init(info);
    info->job = xcalloc(1, sizeof(*info->job));
    job_record_init(info->job);
    info->job->id = id;
    info->job->state = state;
    info->job->priority = 100;
    info->job->partition = xstrdup("main");
    info->job->user_name = xstrdup("ann");
    info->job->spec = xcalloc(1, sizeof(*info->job->spec));
    job_spec_init(info->job->spec);
    info->job->spec->name = xstrdup("story");
    info->job->spec->min_nodes = info->job->spec->max_nodes = info->job->ncpus = 1;
    info->job->spec->time_limit = 3600;
    return info;
}

/* A job of an hour that began `ago_s` before noon has all cpus but `left` of the node. */
static void occupy(struct node_info *node, uint32_t left, int64_t ago_s, int64_t limit_s)
{
    struct job_info *info = add_job(10 + all_jobs.n, JOB_RUNNING);
    struct job_node *at = ARRAY_PUSH(info->job->nodes, info->job->nodes_n);

    job_node_init(at);
    at->name = xstrdup(node->node->name);
    for (uint32_t i = left; i < node->cpus; i++)
        *ARRAY_PUSH(at->cpus, at->cpus_n) = i;
    node->alloc_cpus += at->cpus_n;
    info->job->start_time = NOON - ago_s;
    info->job->spec->time_limit = limit_s;
}

static char *told(const struct job_info *info)
{
    AUTO(standing) struct standing standing = { 0 };
    struct strbuf out = { 0 };

    standing_find(info, &all_nodes, &all_jobs, &standing);
    explain_job(info, &standing, &out);
    return strbuf_steal(&out);
}

static struct job_info *wait_for(uint32_t reason, uint32_t n, uint32_t cpus)
{
    struct job_info *info = add_job(99, JOB_PENDING);

    info->job->reason = reason;
    info->job->ncpus = cpus;
    info->job->spec->min_nodes = info->job->spec->max_nodes = n;
    info->lacks = JOB_LACKS_CPUS | JOB_LACKS_NODES;
    return info;
}

static void assert_says(const char *text, const char *words)
{
    ck_assert_msg(strstr(text, words) != NULL, "'%s' is not in:\n%s", words, text);
}

START_TEST(nodes_are_told_against_what_is_asked)
{
    add_node("n1");
    add_node("n2")->flags = NODE_FLAG_DRAIN;
    add_node("n3")->state = NODE_DOWN;
    occupy(add_node("n4"), 1, 1800, 3600);
    occupy(add_node("n5"), 0, 1800, 3600);
    occupy(add_node("n6"), 3, 1800, 3600); /* two cpus are free, still */
    add_node("n7")->cpus = 1;
    xstrset(&add_node("x")->partitions[0], "other");
    AUTO_FREE char *text = told(wait_for(REASON_RESOURCES, 4, 8));

    assert_says(text, "  It lacks 2 of 4 nodes.\n"
                      "  Of the 7 nodes of partition main, for what it asks of each:\n"
                      "    2 match now: n[1,6]\n"
                      "    2 busy until 2026-11-20T12:30:00: n[4-5]\n"
                      "    1 drained: n2\n"
                      "    1 down or not responding: n3\n"
                      "    1 without the cpus that it asks of a node: n7\n");
}
END_TEST

START_TEST(one_node_lacks_what_it_has_too_little_of)
{
    occupy(add_node("n1"), 1, 1800, LIMIT_INFINITE);
    struct job_info *info = wait_for(REASON_RESOURCES, 1, 2);

    info->lacks = JOB_LACKS_CPUS;
    AUTO_FREE char *text = told(info);

    assert_says(text, "  It lacks cpus.\n");
    assert_says(text, "    1 busy, without an end that is known: n1\n");
}
END_TEST

START_TEST(a_whole_node_is_free_when_its_last_job_ends)
{
    struct node_info *node = add_node("n1");

    occupy(node, 3, 1800, 3600);
    occupy(node, 3, 1800, 7200);
    struct job_info *info = wait_for(REASON_RESOURCES, 1, 1);

    info->job->spec->share = SHARE_EXCLUSIVE;
    AUTO_FREE char *text = told(info);

    assert_says(text, "    1 busy until 2026-11-20T13:30:00: n1\n");
}
END_TEST

START_TEST(free_nodes_are_kept_for_who_comes_before)
{
    add_node("n1");
    AUTO_FREE char *text = told(wait_for(REASON_PRIORITY, 1, 1));

    assert_says(text, "  Enough nodes match, and are kept for jobs that come before it.\n");
    ck_assert(!strstr(text, "It lacks"));
}
END_TEST

START_TEST(features_memory_and_devices_count)
{
    struct node_info *node = add_node("n1");

    node->features = xstrdup("big,fast");
    node->gres = xstrdup("gpu:2");
    add_node("n2");
    add_node("n3")->features = xstrdup("big,fast");
    struct job_info *info = wait_for(REASON_RESOURCES, 2, 2);

    info->job->spec->features = xstrdup("fast&big");
    info->job->spec->tres_per_node = xstrdup("gres/gpu:2");
    info->job->spec->mem_per_node = 3000;
    AUTO_FREE char *text = told(info);

    assert_says(text, "    1 match now: n1\n");
    assert_says(text, "    1 without the features that it asks of a node: n2\n");
    assert_says(text, "    1 without the gres that it asks of a node: n3\n");
}
END_TEST

START_TEST(who_has_no_plan_hears_who_is_before_it)
{
    for (uint32_t id = 1; id <= 7; id++)
        add_job(id, JOB_PENDING)->job->priority = id == 7 ? 1 : 100;
    AUTO_FREE char *text = told(wait_for(REASON_PRIORITY, 1, 1));

    assert_says(text,
                "  No start is planned yet: 6 jobs of partition main come before it: 1, 2, 3, "
                "4, 5 ...\n");
}
END_TEST

CHECK_MAIN_WITH(standing, before, after, CASE(nodes_are_told_against_what_is_asked),
                CASE(one_node_lacks_what_it_has_too_little_of),
                CASE(a_whole_node_is_free_when_its_last_job_ends),
                CASE(free_nodes_are_kept_for_who_comes_before),
                CASE(features_memory_and_devices_count),
                CASE(who_has_no_plan_hears_who_is_before_it))
