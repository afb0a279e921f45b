/*
 * exempt.h - QOS whose jobs may exceed limits of partitions.
 *
 * The model owns the list. It follows from the records of QOS, and is set anew by who knows them
 * (ctld/control/limit/exempt.h).
 */
#pragma once

#include "ctld/model/model.h"

void model_clear_exempt(struct model *model);

/* Says what jobs of the QOS may, enum qos_flag; it is not in the list yet. */
void model_add_exempt(struct model *model, const char *qos, uint32_t flags);

/* Returns what jobs of the QOS may; NULL: of none. */
uint32_t model_exempt(const struct model *model, const char *qos);
