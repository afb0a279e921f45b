/* What steps get of the generic resources of their job. */
#include "unit/check_main.h"

#include "unit/ctld/control/lab.h"

/* "n1:0,1 n2:": the gpus of the step on each of its nodes. */
static const char *gpus_of(const struct lab *lab, uint32_t step_id)
{
    static char text[256];
    AUTO(strbuf) struct strbuf out = { 0 };
    const struct step *step = job_find_step(lab_job(lab, 1), step_id);

    ck_assert_ptr_nonnull(step);
    for (uint32_t i = 0; i < step->rec.nodes_n; i++) {
        const struct step_node *part = &step->rec.nodes[i];

        strbuf_addf(&out, "%s%s:", i ? " " : "", part->name);
        for (uint32_t k = 0; k < part->gres_n; k++)
            for (uint32_t d = 0; d < part->gres[k].devices_n; d++)
                strbuf_addf(&out, "%s%u", d ? "," : "", part->gres[k].devices[d]);
    }
    snprintf(text, sizeof(text), "%s", strbuf_text(&out));
    return text;
}

/* The job has 4 cpus and 4 gpus on each of n1 and n2. */
static struct lab *lab_with_gpus(const char *asked)
{
    struct lab *lab = lab_new("nodes=2 cpus=4 gpus=4");

    ck_assert_uint_eq(lab_submit(lab, asked), 1);
    lab_quiet(lab);
    return lab;
}

static const struct {
    const char *step, *gpus;
} shares[] = {
    { "nodes=2 ntasks=2", "n1:0,1,2,3 n2:0,1,2,3" },
    { "nodes=1 ntasks=1 exact", "n1:0,1,2,3" },
    { "nodes=1 ntasks=1 gres=gpu:2", "n1:0,1" },
    { "nodes=2 ntasks=2 gres=gpu:a:1", "n1:0 n2:0" },
    { "nodes=2 ntasks=4 task_gres=gpu:1", "n1:0,1 n2:0,1" },
    { "ntasks=5 nodes=2 task_gres=gpu:1", "n1:0,1,2 n2:0,1" },
    { "nodes=2 ntasks=2 all_gres=gpu:5", "n1:0,1,2,3 n2:0" },
    { "nodes=2 ntasks=2 all_gres=gpu:2", "n1:0 n2:0" },
    { "nodes=1 ntasks=1 no_gres", "n1:" },
    { "nodes=1 ntasks=1 socket_gres=gpu:1", "n1:0,1,2,3" },
    { "nodes=1 ntasks=1 all_gres=gpu:2 socket_gres=gpu:1", "n1:0,1" },
};

START_TEST(a_step_gets_the_share_it_asks_for)
{
    struct lab *lab = lab_with_gpus("nodes=2 gres=gpu:4 exclusive");

    lab_step(lab, 1, shares[_i].step);

    ck_assert_msg(lab->rc == 0, "%s: %s", shares[_i].step, lab->err.text);
    ck_assert_str_eq(gpus_of(lab, 0), shares[_i].gpus);
    lab_free(lab);
}
END_TEST

START_TEST(steps_use_different_devices_and_the_rest_waits)
{
    struct lab *lab = lab_with_gpus("nodes=1 gres=gpu:4 exclusive");

    lab_step(lab, 1, "nodes=1 ntasks=1 exact gres=gpu:2");
    lab_step(lab, 1, "nodes=1 ntasks=1 exact gres=gpu:2");
    lab_step(lab, 1, "nodes=1 ntasks=1 exact gres=gpu:1");
    ck_assert_str_eq(gpus_of(lab, 0), "n1:0,1");
    ck_assert_str_eq(gpus_of(lab, 1), "n1:2,3");
    ck_assert_str_eq(gpus_of(lab, 2), "");

    lab_exit(lab, 1, 1, 0);
    ck_assert_str_eq(gpus_of(lab, 2), "n1:2");
    lab_free(lab);
}
END_TEST

START_TEST(a_step_that_overlaps_shares_devices)
{
    struct lab *lab = lab_with_gpus("nodes=1 gres=gpu:4 exclusive");

    lab_step(lab, 1, "nodes=1 ntasks=1 exact gres=gpu:4");
    lab_step(lab, 1, "nodes=1 ntasks=1 overlap gres=gpu:2");
    ck_assert_str_eq(gpus_of(lab, 1), "n1:0,1");
    lab_free(lab);
}
END_TEST

static const char *const too_much[] = {
    "nodes=1 ntasks=1 gres=gpu:5",        "nodes=2 ntasks=2 all_gres=gpu:9",
    "nodes=2 ntasks=4 task_gres=gpu:3",   "nodes=1 ntasks=1 gres=gpu:b:1",
    "nodes=1 ntasks=1 socket_gres=gpu:5",
};

START_TEST(more_than_the_job_has_is_refused)
{
    struct lab *lab = lab_with_gpus("nodes=2 gres=gpu:4 exclusive");

    lab_step(lab, 1, too_much[_i]);

    ck_assert_int_eq(lab->rc, -E_GRES);
    lab_free(lab);
}
END_TEST

/* No srun sends these. */
static const char *const unreadable[] = {
    "nodes=1 ntasks=1 gres=gpu:a:b:c",
    "nodes=1 ntasks=1 all_gres=gpu:a:b:c",
    "nodes=1 ntasks=1 task_gres=gpu:a:b:c",
    "nodes=1 ntasks=1 socket_gres=gpu:a:b:c",
};

START_TEST(a_list_that_cannot_be_read_is_refused)
{
    struct lab *lab = lab_with_gpus("nodes=2 gres=gpu:4 exclusive");

    lab_step(lab, 1, unreadable[_i]);

    ck_assert_int_eq(lab->rc, -E_GRES);
    ck_assert_ptr_nonnull(strstr(lab->err.text, "gpu:a:b:c"));
    ck_assert_ptr_null(job_find_step(lab_job(lab, 1), 0));
    lab_free(lab);
}
END_TEST

START_TEST(an_allocation_for_a_step_that_cannot_be_read_is_refused)
{
    struct lab *lab = lab_new("nodes=2 cpus=4 gpus=4");

    lab_allocate(lab, "nodes=1", unreadable[_i]);

    ck_assert_int_eq(lab->rc, -E_GRES);
    ck_assert_ptr_null(control_model(lab->control)->jobs);
    lab_free(lab);
}
END_TEST

/* As the waiting step 1 would be on disk, had it been accepted with that. */
static void spoil_kept_step(struct lab *lab, const char *gres, const char *nodes)
{
    for (uint32_t i = 0; i < lab->kept_n; i++) {
        struct blob *bytes = &lab->kept[i].record;
        struct step_record rec;

        if (lab->kept[i].kind != CHANGE_STEP)
            continue;
        ck_assert_int_eq(schema_decode(step_record_schema(), bytes->data, bytes->n, &rec, NULL), 0);
        if (rec.step_id == 1) {
            xstrset(&rec.spec->tres_per_node, gres);
            xstrset(&rec.spec->exc_nodes, nodes);
            free(bytes->data);
            *bytes = schema_encode_blob(step_record_schema(), &rec);
        }
        step_record_clear(&rec);
    }
}

static const struct {
    const char *gres, *nodes;
} spoilt[] = { { "gpu:a:b:c", NULL }, { NULL, "n[2" } };

START_TEST(a_kept_step_that_cannot_be_read_ends_instead_of_running_without)
{
    struct lab *lab = lab_with_gpus("nodes=1 gres=gpu:4 exclusive");

    lab_step(lab, 1, "nodes=1 ntasks=1");
    lab_step(lab, 1, "nodes=1 ntasks=1");
    spoil_kept_step(lab, spoilt[_i].gres, spoilt[_i].nodes);
    lab_restart(lab, "nodes=2 cpus=4 gpus=4");

    ck_assert_int_eq(job_find_step(lab_job(lab, 1), 1)->rec.state, STEP_PENDING);
    lab_exit(lab, 1, 0, 0);

    ck_assert_int_eq(job_find_step(lab_job(lab, 1), 1)->rec.state, STEP_ENDED);
    ck_assert_int_eq(job_find_step(lab_job(lab, 1), 1)->rec.nodes_n, 0);
    lab_free(lab);
}
END_TEST

static const char *const of_gpus[] = { "ntasks=1 gpu_cpus=1", "ntasks=1 gpu_mem=10",
                                       "ntasks=2 gpu_tasks=2" };

START_TEST(what_is_asked_for_each_gpu_needs_one)
{
    struct lab *lab = lab_with_gpus("nodes=1");

    lab_step(lab, 1, of_gpus[_i]);

    ck_assert_int_eq(lab->rc, -E_GRES);
    lab_free(lab);
}
END_TEST

static const struct {
    const char *step;
    uint32_t cpus;
} cpus_for_gpus[] = {
    { "nodes=1 ntasks=2 exact task_gres=gpu:1 gpu_cpus=2", 4 },
    { "nodes=1 ntasks=1 exact task_gres=gpu:1 gpu_cpus=3", 3 },
    { "nodes=1 ntasks=1 exact all_gres=gpu:2 gpu_cpus=2", 1 }, /* as in Slurm */
    { "nodes=1 ntasks=1 exact task_gres=gpu:1 gpu_cpus=3 cpus=2", 2 },
};

START_TEST(tasks_with_gpus_have_the_cpus_for_them)
{
    struct lab *lab = lab_with_gpus("nodes=1 gres=gpu:4 exclusive");

    lab_step(lab, 1, cpus_for_gpus[_i].step);

    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 0)->rec.ncpus, cpus_for_gpus[_i].cpus);
    lab_free(lab);
}
END_TEST

START_TEST(more_cpus_for_gpus_than_the_job_has_are_refused)
{
    struct lab *lab = lab_with_gpus("nodes=1 gres=gpu:4 exclusive");

    lab_step(lab, 1, "nodes=1 ntasks=2 task_gres=gpu:1 gpu_cpus=3");

    ck_assert_int_eq(lab->rc, -E_TOO_MANY_CPUS);
    lab_free(lab);
}
END_TEST

static struct lab *lab_with_memory(void)
{
    struct lab *lab = lab_new("nodes=1 cpus=4 gpus=4 share_memory");

    ck_assert_uint_eq(lab_submit(lab, "nodes=1 gres=gpu:4 exclusive mem=800"), 1);
    lab_quiet(lab);
    return lab;
}

START_TEST(a_step_has_memory_for_each_of_its_gpus)
{
    struct lab *lab = lab_with_memory();

    lab_step(lab, 1, "ntasks=1 exact gres=gpu:2 gpu_mem=200");
    lab_step(lab, 1, "ntasks=1 exact all_gres=gpu:1 gpu_mem=400");
    lab_step(lab, 1, "ntasks=1 exact task_gres=gpu:1 gpu_mem=1");

    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 0)->rec.nodes[0].memory, 400);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 1)->rec.nodes[0].memory, 400);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 2)->rec.state, STEP_PENDING);
    lab_free(lab);
}
END_TEST

START_TEST(more_memory_for_gpus_than_the_job_has_is_refused)
{
    struct lab *lab = lab_with_memory();

    lab_step(lab, 1, "ntasks=1 exact gres=gpu:2 gpu_mem=401");

    ck_assert_int_eq(lab->rc, -E_MEMORY);
    lab_free(lab);
}
END_TEST

START_TEST(the_signed_order_names_the_files_of_the_devices)
{
    struct lab *lab = lab_with_gpus("nodes=1 gres=gpu:4 exclusive");

    lab_step(lab, 1, "nodes=1 ntasks=1 gres=gpu:2");

    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: launch 1.0 #1 /dev/gpu0 /dev/gpu1\n");
    lab_free(lab);
}
END_TEST

START_TEST(nodes_hear_of_near_cores_where_tasks_want_the_closest_gpus)
{
    struct lab *lab = lab_new("nodes=1 cpus=4 gpus=4 near");

    ck_assert_uint_eq(lab_submit(lab, "nodes=1 gres=gpu:4 exclusive"), 1);
    lab_quiet(lab);
    lab_step(lab, 1, "nodes=1 ntasks=1 overlap gres=gpu:2 gpu_bind=closest");
    lab_step(lab, 1, "nodes=1 ntasks=1 overlap gres=gpu:1 gpu_bind=single:1");

    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: launch 1.0 #1 /dev/gpu0 /dev/gpu1 near 0 1\n"
                                                "n1: launch 1.1 #1 /dev/gpu0\n");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(step_gres, LOOP_CASE(a_step_gets_the_share_it_asks_for, ARRAY_N(shares)),
           CASE(steps_use_different_devices_and_the_rest_waits),
           CASE(a_step_that_overlaps_shares_devices),
           LOOP_CASE(more_than_the_job_has_is_refused, ARRAY_N(too_much)),
           LOOP_CASE(a_list_that_cannot_be_read_is_refused, ARRAY_N(unreadable)),
           LOOP_CASE(an_allocation_for_a_step_that_cannot_be_read_is_refused, ARRAY_N(unreadable)),
           LOOP_CASE(a_kept_step_that_cannot_be_read_ends_instead_of_running_without,
                     ARRAY_N(spoilt)),
           LOOP_CASE(what_is_asked_for_each_gpu_needs_one, ARRAY_N(of_gpus)),
           LOOP_CASE(tasks_with_gpus_have_the_cpus_for_them, ARRAY_N(cpus_for_gpus)),
           CASE(more_cpus_for_gpus_than_the_job_has_are_refused),
           CASE(a_step_has_memory_for_each_of_its_gpus),
           CASE(more_memory_for_gpus_than_the_job_has_is_refused),
           CASE(the_signed_order_names_the_files_of_the_devices),
           CASE(nodes_hear_of_near_cores_where_tasks_want_the_closest_gpus))
