#include "ctld/dispatch/outbox.h"

#include "ctld/dispatch/conn.h"
#include "ctld/dispatch/lag.h"
#include "ctld/dispatch/meter.h"

struct held {
    struct held *next;
    uint64_t turn;
    struct conn *conn; /* NULL: closed meanwhile */
    uint32_t type, request, flags;
    struct strbuf body;
};

struct queue {
    struct held *first, **last;
};

struct outbox {
    struct queue at_once, waiting;
};

struct outbox *outbox_new(void)
{
    struct outbox *outbox = xcalloc(1, sizeof(*outbox));

    outbox->at_once.last = &outbox->at_once.first;
    outbox->waiting.last = &outbox->waiting.first;
    return outbox;
}

static struct held *pop(struct queue *queue)
{
    struct held *held = queue->first;

    queue->first = held->next;
    if (!queue->first)
        queue->last = &queue->first;
    return held;
}

static void held_free(struct held *held)
{
    strbuf_clear(&held->body);
    free(held);
}

static void clear_queue(struct queue *queue)
{
    while (queue->first)
        held_free(pop(queue));
}

struct outbox *outbox_free(struct outbox *outbox)
{
    if (outbox) {
        clear_queue(&outbox->at_once);
        clear_queue(&outbox->waiting);
    }
    free(outbox);
    return NULL;
}

void outbox_add(struct outbox *outbox, uint64_t turn, struct conn *conn, uint32_t type,
                uint32_t request, uint32_t flags, struct strbuf *body)
{
    struct held *held = xcalloc(1, sizeof(*held));
    struct queue *queue = turn == OUTBOX_AT_ONCE ? &outbox->at_once : &outbox->waiting;

    *held = (struct held){
        .turn = turn, .conn = conn, .type = type, .request = request, .flags = flags, .body = *body
    };
    *body = (struct strbuf){ 0 };
    conn->held_bytes += held->body.len;
    *queue->last = held;
    queue->last = &held->next;
}

static void release(struct queue *queue, uint64_t committed)
{
    while (queue->first && queue->first->turn <= committed) {
        struct held *held = pop(queue);

        if (held->conn) {
            held->conn->held_bytes -= held->body.len;
            lag_note_sent(held->conn, held->request, held->flags);
            rpc_send_bytes(held->conn->session, held->type, held->request, held->flags,
                           held->body.data, (uint32_t)held->body.len);
        }
        held_free(held);
    }
}

void outbox_release(struct outbox *outbox, uint64_t committed)
{
    release(&outbox->at_once, committed);
    release(&outbox->waiting, committed);
}

void outbox_count(const struct outbox *outbox, struct rpc_count **counts, uint32_t *n)
{
    for (const struct held *held = outbox->waiting.first; held; held = held->next)
        if (held->conn)
            meter_add(counts, n, held->type, 0);
}

static void forget(struct queue *queue, const struct conn *conn)
{
    for (struct held *held = queue->first; held; held = held->next) {
        if (held->conn == conn)
            held->conn = NULL;
    }
}

void outbox_forget(struct outbox *outbox, const struct conn *conn)
{
    forget(&outbox->at_once, conn);
    forget(&outbox->waiting, conn);
}

void outbox_forget_request(struct outbox *outbox, struct conn *conn, uint32_t request)
{
    for (struct held *held = outbox->waiting.first; held; held = held->next) {
        if (held->conn != conn || held->request != request || !(held->flags & RPC_REPLY))
            continue;
        conn->held_bytes -= held->body.len;
        held->conn = NULL;
    }
}
