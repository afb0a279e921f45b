/*
 * lines.h - a NodeName line as it stands, before its host lists are expanded.
 */
#pragma once

#include "common/conf/slurm_conf.h"

#define CONF_MB_UNSET UINT64_MAX

/*
 * The values of a NodeName line, as in struct conf_node; CONF_UNSET, CONF_MB_UNSET or NULL when the
 * line does not give them.
 */
struct conf_node_line {
    char *names;
    char *addrs;
    char *hostnames;
    char *bcast_addrs;
    char *ports;
    uint32_t cpus;
    uint32_t boards;
    uint32_t sockets;
    uint32_t sockets_per_board;
    uint32_t cores_per_socket;
    uint32_t threads_per_core;
    uint32_t weight;
    uint32_t core_spec_n;
    uint64_t memory_mb;
    uint64_t tmp_disk_mb;
    uint64_t mem_spec_mb;
    char *cpu_spec_list;
    char *features;
    char *gres;
    char *reason;
    uint32_t cpu_bind;
    uint32_t state;
};
