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
    struct queue at_once, for_nodes, waiting;
};

struct outbox *outbox_new(void)
{
    struct outbox *outbox = xcalloc(1, sizeof(*outbox));

    outbox->at_once.last = &outbox->at_once.first;
    outbox->for_nodes.last = &outbox->for_nodes.first;
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
        clear_queue(&outbox->for_nodes);
        clear_queue(&outbox->waiting);
    }
    free(outbox);
    return NULL;
}

static struct queue *queue_for(struct outbox *outbox, uint64_t turn, const struct conn *conn)
{
    if (turn == OUTBOX_AT_ONCE)
        return &outbox->at_once;
    return conn_is_of_daemon(conn) ? &outbox->for_nodes : &outbox->waiting;
}

void outbox_add(struct outbox *outbox, uint64_t turn, struct conn *conn, uint32_t type,
                uint32_t request, uint32_t flags, struct strbuf *body)
{
    struct held *held = xcalloc(1, sizeof(*held));
    struct queue *queue = queue_for(outbox, turn, conn);

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
    release(&outbox->for_nodes, committed);
    release(&outbox->waiting, committed);
}

static void count(const struct queue *queue, struct rpc_count **counts, uint32_t *n)
{
    for (const struct held *held = queue->first; held; held = held->next)
        if (held->conn)
            meter_add(counts, n, held->type, 0);
}

void outbox_count(const struct outbox *outbox, struct rpc_count **counts, uint32_t *n)
{
    count(&outbox->for_nodes, counts, n);
    count(&outbox->waiting, counts, n);
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
    forget(&outbox->for_nodes, conn);
    forget(&outbox->waiting, conn);
}

static void forget_request(struct queue *queue, struct conn *conn, uint32_t request)
{
    for (struct held *held = queue->first; held; held = held->next) {
        if (held->conn != conn || held->request != request || !(held->flags & RPC_REPLY))
            continue;
        conn->held_bytes -= held->body.len;
        held->conn = NULL;
    }
}

void outbox_forget_request(struct outbox *outbox, struct conn *conn, uint32_t request)
{
    forget_request(&outbox->for_nodes, conn, request);
    forget_request(&outbox->waiting, conn, request);
}
