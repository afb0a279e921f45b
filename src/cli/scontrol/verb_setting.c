/* verb_setting.c - what the controller changes while it runs. */
#include <stdlib.h>
#include <string.h>

#include "cli/scontrol/session.h"
#include "common/conf/debug_flags.h"
#include "common/msg/types.h"
#include "common/text/words.h"

#define DAMPENING_MAX 65535u

static bool has_one_value(struct scontrol *session, int argc, char *const *argv)
{
    if (argc < 2)
        session_refuse(session, "too few arguments for keyword:%s", argv[0]);
    else if (argc > 2)
        session_refuse(session, "too many arguments for keyword:%s", argv[0]);
    else
        return true;
    return false;
}

/*
 * Reads the value of a setting that nodes have, too: *ret_nodes is those of nodes=, NULL for the
 * controller.
 */
static bool has_value_and_nodes(struct scontrol *session, int argc, char *const *argv,
                                const char **ret_nodes)
{
    *ret_nodes = NULL;
    if (argc != 3 || !word_starts(argv[2], "nodes=", ret_nodes))
        return has_one_value(session, argc, argv);
    if (!**ret_nodes)
        session_refuse(session, "no nodes in %s for keyword:%s", argv[2], argv[0]);
    return **ret_nodes;
}

/* Changes a setting; `nodes` is NULL for the controller itself. */
static void change(struct scontrol *session, const char *what, enum controller_setting setting,
                   const char *value, const char *nodes)
{
    const struct setting_change msg = { .setting = setting,
                                        .value = (char *)(uintptr_t)value,
                                        .nodes = (char *)(uintptr_t)nodes };

    session_order(session, what, MSG_SETTING_CHANGE, &msg);
}

void scontrol_setdebug(struct scontrol *session, int argc, char *const *argv)
{
    const char *nodes;
    enum log_level level;

    if (!has_value_and_nodes(session, argc, argv, &nodes))
        return;
    if (log_level_parse(argv[1], &level) < 0)
        session_refuse(session, "invalid debug level: %s", argv[1]);
    else
        change(session, "slurm_set_debug_level", SETTING_DEBUG_LEVEL, argv[1], nodes);
}

void scontrol_setdebugflags(struct scontrol *session, int argc, char *const *argv)
{
    AUTO_FREE char *tried = NULL;
    struct err err = { 0 };
    const char *nodes;

    if (!has_value_and_nodes(session, argc, argv, &nodes))
        return;
    if (argv[1][0] != '+' && argv[1][0] != '-') {
        session_refuse(session, "invalid debug flag: %s\nUsage: setdebugflags [+|-]NAME", argv[1]);
    } else if (conf_debug_flags_change(&tried, argv[1], &err) < 0) {
        session_refuse(session, "scontrol: error: %s\ninvalid debug flag: %s", err.text, argv[1]);
    } else {
        change(session, "slurm_set_debug_flags", SETTING_DEBUG_FLAGS, argv[1], nodes);
    }
}

void scontrol_schedloglevel(struct scontrol *session, int argc, char *const *argv)
{
    static const char *const values[] = { "0", "1", "disable", "enable" };

    if (!has_one_value(session, argc, argv))
        return;
    for (size_t i = 0; i < ARRAY_N(values); i++) {
        if (word_is(values[i], argv[1])) {
            change(session, "slurm_set_schedlog_level", SETTING_SCHED_LOG, argv[1], NULL);
            return;
        }
    }
    session_refuse(session, "invalid schedlog level: %s", argv[1]);
}

void scontrol_fsdampeningfactor(struct scontrol *session, int argc, char *const *argv)
{
    uint64_t factor;

    if (!has_one_value(session, argc, argv))
        return;
    if (number_parse(argv[1], 1, DAMPENING_MAX, &factor, NULL) < 0)
        session_refuse(session, "invalid dampening factor: %s", argv[1]);
    else
        change(session, "slurm_set_fs_dampeningfactor", SETTING_DAMPENING, argv[1], NULL);
}
