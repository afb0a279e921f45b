#include "auth/key/key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "auth/key/safety.h"
#include "common/crypt/crypt.h"

static bool is_owner(const struct key_policy *policy, uid_t uid)
{
    for (unsigned i = 0; i < policy->owners_n; i++) {
        if (policy->owners[i] == uid)
            return true;
    }
    return false;
}

/* Handles what is insecure, but readable: an error, or with force a warning (the first is kept). */
static int insecure(const struct key_policy *policy, const struct err *what, struct err *warning,
                    struct err *err)
{
    if (!policy->force)
        return err_set(err, what->code, "%s", what->text);
    if (warning && !warning->code)
        *warning = *what;
    return 0;
}

/* Opens with O_NONBLOCK, so that a FIFO in this place does not make us wait. */
static int open_key(const char *path, const struct key_policy *policy, struct err *warning,
                    struct err *err)
{
    enum { FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };
    int fd = open(path, FLAGS | O_NOFOLLOW);
    struct err what = { 0 };

    if (fd < 0 && errno == ELOOP) {
        err_set(&what, ELOOP, "Keyfile is insecure: \"%s\" is a symbolic link", path);
        if (insecure(policy, &what, warning, err) < 0)
            return -ELOOP;
        fd = open(path, FLAGS);
    }
    if (fd >= 0)
        return fd;
    if (errno == ENOENT)
        return err_set(err, ENOENT,
                       "Failed to find keyfile \"%s\": %s (make one with mungekey, or copy the "
                       "cluster's here)",
                       path, strerror(errno));
    return err_set(err, errno, "Failed to open keyfile \"%s\": %s", path, strerror(errno));
}

static int check_kind_and_size(const char *path, const struct stat *st, struct err *err)
{
    if (!S_ISREG(st->st_mode))
        return err_set(err, EINVAL, "Keyfile \"%s\" must be a regular file", path);
    if (st->st_size < KEY_SIZE_MIN)
        return err_set(err, EINVAL, "Keyfile \"%s\" has %lld bytes; a key has at least %d", path,
                       (long long)st->st_size, KEY_SIZE_MIN);
    if (st->st_size > KEY_SIZE_MAX)
        return err_set(err, EFBIG, "Keyfile \"%s\" has %lld bytes; a key has at most %d", path,
                       (long long)st->st_size, KEY_SIZE_MAX);
    return 0;
}

static int check_owner_and_mode(const char *path, const struct stat *st,
                                const struct key_policy *policy, struct err *what)
{
    if (!is_owner(policy, st->st_uid) && policy->owners_n == 2)
        return err_set(what, EPERM,
                       "Keyfile is insecure: the owner of \"%s\" is uid %u, it should be uid %u "
                       "or %u",
                       path, st->st_uid, policy->owners[0], policy->owners[1]);
    if (!is_owner(policy, st->st_uid))
        return err_set(what, EPERM,
                       "Keyfile is insecure: the owner of \"%s\" is uid %u, it should be uid %u",
                       path, st->st_uid, policy->owners[0]);
    if (st->st_mode & (S_IRWXG | S_IRWXO))
        return err_set(what, EPERM,
                       "Keyfile is insecure: \"%s\" is readable or writable by its group or "
                       "others: its mode is %04o, it should be 0600 or 0400",
                       path, st->st_mode & 07777);
    return 0;
}

static int check_safety(const char *path, const struct stat *st, const struct key_policy *policy,
                        struct err *warning, struct err *err)
{
    const struct safety safety = { policy->owners, policy->owners_n, policy->trusted_gid, false };
    struct err what = { 0 };
    int rc = 0;

    if (check_owner_and_mode(path, st, policy, &what) < 0)
        rc = insecure(policy, &what, warning, err);
    if (rc == 0 && safety_check_directories("Keyfile", path, &safety, &what) < 0)
        rc = insecure(policy, &what, warning, err);
    return rc;
}

static int read_whole(int fd, const char *path, uint8_t *bytes, size_t n, struct err *err)
{
    size_t have = 0;

    while (have < n) {
        ssize_t got = read(fd, bytes + have, n - have);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_set(err, errno, "Keyfile \"%s\": %s", path, strerror(errno));
        if (got == 0)
            return err_set(err, EIO, "Keyfile \"%s\" became shorter while it was read", path);
        have += (size_t)got;
    }
    return 0;
}

static void fingerprint(const uint8_t *bytes, size_t n, char text[KEY_FINGERPRINT_SIZE])
{
    static const char label[] = "sluice key fingerprint";
    uint8_t digest[CRYPT_SHA256_N];

    crypt_hmac_sha256(bytes, n, label, sizeof(label) - 1, digest);
    for (size_t i = 0; i < (KEY_FINGERPRINT_SIZE - 1) / 2; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

int key_load(const char *path, const struct key_policy *policy, struct key *ret,
             struct err *warning, struct err *err)
{
    struct key key = { 0 };
    AUTO_CLOSE int fd = open_key(path, policy, warning, err);

    if (fd < 0)
        return steal_fd(&fd); /* the error code */
    if (fstat(fd, &key.stat) < 0)
        return err_set(err, errno, "Keyfile \"%s\": %s", path, strerror(errno));

    int rc = check_kind_and_size(path, &key.stat, err);

    if (rc == 0)
        rc = check_safety(path, &key.stat, policy, warning, err);
    if (rc < 0)
        return rc;

    size_t n = (size_t)key.stat.st_size;
    AUTO_FREE uint8_t *bytes = xmalloc(n);

    rc = read_whole(fd, path, bytes, n, err);
    if (rc == 0) {
        cred_keys_derive(bytes, n, &key.subkeys);
        fingerprint(bytes, n, key.fingerprint);
        *ret = key;
    }
    wipe(bytes, n);
    key_wipe(&key);
    return rc;
}

bool key_has_changed(const struct key *key, const char *path)
{
    const struct stat *then = &key->stat;
    struct stat now;

    if (stat(path, &now) < 0)
        return false;
    return now.st_dev != then->st_dev || now.st_ino != then->st_ino ||
           now.st_size != then->st_size || now.st_mtim.tv_sec != then->st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != then->st_mtim.tv_nsec;
}

void key_wipe(struct key *key)
{
    wipe(key, sizeof(*key));
}
