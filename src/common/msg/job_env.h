/*
 * job_env.h - the variables that tell of a job, its steps and its tasks: one table for all who set
 * them. Pure.
 *
 * A row of the table has a name, the environments that the variable is in, and what it is made of;
 * a name that means another thing elsewhere has a second row, and an old name is a row of its own.
 * Who makes an environment tells the facts that he has, and how he adds a variable to his list. A
 * variable without its fact is left out.
 *
 * Not here: what only the options of a command say (cli/submit/environment.h), the GRES of a task
 * (noded/stepd/task_gres.h), and what a program is told of its own occasion (mail, triggers).
 * Which variable is where was read off Slurm 22.05; SLURM_JOB_START_TIME and _END_TIME are of
 * later versions.
 */
#pragma once

#include <sys/types.h>

#include "common/msg/job.h"
#include "common/text/cpubind.h"
#include "common/text/membind.h"

/*
 * What follows in SLURM_WORKING_CLUSTER behind "NAME:HOST:PORT:": the number of Slurm's protocol
 * and that of its selection of nodes. Scripts cut the text at colons. The numbers are those
 * of 25.05 and of select/cons_tres.
 */
#define WORKING_CLUSTER_REST "11008:109"

enum job_env {
    JOB_ENV_REQUEST = 1,         /* what sbatch, salloc and srun send with a job: what was asked */
    JOB_ENV_SRUN = 1 << 1,       /* what srun sends with a step beside that: where it listens */
    JOB_ENV_BATCH = 1 << 2,      /* what the controller adds for a batch script */
    JOB_ENV_STEP = 1 << 3,       /* what it adds for the tasks of other steps */
    JOB_ENV_NODE = 1 << 4,       /* what a node adds for all of a step */
    JOB_ENV_BOUND = 1 << 5,      /* of cpus and memory: what srun asks, or what the node bound */
    JOB_ENV_TASK = 1 << 6,       /* what the node adds for each task */
    JOB_ENV_ALLOC = 1 << 7,      /* the command of salloc */
    JOB_ENV_HOOK = 1 << 8,       /* what the controller tells Prolog and Epilog */
    JOB_ENV_PROGRAM = 1 << 9,    /* what the node adds to that */
    JOB_ENV_CTLD = 1 << 10,      /* PrologSlurmctld and EpilogSlurmctld */
    JOB_ENV_ENDED = 1 << 11,     /* the same of a job that is over: Epilog, EpilogSlurmctld, mail */
    JOB_ENV_MAIL = 1 << 12,      /* MailProg */
    JOB_ENV_SRUN_JOB = 1 << 13,  /* SrunProlog and SrunEpilog, of a job that is srun's own */
    JOB_ENV_SRUN_STEP = 1 << 14, /* the same of any step */
};

struct job_env_counts {
    const uint32_t *at; /* one for each node; NULL: not known */
    uint32_t n;
};

/* One task, and its place in the step. */
struct job_env_task {
    const struct step_node *node;
    uint32_t node_index;
    uint32_t local; /* counts the node's tasks */
    pid_t pid;
};

/*
 * The facts that variables are made of, all borrowed. A fact that is not known is NULL, or
 * COUNT_UNSET for counts. The records that an environment is about must be given: none for a
 * request, the job and its spec for a job, and so on.
 */
struct job_env_facts {
    const struct job_record *job;
    const struct job_spec *spec; /* the job's, or what is asked */
    const struct job_body *body; /* the job's, of what an administrator's program is told */
    const struct step_record *step;
    const struct step_spec *step_spec; /* of that; NULL for a batch step */
    const struct step_record *sized;   /* the step, where its size is told */
    const char *name;                  /* of the job, where that is told */
    const char *absent;                /* for a text that the job has not; NULL: leave it out */

    const char *cluster, *conf_path;
    const char *controller; /* "host:port" */
    const char *context;    /* which program it is for */
    const char *distribution;
    struct job_env_counts cpus_per_node, tasks_per_node;
    uint32_t cpus_on_node;
    const char *node;  /* where it is made */
    const char *batch; /* the node of a batch script */
    const char *gpus;  /* the job's on a node, "0,2" */

    const char *launcher_host, *launcher_port; /* where srun listens */
    const struct job_env_task *task;
    const struct cpu_bind *cpu_bind;
    const struct mem_bind *mem_bind;
};

#define JOB_ENV_NO_FACTS                                                                           \
    {                                                                                              \
        .cpus_on_node = COUNT_UNSET                                                                \
    }

/* Takes a variable; both texts are borrowed until the function returns. */
typedef void job_env_add_fn(void *ctx, const char *name, const char *value);

/* Gives `add` all variables of one environment, or of several together (`in`: enum job_env). */
void job_env_make(unsigned in, const struct job_env_facts *facts, job_env_add_fn *add, void *ctx);

/* Returns the n-th name of the table, and its environments by ret_in; NULL after the last. */
const char *job_env_name(size_t n, unsigned *ret_in);

/* A list of "NAME=value" as messages have it. job_env_list_add appends to it. */
struct job_env_list {
    char **strings;
    uint32_t n;
};
job_env_add_fn job_env_list_add; /* ctx: struct job_env_list */
