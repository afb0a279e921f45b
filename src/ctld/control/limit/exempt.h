/*
 * exempt.h - QOS that let jobs exceed limits of partitions: the flags PartitionTimeLimit,
 * PartitionMaxNodes and PartitionMinNodes. They count whatever AccountingStorageEnforce says.
 */
#pragma once

#include "ctld/control/act/act.h"

/* Tells the model what QOS exempt from as their records are now; returns whether that is something
 * else than it knew. */
bool limit_tell_exempt(struct control *control);
