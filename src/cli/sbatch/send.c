#include "cli/sbatch/send.h"

#include <errno.h>

#include "cli/submit/request.h"
#include "common/base/clock.h"
#include "common/msg/types.h"

#define QUIET_MS    2000  /* before the user is told that we wait */
#define PATIENCE_MS 60000 /* for a controller that was there, and may have the job */

static int send_once(struct client *client, const struct strbuf *script,
                     const struct strbuf *environment, struct job_submit *request,
                     struct job_submitted *ret_done, struct err *err)
{
    uint8_t sha256[SHA256_BYTES];
    int rc = client_put_blob(client, script->data, script->len, sha256, err);

    if (rc < 0)
        return rc;
    submit_blob(&request->spec->script_sha256, sha256, sizeof(sha256));
    rc = client_put_blob(client, environment->data, environment->len, sha256, err);
    if (rc < 0)
        return rc;
    submit_blob(&request->spec->environment_sha256, sha256, sizeof(sha256));
    return client_call(client, MSG_JOB_SUBMIT, request, MSG_JOB_SUBMITTED, ret_done, err);
}

static bool is_worth_another_try(int rc)
{
    return rc == -E_CLOSED || rc == -E_CONTACT || rc == -E_TIMEOUT || rc == -ETIMEDOUT;
}

static void say_waiting(const struct command *command)
{
    log_info(command->log, "Slurm controller not responding, sleeping and retrying.");
}

static int connect_first(struct command *command, struct err *err)
{
    const int all_ms = (int)command->cli.conf->message_timeout_s * 1000;
    int rc = cli_connect_within(&command->cli, QUIET_MS, err);

    if (rc == 0 || !is_worth_another_try(rc) || all_ms <= QUIET_MS)
        return rc;
    say_waiting(command);
    return cli_connect_within(&command->cli, all_ms - QUIET_MS, err);
}

static int connect_again(struct command *command, int64_t deadline_ms, bool *told, struct err *err)
{
    struct client *client = command->cli.client;
    int rc = client_reconnect(client, *told ? 0 : QUIET_MS, err);

    if (rc == 0 || !is_worth_another_try(rc))
        return rc;
    if (!*told)
        say_waiting(command);
    *told = true;
    const int64_t left_ms = deadline_ms - clock_mono_ms();
    return left_ms > 0 ? client_reconnect(client, (int)left_ms, err) : rc;
}

int sbatch_send(struct command *command, const struct strbuf *script,
                const struct strbuf *environment, struct job_submit *request,
                struct job_submitted *ret_done, struct err *err)
{
    bool told = false;
    int rc = connect_first(command, err);

    if (rc < 0)
        return rc;
    const int64_t deadline_ms = clock_mono_ms() + PATIENCE_MS;
    for (;;) {
        rc = send_once(command->cli.client, script, environment, request, ret_done, err);
        if (rc == 0 || !is_worth_another_try(rc) || clock_mono_ms() >= deadline_ms)
            return rc;
        rc = connect_again(command, deadline_ms, &told, err);
        if (rc < 0)
            return rc;
    }
}
