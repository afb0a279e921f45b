#include "noded/agent/reception.h"

#include <event2/event.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utlist.h>

#include "common/base/version.h"
#include "common/msg/types.h"
#include "common/msg/visit.h"
#include "common/names/names.h"
#include "common/rpc/preface.h"
#include "common/rpc/session.h"
#include "noded/agent/claim.h"
#include "noded/inventory/inventory.h"

#define STAY_S  30 /* who has asked nothing by then is sent away */
#define USERS_S 5  /* for the name service, about all users that were asked for */

struct guest {
    struct reception *reception;
    struct net_guest *place;
    struct rpc_session *session;
    struct event *time;
    bool has_asked, is_answered;
    uint32_t request;
    struct node_sight sight; /* the answer, once something was asked */
    struct names *names;     /* of this guest alone: a helper that hangs keeps nobody else */
    uint32_t users_known;    /* answers of the name service, in the order of the questions */
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
    names_free(guest->names);
    if (guest->has_asked)
        node_sight_clear(&guest->sight);
    free(guest);
}

struct reception *reception_free(struct reception *reception)
{
    while (reception && reception->guests)
        leave(reception->guests);
    free(reception);
    return NULL;
}

static void answer(struct guest *guest)
{
    const struct clock *clock = &guest->reception->options->clock;

    guest->is_answered = true;
    guest->sight.now = clock_wall_s(clock);
    (void)rpc_send(guest->session, MSG_NODE_SIGHT, guest->request, RPC_REPLY, &guest->sight);
    rpc_session_close(guest->session, NULL);
}

/* ---- users ---- */

static void on_user(const struct identity *identity, const struct err *err, void *ctx)
{
    struct guest *guest = ctx;
    struct user_map *map = &guest->sight.users[guest->users_known++];

    if (err) {
        map->trouble = xstrdup(err->text);
    } else {
        map->uid_name = identity->user_name ? xstrdup(identity->user_name) : NULL;
        map->gid_name = identity->group_name ? xstrdup(identity->group_name) : NULL;
        map->name_uid = identity->wanted_uid;
        map->name_gid = identity->wanted_gid;
    }
    if (guest->users_known == guest->sight.users_n)
        answer(guest);
}

/* Asks for all users. The answer goes when the last of them is known, or when that takes too
 * long. */
static void look_users_up(struct guest *guest, const struct node_look *look)
{
    struct reception *reception = guest->reception;

    for (uint32_t i = 0; i < look->users_n && i < USER_MAPS_MAX; i++) {
        struct user_map *map = ARRAY_PUSH(guest->sight.users, guest->sight.users_n);

        user_map_init(map);
        map->uid = look->users[i].uid;
        map->gid = look->users[i].gid;
        map->name = xstrdup(look->users[i].name);
    }
    event_add(guest->time, &(struct timeval){ USERS_S, 0 });
    guest->names = names_new(reception->base);
    for (uint32_t i = 0; i < guest->sight.users_n; i++) {
        const struct user_map *map = &guest->sight.users[i];

        names_compare(guest->names, map->uid, map->gid, map->name, on_user, guest);
    }
}

static void give_users_up(struct guest *guest)
{
    names_forget(guest->names, guest);
    for (uint32_t i = guest->users_known; i < guest->sight.users_n; i++)
        guest->sight.users[i].trouble =
            xasprintf("the name service did not answer within %d s", USERS_S);
    answer(guest);
}

/* ---- what is asked ---- */

static void fill_sight(const struct reception *reception, struct node_sight *sight)
{
    const struct agent_options *options = reception->options;
    struct inventory_where where = INVENTORY_WHERE;
    char host[256] = ""; /* the name that the host has now, which may not be the one at start */

    node_sight_init(sight);
    sight->name = xstrdup(options->node);
    sight->host = xstrdup(gethostname(host, sizeof(host) - 1) == 0 ? host : options->host);
    sight->version = xstrdup(SLURM_VERSION);
    sight->pid = (uint32_t)getppid(); /* the monitor is what people call slurmd */
    sight->debug = log_get_level(options->log);
    sight->log_file = xstrdup(options->log_file);
    sight->conf_digest = options->conf_digest;
    sight->hardware = xcalloc(1, sizeof(*sight->hardware));
    where.tmp_fs = options->tmp_fs;
    inventory_read(&where, sight->hardware);
    reception->fill(reception->ctx, sight);
}

static bool may_ask_about_users(const struct guest *guest)
{
    const uid_t uid = rpc_session_peer(guest->session)->uid;

    return uid == 0 || uid == guest->reception->options->slurm_uid;
}

static void on_look(struct guest *guest, const struct rpc_frame *frame)
{
    AUTO(node_look) struct node_look look;
    struct err err = { 0 };
    int rc;

    node_look_init(&look);
    rc = guest->has_asked ? err_set(&err, EBUSY, "one question at a time")
                          : rpc_decode(frame, node_look_schema(), &look, &err);
    if (rc < 0) {
        (void)rpc_send_error(guest->session, frame->request, rc, err.text);
        return;
    }
    guest->has_asked = true;
    guest->request = frame->request;
    fill_sight(guest->reception, &guest->sight);
    if (look.users_n && may_ask_about_users(guest))
        look_users_up(guest, &look);
    else
        answer(guest);
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
    if (guest->has_asked && !guest->is_answered)
        give_users_up(guest);
    else
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
