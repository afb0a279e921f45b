#include "cli/submit/killer.h"

#include "common/msg/types.h"

struct killer {
    struct client *client;
    struct client_watch *watch;
    struct job_signal request;
    bool pending;
};

struct killer *killer_new(struct client *client)
{
    struct killer *killer = xcalloc(1, sizeof(*killer));

    killer->client = client;
    return killer;
}

struct killer *killer_free(struct killer *killer)
{
    if (!killer)
        return NULL;
    client_watch_cancel(killer->watch);
    free(killer);
    return NULL;
}

static int on_record(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    (void)type;
    (void)frame;
    (void)ctx;
    return 0;
}

/* Ends the request; a refusal is an answer too: what is to be ended has ended already. */
static void on_end(const struct err *why, void *ctx)
{
    struct killer *killer = ctx;

    killer->watch = NULL;
    killer->pending = why && (why->code == E_CLOSED || why->code == E_CONTACT);
}

void killer_try_again(struct killer *killer)
{
    if (!killer->pending || killer->watch)
        return;
    killer->watch =
        client_watch(killer->client, MSG_JOB_SIGNAL, &killer->request, on_record, on_end, killer);
}

void killer_send(struct killer *killer, const struct job_signal *request)
{
    killer->watch = client_watch_cancel(killer->watch);
    killer->request = *request;
    killer->pending = true;
    killer_try_again(killer);
}
