#include "common/net/here.h"

#include <errno.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <string.h>

#include "common/net/resolve.h"

static bool is_loopback(const struct net_addr *addr)
{
    AUTO_FREE char *host = net_addr_host(addr);

    return strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0;
}

bool net_is_loopback(const char *address)
{
    struct net_addr addr;

    return net_addr_parse(address, 0, &addr, NULL) == 0 && is_loopback(&addr);
}

static bool is_of(const struct ifaddrs *interface, const struct net_addr *addr)
{
    const int family = interface->ifa_addr ? interface->ifa_addr->sa_family : AF_UNSPEC;
    struct net_addr own = { .n = family == AF_INET ? sizeof(struct sockaddr_in)
                                                   : sizeof(struct sockaddr_in6) };

    if (family != AF_INET && family != AF_INET6)
        return false;
    memcpy(&own.storage, interface->ifa_addr, own.n);
    AUTO_FREE char *own_host = net_addr_host(&own), *host = net_addr_host(addr);

    return strcmp(own_host, host) == 0;
}

static bool has(const struct ifaddrs *interfaces, const struct net_addr *addr)
{
    if (is_loopback(addr))
        return false;
    while (interfaces && !is_of(interfaces, addr))
        interfaces = interfaces->ifa_next;
    return interfaces;
}

int net_is_here(const char *host, int timeout_ms, struct err *err)
{
    AUTO(net_addrs) struct net_addrs found = { 0 };
    struct ifaddrs *interfaces;
    int is_here = 0, rc = net_resolve(host, 0, timeout_ms, &found, err);

    if (rc < 0)
        return rc;
    if (getifaddrs(&interfaces) < 0)
        return err_set(err, errno, "cannot list the interfaces: %s", strerror(errno));
    for (uint32_t i = 0; i < found.addrs_n && !is_here; i++)
        is_here = has(interfaces, &found.addrs[i]);
    freeifaddrs(interfaces);
    return is_here;
}
