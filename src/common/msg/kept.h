/*
 * kept.h - the records that the controller keeps beside jobs and steps, and the requests that add,
 * alter, remove and list them.
 *
 * A kind of record is one row here: a name, a number for ever, the schema, the member that is its
 * key, and flags. From the row follow its place in the store and in a turn's changes, its loading,
 * and these requests; what the kind means is in its rules (ctld/control/act/kept.h).
 */
#pragma once

#include "common/schema/schema.h"

enum kept_flags {
    KEPT_NUMBERED = 1, /* the key is a number, which the controller gives */
    KEPT_HAS_ID = 2, /* the key is a name; the member `id` is a number that the controller gives */
};

/* X(NAME, number, schema, key, flags) */
#define KEPT_KINDS(X)                                                                              \
    X(NODE, 1, node_record, name, 0)                                                               \
    X(TRIGGER, 2, trigger_record, id, KEPT_NUMBERED)                                               \
    X(CLUSTER, 3, cluster_record, name, 0)                                                         \
    X(TRES, 4, tres_record, name, KEPT_HAS_ID)                                                     \
    X(ACCOUNT, 5, account_record, name, 0)                                                         \
    X(USER, 6, user_record, name, 0)                                                               \
    X(ASSOC, 7, assoc_record, key, KEPT_HAS_ID)                                                    \
    X(QOS, 8, qos_record, name, KEPT_HAS_ID)                                                       \
    X(WCKEY, 9, wckey_record, key, KEPT_HAS_ID)                                                    \
    X(USAGE, 10, usage_record, key, 0)                                                             \
    X(RESOURCE, 11, resource_record, key, 0)                                                       \
    X(FEDERATION, 12, federation_record, name, 0)                                                  \
    X(RESERVATION, 13, reservation_record, name, KEPT_HAS_ID)

#define KEPT_KIND_ENUM(name, number, schema, key, flags) KEPT_##name = number,
enum kept_number { KEPT_KINDS(KEPT_KIND_ENUM) };
#undef KEPT_KIND_ENUM

#define KEPT_KIND_COUNT(name, number, schema, key, flags) +1
enum { KEPT_KINDS_N = KEPT_KINDS(KEPT_KIND_COUNT) };
#undef KEPT_KIND_COUNT

struct kept_kind {
    const char *name; /* "TRIGGER" */
    uint32_t number;  /* enum kept_number */
    uint32_t flags;   /* enum kept_flags */
    schema_fn *schema;
    const char *key; /* the member: STR, or U32 where KEPT_NUMBERED */
};

/* Returns the i-th kind, in the order of numbers; i is below KEPT_KINDS_N. */
const struct kept_kind *kept_kind_at(uint32_t i);
/* Returns the kind of this number, or NULL. */
const struct kept_kind *kept_kind_find(uint32_t number);

/* Returns the record's key as text, to be freed. */
char *kept_key(const struct kept_kind *kind, const void *record);

/* Returns where the record has the number that the controller gives, or NULL: its kind has none. */
uint32_t *kept_number_of(const struct kept_kind *kind, void *record);

enum kept_verb {
    KEPT_ADD = 1, /* `record` whole; what the controller gives is left out */
    KEPT_ALTER,   /* those that are meant take the fields `set` of `record` */
    KEPT_REMOVE,
};

/*
 * Adds a record, or alters or removes those that match: records whose fields `match` equal those of
 * `like`.
 */
#define KEPT_EDIT(FIELD, LIST, PART)                                                               \
    FIELD(1, ENUM, verb, FIELD_REQUIRED | FIELD_CRITICAL, "enum kept_verb")                        \
    FIELD(2, ENUM, kind, FIELD_REQUIRED | FIELD_CRITICAL, "enum kept_number")                      \
    FIELD(3, BLOB, record, 0, "encoded: of KEPT_ADD whole, of KEPT_ALTER what is set")             \
    FIELD(4, U32S, set, FIELD_CRITICAL, "tags of the record's fields that KEPT_ALTER sets")        \
    FIELD(5, BLOB, like, 0, "encoded: a record whose fields `match` those that are meant have")    \
    FIELD(6, U32S, match, FIELD_CRITICAL, "tags of these fields; none: all records are meant")     \
    FIELD(7, BOOL, if_free, FIELD_CRITICAL, "records that others hang on stay: that is no error")
SCHEMA_DECLARE(kept_edit, KEPT_EDIT);

/* A list of edits. All are done or none; each is checked against the result of those before it. */
#define KEPT_CHANGE(FIELD, LIST, PART) LIST(1, kept_edit, edits, FIELD_REQUIRED, "in order")
SCHEMA_DECLARE(kept_change, KEPT_CHANGE);

#define KEPT_REF(FIELD, LIST, PART)                                                                \
    FIELD(1, ENUM, kind, FIELD_REQUIRED, "enum kept_number")                                       \
    FIELD(2, STR, key, FIELD_REQUIRED, "as text")
SCHEMA_DECLARE(kept_ref, KEPT_REF);

/* What an edit with `if_free` has left alone is not among them. */
#define KEPT_CHANGED(FIELD, LIST, PART) LIST(1, kept_ref, changed, 0, "what was done to which")
SCHEMA_DECLARE(kept_changed, KEPT_CHANGED);

#define KEPT_LIST(FIELD, LIST, PART)                                                               \
    FIELD(1, ENUM, kind, FIELD_REQUIRED, "enum kept_number")                                       \
    FIELD(2, BLOB, like, 0, "see kept_edit")                                                       \
    FIELD(3, U32S, match, FIELD_CRITICAL, "see kept_edit; none: all are listed")
SCHEMA_DECLARE(kept_list, KEPT_LIST);

#define KEPT_INFO(FIELD, LIST, PART) FIELD(1, BLOB, record, FIELD_REQUIRED, "encoded")
SCHEMA_DECLARE(kept_info, KEPT_INFO);
