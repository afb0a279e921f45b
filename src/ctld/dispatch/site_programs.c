#include "ctld/dispatch/site_programs.h"

#include <unistd.h>

#include "common/text/words.h"
#include "ctld/dispatch/ctld.h"
#include "ctld/control/act/turn.h"

#define TRIGGER_PROGRAM_S 300
#define USUAL_PATH        "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* Runs the program as `run` says, which lacks what is the same for all of them. */
static void run_program(struct ctld *ctld, char *path, struct program_run run)
{
    AUTO_FREE char *conf = xasprintf("SLURM_CONF=%s", ctld->conf->path);
    AUTO_FREE char *search = xasprintf("PATH=%s", getenv("PATH") ? getenv("PATH") : USUAL_PATH);
    char *environment[] = { conf, search, NULL };
    char *paths[] = { path, NULL };

    run.paths = paths;
    run.environment = environment;
    run.turn = ctld_turn(ctld);
    programs_run(ctld->programs, &run);
}

/* ---- of triggers ---- */

static void run_of_trigger(struct ctld *ctld, const struct trigger_order *order)
{
    AUTO(words) struct words words = words_split(order->program, " ");
    AUTO_FREE char **arguments = xcalloc((size_t)words.n + 1, sizeof(char *));
    AUTO_FREE char *what = xasprintf("trigger %u", order->id);

    for (uint32_t i = 1; i < words.n; i++)
        arguments[i - 1] = words.at[i];
    arguments[words.n - 1] = order->argument;
    log_info(ctld->log, "%s: %s %s", what, order->program, order->argument);
    run_program(ctld, words.n ? words.at[0] : NULL,
                (struct program_run){ .arguments = arguments,
                                      .what = what,
                                      .timeout_s = TRIGGER_PROGRAM_S,
                                      .as_other = order->uid != geteuid(),
                                      .uid = order->uid });
}

/* Root becomes the user who has set a trigger; otherwise one that an earlier SlurmUser has set is
 * not run as this one. */
static void run_triggers(struct ctld *ctld)
{
    for (uint32_t i = 0; i < ctld->turn.triggers_n; i++) {
        const struct trigger_order *order = &ctld->turn.triggers[i];

        if (order->uid == geteuid() || geteuid() == 0)
            run_of_trigger(ctld, order);
        else
            log_error(ctld->log, "trigger %u: %s is not run: uid %u has set it, slurmctld is %u",
                      order->id, order->program, order->uid, geteuid());
    }
}

/* ---- of reservations ---- */

static void run_of_reservation(struct ctld *ctld, const struct reservation_order *order)
{
    char *path = order->is_over ? ctld->conf->resv_epilog : ctld->conf->resv_prolog;
    const struct conf_hook_limit limit =
        order->is_over ? slurm_conf_epilog_limit(ctld->conf) : slurm_conf_prolog_limit(ctld->conf);
    AUTO_FREE char *what = xasprintf("%s of reservation %s",
                                     order->is_over ? "ResvEpilog" : "ResvProlog", order->name);
    char *arguments[] = { order->name, NULL };

    if (!path || !*path)
        return;
    log_info(ctld->log, "%s: %s", what, path);
    run_program(
        ctld, path,
        (struct program_run){ .arguments = arguments, .what = what, .timeout_s = limit.seconds });
}

void site_programs_run(struct ctld *ctld)
{
    run_triggers(ctld);
    for (uint32_t i = 0; i < ctld->turn.reservations_n; i++)
        run_of_reservation(ctld, &ctld->turn.reservations[i]);
}
