/*
 * import.h - jobs of another controller become history of this one (common/msg/import.h).
 *
 * They are never in memory: what they were is noted as an end and a retirement in one turn, and
 * what they used is added to the usage of their associations as of now. Of sums that were made
 * there the store finds out what these jobs do not explain.
 */
#pragma once

#include "common/msg/import.h"
#include "ctld/control/act/act.h"

/* Begins an import, which ends the one before it. Fails where it is no administrator who asks. */
int control_import_begin(struct act *act, const struct import_begin *request,
                         struct import_begun *ret, struct err *err);

/* Notes what a page has as history, and counts none of it as used. Fails as control_import_page
 * does. */
int control_import_history(struct act *act, const struct import_page *page,
                           struct import_taken *ret, struct err *err);

/* Takes a page whole, or fails: another import has begun, this controller has started since, a job
 * is not over, or sums cannot be. */
int control_import_page(struct act *act, const struct import_page *page, struct import_taken *ret,
                        struct err *err);
