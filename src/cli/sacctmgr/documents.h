/*
 * documents.h - lists of sacctmgr as JSON and YAML, in the shapes of Slurm's data parser v0.0.43:
 * accounts, associations, clusters, QOS, TRES, users, wckeys.
 */
#pragma once

#include "cli/lib/document.h"
#include "cli/sacctmgr/columns.h"

/* Kinds of lists. */
enum mgr_document {
    DOCUMENT_ACCOUNTS,
    DOCUMENT_ASSOCS,
    DOCUMENT_CLUSTERS,
    DOCUMENT_QOS,
    DOCUMENT_TRES,
    DOCUMENT_USERS,
    DOCUMENT_WCKEYS,
};

struct mgr_document_list {
    enum mgr_document kind;
    const struct book *book;
    const struct mgr_row *rows; /* each about one record */
    uint32_t n;
};

/* Prints the list. Returns what to exit with. */
int mgr_document_print(const struct command *command, const struct document_options *options,
                       const struct mgr_document_list *list);
