#include "unit/check_main.h"

#include "common/text/cpubind.h"
#include "ctld/control/step/bind.h"
#include "ctld/control/act/state.h"
#include "unit/ctld/control/lab.h"

static const struct {
    uint32_t first_node, second_node, part, param;
    bool verbose;
    const char *asked, *decided;
} rows[] = {
    { 0, 0, 0, 0, false, NULL, "quiet" },
    { 0, 0, 0, CPU_BIND_CORES, false, NULL, "quiet,cores" },
    { 0, 0, 0, CPU_BIND_CORES, false, "verbose", "verbose,cores" },
    { 0, 0, 0, CPU_BIND_CORES, false, "quiet,none", "quiet,none" },
    { 0, 0, CPU_BIND_NONE, CPU_BIND_CORES, false, NULL, "quiet,none" },
    { CPU_BIND_LDOMS, CPU_BIND_LDOMS, CPU_BIND_NONE, 0, false, NULL, "quiet,ldoms" },
    { CPU_BIND_LDOMS, CPU_BIND_CORES, CPU_BIND_NONE, 0, false, NULL, "quiet,none" },
    { CPU_BIND_LDOMS, 0, 0, CPU_BIND_THREADS, false, NULL, "quiet,threads" },
    { 0, 0, 0, 0, true, NULL, "verbose" },
    { 0, 0, 0, CPU_BIND_CORES, true, "quiet,threads", "quiet,threads" },
};

START_TEST(who_is_nearest_to_the_step_decides)
{
    struct lab *lab = lab_new("nodes=2 cpus=4");
    struct model *model = lab->control->model;
    struct step *step;

    ck_assert_uint_eq(lab_submit(lab, "nodes=2"), 1);
    ck_assert_uint_eq(lab_step(lab, 1, "nodes=2 ntasks=2"), 0);
    step = job_find_step(model_find_job(model, 1), 0);
    model->config.nodes[0].cpu_bind = rows[_i].first_node;
    model->config.nodes[1].cpu_bind = rows[_i].second_node;
    model->config.partitions[0].cpu_bind = rows[_i].part;
    model->config.task_bind = rows[_i].param;
    model->config.task_bind_verbose = rows[_i].verbose;
    xstrset(&step->rec.spec->cpu_bind, rows[_i].asked);
    AUTO_FREE char *decided = bind_decide(model, step);

    ck_assert_str_eq(decided, rows[_i].decided);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(bind, LOOP_CASE(who_is_nearest_to_the_step_decides, sizeof(rows) / sizeof(rows[0])))
