#include "ctld/control/act/kept.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "common/schema/slot.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"

static const struct kept_rules *rules_of(uint32_t number)
{
    for (uint32_t i = 0; i < KEPT_KINDS_N; i++) {
        if (kept_rules_of_kinds[i]->kind == number)
            return kept_rules_of_kinds[i];
    }
    return NULL;
}

struct kept_table *control_kept(struct control *control, enum kept_number number)
{
    for (uint32_t i = 0; i < KEPT_KINDS_N; i++) {
        if (control->kept[i].kind->number == number)
            return &control->kept[i];
    }
    return NULL;
}

void control_kept_init(struct control *control)
{
    for (uint32_t i = 0; i < KEPT_KINDS_N; i++) {
        const struct kept_kind *kind = kept_kind_at(i);
        const struct kept_rules *own = rules_of(kind->number);

        kept_init(&control->kept[i], kind, own->room, own->release);
        control->kept[i].group_of = own->group_of;
    }
}

void control_kept_clear(struct control *control)
{
    for (uint32_t i = 0; i < KEPT_KINDS_N; i++)
        kept_clear(&control->kept[i]);
}

/* ---- what was kept ---- */

/* Returns the name under which turns keep the last number of records of the kind, to be freed. */
static char *number_name(const struct kept_kind *kind)
{
    char *name = xasprintf("last_%s", kind->name);

    for (char *at = name; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return name;
}

static void raise_number(struct kept_table *table, uint32_t number)
{
    if (table->last_number < number)
        table->last_number = number;
}

void control_kept_load_number(struct control *control, const char *name, int64_t number)
{
    for (uint32_t i = 0; i < KEPT_KINDS_N; i++) {
        AUTO_FREE char *own = number_name(control->kept[i].kind);

        if (strcmp(name, own) == 0 && number > 0)
            raise_number(&control->kept[i], (uint32_t)number);
    }
}

void control_kept_load(struct control *control, const struct kept_kind *kind, const void *record)
{
    const struct kept_rules *own = rules_of(kind->number);
    struct kept_table *table = control_kept(control, kind->number);
    void *copy;

    if (own->load) {
        own->load(control, record);
        return;
    }
    copy = kept_new(table);
    schema_copy(kind->schema(), copy, record);
    kept_add(table, copy);
    if (kept_number_of(kind, copy))
        raise_number(table, *kept_number_of(kind, copy));
}

/* ---- what is noted ---- */

void kept_note(struct act *act, enum kept_number number, const void *record)
{
    turn_note_kept(act->turn, kept_kind_find(number), record);
}

void kept_drop(struct act *act, enum kept_number number, void *record)
{
    struct kept_table *table = control_kept(act->control, number);
    AUTO_FREE char *key = kept_key(table->kind, record);

    turn_note_kept_gone(act->turn, table->kind, key);
    kept_free(table, kept_take(table, key, NULL));
}

/* ---- which records are meant ---- */

struct pattern {
    const struct kept_kind *kind;
    const uint32_t *tags;
    uint32_t tags_n;
    void *like; /* decoded; NULL without tags */
    char *key;  /* of the one record that is meant; NULL: it is not among the tags */
};

static int check_tags(const struct kept_kind *kind, const uint32_t *tags, uint32_t n,
                      struct err *err)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!schema_find_tag(kind->schema(), tags[i]))
            return err_set(err, E_PROTO, "records of kind %s have no field %u", kind->name,
                           tags[i]);
    }
    return 0;
}

/* Refuses to change the key, for a record with another key would be another record; and to leave a
 * record without what each has. */
static int check_set(const struct kept_kind *kind, const struct kept_edit *edit, const void *values,
                     struct err *err)
{
    const uint32_t key = schema_find(kind->schema(), kind->key)->tag;

    for (uint32_t i = 0; i < edit->set_n; i++) {
        const struct schema_field *field = schema_find_tag(kind->schema(), edit->set[i]);

        if (field->tag == key)
            return err_set(err, E_NOT_SUPPORTED, "the %s of a %s is not changed", kind->key,
                           kind->name);
        if (field->flags & FIELD_REQUIRED && schema_is_default(field, values))
            return err_set(err, E_PROTO, "a %s without its %s", kind->name, field->name);
    }
    return 0;
}

static int decode_record(const struct kept_kind *kind, const struct blob *bytes, void *ret,
                         struct err *err)
{
    return schema_decode_some(kind->schema(), bytes->data, bytes->n, ret, err);
}

static char *key_of_pattern(const struct pattern *pattern)
{
    const struct schema_field *key = schema_find(pattern->kind->schema(), pattern->kind->key);

    for (uint32_t i = 0; i < pattern->tags_n; i++) {
        if (pattern->tags[i] == key->tag && !schema_is_default(key, pattern->like))
            return kept_key(pattern->kind, pattern->like);
    }
    return NULL;
}

static int pattern_init(struct pattern *pattern, const struct kept_kind *kind,
                        const struct kept_list *request, struct err *err)
{
    int rc = check_tags(kind, request->match, request->match_n, err);

    *pattern = (struct pattern){ .kind = kind, .tags = request->match, .tags_n = request->match_n };
    if (rc < 0 || request->match_n == 0)
        return rc;
    pattern->like = xcalloc(1, kind->schema()->size);
    rc = decode_record(kind, &request->like, pattern->like, err);
    if (rc < 0)
        free(STEAL(pattern->like));
    else
        pattern->key = key_of_pattern(pattern);
    return rc;
}

static void pattern_clear(struct pattern *pattern)
{
    if (pattern->like)
        schema_clear(pattern->kind->schema(), pattern->like);
    free(pattern->like);
    free(pattern->key);
}

static bool pattern_fits(const struct pattern *pattern, const void *record)
{
    for (uint32_t i = 0; i < pattern->tags_n; i++) {
        const struct schema_field *field =
            schema_find_tag(pattern->kind->schema(), pattern->tags[i]);

        if (!schema_equal_field(field, record, pattern->like))
            return false;
    }
    return true;
}

/* Returns the next record that may be meant, as kept_next does. A pattern that has the key means
 * one at most. */
static void *next_meant(const struct pattern *pattern, const struct kept_table *table,
                        uint64_t *serial)
{
    if (!pattern->key)
        return kept_next(table, serial);
    return (*serial)++ == 0 ? kept_find(table, pattern->key) : NULL;
}

/* ---- one request ---- */

/* One edit may mean every record that there is. That each of thousands does would hold up everybody
 * else for as long. */
#define LOOKS_MAX 200000

/* A record goes from place to place in one frame, with others. */
#define RECORD_MAX (128 * 1024)

/* What was done so far to one record, to be undone or told. */
struct done {
    struct kept_table *table;
    char *key;
    void *before; /* as it was: a copy, or what was taken out; NULL: it is new */
    bool is_gone;
    bool is_same;    /* it was set to what it had */
    uint64_t serial; /* of one that is gone: its place in order */
};

struct doing {
    struct act *act;
    const struct kept_edit *edit;
    const struct kept_rules *rules;
    struct kept_table *table;
    struct done *done;
    uint32_t done_n;
    uint32_t looks; /* at records, by all edits */
};

static struct done *note_done(struct doing *doing, const void *record)
{
    struct done *done = ARRAY_PUSH(doing->done, doing->done_n);

    *done = (struct done){ .table = doing->table, .key = kept_key(doing->table->kind, record) };
    return done;
}

static int check_size(const struct kept_kind *kind, const void *record, struct err *err)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    schema_encode(kind->schema(), record, &bytes);
    return bytes.len <= RECORD_MAX
               ? 0
               : err_set(err, E2BIG, "a record of kind %s of %zu bytes: more than %d are not kept",
                         kind->name, bytes.len, RECORD_MAX);
}

/* Makes of a record what `after` is. What that owns is taken over. */
static int set_to(struct doing *doing, void *record, void *after, struct err *err)
{
    const struct schema *schema = doing->table->kind->schema();
    const bool is_same = schema_equal(schema, after, record);
    int rc = doing->rules->check(doing->act, record, after, err);

    if (rc == 0 && !is_same)
        rc = check_size(doing->table->kind, after, err);
    if (rc == 0 && is_same) {
        note_done(doing, record)->is_same = true;
    } else if (rc == 0) {
        note_done(doing, record)->before = xmemdup(record, schema->size);
        memcpy(record, after, schema->size); /* what it owned has moved to `before` */
        return 0;
    }
    schema_clear(schema, after);
    return rc;
}

static bool is_deleted(const struct kept_kind *kind, const void *record)
{
    const struct schema_field *deleted = schema_find(kind->schema(), "deleted");

    return deleted && !schema_is_default(deleted, record);
}

/* Brings a deleted record back, as the new one is. */
static int bring_back(struct doing *doing, void *there, const void *record, struct err *err)
{
    const struct schema *schema = doing->table->kind->schema();
    AUTO_FREE void *after = xcalloc(1, schema->size);

    schema_copy(schema, after, record);
    return set_to(doing, there, after, err);
}

/* A record of that key is there. Takes the new one. Whoever is not shown a deleted one cannot know
 * that he would have to bring it back. */
static int add_to_one(struct doing *doing, void *record, const char *key, struct err *err)
{
    struct kept_table *table = doing->table;
    void *there = kept_find(table, key);
    const struct act *act = doing->act;
    const bool is_hidden =
        doing->rules->shows && !doing->rules->shows(act->control, act->caller, there);
    int rc;

    if (is_hidden && is_deleted(table->kind, there)) {
        rc = bring_back(doing, there, record, err);
        kept_free(table, record);
        return rc;
    }
    kept_free(table, record);
    if (!doing->rules->adds_hidden || !is_hidden)
        return err_set(err, EEXIST, "%s '%s' exists already", table->kind->name, key);
    note_done(doing, there)->is_same = true;
    return 0;
}

static int add_record(struct doing *doing, struct err *err)
{
    struct kept_table *table = doing->table;
    const struct kept_kind *kind = table->kind;
    void *record = kept_new(table);
    uint32_t *number = kept_number_of(kind, record);
    AUTO_FREE char *key = NULL;
    int rc =
        schema_decode(kind->schema(), doing->edit->record.data, doing->edit->record.n, record, err);

    if (rc == 0)
        rc = schema_check_text(kind->schema(), record, err);
    if (rc == 0 && number && table->last_number == UINT32_MAX)
        rc = err_set(err, ENOSPC, "no number is left for a %s", kind->name);
    if (rc == 0 && number)
        *number = table->last_number + 1;
    if (rc == 0)
        rc = doing->rules->check(doing->act, NULL, record, err);
    if (rc == 0)
        rc = check_size(kind, record, err);
    if (rc < 0) {
        kept_free(table, record);
        return rc;
    }
    key = kept_key(kind, record);
    if (kept_find(table, key))
        return add_to_one(doing, record, key, err);
    kept_add(table, record);
    if (number)
        table->last_number++;
    note_done(doing, record);
    return 0;
}

static int alter_record(struct doing *doing, void *record, const void *values, struct err *err)
{
    const struct schema *schema = doing->table->kind->schema();
    AUTO_FREE void *after = xcalloc(1, schema->size);

    schema_copy(schema, after, record);
    for (uint32_t i = 0; i < doing->edit->set_n; i++)
        schema_copy_field(schema_find_tag(schema, doing->edit->set[i]), after, values);
    return set_to(doing, record, after, err);
}

static int remove_record(struct doing *doing, void *record, struct err *err)
{
    int rc = doing->rules->check(doing->act, record, NULL, err);
    struct done *done;

    if (rc < 0)
        return rc;
    done = note_done(doing, record);
    done->before = kept_take(doing->table, done->key, &done->serial);
    done->is_gone = true;
    return 0;
}

static bool is_left_alone(const struct doing *doing, const void *record)
{
    return doing->edit->if_free && doing->rules->is_held &&
           doing->rules->is_held(doing->act->control, record);
}

/* Edits the records that a pattern means. Those that the caller may not change are passed over as
 * if they were not there, unless he is shown them and they are the only ones that are meant. */
static int edit_those_meant(struct doing *doing, const struct pattern *pattern, const void *values,
                            struct err *err)
{
    uint64_t serial = 0;
    uint32_t n = 0;
    bool is_refused = false;
    void *record;

    while ((record = next_meant(pattern, doing->table, &serial))) {
        int rc;

        if (++doing->looks > LOOKS_MAX)
            return err_set(err, E2BIG,
                           "edits of one request look at more than %d records: name each record by "
                           "its key, or send several requests",
                           LOOKS_MAX);
        if (!pattern_fits(pattern, record))
            continue;
        if (is_left_alone(doing, record)) {
            n++;
            continue;
        }
        rc = doing->edit->verb == KEPT_ALTER ? alter_record(doing, record, values, err)
                                             : remove_record(doing, record, err);
        if (rc < 0 && rc != -E_ACCESS)
            return rc;
        n += rc == 0;
        is_refused |= rc < 0 && doing->rules->tells_refusal &&
                      doing->rules->shows(doing->act->control, doing->act->caller, record);
    }
    if (n)
        return 0;
    return is_refused ? err_set(err, E_ACCESS, "%s", err_string(E_ACCESS))
                      : err_set(err, ESRCH, "%s", strerror(ESRCH));
}

static int edit_records(struct doing *doing, struct err *err)
{
    const struct kept_edit *edit = doing->edit;
    const struct kept_kind *kind = doing->table->kind;
    const struct kept_list which = { .like = edit->like,
                                     .match = edit->match,
                                     .match_n = edit->match_n };
    AUTO_FREE void *values = xcalloc(1, kind->schema()->size);
    struct pattern pattern;
    int rc = check_tags(kind, edit->set, edit->set_n, err);

    if (rc == 0)
        rc = decode_record(kind, &edit->record, values, err);
    if (rc < 0)
        return rc;
    rc = check_set(kind, edit, values, err);
    if (rc == 0)
        rc = schema_check_text(kind->schema(), values, err);
    if (rc < 0) {
        schema_clear(kind->schema(), values);
        return rc;
    }
    rc = pattern_init(&pattern, kind, &which, err);
    if (rc == 0)
        rc = edit_those_meant(doing, &pattern, values, err);
    pattern_clear(&pattern);
    schema_clear(kind->schema(), values);
    return rc;
}

static int do_edit(struct doing *doing, const struct kept_edit *edit, struct err *err)
{
    doing->edit = edit;
    doing->rules = rules_of(edit->kind);
    doing->table = control_kept(doing->act->control, edit->kind);
    if (!doing->rules || !doing->rules->check)
        return err_set(err, E_NOT_SUPPORTED, "records of kind %u are not changed by this request",
                       edit->kind);
    switch (edit->verb) {
    case KEPT_ADD:
        return add_record(doing, err);
    case KEPT_ALTER:
    case KEPT_REMOVE:
        return edit_records(doing, err);
    default:
        return err_set(err, E_PROTO, "unknown verb %u for records", edit->verb);
    }
}

static void take_back(struct done *done)
{
    const struct schema *schema = done->table->kind->schema();
    void *record = kept_find(done->table, done->key);

    if (done->is_same) {
        /* as it was */
    } else if (done->is_gone) {
        kept_put_back(done->table, done->before, done->serial);
    } else if (done->before) {
        schema_clear(schema, record);
        memcpy(record, done->before, schema->size);
        free(done->before);
    } else {
        if (kept_number_of(done->table->kind, record))
            done->table->last_number--;
        kept_free(done->table, kept_take(done->table, done->key, NULL));
    }
    free(done->key);
}

/* Notes a new record, and the number that it was given. */
static void note_new(struct act *act, const struct kept_table *table, void *record)
{
    turn_note_kept(act->turn, table->kind, record);
    if (kept_number_of(table->kind, record)) {
        AUTO_FREE char *name = number_name(table->kind);

        turn_note_number(act->turn, name, table->last_number);
    }
}

void *kept_create(struct act *act, enum kept_number number, const void *record)
{
    struct kept_table *table = control_kept(act->control, number);
    void *copy = kept_new(table);
    uint32_t *given = kept_number_of(table->kind, copy);

    schema_copy(table->kind->schema(), copy, record);
    if (given && *given == 0)
        *given = table->last_number + 1;
    if (given)
        raise_number(table, *given);
    kept_add(table, copy);
    note_new(act, table, copy);
    return copy;
}

static void tell_changed(struct act *act, struct done *done)
{
    const struct kept_kind *kind = done->table->kind;
    const struct kept_rules *own = rules_of(kind->number);
    void *now = kept_find(done->table, done->key);

    if (own->changed)
        own->changed(act, done->before, now);
    if (!now)
        turn_note_kept_gone(act->turn, kind, done->key);
    else if (done->before)
        turn_note_kept(act->turn, kind, now);
    else
        note_new(act, done->table, now);
}

static int settle(struct doing *doing, struct err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < doing->done_n && rc == 0; i++) {
        const struct done *done = &doing->done[i];
        const struct kept_rules *rules = rules_of(done->table->kind->number);

        if (rules->settle && !done->is_same)
            rc = rules->settle(doing->act, done->before, kept_find(done->table, done->key), err);
    }
    return rc;
}

static void finish(struct doing *doing, struct kept_changed *ret)
{
    for (uint32_t i = 0; i < doing->done_n; i++) {
        struct done *done = &doing->done[i];
        struct kept_ref *ref = ARRAY_PUSH(ret->changed, ret->changed_n);

        if (!done->is_same)
            tell_changed(doing->act, done);
        kept_ref_init(ref);
        ref->kind = done->table->kind->number;
        ref->key = STEAL(done->key);
        if (done->is_gone) {
            kept_free(done->table, done->before);
        } else if (done->before) {
            schema_clear(done->table->kind->schema(), done->before);
            free(done->before);
        }
    }
}

int control_kept_change(struct act *act, const struct kept_change *request,
                        struct kept_changed *ret, struct err *err)
{
    struct doing doing = { .act = act };
    int rc = 0;

    for (uint32_t i = 0; i < request->edits_n && rc == 0; i++)
        rc = do_edit(&doing, &request->edits[i], err);
    if (rc == 0)
        rc = settle(&doing, err);
    if (rc == 0)
        finish(&doing, ret);
    for (uint32_t i = doing.done_n; rc < 0 && i > 0; i--)
        take_back(&doing.done[i - 1]);
    free(doing.done);
    return rc;
}

/* ---- records of another owner ---- */

static void take_record(struct doing *doing, const void *taken)
{
    const struct kept_kind *kind = doing->table->kind;
    AUTO_FREE char *key = kept_key(kind, taken);
    void *record = kept_find(doing->table, key);

    if (record && schema_equal(kind->schema(), record, taken))
        return;
    if (record) {
        /* What it owned moves to `before`. */
        note_done(doing, record)->before = xmemdup(record, kind->schema()->size);
        schema_copy(kind->schema(), record, taken);
    } else {
        record = kept_new(doing->table);
        schema_copy(kind->schema(), record, taken);
        kept_add(doing->table, record);
        note_done(doing, record);
    }
    if (kept_number_of(kind, record))
        raise_number(doing->table, *kept_number_of(kind, record));
}

void control_kept_take(struct act *act, const struct kept_taken *taken, uint32_t n)
{
    AUTO(kept_changed) struct kept_changed changed;
    struct doing doing = { .act = act };

    kept_changed_init(&changed);
    for (uint32_t i = 0; i < n; i++) {
        doing.table = control_kept(act->control, taken[i].kind);
        take_record(&doing, taken[i].record);
    }
    finish(&doing, &changed);
    free(doing.done);
}

/* ---- listing ---- */

struct kept_listing {
    const struct control *control;
    const struct kept_rules *rules;
    const struct kept_table *table;
    struct kept_list request;
    struct pattern pattern;
    uint64_t serial;
};

int control_kept_list(const struct control *control, const struct caller *caller,
                      const struct kept_list *request, struct kept_listing **ret, struct err *err)
{
    const struct kept_rules *own = rules_of(request->kind);
    struct kept_listing *listing;
    int rc;

    if (!own || !own->shows)
        return err_set(err, E_NOT_SUPPORTED, "records of kind %u are not listed", request->kind);
    if (own->lists && !own->lists(control, caller))
        return err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
    listing = xcalloc(1, sizeof(*listing));
    listing->control = control;
    listing->rules = own;
    listing->table = control_kept((struct control *)(uintptr_t)control, request->kind);
    schema_copy(kept_list_schema(), &listing->request, request);
    rc = pattern_init(&listing->pattern, listing->table->kind, &listing->request, err);
    if (rc < 0) {
        control_kept_list_free(listing);
        return rc;
    }
    *ret = listing;
    return 0;
}

const void *control_kept_next(struct kept_listing *listing, const struct caller *caller)
{
    const void *record;

    while ((record = next_meant(&listing->pattern, listing->table, &listing->serial))) {
        if (pattern_fits(&listing->pattern, record) &&
            listing->rules->shows(listing->control, caller, record))
            return record;
    }
    return NULL;
}

const struct kept_kind *control_kept_list_kind(const struct kept_listing *listing)
{
    return listing->table->kind;
}

struct kept_listing *control_kept_list_free(struct kept_listing *listing)
{
    if (!listing)
        return NULL;
    pattern_clear(&listing->pattern);
    kept_list_clear(&listing->request);
    free(listing);
    return NULL;
}
