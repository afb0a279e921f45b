/* look_conf.c - slurm.conf: whether it is there, what in it cannot be, who this host is in it. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/doctor/findings.h"
#include "cli/sluice/conf.h"
#include "noded/inventory/inventory.h"

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void find_roles(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;

    doctor->is_controller = slurm_conf_controller_is_on(&conf->controllers[0], doctor->host);
    for (uint32_t i = 0; i < conf->nodes_n && !doctor->node; i++)
        if (slurm_conf_node_is_on(&conf->nodes[i], doctor->host))
            doctor->node = &conf->nodes[i];
}

/* Every command of every user reads it. */
static void check_mode(struct doctor *doctor)
{
    struct stat st;

    if (stat(doctor->conf->path, &st) == 0 && !(st.st_mode & S_IROTH))
        doctor_find(doctor, xasprintf("chmod 644 %s", doctor->conf->path),
                    "users cannot read %s, so no command works for them: its mode is %03o",
                    doctor->conf->path, (unsigned)st.st_mode & 07777);
}

/* What is only old is no illness. */
static bool is_illness(const struct conf_note *note)
{
    return conf_note_weight(note) == CONF_WEIGHT_ERROR || note->kind == CONF_NOTE_VALUE;
}

static void check_hardware(struct doctor *doctor, struct conf_found *found)
{
    struct inventory_where where = INVENTORY_WHERE;
    AUTO(node_hardware) struct node_hardware hardware;
    const struct conf_node *node = slurm_conf_find_node(found->conf, doctor->node->name);

    where.tmp_fs = doctor->conf->tmp_fs;
    inventory_read(&where, &hardware);
    conf_check_hardware(node, &hardware, exists, &found->notes);
}

static void find_contradictions(struct doctor *doctor)
{
    AUTO(conf_found) struct conf_found found = { 0 };
    const char *path = slurm_conf_path();

    conf_find(path, &found);
    if (doctor->node && found.conf)
        check_hardware(doctor, &found);
    for (uint32_t i = 0; i < found.notes.notes_n; i++) {
        const struct conf_note *note = &found.notes.notes[i];

        if (is_illness(note))
            doctor_find(
                doctor,
                xasprintf("edit line %u of %s, then: scontrol reconfigure; for ports, users, "
                          "places and plugins: systemctl restart slurmctld slurmd",
                          note->line, note->file),
                "%s", note->text);
    }
}

bool look_at_conf(struct doctor *doctor)
{
    struct err err = { 0 };

    gethostname(doctor->host, sizeof(doctor->host) - 1);
    if (cli_load(doctor->cli, &err) < 0 && err.code == EACCES) {
        doctor_find(doctor, xasprintf("chmod 644 %s", slurm_conf_path()), "%s", err.text);
        return false;
    }
    if (!doctor->cli->conf) {
        doctor_find(doctor,
                    xasprintf("copy it from the controller: scp HEAD:%s %s, or: sluice conf "
                              "check %s",
                              slurm_conf_path(), slurm_conf_path(), slurm_conf_path()),
                    "%s", err.text);
        return false;
    }
    doctor->conf = doctor->cli->conf;
    doctor->slurm_uid = doctor->cli->slurm_uid;
    find_roles(doctor);
    check_mode(doctor);
    find_contradictions(doctor);
    return true;
}
