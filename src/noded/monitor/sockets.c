#include "noded/monitor/sockets.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "noded/stepd/spool.h"

void sockets_clear(struct sockets *sockets)
{
    for (uint32_t i = 0; i < sockets->n; i++)
        close(sockets->all[i].fd);
    free(sockets->all);
    *sockets = (struct sockets){ 0 };
}

/* Returns the inode of the record's socket; 0: there is none. */
static ino_t file_in(int record_fd)
{
    struct stat status;

    return fstatat(record_fd, SPOOL_SOCKET, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_ino : 0;
}

static int take(struct sockets *sockets, ino_t file)
{
    for (uint32_t i = 0; i < sockets->n; i++) {
        const int fd = sockets->all[i].fd;

        if (sockets->all[i].file != file)
            continue;
        sockets->all[i] = sockets->all[--sockets->n];
        return fd;
    }
    return -1;
}

int sockets_open(struct sockets *sockets, int record_fd, int *ret_fd, ino_t *ret_file,
                 struct err *err)
{
    int rc;

    *ret_file = file_in(record_fd);
    *ret_fd = *ret_file ? take(sockets, *ret_file) : -1;
    if (*ret_fd >= 0)
        return 0;
    if (*ret_file) /* a daemon before this one left it there */
        (void)unlinkat(record_fd, SPOOL_SOCKET, 0);
    rc = spool_listen(record_fd, ret_fd, err);
    if (rc == 0)
        *ret_file = file_in(record_fd);
    return rc;
}

void sockets_keep(struct sockets *sockets, ino_t file, int fd)
{
    *ARRAY_PUSH(sockets->all, sockets->n) = (struct kept_socket){ file, fd };
}
