#include "ctld/dispatch/ctld.h"

#include <inttypes.h>
#include <string.h>

#include <event2/event.h>

#include "ctld/dispatch/asked.h"
#include "ctld/dispatch/dbd_link.h"
#include "ctld/dispatch/job_programs.h"
#include "ctld/dispatch/journal.h"
#include "ctld/dispatch/lag.h"
#include "ctld/dispatch/programs.h"
#include "ctld/dispatch/site_programs.h"
#include "ctld/dispatch/watch.h"
#include "ctld/control/act/act.h"
#include "ctld/control/answer/info.h"
#include "ctld/control/schedule.h"
#include "ctld/control/tick.h"
#include "ctld/control/node/outage.h"
#include "ctld/control/node/trigger.h"
#include "ctld/control/act/turn.h"

#define PLAN_UNITS_A_TURN                                                                          \
    64 /* some tenths of a millisecond; then the loop looks at its sockets again */
#define TIMER_MAX_MS 30000 /* the clock is looked at, and kept, at least so often */

struct moment ctld_now(const struct ctld *ctld)
{
    return cluster_clock_now(&ctld->clock);
}

struct act *ctld_act(struct ctld *ctld)
{
    ctld->act =
        (struct act){ .control = ctld->control, .now = ctld_now(ctld), .turn = &ctld->turn };
    return &ctld->act;
}

/* Returns the number of the turn: what it changes gets the next one when the turn ends. */
uint64_t ctld_turn(const struct ctld *ctld)
{
    return ctld->turn_number + (ctld->turn.changes.changes_n > 0);
}

void ctld_send(struct conn *conn, uint64_t turn, uint32_t type, uint32_t request, uint32_t flags,
               const void *msg)
{
    struct strbuf body = { 0 };

    if (msg)
        schema_encode(msg_schema(type), msg, &body);
    ctld_send_body(conn, turn, type, request, flags, &body);
}

void ctld_send_body(struct conn *conn, uint64_t turn, uint32_t type, uint32_t request,
                    uint32_t flags, struct strbuf *body)
{
    const struct ctld *ctld = conn->ctld;

    if (body->len > RPC_BODY_MAX) {
        log_error(ctld->log, "%s of %zu bytes for %s is not sent: more than %u", msg_name(type),
                  body->len, rpc_session_name(conn->session), RPC_BODY_MAX);
        strbuf_clear(body);
        return;
    }
    outbox_add(ctld->outbox, turn, conn, type, request, flags, body);
}

static void sign(const struct ctld *ctld, const struct blob *cred, struct blob *ret_signature)
{
    ret_signature->n = CRYPT_SIGN_N;
    ret_signature->data = xmalloc(CRYPT_SIGN_N);
    crypt_sign(&ctld->key, cred->data, cred->n, ret_signature->data);
}

static void sign_order(const struct ctld *ctld, uint32_t type, void *msg)
{
    struct order_launch *launch = msg;
    struct order_hook *hook = msg;

    if (type == MSG_ORDER_LAUNCH)
        sign(ctld, &launch->cred, &launch->signature);
    else if (type == MSG_ORDER_PROLOG || type == MSG_ORDER_EPILOG || type == MSG_ORDER_NODE)
        sign(ctld, &hook->cred, &hook->signature);
}

static void send_order(struct ctld *ctld, const struct effect *order)
{
    struct conn *conn = conn_find_node(ctld, order->node);

    if (!conn)
        return; /* it comes again when the node registers */
    log_at(ctld->log, LOG_DEBUG2, "%s to node %s", msg_name(order->type), order->node);
    sign_order(ctld, order->type, order->msg);
    ctld_send(conn, ctld_turn(ctld), order->type, 0, 0, order->msg);
}

static void enclose_blobs(struct ctld *ctld)
{
    for (uint32_t i = 0; i < ctld->turn.effects_n; i++) {
        const struct effect *effect = &ctld->turn.effects[i];

        if (effect->kind == EFFECT_ORDER && effect->type == MSG_ORDER_LAUNCH)
            blobs_enclose(&ctld->turn, effect->msg);
    }
}

static void send_effects(struct ctld *ctld)
{
    for (uint32_t i = 0; i < ctld->turn.effects_n; i++) {
        const struct effect *effect = &ctld->turn.effects[i];

        if (effect->kind == EFFECT_ORDER)
            send_order(ctld, effect);
        else
            watch_send(ctld, effect);
    }
}

/* Completes the address: a user without a host is one of MailDomain. */
static void address(const struct ctld *ctld, struct mail *mail)
{
    char *whole;

    if (!ctld->conf->mail_domain || strchr(mail->to, '@'))
        return;
    whole = xasprintf("%s@%s", mail->to, ctld->conf->mail_domain);
    free(mail->to);
    mail->to = whole;
}

#define MAIL_PROGRAM_S 60

static void send_mail(struct ctld *ctld, const struct mail *mail)
{
    char *paths[] = { ctld->conf->mail_prog, NULL };
    char *arguments[] = { (char[]){ "-s" }, mail->subject, mail->to, NULL };
    AUTO_FREE char *what = xasprintf("mail to %s", mail->to);
    AUTO_FREE char **environment = xcalloc(mail->environment_n + 1, sizeof(*environment));

    for (uint32_t i = 0; i < mail->environment_n; i++)
        environment[i] = mail->environment[i];
    programs_run(ctld->mails, &(struct program_run){ .paths = paths,
                                                     .arguments = arguments,
                                                     .environment = environment,
                                                     .what = what,
                                                     .timeout_s = MAIL_PROGRAM_S,
                                                     .turn = ctld_turn(ctld) });
}

static void send_mails(struct ctld *ctld)
{
    for (uint32_t i = 0; i < ctld->turn.mails_n && ctld->conf->mail_prog; i++) {
        address(ctld, &ctld->turn.mails[i]);
        send_mail(ctld, &ctld->turn.mails[i]);
    }
}

static void commit_turn(struct ctld *ctld)
{
    if (ctld->turn.changes.changes_n == 0)
        return;
    ctld->turn.changes.turn = ++ctld->turn_number;
    completion_note(ctld->completion, &ctld->turn);
    turn_stream_offer(ctld->stream, &ctld->turn.changes);
    cluster_clock_note(&ctld->clock, &ctld->turn);
    store_commit(ctld->store, &ctld->turn.changes);
    lag_note_turn(ctld->lag);
}

uint64_t ctld_commit_apart(struct ctld *ctld, struct turn_changes *changes)
{
    commit_turn(ctld); /* what was noted before comes before */
    if (changes->changes_n) {
        changes->turn = ++ctld->turn_number;
        store_commit(ctld->store, changes);
        lag_note_turn(ctld->lag);
    }
    return ctld->turn_number;
}

static void arm_timer(struct ctld *ctld)
{
    struct moment now = ctld_now(ctld);
    int64_t next = control_next_ms(ctld->control, now);
    int64_t wait;
    struct timeval tv;

    if (next > ctld->looked_ms + TIMER_MAX_MS) /* however many turns there are until then */
        next = ctld->looked_ms + TIMER_MAX_MS;
    if (lag_is_on(ctld->lag) && next < now.cluster_ms + LAG_MS)
        next = now.cluster_ms + LAG_MS; /* what is due may be a plan, which is not made now */
    wait = next > now.cluster_ms ? next - now.cluster_ms : 0;
    tv = (struct timeval){ .tv_sec = wait / 1000, .tv_usec = wait % 1000 * 1000 };
    event_add(ctld->timer, &tv);
}

/* Plans for a while. A call that decides nothing and leaves nothing is not counted as a pass. */
static void plan(struct ctld *ctld)
{
    uint64_t passes = control_passes(ctld->control), begin = clock_mono_us(), took_us;

    if (lag_is_on(ctld->lag))
        return; /* nobody would be told, while time limits run */
    if (control_schedule(ctld_act(ctld), PLAN_UNITS_A_TURN))
        event_active(ctld->more_event, EV_TIMEOUT, 1);
    if (control_passes(ctld->control) == passes)
        return;
    took_us = clock_mono_us() - begin;
    meter_cycle(&ctld->meter, took_us);
    log_debug(ctld->log, "sched: a pass of %" PRIu64 " us", took_us);
}

void ctld_flush(struct ctld *ctld)
{
    const uint64_t committed = store_committed(ctld->store);

    lag_note_committed(ctld->lag, committed);
    outbox_release(ctld->outbox, committed);
    turn_stream_release(ctld->stream, committed);
    dbd_link_go_on(ctld->dbd_link, committed);
    programs_release(ctld->programs, committed);
    programs_release(ctld->mails, committed);
}

void ctld_end_turn(struct ctld *ctld)
{
    plan(ctld);
    if (asked_finish(ctld))
        plan(ctld); /* what was answered may be a job by now, and is to start at once */
    control_note_outages(ctld_act(ctld));
    control_watch_triggers(ctld_act(ctld));
    send_mails(ctld);
    job_programs_run(ctld);
    site_programs_run(ctld);
    enclose_blobs(ctld);
    commit_turn(ctld);
    send_effects(ctld); /* orders are signed while the writer has the turn, and wait for it */
    turn_clear(&ctld->turn);
    ctld_flush(ctld);
    arm_timer(ctld);
}

/* Begins counting anew: jobs and passes are counted by the day, as in Slurm. */
static void begin_day(struct ctld *ctld)
{
    const struct moment now = ctld_now(ctld);

    if (!meter_is_of_yesterday(&ctld->meter, now.wall_s))
        return;
    control_diag_reset(ctld_act(ctld));
    meter_begin_day(&ctld->meter, now.wall_s);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct ctld *ctld = arg;
    int64_t jump = cluster_clock_jump(&ctld->clock);

    (void)fd;
    (void)what;
    if (jump)
        log_info(ctld->log,
                 "the wall clock was set %s by %lld s; limits and timeouts do not follow",
                 jump > 0 ? "forward" : "back", (long long)(jump > 0 ? jump : -jump) / 1000);
    ctld->looked_ms = ctld_now(ctld).cluster_ms;
    begin_day(ctld);
    conns_note_life(ctld);
    control_tick(ctld_act(ctld));
    conns_drop_lost_nodes(ctld);
    ctld_end_turn(ctld);
}

static void on_more(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    ctld_end_turn(arg);
}

static void check_store(struct ctld *ctld)
{
    struct err why = { 0 };
    bool in_trouble = store_trouble(ctld->store, &why);

    if (store_failed(ctld->store, &why)) {
        log_at(ctld->log, LOG_FATAL, "%s; what was acknowledged is on disk", why.text);
        ctld->failed = true;
        event_base_loopbreak(ctld->base);
        return;
    }
    if (in_trouble && !ctld->in_trouble) {
        log_error(ctld->log, "%s", why.text);
        ctld->lacks_room = why.code == ENOSPC;
    }
    if (!in_trouble && ctld->in_trouble)
        log_info(ctld->log, "%s",
                 ctld->lacks_room ? "the state directory has room again"
                                  : "the database takes what happens again");
    ctld->in_trouble = in_trouble;
}

static void on_store(evutil_socket_t fd, short what, void *arg)
{
    struct ctld *ctld = arg;
    struct conn *conn, *next;

    (void)fd;
    (void)what;
    store_dispatch(ctld->store);
    check_store(ctld);
    ctld_flush(ctld);
    lag_go_on(ctld->lag);
    HASH_ITER (hh, ctld->conns, conn, next)
        conn_pump(conn);
    ctld_flush(ctld);
}

void ctld_init(struct ctld *ctld)
{
    ctld->outbox = outbox_new();
    ctld->journal = journal_new();
    ctld->quota = quota_new();
    ctld->timer = evtimer_new(ctld->base, on_timer, ctld);
    ctld->more_event = event_new(ctld->base, -1, 0, on_more, ctld);
    ctld->store_event =
        event_new(ctld->base, store_fd(ctld->store), EV_READ | EV_PERSIST, on_store, ctld);
    event_add(ctld->store_event, NULL);
    ctld->lag = lag_new(ctld);
    ctld->lag_event = evtimer_new(ctld->base, lag_on_late, ctld->lag);
}

void ctld_clear(struct ctld *ctld)
{
    event_free(ctld->timer);
    event_free(ctld->more_event);
    event_free(ctld->store_event);
    event_free(ctld->lag_event);
    outbox_free(ctld->outbox);
    journal_free(ctld->journal);
    quota_free(ctld->quota);
    turn_clear(&ctld->turn);
    meter_clear(&ctld->meter);
    crypt_sign_key_auto_(&ctld->key);
}
