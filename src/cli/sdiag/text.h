/*
 * text.h - the counters of the controller as text, in the layout that exporters read. Pure.
 *
 * One pass of our scheduler plans in order and fills
 * gaps, so the main and the backfill section are about the same passes.
 */
#pragma once

#include "common/msg/common.h"

enum sdiag_order { SDIAG_BY_COUNT, SDIAG_BY_ID, SDIAG_BY_TIME, SDIAG_BY_MEAN };

struct sdiag_view {
    int64_t now;
    enum sdiag_order order;
    char *(*user_name)(uint32_t uid); /* to be freed; NULL for a user not known */
};

/* Returns the user's name, or the number as text; to be freed. */
char *sdiag_user(const struct sdiag_view *view, uint32_t uid);

/* Returns the number of passes that have ended, for whatever reason. */
uint64_t sdiag_passes(const struct diag *diag);

void sdiag_format(const struct diag *diag, const struct sdiag_view *view, struct strbuf *out);

/* How wide names of message types and users are, and numbers of users. */
struct sdiag_widths {
    int type, user, uid;
};

/* Append a moment as "Fri Nov 27 04:10:54 2026 (1795752654)" with a line break, and the requests by
 * message type and by user. */
void sdiag_moment(int64_t moment, struct strbuf *out);
void sdiag_requests(const struct diag *diag, const struct sdiag_view *view,
                    const struct sdiag_widths *widths, struct strbuf *out);
