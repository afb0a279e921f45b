/* look_programs.c - programs that slurm.conf names: there, executable, and nobody else's to change.
 */
#include <errno.h>
#include <glob.h>
#include <sys/stat.h>

#include "cli/doctor/findings.h"
#include "common/conf/check.h"
#include "common/text/words.h"

static void check_program(struct doctor *doctor, const char *key, const char *path, bool by_root)
{
    struct stat st;

    if (stat(path, &st) < 0) {
        doctor_find(
            doctor,
            xasprintf("put the program there, or take %s out of %s", key, doctor->conf->path),
            "%s=%s: %s", key, path, err_string(errno));
        return;
    }
    if (!(st.st_mode & S_IXUSR))
        doctor_find(doctor, xasprintf("chmod +x %s", path), "%s=%s is not executable", key, path);
    if (by_root && (st.st_uid != 0 || (st.st_mode & (S_IWGRP | S_IWOTH))))
        doctor_find(doctor, xasprintf("chown root %s; chmod go-w %s", path, path),
                    "%s=%s runs as root, and others can change it: uid %u, mode %03o", key, path,
                    (unsigned)st.st_uid, (unsigned)st.st_mode & 07777);
}

/* Checks a list of programs, whose parts may be patterns. */
static void check_programs(struct doctor *doctor, const char *key, const char *list, bool by_root)
{
    AUTO(words) struct words parts = words_split(list ? list : "", ",");

    for (uint32_t i = 0; i < parts.n; i++) {
        glob_t found = { 0 };

        if (glob(parts.at[i], GLOB_NOCHECK, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc; k++)
                check_program(doctor, key, found.gl_pathv[k], by_root);
        globfree(&found);
    }
}

void look_at_programs(struct doctor *doctor)
{
    const struct slurm_conf *conf = doctor->conf;

    if (doctor->node) {
        check_programs(doctor, "Prolog", conf->prolog, true);
        check_programs(doctor, "Epilog", conf->epilog, true);
        check_programs(doctor, "HealthCheckProgram", conf->health_program, true);
        check_programs(doctor, "UnkillableStepProgram", conf->unkillable_program, true);
        check_programs(doctor, "TaskProlog", conf->task_prolog, false);
        check_programs(doctor, "TaskEpilog", conf->task_epilog, false);
    }
    if (doctor->is_controller) {
        check_programs(doctor, "PrologSlurmctld", conf->prolog_slurmctld, false);
        check_programs(doctor, "EpilogSlurmctld", conf->epilog_slurmctld, false);
        check_programs(doctor, "ResvProlog", conf->resv_prolog, false);
        check_programs(doctor, "ResvEpilog", conf->resv_epilog, false);
        if (conf_given_at(conf, "MailProg", NULL).file)
            check_programs(doctor, "MailProg", conf->mail_prog, false);
    }
}
