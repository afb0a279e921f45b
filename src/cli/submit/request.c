#include "cli/submit/request.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/submit/option_table.h"
#include "common/base/version.h"
#include "common/crypt/crypt.h"
#include "common/text/timetext.h"
#include "common/text/words.h"

extern char **environ;

int submit_refuse(const struct command *command, const struct err *err)
{
    const char *text = err->text;

    if (err->code != E_SYNTAX) {
        command_report(command, NULL, err);
        return submit_exit_status(err);
    }
    while (*text) {
        size_t n = strcspn(text, "\n");

        fprintf(stderr, "%s: %.*s\n", command->name, (int)n, text);
        text += n + (text[n] == '\n');
    }
    fprintf(stderr, "Try \"%s --help\" for more information\n", command->name);
    return submit_exit_status(err);
}

static bool answer_questions(const struct submit_options *options)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (options->help)
        submit_options_help(options->command, &text);
    else if (options->usage)
        submit_options_usage(options->command, &text);
    else if (options->list)
        strbuf_adds(&text, options->list);
    else if (options->version)
        strbuf_adds(&text, VERSION_TEXT);
    else
        return false;
    fputs(strbuf_text(&text), stdout);
    return true;
}

int submit_begin(struct command *command, struct submit_options *options, int argc, char **argv,
                 int *ret_operand)
{
    struct clock clock = clock_from_env();
    struct err err = { 0 };

    options->now = clock_wall_s(&clock);
    options->cwd = getcwd(NULL, 0);
    if (submit_options_parse(options, FROM_COMMAND_LINE, argc, argv, ret_operand, &err) < 0)
        return submit_refuse(command, &err);
    if (answer_questions(options))
        return 0;
    if (submit_check_components(options->command, argc - *ret_operand, argv + *ret_operand, &err) <
        0)
        return submit_refuse(command, &err);
    if (submit_options_from_env(options, environ, &err) < 0)
        return submit_refuse(command, &err);
    command_set_verbosity(command, options->verbose, options->quiet);
    return -1;
}

static void say_options(const struct command *command, const struct submit_options *options)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (!options->verbose)
        return;
    if (options->remark)
        strbuf_adds(&text, options->remark);
    submit_options_show(options, &text);
    command_say(command, strbuf_text(&text));
}

int submit_check(struct command *command, struct submit_options *options)
{
    struct err err = { 0 };

    command_set_verbosity(command, options->verbose, options->quiet);
    if (submit_options_check(options, &err) < 0 || option_become_user(options, &err) < 0)
        return submit_refuse(command, &err);
    command_say(command, strbuf_text(&options->warnings));
    strbuf_truncate(&options->warnings, 0);
    say_options(command, options);
    return -1;
}

/*
 * Checks --acctg-freq: "30" and "task=30" are of tasks, which are not to be looked at more seldom
 * than all are.
 */
static int check_frequency(const struct slurm_conf *conf, const struct submit_options *options,
                           struct err *err)
{
    AUTO(words) struct words items = { 0 };

    if (!options->acctg_freq || conf->gather_type == CONF_GATHER_NONE || !conf->gather_frequency_s)
        return 0;
    items = words_split(options->acctg_freq, ",");
    for (uint32_t i = 0; i < items.n; i++) {
        const char *number = items.at[i];
        uint64_t seconds;

        if (!word_starts(items.at[i], "task=", &number) && strchr(items.at[i], '='))
            continue;
        if (number_parse(number, 1, conf->gather_frequency_s, &seconds, NULL) < 0)
            return err_set(err, E_ACCT_FREQUENCY, "%s: %s s, JobAcctGatherFrequency is %u s",
                           err_string(E_ACCT_FREQUENCY), number, conf->gather_frequency_s);
    }
    return 0;
}

int submit_check_by_conf(const struct command *command, const struct submit_options *options,
                         struct err *err)
{
    return check_frequency(command->cli.conf, options, err);
}

void submit_obey_conf(struct command *command, struct submit_options *options)
{
    struct job_spec *job = &options->job;

    if (command->cli.conf->allow_spec_resources)
        return;
    if (job->core_spec != COUNT_UNSET)
        log_error(command->log, "Ignoring -S since it's not allowed by configuration "
                                "(AllowSpecResourcesUsage = No)");
    if (job->thread_spec != COUNT_UNSET)
        log_error(command->log, "Ignoring --thread-spec since it's not allowed by configuration "
                                "(AllowSpecResourcesUsage = No)");
    job->core_spec = COUNT_UNSET;
    job->thread_spec = COUNT_UNSET;
}

void submit_say_planned(const struct command *command, const struct job_submitted *planned)
{
    AUTO(strbuf) struct strbuf start = { 0 };

    time_format(&start, planned->planned_start, NULL, 0, "Unknown");
    log_info(command->log, "Job %u to start at %s using %u processors on nodes %s in partition %s",
             planned->job_id, strbuf_text(&start), planned->ncpus,
             planned->planned_nodes ? planned->planned_nodes : "(null)",
             planned->partition ? planned->partition : "(null)");
}

char *submit_token(void)
{
    uint8_t bytes[16];
    AUTO(strbuf) struct strbuf text = { 0 };

    crypt_random(bytes, sizeof(bytes));
    for (size_t i = 0; i < sizeof(bytes); i++)
        strbuf_addf(&text, "%02x", bytes[i]);
    return strbuf_steal(&text);
}

char *submit_line(int argc, char **argv)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    for (int i = 0; i < argc && text.len < 65536; i++)
        strbuf_addf(&text, "%s%s", i > 0 ? " " : "", argv[i]);
    if (text.len > 65536)
        strbuf_truncate(&text, 65536);
    return strbuf_steal(&text);
}

mode_t submit_umask(void)
{
    const char *asked = getenv("SLURM_UMASK");
    char *end = NULL;
    const unsigned long number = asked ? strtoul(asked, &end, 8) : 0;
    mode_t mask;

    if (asked && *asked && !*end && number <= 0777)
        return (mode_t)number;
    mask = umask(022);

    umask(mask);
    return mask;
}

static const struct {
    const char *name;
    int resource;
} limit_names[] = {
    { "CPU", RLIMIT_CPU },     { "FSIZE", RLIMIT_FSIZE },   { "DATA", RLIMIT_DATA },
    { "STACK", RLIMIT_STACK }, { "CORE", RLIMIT_CORE },     { "RSS", RLIMIT_RSS },
    { "NPROC", RLIMIT_NPROC }, { "NOFILE", RLIMIT_NOFILE }, { "MEMLOCK", RLIMIT_MEMLOCK },
    { "AS", RLIMIT_AS },
};

int submit_limit_resource(const char *name)
{
    for (size_t i = 0; i < ARRAY_N(limit_names); i++) {
        if (strcmp(limit_names[i].name, name) == 0)
            return limit_names[i].resource;
    }
    return -1;
}

static bool propagates(const struct words *words, const char *name)
{
    AUTO_FREE char *long_name = xasprintf("RLIMIT_%s", name);

    return words_have(words, "ALL") || words_have(words, name) || words_have(words, long_name);
}

void submit_limits(const char *propagate, const struct slurm_conf *conf,
                   struct rlimit_spec **ret_limits, uint32_t *ret_limits_n)
{
    AUTO(words) struct words words = words_split(propagate ? propagate : "", ",");

    for (size_t i = 0; i < ARRAY_N(limit_names); i++) {
        int resource = limit_names[i].resource;
        struct rlimit limit;

        if (propagate ? !propagates(&words, limit_names[i].name)
                      : !slurm_conf_propagates(conf, resource))
            continue;
        if (getrlimit((__rlimit_resource_t)resource, &limit) == 0)
            *ARRAY_PUSH(*ret_limits, *ret_limits_n) =
                (struct rlimit_spec){ (uint32_t)resource, limit.rlim_cur == RLIM_INFINITY
                                                              ? UINT64_MAX
                                                              : (uint64_t)limit.rlim_cur };
    }
}

static char *host_name(void)
{
    char name[256] = "";

    if (gethostname(name, sizeof(name) - 1) < 0)
        return xstrdup("localhost");
    return xstrdup(name);
}

static void say_passed_on(const struct command *command, const struct job_body *body)
{
    for (uint32_t i = 0; i < body->limits_n; i++) {
        for (size_t k = 0; k < ARRAY_N(limit_names); k++) {
            if (limit_names[k].resource == (int)body->limits[i].resource)
                log_debug(command->log, "propagating RLIMIT_%s=%" PRIu64, limit_names[k].name,
                          body->limits[i].soft);
        }
    }
    log_debug(command->log, "propagating UMASK=%04o", body->umask);
}

void submit_fill_job(const struct command *command, struct submit_options *options, int argc,
                     char **argv)
{
    struct job_spec *job = &options->job;
    struct job_body *body = &options->body;

    body->umask = submit_umask();
    submit_limits(options->propagate, command->cli.conf, &body->limits, &body->limits_n);
    say_passed_on(command, body);
    if (!body->work_dir)
        body->work_dir = xstrdup(options->cwd ? options->cwd : "/");
    free(job->submit_host);
    job->submit_host = host_name();
    job->submit_session = (uint32_t)getsid(0);
    free(body->submit_line);
    body->submit_line = submit_line(argc, argv);
    free(job->token);
    job->token = submit_token();
}

void submit_environment(struct environment *environment, const struct submit_options *options,
                        const struct slurm_conf *conf)
{
    AUTO_FREE char *host = host_name();

    environment_set(environment, "SLURM_SUBMIT_DIR", "%s", options->cwd ? options->cwd : "/");
    environment_set(environment, "SLURM_SUBMIT_HOST", "%s", host);
    if (options->job.name)
        environment_set(environment, "SLURM_JOB_NAME", "%s", options->job.name);
    environment_set(environment, "SLURM_PRIO_PROCESS", "%d", getpriority(PRIO_PROCESS, 0));
    environment_set(environment, "SLURM_CLUSTER_NAME", "%s", conf->cluster_name);
}

void submit_blob(struct blob *blob, const void *data, size_t n)
{
    free(blob->data);
    blob->data = xmemdup(data, n);
    blob->n = (uint32_t)n;
}
