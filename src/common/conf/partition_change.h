/*
 * partition_change.h - partitions of a loaded configuration as `scontrol create`, `update` and
 * `delete` change them. The file is not touched: when it is read again, the changes are over.
 */
#pragma once

#include "common/conf/keys.h"
#include "common/conf/slurm_conf.h"

/*
 * Partitions of an earlier state. Owns them: `AUTO(conf_partitions) struct conf_partitions was =
 * ...`.
 */
struct conf_partitions {
    struct conf_partition *at;
    uint32_t n;
};

struct conf_partitions conf_partitions_copy(const struct slurm_conf *conf);
/* Exchanges the configuration's partitions with these. */
void conf_partitions_swap(struct conf_partitions *partitions, struct slurm_conf *conf);
void conf_partitions_clear(struct conf_partitions *partitions);
void conf_partitions_auto_(struct conf_partitions *partitions);

/* Returns the key that "Key=Value" names, which may be cut short, or NULL. */
const struct conf_key *conf_partition_key(const char *pair);

/*
 * Creates, updates or deletes a partition. `pairs` are "Key=Value" with the keys of slurm.conf,
 * which may be cut short. Fails with E_PARTITION_NAME, E_NODE_NAME, or EINVAL with scontrol's
 * words; the partitions may then be changed in part.
 */
int conf_partition_create(struct slurm_conf *conf, const char *name, char *const *pairs,
                          uint32_t pairs_n, struct err *err);
int conf_partition_update(struct slurm_conf *conf, const char *name, char *const *pairs,
                          uint32_t pairs_n, struct err *err);
int conf_partition_delete(struct slurm_conf *conf, const char *name, struct err *err);
