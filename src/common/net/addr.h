/*
 * addr.h - addresses of peers: parsing and printing, without asking a name service.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "common/base/alloc.h"

#define NET_HOST_MAX 255 /* bytes of a host name */

/* An IPv4 or IPv6 address with its port. Plain data. */
struct net_addr {
    struct sockaddr_storage storage;
    socklen_t n;
};

struct net_addrs {
    struct net_addr *addrs;
    uint32_t addrs_n;
};

void net_addrs_clear(struct net_addrs *list);
void net_addrs_auto_(struct net_addrs *list);

/*
 * Takes "host", "host:port", "[v6]:port", "v6" apart. The port is `default_port` where none is
 * written. *ret_host is free()'d by the caller.
 */
int net_host_port_parse(const char *text, uint16_t default_port, char **ret_host,
                        uint16_t *ret_port, struct err *err);

/* An address written in numbers. Fails with EINVAL for anything else, such as a name. */
int net_addr_parse(const char *host, uint16_t port, struct net_addr *ret_addr, struct err *err);

/* "10.0.0.1:6817", "[fe80::1]:6817"; free() it. */
char *net_addr_text(const struct net_addr *addr);
/* The address without the port: "10.0.0.1", "fe80::1"; free() it. */
char *net_addr_host(const struct net_addr *addr);
uint16_t net_addr_port(const struct net_addr *addr);
/* The address of a Unix socket that has a name and no file. Only to bind and connect; fails with
 * ENAMETOOLONG. */
int net_addr_abstract(const char *name, struct net_addr *ret_addr, struct err *err);

/* True if a descriptor is a socket of TCP, over IPv4 or IPv6, and listens to nobody. */
bool net_is_tcp(int fd);

bool net_addr_equal(const struct net_addr *a, const struct net_addr *b);
