/*
 * convert.h - rows of a slurmdbd's database as the records that this program keeps of accounts.
 *
 * What has no place here is noted in the plan. A row whose values cannot be read leaves its error
 * in the row.
 */
#pragma once

#include "cli/import/foreign.h"
#include "cli/import/plan.h"
#include "cli/sacctmgr/book.h"

struct converting {
    const struct foreign *foreign;
    const struct book *book; /* what is here: TRES that are counted */
    struct plan *plan;
};

/* Fill a record, which is empty before. */
void convert_qos(const struct converting *converting, struct foreign_row *row,
                 struct qos_record *ret);
void convert_account(const struct converting *converting, struct foreign_row *row,
                     struct account_record *ret);
void convert_user(const struct converting *converting, struct foreign_row *row,
                  struct user_record *ret);
void convert_assoc(const struct converting *converting, struct foreign_row *row,
                   const char *cluster, struct assoc_record *ret);

/* Adds the names of a list such as ",1,3," of QOS numbers, or ",+3,-4". */
void convert_qos_list(const struct converting *converting, const char *text, char ***names,
                      uint32_t *n);
