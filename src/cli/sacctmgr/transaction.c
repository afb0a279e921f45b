#include "cli/sacctmgr/transaction.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/lib/records.h"
#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/table.h"
#include "common/msg/event.h"
#include "common/msg/types.h"
#include "common/text/timetext.h"

/* ---- columns ---- */

/* The parts of the key of an association or wckey, after its cluster. */
enum part { PART_CLUSTER, PART_ACCOUNT, PART_USER };

#define ADD_COORD     "Add Account Coord"
#define REMOVE_COORDS "Remove Account Coords"

/* Returns the value that stands behind `begin` and before a quote, to be freed, or NULL. */
static char *value_of(const char *text, const char *begin)
{
    const char *at = strstr(text, begin);

    return at ? xstrndup(at + strlen(begin), strcspn(at + strlen(begin), "'")) : NULL;
}

/* Returns one part of what an event is about, to be freed, or NULL. Keys of associations are
 * "cluster,account,user,partition", those of wckeys "cluster,user,name". */
static char *part_of(const struct event_record *event, enum part part)
{
    const bool is_wckey = strstr(event->what, "WCKeys");
    const char *at = event->text;
    uint32_t skip = is_wckey && part == PART_USER ? 1 : (uint32_t)part;

    if (strcmp(event->what, ADD_COORD) == 0)
        return part == PART_USER ? xstrdup(at) : part == PART_ACCOUNT ? xstrdup(event->info) : NULL;
    if (strcmp(event->what, REMOVE_COORDS) == 0)
        return part == PART_CLUSTER ? NULL : value_of(at, part == PART_USER ? "user='" : "acct='");
    if (strcmp(event->what, "Modify Job") == 0)
        return part == PART_CLUSTER ? xstrndup(at, strcspn(at, ",")) : NULL;
    if (!strchr(at, ','))
        return (part == PART_ACCOUNT && strstr(event->what, "Accounts")) ||
                       (part == PART_USER && strstr(event->what, "Users")) ||
                       (part == PART_CLUSTER && strstr(event->what, "Clusters"))
                   ? xstrdup(at)
                   : NULL;
    if (is_wckey && part == PART_ACCOUNT)
        return NULL;
    for (; skip > 0 && at; skip--)
        at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
    return at && *at && *at != ',' ? xstrndup(at, strcspn(at, ",")) : NULL;
}

#define TEXT(function, what_)                                                                      \
    static void function(const struct report_context *ctx, const void *row, struct strbuf *out)    \
    {                                                                                              \
        const struct event_record *event = row;                                                    \
                                                                                                   \
        (void)ctx;                                                                                 \
        if (what_)                                                                                 \
            strbuf_adds(out, what_);                                                               \
    }

TEXT(action, event->what)
TEXT(where, event->text)
TEXT(info, event->info)

static void actor(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct event_record *event = row;

    (void)ctx;
    if (event->user)
        strbuf_adds(out, event->user);
    else if (event->has_caller)
        strbuf_addf(out, "%u", event->uid);
}

static void when(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct event_record *event = row;

    time_format(out, event->time_ms / 1000, ctx->time_manner, ctx->now, "Unknown");
}

#define PART(function, part)                                                                       \
    static void function(const struct report_context *ctx, const void *row, struct strbuf *out)    \
    {                                                                                              \
        AUTO_FREE char *text = part_of(row, part);                                                 \
                                                                                                   \
        (void)ctx;                                                                                 \
        if (text)                                                                                  \
            strbuf_adds(out, text);                                                                \
    }

PART(account, PART_ACCOUNT)
PART(cluster, PART_CLUSTER)
PART(user, PART_USER)

/* clang-format off */
static const struct report_column columns[] = {
    MGR_COLUMN("Accounts", 3, "Account", 10, account),
    MGR_COLUMN("Action", 4, "Action", 20, action),
    MGR_COLUMN("Actor", 4, "Actor", 10, actor),
    MGR_COLUMN("Clusters", 4, "Cluster", 10, cluster),
    MGR_COLUMN("Info", 1, "Info", 20, info),
    MGR_COLUMN("TimeStamp", 1, "Time", 19, when),
    MGR_COLUMN("Users", 4, "User", 10, user),
    MGR_COLUMN("Where", 1, "Where", 20, where),
};
/* clang-format on */

static const struct report_table table = { NULL, 0, columns, ARRAY_N(columns) };

/* ---- which ---- */

enum {
    KEY_ACCOUNT,
    KEY_ACTION,
    KEY_ACTOR,
    KEY_CLUSTER,
    KEY_USER,
    LISTS_N,
    KEY_END,
    KEY_FORMAT,
    KEY_START
};

static const struct acct_key keys[] = {
    { "Accounts", 3, KEY_ACCOUNT }, { "Actions", 4, KEY_ACTION }, { "Actors", 4, KEY_ACTOR },
    { "Clusters", 1, KEY_CLUSTER }, { "End", 1, KEY_END },        { "Format", 1, KEY_FORMAT },
    { "Start", 1, KEY_START },      { "Users", 1, KEY_USER },
};

struct asked {
    struct words lists[LISTS_N], fields;
    int64_t start, end; /* 0: open */
    bool has_format, with_assoc, is_wrong;
};

static void asked_clear(struct asked *asked)
{
    for (size_t i = 0; i < LISTS_N; i++)
        words_clear(&asked->lists[i]);
    words_clear(&asked->fields);
}

static bool is_action(const char *name)
{
    static const char *const others[] = { "Modify Job", ADD_COORD, REMOVE_COORDS };
    static const char *const verbs[] = { "Add", "Modify", "Remove" };
    static const char *const kinds[] = { "Accounts", "Associations", "Clusters",
                                         "QOS",      "Users",        "WCKeys" };

    for (size_t i = 0; i < ARRAY_N(verbs) * ARRAY_N(kinds); i++) {
        AUTO_FREE char *action = xasprintf("%s %s", verbs[i % 3], kinds[i / 3]);

        if (word_is(action, name))
            return true;
    }
    for (size_t i = 0; i < ARRAY_N(others); i++) {
        if (word_is(others[i], name))
            return true;
    }
    return false;
}

static void check_actions(struct mgr *mgr, struct asked *asked)
{
    const struct words *actions = &asked->lists[KEY_ACTION];

    for (uint32_t i = 0; i < actions->n; i++) {
        if (is_action(actions->at[i]))
            continue;
        fprintf(stderr, "sacctmgr: error: You gave a bad action '%s'.\n", actions->at[i]);
        asked->is_wrong = true;
        mgr->status = 1;
    }
}

static void read_time(struct mgr *mgr, const struct acct_word *word, struct asked *asked, int key)
{
    struct err err = { 0 };

    if (time_parse_past(word->value, (int64_t)time(NULL),
                        key == KEY_START ? &asked->start : &asked->end, &err) == 0)
        return;
    mgr_refuse(mgr, "%s", err.text);
    asked->is_wrong = true;
}

static void read_word(struct mgr *mgr, const struct acct_word *word, struct asked *asked)
{
    static const struct acct_key with_assoc = { "WithAssoc", 5, 0 };
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : -1;

    if (!word->key && acct_key_find(&with_assoc, 1, word->value) == 0) {
        asked->with_assoc = true;
    } else if (key == KEY_START || key == KEY_END) {
        read_time(mgr, word, asked, key);
    } else if (key == KEY_FORMAT) {
        asked->has_format = true;
        words_add(&asked->fields, word->value, ",");
    } else if (key >= 0) {
        acct_names_add(&asked->lists[key], word->value);
    } else {
        mgr_refuse(mgr, " Unknown condition: %s", word->text);
        asked->is_wrong = true;
    }
}

static bool part_fits(const struct asked *asked, int key, const struct event_record *event,
                      enum part part)
{
    AUTO_FREE char *text = asked->lists[key].n ? part_of(event, part) : NULL;

    return choice_fits(&asked->lists[key], text);
}

static bool fits(const struct asked *asked, const struct event_record *event)
{
    return event->kind == EVENT_ACCOUNTING && event->what && event->text &&
           (!asked->end || event->time_ms / 1000 < asked->end) &&
           choice_fits(&asked->lists[KEY_ACTION], event->what) &&
           choice_fits(&asked->lists[KEY_ACTOR], event->user) &&
           part_fits(asked, KEY_ACCOUNT, event, PART_ACCOUNT) &&
           part_fits(asked, KEY_CLUSTER, event, PART_CLUSTER) &&
           part_fits(asked, KEY_USER, event, PART_USER);
}

/* Compares by time: what has come from another place stands there behind what was noted before it
 * came. */
static int compare_times(const void *a, const void *b)
{
    const struct event_record *left = a, *right = b;

    if (left->time_ms != right->time_ms)
        return left->time_ms < right->time_ms ? -1 : 1;
    if (left->turn != right->turn)
        return left->turn < right->turn ? -1 : 1;
    return (left->place > right->place) - (left->place < right->place);
}

static int print(struct mgr *mgr, struct asked *asked, const struct records *events)
{
    AUTO_FREE struct event_record *rows = NULL; /* borrow their texts */
    struct mgr_table shown = { .columns = &table, .row_size = sizeof(*rows) };

    for (uint32_t i = 0; i < events->n; i++) {
        struct event_record event = *(const struct event_record *)record_at(events, i);

        if (!event.user && !event.has_caller) /* a daemon did it, on its own account */
            event.user = mgr->command->cli.conf->slurm_user;
        if (fits(asked, &event))
            *ARRAY_PUSH(rows, shown.n) = event;
    }
    if (shown.n)
        qsort(rows, shown.n, sizeof(*rows), compare_times);
    shown.rows = rows;
    shown.ctx.now = (int64_t)time(NULL);
    if (!asked->has_format)
        words_add(&asked->fields,
                  asked->with_assoc ? "TimeStamp,Action,Actor,Where,Info,Users,Accounts,Clusters"
                                    : "TimeStamp,Action,Actor,Where,Info",
                  ",");
    return mgr_print(mgr, &shown, &asked->fields);
}

int transaction_list(struct mgr *mgr, const struct acct_line *line)
{
    AUTO(records) struct records events = { .schema = event_record_schema() };
    struct asked asked = { .is_wrong = false };
    struct event_list request;
    struct err err = { 0 };
    int status = 1;

    for (uint32_t i = 0; i < line->where.n && !asked.is_wrong; i++)
        read_word(mgr, &line->where.at[i], &asked);
    check_actions(mgr, &asked);
    event_list_init(&request);
    request.since = asked.start;
    if (!asked.is_wrong && records_load(mgr->command->cli.client, MSG_EVENT_LIST, &request,
                                        MSG_EVENT_INFO, &events, &err) < 0)
        records_report(mgr->command, "Problem with query", &err);
    else if (!asked.is_wrong)
        status = print(mgr, &asked, &events);
    asked_clear(&asked);
    return status;
}
