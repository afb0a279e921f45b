#include <string.h>

#include "auth/cli/args.h"
#include "auth/cli/cli.h"
#include "auth/cli/common.h"
#include "auth/cli/metadata.h"
#include "common/authc/wire.h"

struct unmunge {
    int action;
    bool no_output;
    const char *input;
    const char *metadata; /* where it goes; NULL is stdout */
    const char *output;
    unsigned keys;
    bool numeric;
    struct authc_options options;
};

static int take(void *arg, const struct arg_row *row, const char *value, struct err *err)
{
    struct unmunge *unmunge = arg;

    (void)err;
    switch (row->code) {
    case 'i':
        unmunge->input = value;
        break;
    case 'n':
        unmunge->no_output = true;
        unmunge->metadata = unmunge->output = "/dev/null"; /* a later -m or -o still counts */
        break;
    case 'm':
        unmunge->metadata = value;
        break;
    case 'o':
        unmunge->output = value;
        break;
    case 'k':
        unmunge->keys = metadata_parse_keys(value);
        break;
    case 'N':
        unmunge->numeric = true;
        break;
    case 'S':
        unmunge->options.socket_path = value;
        break;
    default:
        unmunge->action = row->code;
        break;
    }
    return 0;
}

static const struct arg_row rows[] = {
    { "help", 'h', NULL, "print this text" },
    { "license", 'L', NULL, "print the license's name" },
    { "version", 'V', NULL, "print the version" },
    { "input", 'i', "FILE", "read the credential from a file" },
    { "no-output", 'n', NULL, "print nothing: the exit status tells" },
    { "metadata", 'm', "FILE", "write the metadata to a file" },
    { "output", 'o', "FILE", "write the payload to a file" },
    { "keys", 'k', "KEYS", "only these lines of metadata" },
    { "list-keys", 'K', NULL, "list the keys" },
    { "numeric", 'N', NULL, "numbers instead of names" },
    { "socket", 'S', "PATH", "the daemon's socket" },
};
static const struct arg_table table = { rows, ARRAY_N(rows), take, false };

static int print_and_end(int action)
{
    AUTO(strbuf) struct strbuf help = { 0 };

    switch (action) {
    case 'L':
        cli_print_license();
        break;
    case 'V':
        cli_print_version("unmunge");
        break;
    case 'K':
        puts("Metadata keys:\n");
        for (unsigned key = 0; key < META_N; key++)
            printf("  %s\n", metadata_name(key));
        putchar('\n');
        break;
    default:
        args_help(&table, "unmunge", &help);
        printf("%s\nWithout -i the credential is read from stdin.\n", help.data);
    }
    return 0;
}

static bool same_stream(const struct unmunge *unmunge)
{
    const char *metadata = unmunge->metadata ? unmunge->metadata : "-";
    const char *output = unmunge->output ? unmunge->output : "-";

    return strcmp(metadata, output) == 0;
}

static int write_to(const char *path, const void *bytes, size_t n, struct err *err)
{
    FILE *file;
    int rc = cli_open_output(path, &file, err);

    if (rc < 0)
        return rc;
    if (n)
        fwrite(bytes, 1, n, file);
    return cli_close_output(file, path, err);
}

/* Prints the metadata and the payload; on one stream they have an empty line between them. */
static int show(const struct unmunge *unmunge, const struct authc_identity *identity,
                unsigned status, struct err *err)
{
    const struct metadata metadata = { identity, status, unmunge->keys, unmunge->numeric };
    AUTO(strbuf) struct strbuf text = { 0 };
    int rc;

    metadata_format(&metadata, &text);
    if (same_stream(unmunge)) {
        strbuf_addc(&text, '\n');
        strbuf_add(&text, identity->payload, identity->payload_n);
        return write_to(unmunge->output, text.data, text.len, err);
    }
    rc = write_to(unmunge->metadata, strbuf_text(&text), text.len, err);
    return rc < 0 ? rc : write_to(unmunge->output, identity->payload, identity->payload_n, err);
}

/* Returns the exit status. */
static int run(const struct unmunge *unmunge)
{
    AUTO(authc_identity) struct authc_identity identity = { 0 };
    AUTO(strbuf) struct strbuf cred = { 0 };
    unsigned status = MUNGE_INTERNAL;
    struct err err = { 0 };
    int rc = cli_read(unmunge->input, AUTHC_CRED_MAX, &cred, &err);

    if (rc == 0)
        rc = authc_inspect(&unmunge->options, strbuf_text(&cred), cred.len, &identity, &status,
                           &err);
    if (rc < 0 && !(unmunge->no_output && munge_tells_identity(status)))
        cli_complain("unmunge", &err);
    if (munge_tells_identity(status)) {
        rc = show(unmunge, &identity, status, &err);
        if (rc < 0) {
            cli_complain("unmunge", &err);
            return MUNGE_INTERNAL;
        }
    }
    return (int)status;
}

int unmunge_main(int argc, char **argv)
{
    struct unmunge unmunge = { .keys = METADATA_ALL };
    struct err err = { 0 };

    if (args_parse(&table, argc, argv, &unmunge, &err) < 0) {
        cli_complain("unmunge", &err);
        return MUNGE_INTERNAL;
    }
    if (unmunge.action)
        return print_and_end(unmunge.action);
    return run(&unmunge);
}
