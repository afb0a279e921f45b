/* Does what must happen before tasks can start, all of it as the user. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "noded/stepd/payload.h"
#include "noded/stepd/script.h"
#include "noded/stepd/spool.h"
#include "noded/stepd/task.h"
#include "noded/stepd/user_inside.h"

#define WORK_DIR_ELSE "/tmp"
#define WORK_DIR_WAIT_MS                                                                           \
    3000 /* for a directory that is not there yet; few miss one that exists                        \
          */
#define FILES_WAIT_MS  10000
#define READER_WAIT_MS 60000 /* a person may have to type what reads */
#define BODY_MAX       (1u << 20)

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

/* Takes this very program, also when its file was replaced since. */
static void take_own_program(struct user *user)
{
    static const char *const roles[STEP_SERVICES_N] = {
        [STEP_SERVICE_RECEIVE] = RECEIVER_ROLE, [STEP_SERVICE_EXTERN] = EXTERN_ROLE
    };

    user->program = xstrdup("/proc/self/exe");
    user->argv = xcalloc(2, sizeof(*user->argv));
    user->argv[0] = xstrdup(roles[user->body.service]);
}

/* Makes the command; for a batch step the script's path and its arguments. */
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

/* Returns whether the directory may come: somebody may make it just now, or another host has and
 * this one does not see it yet. */
static bool may_come(const char *dir)
{
    AUTO_FREE char *copy = xstrdup(dir);

    return access(dirname(copy), F_OK) == 0;
}

/* Enters the step's directory; returns false when it may be there later. */
static bool enter_work_dir(struct user *user, int64_t waited_ms)
{
    const char *dir = user->body.work_dir;

    int code;

    if (!dir || user->has_dir || chdir(dir) == 0)
        return true;
    code = errno;
    if (code == ENOENT && waited_ms < WORK_DIR_WAIT_MS && may_come(dir)) {
        snprintf(user->lacks, sizeof(user->lacks), "couldn't chdir to `%s': %s", dir,
                 strerror(code));
        return false;
    }
    AUTO_FREE char *line = xasprintf("slurmstepd: error: couldn't chdir to `%s': %s: going to %s "
                                     "instead\n",
                                     dir, strerror(code), WORK_DIR_ELSE);
    user_say(user, line);
    if (chdir(WORK_DIR_ELSE) < 0 && chdir("/") < 0)
        user_say(user, "slurmstepd: error: couldn't chdir to `/' either\n");
    return true;
}

static bool files_may_come(const struct stdio_files *files, int64_t waited_ms)
{
    return (files->lacks_dir && waited_ms < FILES_WAIT_MS) ||
           (files->lacks_reader && waited_ms < READER_WAIT_MS);
}

int user_open_files(struct user *user, struct err *err)
{
    const int64_t now = clock_mono_ms();
    struct err why = { 0 };
    int64_t waited_ms;
    int rc;

    if (!user->opening_ms)
        user->opening_ms = now;
    waited_ms = now - user->opening_ms;
    if (!enter_work_dir(user, waited_ms))
        return 1;
    user->has_dir = true;
    rc = streams_open_files(&user->streams, &user->body, user_node_index(user), &why);
    if (rc == 0)
        return 0;
    if (!files_may_come(&user->streams.files, waited_ms))
        return err_set(err, why.code, "%s", why.text);
    snprintf(user->lacks, sizeof(user->lacks), "%s", why.text);
    return 1;
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
    task_limits_warn(user->body.limits, user->body.limits_n, &user->unsaid);
    user->tasks_n = user_here(user)->tasks_n;
    user->tasks = xcalloc(user->tasks_n, sizeof(*user->tasks));
    user->epilogs = xcalloc(user->tasks_n, sizeof(*user->epilogs));
    return rc;
}
