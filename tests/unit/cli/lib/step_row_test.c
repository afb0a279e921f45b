#include "cli/lib/step_row.h"

#include "unit/check_main.h"

static void add_all(const struct step_record *step, struct strbuf *out)
{
    const struct report_context ctx = { 0 };
    const struct step_row row = { .step = step };
    const char *gap = "";

#define ADD(function, key, name, title)                                                            \
    strbuf_adds(out, gap);                                                                         \
    function(&ctx, &row, out);                                                                     \
    gap = " ";
    STEP_TRES(ADD)
#undef ADD
}

START_TEST(what_a_step_asks_of_gpus_has_slurms_form)
{
    char per_step[] = "gres/gpu:4", per_node[] = "gres/gpu:2", per_socket[] = "gres/gpu:1";
    char per_task[] = "gres/gpu:a:1,gres/tape:2", bind[] = "closest", freq[] = "medium";
    struct step_spec spec;
    struct step_record step;
    AUTO(strbuf) struct strbuf out = { 0 };

    step_spec_init(&spec);
    step_record_init(&step);
    spec.cpus_per_gpu = 1;
    spec.mem_per_gpu = 10;
    spec.gpu_bind = bind;
    spec.gpu_freq = freq;
    spec.tres_per_step = per_step;
    spec.tres_per_node = per_node;
    spec.tres_per_socket = per_socket;
    spec.tres_per_task = per_task;
    step.spec = &spec;
    step.ncpus = 8;
    step.ntasks = 2;
    step.cpus_per_task = 2;
    add_all(&step, &out);

    ck_assert_str_eq(strbuf_text(&out),
                     "gres/gpu:1 gres/gpu:10 gres/gpu:closest gpu:medium cpu:4,gres/gpu:4 "
                     "gres/gpu:2 gres/gpu:1 gres/gpu:a=1,gres/tape=2");
}
END_TEST

START_TEST(a_batch_step_asks_nothing)
{
    struct step_record step;
    AUTO(strbuf) struct strbuf out = { 0 };

    step_record_init(&step);
    add_all(&step, &out);

    ck_assert_str_eq(strbuf_text(&out), "       ");
}
END_TEST

CHECK_MAIN(step_row, CASE(what_a_step_asks_of_gpus_has_slurms_form),
           CASE(a_batch_step_asks_nothing))
