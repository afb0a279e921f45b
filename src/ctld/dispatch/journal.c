#include "ctld/dispatch/journal.h"

#include <string.h>

#include "common/msg/event.h"
#include "common/msg/types.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"
#include "ctld/dispatch/request_text.h"

#define MINUTE_MS 60000

/* How many refusals of a user were kept in the minute that began at begin_ms. */
struct refused {
    uint32_t uid, n;
    int64_t begin_ms;
    UT_hash_handle hh;
};

struct journal {
    struct refused *refused; /* uthash by uid */
};

struct journal *journal_new(void)
{
    return xcalloc(1, sizeof(struct journal));
}

static void forget_refusals(struct journal *journal)
{
    struct refused *refused, *next;

    HASH_ITER (hh, journal->refused, refused, next) {
        HASH_DEL(journal->refused, refused);
        free(refused);
    }
}

struct journal *journal_free(struct journal *journal)
{
    if (journal)
        forget_refusals(journal);
    free(journal);
    return NULL;
}

/* ---- what a request is about ---- */

/* Returns the member of that name, or NULL if the message has none of that kind. */
static const void *member(const struct schema *schema, const void *msg, const char *name,
                          enum schema_kind kind)
{
    const struct schema_field *field = msg ? schema_find(schema, name) : NULL;

    return field && field->kind == (uint8_t)kind ? (const char *)msg + field->offset : NULL;
}

static char *text_of(const struct schema *schema, const void *msg, const char *name)
{
    char *const *text = member(schema, msg, name, KIND_STR);

    if (!text)
        text = member(schema, msg, name, KIND_HOSTS);
    return text ? *text : NULL;
}

static void note(struct request *request, const void *msg, struct event_record *event)
{
    const struct schema *schema = msg_schema(request->type);
    const struct caller *caller = request->act.caller;
    const uint32_t *job_id = member(schema, msg, "job_id", KIND_U32);
    AUTO(strbuf) struct strbuf what = { 0 };

    request_name(request->type, msg, &what);
    event->time_ms = request->act.now.wall_s * INT64_C(1000) + request->act.now.wall_part_ms;
    event->has_caller = true;
    event->uid = caller->uid;
    event->user = (char *)(uintptr_t)caller->user_name;
    event->host = (char *)(uintptr_t)caller->host;
    event->job_id = job_id ? *job_id : 0;
    event->nodes = text_of(schema, msg, "names");
    if (request->type == MSG_PARTITION_CHANGE)
        event->partition = text_of(schema, msg, "name");
    event->what = (char *)(uintptr_t)strbuf_text(&what);
    turn_note_event(&request->ctld->turn, event);
}

/* ---- what is told ---- */

static bool has_event_of_its_own(uint32_t type)
{
    switch (type) {
    case MSG_JOB_SUBMIT:
    case MSG_JOB_ALLOCATE:
    case MSG_STEP_RUN:
    case MSG_JOB_ATTACH:
    case MSG_BLOB_PUT:
        return true;
    default:
        return false;
    }
}

void journal_note_done(struct request *request, const void *msg)
{
    AUTO(strbuf) struct strbuf details = { 0 };
    struct event_record event;

    if (has_event_of_its_own(request->type))
        return;
    request_details(request->type, msg, &details);
    event_record_init(&event);
    event.kind = EVENT_REQUEST;
    event.text = (char *)(uintptr_t)strbuf_text(&details);
    note(request, msg, &event);
}

/* True if one more refusal of the user may be kept in this minute. */
static bool may_keep(struct journal *journal, uint32_t uid, int64_t now_ms)
{
    struct refused *refused;

    HASH_FIND_INT(journal->refused, &uid, refused);
    if (!refused) {
        refused = xcalloc(1, sizeof(*refused));
        refused->uid = uid;
        HASH_ADD_INT(journal->refused, uid, refused);
    }
    if (refused->n == 0 || now_ms >= refused->begin_ms + MINUTE_MS) {
        refused->begin_ms = now_ms;
        refused->n = 0;
    }
    return refused->n++ < JOURNAL_REFUSALS_A_MINUTE;
}

void journal_note_refused(struct request *request, const void *msg, int rc, const struct err *err)
{
    struct event_record event;

    if (!may_keep(request->ctld->journal, request->act.caller->uid, request->act.now.cluster_ms))
        return;
    event_record_init(&event);
    event.kind = EVENT_REFUSED;
    event.code = (uint32_t)-rc;
    event.text = (char *)(uintptr_t)err->text;
    note(request, msg, &event);
}
