/*
 * places.h - where a slurmdbd keeps what: one store of accounts, and one for each cluster.
 *
 * With accounting_storage/sqlite these are directories: StorageLoc, and below it clusters/NAME.
 * With accounting_storage/mysql they are tables of one database, told apart by what their names
 * begin with: sluice_dbd_ and sluice_NAME_. Names of clusters are written out there so that no two,
 * and none with dbd, come to one prefix.
 *
 * Places are as they were in the configuration with which slurmdbd started.
 */
#pragma once

#include "common/conf/dbd_conf.h"
#include "ctld/store/sql/mariadb.h"
#include "ctld/store/store.h"

struct places {
    char *dir;                    /* StorageLoc; or NULL, and: */
    struct mariadb_server server; /* its texts are owned */
};

/* Fails with EINVAL, naming the key, where the configuration does not say a place. `path` is that
 * of its file. */
int places_init(struct places *places, const struct conf_dbd *conf, const char *path,
                struct err *err);
void places_clear(struct places *places);

/* Returns where that is, in a word or two, borrowed: a directory, or a database. */
const char *places_text(const struct places *places);

/* A place, with the text that it borrows. */
struct place {
    struct store_place store;
    char *text;
};
struct place places_of_accounts(const struct places *places);
struct place places_of_cluster(const struct places *places, const char *name);
void place_clear(struct place *place);
void place_auto_(struct place *place);

/* Makes the directory of a cluster, where it is one. */
int places_make_dir(const struct places *places, const char *cluster, struct err *err);
