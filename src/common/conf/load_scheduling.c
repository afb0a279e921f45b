#include "common/conf/load.h"

#include <errno.h>
#include <string.h>

#include "common/text/tasks.h"

static void note_param(void *ctx, enum sched_remark remark, const char *text)
{
    static const enum conf_note_kind kinds[] = {
        [SCHED_UNKNOWN] = CONF_NOTE_UNKNOWN,
        [SCHED_NO_EFFECT] = CONF_NOTE_NO_EFFECT,
        [SCHED_LEFT_OUT] = CONF_NOTE_VALUE,
    };
    struct loader *loader = ctx;
    const struct conf_pair *pair = load_find_pair(loader, "SchedulerParameters");

    conf_notes_add(loader->notes, kinds[remark], pair->value_at, "SchedulerParameters: %s", text);
}

static int load_licenses(struct loader *loader, struct err *err)
{
    struct slurm_conf *conf = loader->conf;
    struct err why = { 0 };

    if (licenses_parse(conf->licenses, &conf->license_list, &why) == 0)
        return 0;
    return conf_err(err, why.code, load_find_pair(loader, "Licenses")->value_at, "Licenses: %s",
                    why.text);
}

static int load_priority_tres(struct loader *loader, struct err *err)
{
    struct slurm_conf *conf = loader->conf;
    struct err why = { 0 };

    if (tres_weights_parse(conf->priority_weight_tres, &conf->priority_tres, &why) == 0)
        return 0;
    return conf_err(err, why.code, load_find_pair(loader, "PriorityWeightTRES")->value_at,
                    "PriorityWeightTRES: %s", why.text);
}

static int load_exit_codes(struct loader *loader, const char *key, const char *text,
                           struct err *err)
{
    AUTO(bitset) struct bitset codes = { 0 };
    struct err why = { 0 };
    uint32_t limit = 0;

    if (!text || (tasks_parse(text, CONF_EXIT_CODES_N, &codes, &limit, &why) == 0 && limit == 0))
        return 0;
    return conf_err(err, EINVAL, load_find_pair(loader, key)->value_at,
                    "%s='%s': exit codes are as 1-5,7, each at most %d", key, text,
                    CONF_EXIT_CODES_N - 1);
}

int load_scheduling(struct loader *loader, struct err *err)
{
    int rc = load_licenses(loader, err);

    if (rc == 0)
        rc = load_priority_tres(loader, err);
    if (rc == 0)
        rc = load_exit_codes(loader, "RequeueExit", loader->conf->requeue_exit, err);
    if (rc == 0)
        rc = load_exit_codes(loader, "RequeueExitHold", loader->conf->requeue_exit_hold, err);
    if (rc == 0)
        sched_params_parse(loader->conf->sched_params, &loader->conf->sched, note_param, loader);
    return rc;
}
