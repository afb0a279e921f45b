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

/* Fills in account, QOS and wckey of what the user asks for, and checks them. `by_operator`: an
 * operator says it, who may name a QOS that the association may not use. Fails with E_ACCOUNT,
 * E_QOS, E_WCKEY or E_PARTITION_ASSOC. */
int limit_admit(struct control *control, const char *user, bool by_operator, struct job_spec *spec,
                struct err *err);

/* The same of what a waiting job is to be. Where nobody insists, it keeps its account if the user
 * has none, and gets the default QOS for one that is not there. */
int limit_admit_again(struct control *control, const struct job_record *rec, bool by_operator,
                      struct job_spec *spec, struct err *err);

/* Fails with E_QOS if the QOS has the flag RequiresReservation and no reservation is named. */
int limit_check_reservation(struct control *control, const struct job_spec *spec, struct err *err);
