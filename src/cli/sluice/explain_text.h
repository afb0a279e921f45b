/*
 * explain_text.h - where a job stands, in sentences. Pure.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/job.h"

/* Why it waits, what it lacks, who holds that, when and where it is planned; or how it runs, ended.
 */
void explain_job(const struct job_info *info, struct strbuf *out);
