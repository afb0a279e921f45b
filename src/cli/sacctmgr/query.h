/*
 * query.h - what a list is asked for: conditions, words that stand alone, fields.
 *
 * A table says which entity knows which condition. What another entity knows is refused, so that
 * nothing is asked for that the list does not look at.
 */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/show.h"

enum query_key {
    QUERY_NAME, /* of what is listed */
    QUERY_ACCOUNT,
    QUERY_USER,
    QUERY_CLUSTER,
    QUERY_PARTITION,
    QUERY_PARENT,
    QUERY_QOS,
    QUERY_DEFAULT_QOS,
    QUERY_DESCRIPTION,
    QUERY_ORGANIZATION,
    QUERY_ADMIN,
    QUERY_DEFAULT_ACCOUNT,
    QUERY_DEFAULT_WCKEY,
    QUERY_WCKEY,
    QUERY_ID,
    QUERY_CLASSIFICATION,
    QUERY_FEDERATION,
    QUERY_FLAGS,
    QUERY_RPC,
    QUERY_PREEMPT_MODE,
    QUERY_TYPE,
    QUERY_FORMAT,
    QUERY_KEYS_N
};

/* Words that stand alone. */
enum query_word {
    QUERY_WITH_ASSOC,
    QUERY_WITH_COORD,
    QUERY_WITH_DELETED,
    QUERY_WITH_FEDERATION,
    QUERY_WITH_RAW_QOS,
    QUERY_WITH_SUB_ACCOUNTS,
    QUERY_WITHOUT_LIMITS,
    QUERY_WITHOUT_PARENT_INFO,
    QUERY_WITHOUT_PARENT_LIMITS,
    QUERY_ONLY_DEFAULTS,
    QUERY_TREE,
    QUERY_WORDS_N
};

struct query {
    struct words lists[QUERY_KEYS_N]; /* what is looked for; an empty one does not filter */
    bool has[QUERY_WORDS_N];
    struct words fields;
    bool has_format;
};

/* Adds what a line asks for. Returns false after saying which word the list does not know. */
bool query_read(struct mgr *mgr, const struct book *book, enum shown what,
                const struct acct_line *line, struct query *query);
void query_clear(struct query *query);
