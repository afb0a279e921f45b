/* verb_reservation.c - scontrol create, update and delete of reservations. */
#include <stdio.h>
#include <time.h>

#include "cli/scontrol/ask_reservation.h"
#include "cli/scontrol/session.h"
#include "common/msg/types.h"

#define UPDATE "slurm_update error"

static const char *const failed[] = { [RESV_CREATE] = "Error creating the reservation",
                                      [RESV_UPDATE] = "Error updating the reservation" };

/* Sends the request. Returns false where it was refused, with `ret_err` filled unless that was
 * said already. */
static bool send_change(struct scontrol *session, const struct reservation_change *change,
                        struct reservation_changed *ret_changed, struct err *ret_err)
{
    return session_connect(session, "slurm_update") &&
           client_call(session->command.cli.client, MSG_RESERVATION_CHANGE, change,
                       MSG_RESERVATION_CHANGED, ret_changed, ret_err) == 0;
}

/* Says what the controller refused, and why where the words for that say less than it does. */
static void report(struct scontrol *session, const char *what, const struct err *err)
{
    session->status = 1;
    if (!session->options.quiet)
        records_report(&session->command, what, err);
    session_check(session, err);
}

static void report_change(struct scontrol *session, enum reservation_verb verb,
                          const struct err *err)
{
    report(session, failed[verb], err);
    if (verb == RESV_UPDATE)
        session_refuse(session, UPDATE ": %s", err_string(err->code));
    else if (err->code == E_NODES_BUSY)
        session_refuse(session, "Note, unless nodes are directly requested a reservation must "
                                "exist in a single partition.\n"
                                "If no partition is requested the default partition is assumed.");
}

/* Says what is wrong with the words themselves; Slurm has a second line then where it updates. */
static void refuse(struct scontrol *session, const struct reservation_change *change,
                   const struct err *err)
{
    session_refuse(session, "%s", err->text);
    if (change->verb == RESV_UPDATE && change->ask->name)
        session_refuse(session, UPDATE ": %s",
                       err->code == E_TIME_VALUE ? err_string(err->code) : "No error");
}

static void change_reservation(struct scontrol *session, enum reservation_verb verb, int argc,
                               char *const *argv)
{
    AUTO(reservation_ask) struct reservation_ask ask;
    AUTO(reservation_changed) struct reservation_changed changed;
    struct reservation_change change = { .verb = verb, .ask = &ask };
    struct err err = { 0 };

    reservation_ask_init(&ask);
    reservation_changed_init(&changed);
    if (ask_parse_reservation(verb, argc, argv, (int64_t)time(NULL), &ask, &err) < 0) {
        refuse(session, &change, &err);
        return;
    }
    if (!send_change(session, &change, &changed, &err)) {
        if (err.code)
            report_change(session, verb, &err);
    } else if (verb == RESV_CREATE) {
        printf("Reservation created: %s\n", changed.name);
    } else {
        printf("Reservation updated.\n");
    }
}

void scontrol_create_reservation(struct scontrol *session, int argc, char *const *argv)
{
    change_reservation(session, RESV_CREATE, argc, argv);
}

void scontrol_update_reservation(struct scontrol *session, int argc, char *const *argv)
{
    change_reservation(session, RESV_UPDATE, argc, argv);
}

void scontrol_delete_reservation(struct scontrol *session, const char *word, const char *name)
{
    AUTO(reservation_ask) struct reservation_ask ask;
    AUTO(reservation_changed) struct reservation_changed changed;
    struct reservation_change change = { .verb = RESV_DELETE, .ask = &ask };
    AUTO_FREE char *what = xasprintf("delete_reservation %s", word);
    struct err err = { 0 };

    reservation_ask_init(&ask);
    reservation_changed_init(&changed);
    ask.name = xstrdup(name);
    if (!send_change(session, &change, &changed, &err) && err.code)
        report(session, what, &err);
}
