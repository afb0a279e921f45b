/* What happens before tasks can start, all of it as the user. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noded/stepd/payload.h"
#include "noded/stepd/script.h"
#include "noded/stepd/spool.h"
#include "noded/stepd/task.h"
#include "noded/stepd/user_inside.h"

#define WORK_DIR_ELSE "/tmp"
#define BODY_MAX      (1u << 20)

static int read_environment(struct user *user, struct err *err)
{
    AUTO(strbuf) struct strbuf blob = { 0 };
    int rc;

    if (user->body.environment_sha256.n == 0 && user->launch->environment_fd < 0)
        return 0;
    rc = payload_read(user->launch->environment_fd, "environment", &user->body.environment_sha256,
                      BLOB_MAX, &blob, err);
    if (rc == 0 && blob.len)
        task_env_add_blob(&user->env, blob.data, blob.len);
    return rc;
}

static int write_script(struct user *user, struct err *err)
{
    AUTO(strbuf) struct strbuf script = { 0 };
    AUTO_CLOSE int fd = steal_fd(&user->script_fd);
    int rc = payload_read(user->launch->script_fd, "script", &user->body.script_sha256, BLOB_MAX,
                          &script, err);

    if (rc < 0)
        return rc;
    rc = spool_replace(fd, script.data, script.len);
    if (rc < 0)
        return err_set(err, -rc, "cannot write the script: %s", strerror(-rc));
    user->program = script_path(user->launch->spool_dir, user->body.job_id);
    return 0;
}

/* This very program, also when its file was replaced since. */
static void take_own_program(struct user *user)
{
    static const char *const roles[STEP_SERVICES_N] = {
        [STEP_SERVICE_RECEIVE] = RECEIVER_ROLE, [STEP_SERVICE_EXTERN] = EXTERN_ROLE
    };

    user->program = xstrdup("/proc/self/exe");
    user->argv = xcalloc(2, sizeof(*user->argv));
    user->argv[0] = xstrdup(roles[user->body.service]);
}

/* The command; for a batch step the script's path and its arguments. */
static int make_argv(struct user *user, struct err *err)
{
    const struct launch_body *body = &user->body;
    uint32_t n = 0;

    if (body->service >= STEP_SERVICES_N)
        return err_set(err, ENOTSUP, "service %u is not known here", body->service);
    if (body->service) {
        take_own_program(user);
        return 0;
    }
    if (user->script_fd < 0 && body->argv_n == 0)
        return err_set(err, EINVAL, "no command to run");
    if (user->script_fd >= 0) {
        int rc = write_script(user, err);

        if (rc < 0)
            return rc;
    }
    user->argv = xcalloc((size_t)body->argv_n + 2, sizeof(*user->argv));
    if (body->program_by_node && body->argv_n > 0)
        user->program = xasprintf("%s_%s", body->argv[0], user_here(user)->name);
    if (user->program)
        user->argv[n++] = user->program;
    for (uint32_t i = body->program_by_node; i < body->argv_n; i++)
        user->argv[n++] = body->argv[i];
    return 0;
}

static void enter_work_dir(struct user *user)
{
    const char *dir = user->body.work_dir;

    if (!dir || chdir(dir) == 0)
        return;
    AUTO_FREE char *line = xasprintf("slurmstepd: error: couldn't chdir to `%s': %s: going to %s "
                                     "instead\n",
                                     dir, strerror(errno), WORK_DIR_ELSE);
    user_say(user, line);
    if (chdir(WORK_DIR_ELSE) < 0 && chdir("/") < 0)
        user_say(user, "slurmstepd: error: couldn't chdir to `/' either\n");
}

static void finish_environment(struct user *user)
{
    for (uint32_t i = 0; i < user->body.environment_n; i++)
        task_env_add(&user->env, user->body.environment[i]);
    user->env_node = (struct task_env_node){
        .body = &user->body,
        .node_index = user->launch->cred->node_index,
        .conf_path = user->launch->conf_path,
        .devices_constrained = bounds_hide_devices(user->launch->bounds, user->launch->cgroups),
    };
}

static int read_orders(struct user *user, struct err *err)
{
    const struct launch_cred *cred = user->launch->cred;
    AUTO(strbuf) struct strbuf bytes = { 0 };
    int rc = payload_read(user->launch->body_fd, "launch body", &cred->body_sha256, BODY_MAX,
                          &bytes, err);

    if (rc == 0)
        rc = payload_decode_body(&bytes, cred, &user->body, err);
    if (rc == 0)
        rc = read_environment(user, err);
    if (rc == 0)
        rc = make_argv(user, err);
    return rc;
}

int user_set_up(struct user *user, struct err *err)
{
    int rc = read_orders(user, err);

    if (rc < 0)
        return rc;
    rc = gpu_bind_parse(user->body.gpu_bind, &user->gpu_bind, err);
    if (rc == 0)
        rc = task_binding_make(user->launch->bind, &user->body, user_node_index(user),
                               &user->binding, err);
    if (rc < 0)
        return rc;
    finish_environment(user);
    (void)umask((mode_t)user->body.umask & 0777);
    enter_work_dir(user);
    task_limits_warn(user->body.limits, user->body.limits_n, &user->unsaid);
    rc = streams_open_files(&user->streams, &user->body, user_node_index(user), err);
    user->tasks_n = user_here(user)->tasks_n;
    user->tasks = xcalloc(user->tasks_n, sizeof(*user->tasks));
    user->epilogs = xcalloc(user->tasks_n, sizeof(*user->epilogs));
    return rc;
}
