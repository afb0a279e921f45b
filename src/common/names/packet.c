#include "common/names/packet.h"

#include <errno.h>
#include <sys/socket.h>

SCHEMA_DEFINE(identity, IDENTITY)

int names_send(int fd, const struct identity *identity)
{
    AUTO(strbuf) struct strbuf packet = { 0 };

    strbuf_addc(&packet, 0); /* a packet is never empty, so that 0 bytes mean the end */
    schema_encode(identity_schema(), identity, &packet);
    if (send(fd, packet.data, packet.len, MSG_NOSIGNAL) < 0)
        return -errno;
    return 0;
}

int names_receive(int fd, struct identity *ret)
{
    AUTO_FREE char *packet = xmalloc(NAMES_PACKET_MAX);
    ssize_t n;

    identity_init(ret);
    n = recv(fd, packet, NAMES_PACKET_MAX, 0);
    if (n < 0)
        return -errno;
    if (n == 0)
        return -E_CLOSED;
    return schema_decode(identity_schema(), packet + 1, (size_t)n - 1, ret, NULL);
}
