/*
 * survey.h - what other hosts have: `ssh HOST slurmd -C`, where that works without a question.
 */
#pragma once

#include "common/msg/node.h"
#include "common/text/hostlist.h"

#define SURVEY_MS 5000 /* for all hosts together */

/* Runs for each host that has answered; the hardware is borrowed. */
typedef void survey_fn(void *ctx, const char *host, const struct node_hardware *hardware);

/* Asks all hosts at the same time; leaves out those that do not answer in time. */
void survey_hosts(const struct hostlist *hosts, survey_fn *fn, void *ctx);

/* Reads the first line of `slurmd -C` into *ret, which is initialised here. Fails with EINVAL. */
int survey_parse(const char *text, struct node_hardware *ret, struct err *err);
