/*
 * facts.h - what follows from the records of accounts: what an association has from above, and who
 * coordinates what.
 */
#pragma once

#include "cli/sacctmgr/columns.h"

#define USERS_ARE_COORDS "UsersAreCoords" /* the flag of accounts */

/* Returns the name of the one flag that an account may have, or NULL: it has none. */
const char *fact_account_flags(uint32_t flags);

/* Add who coordinates the account or one above it, and the accounts that the user coordinates. */
void fact_coordinators(const struct book *book, const char *account, struct words *names);
void fact_coordinated(const struct book *book, const char *user, struct words *names);

/* Returns the user's default wckey on the book's cluster, or NULL. */
const char *fact_default_wckey(const struct book *book, const char *user);

/* Returns the association of the account above, or NULL: it is the root's. */
const struct assoc_record *fact_above(const struct book *book, const struct assoc_record *assoc);

/* Returns the QOS that the association may use, its own or those above: words to be cleared. */
struct words fact_qos(const struct book *book, const struct assoc_record *assoc);

/* Appends the way from the root to the association, see acct_add_lineage. */
void fact_lineage(const struct book *book, const struct assoc_record *assoc, struct strbuf *out);

/* Returns the QOS that the association gets by default, its own or the one from above, or NULL. */
const char *fact_default_qos(const struct book *book, const struct assoc_record *assoc);

/* Return where the cluster's controller is, NULL and 0 where nobody has told. */
const char *fact_cluster_host(const struct book *book, const struct cluster_record *cluster);
uint32_t fact_cluster_port(const struct book *book, const struct cluster_record *cluster);

/* Returns the version of the protocol that the cluster's controller speaks; 0: none has told. */
uint32_t fact_cluster_rpc(const struct book *book, const struct cluster_record *cluster);

/* Appends amounts of TRES in the order of their names: "cpu=8,mem=8000M". */
void fact_add_amounts(const struct acct_amount *amounts, uint32_t n, struct strbuf *out);

/* Returns Slurm's number of the cluster's state in its federation, 0 where it is in none. */
uint32_t fact_federation_state(const struct cluster_record *cluster);

/* Where a limit stands: a member of an association or a QOS. */
struct fact_member {
    const struct schema_field *field;
    const char *record; /* borrowed */
};

/*
 * Finds where the limit of a row stands, `of_assoc` in associations, `of_qos` in QOS; either may be
 * NULL. Limits of one job or user hold below, too, those of groups do not. Returns false when it is
 * set nowhere.
 */
bool fact_limit(const struct book *book, const struct mgr_row *row, const char *of_assoc,
                const char *of_qos, struct fact_member *ret);

/* Amounts of several records, by name; they are borrowed. */
struct fact_amounts {
    struct acct_amount *at; /* to be freed */
    uint32_t n;
};

/* Returns all amounts that hold for the row, its own before those from above. */
struct fact_amounts fact_limit_amounts(const struct book *book, const struct mgr_row *row,
                                       const char *of_assoc, const char *of_qos);
