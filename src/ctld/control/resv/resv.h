/*
 * resv.h - the reservations there are, and who may use them.
 *
 * The records are kept (common/msg/reservation.h); requests that change them are those of
 * control/reserve.
 */
#pragma once

#include "common/msg/reservation.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/kept.h"

extern const struct kept_rules reservation_rules;

/* Returns the reservation of this name, or NULL; it stays until it is removed. */
struct reservation_record *resv_find(const struct control *control, const char *name);

/* Goes through all reservations in the order in which they were made; *at begins at 0. NULL: that
 * was the last. */
struct reservation_record *resv_next(const struct control *control, uint64_t *at);

/* Returns whether there is any. */
bool resv_any(const struct control *control);

/* Whose job asks for a reservation. What is NULL is in no list. */
struct resv_guest {
    const char *user, *account, *qos, *partition;
    char *const *groups;
    uint32_t groups_n;
};

/* Returns whether a list, or a word of one, says who is kept out: "-a,-b". */
bool resv_keeps_out(const char *list);

/* Returns whether jobs of the guest may use it: each list that the reservation has must let them.
 */
bool resv_admits(const struct control *control, const struct reservation_record *resv,
                 const struct resv_guest *guest);

/* Returns whether the reservation's present time has come and is not over. That of TIME_FLOAT never
 * comes. */
bool resv_is_open(const struct reservation_record *resv, int64_t wall_s);

/* Returns the reservation of this number, or NULL. */
struct reservation_record *resv_find_id(const struct control *control, uint32_t id);

/* Returns the cluster time at which the job's reservation ends it, with ResvOverRun; INT64_MAX: it
 * does not. */
int64_t resv_ends_job_ms(const struct control *control, struct moment now,
                         const struct job_record *rec);

/* Tells, or forgets, that the job runs in the reservation (NULL: in none). */
void resv_enter(struct job_record *rec, const struct reservation_record *resv);

/* Returns whether the job runs in the reservation, or ran. */
bool resv_is_own(const struct reservation_record *resv, const struct job_record *rec);

/* Returns whether any job runs in the reservation. */
bool resv_is_used(const struct control *control, const struct reservation_record *resv);

/* Returns whether the job names the reservation or runs in it. */
bool resv_is_named(const struct job_record *rec, const struct reservation_record *resv);

/* Takes the reservation out of those that the job names. */
void resv_forget_name(struct job_record *rec, const char *name);

/* Marks the nodes that open reservations have, for who asks how the nodes are. */
void resv_mark_nodes(const struct control *control, int64_t wall_s);

/*
 * Checks which reservations a job names, separated by commas. E_RESERVATION: one is not there;
 * E_RESERVATION_ACCESS: the guest may not use one.
 */
int resv_check(const struct control *control, const char *names, const struct resv_guest *guest,
               struct err *err);
