#include "ctld/dispatch/trigger_programs.h"

#include <unistd.h>

#include "common/text/words.h"
#include "ctld/dispatch/ctld.h"
#include "ctld/control/act/turn.h"

#define TRIGGER_PROGRAM_S 300
#define USUAL_PATH        "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

static void run_program(struct ctld *ctld, const struct trigger_order *order)
{
    AUTO(words) struct words words = words_split(order->program, " ");
    AUTO_FREE char **arguments = xcalloc((size_t)words.n + 1, sizeof(char *));
    AUTO_FREE char *what = xasprintf("trigger %u", order->id);
    AUTO_FREE char *conf = xasprintf("SLURM_CONF=%s", ctld->conf->path);
    AUTO_FREE char *path = xasprintf("PATH=%s", getenv("PATH") ? getenv("PATH") : USUAL_PATH);
    char *environment[] = { conf, path, NULL };
    char *paths[] = { words.n ? words.at[0] : NULL, NULL };

    for (uint32_t i = 1; i < words.n; i++)
        arguments[i - 1] = words.at[i];
    arguments[words.n - 1] = order->argument;
    log_info(ctld->log, "%s: %s %s", what, order->program, order->argument);
    programs_run(ctld->programs, &(struct program_run){ .paths = paths,
                                                        .arguments = arguments,
                                                        .environment = environment,
                                                        .what = what,
                                                        .timeout_s = TRIGGER_PROGRAM_S,
                                                        .turn = ctld_turn(ctld),
                                                        .as_other = order->uid != geteuid(),
                                                        .uid = order->uid });
}

/* Runs the programs. Root becomes the user who has set a trigger; otherwise one that an earlier
 * SlurmUser has set is not run as this one. */
void trigger_programs_run(struct ctld *ctld)
{
    for (uint32_t i = 0; i < ctld->turn.triggers_n; i++) {
        const struct trigger_order *order = &ctld->turn.triggers[i];

        if (order->uid == geteuid() || geteuid() == 0)
            run_program(ctld, order);
        else
            log_error(ctld->log, "trigger %u: %s is not run: uid %u has set it, slurmctld is %u",
                      order->id, order->program, order->uid, geteuid());
    }
}
