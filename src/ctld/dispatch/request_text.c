#include "ctld/dispatch/request_text.h"

#include <ctype.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/msg/alter.h"
#include "common/msg/node.h"
#include "common/msg/types.h"
#include "common/schema/slot.h"

/* Returns the name of a request that differs from that of its message, or NULL. */
static const char *find_name(uint32_t type, const void *msg)
{
    const struct job_signal *signal = msg;
    const struct job_suspend *suspend = msg;
    const struct partition_change *change = msg;

    if (type == MSG_JOB_SIGNAL && signal->flags & SIGNAL_CANCEL)
        return "job cancel";
    if (type == MSG_JOB_SUSPEND && suspend->resume)
        return "job resume";
    if (type == MSG_PARTITION_CHANGE && change->verb == PARTITION_CREATE)
        return "partition create";
    if (type == MSG_PARTITION_CHANGE && change->verb == PARTITION_DELETE)
        return "partition delete";
    return NULL;
}

void request_name(uint32_t type, const void *msg, struct strbuf *out)
{
    const char *name = msg ? find_name(type, msg) : NULL;

    if (name) {
        strbuf_adds(out, name);
        return;
    }
    for (const char *at = msg_name(type); *at; at++)
        strbuf_addc(out, *at == '_' ? ' ' : (char)tolower((unsigned char)*at));
}

/* Words for the values of members: of an ENUM for the value, else for a bit. */
static const struct {
    uint32_t type;
    const char *member;
    uint32_t value;
    const char *word;
} words[] = {
    { MSG_JOB_SIGNAL, "flags", SIGNAL_CANCEL, "" }, /* is in the name */
    { MSG_JOB_SIGNAL, "flags", SIGNAL_BATCH_ONLY, "to the batch shell" },
    { MSG_JOB_SIGNAL, "flags", SIGNAL_WITH_BATCH, "to steps and batch shell" },
    { MSG_JOB_SIGNAL, "flags", SIGNAL_STEPS_ONLY, "to steps" },
    { MSG_JOB_SIGNAL, "flags", SIGNAL_GENTLY, "gently" },
    { MSG_JOB_UPDATE, "hold", HOLD_AS_USER, "hold by its user" },
    { MSG_JOB_UPDATE, "hold", HOLD, "hold" },
    { MSG_JOB_UPDATE, "hold", HOLD_RELEASE, "release" },
    { MSG_JOB_REQUEUE, "flags", REQUEUE_HOLD, "hold" },
    { MSG_JOB_REQUEUE, "flags", REQUEUE_SPECIAL_EXIT, "special exit" },
    { MSG_JOB_REQUEUE, "flags", REQUEUE_INCOMPLETE, "unless it is over" },
    { MSG_NODE_UPDATE, "state", NODE_UPDATE_DOWN, "down" },
    { MSG_NODE_UPDATE, "state", NODE_UPDATE_DRAIN, "drain" },
    { MSG_NODE_UPDATE, "state", NODE_UPDATE_RESUME, "resume" },
    { MSG_NODE_UPDATE, "state", NODE_UPDATE_UNDRAIN, "undrain" },
    { MSG_NODE_UPDATE, "state", NODE_UPDATE_IDLE, "idle" },
    { MSG_NODE_UPDATE, "state", NODE_UPDATE_FAIL, "fail" },
    { MSG_NODE_UPDATE, "state", NODE_UPDATE_CANCEL_REBOOT, "cancel reboot" },
    { MSG_NODE_UPDATE, "state", NODE_UPDATE_FUTURE, "future" },
    { MSG_NODE_UPDATE, "state", NODE_UPDATE_NO_RESPOND, "no respond" },
};

static void begin_word(struct strbuf *out)
{
    if (out->len)
        strbuf_addc(out, ' ');
}

static void add_word(const char *word, struct strbuf *out)
{
    if (*word)
        begin_word(out);
    strbuf_adds(out, word);
}

/* Adds the words of a member's value; false: this member has none. */
static bool add_words(uint32_t type, const struct schema_field *field, const void *msg,
                      struct strbuf *out)
{
    bool has_words = false;

    for (size_t i = 0; i < ARRAY_N(words); i++) {
        uint32_t value;

        if (words[i].type != type || strcmp(words[i].member, field->name) != 0)
            continue;
        has_words = true;
        value = *schema_slot(field, msg).u32;
        if (field->kind == KIND_ENUM ? value == words[i].value : value & words[i].value)
            add_word(words[i].word, out);
    }
    return has_words;
}

static void add_member(const struct schema_field *field, const void *msg, struct strbuf *out)
{
    if (!field || field->flags & FIELD_SECRET)
        return;
    begin_word(out);
    schema_print_member(field, msg, out);
}

/* Adds the members of spec and body that the request sets, also those that it clears. */
static void add_set(const struct job_update *update, struct strbuf *out)
{
    for (uint32_t i = 0; i < update->set_n; i++) {
        if (update->spec)
            add_member(schema_find_tag(job_spec_schema(), update->set[i]), update->spec, out);
        if (update->body)
            add_member(schema_find_tag(job_body_schema(), update->set[i]), update->body, out);
    }
}

/* True if the request's name or its subject tells the member. */
static bool is_told(const struct schema_field *field)
{
    static const char *const told[] = { "job_id", "names", "name", "verb", "resume" };

    for (size_t i = 0; i < ARRAY_N(told); i++) {
        if (strcmp(told[i], field->name) == 0)
            return true;
    }
    return field->kind == KIND_PART || field->kind == KIND_LIST || field->kind == KIND_BLOB;
}

static void add_field(uint32_t type, const struct schema_field *field, const void *msg,
                      struct strbuf *out)
{
    if (schema_is_default(field, msg) || is_told(field) || add_words(type, field, msg, out))
        return;
    if (type == MSG_JOB_UPDATE && strcmp(field->name, "set") == 0) {
        add_set(msg, out);
    } else if (field->kind == KIND_STRS) {
        for (uint32_t i = 0; i < *schema_count(field, msg); i++)
            add_word((*schema_slot(field, msg).strs)[i], out);
    } else {
        add_member(field, msg, out);
    }
}

void request_details(uint32_t type, const void *msg, struct strbuf *out)
{
    const struct schema *schema = msg_schema(type);

    for (uint32_t i = 0; i < schema->fields_n; i++)
        add_field(type, &schema->fields[i], msg, out);
}
