#include "common/conf/check.h"

#include <string.h>

#include "common/conf/check_parts.h"
#include "common/conf/keys.h"
#include "common/text/words.h"

#define NAMES_MAX 80 /* characters of a message */

struct conf_at conf_given_at(const struct slurm_conf *conf, const char *key, const char **ret_text)
{
    const struct conf_key *row = conf_key_find(conf_global_keys(), key);

    if (!row)
        return (struct conf_at){ 0 };
    if (ret_text)
        *ret_text = conf->given[row - conf_global_keys()];
    return conf->given_at[row - conf_global_keys()];
}

struct conf_at check_at(const struct check *check, const char *key)
{
    struct conf_at at = conf_given_at(check->conf, key, NULL);

    return at.file ? at : (struct conf_at){ check->conf->files[0], 1, 1 };
}

char *check_names(const struct hostlist *names)
{
    AUTO_FREE char *text = hostlist_format(names);

    if (strlen(text) <= NAMES_MAX)
        return STEAL(text);
    return xasprintf("%.*s... (%u)", NAMES_MAX, text, hostlist_count(names));
}

static void say(const struct check *check, enum conf_note_kind kind, const char *key,
                const char *fmt, ...) PRINTF_LIKE(4, 5);

static void say(const struct check *check, enum conf_note_kind kind, const char *key,
                const char *fmt, ...)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&text, fmt, args);
    va_end(args);
    conf_notes_add(check->notes, kind, check_at(check, key), "%s", strbuf_text(&text));
}

/* ---- places ---- */

static bool same_path(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Returns how long the part of the path is below which everything is lost at a reboot, or removed
 * now and then; 0: the path stays. */
static size_t volatile_part(const char *path)
{
    static const char *const roots[] = { "/tmp", "/dev/shm", "/run", "/var/run", "/var/tmp" };

    for (size_t i = 0; i < ARRAY_N(roots); i++) {
        size_t len = strlen(roots[i]);

        if (strncmp(path, roots[i], len) == 0 && (path[len] == '/' || !path[len]))
            return len;
    }
    return 0;
}

/*
 * Returns whether the place is lost at a reboot while slurm.conf stays. A trial cluster that lies
 * in one directory of /tmp, with its slurm.conf, ends as a whole, and its user knows that.
 */
static bool is_lost(const struct check *check, const char *path)
{
    const size_t root = path ? volatile_part(path) : 0;
    const size_t directory = root && path[root] ? root + 1 + strcspn(path + root + 1, "/") : 0;

    return root && !(directory > root + 1 && path[directory] == '/' &&
                     strncmp(check->conf->files[0], path, directory + 1) == 0);
}

/* Notes a relative path, because it depends on where a daemon was started. */
static void check_whole(const struct check *check, const char *key, const char *path)
{
    if (path && *path && *path != '/')
        say(check, CONF_NOTE_WRONG, key, "%s=%s is no whole path: it has to begin with /", key,
            path);
}

static void check_places(const struct check *check)
{
    const struct slurm_conf *conf = check->conf;

    check_whole(check, "StateSaveLocation", conf->state_save_location);
    check_whole(check, "SlurmdSpoolDir", conf->slurmd_spool_dir);
    check_whole(check, "Prolog", conf->prolog);
    check_whole(check, "Epilog", conf->epilog);
    check_whole(check, "PrologSlurmctld", conf->prolog_slurmctld);
    check_whole(check, "EpilogSlurmctld", conf->epilog_slurmctld);
    check_whole(check, "ResvProlog", conf->resv_prolog);
    check_whole(check, "ResvEpilog", conf->resv_epilog);
    check_whole(check, "TaskProlog", conf->task_prolog);
    check_whole(check, "TaskEpilog", conf->task_epilog);
    check_whole(check, "TmpFS", conf->tmp_fs);
    if (conf_given_at(conf, "JobCompLoc", NULL).file &&
        (word_is(conf->job_comp_type, "jobcomp/filetxt") ||
         word_is(conf->job_comp_type, "jobcomp/script")))
        check_whole(check, "JobCompLoc", conf->job_comp_loc);
    if (same_path(conf->state_save_location, conf->slurmd_spool_dir))
        say(check, CONF_NOTE_WRONG, "StateSaveLocation",
            "StateSaveLocation and SlurmdSpoolDir are both %s; the controller and nodes need "
            "directories of their own",
            conf->state_save_location);
    if (same_path(conf->slurmctld_pid_file, conf->slurmd_pid_file))
        say(check, CONF_NOTE_WRONG, "SlurmdPidFile",
            "SlurmctldPidFile and SlurmdPidFile are both %s", conf->slurmd_pid_file);
    if (same_path(conf->slurmctld_log_file, conf->slurmd_log_file))
        say(check, CONF_NOTE_VALUE, "SlurmdLogFile",
            "SlurmctldLogFile and SlurmdLogFile are both %s", conf->slurmd_log_file);
    if (is_lost(check, conf->state_save_location))
        say(check, CONF_NOTE_VALUE, "StateSaveLocation",
            "StateSaveLocation=%s does not outlive a reboot: jobs and their history would be lost",
            conf->state_save_location);
    if (is_lost(check, conf->slurmd_spool_dir))
        say(check, CONF_NOTE_VALUE, "SlurmdSpoolDir",
            "SlurmdSpoolDir=%s does not outlive a reboot: results that the controller has not "
            "heard "
            "of would be lost",
            conf->slurmd_spool_dir);
}

/* ---- ports ---- */

static bool in_range(const struct conf_ports *ports, uint32_t port)
{
    return ports->first && port >= ports->first && port <= ports->last;
}

static void check_ports(const struct check *check)
{
    const struct slurm_conf *conf = check->conf;

    if (in_range(&conf->slurmctld_ports, conf->slurmd_port))
        say(check, CONF_NOTE_WRONG,
            conf_given_at(conf, "SlurmdPort", NULL).file ? "SlurmdPort" : "SlurmctldPort",
            "SlurmdPort=%u is a port of SlurmctldPort too: a node on the controller's machine "
            "could "
            "not start",
            conf->slurmd_port);
    if (in_range(&conf->srun_ports, conf->slurmd_port) ||
        in_range(&conf->srun_ports, conf->slurmctld_ports.first))
        say(check, CONF_NOTE_WRONG, "SrunPortRange",
            "SrunPortRange=%u-%u has a port of the daemons in it", conf->srun_ports.first,
            conf->srun_ports.last);
}

/* ---- what belongs together ---- */

static void check_priority(const struct check *check)
{
    static const char *const weights[] = { "PriorityWeightAge",       "PriorityWeightAssoc",
                                           "PriorityWeightFairshare", "PriorityWeightJobSize",
                                           "PriorityWeightPartition", "PriorityWeightQOS",
                                           "PriorityWeightTRES" };

    if (check->conf->priority_type != CONF_PRIORITY_BASIC)
        return;
    for (size_t i = 0; i < ARRAY_N(weights); i++) {
        const char *text = NULL;

        conf_given_at(check->conf, weights[i], &text);
        if (text && strcmp(text, "0") != 0)
            say(check, CONF_NOTE_WRONG, weights[i],
                "%s=%s counts for nothing with PriorityType=priority/basic", weights[i], text);
    }
}

static void check_plugins(const struct check *check)
{
    const struct slurm_conf *conf = check->conf;

    if (conf->gather_type == CONF_GATHER_CGROUP && conf->proctrack_type != CONF_PROCTRACK_CGROUP)
        say(check, CONF_NOTE_WRONG, "JobAcctGatherType",
            "JobAcctGatherType=jobacct_gather/cgroup needs ProctrackType=proctrack/cgroup");
    if (conf->health_interval_s && !conf->health_program)
        say(check, CONF_NOTE_VALUE, "HealthCheckInterval",
            "HealthCheckInterval=%u, and no HealthCheckProgram", conf->health_interval_s);
    if (conf_given_at(conf, "JobCompLoc", NULL).file && conf->job_comp_type &&
        word_is(conf->job_comp_type, "jobcomp/none"))
        say(check, CONF_NOTE_VALUE, "JobCompLoc",
            "JobCompLoc=%s, and nothing writes there: "
            "JobCompType is jobcomp/none",
            conf->job_comp_loc);
}

static void check_limits(const struct check *check)
{
    const struct slurm_conf *conf = check->conf;

    if (conf->max_array_size > conf->max_job_count)
        say(check, CONF_NOTE_WRONG, "MaxArraySize",
            "MaxArraySize=%u is above MaxJobCount=%u: such an array can never be taken",
            conf->max_array_size, conf->max_job_count);
    if (conf->slurmd_timeout_s && conf->slurmd_timeout_s < conf->message_timeout_s)
        say(check, CONF_NOTE_WRONG, "SlurmdTimeout",
            "SlurmdTimeout=%u is below MessageTimeout=%u: a slow answer takes a node down",
            conf->slurmd_timeout_s, conf->message_timeout_s);
    if (conf->tcp_timeout_s > conf->message_timeout_s)
        say(check, CONF_NOTE_WRONG, "TCPTimeout",
            "TCPTimeout=%u is above MessageTimeout=%u: who connects so late has no answer left to "
            "wait for",
            conf->tcp_timeout_s, conf->message_timeout_s);
    if (conf->unkillable_timeout_s < conf->kill_wait_s)
        say(check, CONF_NOTE_VALUE, "UnkillableStepTimeout",
            "UnkillableStepTimeout=%u is below KillWait=%u: nodes drain while tasks still end",
            conf->unkillable_timeout_s, conf->kill_wait_s);
}

static void check_controllers(const struct check *check)
{
    const struct slurm_conf *conf = check->conf;

    for (uint32_t i = 1; i < conf->controllers_n; i++) {
        if (strcmp(conf->controllers[i].name, conf->controllers[0].name) == 0)
            say(check, CONF_NOTE_WRONG, "SlurmctldHost",
                "SlurmctldHost=%s stands here twice; a second controller needs another host",
                conf->controllers[i].name);
    }
}

void conf_check(const struct slurm_conf *conf, struct conf_notes *notes)
{
    const struct check check = { conf, notes };

    check_values(&check);
    check_plugin_names(&check);
    check_controllers(&check);
    check_places(&check);
    check_ports(&check);
    check_priority(&check);
    check_plugins(&check);
    check_limits(&check);
    check_nodes(&check);
    check_partitions(&check);
    check_together(&check);
    check_weights(&check);
}
