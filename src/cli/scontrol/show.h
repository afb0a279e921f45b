/*
 * show.h - one record of scontrol show, as text.
 *
 * Keys, their order, line breaks and stray blanks are those of Slurm 25.05: scripts find values by
 * them. Pure: times are formatted in the manner of `ctx`, users by a function of the caller.
 */
#pragma once

#include "cli/lib/reservations.h"
#include "common/msg/job.h"
#include "common/msg/node.h"
#include "common/report/record.h"

struct show {
    struct report_context ctx;        /* its `user` is set by the functions below */
    bool details;                     /* -d */
    bool one_line;                    /* -o */
    uint32_t slurmd_port;             /* a node with another one shows it */
    const char *mail_domain;          /* MailDomain of slurm.conf, or NULL */
    char *(*user_name)(uint32_t uid); /* to be freed; NULL for a user not known */
    const struct report_path *paths;  /* report_table_paths of the one table shown, or NULL */
};

void show_job(const struct show *show, const struct job_info *info, struct strbuf *out);
void show_step(const struct show *show, const struct step_record *step, struct strbuf *out);
void show_node(const struct show *show, const struct node_info *info, struct strbuf *out);

void show_partition(const struct show *show, const struct partition_info *info, struct strbuf *out);
void show_reservation(const struct show *show, const struct reservation_view *view,
                      struct strbuf *out);

/* Takes one value of a record, by its key: "MaxNodes", "2". */
typedef void show_value_fn(void *ctx, const char *key, const char *value);

/* Call `take` for each value that the record has, in the record's order. */
void show_node_values(const struct show *show, const struct node_info *info, show_value_fn *take,
                      void *ctx);
void show_partition_values(const struct show *show, const struct partition_info *info,
                           show_value_fn *take, void *ctx);

/* Shows any row of any table; the functions above are made of it. */
void show_values(const struct report_table *table, const struct report_context *ctx,
                 const void *row, show_value_fn *take, void *take_ctx);

/* Fails with the first column whose path is broken. For tests of the tables. */
int show_check_tables(struct err *err);

extern const struct report_table show_job_table, show_step_table, show_node_table,
    show_partition_table, show_reservation_table;
