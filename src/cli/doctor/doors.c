#include "cli/doctor/doors.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/net/resolve.h"

#define PORTAL_MS  1500 /* for all connections together */
#define RESOLVE_MS 1000

static void knock(struct door *door)
{
    AUTO(net_addrs) struct net_addrs addrs = { 0 };

    door->fd = -1;
    door->why = ENOENT;
    if (net_resolve(door->addr, (uint16_t)door->port, RESOLVE_MS, &addrs, NULL) < 0)
        return;
    door->fd =
        socket(addrs.addrs[0].storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    door->why = ETIMEDOUT;
    if (door->fd >= 0 &&
        connect(door->fd, (const struct sockaddr *)&addrs.addrs[0].storage, addrs.addrs[0].n) < 0 &&
        errno != EINPROGRESS)
        door->why = errno;
}

/* Waits for all doors at once; those that do not answer in time keep ETIMEDOUT. */
static void wait_for_doors(struct door *doors, uint32_t n)
{
    AUTO_FREE struct pollfd *polls = xcalloc(n, sizeof(*polls));
    int left = PORTAL_MS;

    for (uint32_t waiting = n; waiting && left > 0; left -= 50) {
        waiting = 0;
        for (uint32_t i = 0; i < n; i++) {
            bool open = doors[i].fd >= 0 && doors[i].why == ETIMEDOUT;

            polls[i] = (struct pollfd){ .fd = open ? doors[i].fd : -1, .events = POLLOUT };
            waiting += open;
        }
        if (!waiting || poll(polls, n, 50) <= 0)
            continue;
        for (uint32_t i = 0; i < n; i++) {
            socklen_t size = sizeof(doors[i].why);

            if (polls[i].revents)
                getsockopt(doors[i].fd, SOL_SOCKET, SO_ERROR, &doors[i].why, &size);
        }
    }
    for (uint32_t i = 0; i < n; i++)
        if (doors[i].fd >= 0)
            close(doors[i].fd);
}

void doors_knock(struct door *doors, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        knock(&doors[i]);
    wait_for_doors(doors, n);
}
