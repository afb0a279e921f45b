#include "noded/stepd/frame.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "noded/priv/verbs.h"

int frame_send(int fd, const struct frame *frame)
{
    return send(fd, frame, sizeof(*frame), MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

int frame_send_waiting(int fd, const struct frame *frame)
{
    int rc;

    while ((rc = frame_send(fd, frame)) == -EAGAIN || rc == -EINTR) {
        struct pollfd ready = { .fd = fd, .events = POLLOUT };

        (void)poll(&ready, 1, -1);
    }
    return rc;
}

int frame_receive(int fd, struct frame *ret)
{
    struct frame frame;
    ssize_t n = recv(fd, &frame, sizeof(frame), MSG_DONTWAIT | MSG_TRUNC);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (n <= 0)
        return -E_CLOSED;
    if (n != sizeof(frame) || frame.kind == 0 || frame.kind >= FRAME_KINDS_N)
        return -E_PROTO;
    frame.text[FRAME_TEXT_MAX - 1] = '\0';
    priv_printable(frame.text);
    *ret = frame;
    return 1;
}
