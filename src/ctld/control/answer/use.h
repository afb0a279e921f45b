/*
 * use.h - what associations and QOS have at one moment: their jobs, what these hold, and what was
 * used.
 */
#pragma once

#include "common/msg/acct_use.h"
#include "ctld/control/act/act.h"

/* A list that is told record by record. */
struct use_listing;

/* Lists what this cluster's associations and all QOS use, as far as the caller may see it; nothing,
 * if nobody uses accounts. */
struct use_listing *control_use_list(const struct control *control, struct moment now,
                                     const struct caller *caller);

/* Fills the next record, to be cleared. Returns false at the end. */
bool control_use_next(struct use_listing *listing, struct acct_use *ret);
struct use_listing *control_use_list_free(struct use_listing *listing);
