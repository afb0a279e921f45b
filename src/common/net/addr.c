#include "common/net/addr.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

void net_addrs_clear(struct net_addrs *list)
{
    free(list->addrs);
    *list = (struct net_addrs){ 0 };
}

void net_addrs_auto_(struct net_addrs *list)
{
    net_addrs_clear(list);
}

/* ---- host and port ---- */

static int parse_port(const char *whole, const char *text, uint16_t *ret_port, struct err *err)
{
    size_t n = strspn(text, "0123456789");
    unsigned long port = n > 0 && n < 6 && text[n] == '\0' ? strtoul(text, NULL, 10) : 0;

    if (port == 0 || port > UINT16_MAX)
        return err_set(err, EINVAL, "address '%.300s': port '%.20s' is not 1 to 65535", whole,
                       text);
    *ret_port = (uint16_t)port;
    return 0;
}

/* Finds where the host ends and, if there is one, where the port begins. */
static int split(const char *text, const char **ret_host, size_t *ret_host_n, const char **ret_port)
{
    const char *colon = strchr(text, ':');
    const char *end;

    *ret_host = text;
    *ret_host_n = strlen(text);
    *ret_port = NULL;
    if (text[0] == '[') {
        end = strchr(text, ']');
        if (!end || (end[1] != '\0' && end[1] != ':'))
            return -EINVAL;
        *ret_host = text + 1;
        *ret_host_n = (size_t)(end - text - 1);
        *ret_port = end[1] == ':' ? end + 2 : NULL;
    } else if (colon && !strchr(colon + 1, ':')) { /* two colons make an IPv6 address */
        *ret_host_n = (size_t)(colon - text);
        *ret_port = colon + 1;
    }
    return *ret_host_n > 0 && *ret_host_n <= NET_HOST_MAX ? 0 : -EINVAL;
}

int net_host_port_parse(const char *text, uint16_t default_port, char **ret_host,
                        uint16_t *ret_port, struct err *err)
{
    const char *host, *port_text;
    size_t host_n;
    uint16_t port = default_port;

    if (split(text, &host, &host_n, &port_text) < 0)
        return err_set(err, EINVAL, "address '%.300s' is not HOST or HOST:PORT", text);
    if (port_text) {
        int rc = parse_port(text, port_text, &port, err);

        if (rc < 0)
            return rc;
    }
    *ret_host = xstrndup(host, host_n);
    *ret_port = port;
    return 0;
}

/* ---- literal addresses ---- */

int net_addr_parse(const char *host, uint16_t port, struct net_addr *ret_addr, struct err *err)
{
    const struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                    .ai_socktype = SOCK_STREAM };
    struct addrinfo *found;
    char service[8];

    snprintf(service, sizeof(service), "%u", port);
    if (strlen(host) > NET_HOST_MAX || getaddrinfo(host, service, &hints, &found) != 0)
        return err_set(err, EINVAL, "'%.300s' is not an address in numbers", host);
    *ret_addr = (struct net_addr){ .n = found->ai_addrlen };
    memcpy(&ret_addr->storage, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return 0;
}

uint16_t net_addr_port(const struct net_addr *addr)
{
    const void *raw = &addr->storage;

    if (addr->storage.ss_family == AF_INET)
        return ntohs(((const struct sockaddr_in *)raw)->sin_port);
    if (addr->storage.ss_family == AF_INET6)
        return ntohs(((const struct sockaddr_in6 *)raw)->sin6_port);
    return 0;
}

/*
 * Returns whether this is an IPv4 peer of an IPv6 socket, which is written as the IPv4 address that
 * people know.
 */
static bool is_mapped(const struct net_addr *addr)
{
    const struct sockaddr_in6 *v6 = (const void *)&addr->storage;

    return addr->storage.ss_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr);
}

char *net_addr_host(const struct net_addr *addr)
{
    const struct sockaddr *raw = (const void *)&addr->storage;
    const struct sockaddr_in6 *v6 = (const void *)&addr->storage;
    char text[NI_MAXHOST];

    if (is_mapped(addr))
        return xstrdup(inet_ntop(AF_INET, &v6->sin6_addr.s6_addr[12], text, sizeof(text)));
    if (getnameinfo(raw, addr->n, text, sizeof(text), NULL, 0, NI_NUMERICHOST) != 0)
        return xstrdup("unknown address");
    return xstrdup(text);
}

char *net_addr_text(const struct net_addr *addr)
{
    AUTO_FREE char *host = net_addr_host(addr);

    return xasprintf(strchr(host, ':') ? "[%s]:%u" : "%s:%u", host, net_addr_port(addr));
}

/* Makes an abstract name: the zero in front of it says that there is no file. */
int net_addr_abstract(const char *name, struct net_addr *ret_addr, struct err *err)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    size_t n = strlen(name);

    if (n >= sizeof(addr.sun_path))
        return err_set(err, ENAMETOOLONG, "socket name '@%.200s' is longer than %zu bytes", name,
                       sizeof(addr.sun_path) - 1);
    memcpy(addr.sun_path + 1, name, n);
    memcpy(&ret_addr->storage, &addr, sizeof(addr));
    ret_addr->n = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n);
    return 0;
}

bool net_addr_equal(const struct net_addr *a, const struct net_addr *b)
{
    AUTO_FREE char *text_a = net_addr_text(a), *text_b = net_addr_text(b);

    return strcmp(text_a, text_b) == 0;
}

static int option_of(int fd, int name)
{
    int value = -1;
    socklen_t n = sizeof(value);

    return getsockopt(fd, SOL_SOCKET, name, &value, &n) < 0 ? -1 : value;
}

bool net_is_tcp(int fd)
{
    const int domain = option_of(fd, SO_DOMAIN);

    return (domain == AF_INET || domain == AF_INET6) && option_of(fd, SO_TYPE) == SOCK_STREAM &&
           option_of(fd, SO_PROTOCOL) == IPPROTO_TCP && option_of(fd, SO_ACCEPTCONN) == 0;
}
