#include <errno.h>
#include <fcntl.h>
#include <openssl/rand.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "auth/cli/args.h"
#include "auth/cli/cli.h"
#include "auth/cli/common.h"

enum { BITS_MIN = 256, BITS_MAX = 8192, BITS_DEFAULT = 1024 };
#define KEY_FILE "/etc/munge/munge.key"

struct mungekey {
    int action;
    bool force;
    bool verbose;
    const char *path;
    unsigned bits;
};

static int parse_bits(const char *text, unsigned *ret, struct err *err)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end || value < BITS_MIN || value > BITS_MAX)
        return err_set(err, EINVAL, "has invalid value \"%s\" (range is %d-%d)", text, BITS_MIN,
                       BITS_MAX);
    *ret = (unsigned)value;
    return 0;
}

static int take(void *arg, const struct arg_row *row, const char *value, struct err *err)
{
    struct mungekey *mungekey = arg;

    switch (row->code) {
    case 'c': /* what it does anyway */
        return 0;
    case 'b':
        return parse_bits(value, &mungekey->bits, err);
    case 'f':
        mungekey->force = true;
        return 0;
    case 'k':
        mungekey->path = value;
        return 0;
    case 'v':
        mungekey->verbose = true;
        return 0;
    default:
        mungekey->action = row->code;
        return 0;
    }
}

static const struct arg_row rows[] = {
    { "create", 'c', NULL, "make a key file (the default)" },
    { "bits", 'b', "N", "size of the key, 256 to 8192 [1024]" },
    { "force", 'f', NULL, "replace a key file that is there" },
    { "keyfile", 'k', "FILE", "where [" KEY_FILE "]" },
    { "verbose", 'v', NULL, "say what was made" },
    { "help", 'h', NULL, "print this text" },
    { "license", 'L', NULL, "print the license's name" },
    { "version", 'V', NULL, "print the version" },
};
static const struct arg_table table = { rows, ARRAY_N(rows), take, true };

static int print_and_end(int action)
{
    AUTO(strbuf) struct strbuf help = { 0 };

    if (action == 'L') {
        cli_print_license();
    } else if (action == 'V') {
        cli_print_version("mungekey");
    } else {
        args_help(&table, "mungekey", &help);
        fputs(help.data, stdout);
    }
    return 0;
}

/* Writes the whole key to a new file that then takes the name: a reader sees the old key or the new
   one, and a name that exists is refused in the same step. */
static int write_key(int fd, const struct mungekey *mungekey, const char *aside, struct err *err)
{
    uint8_t key[BITS_MAX / 8];
    size_t n = (mungekey->bits + 7) / 8;
    int rc = 0;

    if (RAND_priv_bytes(key, (int)n) != 1)
        rc = err_set(err, EIO, "No random bytes from OpenSSL");
    else if (write(fd, key, n) != (ssize_t)n || fsync(fd) < 0)
        rc =
            err_set(err, errno ? errno : EIO, "Failed to write \"%s\": %s", aside, strerror(errno));
    wipe(key, sizeof(key));
    return rc;
}

static int make_key(const struct mungekey *mungekey, struct err *err)
{
    AUTO_FREE char *aside = xasprintf("%s.XXXXXX", mungekey->path);
    AUTO_CLOSE int fd = mkostemp(aside, O_CLOEXEC); /* 0600 */

    if (fd < 0)
        return err_set(err, errno, "Failed to create \"%s\": %s", mungekey->path, strerror(errno));

    int rc = write_key(fd, mungekey, aside, err);

    if (rc == 0 &&
        (mungekey->force ? rename(aside, mungekey->path) : link(aside, mungekey->path)) < 0)
        rc = err_set(err, errno, "Failed to create \"%s\": %s", mungekey->path, strerror(errno));
    unlink(aside); /* gone already after rename */
    return rc;
}

int mungekey_main(int argc, char **argv)
{
    struct mungekey mungekey = { .path = KEY_FILE, .bits = BITS_DEFAULT };
    struct err err = { 0 };
    int rc = args_parse(&table, argc, argv, &mungekey, &err);

    if (rc == 0 && mungekey.action)
        return print_and_end(mungekey.action);
    if (rc == 0)
        rc = make_key(&mungekey, &err);
    if (rc < 0) {
        cli_complain("mungekey", &err);
        return 1;
    }
    if (mungekey.verbose)
        fprintf(stderr, "mungekey: Info: Created \"%s\" with %u-bit key\n", mungekey.path,
                mungekey.bits);
    return 0;
}
