/* events.c - sluice events [-f] [--since TIME] [JOB|NODES...]: what happened, a line each. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <event2/event.h>

#include "cli/lib/command.h"
#include "cli/sluice/sluice.h"
#include "common/base/plain.h"
#include "common/msg/event.h"
#include "common/msg/types.h"
#include "common/text/hostlist.h"
#include "common/text/numbers.h"
#include "common/text/timetext.h"

#define PATIENCE_MS 60000 /* with a controller that restarts while it is followed */
#define TAIL        10u   /* events of the past that are shown before those to come */

/* The event told last: where to go on after a connection that broke. */
struct told {
    bool any;
    uint64_t turn;
    uint32_t place;
    int64_t time_s;
};

/* What was asked about and has no event so far. */
struct unheard {
    struct numbers job_ids;
    struct hostlist *nodes; /* that are not in slurm.conf */
    bool *is_heard;         /* for each of these */
};

struct following {
    struct told told, skip; /* in all; and what an earlier connection has told */
    struct unheard unheard;
    bool over;
    struct err why;
};

/* ---- what is asked ---- */

static int read_options(int argc, char **argv, struct event_list *ret, struct err *err)
{
    static const struct option longs[] = { { "follow", no_argument, NULL, 'f' },
                                           { "since", required_argument, NULL, 's' },
                                           { NULL, 0, NULL, 0 } };
    bool has_since = false;
    int option, rc = 0;

    while (rc == 0 && (option = getopt_long(argc, argv, "f", longs, NULL)) != -1) {
        has_since |= option == 's';
        if (option == 'f')
            ret->follow = true;
        else if (option == 's')
            rc = time_parse_past(optarg, time(NULL), &ret->since, err);
        else /* getopt_long has told what it did not like */
            rc = err_set(err, EINVAL, "events: see `sluice events --help`");
    }
    ret->newest = ret->follow && !has_since ? TAIL : 0;
    return rc;
}

/* Reads an operand: a number is a job's, anything else names nodes. */
static int read_operand(const char *text, struct strbuf *nodes, struct event_list *ret,
                        struct err *err)
{
    AUTO(numbers) struct numbers ids = { 0 };
    int rc;

    if (!isdigit((unsigned char)text[0])) {
        strbuf_addf(nodes, "%s%s", nodes->len ? "," : "", text);
        return 0;
    }
    rc = numbers_parse(text, UINT32_MAX, &ids, err);
    for (uint32_t i = 0; rc == 0 && i < ids.n; i++)
        *ARRAY_PUSH(ret->job_ids, ret->job_ids_n) = ids.at[i];
    return rc < 0 ? err_prefix(err, "job") : 0;
}

static int read_arguments(int argc, char **argv, struct event_list *ret, struct err *err)
{
    AUTO(strbuf) struct strbuf nodes = { 0 };
    int rc = read_options(argc, argv, ret, err);

    for (int i = optind; rc == 0 && i < argc; i++)
        rc = read_operand(argv[i], &nodes, ret, err);
    if (rc == 0 && nodes.len)
        ret->nodes = strbuf_steal(&nodes);
    return rc;
}

/* ---- what has no event ---- */

/* Notes the jobs and the nodes that slurm.conf does not have: such a node may have events of a time
 * when it was there. */
static int unheard_begin(struct unheard *unheard, const struct event_list *request,
                         const struct slurm_conf *conf, struct err *err)
{
    AUTO(hostlist) struct hostlist *nodes = NULL;
    int rc = request->nodes ? hostlist_parse(request->nodes, &nodes, err) : 0;

    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < request->job_ids_n; i++)
        *ARRAY_PUSH(unheard->job_ids.at, unheard->job_ids.n) = request->job_ids[i];
    unheard->nodes = hostlist_new();
    for (uint32_t i = 0; nodes && i < hostlist_count(nodes); i++) {
        if (!slurm_conf_find_node(conf, hostlist_get(nodes, i)))
            hostlist_add(unheard->nodes, hostlist_get(nodes, i));
    }
    hostlist_uniq(unheard->nodes);
    unheard->is_heard = xcalloc(hostlist_count(unheard->nodes) + 1, sizeof(bool));
    return 0;
}

static void unheard_clear(struct unheard *unheard)
{
    numbers_clear(&unheard->job_ids);
    hostlist_free(unheard->nodes);
    free(unheard->is_heard);
}

static void hear(struct unheard *unheard, const struct event_record *event)
{
    AUTO(hostlist) struct hostlist *nodes = NULL;
    struct numbers *ids = &unheard->job_ids;
    uint32_t left = 0;

    for (uint32_t i = 0; i < ids->n; i++) {
        if (ids->at[i] != event->job_id && ids->at[i] != event->array_job_id)
            ids->at[left++] = ids->at[i];
    }
    ids->n = left;
    if (hostlist_count(unheard->nodes) == 0 || !event->nodes ||
        hostlist_parse(event->nodes, &nodes, NULL) < 0)
        return;
    for (uint32_t i = 0; i < hostlist_count(unheard->nodes); i++)
        unheard->is_heard[i] |= hostlist_find(nodes, hostlist_get(unheard->nodes, i)) >= 0;
}

/* Says which nodes there are not. Returns whether there is one. */
static bool tell_strangers(const struct unheard *unheard, struct log *log)
{
    AUTO(hostlist) struct hostlist *strangers = hostlist_new();
    AUTO_FREE char *text = NULL;

    for (uint32_t i = 0; i < hostlist_count(unheard->nodes); i++) {
        if (!unheard->is_heard[i])
            hostlist_add(strangers, hostlist_get(unheard->nodes, i));
    }
    if (hostlist_count(strangers) == 0)
        return false;
    text = hostlist_format(strangers);
    log_error(log,
              "there is no event of node %s, which is not in slurm.conf; `sinfo -N` lists nodes",
              text);
    return true;
}

static bool tell_unheard_jobs(const struct unheard *unheard, struct log *log)
{
    AUTO(strbuf) struct strbuf ids = { 0 };

    if (unheard->job_ids.n == 0)
        return false;
    numbers_format(unheard->job_ids.at, unheard->job_ids.n, &ids);
    log_error(log,
              "there is no event of job %s: it never was, is older than what is kept "
              "(PurgeEventAfter), or is not shown to you; `squeue` and `sacct` list jobs",
              strbuf_text(&ids));
    return true;
}

/* ---- what comes ---- */

static void print(const struct event_record *event)
{
    AUTO(strbuf) struct strbuf line = { 0 };

    time_format(&line, event->time_ms / 1000, NULL, 0, "?");
    strbuf_addc(&line, ' ');
    event_format(event, &line);
    plain_escape(&line, 0);
    puts(strbuf_text(&line));
}

static bool was_told(struct following *following, const struct event_record *event)
{
    const struct told *skip = &following->skip;

    if (skip->any &&
        (event->turn < skip->turn || (event->turn == skip->turn && event->place <= skip->place)))
        return true;
    following->told = (struct told){ true, event->turn, event->place, event->time_ms / 1000 };
    return false;
}

static int on_event(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    AUTO(event_record) struct event_record event;
    struct following *following = ctx;
    int rc;

    event_record_init(&event);
    if (type != MSG_EVENT_INFO)
        return err_set(&following->why, E_PROTO, "%s in a list of events", msg_name(type));
    rc = rpc_decode(frame, event_record_schema(), &event, &following->why);
    if (rc == 0 && !was_told(following, &event)) {
        hear(&following->unheard, &event);
        print(&event);
    }
    fflush(stdout);
    following->over |= rc < 0 || ferror(stdout);
    return following->over ? -1 : 0;
}

static void on_end(const struct err *why, void *ctx)
{
    struct following *following = ctx;

    following->over = true;
    if (why)
        following->why = *why;
}

static int watch(struct client *client, const struct event_list *request,
                 struct following *following, struct err *err)
{
    following->over = false;
    following->why = (struct err){ 0 };
    if (!client_watch(client, MSG_EVENT_LIST, request, on_event, on_end, following))
        return err_set(err, E_CLOSED, "not connected");
    while (!following->over)
        event_base_loop(client_base(client), EVLOOP_ONCE);
    if (following->why.code && err)
        *err = following->why;
    return -following->why.code;
}

/* Follows events; a controller that restarts is waited for, and asked from where it was. */
static int follow(struct client *client, struct event_list *request, struct following *following,
                  struct err *err)
{
    int rc;

    do {
        rc = watch(client, request, following, err);
        if (rc != -E_CLOSED || !request->follow)
            return rc;
        if (following->told.any) {
            following->skip = following->told;
            request->since = following->told.time_s;
            request->newest = 0;
        }
        rc = client_reconnect(client, PATIENCE_MS, err);
    } while (rc == 0);
    return rc;
}

/* Prints what was asked for, and says what of it there is not. Returns less than 0, `err`
 * untouched, where it has said so. */
static int show(struct command *command, struct event_list *request, struct following *following,
                struct err *err)
{
    struct unheard *unheard = &following->unheard;
    int rc = unheard_begin(unheard, request, command->cli.conf, err);
    bool has_none;

    if (rc < 0)
        return rc;
    if (request->follow && tell_strangers(unheard, command->log))
        return -E_NODE_NAME;
    rc = follow(command->cli.client, request, following, err);
    if (rc < 0 || request->follow || request->since || ferror(stdout))
        return rc;
    has_none = tell_unheard_jobs(unheard, command->log);
    has_none |= tell_strangers(unheard, command->log);
    return has_none ? -ENOENT : 0;
}

int sluice_events(int argc, char **argv, struct log *log)
{
    AUTO(command) struct command command = { 0 };
    AUTO(event_list) struct event_list request;
    struct following following = { 0 };
    struct err err = { 0 };
    int rc;

    event_list_init(&request);
    command_init(&command, "sluice");
    if (read_arguments(argc, argv, &request, &err) < 0) {
        log_error(log, "%s", err.text);
        return 2;
    }
    rc = cli_load(&command.cli, &err);
    if (rc == 0)
        rc = cli_connect(&command.cli, RPC_ROLE_CLIENT, &err);
    if (rc == 0)
        rc = show(&command, &request, &following, &err);
    if (err.code)
        command_report(&command, "events", &err);
    unheard_clear(&following.unheard);
    return rc < 0 || fflush(stdout) != 0;
}
