/*
 * shares.h - what is shown of the shares and the usage of associations.
 */
#pragma once

#include "common/msg/share.h"
#include "ctld/control/act/act.h"

/* A list that is told record by record. */
struct share_listing;

/* Lists the associations of this cluster that the request (copied) means and the caller may see, as
 * their usage is now; none, if nobody uses accounts. */
struct share_listing *control_share_list(const struct control *control, struct moment now,
                                         const struct caller *caller,
                                         const struct share_list *request);

/* Fills the next record, to be cleared. Returns false at the end. */
bool control_share_next(struct share_listing *listing, struct share_info *ret);
struct share_listing *control_share_list_free(struct share_listing *listing);
