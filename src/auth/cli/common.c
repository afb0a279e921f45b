#include "auth/cli/common.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

static bool is_standard(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

static int read_fd(int fd, const char *name, size_t limit, struct strbuf *ret, struct err *err)
{
    for (;;) {
        ssize_t n = read(fd, strbuf_reserve(ret, 16384), 16384);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, errno, "Failed to read from \"%s\": %s", name, strerror(errno));
        if (n == 0)
            return 0;
        strbuf_grown(ret, (size_t)n);
        if (ret->len > limit)
            return err_set(err, E_TOO_BIG, "\"%s\" has more than %zu bytes, which is the limit",
                           name, limit);
    }
}

int cli_read(const char *path, size_t limit, struct strbuf *ret, struct err *err)
{
    if (is_standard(path))
        return read_fd(STDIN_FILENO, "stdin", limit, ret, err);

    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return err_set(err, errno, "Failed to read from \"%s\": %s", path, strerror(errno));
    return read_fd(fd, path, limit, ret, err);
}

int cli_open_output(const char *path, FILE **ret, struct err *err)
{
    if (is_standard(path)) {
        *ret = stdout;
        return 0;
    }

    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

    if (!file)
        return err_set(err, errno, "Failed to write to \"%s\": %s", path, strerror(errno));
    steal_fd(&fd);
    *ret = file;
    return 0;
}

int cli_close_output(FILE *file, const char *path, struct err *err)
{
    int rc = ferror(file) ? EOF : fflush(file);

    if (file != stdout && fclose(file) == EOF)
        rc = EOF;
    if (rc == EOF)
        return err_set(err, errno ? errno : EIO, "Failed to write to \"%s\": %s",
                       file == stdout ? "stdout" : path, strerror(errno));
    return 0;
}

/* Reads numbers up to 4294967294; the number above means nobody. */
static bool parse_id(const char *text, uint32_t *ret)
{
    char *end;
    unsigned long value;

    errno = 0;
    value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value >= UINT32_MAX)
        return false;
    *ret = (uint32_t)value;
    return true;
}

int cli_parse_user(const char *text, uid_t *ret, struct err *err)
{
    const struct passwd *user = getpwnam(text);

    if (user)
        *ret = user->pw_uid;
    else if (!parse_id(text, ret))
        return err_set(err, EINVAL, "Unrecognized user \"%s\"", text);
    return 0;
}

int cli_parse_group(const char *text, gid_t *ret, struct err *err)
{
    const struct group *group = getgrnam(text);

    if (group)
        *ret = group->gr_gid;
    else if (!parse_id(text, ret))
        return err_set(err, EINVAL, "Unrecognized group \"%s\"", text);
    return 0;
}

/* Prints what --list-ciphers and its like ask for. */
static void list_names(enum cred_kind kind)
{
    static const char *const titles[] = {
        [KIND_CIPHER] = "Cipher", [KIND_MAC] = "MAC", [KIND_ZIP] = "Compression"
    };

    printf("%s types:\n\n", titles[kind]);
    for (unsigned code = 0; code < CIPHER_N + MAC_N; code++) {
        const char *name = cred_name(kind, code);

        if (name)
            printf("  %s (%u)\n", name, code);
    }
    putchar('\n');
}

void cli_print_version(const char *program)
{
    printf("munge-0.5.15 compatible %s (sluice %s)\n", program, SLUICE_VERSION);
}

void cli_print_license(void)
{
    puts("Sluice is licensed under the Apache License, version 2.0. It has nothing of MUNGE's own\n"
         "programs in it, which are under the GNU General Public License, version 3.");
}

void cli_complain(const char *program, const struct err *err)
{
    fprintf(stderr, "%s: Error: %s\n", program, err->text);
}

static int parse_ttl(const char *text, uint32_t *ret, struct err *err)
{
    char *end;
    long long value = strtoll(text, &end, 10);

    if (end == text || *end || value < -1)
        return err_set(err, EINVAL, "Invalid time-to-live '%s'", text);
    if (value >= UINT32_MAX)
        return err_set(err, EINVAL, "Exceeded maximum time-to-live of %u seconds", UINT32_MAX);
    *ret = value < 0 ? UINT32_MAX : (uint32_t)value;
    return 0;
}

int cli_take_what(struct authc_what *what, int letter, const char *value, struct err *err)
{
    switch (letter) {
    case 'c':
        return cred_code_parse(KIND_CIPHER, value, &what->cipher, err);
    case 'm':
        return cred_code_parse(KIND_MAC, value, &what->mac, err);
    case 'z':
        return cred_code_parse(KIND_ZIP, value, &what->zip, err);
    case 'u':
        return cli_parse_user(value, &what->only_uid, err);
    case 'g':
        return cli_parse_group(value, &what->only_gid, err);
    default:
        return parse_ttl(value, &what->ttl, err);
    }
}

bool cli_print_asked(const char *program, int letter)
{
    switch (letter) {
    case 'L':
        cli_print_license();
        return true;
    case 'V':
        cli_print_version(program);
        return true;
    case 'C':
        list_names(KIND_CIPHER);
        return true;
    case 'M':
        list_names(KIND_MAC);
        return true;
    case 'Z':
        list_names(KIND_ZIP);
        return true;
    default:
        return false;
    }
}
