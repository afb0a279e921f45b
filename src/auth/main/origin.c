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
#include <time.h>
#include <unistd.h>

#include "common/base/alloc.h"

static void take_addr(const struct sockaddr *addr, uint8_t ret_addr[4])
{
    memcpy(ret_addr, &((const struct sockaddr_in *)(const void *)addr)->sin_addr, 4);
}

/* The interface with that name, or with NULL the first that is up and not the loopback's. */
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

/* The request outlives a timeout: the resolver's thread still writes to it. So it is not freed
   then; that happens once in the life of a daemon. */
static bool find_host_name(uint8_t ret_addr[4])
{
    struct request {
        char name[HOST_NAME_MAX + 1];
        struct gaicb gaicb;
    } *request = xcalloc(1, sizeof(*request));
    struct gaicb *list[] = { &request->gaicb };
    bool found = false;

    gethostname(request->name, sizeof(request->name) - 1);
    request->gaicb = (struct gaicb){ .ar_name = request->name, .ar_request = &ipv4_only };
    if (getaddrinfo_a(GAI_NOWAIT, list, 1, NULL) == 0) {
        gai_suspend((const struct gaicb *const *)list, 1, &(struct timespec){ .tv_sec = 1 });
        if (gai_error(&request->gaicb) == EAI_INPROGRESS &&
            gai_cancel(&request->gaicb) != EAI_CANCELED)
            return false;
    }
    if (gai_error(&request->gaicb) == 0 && request->gaicb.ar_result) {
        take_addr(request->gaicb.ar_result->ai_addr, ret_addr);
        freeaddrinfo(request->gaicb.ar_result);
        found = true;
    }
    free(request);
    return found;
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
