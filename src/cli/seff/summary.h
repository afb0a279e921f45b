/* summary.h - the lines that seff prints, as scripts read them. Pure. */
#pragma once

#include "cli/seff/figures.h"
#include "common/base/strbuf.h"

/* Appends all lines; `cluster` is the cluster's name. */
void seff_summary(const struct history_job *history, const char *cluster, struct strbuf *out);
