#include "common/rpc/relays.h"

#include <string.h>

#include "common/msg/types.h"

#define ACKNOWLEDGE_EVERY 16

static void send_one(struct rpc_session *session, const struct io_relay *relay)
{
    (void)rpc_send(session, MSG_IO_RELAY, 0, 0, relay); /* a lost one is repeated */
}

void relays_send(struct relays *relays, struct rpc_session *session, const struct io_relay *relay)
{
    struct io_relay *kept = ARRAY_PUSH(relays->kept, relays->kept_n);

    schema_copy(io_relay_schema(), kept, relay);
    kept->number = ++relays->sent;
    if (session)
        send_one(session, kept);
}

void relays_repeat(const struct relays *relays, struct rpc_session *session)
{
    for (uint32_t i = 0; i < relays->kept_n; i++)
        send_one(session, &relays->kept[i]);
}

bool relays_take(struct relays *relays, struct rpc_session *session, const struct io_relay *relay)
{
    if (relay->number != relays->received + 1)
        return false;
    relays->received++;
    if (relays->received % ACKNOWLEDGE_EVERY == 0)
        (void)rpc_send(session, MSG_IO_RELAYED, 0, 0,
                       &(struct io_relayed){ .number = relays->received });
    return true;
}

void relays_acknowledged(struct relays *relays, uint64_t number)
{
    uint32_t n = 0;

    while (n < relays->kept_n && relays->kept[n].number <= number)
        io_relay_clear(&relays->kept[n++]);
    relays->kept_n -= n;
    if (n)
        memmove(relays->kept, relays->kept + n, relays->kept_n * sizeof(*relays->kept));
}

void relays_clear(struct relays *relays)
{
    relays_acknowledged(relays, UINT64_MAX);
    free(relays->kept);
    relays->kept = NULL;
}
