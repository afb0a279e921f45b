/*
 * schema.h - a message is declared once, as a list of fields; everything else follows from the
 * list.
 *
 *     #define STEP_END(FIELD, LIST, PART)                                        \
 *         FIELD(1, U32, job_id, FIELD_REQUIRED, "job the step belongs to")       \
 *         FIELD(2, STR, reason, 0, "why it ended, when not by itself")           \
 *         LIST(3, task_end, tasks, 0, "one for each task")                       \
 *         PART(4, usage, usage, 0, "resources used, absent when not gathered")
 *     SCHEMA_DECLARE(step_end, STEP_END);       in a header
 *     SCHEMA_DEFINE(step_end, STEP_END)         in one .c file
 *
 * declares `struct step_end` and `step_end_schema()`, from which the functions below encode,
 * decode, compare, copy, print and invent messages. FIELD takes a kind (table below); LIST is an
 * array of another declared struct (`struct task_end *tasks; uint32_t tasks_n`); PART is one
 * optional struct (`struct usage *usage`, NULL when absent).
 *
 * Tags are for ever: never change or reuse one. An absent field has the default of its kind;
 * an unknown tag is skipped, unless its sender marked it FIELD_CRITICAL: then the message is
 * refused.
 *
 * A message owns everything it points to; schema_clear releases it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strbuf.h"

/* Values that mean "not given". The numbers are those that Slurm's users know as NO_VAL. */
#define COUNT_UNSET    UINT32_C(0xfffffffe)
#define COUNT_INFINITE UINT32_C(0xffffffff)
#define MB_UNSET       UINT64_C(0xfffffffffffffffe)
#define LIMIT_UNSET    INT64_C(-2)
#define LIMIT_INFINITE INT64_C(-1)

struct blob {
    uint8_t *data; /* NULL when n is 0 */
    uint32_t n;
};

/* Returns a copy of the blob that has bytes of its own. */
struct blob blob_copy(const struct blob *from);

enum schema_kind {
    KIND_BOOL,  /* bool */
    KIND_U32,   /* uint32_t, default 0 */
    KIND_U64,   /* uint64_t, default 0 */
    KIND_I32,   /* int32_t, default 0 */
    KIND_I64,   /* int64_t, default 0 */
    KIND_COUNT, /* uint32_t, default COUNT_UNSET, may be COUNT_INFINITE */
    KIND_ENUM,  /* uint32_t, default 0; the member's enum gives it meaning */
    KIND_TIME,  /* int64_t, seconds since 1970, default 0 = never */
    KIND_LIMIT, /* int64_t, seconds, default LIMIT_UNSET, may be LIMIT_INFINITE */
    KIND_MB,    /* uint64_t, megabytes, default MB_UNSET */
    KIND_STR,   /* char *, default NULL, without zero bytes */
    KIND_HOSTS, /* char *, a host list expression, default NULL */
    KIND_BLOB,  /* struct blob, default empty */
    KIND_STRS,  /* char **member; uint32_t member_n */
    KIND_U32S,  /* uint32_t *member; uint32_t member_n */
    KIND_LIST,
    KIND_PART,
};

enum schema_field_flags {
    FIELD_REQUIRED = 1, /* decoding fails when absent (a value equal to the default is absent) */
    FIELD_CRITICAL = 2, /* a receiver that does not know the tag must refuse the message */
    FIELD_SECRET = 4,   /* never printed */
    FIELD_RAW = 8,      /* any bytes: a path, an argument; escaped wherever it is shown */
    FIELD_LINES = 16,   /* prose: tabs and line breaks are fine */
};

struct schema;
typedef const struct schema *schema_fn(void);

/*
 * One row for each field. Rows are small and hold few addresses, because the dynamic loader goes
 * through the rows of all messages whenever a command starts. The help text of a field stands in
 * its declaration only.
 */
struct schema_field {
    const char *name;
    schema_fn *record; /* of LIST and PART */
    uint32_t offset;
    uint32_t count_offset; /* of member_n, where the kind has one */
    uint16_t tag;          /* 1 .. SCHEMA_TAG_MAX */
    uint8_t kind;          /* enum schema_kind */
    uint8_t flags;
};

struct schema {
    const char *name;
    size_t size;         /* of the struct */
    const void *initial; /* one whose fields have the defaults of their kinds */
    const struct schema_field *fields;
    uint32_t fields_n;
    uint32_t required_n; /* fields with FIELD_REQUIRED */
};

#define SCHEMA_TAG_MAX     4095
#define SCHEMA_DEPTH_MAX   16
#define SCHEMA_DECODED_MAX (64u << 20) /* bytes one decoded message may take in memory */

/*
 * The bound of TIME and LIMIT in both directions. Sums of a few of them, and the same in
 * milliseconds, cannot overflow.
 */
#define SCHEMA_SECONDS_MAX (INT64_C(1) << 48)

/* Sets every field to the default of its kind, without releasing anything. */
void schema_init(const struct schema *schema, void *msg);

/* Releases what the message owns and sets every field to its default. */
void schema_clear(const struct schema *schema, void *msg);

/* Copies one member from `from`; what the member in `to` owned is released. */
void schema_copy_field(const struct schema_field *field, void *to, const void *from);

/* Copies a whole message. `to` is overwritten without being cleared. */
void schema_copy(const struct schema *schema, void *to, const void *from);
bool schema_equal(const struct schema *schema, const void *a, const void *b);
bool schema_equal_field(const struct schema_field *field, const void *a, const void *b);

/*
 * Appends the encoding. Fields equal to their default take no bytes. Equal messages give equal
 * bytes.
 */
void schema_encode(const struct schema *schema, const void *msg, struct strbuf *out);

/* Encodes a message into a blob that the caller owns. */
struct blob schema_encode_blob(const struct schema *schema, const void *msg);

/*
 * Reads a message that schema_encode wrote, of this or another version. On failure `ret_msg` is
 * left as schema_init would; the error (E_PROTO, E_TOO_BIG) names message and field.
 */
int schema_decode(const struct schema *schema, const void *bytes, size_t n, void *ret_msg,
                  struct err *err);

/*
 * Decodes a message that has only some of its fields: required fields may be missing, except in the
 * structs within it.
 */
int schema_decode_some(const struct schema *schema, const void *bytes, size_t n, void *ret_msg,
                       struct err *err);

/*
 * Decodes as schema_decode does, for messages that are only read and released together: what they
 * point to belongs to the arena, so they are neither changed nor cleared.
 */
int schema_decode_in(struct arena *arena, const struct schema *schema, const void *bytes, size_t n,
                     void *ret_msg, struct err *err);

/*
 * Checks that no text in the message has control characters, which act on the terminals of others
 * who look at it (common/base/plain.h). Fails with EINVAL, naming field, byte and value.
 */
int schema_check_text(const struct schema *schema, const void *msg, struct err *err);

/* Fills the message with arbitrary valid values, the same for the same seed. For tests. */
void schema_random(const struct schema *schema, void *msg, uint64_t seed);

/* Appends "name=value name=value ..." for logs, without secrets and defaults. */
void schema_print(const struct schema *schema, const void *msg, struct strbuf *out);

/* Appends one member as "name=value"; "name=" when it has the default of its kind. */
void schema_print_member(const struct schema_field *field, const void *msg, struct strbuf *out);

/* Appends the value alone, also one that is the default of its kind. */
void schema_print_value(const struct schema_field *field, const void *msg, struct strbuf *out);

/* Return the field of this name, or of this tag, or NULL. */
const struct schema_field *schema_find(const struct schema *schema, const char *name);
const struct schema_field *schema_find_tag(const struct schema *schema, uint64_t tag);

/* ---- what the declarations expand to ---- */

#define SCHEMA_MEMBER_BOOL(m)  bool m;
#define SCHEMA_MEMBER_U32(m)   uint32_t m;
#define SCHEMA_MEMBER_U64(m)   uint64_t m;
#define SCHEMA_MEMBER_I32(m)   int32_t m;
#define SCHEMA_MEMBER_I64(m)   int64_t m;
#define SCHEMA_MEMBER_COUNT(m) uint32_t m;
#define SCHEMA_MEMBER_ENUM(m)  uint32_t m;
#define SCHEMA_MEMBER_TIME(m)  int64_t m;
#define SCHEMA_MEMBER_LIMIT(m) int64_t m;
#define SCHEMA_MEMBER_MB(m)    uint64_t m;
#define SCHEMA_MEMBER_STR(m)   char *m;
#define SCHEMA_MEMBER_HOSTS(m) char *m;
#define SCHEMA_MEMBER_BLOB(m)  struct blob m;
#define SCHEMA_MEMBER_STRS(m)                                                                      \
    char **m;                                                                                      \
    uint32_t m##_n;
#define SCHEMA_MEMBER_U32S(m)                                                                      \
    uint32_t *m;                                                                                   \
    uint32_t m##_n;

#define SCHEMA_DECLARE_FIELD(tag, kind, member, flags, help) SCHEMA_MEMBER_##kind(member)
#define SCHEMA_DECLARE_LIST(tag, type, member, flags, help)                                        \
    struct type *member;                                                                           \
    uint32_t member##_n;
#define SCHEMA_DECLARE_PART(tag, type, member, flags, help) struct type *member;

/* Declares the struct and its schema, and NAME_init(&x), NAME_clear(&x) and AUTO(NAME). */
#define SCHEMA_DECLARE(type, FIELDS)                                                               \
    struct type {                                                                                  \
        FIELDS(SCHEMA_DECLARE_FIELD, SCHEMA_DECLARE_LIST, SCHEMA_DECLARE_PART)                     \
    };                                                                                             \
    const struct schema *type##_schema(void);                                                      \
    static inline MAYBE_UNUSED void type##_init(struct type *msg)                                  \
    {                                                                                              \
        schema_init(type##_schema(), msg);                                                         \
    }                                                                                              \
    static inline MAYBE_UNUSED void type##_clear(struct type *msg)                                 \
    {                                                                                              \
        schema_clear(type##_schema(), msg);                                                        \
    }                                                                                              \
    static inline MAYBE_UNUSED void type##_auto_(struct type *msg)                                 \
    {                                                                                              \
        schema_clear(type##_schema(), msg);                                                        \
    }                                                                                              \
    struct type

/* The member whose offset is the count's: member_n for arrays, the member itself for the rest. */
#define SCHEMA_COUNT_BOOL(m)  m
#define SCHEMA_COUNT_U32(m)   m
#define SCHEMA_COUNT_U64(m)   m
#define SCHEMA_COUNT_I32(m)   m
#define SCHEMA_COUNT_I64(m)   m
#define SCHEMA_COUNT_COUNT(m) m
#define SCHEMA_COUNT_ENUM(m)  m
#define SCHEMA_COUNT_TIME(m)  m
#define SCHEMA_COUNT_LIMIT(m) m
#define SCHEMA_COUNT_MB(m)    m
#define SCHEMA_COUNT_STR(m)   m
#define SCHEMA_COUNT_HOSTS(m) m
#define SCHEMA_COUNT_BLOB(m)  m
#define SCHEMA_COUNT_STRS(m)  m##_n
#define SCHEMA_COUNT_U32S(m)  m##_n

#define SCHEMA_ROW(tag_, kind_, member, count, flags_, record_)                                    \
    { .name = #member,                                                                             \
      .record = record_,                                                                           \
      .offset = offsetof(self_, member),                                                           \
      .count_offset = offsetof(self_, count),                                                      \
      .tag = tag_,                                                                                 \
      .kind = kind_,                                                                               \
      .flags = flags_ },
#define SCHEMA_ROW_FIELD(tag, kind, member, flags, help)                                           \
    SCHEMA_ROW(tag, KIND_##kind, member, SCHEMA_COUNT_##kind(member), flags, NULL)
#define SCHEMA_ROW_LIST(tag, type, member, flags, help)                                            \
    SCHEMA_ROW(tag, KIND_LIST, member, member##_n, flags, type##_schema)
#define SCHEMA_ROW_PART(tag, type, member, flags, help)                                            \
    SCHEMA_ROW(tag, KIND_PART, member, member, flags, type##_schema)

#define SCHEMA_INITIAL_BOOL(m)  .m = false,
#define SCHEMA_INITIAL_U32(m)   .m = 0,
#define SCHEMA_INITIAL_U64(m)   .m = 0,
#define SCHEMA_INITIAL_I32(m)   .m = 0,
#define SCHEMA_INITIAL_I64(m)   .m = 0,
#define SCHEMA_INITIAL_COUNT(m) .m = COUNT_UNSET,
#define SCHEMA_INITIAL_ENUM(m)  .m = 0,
#define SCHEMA_INITIAL_TIME(m)  .m = 0,
#define SCHEMA_INITIAL_LIMIT(m) .m = LIMIT_UNSET,
#define SCHEMA_INITIAL_MB(m)    .m = MB_UNSET,
#define SCHEMA_INITIAL_STR(m)   .m = NULL,
#define SCHEMA_INITIAL_HOSTS(m) .m = NULL,
#define SCHEMA_INITIAL_BLOB(m)  .m = { NULL, 0 },
#define SCHEMA_INITIAL_STRS(m)  .m = NULL, .m##_n = 0,
#define SCHEMA_INITIAL_U32S(m)  .m = NULL, .m##_n = 0,

#define SCHEMA_INITIAL_FIELD(tag, kind, member, flags, help) SCHEMA_INITIAL_##kind(member)
#define SCHEMA_INITIAL_LIST(tag, type, member, flags, help)  .member = NULL, .member##_n = 0,
#define SCHEMA_INITIAL_PART(tag, type, member, flags, help)  .member = NULL,

#define SCHEMA_REQUIRED_ROW(tag, kind, member, flags, help) +(((flags)&FIELD_REQUIRED) != 0)

#define SCHEMA_DEFINE(type, FIELDS)                                                                \
    const struct schema *type##_schema(void)                                                       \
    {                                                                                              \
        typedef struct type self_;                                                                 \
        static const struct schema_field fields[] = { FIELDS(SCHEMA_ROW_FIELD, SCHEMA_ROW_LIST,    \
                                                             SCHEMA_ROW_PART) };                   \
        static const self_ initial = { FIELDS(SCHEMA_INITIAL_FIELD, SCHEMA_INITIAL_LIST,           \
                                              SCHEMA_INITIAL_PART) };                              \
        static const struct schema schema = { #type,                                               \
                                              sizeof(self_),                                       \
                                              &initial,                                            \
                                              fields,                                              \
                                              sizeof(fields) / sizeof(fields[0]),                  \
                                              0 FIELDS(SCHEMA_REQUIRED_ROW, SCHEMA_REQUIRED_ROW,   \
                                                       SCHEMA_REQUIRED_ROW) };                     \
                                                                                                   \
        return &schema;                                                                            \
    }
