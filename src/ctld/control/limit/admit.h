/*
 * admit.h - in whose name a job runs: its account and QOS, named or by default, and whether they
 * may be used.
 *
 * Who nobody keeps accounts for (acct_is_used) may name what he likes. What is insisted on is said
 * by AccountingStorageEnforce.
 */
#pragma once

#include "common/msg/job.h"
#include "ctld/control/act/act.h"

/* Fills in account and QOS of what the user asks for, and checks them and its wckey. `by_operator`:
 * an operator says it, who may name a QOS that the association may not use. Fails with E_ACCOUNT,
 * E_QOS or E_WCKEY. */
int limit_admit(struct control *control, const char *user, bool by_operator, struct job_spec *spec,
                struct err *err);
