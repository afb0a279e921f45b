#include "auth/main/options.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "auth/cli/args.h"
#include "auth/cli/common.h"
#include "auth/proto/authority.h"
#include "common/authc/authc.h"

enum {
    OPT_KEY_FILE = ARG_LONG_ONLY,
    OPT_LOG_FILE,
    OPT_PID_FILE,
    OPT_SEED_FILE,
    OPT_MAX_TTL,
    OPT_ORIGIN,
    OPT_TRUSTED_GROUP,
    OPT_REPLAY_RESERVE,
    OPT_IGNORED,
};

static const struct arg_row rows[] = {
    { "help", 'h', NULL, "print this text" },
    { "license", 'L', NULL, "print the license's name" },
    { "version", 'V', NULL, "print the version" },
    { "force", 'f', NULL, "start although files are insecure or the socket exists" },
    { "foreground", 'F', NULL, "stay in the foreground, log to stderr" },
    { "mlockall", 'M', NULL, "keep all memory from being swapped out" },
    { "stop", 's', NULL, "end the daemon at the socket, wait until it is gone" },
    { "socket", 'S', "PATH", "where clients connect [" AUTHC_SOCKET_DEFAULT "]" },
    { "verbose", 'v', NULL, "log more, twice for every request; with --stop, say what ended" },
    { "key-file", OPT_KEY_FILE, "PATH", "the cluster's key [" MUNGED_KEY_FILE "]" },
    { "log-file", OPT_LOG_FILE, "PATH", "log of the daemon [" MUNGED_LOG_FILE "]" },
    { "pid-file", OPT_PID_FILE, "PATH", "its process id [" MUNGED_PID_FILE "]" },
    { "seed-file", OPT_SEED_FILE, "PATH",
      "random bytes beside the kernel's, new at each end [none]" },
    { "max-ttl", OPT_MAX_TTL, "SECS", "longest time to live, 1 to 3600 [3600]" },
    { "origin", OPT_ORIGIN, "ADDR", "address, host or interface put into credentials" },
    { "trusted-group", OPT_TRUSTED_GROUP, "GROUP", "may write to the key's directories" },
    { "replay-reserve", OPT_REPLAY_RESERVE, "USERS",
      "who keeps a part of the replay cache beside root and uids below 1000, as SlurmUser" },
    /* Supplementary groups come from the kernel, and there are no threads. */
    { "num-threads", OPT_IGNORED, "N", "without effect here" },
    { "group-check-mtime", OPT_IGNORED, "BOOL", "without effect here" },
    { "group-update-time", OPT_IGNORED, "SECS", "without effect here" },
    { "auth-server-dir", OPT_IGNORED, "PATH", "without effect here" },
    { "auth-client-dir", OPT_IGNORED, "PATH", "without effect here" },
    { "benchmark", OPT_IGNORED, NULL, "without effect here" },
    { "syslog", OPT_IGNORED, NULL, "without effect here: --log-file is used" },
};

static int parse_ttl(const char *text, uint32_t *ret, struct err *err)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end || value < 1 || value > TTL_MAX_S)
        return err_set(err, EINVAL, "--max-ttl '%s': must be a number from 1 to %d", text,
                       TTL_MAX_S);
    *ret = (uint32_t)value;
    return 0;
}

static int parse_group(const char *text, gid_t *ret, struct err *err)
{
    const struct group *group = getgrnam(text);
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (!group && (end == text || *end || value >= UINT_MAX))
        return err_set(err, EINVAL, "--trusted-group '%s': no such group", text);
    *ret = group ? group->gr_gid : (gid_t)value;
    return 0;
}

/* Reads users by name or number, between commas. */
static int parse_reserved(const char *text, struct munged_options *options, struct err *err)
{
    AUTO_FREE char *users = xstrdup(text);
    char *rest = users;
    char *user;

    options->reserved_n = 0;
    while ((user = strsep(&rest, ","))) {
        if (options->reserved_n == MUNGED_RESERVED_MAX)
            return err_set(err, EINVAL, "--replay-reserve '%s': more than %d users", text,
                           MUNGED_RESERVED_MAX);
        if (cli_parse_user(user, &options->reserved[options->reserved_n++], err) < 0)
            return err_prefix(err, "--replay-reserve '%s'", text);
    }
    return 0;
}

/* Makes a path absolute: the daemon goes to the root directory and still has to find it. */
static int take_path(const char *text, char **path, struct err *err)
{
    AUTO_FREE char *here = *text == '/' ? NULL : get_current_dir_name();

    if (*text != '/' && !here)
        return err_set(err, errno, "'%s': where this begins cannot be told: %s", text,
                       strerror(errno));
    free(*path);
    *path = here ? xasprintf("%s/%s", here, text) : xstrdup(text);
    return 0;
}

static int take(void *arg, const struct arg_row *row, const char *value, struct err *err)
{
    struct munged_options *options = arg;

    switch (row->code) {
    case 'h':
        options->action = MUNGED_HELP;
        break;
    case 'L':
        options->action = MUNGED_LICENSE;
        break;
    case 'V':
        options->action = MUNGED_VERSION;
        break;
    case 's':
        options->action = MUNGED_STOP;
        break;
    case 'f':
        options->force = true;
        break;
    case 'F':
        options->foreground = true;
        break;
    case 'M':
        options->mlockall = true;
        break;
    case 'S':
        return take_path(value, &options->socket, err);
    case 'v':
        options->verbose++;
        break;
    case OPT_KEY_FILE:
        return take_path(value, &options->key_file, err);
    case OPT_LOG_FILE:
        return take_path(value, &options->log_file, err);
    case OPT_PID_FILE:
        return take_path(value, &options->pid_file, err);
    case OPT_SEED_FILE:
        return take_path(value, &options->seed_file, err);
    case OPT_ORIGIN:
        options->origin = value;
        break;
    case OPT_MAX_TTL:
        return parse_ttl(value, &options->max_ttl, err);
    case OPT_TRUSTED_GROUP:
        return parse_group(value, &options->trusted_gid, err);
    case OPT_REPLAY_RESERVE:
        return parse_reserved(value, options, err);
    default:
        strbuf_addf(&options->ignored, "%s--%s", options->ignored.len ? ", " : "", row->name);
        break;
    }
    return 0;
}

static const struct arg_table table = { rows, ARRAY_N(rows), take, false };

void munged_options_help(struct strbuf *out, const char *program)
{
    args_help(&table, program, out);
    strbuf_adds(out,
                "\nSIGHUP reads the key again and reopens the log, SIGTERM ends the daemon.\n");
}

void munged_options_clear(struct munged_options *options)
{
    strbuf_clear(&options->ignored);
    free(options->socket);
    free(options->key_file);
    free(options->log_file);
    free(options->pid_file);
    free(options->seed_file);
}

int munged_options_parse(int argc, char **argv, struct munged_options *ret, struct err *err)
{
    struct munged_options options = { .socket = xstrdup(AUTHC_SOCKET_DEFAULT),
                                      .key_file = xstrdup(MUNGED_KEY_FILE),
                                      .log_file = xstrdup(MUNGED_LOG_FILE),
                                      .pid_file = xstrdup(MUNGED_PID_FILE),
                                      .max_ttl = TTL_MAX_S,
                                      .trusted_gid = (gid_t)-1 };
    int rc = args_parse(&table, argc, argv, &options, err);

    if (rc < 0)
        munged_options_clear(&options);
    else
        *ret = options;
    return rc;
}
