/*
 * dbd_conf.h - slurmdbd.conf, which stands in the directory of slurm.conf.
 *
 * slurmdbd acts on all of it. A controller keeps its history itself and reads there for how long.
 */
#pragma once

#include "common/conf/age.h"
#include "common/conf/slurm_conf.h"

enum conf_dbd_storage {
    CONF_DBD_SQLITE,
    CONF_DBD_MYSQL,
};

struct conf_dbd {
    char *host;        /* DbdHost: where it runs */
    char *addr;        /* DbdAddr: how it is reached; NULL: by DbdHost */
    char *backup_host; /* where another one serves when the first does not; NULL: none */
    uint32_t port;
    char *user; /* SlurmUser */
    char *log_file, *pid_file;
    uint32_t debug; /* enum log_level */
    char *auth_info;
    uint32_t private_data; /* CONF_PRIVATE_ */
    bool track_wckey;
    bool allows_no_default; /* AllowNoDefAcct: users need no default account */
    char *default_qos;      /* of a cluster that is added; NULL: "normal" */
    uint32_t max_query_min; /* MaxQueryTimeRange: of what users ask for; CONF_UNLIMITED: any */
    uint32_t storage;       /* enum conf_dbd_storage */
    char *storage_loc;
    /* Of a server, for mysql. */
    char *storage_host, *storage_backup_host, *storage_user, *storage_pass, *storage_pass_script,
        *storage_parameters;
    uint32_t storage_port; /* 0: the usual one */
    /* How long the history is kept, and whether what leaves it is written to a file before. */
    struct conf_age jobs, steps, events, transactions, usage;
    bool archive_jobs, archive_steps, archive_events, archive_transactions, archive_usage;
    char *archive_dir;
    char *archive_script; /* run instead of writing archives; NULL: none */
    bool refuses_archive; /* DisableArchiveCommands: nobody dumps or loads by sacctmgr */
    bool is_there;        /* there is such a file */
};

/*
 * Reads slurmdbd.conf beside slurm.conf, whose path is `conf_path`. Without the file all has its
 * default. Fails naming file, line and column; *ret is set in any case, to be cleared, and has
 * defaults after a failure. `notes` may be NULL.
 */
int conf_dbd_load(const char *conf_path, conf_read_fn read, void *ctx, struct conf_notes *notes,
                  struct conf_dbd *ret, struct err *err);
void conf_dbd_clear(struct conf_dbd *dbd);
void conf_dbd_auto_(struct conf_dbd *dbd);
