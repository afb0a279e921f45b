#include "cli/strigger/options.h"

#include <pwd.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/lib/flags.h"
#include "common/text/words.h"

#define AT(member) offsetof(struct trigger_options, member)

#define NO_BACKUP "there is no backup controller here"
#define NO_DBD    "the controller keeps its own accounting"

/* clang-format off */
static const struct flag rows[] = {
    { "set", 0, FLAG_SET, AT(set), NULL, NULL, "set a trigger" },
    { "get", 0, FLAG_SET, AT(get), NULL, NULL, "list triggers" },
    { "clear", 0, FLAG_SET, AT(clear), NULL, NULL, "remove triggers: --id, --jobid or --user says which" },
    { "down", 'd', FLAG_SET, AT(down), NULL, NULL, "when a node goes down" },
    { "drained", 'D', FLAG_SET, AT(drained), NULL, NULL, "when a node is drained" },
    { "draining", 0, FLAG_SET, AT(draining), NULL, NULL, "when a node is to be drained and has jobs left" },
    { "fail", 'F', FLAG_SET, AT(fail), NULL, NULL, "when a node is failing" },
    { "fini", 'f', FLAG_SET, AT(fini), NULL, NULL, "when the job has ended" },
    { "idle", 'I', FLAG_SET, AT(idle), NULL, NULL, "when a node has been idle for --offset" },
    { "reconfig", 'r', FLAG_SET, AT(reconfig), NULL, NULL, "when the controller has read slurm.conf again, or a node was updated" },
    { "resume", 'R', FLAG_SET, AT(resume), NULL, NULL, "when a node is set to State=RESUME" },
    { "time", 't', FLAG_SET, AT(time), NULL, NULL, "when the job reaches its time limit" },
    { "up", 'u', FLAG_SET, AT(up), NULL, NULL, "when a node that was down is back" },
    { "primary_slurmctld_resumed_operation", 'A', FLAG_SET, AT(resumed), NULL, NULL, "when the controller has started again" },
    { "flags", 0, FLAG_TEXT, AT(flags), "FLAGS", NULL, "PERM: the trigger stays after the event" },
    { "id", 'i', FLAG_TEXT, AT(id), "ID", NULL, "this trigger" },
    { "jobid", 'j', FLAG_TEXT, AT(job), "JOB", NULL, "of this job, or of its nodes" },
    { "node", 'n', FLAG_ATTACHED, AT(node), "HOSTS", NULL, "of these nodes, or of all" },
    { "offset", 'o', FLAG_TEXT, AT(offset), "SECONDS", NULL, "so long after the event, or before it" },
    { "program", 'p', FLAG_TEXT, AT(program), "PATH", NULL, "what to run, with arguments in the same word" },
    { "user", 0, FLAG_TEXT, AT(user), "USER", NULL, "set by this user" },
    { "clusters", 'M', FLAG_TEXT, AT(clusters), "NAME", "SLURM_CLUSTERS", "of this cluster" },
    { "noheader", 'N', FLAG_SET, AT(no_header), NULL, NULL, "no line of titles" },
    { "quiet", 'Q', FLAG_MORE, AT(quiet), NULL, NULL, "it is no error to clear what is not there" },
    { "verbose", 'v', FLAG_MORE, AT(verbose), NULL, NULL, "say more" },
    { "primary_slurmctld_failure", 'a', FLAG_REFUSED, 0, NULL, NULL, NO_BACKUP },
    { "primary_slurmctld_resumed_control", 'b', FLAG_REFUSED, 0, NULL, NULL, NO_BACKUP },
    { "primary_slurmctld_acct_buffer_full", 'e', FLAG_REFUSED, 0, NULL, NULL, NO_DBD },
    { "backup_slurmctld_failure", 'B', FLAG_REFUSED, 0, NULL, NULL, NO_BACKUP },
    { "backup_slurmctld_resumed_operation", 'c', FLAG_REFUSED, 0, NULL, NULL, NO_BACKUP },
    { "backup_slurmctld_assumed_control", 'C', FLAG_REFUSED, 0, NULL, NULL, NO_BACKUP },
    { "primary_slurmdbd_failure", 'g', FLAG_REFUSED, 0, NULL, NULL, NO_DBD },
    { "primary_slurmdbd_resumed_operation", 'G', FLAG_REFUSED, 0, NULL, NULL, NO_DBD },
    { "primary_database_failure", 'h', FLAG_REFUSED, 0, NULL, NULL, NO_DBD },
    { "primary_database_resumed_operation", 'H', FLAG_REFUSED, 0, NULL, NULL, NO_DBD },
    { "burst_buffer", 0, FLAG_REFUSED, 0, NULL, NULL, "there are no burst buffers" },
    { "front_end", 0, FLAG_REFUSED, 0, NULL, NULL, "there are no front ends" },
    FLAGS_COMMON,
};
/* clang-format on */

static const struct flag_table table = {
    .purpose = "Sets, lists and removes programs that the controller runs when something happens.",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
};

static uint32_t events_of(const struct trigger_options *options)
{
    return (options->down ? TRIGGER_DOWN : 0u) | (options->up ? TRIGGER_UP : 0u) |
           (options->drained ? TRIGGER_DRAINED : 0u) | (options->fail ? TRIGGER_FAIL : 0u) |
           (options->idle ? TRIGGER_IDLE : 0u) | (options->reconfig ? TRIGGER_RECONFIG : 0u) |
           (options->time ? TRIGGER_TIME : 0u) | (options->fini ? TRIGGER_FINI : 0u) |
           (options->resumed ? TRIGGER_STARTED : 0u) | (options->draining ? TRIGGER_DRAINING : 0u) |
           (options->resume ? TRIGGER_RESUME : 0u);
}

/* Reads a number; returns -1 to go on, as the functions below do. */
static int read_number(const struct command *command, const char *what, const char *text,
                       uint32_t *ret)
{
    uint64_t number;

    if (!text)
        return -1;
    if (number_parse(text, 1, UINT32_MAX - 1, &number, NULL) < 0) {
        log_error(command->log, "Invalid %s %s", what, text);
        return 1;
    }
    *ret = (uint32_t)number;
    return -1;
}

static int read_offset(const struct command *command, const char *text, int32_t *ret)
{
    const bool before = text && *text == '-';
    uint64_t seconds;

    if (!text)
        return -1;
    if (number_parse(text + before, 0, TRIGGER_OFFSET_MAX, &seconds, NULL) < 0) {
        log_error(command->log, "The --offset parameter must be between +/-%d", TRIGGER_OFFSET_MAX);
        return 1;
    }
    *ret = before ? -(int32_t)seconds : (int32_t)seconds;
    return -1;
}

static int read_user(const struct command *command, const char *text, uint32_t *ret)
{
    const struct passwd *entry = text ? getpwnam(text) : NULL;
    uint64_t uid = 0;

    if (!text)
        return -1;
    if (!entry && number_parse(text, 0, UINT32_MAX - 1, &uid, NULL) < 0) {
        log_error(command->log, "Invalid user %s", text);
        return 1;
    }
    *ret = entry ? entry->pw_uid : (uint32_t)uid;
    return -1;
}

static int check_flags(const struct command *command, const char *text)
{
    if (!text || strcasecmp(text, "PERM") == 0)
        return -1;
    log_error(command->log, "Invalid flags %s", text);
    return 1;
}

static int check_program(const struct command *command, const char *program)
{
    AUTO(words) struct words words = words_split(program ? program : "", " ");
    const char *problem = NULL;
    struct stat found;

    if (words.n == 0)
        problem = "You must specify a --program value";
    else if (words.at[0][0] != '/')
        problem = "The --program value must start with \"/\"";
    else if (stat(words.at[0], &found) < 0)
        problem = "Invalid --program value, file not found";
    else if (!S_ISREG(found.st_mode))
        problem = "Invalid --program value, not regular file";
    else if (access(words.at[0], X_OK) < 0)
        problem = "Invalid --program value, access denied";
    if (problem)
        log_error(command->log, "%s", problem);
    return problem ? 1 : -1;
}

static int check_set(const struct command *command, const struct trigger_options *options)
{
    int status;

    if (!options->events) {
        log_error(
            command->log,
            "You must specify a trigger (--down, --up, --draining, --drained, --fail, --idle, "
            "--resume, --reconfig, --time, --fini or "
            "--primary_slurmctld_resumed_operation)");
        return 1;
    }
    status = check_program(command, options->program);
    if (status < 0 && (options->events & TRIGGER_EVENTS_OF_JOBS) && !options->job) {
        log_error(command->log, "You must specify a --jobid value");
        return 1;
    }
    return status;
}

static int check(const struct command *command, const struct trigger_options *options)
{
    if (options->set + options->get + options->clear != 1) {
        log_error(command->log, "You must use exactly one of the following options: "
                                "--set, --get or --clear");
        return 1;
    }
    if (options->set)
        return check_set(command, options);
    if (options->clear && !options->id && !options->job && !options->user) {
        log_error(command->log, "You must specify a --id, --jobid, or --user to clear");
        return 1;
    }
    return -1;
}

int trigger_options_read(const struct command *command, int argc, char **argv,
                         struct trigger_options *ret_options)
{
    struct trigger_options *options = ret_options;
    int status = flags_read(&table, command, argc, argv, options, NULL, NULL);

    options->events = events_of(options);
    if (status < 0)
        status = read_number(command, "jobid", options->job, &options->job_id);
    if (status < 0)
        status = read_number(command, "id", options->id, &options->trigger_id);
    if (status < 0)
        status = read_offset(command, options->offset, &options->offset_s);
    if (status < 0)
        status = read_user(command, options->user, &options->uid);
    if (status < 0)
        status = check_flags(command, options->flags);
    return status < 0 ? check(command, options) : status;
}
