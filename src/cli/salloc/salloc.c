#include "cli/salloc/salloc.h"

#include <pwd.h>
#include <unistd.h>

#include "cli/salloc/run.h"
#include "cli/submit/allocation.h"
#include "cli/submit/destination.h"
#include "cli/submit/request.h"

struct salloc {
    struct command command;
    struct submit_options options;
    char **argv; /* of the command, ended by NULL; NULL: none */
};

static char *user_shell(void)
{
    const char *shell = getenv("SHELL");
    const struct passwd *user = getpwuid(getuid());

    if (shell && *shell)
        return xstrdup(shell);
    return xstrdup(user && user->pw_shell[0] ? user->pw_shell : "/bin/sh");
}

/* Takes the user's shell when no command is given: here, or as a step on the job's first node. */
static void use_shell(struct salloc *salloc, uint32_t *n)
{
    const struct slurm_conf *conf = salloc->command.cli.conf;

    if (!conf->use_interactive_step) {
        *ARRAY_PUSH(salloc->argv, *n) = user_shell();
        return;
    }
    *ARRAY_PUSH(salloc->argv, *n) = xstrdup("/bin/sh"); /* which knows $SHELL, and quotes */
    *ARRAY_PUSH(salloc->argv, *n) = xstrdup("-c");
    *ARRAY_PUSH(salloc->argv, *n) = xasprintf("exec srun %s", conf->interactive_step_options);
}

static void fill(struct salloc *salloc, int argc, char **argv, int operand)
{
    struct job_spec *job = &salloc->options.job;
    uint32_t n = 0;

    for (int i = operand; i < argc; i++)
        *ARRAY_PUSH(salloc->argv, n) = xstrdup(argv[i]);
    if (n == 0)
        use_shell(salloc, &n);
    *ARRAY_PUSH(salloc->argv, n) = NULL;
    if (!job->name)
        job->name = xstrdup("interactive");
    job->kind = JOB_KIND_ALLOC;
    job->no_client = salloc->options.no_shell;
    submit_obey_conf(&salloc->command, &salloc->options);
    submit_fill_job(&salloc->command, &salloc->options, argc, argv);
}

static int run(struct salloc *salloc, int argc, char **argv)
{
    struct command *command = &salloc->command;
    struct err err = { 0 };
    int operand = 0;

    int status = submit_begin(command, &salloc->options, argc, argv, &operand);
    if (status < 0)
        status = submit_check(command, &salloc->options);
    if (status >= 0)
        return status;
    if (cli_load(&command->cli, &err) < 0 ||
        submit_check_by_conf(command, &salloc->options, &err) < 0) {
        command_report(command, NULL, &err);
        return command_exit_error();
    }
    fill(salloc, argc, argv, operand);
    if (destination_choose(command, &salloc->options) < 0)
        return command_exit_error();
    if (cli_connect(&command->cli, RPC_ROLE_CLIENT, &err) < 0) {
        command_report(command, ALLOCATION_FAILED, &err);
        return command_exit_error();
    }
    return salloc_run(command, &salloc->options, salloc->argv);
}

int salloc_main(int argc, char **argv)
{
    struct salloc salloc = { 0 };
    int status;

    command_init(&salloc.command, "salloc");
    submit_options_init(&salloc.options, SUBMIT_SALLOC);
    status = run(&salloc, argc, argv);
    for (uint32_t i = 0; salloc.argv && salloc.argv[i]; i++)
        free(salloc.argv[i]);
    free(salloc.argv);
    submit_options_clear(&salloc.options);
    command_clear(&salloc.command);
    return status;
}
