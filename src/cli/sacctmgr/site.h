/* site.h - the configuration and the counters of the controller, which keeps the records that a
 * slurmdbd would have; and slurmdbd itself, where there is one. */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"

/* sacctmgr show configuration, and show stats; both take no conditions. */
int config_list(struct mgr *mgr, const struct acct_line *line);
int stats_list(struct mgr *mgr, const struct acct_line *line);

/* Returns what slurmdbd.conf says of the key, to be freed; NULL: nothing, or there is no slurmdbd.
 */
char *site_dbd_value(struct mgr *mgr, const char *key);
bool site_dbd_says_yes(struct mgr *mgr, const char *key);

/* sacctmgr ping and sacctmgr shutdown: is each slurmdbd there, and let the one that serves end.
 * Return what to exit with. */
int site_ping(struct mgr *mgr);
int site_shutdown(struct mgr *mgr);

/* sacctmgr roll [START [END [ARCHIVE]]], by which Slurm makes its sums anew: here they always are.
 * Returns what to exit with. */
int site_roll(struct mgr *mgr, const char *const *words, uint32_t n);

/* sacctmgr clear stats. Returns what to exit with. */
int stats_clear(struct mgr *mgr);
