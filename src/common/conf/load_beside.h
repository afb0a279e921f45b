/*
 * load_beside.h - the parts of conf_load_beside. Private to this folder.
 */
#pragma once

#include "common/conf/beside.h"
#include "common/conf/load.h"

/* The reader of a file that stands beside slurm.conf. */
struct beside {
    struct loader loader; /* its `file` is the one being read */
    conf_read_fn read;
    void *ctx;
};

/*
 * Parses NAME from the directory of slurm.conf into beside->loader.file. With `optional` a missing
 * file counts as an empty one.
 */
int beside_parse(struct beside *beside, const char *name, bool optional,
                 struct conf_file **ret_file, struct err *err);

/* A file whose lines only set values, perhaps for some nodes only. */
struct beside_table {
    const char *name;
    const struct conf_key *keys;
    bool optional;    /* it may be missing */
    const char *node; /* lines with another NodeName= are left out; NULL: all are read */
};

/*
 * Presets the struct that the keys describe, which is all zero, and reads the file beside
 * `conf_path` into it; the loader's conf need not be set. *base is to be cleared in any case.
 */
int beside_read(struct beside *beside, const char *conf_path, const struct beside_table *table,
                void *base, struct err *err);

int load_gres(struct beside *beside, struct err *err);
int load_topology(struct beside *beside, struct err *err);
