/* script.h - what a job was submitted with: its script (-B), its environment (--env-vars). */
#pragma once

#include "common/client/client.h"
#include "common/msg/job.h"

/*
 * Appends the whole block that is printed for the job, under its name. Writes "NONE" for a job that
 * has none, or none any more; another failure is an error.
 */
int acct_script_add(struct client *client, const struct history_job *history, bool environment,
                    struct strbuf *out, struct err *err);
