#include "cli/sim/conf.h"

#include <errno.h>
#include <string.h>

#include "common/conf/beside.h"
#include "common/conf/slurm_conf.h"
#include "ctld/config/config.h"

/* Reads a scenario's own lines where slurm.conf, gres.conf and topology.conf are asked for. */
static int read_scenario(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    static const char *const names[SCENARIO_CONFS] = {
        [SCENARIO_GRES] = "gres.conf",
        [SCENARIO_TOPOLOGY] = "topology.conf",
    };
    const struct scenario *scenario = ctx;
    const char *slash = strrchr(path, '/');

    for (int i = 0; i < SCENARIO_CONFS; i++) {
        const char *name = names[i] ? names[i] : scenario->name;

        if (strcmp(names[i] && slash ? slash + 1 : path, name) != 0)
            continue;
        strbuf_add(text, scenario->conf[i].data, scenario->conf[i].len);
        return 0;
    }
    return conf_read_disk(NULL, path, text, err);
}

static void log_notes(const struct conf_notes *notes, struct log *log)
{
    for (uint32_t i = 0; i < notes->notes_n; i++) {
        AUTO_FREE char *text = conf_note_format(&notes->notes[i]);

        log_verbose(log, "%s", text);
    }
}

static int load(const char *path, conf_read_fn read, void *ctx, struct log *log,
                struct model_config *ret, struct err *err)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = NULL;
    int rc = slurm_conf_load_from(path, read, ctx, &conf, &notes, err);

    if (rc == 0)
        rc = conf_load_beside_from(conf, read, ctx, &notes, err);
    if (rc == 0 && conf->nodes_n == 0)
        rc = err_set(err, EINVAL, "%s: there is no NodeName line, so no cluster", path);
    if (rc == 0 && conf->partitions_n == 0)
        rc = err_set(err, EINVAL, "%s: there is no PartitionName line, so no job could run", path);
    if (rc == 0)
        config_of_conf(conf, conf->controllers[0].name, ret);
    log_notes(&notes, log);
    slurm_conf_free(conf);
    return rc;
}

int conf_from_file(const char *path, struct log *log, struct model_config *ret, struct err *err)
{
    return load(path, conf_read_disk, NULL, log, ret, err);
}

int conf_from_scenario(const struct scenario *scenario, struct log *log, struct model_config *ret,
                       struct err *err)
{
    return load(scenario->name, read_scenario, (void *)scenario, log, ret, err);
}
