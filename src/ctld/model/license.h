/*
 * license.h - the licenses that jobs of this cluster may ask for: those of Licenses=, and the
 * cluster's shares of resources.
 *
 * The model owns the list, which begins as the configuration has it. Shares follow from kept
 * records and are set anew by who knows them (ctld/control/acct/licenses.h). Jobs may hold and ask
 * for names that are not in the list any more.
 */
#pragma once

#include "ctld/model/model.h"

/* Puts the licenses of the configuration, and no others, in the list. */
void model_reset_licenses(struct model *model);

/* Adds a license (copied), unless one has its name. */
void model_add_license(struct model *model, const struct license_info *license);

void model_clear_licenses(struct model *model);

/* Returns the license, or NULL. */
const struct license_info *model_find_license(const struct model *model, const char *name);

/* Returns how many each license of the list has in use by jobs, in their order; the caller's. */
uint32_t *model_licenses_used(const struct model *model);
