/*
 * load - many held jobs, quickly: how a controller does with a deep queue.
 *
 *     bench_load N
 *
 * Sends N submissions over one connection to the controller that SLURM_CONF names, and prints how
 * many a second it took. The jobs have what a usual sbatch sends.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/lib/cli.h"
#include "common/client/client.h"
#include "common/msg/job.h"
#include "common/msg/types.h"

static void fill_spec(struct job_spec *spec)
{
    job_spec_init(spec);
    spec->kind = JOB_KIND_BATCH;
    spec->name = xstrdup("bench.sh");
    spec->hold = true;
    spec->time_limit = 3600;
    spec->cpus_per_task = 1;
    spec->submit_host = xstrdup("login");
}

static void fill_body(struct job_body *body, const char *script_sha256)
{
    job_body_init(body);
    body->work_dir = xstrdup("/home/ann/project/run");
    body->std_out = xstrdup("/home/ann/project/run/%x-%j.out");
    body->command = xstrdup("/home/ann/project/run/bench.sh");
    body->submit_line = xstrdup("sbatch --hold -t 60 -o %x-%j.out bench.sh");
    body->script_sha256 = (struct blob){ xmemdup(script_sha256, SHA256_BYTES), SHA256_BYTES };
    for (uint32_t i = 0; i < 8; i++) {
        struct rlimit_spec *limit = ARRAY_PUSH(body->limits, body->limits_n);

        *limit = (struct rlimit_spec){ .resource = i, .soft = UINT64_MAX };
    }
}

static int load(struct client *client, uint32_t n, struct err *err)
{
    static const char script[] = "#!/bin/sh\ntrue\n";
    uint8_t sha256[SHA256_BYTES];
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < n; i++) {
        AUTO(job_submit) struct job_submit submit;
        AUTO(job_submitted) struct job_submitted answer;

        job_submit_init(&submit);
        job_submitted_init(&answer);
        submit.spec = xmalloc(sizeof(*submit.spec));
        fill_spec(submit.spec);
        submit.body = xmalloc(sizeof(*submit.body));
        rc = client_put_blob(client, script, sizeof(script) - 1, sha256, err);
        fill_body(submit.body, (const char *)sha256);
        if (rc == 0)
            rc = client_call(client, MSG_JOB_SUBMIT, &submit, MSG_JOB_SUBMITTED, &answer, err);
    }
    return rc;
}

int main(int argc, char **argv)
{
    const uint32_t n = argc == 2 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    struct cli cli = { 0 };
    struct err err = { 0 };
    uint64_t begin;
    int rc;

    if (n == 0) {
        fprintf(stderr, "Usage: bench_load N\n");
        return 2;
    }
    begin = clock_mono_us();
    rc = cli_open(&cli, RPC_ROLE_CLIENT, &err);
    if (rc == 0)
        rc = load(cli.client, n, &err);
    if (rc < 0)
        fprintf(stderr, "bench_load: %s\n", err.text);
    else
        printf("%.0f jobs/s\n", (double)n * 1e6 / (double)(clock_mono_us() - begin));
    cli_close(&cli);
    return rc < 0;
}
