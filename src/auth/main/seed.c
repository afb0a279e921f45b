#include "auth/main/seed.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/rand.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/crypt/crypt.h"

enum { SEED_SIZE = 1024 };

static bool is_private(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && !(st.st_mode & (S_IRWXG | S_IRWXO));
}

int seed_take(const char *path, struct err *err)
{
    uint8_t bytes[SEED_SIZE];

    if (!path)
        return 0;

    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

    if (fd < 0 && errno != ENOENT)
        return err_set(err, errno, "seed file '%s': %s", path, strerror(errno));

    ssize_t n = fd >= 0 && is_private(fd) ? read(fd, bytes, sizeof(bytes)) : 0;

    if (n > 0)
        RAND_add(bytes, (int)n, 0);
    wipe(bytes, sizeof(bytes));
    return 0;
}

int seed_leave(const char *path, const struct place_owner *owner, struct err *err)
{
    uint8_t bytes[SEED_SIZE];
    int rc;

    if (!path)
        return 0;
    crypt_random(bytes, sizeof(bytes));
    rc = place_seed_file(path, owner, bytes, sizeof(bytes), err);
    wipe(bytes, sizeof(bytes));
    return rc;
}
