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
 * Splits "host", "host:port", "[v6]:port" or "v6". Without a port *ret_port is `default_port`.
 * *ret_host is to be freed.
 */
int net_host_port_parse(const char *text, uint16_t default_port, char **ret_host,
                        uint16_t *ret_port, struct err *err);

/* Reads an address written in numbers. Fails with EINVAL for anything else, such as a name. */
int net_addr_parse(const char *host, uint16_t port, struct net_addr *ret_addr, struct err *err);

/* Returns address and port as "10.0.0.1:6817" or "[fe80::1]:6817"; free() it. */
char *net_addr_text(const struct net_addr *addr);
/* Returns the address without the port, as "10.0.0.1" or "fe80::1"; free() it. */
char *net_addr_host(const struct net_addr *addr);
uint16_t net_addr_port(const struct net_addr *addr);
/*
 * Makes the address of a Unix socket that has a name and no file, to bind or connect only. Fails
 * with ENAMETOOLONG.
 */
int net_addr_abstract(const char *name, struct net_addr *ret_addr, struct err *err);

/* Returns true if the descriptor is a socket of TCP, over IPv4 or IPv6, that is not listening. */
bool net_is_tcp(int fd);

bool net_addr_equal(const struct net_addr *a, const struct net_addr *b);
