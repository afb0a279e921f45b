/*
 * values.h - amounts and texts of a slurmdbd's rows, as records of history have them.
 */
#pragma once

#include "cli/import/foreign.h"
#include "common/msg/amount.h"
#include "common/msg/job.h"

/* Amounts of one column, by name: "1=4,2=8000,1001=2". */
struct portion {
    uint64_t cpus, mem_mb, nodes, billing;
    bool has_mem, has_billing;
    struct acct_amount *more; /* gres/gpu, license/matlab; names borrowed from `foreign` */
    uint32_t more_n;
};

struct portion portion_of(const struct foreign *foreign, struct foreign_row *row, int column);
void portion_auto_(struct portion *held);

/* Returns the value without control characters, which names here do not have, to be freed; NULL: it
 * is absent. */
char *clean_text(const struct foreign_row *row, int column);
/* The same of prose, which keeps its lines. */
char *clean_lines(const struct foreign_row *row, int column);

/* Return "gpu:a:2,ssd:1" and "matlab:2", to be freed, or NULL: nothing of that kind is held. */
char *portion_gres(const struct portion *held);
char *portion_licenses(const struct portion *held);

/* Adds the share of node `i` of `n` in what is held of generic resources. */
void portion_add_gres(const struct portion *held, uint32_t i, uint32_t n, struct job_gres **list,
                      uint32_t *list_n);

/* Returns the share of node `i` of `n` in an amount: what is left over is with the first ones. */
uint64_t share_of(uint64_t amount, uint32_t i, uint32_t n);
