#include "cli/doctor/doctor.h"

#include <stdio.h>
#include <string.h>

#include "cli/doctor/findings.h"
#include "cli/lib/flags.h"

struct doctor_options {
    bool all, quiet, verbose;
};

#define AT(member) offsetof(struct doctor_options, member)

/* clang-format off */
static const struct flag rows[] = {
    { "all", 'a', FLAG_SET, AT(all), NULL, NULL, "look at all nodes from here; the default on the controller" },
    { "quiet", 'q', FLAG_SET, AT(quiet), NULL, NULL, "print what was found, not what was looked at" },
    { "verbose", 'v', FLAG_SET, AT(verbose), NULL, NULL, "name also checks that do not concern this host" },
    FLAGS_COMMON,
};
/* clang-format on */

static const struct flag_table table = {
    .purpose =
        "Looks for what is usually wrong with a cluster: on this host, and from the controller on "
        "all nodes. Tells the command that mends it, and what was looked at. Exit status: 0 when "
        "all is well, else 1; 2 for bad options.",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
};

/* ---- the checks ---- */

/* Hosts that a check concerns. */
enum { ON_HEAD = 1, ON_NODE = 2, ON_OTHERS = 4, EVERYWHERE = 7, WITH_ALL = 8 };

/* Needs that must be met before a check can be made. */
enum { CONF = 1, CONTROLLER = 2, SIGHTS = 4 };

struct check {
    const char *title;
    void (*look)(struct doctor *doctor);
    uint8_t where, needs;
};

static const struct check checks[] = {
    { "slurm.conf", look_at_conf, EVERYWHERE, 0 },
    { "this host's name and part in slurm.conf", look_at_role, EVERYWHERE, CONF },
    { "munge and its key", look_at_auth, EVERYWHERE, 0 },
    { "users and groups that slurm.conf names", look_at_names, EVERYWHERE, CONF },
    { "addresses of controller and nodes", look_at_addresses, EVERYWHERE, CONF },
    { "directories and logs", look_at_places, ON_HEAD | ON_NODE, CONF },
    { "programs that slurm.conf names", look_at_programs, ON_HEAD | ON_NODE, CONF },
    { "daemons and their limits", look_at_daemons, EVERYWHERE, CONF },
    { "the controller answers", look_at_controller, EVERYWHERE, CONF },
    { "the controller's disk", look_at_store, EVERYWHERE, CONF | CONTROLLER },
    { "clock against the controller's", look_at_clock, EVERYWHERE, CONF | CONTROLLER },
    { "slurm.conf against what the controller runs by", look_at_differences, EVERYWHERE,
      CONF | CONTROLLER },
    { "partitions", look_at_partitions, EVERYWHERE, CONF | CONTROLLER },
    { "states of nodes, Prolog and Epilog", look_at_nodes, ON_HEAD | ON_NODE | WITH_ALL,
      CONF | CONTROLLER },
    { "nodes answer", look_at_answers, ON_HEAD | ON_NODE | WITH_ALL, CONF },
    { "the controller's port", look_at_ports, ON_NODE | ON_OTHERS, CONF },
    { "slurm.conf of nodes", look_at_node_confs, ON_HEAD | ON_NODE | WITH_ALL, CONF | SIGHTS },
    { "clocks of nodes", look_at_node_clocks, ON_HEAD | ON_NODE | WITH_ALL, CONF | SIGHTS },
    { "versions of nodes", look_at_node_versions, ON_HEAD | ON_NODE | WITH_ALL, CONF | SIGHTS },
    { "host names of nodes", look_at_node_hosts, ON_HEAD | ON_NODE | WITH_ALL, CONF | SIGHTS },
    { "uids and gids of users with jobs", look_at_users, ON_HEAD | ON_NODE | WITH_ALL,
      CONF | CONTROLLER },
    { "homes of users with jobs", look_at_homes, ON_NODE, CONF | CONTROLLER },
};

/* The result of one check. */
struct result {
    bool concerns; /* this host */
    uint32_t found_n;
    char *skipped;
};

/*
 * True if the check concerns this host. Before slurm.conf is read nobody knows what the host is;
 * then everything concerns it.
 */
static bool concerns(const struct check *check, const struct doctor *doctor)
{
    unsigned what = (doctor->is_controller ? ON_HEAD : 0u) | (doctor->node ? ON_NODE : 0u) |
                    (doctor->all ? WITH_ALL : 0u);

    if (!doctor->is_controller && !doctor->node)
        what |= ON_OTHERS;
    return !doctor->conf || (check->where & what);
}

static const char *lacks(const struct check *check, const struct doctor *doctor)
{
    if ((check->needs & CONF) && !doctor->conf)
        return "slurm.conf cannot be read";
    if ((check->needs & CONTROLLER) && !doctor->controller_answers)
        return "the controller cannot be asked";
    if ((check->needs & SIGHTS) && !doctor->sights_n)
        return "no node could be asked";
    return NULL;
}

/* Runs the checks. One kind of trouble must not hide another: a check is left out only for what it
   cannot do without. */
static void examine(struct doctor *doctor, struct result *results)
{
    for (size_t i = 0; i < ARRAY_N(checks); i++) {
        const struct check *check = &checks[i];
        const char *lack = lacks(check, doctor);
        const uint32_t before = doctor->findings_n;

        results[i].concerns = concerns(check, doctor);
        if (!results[i].concerns)
            continue;
        if (lack)
            doctor_skip(doctor, "%s", lack);
        else
            check->look(doctor);
        results[i].found_n = doctor->findings_n - before;
        results[i].skipped = STEAL(doctor->skipped);
    }
}

/* ---- printing ---- */

static void print_role(const struct doctor *doctor)
{
    printf("%s is ", doctor->host);
    if (!doctor->conf)
        printf("a host without a slurm.conf");
    else if (doctor->is_controller && doctor->node)
        printf("the controller and node %s by %s", doctor->node->name, doctor->conf->path);
    else if (doctor->is_controller)
        printf("the controller by %s", doctor->conf->path);
    else if (doctor->node)
        printf("node %s by %s", doctor->node->name, doctor->conf->path);
    else
        printf("neither controller nor node by %s", doctor->conf->path);
    printf("%s; looked at:\n", doctor->is_root ? "" : " (only root can look at everything)");
}

static void print_results(const struct doctor *doctor, const struct result *results, bool verbose)
{
    print_role(doctor);
    for (size_t i = 0; i < ARRAY_N(checks); i++) {
        const struct result *result = &results[i];

        if (!result->concerns && !verbose)
            continue;
        printf("    %-48s ", checks[i].title);
        if (!result->concerns)
            printf("does not concern this host\n");
        else if (result->found_n)
            printf("%u found%s%s\n", result->found_n, result->skipped ? "; not all: " : "",
                   result->skipped ? result->skipped : "");
        else if (result->skipped)
            printf("not looked at: %s\n", result->skipped);
        else
            printf("well\n");
    }
}

static int print(const struct doctor *doctor, const struct result *results,
                 const struct doctor_options *options)
{
    for (uint32_t i = 0; i < doctor->findings_n; i++)
        printf("%s\n    mend: %s\n", doctor->findings[i].fact, doctor->findings[i].mend);
    if (!options->quiet) {
        if (doctor->findings_n)
            putchar('\n');
        print_results(doctor, results, options->verbose);
    }
    return doctor->findings_n ? 1 : 0;
}

int sluice_doctor(int argc, char **argv, struct log *log)
{
    AUTO(command) struct command command;
    AUTO(doctor) struct doctor doctor = { 0 };
    struct doctor_options options = { 0 };
    struct result results[ARRAY_N(checks)] = { 0 };
    int status;

    (void)log;
    command_init(&command, "sluice doctor");
    status = flags_read(&table, &command, argc, argv, &options, NULL, NULL);
    if (status >= 0)
        return status ? 2 : 0;
    doctor_init(&doctor, &command.cli);
    doctor.all = options.all;
    examine(&doctor, results);
    status = print(&doctor, results, &options);
    for (size_t i = 0; i < ARRAY_N(results); i++)
        free(results[i].skipped);
    return status;
}
