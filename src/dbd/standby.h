/*
 * standby.h - two slurmdbd for one database (docs/adr/0017-two-slurmdbd.md): which of them this one
 * is, what it does while it does not serve, and how it comes to serve.
 *
 * Who serves has the database: that alone decides. The backup tries for it when the first one has
 * not answered for a while; the first one, when it finds the backup there, asks it to give back.
 * While either waits, who connects is refused at once, and told why.
 */
#pragma once

#include "common/conf/dbd_conf.h"
#include "ctld/dispatch/conn.h"
#include "ctld/main/start.h"

enum dbd_rank {
    DBD_ALONE,
    DBD_FIRST,  /* DbdHost, and there is a DbdBackupHost */
    DBD_BACKUP, /* DbdBackupHost */
};

/* Finds which one belongs on this machine. Fails where none does, or where no second one could take
 * over. May ask the name service, and wait for it. `path` is that of the configuration. */
int dbd_find_rank(const struct conf_dbd *conf, const char *path, enum dbd_rank *ret,
                  struct err *err);

struct dbd;
struct standby;

/* Begins to wait: refuses who connects. */
struct standby *standby_new(struct dbd *dbd, const struct started *started);
struct standby *standby_free(struct standby *standby); /* NULL is fine */

/* Returns whether it is time to open the store: of a backup, when the other one is silent. */
bool standby_may_open(struct standby *standby);

/*
 * Takes note of why the store could not be opened: -ENOTCONN, no database answers; -EBUSY, another
 * slurmdbd has it; -E_STANDBY, standby_may_open says no. A reason is logged once. Returns whether
 * that may pass.
 */
bool standby_wait_for(struct standby *standby, int rc, const struct err *why);

extern const struct handler standby_handlers[];
extern const size_t standby_handlers_n;
