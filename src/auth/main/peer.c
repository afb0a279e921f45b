#include "auth/main/peer.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

enum { GROUPS_MAX = 65536 }; /* Linux's NGROUPS_MAX */

/* Reads the groups again on ERANGE, with which the kernel says how much room it needs. */
static int read_groups(int fd, gid_t **ret_groups, size_t *ret_n, struct err *err)
{
    AUTO_FREE gid_t *groups = xcalloc(32, sizeof(gid_t));
    socklen_t size = 32 * sizeof(gid_t);
    int rc = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size);

    if (rc < 0 && errno == ERANGE && size <= GROUPS_MAX * sizeof(gid_t)) {
        groups = xrealloc(groups, size);
        rc = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size);
    }
    if (rc < 0)
        return err_set(err, errno, "cannot learn the client's groups: %s", strerror(errno));
    *ret_n = size / sizeof(gid_t);
    *ret_groups = STEAL(groups);
    return 0;
}

static int has_group(const void *arg, gid_t gid, struct err *err)
{
    AUTO_FREE gid_t *groups = NULL;
    size_t n;
    int rc = read_groups(*(const int *)arg, &groups, &n, err);

    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = groups[i] == gid;
    return rc;
}

int peer_of_socket(const int *fd, struct peer *ret, struct err *err)
{
    struct ucred ucred;
    socklen_t size = sizeof(ucred);

    if (getsockopt(*fd, SOL_SOCKET, SO_PEERCRED, &ucred, &size) < 0)
        return err_set(err, errno, "cannot learn who the client is: %s", strerror(errno));
    *ret = (struct peer){ ucred.pid, ucred.uid, ucred.gid, has_group, fd };
    return 0;
}
