#include "cli/sacctmgr/event.h"

#include <errno.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "cli/lib/clusters.h"
#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/facts.h"
#include "cli/sacctmgr/table.h"
#include "common/msg/node.h"
#include "common/msg/sums.h"
#include "common/msg/types.h"
#include "common/text/duration.h"
#include "common/text/numbers.h"
#include "common/text/period.h"
#include "common/text/timetext.h"

/* ---- columns ---- */

#define CLUSTER_ROW 1 /* Slurm's numbers of the two kinds of events */
#define NODE_ROW    2

/* A row: an event, and the cluster's name. */
struct event_row {
    struct cluster_event event; /* borrows its texts */
    const char *cluster;
};

static const struct cluster_event *event_of(const void *row)
{
    return &((const struct event_row *)row)->event;
}

static uint64_t cpus_of(const struct cluster_event *event)
{
    for (uint32_t i = 0; i < event->tres_n; i++) {
        if (strcmp(event->tres[i].tres, "cpu") == 0)
            return event->tres[i].amount;
    }
    return 0;
}

/* The word of a state. What an event is about goes before what the node is beside it. */
static void add_state(const struct cluster_event *event, struct strbuf *out)
{
    static const char *const words[NODE_STATES_N] = { "UNK",   "DOWN", "IDLE", "ALLOC",
                                                      "ERROR", "MIX",  "FUTR" };

    if (event->flags & NODE_FLAG_DRAIN)
        strbuf_adds(out, "DRAIN");
    else if (event->flags & NODE_FLAG_FAIL)
        strbuf_adds(out, "FAIL");
    else
        strbuf_adds(out, event->state < NODE_STATES_N ? words[event->state] : "?");
    if (event->flags & NODE_FLAG_NO_RESPOND)
        strbuf_addc(out, '*');
}

#define MAKE(name, text)                                                                           \
    static void name(const struct report_context *ctx, const void *row, struct strbuf *out)        \
    {                                                                                              \
        const struct cluster_event *event = event_of(row);                                         \
                                                                                                   \
        (void)ctx;                                                                                 \
        (void)event;                                                                               \
        text;                                                                                      \
    }

MAKE(make_cluster, strbuf_adds(out, ((const struct event_row *)row)->cluster))
MAKE(make_nodes, strbuf_adds(out, event->nodes ? event->nodes : ""))
MAKE(make_end, time_format(out, event->until, NULL, ctx->now, "Unknown"))
MAKE(make_event, strbuf_adds(out, event->node ? "Node" : "Cluster"))
MAKE(make_event_raw, strbuf_addu(out, event->node ? NODE_ROW : CLUSTER_ROW))
MAKE(make_node, strbuf_adds(out, event->node ? event->node : ""))
MAKE(make_reason, strbuf_adds(out, event->reason ? event->reason : ""))
MAKE(make_tres, fact_add_amounts(event->tres, event->tres_n, out))
MAKE(make_cpus, strbuf_addu(out, cpus_of(event)))
MAKE(make_start, time_format(out, event->since, NULL, ctx->now, "Unknown"))
MAKE(make_state, if (event->node) add_state(event, out))
MAKE(make_duration, duration_format(out, (event->until ? event->until : ctx->now) - event->since))

/* As Slurm shows numbers of states: the base, and flags by their bits there. */
static void make_state_raw(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct cluster_event *event = event_of(row);
    uint32_t raw = event->state;

    (void)ctx;
    raw |= event->flags & NODE_FLAG_DRAIN ? 0x200u : 0;
    raw |= event->flags & NODE_FLAG_NO_RESPOND ? 0x800u : 0;
    raw |= event->flags & NODE_FLAG_FAIL ? 0x2000u : 0;
    strbuf_addu(out, raw);
}

/* Only who sets a node down has given a reason; the cluster's own is nobody's. */
static void make_user(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct cluster_event *event = event_of(row);
    const struct passwd *entry;

    (void)ctx;
    if (!event->node || event->reason_uid == COUNT_UNSET)
        return;
    entry = getpwuid(event->reason_uid);
    strbuf_addf(out, "%s(%u)", entry ? entry->pw_name : "nobody", event->reason_uid);
}

/* clang-format off */
static const struct report_column columns[] = {
    MGR_COLUMN("Cluster", 2, "Cluster", 10, make_cluster),
    MGR_COLUMN("ClusterNodes", 8, "Cluster Nodes", 20, make_nodes),
    MGR_COLUMN("CPUCount", 2, "CPU Cnt", 7, make_cpus),
    MGR_COLUMN("Duration", 2, "Duration", 13, make_duration),
    MGR_COLUMN("End", 2, "TimeEnd", 19, make_end),
    MGR_COLUMN("Event", 2, "Event", 7, make_event),
    MGR_COLUMN("EventRaw", 6, "EventRaw", 8, make_event_raw),
    MGR_COLUMN("NodeName", 5, "NodeName", 15, make_node),
    MGR_COLUMN("Reason", 1, "Reason", 30, make_reason),
    MGR_COLUMN("Start", 1, "TimeStart", 19, make_start),
    MGR_COLUMN("State", 1, "State", 6, make_state),
    MGR_COLUMN("StateRaw", 6, "StateRaw", 8, make_state_raw),
    MGR_COLUMN("TimeEnd", 5, "TimeEnd", 19, make_end),
    MGR_COLUMN("TimeStart", 5, "TimeStart", 19, make_start),
    MGR_COLUMN("TRES", 2, "TRES", 20, make_tres),
    MGR_COLUMN("User", 1, "User", 10, make_user),
};
/* clang-format on */

static const struct report_table table = { NULL, 0, columns, ARRAY_N(columns) };

/* ---- which ---- */

enum {
    KEY_CLUSTERS,
    KEY_FLAGS,
    KEY_END,
    KEY_EVENT,
    KEY_FORMAT,
    KEY_MAX_CPUS,
    KEY_MIN_CPUS,
    KEY_NODES,
    KEY_REASON,
    KEY_START,
    KEY_STATES,
    KEY_USERS,
    WORD_ALL_CLUSTERS,
    WORD_ALL_TIME
};

static const struct acct_key keys[] = {
    { "Clusters", 2, KEY_CLUSTERS }, { "CondFlags", 2, KEY_FLAGS }, { "End", 1, KEY_END },
    { "Events", 1, KEY_EVENT },      { "Format", 1, KEY_FORMAT },   { "MaxCPUs", 2, KEY_MAX_CPUS },
    { "MinCPUs", 2, KEY_MIN_CPUS },  { "Nodes", 1, KEY_NODES },     { "Reason", 1, KEY_REASON },
    { "Start", 4, KEY_START },       { "States", 4, KEY_STATES },   { "Users", 1, KEY_USERS },
};

static const struct acct_key alone[] = {
    { "All_Clusters", 5, WORD_ALL_CLUSTERS },
    { "All_Time", 5, WORD_ALL_TIME },
    { "all", 1, WORD_ALL_CLUSTERS },
};

static const char *const state_words[] = { "DRAIN",     "FAIL",  "UNKNOWN", "DOWN",  "IDLE",
                                           "ALLOCATED", "ERROR", "MIXED",   "FUTURE" };
enum { STATE_DRAIN, STATE_FAIL, STATE_BASE }; /* from there on enum node_state */

struct asked {
    struct words clusters, nodes, reasons, fields;
    uint32_t *uids;
    uint32_t uids_n, states; /* bits by the places of state_words */
    uint64_t min_cpus, max_cpus;
    int64_t start, end;
    bool has_clusters, all_clusters, has_nodes, open, all_time, is_wrong;
    uint32_t only; /* CLUSTER_ROW, NODE_ROW, or 0: both */
};

static void asked_clear(struct asked *asked)
{
    words_clear(&asked->clusters);
    words_clear(&asked->nodes);
    words_clear(&asked->reasons);
    words_clear(&asked->fields);
    free(asked->uids);
}

/* Says what is wrong on standard error, as Slurm does where it ends by it. */
static void refuse(struct mgr *mgr, struct asked *asked, const char *text, const char *value)
{
    fflush(stdout);
    fprintf(stderr, "sacctmgr: error: %s %s\n", text, value);
    asked->is_wrong = true;
    mgr->status = 1;
}

static void read_time(struct mgr *mgr, const char *text, int64_t *ret, struct asked *asked)
{
    struct err err = { 0 };

    if (time_parse_past(text, (int64_t)time(NULL), ret, &err) == 0)
        return;
    mgr_refuse(mgr, "%s", err.text);
    asked->is_wrong = true;
}

static void read_kind(struct mgr *mgr, const char *word, struct asked *asked)
{
    static const struct acct_key kinds[] = { { "Cluster", 1, CLUSTER_ROW },
                                             { "Node", 1, NODE_ROW } };
    const int kind = acct_key_find(kinds, ARRAY_N(kinds), word);

    if (kind > 0) {
        asked->only = (uint32_t)kind;
        return;
    }
    mgr_refuse(mgr, " Unknown event type: '%s'  Valid events are Cluster and Node.", word);
    asked->is_wrong = true;
}

static void read_flags(struct mgr *mgr, const char *text, struct asked *asked)
{
    AUTO(words) struct words flags = words_split(text, ",");
    static const struct acct_key open = { "Open", 1, 0 };

    for (uint32_t i = 0; i < flags.n; i++) {
        if (acct_key_find(&open, 1, flags.at[i]) == 0)
            asked->open = true;
        else
            refuse(mgr, asked, "Unknown condition flag", flags.at[i]);
    }
}

static void read_states(struct mgr *mgr, const char *text, struct asked *asked)
{
    AUTO(words) struct words states = words_split(text, ",");

    for (uint32_t i = 0; i < states.n; i++) {
        size_t at = 0;

        while (at < ARRAY_N(state_words) &&
               strncasecmp(state_words[at], states.at[i], strlen(states.at[i])) != 0)
            at++;
        asked->states |= 1u << at;
        asked->only = NODE_ROW;
        if (at < ARRAY_N(state_words))
            continue;
        fflush(stdout);
        fprintf(stderr, "Invalid state: %s\nValid node states are: ", states.at[i]);
        for (at = 0; at < ARRAY_N(state_words); at++)
            fprintf(stderr, "%s ", at == STATE_BASE + NODE_ERROR ? "?" : state_words[at]);
        fputs("\nsacctmgr: fatal: unrecognized job state value\n", stderr);
        asked->is_wrong = true;
        mgr->status = 1;
        mgr->leaves = true;
        return;
    }
}

static void read_users(struct mgr *mgr, const char *text, struct asked *asked)
{
    AUTO(words) struct words users = words_split(text, ",");

    for (uint32_t i = 0; i < users.n; i++) {
        const struct passwd *entry = getpwnam(users.at[i]);
        uint64_t uid = entry ? entry->pw_uid : 0;

        asked->only = NODE_ROW;
        if (entry || number_parse(users.at[i], 0, UINT32_MAX, &uid, NULL) == 0)
            *ARRAY_PUSH(asked->uids, asked->uids_n) = (uint32_t)uid;
        else
            refuse(mgr, asked, "Invalid user id:", users.at[i]);
    }
}

static void read_cpus(struct mgr *mgr, const struct acct_word *word, uint64_t *ret,
                      struct asked *asked)
{
    struct err err = { 0 };

    if (number_parse(word->value, 0, UINT32_MAX, ret, &err) == 0)
        return;
    mgr_refuse(mgr, " Bad value of %s: %s", word->text, err.text);
    asked->is_wrong = true;
}

/* Columns of node names stand on the left. */
static void read_fields(const char *text, struct asked *asked)
{
    AUTO(words) struct words fields = words_split(text, ",");

    for (uint32_t i = 0; i < fields.n; i++) {
        const size_t n = strlen(fields.at[i]);
        const bool is_node = n >= 5 && strncasecmp("NodeName", fields.at[i], n) == 0;

        *ARRAY_PUSH(asked->fields.at, asked->fields.n) =
            xasprintf("%s%s", fields.at[i], is_node ? "%-15" : "");
    }
}

static void read_alone(struct mgr *mgr, const struct acct_word *word, struct asked *asked)
{
    const int id = acct_key_find(alone, ARRAY_N(alone), word->value);

    if (id == WORD_ALL_TIME)
        asked->all_time = true;
    else if (id == WORD_ALL_CLUSTERS)
        asked->all_clusters = true;
    else if (id < 0)
        read_kind(mgr, word->value, asked);
}

static void read_word(struct mgr *mgr, const struct acct_word *word, struct asked *asked)
{
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : -1;

    if (!word->key)
        read_alone(mgr, word, asked);
    else if (key == KEY_CLUSTERS) {
        asked->has_clusters = true;
        acct_names_add(&asked->clusters, word->value);
    } else if (key == KEY_NODES) {
        asked->has_nodes = true;
        acct_names_add(&asked->nodes, word->value);
    } else if (key == KEY_REASON)
        words_add(&asked->reasons, word->value, ",");
    else if (key == KEY_FORMAT)
        read_fields(word->value, asked);
    else if (key == KEY_START)
        read_time(mgr, word->value, &asked->start, asked);
    else if (key == KEY_END)
        read_time(mgr, word->value, &asked->end, asked);
    else if (key == KEY_EVENT)
        read_kind(mgr, word->value, asked);
    else if (key == KEY_FLAGS)
        read_flags(mgr, word->value, asked);
    else if (key == KEY_STATES)
        read_states(mgr, word->value, asked);
    else if (key == KEY_USERS)
        read_users(mgr, word->value, asked);
    else if (key == KEY_MIN_CPUS || key == KEY_MAX_CPUS)
        read_cpus(mgr, word, key == KEY_MIN_CPUS ? &asked->min_cpus : &asked->max_cpus, asked);
    else {
        mgr_refuse(mgr, " Unknown condition: %s", word->text);
        asked->is_wrong = true;
    }
}

/* ---- those that are meant ---- */

static bool fits_reason(const struct words *reasons, const char *reason)
{
    for (uint32_t i = 0; reason && i < reasons->n; i++) {
        if (strncmp(reason, reasons->at[i], strlen(reasons->at[i])) == 0)
            return true;
    }
    return reasons->n == 0;
}

static bool fits_state(const struct asked *asked, const struct cluster_event *event)
{
    return asked->states == 0 ||
           ((asked->states & 1u << STATE_DRAIN) && (event->flags & NODE_FLAG_DRAIN)) ||
           ((asked->states & 1u << STATE_FAIL) && (event->flags & NODE_FLAG_FAIL)) ||
           (asked->states & 1u << (STATE_BASE + event->state));
}

static bool fits_user(const struct asked *asked, const struct cluster_event *event)
{
    for (uint32_t i = 0; i < asked->uids_n; i++) {
        if (asked->uids[i] == event->reason_uid)
            return true;
    }
    return asked->uids_n == 0;
}

static bool fits(const struct asked *asked, const struct cluster_event *event)
{
    const uint64_t cpus = cpus_of(event);

    return (!asked->only || asked->only == (event->node ? NODE_ROW : CLUSTER_ROW)) &&
           (!asked->has_nodes || (event->node && words_have(&asked->nodes, event->node))) &&
           (!asked->max_cpus || cpus <= asked->max_cpus) && cpus >= asked->min_cpus &&
           fits_reason(&asked->reasons, event->reason) && fits_user(asked, event) &&
           (!event->node || fits_state(asked, event));
}

/* The events of the clusters that are meant, and whose each is. */
struct found {
    struct records *events; /* of each cluster */
    struct words clusters;
};

static void found_clear(struct found *found)
{
    for (uint32_t i = 0; found->events && i < found->clusters.n; i++)
        records_clear(&found->events[i]);
    free(found->events);
    words_clear(&found->clusters);
}

static int print(struct mgr *mgr, struct asked *asked, const struct found *found)
{
    AUTO_FREE struct event_row *rows = NULL;
    struct mgr_table shown = { .columns = &table, .row_size = sizeof(*rows) };

    for (uint32_t k = 0; k < found->clusters.n; k++) {
        for (uint32_t i = 0; i < found->events[k].n; i++) {
            const struct cluster_event *event = record_at(&found->events[k], i);

            if (fits(asked, event))
                *ARRAY_PUSH(rows, shown.n) = (struct event_row){ *event, found->clusters.at[k] };
        }
    }
    shown.rows = rows;
    shown.ctx.now = (int64_t)time(NULL);
    if (asked->fields.n == 0)
        read_fields(asked->only == CLUSTER_ROW ? "Cluster,TRES,Start,End,ClusterNodes"
                                               : "Cluster,NodeName,Start,End,State,Reason,User",
                    asked);
    return mgr_print(mgr, &shown, &asked->fields);
}

/* Finds the clusters that are meant: those that are named, all, or this one. */
static int find_clusters(const struct mgr *mgr, const struct asked *asked, struct words *ret,
                         struct err *err)
{
    AUTO(records) struct records known = { 0 };
    int rc = 0;

    if (asked->has_clusters || asked->all_clusters)
        rc = records_load_all(mgr->command->cli.client, KEPT_CLUSTER, &known, err);
    else
        *ARRAY_PUSH(ret->at, ret->n) = xstrdup(mgr->command->cli.conf->cluster_name);
    if (rc == 0 && known.n)
        clusters_add_names(&known, asked->all_clusters, &asked->clusters, ret);
    return rc;
}

/* Makes the request: events since yesterday, or, of states, those that go on. */
static struct cluster_event_list request_of(const struct asked *asked)
{
    const int64_t now = (int64_t)time(NULL);
    const int64_t today = period_start(PERIOD_DAY, now);
    struct cluster_event_list request;

    cluster_event_list_init(&request);
    request.open = asked->open;
    request.until = asked->end;
    if (asked->start || asked->all_time)
        request.from = asked->start;
    else
        request.from = asked->states ? now : period_start(PERIOD_DAY, today - 1);
    return request;
}

/* Loads the events of each cluster. One that has told nothing yet has none. */
static int load(const struct mgr *mgr, const struct asked *asked, struct found *ret,
                struct err *err)
{
    struct cluster_event_list request = request_of(asked);
    int rc = find_clusters(mgr, asked, &ret->clusters, err);

    ret->events = xcalloc((size_t)ret->clusters.n + 1, sizeof(*ret->events));
    for (uint32_t i = 0; i < ret->clusters.n; i++)
        ret->events[i].schema = cluster_event_schema();
    for (uint32_t i = 0; rc == 0 && i < ret->clusters.n; i++) {
        request.cluster = ret->clusters.at[i]; /* borrowed */
        rc = records_load(mgr->command->cli.client, MSG_CLUSTER_EVENT_LIST, &request,
                          MSG_CLUSTER_EVENT, &ret->events[i], err);
        rc = rc == -ESRCH ? 0 : rc;
    }
    return rc;
}

int event_list(struct mgr *mgr, const struct acct_line *line)
{
    struct asked asked = { .is_wrong = false };
    struct found found = { 0 };
    struct err err = { 0 };
    int status = 1, rc = 0;

    for (uint32_t i = 0; i < line->where.n && !asked.is_wrong; i++)
        read_word(mgr, &line->where.at[i], &asked);
    if (!asked.is_wrong)
        rc = load(mgr, &asked, &found, &err);
    if (rc == -E_ACCESS)
        fprintf(stderr, "sacctmgr: error: %s\n Error with request: %s\n", err_string(E_ACCESS),
                err_string(E_ACCESS));
    else if (rc < 0)
        records_report(mgr->command, "Problem with query", &err);
    else if (!asked.is_wrong)
        status = print(mgr, &asked, &found);
    found_clear(&found);
    asked_clear(&asked);
    return status;
}
