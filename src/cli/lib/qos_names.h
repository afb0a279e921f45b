/* qos_names.h - the names of QOS that users write. */
#pragma once

#include "cli/lib/records.h"
#include "common/text/words.h"

/* Fails with EINVAL, naming the QOS that there are, of records of QOS. */
int qos_refuse(const struct records *qos, const char *name, struct err *err);

/* Returns the first of the names that none of the records has, deleted ones among them, or NULL. */
const char *qos_find_unknown(const struct records *qos, const struct words *names);
