/*
 * intake_rig.h - jobs that have ended, with all that belongs to them, in a store of store_rig.h.
 */
#pragma once

#include "common/crypt/crypt.h"
#include "common/msg/job.h"
#include "unit/ctld/store/store_rig.h"

#define HOUR  3600
#define DAY   (20000 * INT64_C(86400))
#define LATER (DAY + 40 * 86400)
#define JOBS  5

static uint64_t turn_number;

static inline void begin_turn(struct turn_changes *turn)
{
    turn_changes_init(turn);
    turn->turn = ++turn_number;
}

static inline void commit(struct store *store, struct turn_changes *turn)
{
    const uint64_t number = turn->turn;

    store_commit(store, turn);
    rig_wait_until_committed(store, number);
}

/* Gives the job a body that is named as it should be, with a directory. */
static inline void note_body(struct turn_changes *turn, struct job_record *job)
{
    struct job_body body;
    struct blob bytes;
    uint8_t sha256[SHA256_BYTES];

    job_body_init(&body);
    body.work_dir = (char *)(uintptr_t) "/home/al|ice";
    bytes = schema_encode_blob(job_body_schema(), &body);
    crypt_sha256(bytes.data, bytes.n, sha256);
    job->body_sha256 = (struct blob){ xmemdup(sha256, SHA256_BYTES), SHA256_BYTES };
    rig_note_blob(turn, sha256, bytes.data, bytes.n);
    free(bytes.data);
}

/* Job `id` ran for an hour on 4 cpus, after an earlier run of half an hour when it is 1, and had
 * two steps. */
static inline void note_job(struct turn_changes *turn, uint32_t id)
{
    AUTO(job_record) struct job_record job;
    struct job_node *node;

    job_record_init(&job);
    job.spec = xcalloc(1, sizeof(*job.spec));
    job_spec_init(job.spec);
    job.id = id;
    job.uid = 1000;
    job.user_name = xstrdup("alice");
    job.spec->account = xstrdup("physics");
    job.spec->name = xstrdup("a|b\\c");
    job.state = JOB_COMPLETE;
    job.ncpus = 4;
    job.submit_time = job.eligible_time = job.start_time = DAY + id * HOUR;
    job.end_time = job.start_time + HOUR;
    node = ARRAY_PUSH(job.nodes, job.nodes_n);
    job_node_init(node);
    node->name = xstrdup("n1");
    note_body(turn, &job);
    if (id == 1) {
        job.end_time = job.start_time + HOUR / 2;
        job.launch_number = 1;
        rig_note(turn, CHANGE_RUN, job_record_schema(), &job, id, 0);
        turn->changes[turn->changes_n - 1].run = 1;
        job.launch_number = 2;
        job.restarts = 1;
        job.start_time += HOUR;
        job.end_time = job.start_time + HOUR;
    }
    for (uint32_t step_id = 0; step_id < 2; step_id++) {
        AUTO(step_record) struct step_record step;

        step_record_init(&step);
        step.job_id = id;
        step.step_id = step_id;
        step.launch_number = job.launch_number;
        step.state = STEP_ENDED;
        rig_note(turn, CHANGE_STEP, step_record_schema(), &step, id, step_id);
        turn->changes[turn->changes_n - 1].run = job.launch_number;
    }
    rig_note(turn, CHANGE_JOB, job_record_schema(), &job, id, 0);
    turn->changes[turn->changes_n - 1].run = job.launch_number;
    turn->changes[turn->changes_n - 1].is_end = true;
    rig_note(turn, CHANGE_JOB_RETIRE, NULL, NULL, id, 0);
    turn->changes[turn->changes_n - 1].run = job.launch_number;
}

static inline void fill(struct store *store, uint32_t jobs_n)
{
    struct turn_changes turn;

    begin_turn(&turn);
    for (uint32_t id = 1; id <= jobs_n; id++)
        note_job(&turn, id);
    commit(store, &turn);
}
