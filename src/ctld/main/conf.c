/* conf.c - slurm.conf and what stands beside it: read, told, and what it says of the process. */
#include "common/conf/beside.h"
#include "common/conf/paths.h"
#include "common/net/here.h"
#include "ctld/main/start.h"

void start_log_notes(struct log *log, const struct conf_notes *notes)
{
    for (uint32_t i = 0; i < notes->notes_n; i++) {
        AUTO_FREE char *text = conf_note_format(&notes->notes[i]);

        log_info(log, "%s", text);
    }
}

int start_read_conf(const char *path, struct slurm_conf **ret_conf, struct conf_notes *notes,
                    struct err *err)
{
    struct slurm_conf *conf = NULL;
    int rc = slurm_conf_load(path, &conf, notes, err);

    if (rc == 0)
        rc = conf_load_beside(conf, notes, err);
    if (rc < 0)
        slurm_conf_free(conf);
    else
        *ret_conf = conf;
    return rc;
}

void start_read_cgroup(struct ctld *ctld)
{
    struct err err = { 0 };

    conf_cgroup_clear(&ctld->cgroup);
    if (conf_cgroup_load(ctld->conf->path, conf_read_disk, NULL, NULL, &ctld->cgroup, &err) < 0)
        log_error(ctld->log, "%s: scontrol show config has defaults instead", err.text);
}

static int load_conf(struct ctld *ctld, const struct start_options *options, struct err *err)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    int rc = start_read_conf(options->conf_path, &ctld->conf, &notes, err);

    if (rc < 0)
        return rc;
    log_set_level(ctld->log,
                  (enum log_level)ctld->conf->slurmctld_debug + (unsigned)options->verbose);
    start_log_notes(ctld->log, &notes);
    start_read_cgroup(ctld);
    return 0;
}

/* Returns a loopback address of the file, which asks to be heard on this machine only, or NULL. */
static const char *listen_address(const struct slurm_conf *conf)
{
    const char *address = conf->controllers[0].addr;

    return net_is_loopback(address) ? address : NULL;
}

void start_place_of(const struct slurm_conf *conf, struct start_place *ret, char **ret_socket)
{
    *ret_socket = conf_controller_socket(conf);
    *ret = (struct start_place){ .program = "slurmctld",
                                 .conf = conf->path,
                                 .user = conf->slurm_user,
                                 .log_path = conf->slurmctld_log_file,
                                 .pid_path = conf->slurmctld_pid_file,
                                 .dir = conf->state_save_location,
                                 .port_key = "SlurmctldPort",
                                 .port = (uint16_t)conf->slurmctld_ports.first,
                                 .address = listen_address(conf),
                                 .socket_path = *ret_socket };
}

int start_process(struct ctld *ctld, struct started *started, struct err *err)
{
    AUTO_FREE char *socket = NULL;
    struct start_place place;
    int rc = proc_open_std(err);

    if (rc == 0)
        rc = load_conf(ctld, &started->options, err);
    if (rc == 0)
        rc = start_find_place(ctld->conf, &started->host, err);
    if (rc < 0)
        return rc;
    start_place_of(ctld->conf, &place, &socket);
    rc = start_daemon(ctld->log, &place, started, err);
    ctld->slurm_uid = started->user.uid;
    return rc;
}

const char *start_log_path(const struct ctld *ctld)
{
    return ctld->conf->slurmctld_log_file;
}
