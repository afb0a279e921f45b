#include "cli/doctor/doctor.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/doctor/findings.h"
#include "cli/lib/flags.h"

struct doctor_options {
    bool verbose;
};

#define AT(member) offsetof(struct doctor_options, member)

/* clang-format off */
static const struct flag rows[] = {
    { "verbose", 'v', FLAG_SET, AT(verbose), NULL, NULL, "say also what is looked at, and that all is well" },
    FLAGS_COMMON,
};
/* clang-format on */

static const struct flag_table table = {
    .purpose =
        "Looks for what is usually wrong with a controller or a node, on that host, and tells "
        "the command that mends it. Exit status: 0 and no word when all is well, else 1; "
        "2 for bad options.",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
};

static void examine(struct doctor *doctor)
{
    doctor->is_root = geteuid() == 0;
    if (!look_at_conf(doctor))
        return;
    look_at_auth(doctor);
    look_at_names(doctor);
    look_at_places(doctor);
    look_at_programs(doctor);
    look_at_daemons(doctor);
    if (doctor->auth_works || doctor->is_controller) /* else the reason has been told */
        look_at_cluster(doctor);
}

static void print_role(const struct doctor *doctor)
{
    printf("%s is %s%s%s%s by %s%s\n", doctor->host, doctor->is_controller ? "the controller" : "",
           doctor->is_controller && doctor->node ? " and " : "", doctor->node ? "node " : "",
           doctor->node            ? doctor->node->name
           : doctor->is_controller ? ""
                                   : "neither controller nor node",
           slurm_conf_path(), doctor->is_root ? "" : "; only root can look at everything");
}

static int print(const struct doctor *doctor, const struct doctor_options *options)
{
    if (options->verbose && doctor->conf)
        print_role(doctor);
    for (uint32_t i = 0; i < doctor->findings_n; i++)
        printf("%s\n    mend: %s\n", doctor->findings[i].fact, doctor->findings[i].mend);
    if (options->verbose && !doctor->findings_n)
        printf("nothing was found\n");
    return doctor->findings_n ? 1 : 0;
}

int sluice_doctor(int argc, char **argv, struct log *log)
{
    AUTO(command) struct command command;
    AUTO(doctor) struct doctor doctor = { 0 };
    struct doctor_options options = { 0 };
    int status;

    (void)log;
    command_init(&command, "sluice doctor");
    status = flags_read(&table, &command, argc, argv, &options, NULL, NULL);
    if (status >= 0)
        return status ? 2 : 0;
    doctor.cli = &command.cli;
    examine(&doctor);
    return print(&doctor, &options);
}
