#include "unit/check_main.h"

#include "cli/lib/place.h"

static struct job_spec spec_asking(void)
{
    struct job_spec spec;

    job_spec_init(&spec);
    spec.cpus_per_gpu = 2;
    spec.mem_per_gpu = 10;
    spec.switches = 1;
    spec.switch_wait_s = 120;
    return spec;
}

START_TEST(what_is_asked_has_slurms_form)
{
    const struct job_spec spec = spec_asking();
    AUTO(strbuf) struct strbuf out = { 0 };

    place_add_cpus_per_gpu(spec.cpus_per_gpu, &out);
    strbuf_addc(&out, ' ');
    place_add_mem_per_gpu(spec.mem_per_gpu, &out);
    strbuf_addc(&out, ' ');
    place_add_switches(&spec, &out);

    ck_assert_str_eq(strbuf_text(&out), "gres/gpu:2 gres/gpu:10 1@00:02:00");
}
END_TEST

START_TEST(what_is_not_asked_is_not_there)
{
    struct job_spec spec;
    AUTO(strbuf) struct strbuf out = { 0 };

    job_spec_init(&spec);
    place_add_cpus_per_gpu(spec.cpus_per_gpu, &out);
    place_add_mem_per_gpu(spec.mem_per_gpu, &out);
    place_add_switches(&spec, &out);

    ck_assert_str_eq(strbuf_text(&out), "");
}
END_TEST

/* State, candidates of the request, partition of the record, what is shown. */
static const struct {
    uint32_t state;
    const char *asked, *has, *shown;
} partitions[] = {
    { JOB_PENDING, "main,debug", "main", "main,debug" },
    { JOB_PENDING, NULL, "main", "main" },
    { JOB_RUNNING, "main,debug", "debug", "debug" },
    { JOB_COMPLETE, "main,debug", "debug", "debug" },
};

START_TEST(a_job_has_candidates_until_it_starts)
{
    struct job_spec spec;
    struct job_record job;
    AUTO(strbuf) struct strbuf out = { 0 };

    job_spec_init(&spec);
    job_record_init(&job);
    job.spec = &spec;
    job.state = partitions[_i].state;
    spec.partition = (char *)partitions[_i].asked;
    job.partition = (char *)partitions[_i].has;
    place_add_partition(&job, &out);

    ck_assert_str_eq(strbuf_text(&out), partitions[_i].shown);
}
END_TEST

CHECK_MAIN(place, CASE(what_is_asked_has_slurms_form), CASE(what_is_not_asked_is_not_there),
           LOOP_CASE(a_job_has_candidates_until_it_starts, ARRAY_N(partitions)))
