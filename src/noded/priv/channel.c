#include "noded/priv/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SOCKET_BUFFER (512 << 10)

struct queued {
    struct queued *next;
    char *bytes;
    size_t n;
    uint32_t fds_n;
    int fds[PRIV_FDS_MAX];
};

struct priv_channel {
    int fd;
    struct queued *first, **last;
    size_t queued_bytes;
    char *packet; /* receive buffer, made when first needed */
};

int priv_socketpair(int ret_fds[2], struct err *err)
{
    int size = SOCKET_BUFFER;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ret_fds) < 0)
        return err_set(err, errno, "cannot make a socket pair: %s", strerror(errno));
    for (int i = 0; i < 2; i++) /* the kernel's maximum may be smaller: one packet fits anyway */
        (void)setsockopt(ret_fds[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
    return 0;
}

struct priv_channel *priv_channel_new(int fd)
{
    struct priv_channel *channel = xcalloc(1, sizeof(*channel));

    channel->fd = fd;
    channel->last = &channel->first;
    return channel;
}

static void free_first(struct priv_channel *channel)
{
    struct queued *gone = channel->first;

    channel->first = gone->next;
    if (!channel->first)
        channel->last = &channel->first;
    channel->queued_bytes -= gone->n;
    for (uint32_t i = 0; i < gone->fds_n; i++)
        close(gone->fds[i]);
    free(gone->bytes);
    free(gone);
}

struct priv_channel *priv_channel_free(struct priv_channel *channel)
{
    if (!channel)
        return NULL;
    while (channel->first)
        free_first(channel);
    if (channel->fd >= 0)
        close(channel->fd);
    free(channel->packet);
    free(channel);
    return NULL;
}

int priv_channel_fd(const struct priv_channel *channel)
{
    return channel->fd;
}

bool priv_channel_wants_write(const struct priv_channel *channel)
{
    return channel->first;
}

/* Room for descriptors, aligned as the kernel wants it. */
union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * PRIV_FDS_MAX)];
};

static int send_packet(int fd, const void *bytes, size_t n, const int *fds, uint32_t fds_n)
{
    struct iovec part = { .iov_base = (void *)(uintptr_t)bytes, .iov_len = n };
    union control control = { 0 };
    struct msghdr head = { .msg_iov = &part, .msg_iovlen = 1 };

    if (fds_n) {
        head.msg_control = control.bytes;
        head.msg_controllen = CMSG_SPACE(sizeof(int) * fds_n);
        struct cmsghdr *rights = CMSG_FIRSTHDR(&head);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof(int) * fds_n);
        memcpy(CMSG_DATA(rights), fds, sizeof(int) * fds_n);
    }
    return sendmsg(fd, &head, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

static int send_failed(int rc, struct err *err)
{
    if (rc == -EPIPE || rc == -ECONNRESET || rc == -ENOTCONN)
        return err_set(err, E_CLOSED, "the other side is gone");
    return err_set(err, -rc, "cannot send: %s", strerror(-rc));
}

static int enqueue(struct priv_channel *channel, struct strbuf *packet, const struct priv_msg *msg,
                   struct err *err)
{
    if (channel->queued_bytes + packet->len > PRIV_QUEUE_MAX)
        return err_set(err, E_TOO_BIG, "the other side leaves more than %u bytes unread",
                       PRIV_QUEUE_MAX);
    struct queued *queued = xcalloc(1, sizeof(*queued));

    for (uint32_t i = 0; i < msg->fds_n; i++) {
        int fd = fcntl(msg->fds[i], F_DUPFD_CLOEXEC, 0);

        if (fd >= 0)
            queued->fds[queued->fds_n++] = fd;
    }
    queued->n = packet->len;
    queued->bytes = strbuf_steal(packet);
    channel->queued_bytes += queued->n;
    *channel->last = queued;
    channel->last = &queued->next;
    return 0;
}

static bool is_full(int rc)
{
    return rc == -EAGAIN || rc == -ENOBUFS || rc == -EINTR;
}

int priv_send(struct priv_channel *channel, const struct priv_msg *msg, struct err *err)
{
    AUTO(strbuf) struct strbuf packet = { 0 };
    int rc = -EAGAIN;

    priv_encode(msg, &packet);
    if (!channel->first)
        rc = send_packet(channel->fd, packet.data, packet.len, msg->fds, msg->fds_n);
    if (is_full(rc))
        return enqueue(channel, &packet, msg, err);
    return rc < 0 ? send_failed(rc, err) : 0;
}

int priv_channel_flush(struct priv_channel *channel, struct err *err)
{
    while (channel->first) {
        const struct queued *next = channel->first;
        int rc = send_packet(channel->fd, next->bytes, next->n, next->fds, next->fds_n);

        if (is_full(rc))
            return 0;
        if (rc < 0)
            return send_failed(rc, err);
        free_first(channel);
    }
    return 0;
}

static void take_fds(struct msghdr *head, struct priv_msg *msg)
{
    for (struct cmsghdr *part = CMSG_FIRSTHDR(head); part; part = CMSG_NXTHDR(head, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
            continue;
        size_t n = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < n && msg->fds_n < PRIV_FDS_MAX; i++)
            memcpy(&msg->fds[msg->fds_n++], CMSG_DATA(part) + i * sizeof(int), sizeof(int));
    }
}

static int check_packet(const struct msghdr *head, const void *packet, size_t n, unsigned side,
                        struct priv_msg *msg, struct err *err)
{
    struct priv_msg decoded = { 0 };
    int rc;

    if (head->msg_flags & (MSG_TRUNC | MSG_CTRUNC))
        return err_set(err, E_TOO_BIG, "a packet of more than %u bytes or %u descriptors",
                       PRIV_PACKET_MAX, PRIV_FDS_MAX);
    rc = priv_decode(packet, n, msg->fds_n, side, &decoded, err);
    if (rc < 0)
        return rc;
    memcpy(decoded.fds, msg->fds, sizeof(msg->fds));
    *msg = decoded;
    return 1;
}

int priv_receive(struct priv_channel *channel, unsigned side, struct priv_msg *ret_msg,
                 struct err *err)
{
    union control control = { 0 };
    struct msghdr head = { .msg_control = control.bytes, .msg_controllen = sizeof(control.bytes) };
    struct priv_msg msg = { 0 };

    if (!channel->packet)
        channel->packet = xmalloc(PRIV_PACKET_MAX);
    struct iovec part = { .iov_base = channel->packet, .iov_len = PRIV_PACKET_MAX };
    head.msg_iov = &part;
    head.msg_iovlen = 1;
    ssize_t n = recvmsg(channel->fd, &head, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (n <= 0)
        return err_set(err, E_CLOSED, "the other side is gone");
    take_fds(&head, &msg);
    int rc = check_packet(&head, channel->packet, (size_t)n, side, &msg, err);
    if (rc < 0)
        priv_msg_close(&msg);
    else
        *ret_msg = msg;
    return rc;
}

void priv_msg_close(struct priv_msg *msg)
{
    for (uint32_t i = 0; i < msg->fds_n; i++) {
        if (msg->fds[i] >= 0)
            close(msg->fds[i]);
    }
    msg->fds_n = 0;
}
