/*
 * gres.h - "gpu:tesla:2,bandwidth:4K": generic resources, each with how many.
 *
 * One list for all that is written about them: Gres= of a node, --gres, --gpus and their kin. A
 * request is kept in the form "gres/gpu:tesla:2,gres/bandwidth:4096", which parses too, as does
 * Slurm's older "gres:gpu:2". Counts may have K, M, G, T, P behind them (1024 each); 1 where
 * nothing is said. A word that is no number is a type. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

struct gres {
    char *name;
    char *type; /* NULL: none */
    uint64_t count;
};

/*
 * A list of generic resources in the order of the text, no two alike. Owns its members; all zero is
 * empty.
 */
struct gres_list {
    struct gres *at;
    uint32_t n;
};

#define GRES_MAX       256 /* in one list */
#define GRES_COUNT_MAX (UINT64_C(1) << 53)

/*
 * Reads a list; `text` may be NULL. Equal names and types are added up. Fails with EINVAL or
 * ERANGE, naming the part.
 */
int gres_parse(const char *text, struct gres_list *ret, struct err *err);

/*
 * Reads "2" and "tesla:2,k80:1", as --gpus has it: types and counts of `name`. Fails as gres_parse
 * does.
 */
int gres_parse_of(const char *name, const char *text, struct gres_list *ret, struct err *err);

void gres_clear(struct gres_list *list);
void gres_auto_(struct gres_list *list);

/* Appends "gpu:tesla:2,nic:1", each part with `prefix` before it; nothing for an empty list. */
void gres_write(const struct gres_list *list, const char *prefix, struct strbuf *out);

/* Returns "gres/gpu:tesla:2,..." in new memory; NULL for an empty list. */
char *gres_format(const struct gres_list *list);

/*
 * Returns how many of `name` the list has, of one type or, with `type` NULL, of all types together.
 */
uint64_t gres_count(const struct gres_list *list, const char *name, const char *type);

/*
 * Adds a count to a resource, which may be new. Returns false when the list is full or the count
 * gets too large.
 */
bool gres_add(struct gres_list *list, const char *name, const char *type, uint64_t count);

/* Adds each resource of another list, and leaves out those for which there is no room. */
void gres_add_list(struct gres_list *list, const struct gres_list *more);

/*
 * Returns true if a gpu of the model `found`, such as nvidia_a100-sxm4-40gb, is of this type: the
 * type is none, or part of the model's name in any case.
 */
bool gres_type_fits(const char *type, const char *found);

/* Reads a number with or without a letter behind it. Fails as gres_parse does. */
int gres_parse_count(const char *text, uint64_t *ret, struct err *err);
