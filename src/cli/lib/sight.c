#include "cli/lib/sight.h"

#include <event2/event.h>

#include "common/msg/types.h"

struct looking {
    const struct slurm_conf *conf;
    struct event_base *base;
    struct sight *sights;
    uint32_t n, next, open;
};

struct look {
    struct looking *looking;
    struct sight *sight;
    struct event *deadline; /* NULL: none */
};

static void start_next(struct looking *looking);

/* Ends a question that is answered, one way or the other. */
static void end(struct look *look)
{
    struct looking *looking = look->looking;

    look->sight->visit = visit_cancel(look->sight->visit);
    look->sight->session = rpc_session_free(look->sight->session);
    if (look->deadline)
        event_free(look->deadline);
    free(look);
    looking->open--;
    start_next(looking);
    if (looking->open == 0)
        event_base_loopbreak(looking->base);
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct look *look = ctx;

    (void)session;
    look->sight->why = *why;
    if (!look->sight->why.code)
        (void)err_set(&look->sight->why, E_CLOSED, "%s: no answer", look->sight->node);
    end(look);
}

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    struct look *look = ctx;
    struct sight *sight = look->sight;
    bool step = sight->preface.target == RPC_TARGET_STEP;
    const struct clock clock = clock_from_env();

    if (!(frame->flags & RPC_REPLY))
        return;
    sight->heard_s = clock_wall_s(&clock);
    sight->release = xstrdup(rpc_session_peer(session)->version);
    if (frame->flags & RPC_ERROR)
        (void)rpc_decode_error(frame, &sight->why);
    else if (frame->type != (step ? MSG_STEP_SIGHT : MSG_NODE_SIGHT))
        (void)err_set(&sight->why, E_PROTO, "%s: an answer of another kind", sight->node);
    else if (step)
        (void)rpc_decode(frame, step_sight_schema(), &sight->step, &sight->why);
    else
        (void)rpc_decode(frame, node_sight_schema(), &sight->info, &sight->why);
    end(look);
}

static void on_visited(void *arg, struct rpc_session *session, const struct err *err)
{
    static const struct rpc_callbacks callbacks = { .on_frame = on_frame, .on_closed = on_closed };
    struct look *look = arg;
    bool step = look->sight->preface.target == RPC_TARGET_STEP;
    const struct clock clock = clock_from_env();

    look->sight->visit = NULL;
    if (!session) {
        look->sight->why = *err;
        end(look);
        return;
    }
    look->sight->session = session;
    rpc_session_set_callbacks(session, &callbacks, look);
    look->sight->asked_s = clock_wall_s(&clock);
    (void)rpc_send(session, step ? MSG_STEP_LOOK : MSG_NODE_LOOK, 1, 0,
                   step ? NULL : look->sight->look);
}

static void on_deadline(evutil_socket_t fd, short what, void *arg)
{
    struct look *look = arg;
    struct sight *sight = look->sight;

    (void)fd;
    (void)what;
    (void)err_set(&sight->why, E_TIMEOUT, "%s: no answer within %d s", sight->node,
                  sight->patience_ms / 1000);
    end(look);
}

static void start(struct looking *looking, struct sight *sight)
{
    const struct slurm_conf *conf = looking->conf;
    const struct visit_target target = { .node = sight->node,
                                         .host = sight->host,
                                         .port = sight->port,
                                         .preface = sight->preface,
                                         .cluster = conf->cluster_name,
                                         .uid = sight->uid,
                                         .authc = { .socket_path = conf->auth_socket },
                                         .clock = clock_from_env() };
    const struct timeval patience = { sight->patience_ms / 1000, sight->patience_ms % 1000 * 1000 };
    struct look *look = xcalloc(1, sizeof(*look));

    *look = (struct look){ .looking = looking, .sight = sight };
    if (sight->patience_ms) {
        look->deadline = evtimer_new(looking->base, on_deadline, look);
        event_add(look->deadline, &patience);
    }
    looking->open++;
    sight->visit = visit_start(looking->base, &target, on_visited, look);
}

static void start_next(struct looking *looking)
{
    while (looking->open < SIGHTS_AT_ONCE && looking->next < looking->n)
        start(looking, &looking->sights[looking->next++]);
}

void sights_load(const struct slurm_conf *conf, struct sight *sights, uint32_t n)
{
    struct looking looking = { .conf = conf, .base = event_base_new(), .sights = sights, .n = n };

    for (uint32_t i = 0; i < n; i++) {
        step_sight_init(&sights[i].step);
        node_sight_init(&sights[i].info);
    }
    start_next(&looking);
    if (looking.open)
        event_base_dispatch(looking.base);
    event_base_free(looking.base);
}

void sights_clear(struct sight *sights, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        step_sight_clear(&sights[i].step);
        node_sight_clear(&sights[i].info);
        free(sights[i].release);
    }
}
