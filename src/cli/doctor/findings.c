#include "cli/doctor/findings.h"

#include <string.h>
#include <unistd.h>

#include "common/base/plain.h"

void doctor_find(struct doctor *doctor, char *mend, const char *fmt, ...)
{
    struct strbuf fact = { 0 };
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&fact, fmt, args);
    va_end(args);
    plain_escape(&fact, 0);
    *ARRAY_PUSH(doctor->findings, doctor->findings_n) =
        (struct finding){ .fact = strbuf_steal(&fact), .mend = mend };
}

void doctor_skip(struct doctor *doctor, const char *fmt, ...)
{
    struct strbuf why = { 0 };
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&why, fmt, args);
    va_end(args);
    free(doctor->skipped);
    doctor->skipped = strbuf_steal(&why);
}

bool doctor_blames_munge(struct doctor *doctor, const struct err *why)
{
    if (!strstr(why->text, "no credential can be made on this side"))
        return false;
    doctor_skip(doctor, "munged makes no credentials here");
    return true;
}

void doctor_init(struct doctor *doctor, struct cli *cli)
{
    *doctor = (struct doctor){ .cli = cli,
                               .is_root = geteuid() == 0,
                               .has_systemd = access("/run/systemd/system", F_OK) == 0,
                               .nodes = { .schema = node_info_schema() } };
    gethostname(doctor->host, sizeof(doctor->host) - 1);
}

void doctor_clear(struct doctor *doctor)
{
    for (uint32_t i = 0; i < doctor->findings_n; i++) {
        free(doctor->findings[i].fact);
        free(doctor->findings[i].mend);
    }
    free(doctor->findings);
    for (uint32_t i = 0; i < doctor->users_n; i++) {
        free(doctor->users[i].name);
        free(doctor->users[i].group_name);
        free(doctor->users[i].home);
    }
    free(doctor->users);
    sights_clear(doctor->sights, doctor->sights_n);
    free(doctor->sights);
    for (uint32_t i = 0; i < doctor->asked_n; i++)
        user_map_clear(&doctor->asked[i]);
    free(doctor->asked);
    records_clear(&doctor->nodes);
    cluster_clear(&doctor->cluster);
    slurm_conf_free(doctor->damaged);
    free(doctor->skipped);
    *doctor = (struct doctor){ 0 };
}

void doctor_auto_(struct doctor *doctor)
{
    doctor_clear(doctor);
}
