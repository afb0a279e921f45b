/*
 * show_assoc.h - a user, an association or a QOS with its limits, and what is used of them, as
 * text.
 *
 * Keys, order and line breaks are those of Slurm 22.05, but for Lineage, as 25.05 tells the place
 * of an association. Pure.
 */
#pragma once

#include "cli/scontrol/assoc_view.h"

struct assoc_show {
    const struct assoc_view *view;
    bool one_line;
    uint32_t (*user_id)(const char *name); /* what is printed as the user's number */
};

/* `account` is the user's default one. */
void show_assoc_user(const struct assoc_show *show, const struct user_record *user,
                     const char *account, struct strbuf *out);

/* Shares are told of the association. */
void show_assoc_assoc(const struct assoc_show *show, const struct assoc_place *place,
                      struct strbuf *out);
void show_assoc_qos(const struct assoc_show *show, const struct qos_record *qos,
                    struct strbuf *out);
