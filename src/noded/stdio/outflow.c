#include "noded/stdio/outflow.h"

#include <string.h>

struct item {
    struct item *next;
    uint64_t end; /* of its bytes, since the beginning */
    uint32_t task, stream, n;
    uint8_t data[];
};

struct outflow {
    struct item *first, **last;
    struct item *unsent; /* NULL: all sent */
    uint64_t added, sent, consumed;
};

struct outflow *outflow_new(void)
{
    struct outflow *flow = xcalloc(1, sizeof(*flow));

    flow->last = &flow->first;
    return flow;
}

static void drop_first(struct outflow *flow)
{
    struct item *gone = flow->first;

    flow->first = gone->next;
    if (!flow->first)
        flow->last = &flow->first;
    free(gone);
}

struct outflow *outflow_free(struct outflow *flow)
{
    while (flow && flow->first)
        drop_first(flow);
    free(flow);
    return NULL;
}

uint32_t outflow_room(const struct outflow *flow)
{
    uint64_t out = flow->added - flow->consumed;

    return out < IO_WINDOW_BYTES ? (uint32_t)(IO_WINDOW_BYTES - out) : 0;
}

void outflow_add(struct outflow *flow, const struct outflow_frame *frame)
{
    struct item *item = xmalloc(sizeof(*item) + frame->n);

    flow->added += frame->n;
    *item = (struct item){
        .end = flow->added, .task = frame->task, .stream = frame->stream, .n = frame->n
    };
    if (frame->n)
        memcpy(item->data, frame->data, frame->n);
    *flow->last = item;
    flow->last = &item->next;
    if (!flow->unsent)
        flow->unsent = item;
}

bool outflow_next(struct outflow *flow, struct outflow_frame *ret_frame)
{
    struct item *item = flow->unsent;

    if (!item)
        return false;
    *ret_frame = (struct outflow_frame){ item->task, item->stream, item->data, item->n };
    flow->unsent = item->next;
    flow->sent = item->end;
    return true;
}

/* Drops frames that srun has consumed. Ends of streams at the place where srun stands are kept: it
 * may not have seen them yet. */
static void drop_consumed(struct outflow *flow, uint64_t total)
{
    flow->consumed = total;
    while (flow->first && flow->first != flow->unsent && flow->first->n &&
           flow->first->end <= total)
        drop_first(flow);
    while (flow->first && flow->first != flow->unsent && flow->first->end < total)
        drop_first(flow);
}

int outflow_credit(struct outflow *flow, uint64_t total, struct err *err)
{
    if (total < flow->consumed || total > flow->sent)
        return err_set(err, E_PROTO, "srun consumed %llu bytes of %llu that were sent",
                       (unsigned long long)total, (unsigned long long)flow->sent);
    drop_consumed(flow, total);
    return 0;
}

/* Drops the part of a frame that srun has consumed. It may stand inside of one only by mistake;
 * then the rest of the frame goes. */
static void cut_first(struct outflow *flow, uint64_t total)
{
    struct item *item = flow->first;
    uint32_t rest;

    if (!item || item->n == 0 || item->end - item->n >= total)
        return;
    rest = (uint32_t)(item->end - total);
    memmove(item->data, item->data + item->n - rest, rest);
    item->n = rest;
}

int outflow_rewind(struct outflow *flow, uint64_t total, struct err *err)
{
    int rc = outflow_credit(flow, total, err);

    if (rc < 0)
        return rc;
    cut_first(flow, total);
    flow->unsent = flow->first;
    return 0;
}

uint64_t outflow_consumed(const struct outflow *flow)
{
    return flow->consumed;
}

bool outflow_is_done(const struct outflow *flow)
{
    return !flow->unsent && flow->consumed == flow->added;
}
