#include "noded/agent/reception.h"

#include <event2/event.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utlist.h>

#include "common/base/version.h"
#include "common/msg/types.h"
#include "common/msg/visit.h"
#include "common/rpc/preface.h"
#include "common/rpc/session.h"
#include "noded/agent/claim.h"
#include "noded/inventory/inventory.h"

#define STAY_S 30 /* who has asked nothing by then is sent away */

struct guest {
    struct reception *reception;
    struct net_guest *place;
    struct rpc_session *session;
    struct event *time;
    struct guest *prev, *next;
};

struct reception {
    struct event_base *base;
    const struct agent_options *options;
    struct root *root;
    reception_fill_fn *fill;
    void *ctx;
    struct guest *guests;
};

struct reception *reception_new(struct event_base *base, const struct agent_options *options,
                                struct root *root, reception_fill_fn *fill, void *ctx)
{
    struct reception *reception = xcalloc(1, sizeof(*reception));

    *reception = (struct reception){
        .base = base, .options = options, .root = root, .fill = fill, .ctx = ctx
    };
    return reception;
}

static void leave(struct guest *guest)
{
    DL_DELETE(guest->reception->guests, guest);
    net_guest_leave(guest->place);
    rpc_session_free(guest->session);
    event_free(guest->time);
    free(guest);
}

struct reception *reception_free(struct reception *reception)
{
    while (reception && reception->guests)
        leave(reception->guests);
    free(reception);
    return NULL;
}

static void on_look(struct guest *guest, const struct rpc_frame *frame)
{
    const struct agent_options *options = guest->reception->options;
    struct inventory_where where = INVENTORY_WHERE;
    AUTO(node_sight) struct node_sight sight;

    node_sight_init(&sight);
    sight.name = xstrdup(options->node);
    sight.host = xstrdup(options->host);
    sight.version = xstrdup(SLURM_VERSION);
    sight.pid = (uint32_t)getppid(); /* the monitor is what people call slurmd */
    sight.debug = log_get_level(options->log);
    sight.log_file = xstrdup(options->log_file);
    sight.hardware = xcalloc(1, sizeof(*sight.hardware));
    where.tmp_fs = options->tmp_fs;
    inventory_read(&where, sight.hardware);
    guest->reception->fill(guest->reception->ctx, &sight);
    (void)rpc_send(guest->session, MSG_NODE_SIGHT, frame->request, RPC_REPLY, &sight);
    rpc_session_close(guest->session, NULL);
}

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    if (frame->type == MSG_NODE_LOOK)
        on_look(ctx, frame);
    else
        (void)rpc_refuse_unknown(session, frame);
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct guest *guest = ctx;

    (void)session;
    log_at(guest->reception->options->log, why->code == E_CLOSED ? LOG_DEBUG : LOG_VERBOSE,
           "at SlurmdPort: %s", why->text);
    leave(guest);
}

static void on_time(evutil_socket_t fd, short what, void *arg)
{
    struct guest *guest = arg;

    (void)fd;
    (void)what;
    rpc_session_close(guest->session, "nothing was asked in time");
}

static bool accept_peer(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    (void)ctx;
    if (peer->role == RPC_ROLE_CLIENT)
        return true;
    (void)err_set(err, E_ACCESS, "the peer is a %s, not a command", rpc_role_name(peer->role));
    return false;
}

static void make_credential(const void *claim, size_t n, struct rpc_question *question, void *ctx)
{
    const struct reception *reception = ctx;

    claim_ask(reception->root, claim, n, question);
}

static enum net_silence silence_of(const void *owner)
{
    return rpc_session_silence(((const struct guest *)owner)->session);
}

static void on_evicted(void *owner)
{
    leave(owner);
}

void reception_take(struct reception *reception, int fd, struct net_guest *place)
{
    static const struct rpc_callbacks callbacks = { .on_frame = on_frame, .on_closed = on_closed };
    static const struct net_owner kind = { silence_of, on_evicted };
    const struct agent_options *agent = reception->options;
    const struct rpc_options options = { .role = RPC_ROLE_NODE,
                                         .cluster = agent->cluster,
                                         .node = agent->node,
                                         .authc = agent->authc,
                                         .clock = agent->clock,
                                         .accept_peer = accept_peer,
                                         .make_credential = make_credential,
                                         .ctx = reception };
    uint8_t answer[RPC_PREFACE_ANSWER_N];

    rpc_preface_answer_encode(0, answer);
    if (send(fd, answer, sizeof(answer), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
        net_guest_leave(place);
        close(fd);
        return;
    }
    struct guest *guest = xcalloc(1, sizeof(*guest));
    guest->reception = reception;
    guest->place = place;
    net_guest_own(place, &kind, guest);
    guest->time = evtimer_new(reception->base, on_time, guest);
    event_add(guest->time, &(struct timeval){ STAY_S, 0 });
    DL_APPEND(reception->guests, guest);
    guest->session = rpc_session_new(reception->base, fd, false, &options, &callbacks, guest);
}
