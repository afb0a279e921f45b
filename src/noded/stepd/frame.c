#include "noded/stepd/frame.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
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

/* Room for one descriptor, aligned as the kernel wants it. */
union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

int frame_send_fd(int fd, const struct frame *frame, int passed)
{
    struct iovec part = { (void *)(uintptr_t)frame, sizeof(*frame) };
    union control control = { 0 };
    struct msghdr head = { .msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof(control.bytes) };
    struct cmsghdr *rights = CMSG_FIRSTHDR(&head);

    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(rights), &passed, sizeof(passed));
    return sendmsg(fd, &head, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

/* Receives a message. Of an end with something unread the kernel tells first, and then gives what
 * was said before. */
static ssize_t receive(int fd, struct msghdr *head, int flags)
{
    ssize_t n = recvmsg(fd, head, flags | MSG_DONTWAIT | MSG_TRUNC);

    return n < 0 && errno == ECONNRESET ? recvmsg(fd, head, flags | MSG_DONTWAIT | MSG_TRUNC) : n;
}

static int check(const struct frame *frame, ssize_t n, struct frame *ret)
{
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (n <= 0)
        return -E_CLOSED;
    if (n != sizeof(*frame) || frame->kind == 0 || frame->kind >= FRAME_KINDS_N)
        return -E_PROTO;
    *ret = *frame;
    ret->text[FRAME_TEXT_MAX - 1] = '\0';
    priv_printable(ret->text);
    return 1;
}

int frame_receive(int fd, struct frame *ret)
{
    struct frame frame;
    struct iovec part = { &frame, sizeof(frame) };
    struct msghdr head = { .msg_iov = &part, .msg_iovlen = 1 };
    ssize_t n = receive(fd, &head, 0);

    return check(&frame, n, ret);
}

int frame_receive_fd(int fd, struct frame *ret, int *ret_passed)
{
    struct frame frame;
    struct iovec part = { &frame, sizeof(frame) };
    union control control = { 0 };
    struct msghdr head = { .msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof(control.bytes) };
    ssize_t n = receive(fd, &head, MSG_CMSG_CLOEXEC);
    const struct cmsghdr *rights = n > 0 ? CMSG_FIRSTHDR(&head) : NULL;

    *ret_passed = -1;
    if (rights && rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS)
        memcpy(ret_passed, CMSG_DATA(rights), sizeof(*ret_passed));
    return check(&frame, n, ret);
}
