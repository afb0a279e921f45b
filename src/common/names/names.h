/*
 * names.h - who a uid is, asked of a helper process so that a slow name service stops nobody.
 *
 * The helper is this executable again, under the role NAMES_ROLE, one question at a time over a
 * socket of whole packets. An answer that takes longer than NAMES_TIMEOUT_MS is a failure, and the
 * helper is ended and started anew. Good answers are kept for NAMES_KEEP_S.
 */
#pragma once

#include "common/base/clock.h"
#include "common/schema/schema.h"

#define NAMES_ROLE       "sluice-names"
#define NAMES_TIMEOUT_MS 10000
#define NAMES_KEEP_S     60
#define NAMES_GROUPS_MAX 4096
/*
 * How many group names are looked up, and their bytes, since each may be one more question to a
 * server.
 */
#define NAMES_NAMED_MAX   512
#define NAMES_NAMED_BYTES 24576

#define IDENTITY(FIELD, LIST, PART)                                                                \
    FIELD(1, U32, uid, 0, "asked for")                                                             \
    FIELD(2, U32, gid, 0, "asked for: the group the user acts with")                               \
    FIELD(3, STR, user_name, 0, "absent: the uid has no name")                                     \
    FIELD(4, STR, group_name, 0, "absent: the gid has no name")                                    \
    FIELD(5, STR, home, 0, "home directory")                                                       \
    FIELD(6, STR, shell, 0, "login shell")                                                         \
    FIELD(7, U32S, groups, 0, "all groups of the user, and gid")                                   \
    FIELD(8, STRS, group_names, 0, "of groups that have one")                                      \
    FIELD(9, STR, wanted_name, 0, "asked for: who has this name; absent: not asked")               \
    FIELD(10, COUNT, wanted_uid, 0, "whose it is; absent: nobody's")                               \
    FIELD(11, COUNT, wanted_gid, 0, "the first group of that user")
SCHEMA_DECLARE(identity, IDENTITY);

struct event_base;
struct names;

struct names *names_new(struct event_base *base);
struct names *names_free(struct names *names);

/*
 * Takes an identity. It runs once: at once when the answer is kept, else from the loop. `identity`
 * is borrowed, and NULL when the name service failed; a uid without a name is an answer without
 * user_name.
 */
typedef void names_fn(const struct identity *identity, const struct err *err, void *ctx);
void names_lookup(struct names *names, uint32_t uid, uint32_t gid, names_fn *fn, void *ctx);

/*
 * Looks a uid up as names_lookup does, and who has `name`, to tell whether two hosts agree about a
 * user. Kept answers are not used, nor is this one kept, because something may just have been
 * changed.
 */
void names_compare(struct names *names, uint32_t uid, uint32_t gid, const char *name, names_fn *fn,
                   void *ctx);

/* Drops all questions asked with `ctx`: their `fn` does not run any more. */
void names_forget(struct names *names, const void *ctx);

/* Is the helper's main(): serves the socket on descriptor 0 until it closes. */
int names_main(int argc, char **argv);
