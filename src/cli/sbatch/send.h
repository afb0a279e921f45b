/*
 * send.h - hands a batch job to the controller: once, however often it has to be said.
 *
 * A controller that restarts, or a connection that breaks, is waited out for a bounded time, and
 * the request sent again. Its token keeps a second job from being made when only the answer was
 * lost.
 */
#pragma once

#include "cli/lib/command.h"
#include "common/base/strbuf.h"
#include "common/msg/job.h"

/*
 * Connects, sends both blobs and the request that names them. Fails with what the controller says,
 * or E_CONTACT and the like when it was not reached in time.
 */
int sbatch_send(struct command *command, const struct strbuf *script,
                const struct strbuf *environment, struct job_submit *request,
                struct job_submitted *ret_done, struct err *err);
