/*
 * hostlist.h - an ordered list of host names, and the bracket form people write it in.
 *
 * "worker-[1-3],x[01-02]" stands for worker-1 worker-2 worker-3 x01 x02. Names may repeat and keep
 * their order until asked otherwise. Owns its names. Pure, but for hostlist_read_file.
 *
 * The grammar is Slurm's, and wider in one place: text may follow a bracket ("a[1-2]-ib"). It is
 * narrower where Slurm guesses: an open bracket, a control character, a name longer than the limit
 * are refused.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

#define HOSTLIST_MAX          65536     /* hosts in one parsed list */
#define HOSTLIST_NAME_MAX     255       /* bytes in a name */
#define HOSTLIST_BRACKETS_MAX 8         /* brackets in one expression "a[..]b[..]" */
#define HOSTLIST_FILE_MAX     (4 << 20) /* bytes in a file of names */

struct hostlist;

struct hostlist *hostlist_new(void);
struct hostlist *hostlist_copy(const struct hostlist *list);
struct hostlist *hostlist_free(struct hostlist *list);
void hostlist_auto_(struct hostlist **list); /* AUTO(hostlist) struct hostlist *hosts = NULL; */

/* Reads expressions divided by commas or blanks; an empty text gives an empty list. */
int hostlist_parse(const char *text, struct hostlist **ret_list, struct err *err);

/*
 * Reads a file in which '#' starts a comment, as users name it by "^path" or --nodefile. Fails as
 * hostlist_parse does.
 */
int hostlist_read_file(const char *path, struct hostlist **ret_list, struct err *err);

/* Appends a copy of one name as it is; brackets are not expanded. */
void hostlist_add(struct hostlist *list, const char *name);

uint32_t hostlist_count(const struct hostlist *list);

/*
 * Returns how many names a text has, counting repeats unless `once_each`. Returns 0 when the text
 * is NULL or cannot be read.
 */
uint32_t hostlist_count_names(const char *text, bool once_each);

/*
 * Returns the name at place `i`, which is below the count; it is borrowed until the list changes.
 */
const char *hostlist_get(const struct hostlist *list, uint32_t i);

/* Returns the first place of a name, or -1. Takes time linear in the list. */
int64_t hostlist_find(const struct hostlist *list, const char *name);

/*
 * Sorts by the name without its last number, then by that number: x9 before x10, and (as Slurm
 * sorts) all shorter numbers before longer ones, so x2 before x01. Numbers inside names count as
 * numbers too.
 */
void hostlist_sort(struct hostlist *list);

/* Compares two names in the order of hostlist_sort; the result is below 0 when `a` comes first. */
int hostname_compare(const char *a, const char *b);

/* Drops every name that came before in the list; the order stays. */
void hostlist_uniq(struct hostlist *list);

/*
 * Returns the bracket form, to be freed. Neighbours that differ in their last number only share a
 * bracket and are folded into ranges where they count up by one. The order and repeats are kept, so
 * that parsing gives the same list again.
 */
char *hostlist_format(const struct hostlist *list);
