/* What transactions tell: who did what to which record, and the values that it has now. */
#include <inttypes.h>
#include <string.h>

#include "common/schema/slot.h"
#include "common/text/words.h"
#include "ctld/control/acct/common.h"
#include "ctld/control/act/event.h"
#include "ctld/control/act/state.h"

/* ---- lists of names ---- */

/* The names of a record's member; borrowed. */
static struct words names_of(const struct schema_field *field, const void *record)
{
    return (struct words){ *schema_slot(field, record).strs, *schema_count(field, record) };
}

static bool are_signed(const struct words *names)
{
    return names->n && qos_has_sign(names->at[0]);
}

/* Appends "qos+='a','b'": names that the other list has not. Of a list with signs those with this
 * one are told. Returns whether there are any. */
static bool add_names(const char *member, char sign, const struct words *names,
                      const struct words *other, struct strbuf *out)
{
    bool has_any = false;

    for (uint32_t i = 0; i < names->n; i++) {
        const char *name = names->at[i];

        if (words_have_exactly(other, name) || (qos_has_sign(name) && *name != sign))
            continue;
        if (!has_any)
            strbuf_addf(out, "%s%s%c=", out->len ? ", " : "", member, sign);
        strbuf_addf(out, "%s'%s'", has_any ? "," : "", name + qos_has_sign(name));
        has_any = true;
    }
    return has_any;
}

/* Appends how a list differs from what it was. Returns false where it is another one as a whole. */
static bool add_difference(const struct schema_field *field, const void *before, const void *after,
                           struct strbuf *out)
{
    const struct words was = names_of(field, before), now = names_of(field, after);
    bool has_any;

    if (are_signed(&now)) {
        has_any = add_names(field->name, '+', &now, &was, out);
        return add_names(field->name, '-', &now, &was, out) || has_any;
    }
    if (are_signed(&was) || was.n == 0 || now.n == 0)
        return false;
    has_any = add_names(field->name, '+', &now, &was, out);
    return add_names(field->name, '-', &was, &now, out) || has_any;
}

/* ---- values ---- */

static void add_amounts(const struct schema_field *field, const void *record, struct strbuf *out)
{
    const struct acct_amount *amounts = *schema_slot(field, record).records;
    const uint32_t n = *schema_count(field, record);

    strbuf_addc(out, '\'');
    for (uint32_t i = 0; i < n; i++)
        strbuf_addf(out, "%s%s=%" PRIu64, i ? "," : "", amounts[i].tres, amounts[i].amount);
    strbuf_addc(out, '\'');
}

/* Appends "max_jobs=4"; what is not set any more is NULL, or an empty text or list. */
static void add_value(const struct schema_field *field, const void *record, struct strbuf *out)
{
    const bool is_unset = schema_is_default(field, record);

    strbuf_addf(out, "%s%s=", out->len ? ", " : "", field->name);
    if (field->kind == KIND_LIST && field->record == acct_amount_schema)
        add_amounts(field, record, out);
    else if (is_unset && (field->kind == KIND_STR || field->kind == KIND_STRS))
        strbuf_adds(out, "''");
    else if (is_unset && (field->kind == KIND_COUNT || field->kind == KIND_LIST))
        strbuf_adds(out, "NULL");
    else
        schema_print_value(field, record, out);
}

/* Appends the values that differ but for what the controller gives by itself, and for
 * coordinators, of whom acct_tell_coordinators tells. */
static void add_changes(const struct schema *schema, const void *before, const void *after,
                        struct strbuf *out)
{
    static const char *const given[] = { "key",     "name",     "id",       "created",
                                         "deleted", "modified", "added_ms", "coordinators" };

    for (uint32_t i = 0; i < schema->fields_n; i++) {
        const struct schema_field *field = &schema->fields[i];
        bool is_given = false;

        for (size_t j = 0; j < ARRAY_N(given); j++)
            is_given |= strcmp(field->name, given[j]) == 0;
        if (is_given || schema_equal_field(field, before, after))
            continue;
        if (field->kind != KIND_STRS || !add_difference(field, before, after, out))
            add_value(field, after, out);
    }
}

/* ---- an event ---- */

void acct_tell(struct act *act, const struct schema *schema, const void *before, const void *after,
               const char *kind, const char *name)
{
    const bool was_there = before && !acct_is_deleted(schema, before);
    const bool is_there = !acct_is_deleted(schema, after);
    const char *verb = is_there == was_there ? "Modify" : is_there ? "Add" : "Remove";
    AUTO_FREE char *what = xasprintf("%s %s", verb, kind);
    AUTO_FREE void *empty = xcalloc(1, schema->size);
    AUTO(strbuf) struct strbuf info = { 0 };

    if (act->control->is_following) /* the owner knows who did it, and has noted it */
        return;
    schema_init(schema, empty);
    if (is_there)
        add_changes(schema, was_there ? before : empty, after, &info);
    if (is_there && was_there && !info.len)
        return; /* but other times or numbers, or coordinators */
    event_note_acct(act, what, name, info.len ? strbuf_text(&info) : NULL);
}

void acct_tell_coordinators(struct act *act, const struct account_record *before,
                            const struct account_record *after)
{
    const struct words now = { after->coordinators, after->coordinators_n };
    const struct words was = { before ? before->coordinators : NULL,
                               before ? before->coordinators_n : 0 };

    if (act->control->is_following)
        return;
    for (uint32_t i = 0; i < now.n; i++) {
        if (!words_have_exactly(&was, now.at[i]))
            event_note_acct(act, "Add Account Coord", now.at[i], after->name);
    }
    for (uint32_t i = 0; i < was.n && !after->deleted; i++) {
        AUTO_FREE char *which = xasprintf("(user='%s') && (acct='%s')", was.at[i], after->name);

        if (!words_have_exactly(&now, was.at[i]))
            event_note_acct(act, "Remove Account Coords", which, NULL);
    }
}
