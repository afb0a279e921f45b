#include "common/base/file_io.h"

#include <errno.h>
#include <unistd.h>

int write_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n > 0) {
        const ssize_t written = write(fd, at, n);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return -errno;
        at += written;
        n -= (size_t)written;
    }
    return 0;
}
