#include "cli/lib/command.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "common/text/words.h"

void command_init(struct command *command, const char *name)
{
    memset(command, 0, sizeof(*command));
    command->name = name;
    command->log = log_new_command(name, LOG_INFO);
    signal(SIGPIPE, SIG_IGN);
}

void command_clear(struct command *command)
{
    cli_close(&command->cli);
    command->log = log_free(command->log);
}

void command_auto_(struct command *command)
{
    command_clear(command);
}

void command_set_verbosity(struct command *command, uint32_t verbose, uint32_t quiet)
{
    uint32_t level = LOG_INFO + verbose;

    if (quiet)
        level = LOG_ERROR;
    log_set_level(command->log, level > LOG_DEBUG5 ? LOG_DEBUG5 : (enum log_level)level);
}

static void log_lines(const struct command *command, enum log_level level, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, "\n");

        log_at(command->log, level, "%.*s", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

void command_report(const struct command *command, const char *what, const struct err *err)
{
    const char *reason = err_string(err->code);

    if (!what || strcmp(err->text, reason) != 0)
        log_lines(command, LOG_ERROR, err->text);
    if (what)
        log_error(command->log, "%s: %s", what, reason);
}

void command_say_waiting(const struct command *command)
{
    log_info(command->log, "Slurm controller not responding, sleeping and retrying.");
}

bool command_is_away(int rc)
{
    return rc == -E_CLOSED || rc == -E_CONTACT || rc == -E_TIMEOUT || rc == -ETIMEDOUT;
}

int command_connect(struct command *command, enum rpc_role role, int patience_ms, struct err *err)
{
    const int quiet_ms = patience_ms < COMMAND_QUIET_MS ? patience_ms : COMMAND_QUIET_MS;
    int rc = cli_connect_within(&command->cli, role, quiet_ms, err);

    if (rc == 0 || !command_is_away(rc) || quiet_ms == patience_ms)
        return rc;
    command_say_waiting(command);
    return cli_connect_within(&command->cli, role, patience_ms - quiet_ms, err);
}

void command_say(const struct command *command, const char *text)
{
    log_lines(command, LOG_INFO, text);
}

static int status_of(const char *variable)
{
    const char *text = getenv(variable);
    uint64_t status = 1;

    if (text && number_parse(text, 0, 255, &status, NULL) < 0)
        return 1;
    return (int)status;
}

int command_exit_error(void)
{
    return status_of("SLURM_EXIT_ERROR");
}

int command_exit_immediate(void)
{
    return status_of("SLURM_EXIT_IMMEDIATE");
}
