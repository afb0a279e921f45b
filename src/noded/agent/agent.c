#include "noded/agent/agent.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/version.h"
#include "common/msg/types.h"
#include "noded/agent/door.h"
#include "noded/agent/link.h"
#include "noded/agent/machine.h"
#include "noded/agent/orders.h"
#include "noded/agent/reception.h"
#include "noded/inventory/inventory.h"

#define LOAD_EVERY_S  60
#define LOAD_FRESH_MS 1000

enum { REQUEST_REGISTER = 1 };

struct agent {
    const struct agent_options *options;
    struct event_base *base;
    struct root *root;
    struct link *link;
    struct orders *orders;
    struct event *load_timer;
    struct reception *reception;
    int64_t last_heard;       /* of the controller */
    int64_t conf_read_ms;     /* as in the options, or later */
    uint64_t incarnation;     /* the highest a controller told */
    struct step_report *held; /* what root told of each step, to be told when we register */
    uint32_t held_n;
    struct node_hardware told; /* to the controller, last */
    struct inventory_load load;
    int64_t load_read_ms; /* 0: never */
    bool reporting;       /* this session was opened with a registration */
    int status;
};

/* Returns the session, or NULL when there is none; root speaks before there is even a link. */
static struct rpc_session *current(const struct agent *agent)
{
    return agent->link ? link_session(agent->link) : NULL;
}

/* Returns the load of now, or of less than a second ago: many short jobs end in one second. */
static const struct inventory_load *load_of_node(struct agent *agent)
{
    const int64_t now = clock_mono_ms();

    if (!agent->load_read_ms || now - agent->load_read_ms >= LOAD_FRESH_MS) {
        agent->load = inventory_load(&INVENTORY_WHERE);
        agent->load_read_ms = now;
    }
    return &agent->load;
}

/* ---- steps that root holds ---- */

static bool same_launch(const struct step_report *a, const struct step_report *b)
{
    return a->job_id == b->job_id && a->step_id == b->step_id &&
           a->launch_number == b->launch_number;
}

static struct step_report *find_held(struct agent *agent, const struct step_report *report)
{
    for (uint32_t i = 0; i < agent->held_n; i++) {
        if (same_launch(&agent->held[i], report))
            return &agent->held[i];
    }
    return NULL;
}

static void remember(struct agent *agent, const struct step_report *report)
{
    struct step_report *it = find_held(agent, report);

    if (it)
        step_report_clear(it);
    else
        it = ARRAY_PUSH(agent->held, agent->held_n);
    schema_copy(step_report_schema(), it, report);
}

static void forget(struct agent *agent, const struct order_forget *order)
{
    struct step_report key = { .job_id = order->job_id,
                               .step_id = order->step_id,
                               .launch_number = order->launch_number };
    struct step_report *it = find_held(agent, &key);

    if (!it || it->state == HELD_STARTING || it->state == HELD_RUNNING)
        return;
    step_report_clear(it);
    *it = agent->held[--agent->held_n];
}

static void send_report(struct agent *agent, const struct step_report *report)
{
    struct rpc_session *session = current(agent);

    if (session && agent->reporting)
        (void)rpc_send(session, MSG_STEP_REPORT, 0, 0, report);
}

/*
 * Passes the report on. That a step starts need not be told to the controller which has ordered it
 * just now. One that came since may have forgotten the step, or have ended it, and the list that it
 * was given when the node registered may lack it: root may have held the launch back for a Prolog.
 */
static void on_report(void *ctx, const struct step_report *report)
{
    struct agent *agent = ctx;

    remember(agent, report);
    if (report->state != HELD_STARTING || !orders_is_launching(agent->orders, report))
        send_report(agent, report);
}

/* Tells of a launch that root does not hold. That is not kept: the controller may order it
 * again. */
static void on_refused(void *ctx, const struct step_report *report)
{
    send_report(ctx, report);
}

static void on_job_clean(void *ctx, uint32_t job_id)
{
    struct agent *agent = ctx;
    struct rpc_session *session = current(agent);
    const struct inventory_load *load = load_of_node(agent);
    struct node_report report = { .clean_jobs = &job_id,
                                  .clean_jobs_n = 1,
                                  .load_percent = load->load_percent,
                                  .free_memory_mb = load->free_memory_mb };

    if (session && agent->reporting)
        (void)rpc_send(session, MSG_NODE_REPORT, 0, 0, &report);
}

/* Tells how a hook ended. What is not heard is asked for again when the node registers. */
static void on_hook_report(void *ctx, const struct hook_report *report)
{
    struct agent *agent = ctx;
    struct rpc_session *session = current(agent);

    if (session && agent->reporting)
        (void)rpc_send(session, MSG_HOOK_REPORT, 0, 0, report);
}

static void on_root_gone(void *ctx, const struct err *why)
{
    struct agent *agent = ctx;

    log_at(agent->options->log, why->code == E_CLOSED ? LOG_VERBOSE : LOG_ERROR, "monitor: %s",
           why->text);
    agent->status = why->code == E_CLOSED ? EXIT_SUCCESS : EXIT_FAILURE;
    event_base_loopbreak(agent->base);
}

/* ---- the controller ---- */

static void register_node(struct agent *agent, struct rpc_session *session)
{
    const struct agent_options *options = agent->options;
    struct node_register node;

    node_hardware_clear(&agent->told);
    machine_read(options, &agent->told);
    node_register_init(&node);
    node.name = (char *)(uintptr_t)options->node;
    node.boot_id = (char *)(uintptr_t)options->boot_id;
    node.version = (char *)(uintptr_t)SLURM_VERSION;
    node.host = (char *)(uintptr_t)options->host;
    node.started = options->started;
    node.hardware = &agent->told;
    node.held = agent->held;
    node.held_n = agent->held_n;
    node.incarnation = agent->incarnation;
    node.port = options->port;
    node.hooks = options->hooks;
    node.conf_age_ms = (uint64_t)(clock_mono_ms() - agent->conf_read_ms);
    (void)rpc_send(session, MSG_NODE_REGISTER, REQUEST_REGISTER, 0, &node);
    agent->reporting = true; /* the controller reads what follows after the registration */
}

static void on_open(void *ctx, struct rpc_session *session)
{
    register_node(ctx, session);
}

static void on_lost(void *ctx)
{
    struct agent *agent = ctx;

    agent->reporting = false;
    orders_session_lost(agent->orders);
}

/* Lets orders come, which wait until root knows the key that they are signed with. */
static void on_key_taken(void *ctx, int code, const char *text)
{
    struct agent *agent = ctx;
    struct rpc_session *session = current(agent);

    if (!session)
        return;
    if (code) {
        log_error(agent->options->log, "the controller's key is not good: %s", text);
        rpc_session_close(session, text);
        return;
    }
    log_info(agent->options->log, "registered with slurmctld at %s", rpc_session_name(session));
    link_is_good(agent->link);
    rpc_session_resume(session);
}

static int on_welcome(struct agent *agent, struct rpc_session *session,
                      const struct rpc_frame *frame, struct err *err)
{
    AUTO(node_welcome) struct node_welcome welcome;
    AUTO(strbuf) struct strbuf bytes = { 0 };
    int rc = rpc_decode(frame, node_welcome_schema(), &welcome, err);

    if (rc < 0)
        return rc;
    if (welcome.incarnation > agent->incarnation)
        agent->incarnation = welcome.incarnation;
    strbuf_adds(&bytes, welcome.key_credential);
    if (bytes.len == 0 || bytes.len > 16384)
        return err_set(err, E_TOO_BIG, "a key credential of %zu bytes", bytes.len);
    rpc_session_pause(session);
    root_ask(agent->root, PRIV_KEY, &bytes, NULL, 0, on_key_taken, agent);
    return 0;
}

static void note_forget(struct agent *agent, const struct rpc_frame *frame)
{
    struct order_forget order;

    if (frame->type == MSG_ORDER_FORGET &&
        rpc_decode(frame, order_forget_schema(), &order, NULL) == 0)
        forget(agent, &order);
}

/* Notes what an order that root obeys, and checks, means for this half: its log, and what it tells
 * of the node. */
static void note_act(struct agent *agent, const struct rpc_frame *frame)
{
    AUTO(order_hook) struct order_hook order;
    AUTO(node_cred) struct node_cred cred;
    enum log_level level;

    order_hook_init(&order);
    node_cred_init(&cred);
    if (frame->type != MSG_ORDER_NODE || rpc_decode(frame, order_hook_schema(), &order, NULL) < 0 ||
        schema_decode(node_cred_schema(), order.cred.data, order.cred.n, &cred, NULL) < 0)
        return;
    if (cred.act == NODE_ACT_RECONFIGURE)
        agent->conf_read_ms = clock_mono_ms();
    else if (cred.act == NODE_ACT_DEBUG_LEVEL && cred.value &&
             log_level_parse(cred.value, &level) == 0)
        log_set_level(agent->options->log, level);
}

static void on_frame(void *ctx, struct rpc_session *session, const struct rpc_frame *frame)
{
    struct agent *agent = ctx;
    struct err err = { 0 };
    int rc = 0;

    agent->last_heard = clock_wall_s(&agent->options->clock);
    note_forget(agent, frame);
    note_act(agent, frame);
    if (frame->type == MSG_NODE_WELCOME)
        rc = on_welcome(agent, session, frame, &err);
    else if (frame->type == MSG_HEARTBEAT || orders_take(agent->orders, session, frame))
        return;
    else if (frame->flags & RPC_ERROR)
        rc = rpc_decode_error(frame, &err);
    else if (!(frame->flags & RPC_REPLY))
        (void)rpc_refuse_unknown(session, frame);
    if (rc < 0)
        log_error(agent->options->log, "slurmctld: %s", err.text);
    if (rc < 0 && (frame->request == REQUEST_REGISTER || frame->type == MSG_NODE_WELCOME))
        rpc_session_close(session, err.text); /* the pause before the next try grows */
}

static void send_load(struct agent *agent, struct rpc_session *session)
{
    const struct inventory_load *load = load_of_node(agent);
    struct node_report report = { .load_percent = load->load_percent,
                                  .free_memory_mb = load->free_memory_mb };
    AUTO(node_hardware) struct node_hardware before = agent->told;

    machine_read(agent->options, &agent->told);
    if (machine_differs(&before, &agent->told))
        report.hardware = &agent->told;
    (void)rpc_send(session, MSG_NODE_REPORT, 0, 0, &report);
}

static void on_load(evutil_socket_t fd, short what, void *arg)
{
    struct agent *agent = arg;
    struct rpc_session *session = current(agent);

    (void)fd;
    (void)what;
    if (session && agent->reporting)
        send_load(agent, session);
}

/* Begins with the controller, now that root has told of every step it holds. */
static void on_listed(void *ctx, int code, const char *text)
{
    static const struct link_callbacks callbacks = { on_open, on_frame, on_lost };
    struct agent *agent = ctx;

    (void)code;
    (void)text;
    agent->link = link_new(agent->base, agent->options, agent->root, &callbacks, agent);
}

/* ---- who comes by SlurmdPort ---- */

static void on_node_visitor(void *ctx, int fd, struct net_guest *place)
{
    struct agent *agent = ctx;

    reception_take(agent->reception, fd, place);
}

static void fill_sight(void *ctx, struct node_sight *ret)
{
    const struct agent *agent = ctx;

    ret->started = agent->options->started;
    ret->last_heard = agent->last_heard;
    if (current(agent) && agent->reporting)
        ret->controller = xstrdup(rpc_session_name(current(agent)));
    else if (agent->link && link_trouble(agent->link)->code)
        ret->trouble = xstrdup(link_trouble(agent->link)->text);
    for (uint32_t i = 0; i < agent->held_n; i++) {
        const struct step_report *held = &agent->held[i];
        struct node_step *step;

        if ((held->state != HELD_STARTING && held->state != HELD_RUNNING) ||
            step_is_service(held->step_id))
            continue;
        step = ARRAY_PUSH(ret->steps, ret->steps_n);
        *step = (struct node_step){ held->job_id, held->step_id, held->state };
    }
}

static void on_log(void *ctx, int fd)
{
    const struct agent *agent = ctx;
    struct err err = { 0 };

    if (log_use(agent->options->log, fd, &err) < 0)
        log_error(agent->options->log, "%s", err.text);
}

static void clear(struct agent *agent, struct door *door)
{
    agent->link = link_free(agent->link);
    door_free(door);
    reception_free(agent->reception);
    orders_free(agent->orders);
    root_free(agent->root);
    event_free(agent->load_timer);
    event_base_free(agent->base);
    for (uint32_t i = 0; i < agent->held_n; i++)
        step_report_clear(&agent->held[i]);
    free(agent->held);
    node_hardware_clear(&agent->told);
}

int agent_run(const struct agent_options *options, int fd)
{
    static const struct root_callbacks callbacks = { on_report, on_job_clean, on_hook_report,
                                                     on_log, on_root_gone };
    struct agent agent = { .options = options, .base = event_base_new() };
    struct door *door;

    (void)signal(SIGPIPE, SIG_IGN);
    node_hardware_init(&agent.told);
    agent.conf_read_ms = options->conf_read_ms;
    agent.root = root_new(agent.base, fd, &callbacks, &agent);
    agent.orders = orders_new(agent.root, options->log, on_refused, &agent);
    agent.reception = reception_new(agent.base, options, agent.root, fill_sight, &agent);
    door = door_new(agent.base, options, agent.root, on_node_visitor, &agent);
    agent.load_timer = event_new(agent.base, -1, EV_PERSIST, on_load, &agent);
    event_add(agent.load_timer, &(struct timeval){ LOAD_EVERY_S, 0 });
    root_ask(agent.root, PRIV_LIST, NULL, NULL, 0, on_listed, &agent);
    event_base_dispatch(agent.base);
    clear(&agent, door);
    return agent.status;
}
