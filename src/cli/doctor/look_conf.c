/* look_conf.c - slurm.conf: whether it is there, what in it cannot be, who this host is in it. */
#include <errno.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/doctor/findings.h"
#include "cli/doctor/mend.h"
#include "cli/doctor/processes.h"
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
    doctor->all = doctor->all || doctor->is_controller;
}

/* Finds a cluster of `sluice up`: slurm.conf is "DIR/etc/slurm.conf", munged's socket in DIR. */
static void find_cluster(struct doctor *doctor)
{
    static const char tail[] = "/etc/slurm.conf";
    const char *path = doctor->conf->path;
    const size_t n = strlen(path);
    AUTO_FREE char *dir = NULL;

    if (n <= sizeof(tail) || strcmp(path + n - (sizeof(tail) - 1), tail) != 0)
        return;
    dir = xstrndup(path, n - (sizeof(tail) - 1));
    cluster_clear(&doctor->cluster);
    doctor->is_up = cluster_init(&doctor->cluster, dir, NULL) == 0 && doctor->conf->auth_socket &&
                    strcmp(doctor->cluster.auth_socket, doctor->conf->auth_socket) == 0;
}

/* Checks that all users can read the file, as every command does. */
static void check_mode(struct doctor *doctor)
{
    struct stat st;

    if (stat(doctor->conf->path, &st) == 0 && !(st.st_mode & S_IROTH))
        doctor_find(doctor, xasprintf("chmod 644 %s", doctor->conf->path),
                    "users cannot read %s, so no command works for them: its mode is %03o",
                    doctor->conf->path, (unsigned)st.st_mode & 07777);
}

/*
 * True if a note is to be told; what is only old is not. A cluster of `sluice up` may lie where a
 * reboot ends it, and have nodes that no machine is like.
 */
static bool is_illness(const struct doctor *doctor, const struct conf_note *note)
{
    return conf_note_weight(note) == CONF_WEIGHT_ERROR ||
           (note->kind == CONF_NOTE_VALUE && !doctor->is_up);
}

static void check_hardware(struct doctor *doctor, struct conf_found *found)
{
    struct inventory_where where = INVENTORY_WHERE;
    AUTO(node_hardware) struct node_hardware hardware;
    const struct conf_node *node = slurm_conf_find_node(found->conf, doctor->node->name);
    const bool overrides = conf_overrides(found->conf);

    where.tmp_fs = doctor->conf->tmp_fs;
    inventory_read(&where, &hardware);
    conf_check_hardware(node, overrides ? NULL : &hardware, exists, &found->notes);
}

/* Returns how to mend a line; some keys are read by daemons only when they start. */
static char *mend_line(const struct doctor *doctor, const struct conf_note *note)
{
    AUTO_FREE char *head = mend_restart(doctor, DAEMON_SLURMCTLD, NULL);
    AUTO_FREE char *node = mend_restart(doctor, DAEMON_SLURMD, NULL);
    const bool both = doctor->is_controller && doctor->node;

    return xasprintf("edit line %u of %s, then: scontrol reconfigure; for ports, users, places and "
                     "plugins: %s%s%s",
                     note->line, note->file,
                     doctor->is_controller ? head
                     : doctor->node        ? node
                                           : "restart the daemons",
                     both ? "; " : "", both ? node : "");
}

static void find_contradictions(struct doctor *doctor, struct conf_found *found)
{
    if (doctor->node && !doctor->is_up && found->conf &&
        slurm_conf_find_node(found->conf, doctor->node->name))
        check_hardware(doctor, found);
    for (uint32_t i = 0; i < found->notes.notes_n; i++) {
        const struct conf_note *note = &found->notes.notes[i];

        if (is_illness(doctor, note))
            doctor_find(doctor, mend_line(doctor, note), "%s", note->text);
    }
}

static bool runs(const char *name)
{
    AUTO_FREE struct process *list = NULL;

    return processes_named(name, &list) > 0;
}

/* Returns how to get slurm.conf back; which host this is, only its processes can tell now. */
static char *mend_missing(const char *path)
{
    if (runs("slurmctld"))
        return xasprintf(
            "this is the controller: scp -p NODE:%s %s, NODE being a node that has it, "
            "or put it there from a backup",
            path, path);
    if (runs("slurmd"))
        return xasprintf("copy it from the controller, HEAD: scp -p HEAD:%s %s", path, path);
    return xasprintf(
        "on a node: sluice join, or scp -p HEAD:%s %s from the controller, HEAD; on the "
        "head of a new cluster: sluice init; a cluster on this machine alone: sluice "
        "up 4",
        path, path);
}

static void find_unreadable(struct doctor *doctor, const struct err *err)
{
    const char *path = slurm_conf_path();

    if (err->code == EACCES)
        doctor_find(doctor, xasprintf("chmod 644 %s", path), "%s", err->text);
    else if (err->code == ENOENT)
        doctor_find(doctor, mend_missing(path), "%s", err->text);
    else
        doctor_find(doctor, xasprintf("edit it; sluice conf check %s names every line", path), "%s",
                    err->text);
}

static void find_slurm_user(struct doctor *doctor)
{
    const char *user = doctor->conf->slurm_user;
    const bool is_number = *user && user[strspn(user, "0123456789")] == '\0';
    const struct passwd *entry = is_number ? NULL : getpwnam(user);

    doctor->knows_slurm_user = is_number || entry;
    if (doctor->knows_slurm_user)
        doctor->slurm_uid = is_number ? (uid_t)strtoul(user, NULL, 10) : entry->pw_uid;
}

static int load(struct doctor *doctor, struct err *err)
{
    AUTO_FREE char *path = NULL;
    int rc = cli_load(doctor->cli, err);

    if (rc == -ENOENT && find_forgotten_cluster(doctor, &path)) {
        setenv("SLURM_CONF", path, 1); /* what follows is about that one */
        rc = cli_load(doctor->cli, err);
    }
    return rc;
}

void look_at_conf(struct doctor *doctor)
{
    AUTO(conf_found) struct conf_found found = { 0 };
    struct err err = { 0 };
    const int rc = load(doctor, &err);
    const uint32_t before = doctor->findings_n;

    doctor->conf = doctor->cli->conf;
    conf_find(slurm_conf_path(), &found);
    /* A file with errors can be read but for these: what else is wrong can still be told. */
    if (rc < 0 && found.conf && found.conf->controllers_n)
        doctor->conf = doctor->damaged = STEAL(found.conf);
    if (doctor->conf) {
        find_slurm_user(doctor);
        find_cluster(doctor);
        find_roles(doctor);
        check_mode(doctor);
        find_contradictions(doctor, &found);
    }
    if (rc < 0 && doctor->findings_n == before)
        find_unreadable(doctor, &err);
}
