/*
 * model.h - the cluster as the controller knows it: nodes, partitions, jobs, steps.
 *
 * Plain data with look-up; the rules are in ctld/control, and only ctld/control/jobfsm.c writes
 * job->rec.state. What is durable about a thing is its record (a message that the store keeps);
 * what stands beside the record is derived or lives only as long as the process.
 */
#pragma once

#include <uthash.h>

#include "common/base/bitset.h"
#include "common/msg/hook.h"
#include "common/msg/job.h"
#include "common/msg/node.h"
#include "common/text/acct_enforce.h"
#include "common/text/health_states.h"
#include "common/text/sched_params.h"
#include "common/text/tres_weights.h"
#include "ctld/model/request.h"

/* TopologyPlugin. Without a tree, node numbers tell which nodes are neighbours. */
enum topology { TOPOLOGY_FLAT, TOPOLOGY_TREE };

/* PriorityFlags. */
enum priority_flags {
    PRIORITY_ACCRUE_ALWAYS = 1,
    PRIORITY_CALCULATE_RUNNING = 2,
    PRIORITY_DEPTH_OBLIVIOUS = 4,
    PRIORITY_NO_FAIR_TREE = 8,
    PRIORITY_INCR_ONLY = 16,
    PRIORITY_MAX_TRES = 32,
    PRIORITY_NO_NORMAL_ASSOC = 64, /* NO_NORMAL_ALL is these four */
    PRIORITY_NO_NORMAL_PART = 128,
    PRIORITY_NO_NORMAL_QOS = 256,
    PRIORITY_NO_NORMAL_TRES = 512,
    PRIORITY_SMALL_RELATIVE_TO_TIME = 1024,
};

/* PriorityUsageResetPeriod. */
enum priority_reset {
    PRIORITY_RESET_NONE,
    PRIORITY_RESET_NOW,
    PRIORITY_RESET_DAILY,
    PRIORITY_RESET_WEEKLY,
    PRIORITY_RESET_MONTHLY,
    PRIORITY_RESET_QUARTERLY,
    PRIORITY_RESET_YEARLY,
};

/* The Priority keys of slurm.conf. */
struct priority_config {
    bool multifactor; /* PriorityType=priority/multifactor, not priority/basic */
    bool favor_small;
    uint32_t flags; /* enum priority_flags */
    uint32_t weight_age, weight_assoc, weight_fair_share, weight_job_size, weight_partition,
        weight_qos;
    struct tres_weights weight_tres;
    int64_t max_age_s, calc_period_s;
    int64_t decay_half_life_s; /* 0: usage does not decay */
    uint32_t reset;            /* enum priority_reset */
    uint32_t dampening;        /* FairShareDampeningFactor; 0 is 1 */
};

/* EnforcePartLimits: whether a partition's limits refuse a job or let it wait. */
enum enforce_limits { ENFORCE_NO, ENFORCE_ANY, ENFORCE_ALL };

/* What PrivateData keeps from users, as bits; what else it has is the listings' matter. */
enum private_data {
    PRIVATE_ACCOUNTS = 1,
    PRIVATE_USERS = 2,
    PRIVATE_USAGE = 4,
    PRIVATE_JOBS = 8,
    PRIVATE_EVENTS = 16,
    PRIVATE_RESERVATIONS = 32,
};

/* The part of slurm.conf that control needs; strings and arrays owned. */
struct model_config {
    char *cluster_name;
    char *slurm_user;
    uint32_t slurm_uid;      /* the configuration has but the name: who makes this fills it in */
    int64_t resv_over_run_s; /* ResvOverRun; LIMIT_INFINITE: jobs may stay */
    bool user_triggers;      /* SlurmctldParameters=allow_user_triggers */
    struct node_info *nodes; /* configured members only, by name */
    uint32_t nodes_n;
    struct partition_info *partitions;
    uint32_t partitions_n;
    uint32_t select;          /* enum select_flags */
    bool kill_invalid_depend; /* a job whose dependency can not be fulfilled is cancelled */
    bool backfill;            /* sched/backfill, not sched/builtin */
    struct sched_params sched;
    struct priority_config priority;
    uint32_t topology;            /* enum topology */
    struct switch_info *switches; /* of a tree, those below before those above */
    uint32_t switches_n;
    struct license_info *licenses; /* of Licenses=; `used` is not kept here */
    uint32_t licenses_n;
    char *accounting_tres;  /* AccountingStorageTRES: names with commas */
    uint32_t acct_enforce;  /* AccountingStorageEnforce: enum acct_enforce */
    bool has_slurmdbd;      /* AccountingStorageType=accounting_storage/slurmdbd */
    char *default_qos;      /* DefaultQOS of slurmdbd.conf: names with commas; NULL: none */
    uint32_t max_query_min; /* MaxQueryTimeRange there; 0: any */
    uint32_t private_data;  /* PrivateData: enum private_data */
    char **gres_types;      /* GresTypes */
    uint32_t gres_types_n;
    uint32_t enforce_part_limits; /* enum enforce_limits */
    bool allow_spec_resources;    /* AllowSpecResourcesUsage: jobs may ask for --core-spec */
    uint32_t kill_wait_s;
    uint32_t min_job_age_s;
    uint32_t slurmd_timeout_s;
    uint32_t client_grace_s;  /* how long a step outlives its srun */
    bool inactive_limit;      /* and an allocation its salloc: that is InactiveLimit */
    uint32_t complete_wait_s; /* CompleteWait: how long others wait for nodes of a job that ended */
    uint32_t return_to_service;
    uint32_t first_job_id, max_job_id, max_job_count;
    uint32_t max_array_size; /* MaxArraySize: numbers of tasks are below it */
    uint32_t controller_port;
    char *controller_host;                         /* of this controller, SLURMCTLD_HOST */
    char *conf_path;                               /* SLURM_CONF of jobs */
    bool track_wckey;                              /* TrackWCKey */
    bool requeue;                                  /* JobRequeue */
    uint32_t requeue_delay_s;                      /* how long a requeued job waits at least */
    struct bitset requeue_exit, requeue_exit_hold; /* exit codes of scripts, by number */
    bool kill_on_bad_exit;
    bool oom_kill_step;     /* TaskPluginParam, of steps that say nothing */
    uint32_t task_bind;     /* TaskPluginParam: enum cpu_bind_kind, of steps that say nothing */
    bool task_bind_verbose; /* the same */
    bool has_prolog, has_epilog; /* PrologSlurmctld, EpilogSlurmctld */
    bool prolog_alloc;           /* PrologFlags=Alloc: it runs when a job gets its nodes */
    bool prolog_contain;         /* Contain: and with it the step `extern` */
    bool prolog_no_hold;         /* NoHold: salloc and srun do not wait for it */
    bool prolog_defer_batch;     /* DeferBatch: nor is a script sent off before it is over */
    bool prolog_force_requeue;   /* ForceRequeueOnFail */
    uint32_t health_interval_s;  /* HealthCheckInterval; 0: none */
    uint32_t health_states;      /* enum health_states */
    uint32_t resume_timeout_s;   /* ResumeTimeout: of nodes that are rebooted */
    bool trust_conf; /* SlurmdParameters=config_overrides: what nodes report does not matter */
};
void model_config_clear(struct model_config *config);

struct node {
    struct node_record rec;
    uint32_t index;               /* in model->nodes */
    const struct node_info *conf; /* its row of the configuration */
    char **features;              /* the active ones of conf, split */
    uint32_t features_n;
    bool invalid;            /* its machine has less than configured, and that counts */
    bool online;             /* has a session */
    uint32_t hooks;          /* enum node_hooks */
    int64_t seen_ms;         /* cluster time of the last sign of life, or of the start */
    uint32_t load_percent;   /* COUNT_UNSET until told */
    uint64_t free_memory_mb; /* MB_UNSET until told */
    char *address;           /* of its session */
    char *resv_name;         /* of an open reservation that has it, wholly or in part; NULL: none */
    bool in_maint;           /* one that has it is for maintenance */
    char *noted;             /* its state, as the last event told it; see control/event.h */
    struct bitset cpus_used; /* by jobs that hold the node */
    uint16_t *cpu_jobs;      /* how many of them, for each cpu */
    uint64_t memory_used_mb;
    uint64_t *gres_used;        /* for each row of conf->devices */
    struct bitset devices_used; /* numbered through the rows: see gres.h */
    uint32_t jobs_n;            /* that hold it, completing ones included */
    uint32_t completing_n;      /* jobs that have ended and are not clean here yet */
    uint32_t completing_cpus;
    UT_hash_handle hh;
};

struct partition {
    const struct partition_info *conf;
    uint32_t index;
    uint32_t node_cpus; /* of the largest node */
    struct bitset nodes;
};

struct step {
    struct step_record rec;
    struct step_request request; /* what rec.spec comes to, while it waits; control/step/want.h */
    struct job *job;
    struct step *next, *prev; /* of the same job, rising numbers (utlist) */
    struct step *live_next;   /* of job->live, rising numbers */
    uint32_t clients_n;       /* streams that follow it */
    int64_t client_due_ms;    /* cluster time at which it ends unless one comes back; 0: never */
    char *token_key;          /* job and spec.token, NULL: none */
    UT_hash_handle by_token;
};

struct body;
struct limit_pot;

struct job {
    struct job_record rec;
    struct body *body;          /* that rec.body_sha256 names; see body.h */
    struct job_request request; /* what rec.spec comes to; see control/request/request.h */
    struct step *steps;
    struct step *live;                   /* all of them that have not ended, and some that have */
    struct array *array;                 /* it is, or stands for, tasks of; NULL: of none */
    struct bitset tasks;                 /* these of them */
    struct bitset told;                  /* those that the planner knows as waiting (feed.c) */
    struct job *array_next, *array_prev; /* of array->jobs (utlist) */
    struct namesakes *namesakes;         /* jobs of its owner with its name; never NULL */
    struct job *namesake_next, *namesake_prev; /* of namesakes->jobs (utlist) */
    uint32_t partition;      /* index of rec.partition, PARTITION_NONE: it is gone */
    uint32_t *nodes;         /* indexes of rec.nodes, same order; NODE_NONE: not in the model */
    uint32_t clients_n;      /* streams that follow it */
    bool told_queued;        /* they know that it waits */
    bool client_closed;      /* the last of them did, an srun's */
    int64_t client_due_ms;   /* cluster time at which it ends unless one comes back; 0: never */
    char *token_key;         /* owner and spec.token, NULL: none */
    struct limit_pot **pots; /* of limits that count it; owned; ctld/control/limit/count.h */
    uint32_t pots_n;
    uint32_t counted_n; /* as so many jobs */
    UT_hash_handle hh;
    UT_hash_handle by_token;
};

#define NODE_NONE      UINT32_MAX
#define PARTITION_NONE UINT32_MAX

/*
 * A job array, as long as a record stands for one of its tasks. A task has a record of its own from
 * its start on, or when it is touched alone; until then one record stands for many.
 */
struct array {
    uint32_t id;
    struct job *jobs;  /* that stand for its tasks, in order of arrival */
    struct job **task; /* by number: which of them stands for it; NULL: none (any more) */
    uint32_t tasks_n;  /* numbers are below */
    uint32_t active_n; /* tasks that run; counted by jobfsm.c */
    uint32_t told_n;   /* tasks that the planner may start; counted by feed.c */
    UT_hash_handle hh;
};

/* The jobs of one user that have the same name. */
struct namesakes {
    char *key;
    struct job *jobs;  /* in order of arrival */
    uint32_t *waiting; /* ids of those that wait for being alone (depend.c); some may be over */
    uint32_t waiting_n;
    UT_hash_handle hh;
};

struct exempt;

struct model {
    struct model_config config;
    struct node *nodes;
    uint32_t nodes_n;
    struct node *node_by_name; /* uthash */
    struct partition *partitions;
    uint32_t partitions_n;
    struct license_info *licenses; /* those of config, then shares of resources; see license.h */
    uint32_t licenses_n;
    struct exempt *exempt;       /* uthash by the QOS' name; see exempt.h */
    struct job *jobs;            /* uthash by rec.id, in order of arrival */
    struct job *job_by_token;    /* uthash */
    struct step *step_by_token;  /* uthash */
    struct body *bodies;         /* uthash by name */
    struct array *arrays;        /* uthash by id */
    struct namesakes *namesakes; /* uthash by key */
    uint32_t next_job_id;        /* the first that may be free; above MaxJobId: they begin again */
    uint32_t id_round;           /* rises when they do */
    uint32_t first_round;        /* what it was before: not 0 where the history has ids of others */
    uint32_t ids_owed;           /* tasks that have no job id of their own yet */
    uint64_t version;            /* rises with every change the planner must know */
    uint64_t jobs_dropped; /* jobs freed so far: until there is another, who found a job has it */
};

/*
 * Takes the configuration over (also on failure) and fills in what it leaves open about a node's
 * hardware. A node begins with the record that its row holds. Fails on a partition that names an
 * unknown node, and such.
 */
int model_new(struct model_config *config, struct model **ret, struct err *err);
struct model *model_free(struct model *model);

struct node *model_node(const struct model *model, uint32_t index);

struct node *model_find_node(const struct model *model, const char *name);
struct partition *model_find_partition(const struct model *model, const char *name);
struct partition *model_default_partition(const struct model *model); /* NULL: none */
struct job *model_find_job(const struct model *model, uint32_t job_id);
struct array *model_find_array(const struct model *model, uint32_t array_job_id);

/* Returns the record that stands for the task; NULL: none. */
struct job *model_find_task(const struct model *model, uint32_t array_job_id, uint32_t task);
struct step *job_find_step(const struct job *job, uint32_t step_id);

/* Returns the job of a token, which a client that lost the answer sends again; NULL finds none. */
struct job *model_find_token(const struct model *model, uint32_t uid, const char *token);
struct step *model_find_step_token(const struct model *model, uint32_t job_id, const char *token);

/* Adds a job, without holding nodes for it. The record is copied, the body shared. */
struct job *model_add_job(struct model *model, const struct job_record *rec, struct body *body);

/* Adds a job, which takes over what the record owns; the record is left empty. */
struct job *model_take_job(struct model *model, struct job_record *rec, struct body *body);
void model_drop_job(struct model *model, struct job *job);

/* Notes that the job has another name than when it was added. */
void model_name_changed(struct model *model, struct job *job);

/* Lets the record of waiting tasks stand for these from now on, at least one. */
void model_set_tasks(struct model *model, struct job *job, const struct bitset *tasks);

/* Makes the record of one waiting task that task's own. */
void model_make_task(struct model *model, struct job *job);

/* Moves all jobs with their steps to a model of another configuration; it needs model_hold_nodes
 * after that. */
void model_move_jobs(struct model *to, struct model *from);

/* Adds a step to the job; the record is copied. */
struct step *model_add_step(struct model *model, struct job *job, const struct step_record *rec);

/* Drops the ended steps of a job that begins another run. */
void model_drop_ended_steps(struct model *model, struct job *job);

/* Makes a step that had ended alive again. */
void job_revive_step(struct step *step);

/*
 * Finds rec.nodes in the model, and the cpus and memory of `job` on those that are not clean become
 * used. model_free_node undoes that for one of them; it does not touch the record. Nodes that are
 * leaving are held too, as COMPLETING ones.
 */
void model_hold_nodes(struct model *model, struct job *job);
void model_free_node(struct model *model, struct job *job, uint32_t position);

/* Lets nodes of a running job leave from now on: those that are not in `keep`, by position. */
void model_part_nodes(struct model *model, struct job *job, const struct bitset *keep);

/* Frees what one of rec.leaving holds, and returns the place, which is the caller's. */
struct job_node model_free_leaving(struct model *model, struct job *job, uint32_t index);

/* Makes the nodes of a job that has ended COMPLETING until they are freed. To be called before
 * rec.flags says so. */
void model_begin_completing(struct model *model, struct job *job);

/* Forgets where a job was that waits again. */
void job_forget_nodes(struct job *job);

/* Returns state and flags as sinfo shows them, derived from record, session and jobs. */
void node_display_state(const struct node *node, uint32_t *ret_state, uint32_t *ret_flags);
bool node_is_usable(const struct node *node);     /* may be given new work now */
bool node_takes_work(const struct node *node);    /* may be, once it answers */
bool node_is_future(const struct node *node);     /* State=FUTURE: not there yet */
bool node_is_known(const struct node *node);      /* has registered, now or before a restart */
uint32_t node_cpus_used(const struct node *node); /* by jobs that run */
uint64_t node_memory_for_jobs(const struct node *node);

/*
 * Find the nodes of a host list in the model. For a name that is no node's the first fails with
 * E_NODE_NAME, the second passes over it. Both fail with E_SYNTAX or E_TOO_BIG. `ret` must be
 * empty.
 */
int model_node_set(const struct model *model, const char *hosts, struct bitset *ret,
                   struct err *err);
int model_known_nodes(const struct model *model, const char *hosts, struct bitset *ret,
                      struct err *err);

/* Returns the names of the nodes as a host list, "" where there are none; the caller's. */
char *model_node_names(const struct model *model, const struct bitset *nodes);

/* Returns how many jobs the record stands for: one, or all tasks of a set. */
static inline uint32_t job_jobs_n(const struct job *job)
{
    return job_is_task_set(&job->rec) ? bitset_count(&job->tasks) : 1;
}

/* True for priority 0: the job is not started, whatever is free, or if it runs, not again. */
static inline bool job_is_held(const struct job *job)
{
    return job->rec.priority == 0;
}
