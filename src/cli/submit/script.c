#include "cli/submit/script.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/submit/foreign.h"
#include "common/text/words.h"

#define READ_CHUNK (64u << 10)

void script_wrap(const char *command, struct strbuf *out)
{
    strbuf_addf(out, "#!/bin/sh\n# This script was created by sbatch --wrap.\n\n%s\n", command);
}

static bool is_readable_file(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && !S_ISDIR(st.st_mode) && access(path, R_OK) == 0;
}

static char *find_in_path(const char *name)
{
    const char *path = getenv("PATH");
    AUTO(words) struct words dirs = words_split(path ? path : "", ":");

    for (uint32_t i = 0; i < dirs.n; i++) {
        AUTO_FREE char *candidate = xasprintf("%s/%s", dirs.at[i], name);

        if (is_readable_file(candidate))
            return STEAL(candidate);
    }
    return NULL;
}

static char *find_script(const char *name)
{
    char *found = NULL;

    if (!strchr(name, '/') && !is_readable_file(name))
        found = find_in_path(name);
    return found ? found : xstrdup(name);
}

static int read_all(int fd, struct strbuf *out, struct err *err)
{
    for (;;) {
        ssize_t n = read(fd, strbuf_reserve(out, READ_CHUNK), READ_CHUNK);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, errno, "%s", strerror(errno));
        if (n == 0)
            return 0;
        strbuf_grown(out, (size_t)n);
        if (out->len > BLOB_MAX)
            return err_set(err, E_TOO_BIG, "larger than %u bytes", BLOB_MAX);
    }
}

/* Fails as Slurm, with the whole path of a file that exists. */
static int err_unopened(const char *path, struct err *err)
{
    const int code = errno;
    AUTO_FREE char *whole = code == ENOENT ? NULL : realpath(path, NULL);

    return err_set(err, code, "Unable to open file %s", whole ? whole : path);
}

int script_read(const char *name, struct strbuf *out, char **ret_path, struct err *err)
{
    AUTO_FREE char *path = name ? find_script(name) : NULL;
    AUTO_CLOSE int fd = -1;
    int rc;

    if (name) {
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            return err_unopened(path, err);
    }
    rc = read_all(name ? fd : STDIN_FILENO, out, err);
    if (rc < 0)
        return err_prefix(err, "Unable to read file %s", name ? name : "(standard input)");
    *ret_path = STEAL(path);
    return 0;
}

static bool is_all_space(const char *text, size_t n)
{
    size_t i = 0;

    while (i < n && isspace((unsigned char)text[i]))
        i++;
    return i == n;
}

int script_check(const char *script, size_t n, struct err *err)
{
    if (n == 0)
        return err_set(err, E_NO_SCRIPT, "Batch script is empty!");
    if (is_all_space(script, n))
        return err_set(err, E_NO_SCRIPT, "Batch script contains only whitespace!");
    if (n < 2 || script[0] != '#' || script[1] != '!')
        return err_set(err, E_NO_SCRIPT,
                       "This does not look like a batch script.  The first\n"
                       "line must start with #! followed by the path to an interpreter.\n"
                       "For instance: #!/bin/sh");
    if (memchr(script, '\0', n))
        return err_set(err, E_NO_SCRIPT,
                       "The Slurm controller does not allow scripts that\n"
                       "contain a NULL character '\\0'.");
    if (memmem(script, n, "\r\n", 2))
        return err_set(err, E_NO_SCRIPT,
                       "Batch script contains DOS line breaks (\\r\\n)\n"
                       "instead of expected UNIX line breaks (\\n).");
    return 0;
}

static int apply_directive(const char *name, const struct directive *directive,
                           struct submit_options *options, struct err *err)
{
    int operand = 0, rc;

    if (directive->words_n > 1 &&
        (word_is(directive->words[1], "hetjob") || word_is(directive->words[1], "packjob"))) {
        submit_err_component(directive->words[1], err);
        return err_prefix(err, "%s: line %u", name, directive->line);
    }
    rc = submit_options_parse(options, FROM_DIRECTIVE, (int)directive->words_n, directive->words,
                              &operand, err);
    if (rc < 0)
        return rc;
    if ((uint32_t)operand < directive->words_n)
        return err_set(err, EINVAL, "Invalid directive found in batch script: %.100s",
                       directive->words[operand]);
    return 0;
}

/* Reads the lines that begin with `magic`, or fails with an error about the file. */
static int read_directives(const char *name, const char *script, size_t n, const char *magic,
                           struct directives *ret, struct err *err)
{
    int rc = directives_parse(script, n, magic, ret, err);

    if (rc == 0)
        return 0;
    err_prefix(err, "%s", name);
    if (err)
        err->code = ERANGE;
    return -ERANGE;
}

static int apply_foreign(const char *name, const struct foreign_system *system,
                         const struct directive *directive, struct submit_options *options,
                         struct err *err)
{
    AUTO(words) struct words words = { 0 };
    int operand, rc;

    *ARRAY_PUSH(words.at, words.n) = xstrdup("");
    rc = system->translate(directive, &words, err);
    if (rc == 0)
        rc = submit_options_parse(options, FROM_DIRECTIVE, (int)words.n, words.at, &operand, err);
    if (rc < 0)
        err_prefix(err, "%s: line %u", name, directive->line);
    return rc;
}

static int apply_system(const char *name, const char *script, size_t n,
                        const struct foreign_system *system, struct submit_options *options,
                        struct err *err)
{
    AUTO(directives) struct directives directives = { 0 };
    int rc = read_directives(name, script, n, system->magic, &directives, err);

    for (uint32_t i = 0; rc == 0 && i < directives.n; i++)
        rc = apply_foreign(name, system, &directives.at[i], options, err);
    return rc;
}

int script_apply_directives(const char *name, const char *script, size_t n,
                            struct submit_options *options, struct err *err)
{
    AUTO(directives) struct directives directives = { 0 };
    int rc = read_directives(name, script, n, DIRECTIVE_MAGIC, &directives, err);

    for (uint32_t i = 0; rc == 0 && i < directives.n; i++)
        rc = apply_directive(name, &directives.at[i], options, err);
    for (uint32_t i = 0; rc == 0 && !options->ignore_pbs && i < foreign_systems_n; i++)
        rc = apply_system(name, script, n, &foreign_systems[i], options, err);
    return rc;
}

void script_insert(struct strbuf *script, const char *text)
{
    const char *line_end = memchr(script->data, '\n', script->len);
    const size_t first_n = line_end ? (size_t)(line_end - script->data) + 1 : script->len;
    AUTO_FREE char *rest = xstrdup(script->data + first_n);

    strbuf_truncate(script, first_n);
    if (!line_end)
        strbuf_addc(script, '\n');
    strbuf_adds(script, text);
    if (*text && text[strlen(text) - 1] != '\n')
        strbuf_addc(script, '\n');
    strbuf_adds(script, rest);
}
