/*
 * explain_text.h - where a job stands, in sentences. Pure.
 */
#pragma once

#include "cli/sluice/standing.h"
#include "common/base/strbuf.h"

/*
 * Tells why the job waits, what it lacks, how the nodes stand to that, who holds it, when and where
 * it is planned; or how it runs or ended. Without `standing` nothing is said of nodes.
 */
void explain_job(const struct job_info *info, const struct standing *standing, struct strbuf *out);
