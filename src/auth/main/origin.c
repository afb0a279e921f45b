#include "auth/main/origin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/file_io.h"
#include "common/proc/apart.h"

#define HOST_NAME_MS 1000

static void take_addr(const struct sockaddr *addr, uint8_t ret_addr[4])
{
    memcpy(ret_addr, &((const struct sockaddr_in *)(const void *)addr)->sin_addr, 4);
}

/* Finds the interface with that name, or for NULL the first that is up and not the loopback's. */
static bool find_interface(const char *name, uint8_t ret_addr[4])
{
    struct ifaddrs *all;
    bool found = false;

    if (getifaddrs(&all) < 0)
        return false;
    for (const struct ifaddrs *one = all; one && !found; one = one->ifa_next) {
        bool fits = name ? strcmp(one->ifa_name, name) == 0
                         : (one->ifa_flags & IFF_UP) && !(one->ifa_flags & IFF_LOOPBACK);

        if (!fits || !one->ifa_addr || one->ifa_addr->sa_family != AF_INET)
            continue;
        take_addr(one->ifa_addr, ret_addr);
        found = true;
    }
    freeifaddrs(all);
    return found;
}

static const struct addrinfo ipv4_only = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };

static void tell_host_name(const void *arg, int fd)
{
    char name[HOST_NAME_MAX + 1] = "";
    struct addrinfo *result;
    uint8_t addr[4];

    (void)arg;
    gethostname(name, sizeof(name) - 1);
    if (getaddrinfo(name, NULL, &ipv4_only, &result) != 0)
        return;
    take_addr(result->ai_addr, addr);
    (void)write_all(fd, addr, sizeof(addr));
}

/* Looks the name up in a process of its own, so that it can be given up when the name service takes
 * long, and takes with it what the name service opens. */
static bool find_host_name(uint8_t ret_addr[4])
{
    AUTO(strbuf) struct strbuf addr = { 0 };

    if (proc_apart(tell_host_name, NULL, HOST_NAME_MS, &addr, NULL) < 0 || addr.len != 4)
        return false;
    memcpy(ret_addr, addr.data, 4);
    return true;
}

static int find_given(const char *given, uint8_t ret_addr[4], struct err *err)
{
    struct addrinfo *result;
    int rc;

    if (inet_pton(AF_INET, given, ret_addr) == 1 || find_interface(given, ret_addr))
        return 0;
    rc = getaddrinfo(given, NULL, &ipv4_only, &result);
    if (rc != 0)
        return err_set(err, EINVAL, "--origin '%s': no address, interface or host: %s", given,
                       gai_strerror(rc));
    take_addr(result->ai_addr, ret_addr);
    freeaddrinfo(result);
    return 0;
}

static void find_interface_of(struct origin *origin)
{
    struct ifaddrs *all;
    uint8_t addr[4];

    if (getifaddrs(&all) < 0)
        return;
    for (const struct ifaddrs *one = all; one && !*origin->interface; one = one->ifa_next) {
        if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET)
            continue;
        take_addr(one->ifa_addr, addr);
        if (memcmp(addr, origin->addr, sizeof(addr)) == 0)
            snprintf(origin->interface, sizeof(origin->interface), "%s", one->ifa_name);
    }
    freeifaddrs(all);
}

int origin_find(const char *given, struct origin *ret, struct err *err)
{
    struct origin origin = { 0 };
    int rc = 0;

    if (given)
        rc = find_given(given, origin.addr, err);
    else if (!find_host_name(origin.addr) && !find_interface(NULL, origin.addr))
        memset(origin.addr, 0, 4);
    if (rc < 0)
        return rc;
    find_interface_of(&origin);
    *ret = origin;
    return 0;
}
