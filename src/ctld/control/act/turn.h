/*
 * turn.h - what one turn of the loop decided: changes to keep, and effects that wait for them.
 *
 * Control notes; the dispatcher commits the changes and lets the effects go when the turn is on
 * disk. Effects are never the only copy of an intention: after a restart control derives them
 * again from the model (control_node_register, control_attach).
 */
#pragma once

#include "common/msg/change.h"
#include "common/msg/job.h"
#include "common/msg/mail.h"
#include "common/msg/node.h"
#include "common/msg/types.h"

enum effect_kind {
    EFFECT_ORDER, /* send `type` to the session of `node`, if it has one */
    EFFECT_EVENT, /* send `type` to whoever follows job_id (and step_id) */
};

struct effect {
    enum effect_kind kind;
    char *node;
    uint32_t job_id;
    uint32_t step_id; /* COUNT_UNSET: the job's own stream */
    bool last;        /* of an event: the stream ends with it */
    uint32_t type;    /* enum msg_type */
    void *msg;        /* of msg_schema(type), owned; ORDER_LAUNCH without its signature yet */
};

/* Programs of the administrator on the controller's host. */
enum job_program { JOB_PROGRAM_PROLOG, JOB_PROGRAM_EPILOG };

/* A program of a job that is to be run; control_program_over hears of its end. */
struct program_order {
    enum job_program kind;
    uint32_t job_id, launch_number;
    char **environment; /* NAME=value */
    uint32_t environment_n;
};

/* A program of a trigger that is to be run. */
struct trigger_order {
    uint32_t id, uid;
    char *program;  /* with arguments of its own */
    char *argument; /* what the event is about */
};

/* ResvProlog or ResvEpilog of a reservation is to be run. */
struct reservation_order {
    char *name;
    bool is_over; /* its time is: ResvEpilog */
};

struct turn {
    struct turn_changes changes;
    struct effect *effects;
    uint32_t effects_n;
    struct mail *mails; /* without their program */
    uint32_t mails_n;
    struct program_order *programs;
    uint32_t programs_n;
    struct trigger_order *triggers;
    uint32_t triggers_n;
    struct reservation_order *reservations;
    uint32_t reservations_n;
};

void turn_init(struct turn *turn);
void turn_clear(struct turn *turn);

/* Notes a record, which is encoded at once and stays the caller's. A thing that is noted again in
 * the same turn replaces what was noted before: one write for each thing. */
void turn_note_job(struct turn *turn, const struct job_record *job);
/* Notes a job's record at the moment of its end, once for each job. */
void turn_note_job_end(struct turn *turn, const struct job_record *job,
                       const struct job_body *body);

/* Notes a run of a job that waits again: `job` as that run ended, with state and time. */
void turn_note_run(struct turn *turn, const struct job_record *job, const struct job_body *body);
/* Notes a job of long ago, or an earlier run of one, which is not in memory: JobComp is not told. A
 * job may have no end: then it goes on in reports until somebody ends it. */
void turn_note_past(struct turn *turn, const struct job_record *job, bool is_earlier_run);

/* Changes the record of a job or run that may have left memory: on disk, where it is. */
struct job_amendment;
void turn_note_amendment(struct turn *turn, uint32_t job_id, uint32_t run,
                         const struct job_amendment *amendment);
void turn_note_job_retired(struct turn *turn, const struct job_record *job);
void turn_note_step(struct turn *turn, const struct step_record *step);
void turn_note_cluster_event(struct turn *turn, const struct cluster_event *event);
struct sums_whole;
void turn_note_sums(struct turn *turn, const struct sums_whole *whole);
void turn_note_node(struct turn *turn, const struct node_record *node);
void turn_note_kept(struct turn *turn, const struct kept_kind *kind, const void *record);
void turn_note_kept_gone(struct turn *turn, const struct kept_kind *kind, const char *key);
struct event_record;
void turn_note_event(struct turn *turn, const struct event_record *event);

/* Removes what is old from the history, wherever it is kept. */
void turn_note_purge(struct turn *turn, const struct purge_record *purge);
void turn_note_number(struct turn *turn, const char *name, int64_t number);
void turn_note_blob(struct turn *turn, const uint8_t sha256[SHA256_BYTES], const void *data,
                    uint32_t n);

/* The same for an encoded job_body, which is a blob too. */
void turn_note_body(struct turn *turn, const uint8_t sha256[SHA256_BYTES], const void *data,
                    uint32_t n);

/* Send a message to a node, or to who follows a job, after the commit. `msg` is taken over: a
 * struct of msg_schema(type) from the heap. */
void turn_order(struct turn *turn, const char *node, uint32_t type, void *msg);
void turn_event(struct turn *turn, uint32_t job_id, uint32_t step_id, uint32_t type, void *msg,
                bool last);

/* Names under which turns keep numbers. */
#define CONTROL_NUMBER_CLUSTER_MS    "cluster_ms"
#define CONTROL_NUMBER_NEXT_JOB      "next_job"
#define CONTROL_NUMBER_ID_ROUND      "id_round"
#define CONTROL_NUMBER_FIRST_ROUND   "first_round"
#define CONTROL_NUMBER_NEXT_PRIORITY "next_priority"
#define CONTROL_NUMBER_RECONFIGURED  "reconfigured_ms"
#define CONTROL_NUMBER_INCARNATION   "incarnation"
#define CONTROL_NUMBER_USAGE_RESET   "usage_reset_s"
#define CONTROL_NUMBER_ACCT_OWNER    "acct_owner"
