/*
 * tables.h - the tables of a slurmdbd's database: which there are, and which of their columns are
 * looked at, under the names that versions from 22.05 to 25.05 give them.
 *
 * Columns that only some versions have are absent in rows of others; a column that is needed and
 * not there is an error, whatever version the database says it has.
 */
#pragma once

#include "cli/import/dump.h"

/* X(NAME, words in the file's name, of a cluster, needed in every database). Of two names that are
 * equal at their ends the longer one stands first. */
#define FOREIGN_TABLES(X)                                                                          \
    X(CLUSTER, "cluster_table", false, true)                                                       \
    X(TRES, "tres_table", false, true)                                                             \
    X(ACCOUNT, "acct_table", false, true)                                                          \
    X(USER, "user_table", false, true)                                                             \
    X(COORD, "acct_coord_table", false, true)                                                      \
    X(QOS, "qos_table", false, true)                                                               \
    X(VERSION, "convert_version_table", false, false)                                              \
    X(RESOURCE, "res_table", false, false)                                                         \
    X(FEDERATION, "federation_table", false, false)                                                \
    X(TRANSACTION, "txn_table", false, false)                                                      \
    X(ASSOC, "_assoc_table", true, true)                                                           \
    X(WCKEY, "_wckey_table", true, false)                                                          \
    X(JOB, "_job_table", true, true)                                                               \
    X(STEP, "_step_table", true, true)                                                             \
    X(SUSPEND, "_suspend_table", true, false)                                                      \
    X(EVENT, "_event_table", true, false)                                                          \
    X(RESV, "_resv_table", true, false)                                                            \
    X(SCRIPT, "_job_script_table", true, false)                                                    \
    X(ENVIRONMENT, "_job_env_table", true, false)                                                  \
    X(USAGE_HOUR, "_assoc_usage_hour_table", true, false)                                          \
    X(USAGE_DAY, "_assoc_usage_day_table", true, false)                                            \
    X(USAGE_MONTH, "_assoc_usage_month_table", true, false)                                        \
    X(WCKEY_MONTH, "_wckey_usage_month_table", true, false)                                        \
    X(CLUSTER_HOUR, "_usage_hour_table", true, false)

#define FOREIGN_TABLE_ENUM(name, words, of_cluster, needed) FOREIGN_##name,
enum foreign_table { FOREIGN_TABLES(FOREIGN_TABLE_ENUM) FOREIGN_TABLES_N };
#undef FOREIGN_TABLE_ENUM

/* X(column, needed), of each table */
#define CLUSTER_COLUMNS(X)                                                                         \
    X(deleted, 1)                                                                                  \
    X(name, 1)                                                                                     \
    X(classification, 0)                                                                           \
    X(features, 0)
#define TRES_COLUMNS(X)                                                                            \
    X(id, 1)                                                                                       \
    X(type, 1)                                                                                     \
    X(name, 1)
#define ACCOUNT_COLUMNS(X)                                                                         \
    X(deleted, 1)                                                                                  \
    X(name, 1)                                                                                     \
    X(description, 1)                                                                              \
    X(organization, 1)                                                                             \
    X(flags, 0)
#define USER_COLUMNS(X)                                                                            \
    X(deleted, 1)                                                                                  \
    X(name, 1)                                                                                     \
    X(admin_level, 1)
#define COORD_COLUMNS(X)                                                                           \
    X(deleted, 1)                                                                                  \
    X(acct, 1)                                                                                     \
    X(user, 1)
#define VERSION_COLUMNS(X) X(version, 1)
#define RESOURCE_COLUMNS(X)                                                                        \
    X(deleted, 0)                                                                                  \
    X(name, 1)
#define FEDERATION_COLUMNS(X)                                                                      \
    X(deleted, 0)                                                                                  \
    X(name, 1)
#define TRANSACTION_COLUMNS(X) X(id, 0)
#define QOS_COLUMNS(X)                                                                             \
    X(deleted, 1)                                                                                  \
    X(id, 1)                                                                                       \
    X(name, 1)                                                                                     \
    X(description, 0)                                                                              \
    X(flags, 0)                                                                                    \
    X(grace_time, 0)                                                                               \
    X(preempt, 0)                                                                                  \
    X(preempt_mode, 0)                                                                             \
    X(preempt_exempt_time, 0)                                                                      \
    X(priority, 0)                                                                                 \
    X(usage_factor, 0)                                                                             \
    X(usage_thres, 0)                                                                              \
    X(limit_factor, 0)                                                                             \
    X(max_jobs_pa, 0)                                                                              \
    X(max_jobs_per_user, 0)                                                                        \
    X(max_jobs_accrue_pa, 0)                                                                       \
    X(max_jobs_accrue_pu, 0)                                                                       \
    X(min_prio_thresh, 0)                                                                          \
    X(max_submit_jobs_pa, 0)                                                                       \
    X(max_submit_jobs_per_user, 0)                                                                 \
    X(max_tres_pa, 0)                                                                              \
    X(max_tres_pj, 0)                                                                              \
    X(max_tres_pn, 0)                                                                              \
    X(max_tres_pu, 0)                                                                              \
    X(max_tres_mins_pj, 0)                                                                         \
    X(max_tres_run_mins_pa, 0)                                                                     \
    X(max_tres_run_mins_pu, 0)                                                                     \
    X(min_tres_pj, 0)                                                                              \
    X(max_wall_duration_per_job, 0)                                                                \
    X(grp_jobs, 0)                                                                                 \
    X(grp_jobs_accrue, 0)                                                                          \
    X(grp_submit_jobs, 0)                                                                          \
    X(grp_tres, 0)                                                                                 \
    X(grp_tres_mins, 0)                                                                            \
    X(grp_tres_run_mins, 0)                                                                        \
    X(grp_wall, 0)
#define ASSOC_COLUMNS(X)                                                                           \
    X(deleted, 1)                                                                                  \
    X(is_def, 1)                                                                                   \
    X(id_assoc, 1)                                                                                 \
    X(user, 1)                                                                                     \
    X(acct, 1)                                                                                     \
    X(partition, 1)                                                                                \
    X(parent_acct, 1)                                                                              \
    X(id_parent, 0)                                                                                \
    X(comment, 0)                                                                                  \
    X(flags, 0)                                                                                    \
    X(shares, 1)                                                                                   \
    X(max_jobs, 0)                                                                                 \
    X(max_jobs_accrue, 0)                                                                          \
    X(min_prio_thresh, 0)                                                                          \
    X(max_submit_jobs, 0)                                                                          \
    X(max_tres_pj, 0)                                                                              \
    X(max_tres_pn, 0)                                                                              \
    X(max_tres_mins_pj, 0)                                                                         \
    X(max_tres_run_mins, 0)                                                                        \
    X(max_wall_pj, 0)                                                                              \
    X(grp_jobs, 0)                                                                                 \
    X(grp_jobs_accrue, 0)                                                                          \
    X(grp_submit_jobs, 0)                                                                          \
    X(grp_tres, 0)                                                                                 \
    X(grp_tres_mins, 0)                                                                            \
    X(grp_tres_run_mins, 0)                                                                        \
    X(grp_wall, 0)                                                                                 \
    X(priority, 0)                                                                                 \
    X(def_qos_id, 0)                                                                               \
    X(qos, 0)                                                                                      \
    X(delta_qos, 0)
#define WCKEY_COLUMNS(X)                                                                           \
    X(deleted, 1)                                                                                  \
    X(is_def, 0)                                                                                   \
    X(wckey_name, 1)                                                                               \
    X(user, 1)
#define SUSPEND_COLUMNS(X)                                                                         \
    X(job_db_inx, 1)                                                                               \
    X(time_start, 1)                                                                               \
    X(time_end, 1)
#define RESV_COLUMNS(X)                                                                            \
    X(deleted, 0)                                                                                  \
    X(id_resv, 1)                                                                                  \
    X(resv_name, 1)
#define SCRIPT_COLUMNS(X)                                                                          \
    X(hash_inx, 1)                                                                                 \
    X(batch_script, 1)
#define ENVIRONMENT_COLUMNS(X)                                                                     \
    X(hash_inx, 1)                                                                                 \
    X(env_vars, 1)
/* Of associations; the three tables have the same. */
#define USAGE_HOUR_COLUMNS(X)                                                                      \
    X(id, 1)                                                                                       \
    X(id_tres, 1)                                                                                  \
    X(time_start, 1)                                                                               \
    X(alloc_secs, 1)
#define USAGE_DAY_COLUMNS(X)   USAGE_HOUR_COLUMNS(X)
#define USAGE_MONTH_COLUMNS(X) USAGE_HOUR_COLUMNS(X)
#define WCKEY_MONTH_COLUMNS(X) X(time_start, 1)
#define CLUSTER_HOUR_COLUMNS(X)                                                                    \
    X(id_tres, 1)                                                                                  \
    X(time_start, 1)                                                                               \
    X(alloc_secs, 1)                                                                               \
    X(plan_secs, 1)                                                                                \
    X(over_secs, 1)
#define EVENT_COLUMNS(X)                                                                           \
    X(deleted, 0)                                                                                  \
    X(time_start, 1)                                                                               \
    X(time_end, 1)                                                                                 \
    X(node_name, 1)                                                                                \
    X(cluster_nodes, 0)                                                                            \
    X(reason, 1)                                                                                   \
    X(reason_uid, 0)                                                                               \
    X(state, 1)                                                                                    \
    X(tres, 1)
#define JOB_COLUMNS(X)                                                                             \
    X(job_db_inx, 1)                                                                               \
    X(deleted, 0)                                                                                  \
    X(account, 1)                                                                                  \
    X(admin_comment, 0)                                                                            \
    X(array_task_str, 0)                                                                           \
    X(array_max_tasks, 0)                                                                          \
    X(constraints, 0)                                                                              \
    X(container, 0)                                                                                \
    X(cpus_req, 1)                                                                                 \
    X(derived_ec, 1)                                                                               \
    X(derived_es, 0)                                                                               \
    X(env_hash_inx, 0)                                                                             \
    X(exit_code, 1)                                                                                \
    X(extra, 0)                                                                                    \
    X(flags, 0)                                                                                    \
    X(job_name, 1)                                                                                 \
    X(id_assoc, 1)                                                                                 \
    X(id_array_job, 0)                                                                             \
    X(id_array_task, 0)                                                                            \
    X(id_job, 1)                                                                                   \
    X(id_qos, 1)                                                                                   \
    X(id_resv, 0)                                                                                  \
    X(id_user, 1)                                                                                  \
    X(id_group, 1)                                                                                 \
    X(het_job_id, 0)                                                                               \
    X(kill_requid, 0)                                                                              \
    X(state_reason_prev, 0)                                                                        \
    X(mem_req, 0)                                                                                  \
    X(nodelist, 1)                                                                                 \
    X(nodes_alloc, 1)                                                                              \
    X(partition, 1)                                                                                \
    X(priority, 0)                                                                                 \
    X(script_hash_inx, 0)                                                                          \
    X(state, 1)                                                                                    \
    X(timelimit, 0)                                                                                \
    X(time_submit, 1)                                                                              \
    X(time_eligible, 1)                                                                            \
    X(time_start, 1)                                                                               \
    X(time_end, 1)                                                                                 \
    X(time_suspended, 0)                                                                           \
    X(wckey, 0)                                                                                    \
    X(work_dir, 0)                                                                                 \
    X(std_err, 0)                                                                                  \
    X(std_in, 0)                                                                                   \
    X(std_out, 0)                                                                                  \
    X(submit_line, 0)                                                                              \
    X(system_comment, 0)                                                                           \
    X(tres_alloc, 1)                                                                               \
    X(tres_req, 1)
#define STEP_COLUMNS(X)                                                                            \
    X(job_db_inx, 1)                                                                               \
    X(deleted, 0)                                                                                  \
    X(exit_code, 1)                                                                                \
    X(id_step, 1)                                                                                  \
    X(step_het_comp, 0)                                                                            \
    X(kill_requid, 0)                                                                              \
    X(nodelist, 1)                                                                                 \
    X(state, 1)                                                                                    \
    X(step_name, 1)                                                                                \
    X(task_cnt, 1)                                                                                 \
    X(task_dist, 0)                                                                                \
    X(time_start, 1)                                                                               \
    X(time_end, 1)                                                                                 \
    X(user_sec, 0)                                                                                 \
    X(user_usec, 0)                                                                                \
    X(sys_sec, 0)                                                                                  \
    X(sys_usec, 0)                                                                                 \
    X(submit_line, 0)                                                                              \
    X(tres_alloc, 1)                                                                               \
    X(tres_usage_in_max, 0)                                                                        \
    X(tres_usage_in_max_taskid, 0)                                                                 \
    X(tres_usage_in_max_nodeid, 0)                                                                 \
    X(tres_usage_in_min, 0)                                                                        \
    X(tres_usage_in_min_taskid, 0)                                                                 \
    X(tres_usage_in_min_nodeid, 0)                                                                 \
    X(tres_usage_in_tot, 0)                                                                        \
    X(tres_usage_out_max, 0)                                                                       \
    X(tres_usage_out_max_taskid, 0)                                                                \
    X(tres_usage_out_max_nodeid, 0)                                                                \
    X(tres_usage_out_min, 0)                                                                       \
    X(tres_usage_out_min_taskid, 0)                                                                \
    X(tres_usage_out_min_nodeid, 0)                                                                \
    X(tres_usage_out_tot, 0)

/* Makes CLUSTER_name, JOB_id_job and so on: columns by number. */
#define FOREIGN_COLUMN_ENUM(table)                                                                 \
    enum table##_column                                                                            \
    {                                                                                              \
        table##_COLUMNS(FOREIGN_COLUMN_##table) table##_COLUMNS_N                                  \
    }
#define FOREIGN_COLUMN_CLUSTER(c, n)                        CLUSTER_##c,
#define FOREIGN_COLUMN_TRES(c, n)                           TRES_##c,
#define FOREIGN_COLUMN_ACCOUNT(c, n)                        ACCOUNT_##c,
#define FOREIGN_COLUMN_USER(c, n)                           USER_##c,
#define FOREIGN_COLUMN_COORD(c, n)                          COORD_##c,
#define FOREIGN_COLUMN_QOS(c, n)                            QOS_##c,
#define FOREIGN_COLUMN_VERSION(c, n)                        VERSION_##c,
#define FOREIGN_COLUMN_RESOURCE(c, n)                       RESOURCE_##c,
#define FOREIGN_COLUMN_FEDERATION(c, n)                     FEDERATION_##c,
#define FOREIGN_COLUMN_TRANSACTION(c, n)                    TRANSACTION_##c,
#define FOREIGN_COLUMN_ASSOC(c, n)                          ASSOC_##c,
#define FOREIGN_COLUMN_WCKEY(c, n)                          WCKEY_##c,
#define FOREIGN_COLUMN_JOB(c, n)                            JOB_##c,
#define FOREIGN_COLUMN_STEP(c, n)                           STEP_##c,
#define FOREIGN_COLUMN_SUSPEND(c, n)                        SUSPEND_##c,
#define FOREIGN_COLUMN_EVENT(c, n)                          EVENT_##c,
#define FOREIGN_COLUMN_RESV(c, n)                           RESV_##c,
#define FOREIGN_COLUMN_SCRIPT(c, n)                         SCRIPT_##c,
#define FOREIGN_COLUMN_ENVIRONMENT(c, n)                    ENVIRONMENT_##c,
#define FOREIGN_COLUMN_USAGE_HOUR(c, n)                     USAGE_##c,
#define FOREIGN_COLUMN_USAGE_DAY(c, n)                      USAGE_DAY_##c,
#define FOREIGN_COLUMN_USAGE_MONTH(c, n)                    USAGE_MONTH_##c,
#define FOREIGN_COLUMN_WCKEY_MONTH(c, n)                    WCKEY_MONTH_##c,
#define FOREIGN_COLUMN_CLUSTER_HOUR(c, n)                   CLUSTER_HOUR_##c,
#define FOREIGN_COLUMNS_OF(name, words, of_cluster, needed) FOREIGN_COLUMN_ENUM(name);
FOREIGN_TABLES(FOREIGN_COLUMNS_OF)
#undef FOREIGN_COLUMNS_OF

#define FOREIGN_COLUMNS_MAX 64 /* that are looked at, of any table */

/* Where the columns of a table are in rows of a layout. */
struct foreign_layout {
    const struct dump_layout *layout;
    enum foreign_table table;
    int16_t at[FOREIGN_COLUMNS_MAX]; /* -1: these rows do not have it */
};

/* Tells which table the layout is of. Returns false where it is none of them. *ret_cluster is the
 * name of its cluster, to be freed, or NULL. */
bool foreign_table_find(const struct dump_layout *layout, enum foreign_table *ret,
                        char **ret_cluster);

/* Fails naming a column that is needed and not there. */
int foreign_layout_make(const struct dump_layout *layout, enum foreign_table table,
                        struct foreign_layout *ret, struct err *err);

/* Do the same of an archive, whose INSERTs name tables and columns: also as before each cluster had
 * tables of its own, "job_table" with a column for the cluster. Few columns are needed, as each
 * file has its own. *ret_cluster is NULL where a column tells it. */
bool foreign_table_find_archived(const struct dump_layout *layout, enum foreign_table *ret,
                                 char **ret_cluster);
int foreign_layout_make_archived(const struct dump_layout *layout, enum foreign_table table,
                                 struct foreign_layout *ret, struct err *err);

/* Returns "job_table", and whether a database without it is no slurmdbd's. */
const char *foreign_table_name(enum foreign_table table);
bool foreign_table_is_needed(enum foreign_table table);
const char *foreign_column_name(enum foreign_table table, int column);

/* ---- rows ---- */

/* A row that is looked at. The first value that cannot be read stays in `err`. */
struct foreign_row {
    const struct dump *dump;
    const struct foreign_layout *layout;
    struct dump_place place;
    const struct dump_cell *cells;
    struct err err;
};

/* Returns the value of a column, or NULL: it is NULL, empty, or there is no such column. */
const char *foreign_text(const struct foreign_row *row, int column);
/* The same with its length, for values that have any bytes. */
const struct dump_cell *foreign_cell(const struct foreign_row *row, int column);

/* Return a number; `absent` where the column is, or is NULL. */
uint64_t foreign_u64(struct foreign_row *row, int column, uint64_t absent);
uint32_t foreign_u32(struct foreign_row *row, int column, uint32_t absent);
int64_t foreign_i64(struct foreign_row *row, int column, int64_t absent);
int64_t foreign_time(struct foreign_row *row, int column);
double foreign_double(struct foreign_row *row, int column, double absent);

/* Fails with what could not be read of the row. */
int foreign_error(const struct foreign_row *row, struct err *err);

/* Notes that the column's value cannot be read. */
void foreign_refuse(struct foreign_row *row, int column, const char *why);

/* Calls for each "ID=AMOUNT" of a column such as tres_alloc; amounts that are not known are left
 * out. */
typedef void foreign_amount_fn(uint32_t id, uint64_t amount, void *ctx);
void foreign_each_amount(struct foreign_row *row, int column, foreign_amount_fn *on_amount,
                         void *ctx);
