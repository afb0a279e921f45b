#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "auth/cli/args.h"
#include "auth/cli/cli.h"
#include "auth/cli/common.h"
#include "common/authc/authc.h"
#include "common/authc/wire.h"

struct munge {
    int action; /* an option's letter that prints something and ends, or 0 */
    /* Source of the payload: the last of -n, -s and -i counts. */
    bool no_input;
    const char *string;
    const char *input;
    const char *output;
    struct authc_options options;
    struct authc_what what;
    uid_t uid; /* as whom to ask, or AUTHC_ANY */
    gid_t gid;
};

static int take(void *arg, const struct arg_row *row, const char *value, struct err *err)
{
    struct munge *munge = arg;

    switch (row->code) {
    case 'n':
    case 's':
    case 'i':
        munge->no_input = row->code == 'n';
        munge->string = row->code == 's' ? value : NULL;
        munge->input = row->code == 'i' ? value : NULL;
        return 0;
    case 'o':
        munge->output = value;
        return 0;
    case 'c':
    case 'm':
    case 'z':
    case 'u':
    case 'g':
    case 't':
        return cli_take_what(&munge->what, row->code, value, err);
    case 'U':
        return cli_parse_user(value, &munge->uid, err);
    case 'G':
        return cli_parse_group(value, &munge->gid, err);
    case 'S':
        munge->options.socket_path = value;
        return 0;
    default:
        munge->action = row->code;
        return 0;
    }
}

static const struct arg_row rows[] = {
    { "help", 'h', NULL, "print this text" },
    { "license", 'L', NULL, "print the license's name" },
    { "version", 'V', NULL, "print the version" },
    { "no-input", 'n', NULL, "no payload" },
    { "string", 's', "TEXT", "payload from the command line" },
    { "input", 'i', "FILE", "payload from a file" },
    { "output", 'o', "FILE", "write the credential to a file" },
    CLI_CODE_ROWS,
    { "restrict-uid", 'u', "USER", "who may decode the credential" },
    { "uid", 'U', "USER", "ask as this user (needs root)" },
    { "restrict-gid", 'g', "GROUP", "whose members may decode it" },
    { "gid", 'G', "GROUP", "ask as this group (needs root)" },
    { "ttl", 't', "SECS", "time to live; 0 the default, -1 the most allowed" },
    { "socket", 'S', "PATH", "the daemon's socket" },
};
static const struct arg_table table = { rows, ARRAY_N(rows), take, false };

static int print_and_end(int action)
{
    AUTO(strbuf) struct strbuf help = { 0 };

    if (cli_print_asked("munge", action))
        return 0;
    args_help(&table, "munge", &help);
    printf("%s\nWithout -n, -s or -i the payload is read from stdin.\n", help.data);
    return 0;
}

static int read_payload(const struct munge *munge, struct strbuf *payload, struct err *err)
{
    if (munge->no_input)
        return 0;
    if (munge->string) {
        strbuf_adds(payload, munge->string);
        return 0;
    }
    return cli_read(munge->input, AUTHC_PAYLOAD_MAX, payload, err);
}

/* Becomes the user to ask as: the daemon reads who we are from the kernel. */
static int become(const struct munge *munge, struct err *err)
{
    if (munge->gid != AUTHC_ANY && setresgid(munge->gid, munge->gid, munge->gid) < 0)
        return err_set(err, errno, "Failed to set group ID to %u: %s", munge->gid, strerror(errno));
    if (munge->uid != AUTHC_ANY && setresuid(munge->uid, munge->uid, munge->uid) < 0)
        return err_set(err, errno, "Failed to set user ID to %u: %s", munge->uid, strerror(errno));
    return 0;
}

static int write_cred(const struct munge *munge, const char *cred, struct err *err)
{
    FILE *file;
    int rc = cli_open_output(munge->output, &file, err);

    if (rc < 0)
        return rc;
    fprintf(file, "%s\n", cred);
    return cli_close_output(file, munge->output, err);
}

static int run(struct munge *munge, int *ret_status, struct err *err)
{
    AUTO(strbuf) struct strbuf payload = { 0 };
    AUTO_FREE char *cred = NULL;
    int rc = read_payload(munge, &payload, err);

    *ret_status = MUNGE_INTERNAL;
    if (rc == 0)
        rc = become(munge, err);
    if (rc < 0)
        return rc;
    munge->what.payload = payload.data;
    munge->what.payload_n = payload.len;
    rc = authc_encode_as(&munge->options, &munge->what, &cred, err);
    if (rc < 0 && rc != -E_AUTH)
        *ret_status = rc == -E_TOO_BIG ? MUNGE_BAD_LENGTH : MUNGE_SOCKET;
    return rc < 0 ? rc : write_cred(munge, cred, err);
}

int munge_main(int argc, char **argv)
{
    struct munge munge = { .what = AUTHC_WHAT, .uid = AUTHC_ANY, .gid = AUTHC_ANY };
    struct err err = { 0 };
    int status = MUNGE_INTERNAL;
    int rc = args_parse(&table, argc, argv, &munge, &err);

    if (rc == 0 && munge.action)
        return print_and_end(munge.action);
    if (rc == 0)
        rc = run(&munge, &status, &err);
    if (rc == 0)
        return 0;
    cli_complain("munge", &err);
    return status;
}
