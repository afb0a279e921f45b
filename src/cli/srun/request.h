/* request.h - from srun's options to the step it asks for. */
#pragma once

#include "cli/srun/io_server.h"
#include "cli/srun/streams.h"
#include "cli/submit/request.h"

/*
 * Fills `step`. With `in_job` the step runs in an allocation that exists, so that sizes and limits
 * are its own; else the job has them. The descriptors' addresses and the environment come
 * separately.
 */
void srun_fill_step(struct step_spec *step, const struct submit_options *options,
                    const struct stream_plans *plans, const struct slurm_conf *conf, bool in_job,
                    int argc, char **argv, int operand);

/*
 * Adds the addresses at which `io` can be reached, best first: this host's, the loopback, its Unix
 * socket.
 */
void srun_fill_addresses(struct step_spec *step, const struct io_server *io);

/* Puts "@controller", the address that nodes reach the controller by, before the other addresses
   when the session is by the controller's Unix socket. */
void srun_add_controllers_address(struct step_spec *step, const struct io_server *io,
                                  const struct rpc_session *session);

/* Makes the tasks' environment, as a blob. */
int srun_make_environment(const struct submit_options *options, const struct slurm_conf *conf,
                          bool in_job, uint16_t port, const struct step_spec *step,
                          struct strbuf *out, struct err *err);
