#include "auth/main/origin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void tell_host_name(int fd)
{
    char name[HOST_NAME_MAX + 1] = "";
    struct addrinfo *result;
    uint8_t addr[4];

    gethostname(name, sizeof(name) - 1);
    if (getaddrinfo(name, NULL, &ipv4_only, &result) != 0)
        return;
    take_addr(result->ai_addr, addr);
    (void)!write(fd, addr, sizeof(addr));
}

/* Looks the name up in a process that can be given up when the name service takes long, and that
   takes with it what the name service opens. */
static bool find_host_name(uint8_t ret_addr[4])
{
    bool found = false;
    int fds[2];
    pid_t pid;

    if (pipe2(fds, O_CLOEXEC) < 0)
        return false;
    pid = fork();
    if (pid == 0) {
        tell_host_name(fds[1]);
        _exit(0);
    }
    close(fds[1]);
    if (pid > 0) {
        struct pollfd ready = { .fd = fds[0], .events = POLLIN };

        found = poll(&ready, 1, HOST_NAME_MS) == 1 && read(fds[0], ret_addr, 4) == 4;
        (void)kill(pid, SIGKILL);
        (void)waitpid(pid, NULL, 0);
    }
    close(fds[0]);
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
