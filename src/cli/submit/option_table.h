/* option_table.h - the rows behind options.h; private to this folder and its tests. */
#pragma once

#include "cli/lib/args.h"
#include "cli/submit/options.h"

struct option_row;

/* What we do with an option. Most options have the first effect. */
enum option_effect {
    OPTION_ACTS,
    OPTION_MET,     /* what it asks for is so anyway */
    OPTION_NOTED,   /* checked and kept where the job can see it, with a warning: has no effect */
    OPTION_REFUSED, /* leaving it out would give another result */
};

/* Sets what the option says; `value` is NULL when the option has none. */
typedef int option_set_fn(struct submit_options *options, const struct option_row *row,
                          const char *value, struct err *err);

struct option_row {
    const char *name;
    char letter;
    uint8_t commands; /* enum submit_command, added up */
    uint8_t need;     /* enum arg_need */
    option_set_fn *set;
    size_t at;         /* of the member; rows with the same one override each other */
    const char *value; /* for the help text: what stands for the value */
    const char *help;  /* or, for another name of an option, NULL: then `value` is its first name */
    uint8_t effect;    /* enum option_effect; if it does not act, `help` says why */
};

#define NO_MEMBER SIZE_MAX

extern const struct option_row option_rows[];
extern const uint32_t option_rows_n;

/* Variables that stand for options. A later row overrides an earlier one. */
struct option_variable {
    const char *name;
    uint8_t commands;
    const char *option;
};

extern const struct option_variable option_variables[];
extern const uint32_t option_variables_n;

/* Returns this command's row with that name in full, or NULL. */
const struct option_row *option_row_find(enum submit_command command, const char *name);

option_set_fn option_set_flag;         /* bool */
option_set_fn option_set_more;         /* uint32_t, one more each time; or the number given */
option_set_fn option_set_level;        /* uint32_t, enum log_level */
option_set_fn option_set_text;         /* char * */
option_set_fn option_set_text_or_none; /* char *, "" without a value */
option_set_fn option_set_name;         /* char *, NULL for an empty one */
option_set_fn option_set_stdio;        /* char *, "none" is /dev/null */
option_set_fn option_set_directory;    /* char *, made absolute */
option_set_fn option_set_count;        /* uint32_t, 1 .. INT32_MAX */
option_set_fn option_check_count;      /* the same, and not kept */
option_set_fn option_set_count0;       /* uint32_t, 0 .. INT32_MAX */
option_set_fn option_set_memory;       /* uint64_t, megabytes */
option_set_fn option_set_limit;        /* int64_t, seconds */
option_set_fn option_set_hosts;        /* char *, a list or a file of names */
option_set_fn option_set_host_file;    /* char * */
option_set_fn option_set_nodes;
option_set_fn option_set_begin;
option_set_fn option_set_kill_invalid;
option_set_fn option_set_signal;
option_set_fn option_set_kill_command;
option_set_fn option_set_get_user_env; /* char *, "" without a value */
option_set_fn option_set_exclusive;
option_set_fn option_set_oversubscribe;
option_set_fn option_set_nice;
option_set_fn option_set_priority;
option_set_fn option_set_requeue;
option_set_fn option_set_no_requeue;
option_set_fn option_set_no_kill;
option_set_fn option_set_open_mode;
option_set_fn option_set_mail_type;
option_set_fn option_set_propagate;
option_set_fn option_set_immediate;
option_set_fn option_set_bad_exit;
option_set_fn option_set_oom_kill;
option_set_fn option_set_cpu_bind;
option_set_fn option_set_mpi;
option_set_fn option_set_yes;
option_set_fn option_set_no;

option_set_fn option_set_nothing; /* any value is fine, and goes nowhere */

/* option_noted.c */
option_set_fn option_set_acctg_freq;
option_set_fn option_set_cpu_freq;
option_set_fn option_set_gpu_bind;
option_set_fn option_set_program; /* a path made full, or "none" */
option_set_fn option_set_mem_bind;
option_set_fn option_set_profile;
option_set_fn option_set_delay_boot;
option_set_fn option_set_wait_all_nodes;
option_set_fn option_set_reboot;
option_set_fn option_set_uid; /* option_user.c */
option_set_fn option_set_gid;

/* option_place.c */
option_set_fn option_set_distribution;
option_set_fn option_set_hint;
option_set_fn option_set_extra_node_info;
option_set_fn option_set_switches;
option_set_fn option_set_gres;
option_set_fn option_set_gpus; /* char *, types and counts */
option_set_fn option_set_gres_flags;

/* Sets what these options come to in the request, after all sources were read. */
void option_apply_hints(struct submit_options *options);
void option_apply_node_info(struct submit_options *options);
int option_apply_gres(struct submit_options *options, struct err *err);
/* Becomes the user and group of --uid and --gid for good, for the controller as for files. */
int option_become_user(const struct submit_options *options, struct err *err);
int option_apply_listed(struct submit_options *options, struct err *err); /* option_listed.c */
