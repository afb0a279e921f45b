#include "cli/sbatch/send.h"

#include <errno.h>

#include "cli/submit/request.h"
#include "common/base/clock.h"
#include "common/msg/types.h"

#define PATIENCE_MS 60000 /* for a controller that was there, and may have the job */

static int send_once(struct client *client, const struct strbuf *script,
                     const struct strbuf *environment, struct job_submit *request,
                     struct job_submitted *ret_done, struct err *err)
{
    uint8_t sha256[SHA256_BYTES];
    int rc = client_put_blob(client, script->data, script->len, sha256, err);

    if (rc < 0)
        return rc;
    submit_blob(&request->body->script_sha256, sha256, sizeof(sha256));
    rc = client_put_blob(client, environment->data, environment->len, sha256, err);
    if (rc < 0)
        return rc;
    submit_blob(&request->body->environment_sha256, sha256, sizeof(sha256));
    return client_call(client, MSG_JOB_SUBMIT, request, MSG_JOB_SUBMITTED, ret_done, err);
}

static int connect_again(struct command *command, int64_t deadline_ms, bool *told, struct err *err)
{
    struct client *client = command->cli.client;
    int rc = client_reconnect(client, *told ? 0 : COMMAND_QUIET_MS, err);

    if (rc == 0 || !command_is_away(rc))
        return rc;
    if (!*told)
        command_say_waiting(command);
    *told = true;
    const int64_t left_ms = deadline_ms - clock_mono_ms();
    return left_ms > 0 ? client_reconnect(client, (int)left_ms, err) : rc;
}

int sbatch_send(struct command *command, const struct strbuf *script,
                const struct strbuf *environment, struct job_submit *request,
                struct job_submitted *ret_done, struct err *err)
{
    bool told = false;
    int rc = command_connect(command, RPC_ROLE_CLIENT,
                             (int)command->cli.conf->message_timeout_s * 1000, err);

    if (rc < 0)
        return rc;
    const int64_t deadline_ms = clock_mono_ms() + PATIENCE_MS;
    for (;;) {
        rc = send_once(command->cli.client, script, environment, request, ret_done, err);
        if (rc == 0 || !command_is_away(rc) || clock_mono_ms() >= deadline_ms)
            return rc;
        rc = connect_again(command, deadline_ms, &told, err);
        if (rc < 0)
            return rc;
    }
}
