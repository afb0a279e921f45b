#include "auth/main/munged.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "auth/cli/common.h"
#include "auth/main/detach.h"
#include "auth/main/keyring.h"
#include "auth/main/options.h"
#include "auth/main/origin.h"
#include "auth/main/place.h"
#include "auth/main/seed.h"
#include "auth/main/server.h"
#include "common/net/manager.h"

enum { STOP_WAIT_MS = 10000, REAP_WAIT_MS = 2000 };
static const char MUNGE_USER[] = "munge";

struct munged {
    struct munged_options options;
    struct log *log;
    struct clock clock;
    struct place_owner owner; /* who we are, once started */
    struct event_base *base;
    struct event *signals[3];
    struct net_manager *manager; /* of services, NULL: none started us */
    struct authority *authority;
    struct keyring keyring;
    struct server *server;
    int fd;
    int lock_fd;
    bool has_pid_file;
    struct err warning; /* what was insecure and let pass */
};

/* Prints a warning for the user who starts us, who may see nothing of the log. */
static void warn(const struct munged *munged, const char *text)
{
    bool has_file = log_fd(munged->log) >= 0;

    log_set_stderr(munged->log, true);
    log_info(munged->log, "Warning: %s", text);
    log_set_stderr(munged->log, !has_file);
}

static void tell_warning(struct munged *munged)
{
    if (munged->warning.code)
        warn(munged, munged->warning.text);
    munged->warning = (struct err){ 0 };
}

/* WHO WE BECOME */

/*
 * Finds who owns the key: root starts us, or the user who owns it. Started by root, we become that
 * user if it is munge; a key that root owns only root can read again.
 */
static struct key_policy choose_owner(struct munged *munged)
{
    const struct passwd *account = geteuid() == 0 ? getpwnam(MUNGE_USER) : NULL;
    struct key_policy policy = { .owners = { geteuid() },
                                 .owners_n = 1,
                                 .trusted_gid = munged->options.trusted_gid,
                                 .force = munged->options.force };
    struct stat st;

    munged->owner = (struct place_owner){
        .uid = geteuid(),
        .gid = getegid(),
        .trusted = (uid_t)-1,
        .trusted_gid = munged->options.trusted_gid,
        .force = munged->options.force,
        .warning = &munged->warning,
    };
    if (!account || account->pw_uid == 0)
        return policy;
    policy.owners[policy.owners_n++] = munged->owner.trusted = account->pw_uid;
    if (lstat(munged->options.key_file, &st) == 0 && st.st_uid == account->pw_uid) {
        munged->owner.uid = account->pw_uid;
        munged->owner.gid = account->pw_gid;
    }
    return policy;
}

static int drop_root(const struct munged *munged, struct err *err)
{
    const struct place_owner *owner = &munged->owner;

    if (owner->uid == geteuid())
        return 0;
    if (setgroups(1, &owner->gid) < 0 || setresgid(owner->gid, owner->gid, owner->gid) < 0 ||
        setresuid(owner->uid, owner->uid, owner->uid) < 0)
        return err_set(err, errno, "cannot become uid %u: %s", owner->uid, strerror(errno));
    if (setuid(0) == 0 || setgid(0) == 0)
        return err_set(err, EPERM, "root rights are still there after becoming uid %u", owner->uid);
    return 0;
}

/* STARTING, step by step; each fails with a text that says all */

/* Keeps core files, which would hold the key, from being written. */
static int guard_memory(struct munged *munged, struct err *err)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
    if (munged->options.mlockall && mlockall(MCL_CURRENT | MCL_FUTURE) < 0)
        return err_set(err, errno, "--mlockall: %s", strerror(errno));
    return 0;
}

/* Opens the log before all else, so that everything else is said there. */
static int open_log(struct munged *munged, struct err *err)
{
    const char *path = munged->options.log_file;
    int rc;

    if (munged->options.foreground)
        return 0;
    rc = place_directory_of(path, 0700, &munged->owner, err);
    if (rc == 0)
        rc = place_log_file(path, &munged->owner, err);
    tell_warning(munged);
    return rc < 0 ? rc : log_open(munged->log, path, err);
}

static int find_origin(const struct munged *munged, uint8_t ret_addr[4], struct err *err)
{
    struct origin origin = { 0 };
    struct err why = { 0 };

    if (origin_find(munged->options.origin, &origin, &why) < 0) {
        AUTO_FREE char *text = xasprintf("%s; origin set to null address", why.text);

        if (!munged->options.force)
            return err_set(err, why.code, "%s", why.text);
        warn(munged, text);
    }
    memcpy(ret_addr, origin.addr, sizeof(origin.addr));
    log_info(munged->log, "Set origin address to %u.%u.%u.%u%s%s%s", origin.addr[0], origin.addr[1],
             origin.addr[2], origin.addr[3], *origin.interface ? " (" : "", origin.interface,
             *origin.interface ? ")" : "");
    return 0;
}

static int open_key(struct munged *munged, const struct key_policy *policy, struct err *err)
{
    struct authority_options options = {
        .max_ttl = munged->options.max_ttl,
        .addr_n = 4,
        .replay_slots_max = REPLAY_SLOTS_MAX,
        .reserved = munged->options.reserved,
        .reserved_n = munged->options.reserved_n,
        .refresh_key = keyring_refresh,
        .refresh_arg = &munged->keyring,
    };
    int rc = find_origin(munged, options.addr, err);

    if (rc < 0)
        return rc;
    munged->authority = authority_new(&options);
    munged->keyring = (struct keyring){ .path = munged->options.key_file,
                                        .policy = *policy,
                                        .authority = munged->authority,
                                        .log = munged->log };
    return keyring_open(&munged->keyring, err);
}

static int make_places(struct munged *munged, struct err *err)
{
    const struct munged_options *options = &munged->options;
    const struct place_owner *owner = &munged->owner;
    int rc = place_directory_of(options->socket, 0755, owner, err);

    if (rc == 0)
        rc = place_socket(options->socket, owner, &munged->fd, &munged->lock_fd, err);
    if (rc == 0)
        rc = place_directory_of(options->pid_file, 0755, owner, err);
    tell_warning(munged);
    if (rc == 0)
        rc = place_pid_file(options->pid_file, owner, err);
    tell_warning(munged);
    munged->has_pid_file = rc == 0;
    return rc;
}

static void on_reload(evutil_socket_t number, short what, void *arg)
{
    struct munged *munged = arg;
    struct err err = { 0 };

    (void)number;
    (void)what;
    if (!munged->options.foreground && log_open(munged->log, munged->options.log_file, &err) < 0)
        log_error(munged->log, "%s", err.text);
    keyring_reload(&munged->keyring);
}

static void on_stop(evutil_socket_t number, short what, void *arg)
{
    struct munged *munged = arg;

    (void)what;
    log_info(munged->log, "Stopping on signal %d (%s)", (int)number, strsignal((int)number));
    event_base_loopbreak(munged->base);
}

static void serve(struct munged *munged)
{
    static const struct {
        int number;
        event_callback_fn fn;
    } signals[] = { { SIGHUP, on_reload }, { SIGTERM, on_stop }, { SIGINT, on_stop } };
    struct server_options options = { .authority = munged->authority,
                                      .log = munged->log,
                                      .clock = &munged->clock,
                                      .fd = munged->fd,
                                      .deadline_ms = SERVER_DEADLINE_MS,
                                      .before_request = keyring_watch,
                                      .arg = &munged->keyring };

    munged->base = options.base = event_base_new();
    for (size_t i = 0; i < ARRAY_N(signals); i++) {
        munged->signals[i] = evsignal_new(munged->base, signals[i].number, signals[i].fn, munged);
        event_add(munged->signals[i], NULL);
    }
    munged->server = server_new(&options);
}

/* Writes what `systemctl status` shows. */
static void describe(void *ctx, struct strbuf *out)
{
    const struct munged *munged = ctx;

    strbuf_addf(out, "serves %s, key fingerprint %s", munged->options.socket,
                munged->keyring.key.fingerprint);
}

static void announce(const struct munged *munged)
{
    const struct munged_options *options = &munged->options;

    log_info(munged->log, "munged %s started: pid %d, uid %u, socket %s, key fingerprint %s",
             SLUICE_VERSION, getpid(), geteuid(), options->socket, munged->keyring.key.fingerprint);
    if (options->ignored.len)
        log_info(munged->log, "without effect here: %s", options->ignored.data);
}

static int start(struct munged *munged, struct err *err)
{
    const struct key_policy policy = choose_owner(munged);
    int rc = open_log(munged, err);

    if (rc == 0)
        rc = guard_memory(munged, err);
    if (rc == 0)
        rc = open_key(munged, &policy, err);
    if (rc == 0)
        rc = seed_take(munged->options.seed_file, err);
    if (rc == 0)
        rc = make_places(munged, err);
    if (rc == 0)
        rc = drop_root(munged, err);
    if (rc == 0) {
        serve(munged);
        announce(munged);
    }
    return rc;
}

static void release(struct munged *munged)
{
    munged->manager = net_manager_free(munged->manager);
    munged->server = server_free(munged->server);
    for (size_t i = 0; i < ARRAY_N(munged->signals); i++) {
        if (munged->signals[i])
            event_free(munged->signals[i]);
    }
    if (munged->base)
        event_base_free(munged->base);
    munged->authority = authority_free(munged->authority);
    key_wipe(&munged->keyring.key);
}

/* Removes only what is ours: without the lock, the socket and the process id are another's. */
static void remove_places(struct munged *munged)
{
    AUTO_FREE char *lock = xasprintf("%s.lock", munged->options.socket);

    if (munged->has_pid_file)
        unlink(munged->options.pid_file);
    if (munged->lock_fd < 0)
        return;
    close(munged->fd);
    unlink(munged->options.socket);
    unlink(lock);
    close(munged->lock_fd);
}

static int run(struct munged *munged)
{
    struct err err = { 0 };
    int ready_fd = -1;
    int rc = 0;

    if (!munged->options.foreground)
        rc = detach_start(&ready_fd, &err);
    if (rc == 0)
        rc = start(munged, &err);
    if (rc == 0) {
        detach_ready(ready_fd);
        munged->manager = net_manager_new(munged->base, describe, munged);
        event_base_dispatch(munged->base);
        if (seed_leave(munged->options.seed_file, &munged->owner, &err) < 0)
            log_info(munged->log, "Warning: %s", err.text);
        log_info(munged->log, "munged %s stopped", SLUICE_VERSION);
    } else {
        log_set_stderr(munged->log, true);
        log_info(munged->log, "Error: %s", err.text);
        net_manager_failed(err.text);
    }
    release(munged);
    remove_places(munged);
    return rc < 0 ? 1 : 0;
}

/* STOPPING ANOTHER */

/*
 * Waits until the number of a process that has ended is free: its parent has to look first, which
 * is soon.
 */
static void wait_reaped(int pidfd)
{
    for (int waited = 0; waited < REAP_WAIT_MS; waited += 5) {
        if (pidfd_send_signal(pidfd, 0, NULL, 0) < 0)
            return;
        poll(NULL, 0, 5);
    }
}

static int stop(const struct munged_options *options, struct err *err)
{
    pid_t pid;
    int rc = place_find_daemon(options->socket, &pid, err);

    if (rc < 0)
        return rc;

    AUTO_CLOSE int fd = pidfd_open(pid, 0);

    if (fd < 0 || pidfd_send_signal(fd, SIGTERM, NULL, 0) < 0)
        return err_set(err, errno, "cannot end munged, pid %d: %s", pid, strerror(errno));
    if (poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, STOP_WAIT_MS) != 1)
        return err_set(err, ETIMEDOUT, "munged, pid %d, has not ended in %d s", pid,
                       STOP_WAIT_MS / 1000);
    wait_reaped(fd);
    if (options->verbose)
        fprintf(stderr, "munged: Info: Terminated daemon %d at socket \"%s\"\n", pid,
                options->socket);
    return 0;
}

static int act(struct munged *munged, struct err *err)
{
    AUTO(strbuf) struct strbuf help = { 0 };

    switch (munged->options.action) {
    case MUNGED_RUN:
        return run(munged);
    case MUNGED_STOP:
        return stop(&munged->options, err);
    case MUNGED_VERSION:
        cli_print_version("munged");
        return 0;
    case MUNGED_LICENSE:
        cli_print_license();
        return 0;
    case MUNGED_HELP:
        munged_options_help(&help, "munged");
        fputs(help.data, stdout);
        return 0;
    }
    return 0;
}

int munged_main(int argc, char **argv)
{
    static const enum log_level levels[] = { LOG_INFO, LOG_VERBOSE, LOG_DEBUG };
    struct munged munged = { .fd = -1, .lock_fd = -1, .clock = clock_from_env() };
    struct err err = { 0 };
    unsigned verbose;
    int rc = munged_options_parse(argc, argv, &munged.options, &err);

    if (rc == 0) {
        verbose = munged.options.verbose < 2 ? munged.options.verbose : 2;
        munged.log = log_new_daemon("munged", levels[verbose]);
        rc = act(&munged, &err);
        log_free(munged.log);
        munged_options_clear(&munged.options);
    }
    if (rc < 0)
        fprintf(stderr, "munged: Error: %s\n", err.text);
    return rc == 0 ? 0 : 1;
}
