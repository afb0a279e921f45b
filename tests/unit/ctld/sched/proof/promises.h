/*
 * promises.h - what has to hold after every step of every story; several tests ask for it.
 */
#pragma once

#include "unit/ctld/sched/proof/trial.h"

/* Nothing is sold twice, and what starts or is planned gets exactly what it asks. */
bool promise_safe(const struct trial_moment *moment, struct strbuf *problem);

/* The plan is the one that a planner makes which is built anew from the cluster as it is. */
bool promise_rebuilt(const struct trial_moment *moment, struct strbuf *problem);

/* The same of the forecast beside the plan. */
bool promise_forecast_rebuilt(const struct trial_moment *moment, struct strbuf *problem);
