/*
 * kept.h - the rules of each kind of record that is kept beside jobs and steps, and the use cases
 * that follow from them: load, add, alter, remove, list.
 *
 * A kind is a row of KEPT_KINDS (common/msg/kept.h) and its rules, a row in kinds.c.
 */
#pragma once

#include "common/msg/kept.h"
#include "ctld/control/act/act.h"
#include "ctld/model/kept.h"

struct kept_rules {
    enum kept_number kind;
    size_t room; /* of a record in memory, when more than the schema's struct is kept with it */
    void (*release)(void *record); /* see struct kept_table, and the next */
    const char *(*group_of)(const void *record);

    /*
     * Fails unless a record may become another one, in which it fills what the controller gives.
     * `before` is NULL for a new record, `after` for one that is to be removed. Changes nothing
     * else. NULL: no request may change records of this kind.
     */
    int (*check)(struct act *act, const void *before, void *after, struct err *err);

    /* Fails unless a record may be left as it is now, after all changes of a request are made. May
     * be NULL. */
    int (*settle)(struct act *act, const void *before, const void *after, struct err *err);

    /* True if other records hang on this one: an edit that says `if_free` leaves it alone. NULL:
     * none ever do. */
    bool (*is_held)(struct control *control, const void *record);

    /* Does what follows from a changed record, after all changes of a request are made. May be
     * NULL. */
    void (*changed)(struct act *act, const void *before, void *after);

    /* True if the caller may ask for a list, else he is refused (E_ACCESS). NULL: everybody may. */
    bool (*lists)(const struct control *control, const struct caller *caller);

    /* True if the caller is shown the record. NULL: records of this kind are not listed. */
    bool (*shows)(const struct control *control, const struct caller *caller, const void *record);

    /* True if a request is refused (E_ACCESS) that means only records which the caller is shown and
     * may not change; false if it is answered as if they were not there (ESRCH). */
    bool tells_refusal;

    /* True if who adds a record that is there, but which he is not shown, has his way: it stays as
     * it is. Else he is told that it is there. */
    bool adds_hidden;

    /* Takes a record that the store kept; NULL: it goes into the kind's table. */
    void (*load)(struct control *control, const void *record);
};

/* The rules of each kind, by its position in KEPT_KINDS. The table is in kinds.c, which sees all
 * rooms. */
extern const struct kept_rules *const kept_rules_of_kinds[KEPT_KINDS_N];

/* The table of the kind's records. Records that are loaded elsewhere (nodes: the model) are not in
 * it. */
struct kept_table *control_kept(struct control *control, enum kept_number kind);

/* Adds a copy of a record that nobody asked for, with the number that it has or, where that is 0,
 * the next one, and notes it. Returns the record in the table. Its key must be new. */
void *kept_create(struct act *act, enum kept_number number, const void *record);

/* Notes that a record in the table has changed by itself, or is to leave. */
void kept_note(struct act *act, enum kept_number kind, const void *record);
void kept_drop(struct act *act, enum kept_number kind, void *record);

void control_kept_init(struct control *control);
void control_kept_clear(struct control *control);
void control_kept_load_number(struct control *control, const char *name, int64_t number);

void control_kept_load(struct control *control, const struct kept_kind *kind, const void *record);

/*
 * Adds, alters or removes all records that the request names, or none; each change is checked
 * against what those before it leave. ESRCH: no record is named. *ret, initialised by the caller,
 * is told what was changed.
 */
int control_kept_change(struct act *act, const struct kept_change *request,
                        struct kept_changed *ret, struct err *err);

/* A record that another daemon owns, as it is there; borrowed. */
struct kept_taken {
    enum kept_number kind;
    const void *record;
};

/* Puts records of another owner into the tables, with the numbers that they have there. What is
 * equal already is passed over; what is not has the same consequences as a change that a request
 * made. */
void control_kept_take(struct act *act, const struct kept_taken *taken, uint32_t n);

/* Lists the records that `request` (copied) names and the caller may see, in order. */
struct kept_listing;
int control_kept_list(const struct control *control, const struct caller *caller,
                      const struct kept_list *request, struct kept_listing **ret, struct err *err);
const struct kept_kind *control_kept_list_kind(const struct kept_listing *listing);
/* The next record of the listing, borrowed, or NULL at its end. Records may come and go between two
 * calls. */
const void *control_kept_next(struct kept_listing *listing, const struct caller *caller);
struct kept_listing *control_kept_list_free(struct kept_listing *listing);
