#include "cli/lib/many.h"

#include <event2/event.h>

#define OPEN_MAX 256

struct asking {
    struct client *client;
    const struct many *many;
    uint32_t n, next, open;
};

struct question {
    struct asking *asking;
    uint32_t number;
};

static int on_record(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    (void)type;
    (void)frame;
    (void)ctx;
    return 0;
}

static void ask_more(struct asking *asking);

static void on_end(const struct err *why, void *ctx)
{
    struct question *question = ctx;
    struct asking *asking = question->asking;

    asking->open--;
    asking->many->on_answer(asking->many->ctx, question->number, why);
    free(question);
    ask_more(asking);
}

static void ask_more(struct asking *asking)
{
    static const struct err closed = { .code = E_CLOSED, .text = "the connection is closed" };
    const struct many *many = asking->many;

    while (asking->open < OPEN_MAX && asking->next < asking->n) {
        struct question *question = xmalloc(sizeof(*question));

        *question = (struct question){ asking, asking->next++ };
        if (client_watch(asking->client, many->type, many->make(many->ctx, question->number),
                         on_record, on_end, question)) {
            asking->open++;
            continue;
        }
        many->on_answer(many->ctx, question->number, &closed);
        free(question);
    }
}

void many_ask(struct client *client, const struct many *many, uint32_t n)
{
    struct asking asking = { .client = client, .many = many, .n = n };

    ask_more(&asking);
    while (asking.open > 0) /* a controller that hangs is noticed by its heartbeats */
        event_base_loop(client_base(client), EVLOOP_ONCE);
}
