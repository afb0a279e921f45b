/*
 * dbd.h - slurmdbd: accounts of several clusters, and what they tell of their jobs.
 *
 * It is a controller without nodes (docs/adr/0015-slurmdbd.md): the loop, connections, turns and
 * store of ctld/dispatch, and of ctld/control what is about accounts. What it serves is its own
 * table of handlers.
 */
#pragma once

#include "common/conf/dbd_conf.h"
#include "ctld/main/start.h"
#include "dbd/cluster.h"
#include "dbd/places.h"
#include "dbd/standby.h"

struct dbd {
    struct ctld ctld; /* the first member: see dbd_of */
    struct conf_dbd conf;
    struct places places;
    char *conf_path; /* of the slurm.conf that slurmdbd.conf stands beside */
    char *socket;    /* of munged, as AuthInfo says; or NULL */
    uint64_t number; /* of this database, for ever */
    struct clusters *clusters;
    enum dbd_rank rank;
    struct standby *standby; /* while it waits */
    bool gives_back;         /* the first one is there again: a backup's loop ends */
    bool is_usurped;         /* another one has the database, or part of it: the loop ends */
};

static inline struct dbd *dbd_of(struct ctld *ctld)
{
    return (struct dbd *)ctld;
}

/* These are what the role slurmdbd is (struct start_role). */
int dbd_process(struct ctld *ctld, struct started *started, struct err *err);
int dbd_service(struct ctld *ctld, struct started *started, struct err *err);
void dbd_stop(struct ctld *ctld, struct started *started);
bool dbd_begins_again(struct ctld *ctld, int rc);
const char *dbd_log_path(const struct ctld *ctld);

extern const struct handler show_handlers[];
extern const size_t show_handlers_n;
extern const struct handler lone_handlers[];
extern const size_t lone_handlers_n;

/* Returns the handler of a message type, or NULL. */
const struct handler *dbd_find_handler(uint32_t type);
