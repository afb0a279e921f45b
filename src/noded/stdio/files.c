#include "noded/stdio/files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct stdio_file {
    char *name;
    int fd;
    bool input;
};

/* Returns the name as seen from the step's directory: without that directory the process is
 * elsewhere. */
static char *whole_name(const struct stdio_files *files, const char *name)
{
    if (name[0] == '/' || !files->dir || !*files->dir)
        return xstrdup(name);
    return xasprintf("%s/%s", files->dir, name);
}

/* Opens a file. Who writes to a FIFO that nobody reads would wait for ever, and hear of nothing
 * meanwhile. */
static int open_named(const char *name, int flags)
{
    const bool input = (flags & O_ACCMODE) == O_RDONLY;
    int fd = open(name, flags | (input ? 0 : O_NONBLOCK) | O_CLOEXEC | O_NOCTTY, 0666);

    if (fd >= 0 && !input)
        (void)fcntl(fd, F_SETFL, flags); /* the tasks' writes wait */
    return fd;
}

static int fail(struct stdio_files *files, const char *name, bool input, struct err *err)
{
    const int code = errno;
    struct stat status;
    const bool is_unread = code == ENXIO && stat(name, &status) == 0 && S_ISFIFO(status.st_mode);

    files->lacks_reader = is_unread;
    files->lacks_dir = !input && code == ENOENT;
    return err_set(err, code, "could not open %s file %s: %s", input ? "stdin" : "stdout", name,
                   is_unread ? "nobody reads this FIFO" : strerror(code));
}

static int open_file(struct stdio_files *files, const char *pattern, int flags,
                     const struct pattern_values *values, int *ret_fd, struct err *err)
{
    AUTO_FREE char *expanded = NULL;
    bool input = (flags & O_ACCMODE) == O_RDONLY;
    int rc = pattern_expand(pattern, values, &expanded, err), fd;

    if (rc < 0)
        return rc;
    AUTO_FREE char *name = whole_name(files, expanded);
    for (uint32_t i = 0; i < files->files_n; i++) {
        if (files->files[i].input == input && strcmp(files->files[i].name, name) == 0) {
            *ret_fd = files->files[i].fd;
            return 0;
        }
    }
    fd = open_named(name, flags);
    if (fd < 0)
        return fail(files, name, input, err);
    *ARRAY_PUSH(files->files, files->files_n) =
        (struct stdio_file){ .name = STEAL(name), .fd = fd, .input = input };
    *ret_fd = fd;
    return 0;
}

int stdio_files_open_input(struct stdio_files *files, const char *pattern,
                           const struct pattern_values *values, int *ret_fd, struct err *err)
{
    return open_file(files, pattern, O_RDONLY, values, ret_fd, err);
}

int stdio_files_open_output(struct stdio_files *files, const char *pattern, uint32_t mode,
                            const struct pattern_values *values, int *ret_fd, struct err *err)
{
    int how = mode == OPEN_APPEND ? O_APPEND : O_TRUNC;

    return open_file(files, pattern, O_WRONLY | O_CREAT | how, values, ret_fd, err);
}
