#include "noded/monitor/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noded/stepd/stepd.h"

#define BODY_MAX (1 << 20)

/*
 * Checks that the file is in memory: reading anything else that the agent could send (a pipe, a
 * file of a file system that it serves itself) might never return.
 */
static int check_memory_file(int fd, const char *what, off_t max, struct err *err)
{
    struct stat status;

    if (fcntl(fd, F_GET_SEALS) < 0 || fstat(fd, &status) < 0)
        return err_set(err, EINVAL, "the %s came in something other than a memory file", what);
    if (status.st_size > max)
        return err_set(err, E_TOO_BIG, "the %s has %lld bytes: at most %lld are allowed", what,
                       (long long)status.st_size, (long long)max);
    return 0;
}

/* Checks the hash of the body. The agent could still change the file, so the step's user side
 * checks again what it reads. */
static int check_body(int fd, const struct blob *sha256, struct err *err)
{
    struct crypt_hash hash;
    uint8_t block[16384], sum[CRYPT_SHA256_N];
    off_t at = 0;
    ssize_t n;

    crypt_hash_init(&hash);
    while ((n = pread(fd, block, sizeof(block), at)) > 0 && at <= BODY_MAX) {
        crypt_hash_add(&hash, block, (size_t)n);
        at += n;
    }
    crypt_hash_end(&hash, sum);
    if (!crypt_equal(sum, sha256->data, sizeof(sum)))
        return err_set(err, E_AUTH, "the launch body (%lld bytes) is not the one that was signed",
                       (long long)at);
    return 0;
}

static int check_files(const struct priv_msg *msg, const struct priv_launch *order,
                       const struct launch_cred *cred, struct err *err)
{
    int rc = check_memory_file(msg->fds[0], "launch body", BODY_MAX, err);

    if (rc == 0)
        rc = check_body(msg->fds[0], &cred->body_sha256, err);
    if (rc == 0 && order->has_environment)
        rc = check_memory_file(msg->fds[1], "environment", BLOB_MAX, err);
    if (rc == 0 && order->has_script)
        rc = check_memory_file(msg->fds[msg->fds_n - 1], "script", BLOB_MAX, err);
    return rc;
}

static int check_number(const struct launch_context *context, const struct spool_name *name,
                        struct err *err)
{
    uint32_t forgotten = fence_forgotten(context->fence, name->job_id, name->step_id);

    if (forgotten >= name->launch_number)
        return err_set(err, E_STALE, "job %u step %u: launch %u, %u was obeyed and forgotten",
                       name->job_id, name->step_id, name->launch_number, forgotten);
    return held_check(context->held, name, err);
}

static int start(const struct launch_context *context, const struct priv_msg *msg,
                 const struct priv_launch *order, const struct launch_cred *cred, int record_fd,
                 ino_t *ret_socket_file, struct err *err)
{
    const struct monitor_options *options = context->options;
    AUTO_CLOSE int listener = -1;
    pid_t pid;
    int rc = held_open_socket(context->held, record_fd, &listener, ret_socket_file, err);

    if (rc < 0)
        return rc;
    struct stepd_launch launch = {
        .cred = cred,
        .spool_fd = context->spool_fd,
        .record_fd = record_fd,
        .listen_fd = listener,
        .body_fd = msg->fds[0],
        .environment_fd = order->has_environment ? msg->fds[1] : -1,
        .script_fd = order->has_script ? msg->fds[msg->fds_n - 1] : -1,
        .controller = order->controller,
        .spool_dir = options->spool_dir,
        .conf_path = options->conf_path,
        .cgroups = options->cgroups,
        .bounds = options->bounds,
        .bind = options->bind,
        .container = options->container,
        .use_pam = options->use_pam,
        .sample_s = options->sample_s,
        .slurm_uid = options->slurm_uid,
        .authc = options->authc,
        .clock = options->clock,
        .task_prolog = options->task_prolog,
        .task_epilog = options->task_epilog,
        .log_path = options->log_path,
        .log_level = options->log_level,
    };
    return stepd_start(&launch, &pid, err);
}

/* Fails with the text and code that the controller needs to take the node out of service. */
static int spool_failed(const struct err *why, struct err *err)
{
    if (why->code == ENOSPC || why->code == EDQUOT)
        return err_set(err, E_SPOOL, "SlurmdSpoolDir is full");
    return err_set(err, E_SPOOL, "SlurmdSpoolDir: %s", why->text);
}

static int record(const struct launch_context *context, const struct priv_launch *order,
                  const struct launch_cred *cred, const struct spool_name *name, int *ret_fd,
                  struct err *err)
{
    struct err why = { 0 };
    int rc = fence_raise(context->fence, cred->incarnation, &why);

    if (rc == 0)
        rc = spool_make(context->steps_fd, name, ret_fd, &why);
    if (rc == 0)
        rc = spool_write(*ret_fd, "launch", order->cred, order->cred_n, &why);
    return rc < 0 ? spool_failed(&why, err) : 0;
}

/* Writes the record and forks the step. From here on the launch number is spent, whatever
 * happens. */
static int record_and_start(const struct launch_context *context, const struct priv_msg *msg,
                            const struct priv_launch *order, const struct launch_cred *cred,
                            const struct spool_name *name, struct err *err)
{
    AUTO_CLOSE int record_fd = -1;
    ino_t socket_file = 0;
    int rc = record(context, order, cred, name, &record_fd, err);

    if (rc == 0)
        rc = start(context, msg, order, cred, record_fd, &socket_file, err);
    if (rc == 0)
        held_add(context->held, name, socket_file);
    else if (record_fd >= 0)
        /* Nothing was started; a socket that is there may be one of those that are kept. */
        (void)spool_remove(context->steps_fd, name, true, NULL);
    return rc;
}

int launch_obey(const struct launch_context *context, const struct priv_msg *msg,
                struct spool_name *ret_name, struct err *err)
{
    struct priv_launch order;
    AUTO(launch_cred) struct launch_cred cred;
    int rc = priv_launch_decode(msg, &order, err);

    launch_cred_init(&cred);
    if (rc == 0)
        rc = verify_launch(context->node, order.cred, order.cred_n, order.signature, &cred, err);
    if (rc < 0)
        return rc;
    *ret_name = (struct spool_name){ cred.job_id, cred.step_id, cred.launch_number };
    rc = check_number(context, ret_name, err);
    if (rc == 0)
        rc = gate_check(context->gate, &cred, err);
    if (rc == -EINPROGRESS)
        gate_hold(context->gate, msg, &cred);
    if (rc == 0)
        rc = check_files(msg, &order, &cred, err);
    if (rc == 0)
        rc = record_and_start(context, msg, &order, &cred, ret_name, err);
    return rc;
}
