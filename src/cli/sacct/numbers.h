/*
 * numbers.h - the numbers of associations, QOS and wckeys, by which Slurm's database names them:
 * deleted ones have theirs still.
 *
 * `struct acct_numbers numbers = { 0 };` has none. Owns its records.
 */
#pragma once

#include "cli/lib/by_key.h"
#include "common/msg/acct.h"
#include "common/msg/job.h"

struct acct_numbers {
    struct records assocs, qos, wckeys;
    struct by_key by_key; /* the associations */
    struct by_key wckeys_by_key;
};

/* Asks for the QOS, unless they are here. Returns 0 or fails as records_load_all does. */
int acct_numbers_load_qos(struct acct_numbers *numbers, struct client *client, struct err *err);

/* Asks for all of them. Returns 0 or fails as records_load_all does. */
int acct_numbers_load(struct acct_numbers *numbers, struct client *client, struct err *err);
void acct_numbers_clear(struct acct_numbers *numbers);

/* Return the number, 0: it has none that is shown to the caller. `numbers` may be NULL. */
uint32_t acct_number_of_assoc(const struct acct_numbers *numbers, const char *cluster,
                              const struct job_record *job);
uint32_t acct_number_of_wckey(const struct acct_numbers *numbers, const char *cluster,
                              const struct job_record *job);
uint32_t acct_number_of_qos(const struct acct_numbers *numbers, const struct job_record *job);
