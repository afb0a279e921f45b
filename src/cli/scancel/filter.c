#include "cli/scancel/filter.h"

#include <errno.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/args.h"
#include "cli/lib/flags.h"
#include "cli/lib/signals.h"
#include "cli/lib/tasks.h"
#include "common/base/version.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"

#define VALID_STATES "Valid job states are PENDING, RUNNING, and SUSPENDED"

enum option {
    ACCOUNT,
    BATCH,
    CLUSTERS,
    CRON,
    CTLD,
    FULL,
    HELP,
    HURRY,
    INTERACTIVE,
    NAME,
    ME,
    NODELIST,
    PARTITION,
    QOS,
    QUIET,
    RESERVATION,
    SIBLING,
    SIGNAL,
    STATE,
    USAGE,
    USER,
    VERBOSE,
    VERSION,
    WCKEY,
    OPTIONS_N,
};

/* Options in the order of the help text. */
static const struct {
    struct arg_option option;
    const char *variable;
    const char *value, *help;
} rows[] = {
    { { "account", 'A', ARG_REQUIRED, ACCOUNT },
      "SCANCEL_ACCOUNT",
      "NAME",
      "only jobs charged to this account" },
    { { "batch", 'b', ARG_NONE, BATCH }, "SCANCEL_BATCH", NULL, "signal only the batch shell" },
    { { "clusters", 'M', ARG_REQUIRED, CLUSTERS },
      "SLURM_CLUSTERS",
      "NAMES",
      "clusters to send the request to, or all" },
    { { "cluster", 0, ARG_REQUIRED, CLUSTERS }, NULL, NULL, NULL },
    { { "cron", 'c', ARG_NONE, CRON }, NULL, NULL, "end jobs of scrontab, too; there are none" },
    { { "ctld", 0, ARG_NONE, CTLD },
      "SCANCEL_CTLD",
      NULL,
      "send the request to the controller, which is done anyway" },
    { { "full", 'f', ARG_NONE, FULL },
      "SCANCEL_FULL",
      NULL,
      "signal the steps and the batch shell" },
    { { "help", 0, ARG_NONE, HELP }, NULL, NULL, "print this text" },
    { { "hurry", 'H', ARG_NONE, HURRY }, "SCANCEL_HURRY", NULL, "has no effect" },
    { { "interactive", 'i', ARG_NONE, INTERACTIVE },
      "SCANCEL_INTERACTIVE",
      NULL,
      "ask before each job" },
    { { "name", 'n', ARG_REQUIRED, NAME }, "SCANCEL_NAME", "NAME", "only jobs of this name" },
    { { "jobname", 0, ARG_REQUIRED, NAME }, NULL, NULL, NULL },
    { { "me", 0, ARG_NONE, ME }, NULL, NULL, "only my jobs" },
    { { "nodelist", 'w', ARG_REQUIRED, NODELIST },
      NULL,
      "HOSTS",
      "only jobs that use one of these nodes" },
    { { "partition", 'p', ARG_REQUIRED, PARTITION },
      "SCANCEL_PARTITION",
      "NAME",
      "only jobs in this partition" },
    { { "qos", 'q', ARG_REQUIRED, QOS },
      "SCANCEL_QOS",
      "NAME",
      "only jobs with this quality of service" },
    { { "quiet", 'Q', ARG_NONE, QUIET }, NULL, NULL, "no errors about jobs that are over" },
    { { "reservation", 'R', ARG_REQUIRED, RESERVATION },
      NULL,
      "NAME",
      "only jobs in this reservation" },
    { { "sibling", 0, ARG_REQUIRED, SIBLING },
      NULL,
      "CLUSTER",
      "end the job there; this cluster is in no federation" },
    { { "signal", 's', ARG_REQUIRED, SIGNAL },
      NULL,
      "SIGNAL",
      "send this signal to the steps instead of ending the job" },
    { { "state", 't', ARG_REQUIRED, STATE },
      "SCANCEL_STATE",
      "STATE",
      "only jobs that are PENDING, RUNNING or SUSPENDED" },
    { { "usage", 0, ARG_NONE, USAGE }, NULL, NULL, "print a short text" },
    { { "user", 'u', ARG_REQUIRED, USER }, "SCANCEL_USER", "NAME", "only jobs of this user" },
    { { "verbose", 'v', ARG_NONE, VERBOSE }, "SCANCEL_VERBOSE", NULL, "say what is done" },
    { { "version", 'V', ARG_NONE, VERSION }, NULL, NULL, "print the version" },
    { { "wckey", 0, ARG_REQUIRED, WCKEY }, "SCANCEL_WCKEY", "KEY", "only jobs with this mark" },
};

void scancel_filter_clear(struct scancel_filter *filter)
{
    job_refs_clear(&filter->ids);
    free(filter->account);
    free(filter->name);
    free(filter->partition);
    free(filter->qos);
    free(filter->wckey);
    free(filter->user);
    free(filter->nodes);
    free(filter->clusters);
    free(filter->reservation);
    free(filter->sibling);
    words_clear(&filter->warnings);
    memset(filter, 0, sizeof(*filter));
}

void scancel_filter_auto_(struct scancel_filter *filter)
{
    scancel_filter_clear(filter);
}

static int set_user(struct scancel_filter *filter, const char *value, struct err *err)
{
    const struct passwd *user = getpwnam(value);
    uint64_t number;

    if (user)
        filter->uid = user->pw_uid;
    else if (number_parse(value, 0, UINT32_MAX - 1, &number, NULL) == 0)
        filter->uid = (uint32_t)number;
    else
        return err_set(err, E_USER_ID, "Invalid user name: %.100s", value);
    filter->has_uid = true;
    xstrset(&filter->user, value);
    return 0;
}

static void set_me(struct scancel_filter *filter)
{
    const struct passwd *user = getpwuid(getuid());

    filter->uid = getuid();
    filter->has_uid = true;
    free(filter->user);
    filter->user = user ? xstrdup(user->pw_name) : xasprintf("%u", filter->uid);
}

static int set_state(struct scancel_filter *filter, const char *value, struct err *err)
{
    uint32_t state = 0, flags = 0;

    if (job_state_parse(value, &state, &flags) < 0 || flags != 0 || state > JOB_SUSPENDED)
        return err_set(err, EINVAL, "Invalid job state specified: %.100s\n" VALID_STATES, value);
    filter->state = state;
    filter->has_state = true;
    return 0;
}

static int set_signal(struct scancel_filter *filter, const char *value, struct err *err)
{
    int number = signal_parse(value);

    if (number < 0)
        return err_set(err, EINVAL, "Unknown job signal: %.100s", value);
    filter->signal = number;
    return 0;
}

static int set_nodes(struct scancel_filter *filter, const char *value, struct err *err)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;
    int rc = strchr(value, '/') ? hostlist_read_file(value, &hosts, err)
                                : hostlist_parse(value, &hosts, err);

    if (rc < 0)
        return rc;
    free(filter->nodes);
    filter->nodes = hostlist_format(hosts);
    return 0;
}

static int apply(struct scancel_filter *filter, int option, const char *value, struct err *err)
{
    char **const texts[OPTIONS_N] = {
        [ACCOUNT] = &filter->account,
        [CLUSTERS] = &filter->clusters,
        [NAME] = &filter->name,
        [PARTITION] = &filter->partition,
        [QOS] = &filter->qos,
        [WCKEY] = &filter->wckey,
        [RESERVATION] = &filter->reservation,
        [SIBLING] = &filter->sibling,
    };
    bool *const flags[OPTIONS_N] = {
        [BATCH] = &filter->batch,     [FULL] = &filter->full, [INTERACTIVE] = &filter->interactive,
        [QUIET] = &filter->quiet,     [HELP] = &filter->help, [USAGE] = &filter->usage,
        [VERSION] = &filter->version,
    };

    if (texts[option])
        xstrset(texts[option], value);
    if (flags[option])
        *flags[option] = true;
    switch (option) {
    case ME:
        set_me(filter);
        return 0;
    case USER:
        return set_user(filter, value, err);
    case STATE:
        return set_state(filter, value, err);
    case SIGNAL:
        return set_signal(filter, value, err);
    case NODELIST:
        return set_nodes(filter, value, err);
    case VERBOSE:
        filter->verbose++;
        return 0;
    default:
        return 0;
    }
}

/* True if the variable of an option without value sets it; what is neither yes nor no is told. */
static bool is_set(struct scancel_filter *filter, const char *variable, const char *value)
{
    if (word_is(value, "t") || word_is(value, "true"))
        return true;
    if (!word_is(value, "f") && !word_is(value, "false"))
        *ARRAY_PUSH(filter->warnings.at, filter->warnings.n) =
            xasprintf("Unrecognized %s value: %.100s", variable, value);
    return false;
}

/* Applies a variable as the command line's option, but for how a wrong state is told. */
static int apply_variable(struct scancel_filter *filter, size_t row, const char *value,
                          struct err *err)
{
    const int option = rows[row].option.id;
    int rc;

    if (option == CTLD || option == HURRY)
        return 0;
    if (rows[row].option.need == ARG_NONE && !is_set(filter, rows[row].variable, value))
        return 0;
    rc = apply(filter, option, value, err);
    if (rc < 0 && option == STATE)
        return err_set(err, EINVAL, "Unrecognized %s value: %.100s\n" VALID_STATES,
                       rows[row].variable, value);
    return rc;
}

static int apply_variables(struct scancel_filter *filter, char *const *environment, struct err *err)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        size_t n = rows[i].variable ? strlen(rows[i].variable) : 0;

        for (char *const *at = environment; n > 0 && at && *at; at++) {
            if (strncmp(*at, rows[i].variable, n) != 0 || (*at)[n] != '=')
                continue;
            int rc = apply_variable(filter, i, *at + n + 1, err);
            if (rc < 0)
                return rc;
        }
    }
    return 0;
}

static int add_id(struct scancel_filter *filter, const char *text, struct err *err)
{
    AUTO(job_refs) struct job_refs refs = { 0 };

    if (job_refs_parse(text, &refs, NULL) < 0 || refs.n == 0)
        return err_set(err, E_JOB_ID, "Invalid job id %.100s", text);
    for (uint32_t i = 0; i < refs.n; i++)
        *ARRAY_PUSH(filter->ids.at, filter->ids.n) = refs.at[i];
    return 0;
}

int scancel_filter_parse(struct scancel_filter *filter, int argc, char *const *argv,
                         char *const *environment, struct err *err)
{
    struct arg_option table[ARRAY_N(rows)];
    AUTO(arg_reader)
    struct arg_reader reader = { .options = table,
                                 .options_n = ARRAY_N(rows),
                                 .argv = argv,
                                 .argc = argc,
                                 .mixed = true,
                                 .at = 1 };
    const char *value;
    int option, rc = apply_variables(filter, environment, err);

    for (size_t i = 0; i < ARRAY_N(rows); i++)
        table[i] = rows[i].option;
    while (rc >= 0 && (rc = arg_next(&reader, &option, &value, err)) > 0)
        rc = apply(filter, option, value, err);
    for (uint32_t i = 0; rc >= 0 && i < reader.operands_n; i++)
        rc = add_id(filter, reader.operands[i], err);
    return rc;
}

bool scancel_filter_needs_jobs(const struct scancel_filter *filter)
{
    return filter->account || filter->name || filter->partition || filter->qos || filter->wckey ||
           filter->nodes || filter->reservation || filter->has_uid || filter->has_state ||
           filter->interactive;
}

bool scancel_filter_is_empty(const struct scancel_filter *filter)
{
    return filter->ids.n == 0 &&
           !(filter->account || filter->name || filter->partition || filter->qos || filter->wckey ||
             filter->nodes || filter->reservation || filter->has_uid || filter->has_state);
}

static bool text_fits(const char *wanted, const char *text)
{
    return !wanted || (text && strcmp(wanted, text) == 0);
}

/* True if the account fits; the controller keeps accounts in small letters. */
static bool account_fits(const char *wanted, const char *account)
{
    return !wanted || (account && word_is(wanted, account));
}

static bool uses_nodes(const struct job_record *job, const char *wanted)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;

    if (hostlist_parse(wanted, &hosts, NULL) < 0)
        return false;
    for (uint32_t i = 0; i < job->nodes_n; i++) {
        if (hostlist_find(hosts, job->nodes[i].name) >= 0)
            return true;
    }
    return false;
}

bool scancel_filter_fits(const struct scancel_filter *filter, const struct job_record *job)
{
    const struct job_spec *spec = job->spec;

    if (!spec || job_state_is_over(job->state) || !refs_name_part(&filter->ids, job))
        return false;
    return account_fits(filter->account, spec->account) && text_fits(filter->name, spec->name) &&
           text_fits(filter->reservation, spec->reservation) && text_fits(filter->qos, spec->qos) &&
           text_fits(filter->wckey, spec->wckey) &&
           text_fits(filter->partition, job->partition ? job->partition : spec->partition) &&
           (!filter->has_uid || filter->uid == job->uid) &&
           (!filter->has_state || filter->state == job->state) &&
           (!filter->nodes || uses_nodes(job, filter->nodes));
}

void scancel_filter_describe(const struct scancel_filter *filter, struct strbuf *out)
{
    const struct {
        const char *name, *value;
    } parts[] = {
        { "account", filter->account },
        { "job_name", filter->name },
        { "nodelist", filter->nodes },
        { "partition", filter->partition },
        { "qos", filter->qos },
        { "reservation", filter->reservation },
        { "state", filter->has_state ? job_state_name(filter->state, 0) : NULL },
        { "user_name", filter->user },
        { "wckey", filter->wckey },
    };

    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        if (parts[i].value)
            strbuf_addf(out, "%s=%s ", parts[i].name, parts[i].value);
    }
}

void scancel_usage(struct strbuf *out)
{
    size_t width = flags_usage_begin("scancel", out);

    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const struct arg_option *option = &rows[i].option;

        if (rows[i].help)
            flags_usage_add(option->letter, option->name, rows[i].value, &width, out);
    }
    flags_usage_end("[JOB[_TASK][.STEP]]...", &width, out);
}

static void add_options(bool about_help, const char *title, struct strbuf *out)
{
    strbuf_addf(out, "\n%s:\n", title);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const struct arg_option *option = &rows[i].option;
        const bool is_help = option->id == HELP || option->id == USAGE || option->id == VERSION;
        const size_t begin = out->len;

        if (!rows[i].help || is_help != about_help)
            continue;
        strbuf_addf(out, option->letter ? "  -%c, " : "      ", option->letter);
        strbuf_addf(out, "--%s%s%s", option->name, rows[i].value ? "=" : "",
                    rows[i].value ? rows[i].value : "");
        strbuf_addf(out, "%*s%s\n", (int)(begin + 26 - out->len), "", rows[i].help);
    }
}

void scancel_help(struct strbuf *out)
{
    strbuf_adds(out, "Usage: scancel [OPTION]... [JOB[.STEP]]...\n"
                     "Ends or signals the jobs and steps that are named, or all that fit.\n");
    add_options(false, "Options", out);
    add_options(true, "Help options", out);
    strbuf_adds(out, "\n" VERSION_OURS);
}
