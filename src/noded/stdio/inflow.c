#include "noded/stdio/inflow.h"

#include <string.h>

struct chunk {
    struct chunk *next;
    uint32_t reader; /* COUNT_UNSET: all */
    uint32_t wanted_by;
    uint32_t n;
    uint8_t data[];
};

/* A reader stands at `offset` inside of `at`; NULL: it has all that is there. */
struct reader {
    struct chunk *at;
    uint32_t offset;
    bool ended, left;
};

struct inflow {
    struct chunk *first, **last;
    struct reader *readers;
    uint32_t readers_n;
    uint64_t held, consumed;
};

struct inflow *inflow_new(uint32_t readers)
{
    struct inflow *flow = xcalloc(1, sizeof(*flow));

    flow->last = &flow->first;
    flow->readers = xcalloc(readers ? readers : 1, sizeof(*flow->readers));
    flow->readers_n = readers;
    return flow;
}

static void drop_first(struct inflow *flow)
{
    struct chunk *gone = flow->first;

    flow->first = gone->next;
    if (!flow->first)
        flow->last = &flow->first;
    flow->held -= gone->n;
    flow->consumed += gone->n;
    free(gone);
}

struct inflow *inflow_free(struct inflow *flow)
{
    if (!flow)
        return NULL;
    while (flow->first)
        drop_first(flow);
    free(flow->readers);
    free(flow);
    return NULL;
}

static bool is_for(const struct chunk *chunk, uint32_t reader)
{
    return chunk->reader == COUNT_UNSET || chunk->reader == reader;
}

static bool wants(const struct inflow *flow, uint32_t reader, uint32_t whom)
{
    const struct reader *it = &flow->readers[reader];

    return (whom == COUNT_UNSET || whom == reader) && !it->ended && !it->left;
}

static void drop_unwanted(struct inflow *flow)
{
    while (flow->first && flow->first->wanted_by == 0)
        drop_first(flow);
}

static void end_readers(struct inflow *flow, uint32_t whom)
{
    for (uint32_t i = 0; i < flow->readers_n; i++) {
        if (wants(flow, i, whom))
            flow->readers[i].ended = true;
    }
}

int inflow_add(struct inflow *flow, uint32_t reader, const void *data, uint32_t n, struct err *err)
{
    struct chunk *chunk;

    if (n == 0) {
        end_readers(flow, reader);
        return 0;
    }
    if (flow->held + n > IO_WINDOW_BYTES)
        return err_set(err, E_TOO_BIG, "more input than the window of %u bytes allows",
                       IO_WINDOW_BYTES);
    chunk = xmalloc(sizeof(*chunk) + n);
    *chunk = (struct chunk){ .reader = reader, .n = n };
    memcpy(chunk->data, data, n);
    *flow->last = chunk;
    flow->last = &chunk->next;
    flow->held += n;
    for (uint32_t i = 0; i < flow->readers_n; i++) {
        if (!wants(flow, i, reader))
            continue;
        chunk->wanted_by++;
        if (!flow->readers[i].at)
            flow->readers[i].at = chunk;
    }
    drop_unwanted(flow);
    return 0;
}

bool inflow_next(const struct inflow *flow, uint32_t reader, const void **ret_data, uint32_t *ret_n)
{
    const struct reader *it = &flow->readers[reader];

    if (it->left || !it->at)
        return false;
    *ret_data = it->at->data + it->offset;
    *ret_n = it->at->n - it->offset;
    return true;
}

static void leave_chunk(struct reader *it, uint32_t reader)
{
    it->at->wanted_by--;
    it->at = it->at->next;
    it->offset = 0;
    while (it->at && !is_for(it->at, reader))
        it->at = it->at->next;
}

void inflow_took(struct inflow *flow, uint32_t reader, uint32_t n)
{
    struct reader *it = &flow->readers[reader];

    it->offset += n;
    if (it->at && it->offset >= it->at->n)
        leave_chunk(it, reader);
    drop_unwanted(flow);
}

bool inflow_is_at_end(const struct inflow *flow, uint32_t reader)
{
    return flow->readers[reader].ended && !flow->readers[reader].at;
}

void inflow_leave(struct inflow *flow, uint32_t reader)
{
    struct reader *it = &flow->readers[reader];

    while (it->at)
        leave_chunk(it, reader);
    it->left = true;
    drop_unwanted(flow);
}

uint64_t inflow_received(const struct inflow *flow)
{
    return flow->consumed + flow->held;
}

uint64_t inflow_consumed(const struct inflow *flow)
{
    return flow->consumed;
}
