/*
 * sockets.h - the control sockets of step daemons, which outlive them with their records.
 *
 * A socket is a file, and making one is dear (noded/stepd/spare.h). So a step daemon that ends well
 * hands its own back, and it stays bound in the record, for the step that gets the record next. As
 * long as it is here nobody calls it: what ends without handing it back has closed it, and whoever
 * calls there is refused.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "common/base/err.h"

/* Spare sockets that listen; all zero has none. */
struct sockets {
    struct kept_socket {
        ino_t file; /* no other has the number while the socket is open */
        int fd;
    } * all;
    uint32_t n;
};

/* Closes all spare sockets. */
void sockets_clear(struct sockets *sockets);

/* Opens a socket that listens in the record, kept or new; *ret_fd is the caller's. */
int sockets_open(struct sockets *sockets, int record_fd, int *ret_fd, ino_t *ret_file,
                 struct err *err);

/* Keeps `fd`, which listens at that file. */
void sockets_keep(struct sockets *sockets, ino_t file, int fd);
