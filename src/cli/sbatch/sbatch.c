#include "cli/sbatch/sbatch.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/sbatch/send.h"
#include "cli/sbatch/wait.h"
#include "cli/submit/destination.h"
#include "cli/submit/request.h"
#include "cli/submit/script.h"
#include "common/msg/types.h"
#include "common/text/words.h"

#define LOGIN_TIMEOUT_S  8
#define FAILED_TO_SUBMIT "Batch job submission failed"

extern char **environ;

struct sbatch {
    struct command command;
    struct submit_options options;
    struct strbuf script, environment;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Adds what --bbf asks for. */
static int add_head(struct sbatch *sbatch, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO_FREE char *path = NULL;
    const char *name = sbatch->options.script_head;

    if (!name)
        return 0;
    if (script_read(name, &text, &path, NULL) < 0 || text.len == 0 ||
        memchr(text.data, '\0', text.len))
        return err_set(err, ERANGE, "Invalid --bbf specification: %.100s is no file with text",
                       name);
    script_insert(&sbatch->script, strbuf_text(&text));
    return 0;
}

/* Reads the script's text, and names the job after it when nobody gave a name. */
static int read_script(struct sbatch *sbatch, const char *name, bool has_operand, struct err *err)
{
    struct job_spec *job = &sbatch->options.job;
    AUTO_FREE char *path = NULL;
    const char *default_name = name ? base_name(name) : "sbatch";
    int rc;

    if (sbatch->options.wrap && has_operand)
        return err_set(err, E_NO_SCRIPT, "Script arguments not permitted with --wrap option");
    if (sbatch->options.wrap) {
        script_wrap(sbatch->options.wrap, &sbatch->script);
        default_name = "wrap";
    } else {
        rc = script_read(name, &sbatch->script, &path, err);
        if (rc < 0)
            return rc;
    }
    rc = script_check(strbuf_text(&sbatch->script), sbatch->script.len, err);
    if (rc < 0)
        return rc;
    if (path)
        sbatch->options.body.command =
            path[0] == '/' ? STEAL(path) : xasprintf("%s/%s", sbatch->options.cwd, path);
    rc = sbatch->options.wrap ? 0
                              : script_apply_directives(name ? name : "(standard input)",
                                                        strbuf_text(&sbatch->script),
                                                        sbatch->script.len, &sbatch->options, err);
    if (rc == 0)
        rc = add_head(sbatch, err);
    if (rc == 0 && !job->name)
        job->name = xstrdup(default_name);
    return rc;
}

/* Reads "10L", "5" or "L": seconds to wait for the login shell. */
static int login_timeout(const char *text)
{
    AUTO_FREE char *digits = xstrndup(text ? text : "", text ? strspn(text, "0123456789") : 0);
    uint64_t seconds;

    if (number_parse(digits, 1, 300, &seconds, NULL) < 0)
        return LOGIN_TIMEOUT_S;
    return (int)seconds;
}

static void add_login(struct sbatch *sbatch, struct environment *environment)
{
    AUTO(environment) struct environment login = { 0 };
    struct err err = { 0 };

    if (environment_login(&login, login_timeout(sbatch->options.get_user_env), &err) < 0)
        log_info(sbatch->command.log, "warning: %s; the job gets HOME, USER and PATH only",
                 err.text);
    environment_add_missing(environment, &login);
    environment_set(environment, "SLURM_GET_USER_ENV", "1");
}

/* Reads variables from --export-file: "NAME=value", each ended by a zero byte. */
static int read_export_file(struct sbatch *sbatch, struct environment *environment, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO_FREE char *path = NULL;
    AUTO_FREE char *found = NULL;
    struct err why = { 0 }; /* Slurm has words of its own for all but one cause */
    uint64_t fd;

    if (number_parse(sbatch->options.export_file, 0, 1u << 20, &fd, NULL) == 0)
        path = xasprintf("/proc/self/fd/%u", (unsigned)fd);
    int rc = script_read(path ? path : sbatch->options.export_file, &text, &found, &why);
    if (rc == -E_TOO_BIG)
        return err_set(
            err, -rc,
            "The user environment file %s is larger than %u bytes, the most that a job's "
            "environment may have",
            sbatch->options.export_file, BLOB_MAX);
    if (rc < 0)
        return err_set(err, -rc, "Could not open user environment file %s",
                       sbatch->options.export_file);
    for (size_t at = 0; at < text.len; at += strlen(text.data + at) + 1) {
        if (!strchr(text.data + at, '=')) /* passed over, as in Slurm */
            continue;
        AUTO_FREE char *name = xstrndup(text.data + at, strcspn(text.data + at, "="));

        environment_set(environment, name, "%s", strchr(text.data + at, '=') + 1);
    }
    return 0;
}

static int make_environment(struct sbatch *sbatch, struct err *err)
{
    const struct submit_options *options = &sbatch->options;
    AUTO(environment) struct environment mine = { 0 };
    AUTO(environment) struct environment environment = { 0 };
    bool login = false;
    int rc = 0;

    environment_copy(&mine, environ);
    environment_leave_job(&mine);
    if (options->export_file)
        rc = read_export_file(sbatch, &environment, err);
    if (rc < 0)
        return rc;
    if (!options->export_file || options->export)
        environment_export(&environment, options->export, mine.at, &login);
    if (login || options->get_user_env)
        add_login(sbatch, &environment);
    if (options->export)
        environment_set(&environment, "SLURM_EXPORT_ENV", "%s", options->export);
    environment_describe(&environment, options);
    if (options->job.cpus_per_task == COUNT_UNSET &&
        environment_get(&environment, "SLURM_CPUS_PER_TASK"))
        environment_set(&environment, "SLURM_CPUS_PER_TASK", "1"); /* not what the shell had */
    submit_environment(&environment, options, sbatch->command.cli.conf);
    return environment_encode(&environment, &sbatch->environment, err);
}

static void print_submitted(const struct sbatch *sbatch, const struct job_submitted *done)
{
    const struct submit_options *options = &sbatch->options;
    const struct slurm_conf *conf = sbatch->command.cli.conf;

    if (done->warning)
        command_say(&sbatch->command, done->warning);
    if (options->parsable && options->clusters)
        printf("%u;%s\n", done->job_id, conf->cluster_name);
    else if (options->parsable)
        printf("%u\n", done->job_id);
    else if (!options->quiet && options->clusters && slurm_conf_has_dbd(conf))
        printf("Submitted batch job %u on cluster %s\n", done->job_id, conf->cluster_name);
    else if (!options->quiet)
        printf("Submitted batch job %u\n", done->job_id);
    fflush(stdout); /* with --wait the number must not stay in the buffer */
}

static int submit(struct sbatch *sbatch)
{
    struct command *command = &sbatch->command;
    struct job_submit request;
    struct job_submitted done;
    struct err err = { 0 };
    int status = 0;

    job_submit_init(&request);
    job_submitted_init(&done);
    request.spec = &sbatch->options.job;
    request.body = &sbatch->options.body;
    request.test_only = sbatch->options.test_only;
    if (sbatch_send(command, &sbatch->script, &sbatch->environment, &request, &done, &err) < 0) {
        command_report(command, request.test_only ? "allocation failure" : FAILED_TO_SUBMIT, &err);
        return command_exit_error();
    }
    if (request.test_only)
        submit_say_planned(command, &done);
    else
        print_submitted(sbatch, &done);
    if (sbatch->options.wait && !request.test_only)
        status = sbatch_wait(command, done.job_id);
    job_submitted_clear(&done);
    return status;
}

/* Reads slurm.conf and the environment, and goes where the job goes. Returns 0, or what to exit
 * with. */
static int prepare(struct sbatch *sbatch, int argc, char **argv)
{
    struct command *command = &sbatch->command;
    struct err err = { 0 };
    int rc = cli_load(&command->cli, &err);

    if (rc == 0)
        rc = submit_check_by_conf(command, &sbatch->options, &err);
    if (rc == 0) {
        submit_obey_conf(command, &sbatch->options);
        submit_fill_job(command, &sbatch->options, argc, argv);
        if (destination_choose(command, &sbatch->options) < 0)
            return command_exit_error();
        rc = make_environment(sbatch, &err);
    }
    if (rc == 0)
        return 0;
    command_report(command, NULL, &err);
    return command_exit_error();
}

static int run(struct sbatch *sbatch, int argc, char **argv)
{
    struct command *command = &sbatch->command;
    struct job_body *body = &sbatch->options.body;
    struct err err = { 0 };
    int operand = 0;

    int status = submit_begin(command, &sbatch->options, argc, argv, &operand);
    if (status >= 0)
        return status;
    if (read_script(sbatch, operand < argc ? argv[operand] : NULL, operand < argc, &err) < 0)
        return submit_refuse(command, &err);
    status = submit_check(command, &sbatch->options);
    if (status >= 0)
        return status;
    sbatch->options.job.kind = JOB_KIND_BATCH;
    for (int i = operand + 1; i < argc; i++)
        *ARRAY_PUSH(body->script_args, body->script_args_n) = xstrdup(argv[i]);
    status = prepare(sbatch, argc, argv);
    return status ? status : submit(sbatch);
}

int sbatch_main(int argc, char **argv)
{
    struct sbatch sbatch = { 0 };
    int status;

    command_init(&sbatch.command, "sbatch");
    submit_options_init(&sbatch.options, SUBMIT_SBATCH);
    status = run(&sbatch, argc, argv);
    submit_options_clear(&sbatch.options);
    strbuf_clear(&sbatch.script);
    strbuf_clear(&sbatch.environment);
    command_clear(&sbatch.command);
    return status;
}
