#include "ctld/dispatch/outbox.h"

#include "ctld/dispatch/conn.h"
#include "ctld/dispatch/meter.h"

struct held {
    struct held *next;
    uint64_t turn;
    struct conn *conn; /* NULL: closed meanwhile */
    uint32_t type, request, flags;
    struct strbuf body;
};

struct outbox {
    struct held *first, **last;
};

struct outbox *outbox_new(void)
{
    struct outbox *outbox = xcalloc(1, sizeof(*outbox));

    outbox->last = &outbox->first;
    return outbox;
}

static struct held *pop(struct outbox *outbox)
{
    struct held *held = outbox->first;

    outbox->first = held->next;
    if (!outbox->first)
        outbox->last = &outbox->first;
    return held;
}

static void held_free(struct held *held)
{
    strbuf_clear(&held->body);
    free(held);
}

struct outbox *outbox_free(struct outbox *outbox)
{
    while (outbox && outbox->first)
        held_free(pop(outbox));
    free(outbox);
    return NULL;
}

void outbox_add(struct outbox *outbox, uint64_t turn, struct conn *conn, uint32_t type,
                uint32_t request, uint32_t flags, struct strbuf *body)
{
    struct held *held = xcalloc(1, sizeof(*held));

    *held = (struct held){
        .turn = turn, .conn = conn, .type = type, .request = request, .flags = flags, .body = *body
    };
    *body = (struct strbuf){ 0 };
    conn->held_bytes += held->body.len;
    *outbox->last = held;
    outbox->last = &held->next;
}

void outbox_release(struct outbox *outbox, uint64_t committed)
{
    while (outbox->first && outbox->first->turn <= committed) {
        struct held *held = pop(outbox);

        if (held->conn) {
            held->conn->held_bytes -= held->body.len;
            rpc_send_bytes(held->conn->session, held->type, held->request, held->flags,
                           held->body.data, (uint32_t)held->body.len);
        }
        held_free(held);
    }
}

void outbox_count(const struct outbox *outbox, struct rpc_count **counts, uint32_t *n)
{
    for (const struct held *held = outbox->first; held; held = held->next)
        if (held->conn)
            meter_add(counts, n, held->type, 0);
}

void outbox_forget(struct outbox *outbox, const struct conn *conn)
{
    for (struct held *held = outbox->first; held; held = held->next) {
        if (held->conn == conn)
            held->conn = NULL;
    }
}
