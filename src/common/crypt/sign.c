#include "common/crypt/crypt.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/alloc.h"

void crypt_sign_key_from_seed(struct crypt_sign_key *ret_key, const uint8_t seed[CRYPT_SEED_N])
{
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, CRYPT_SEED_N);
    size_t n = CRYPT_PUBLIC_N;

    if (!key || !EVP_PKEY_get_raw_public_key(key, ret_key->public, &n))
        abort();
    memmove(ret_key->seed, seed, CRYPT_SEED_N);
    ret_key->prepared = key;
}

void crypt_sign_key_new(struct crypt_sign_key *ret_key)
{
    crypt_random(ret_key->seed, CRYPT_SEED_N);
    crypt_sign_key_from_seed(ret_key, ret_key->seed);
}

void crypt_sign_key_auto_(struct crypt_sign_key *key)
{
    if (key->prepared)
        EVP_PKEY_free(key->prepared);
    wipe(key, sizeof(*key));
}

/* ---- files ---- */

static int check_key_file(int fd, const char *path, struct err *err)
{
    struct stat stat;

    if (fstat(fd, &stat) < 0)
        return err_set(err, errno, "key file %s: %s", path, strerror(errno));
    if (!S_ISREG(stat.st_mode))
        return err_set(err, EINVAL, "key file %s: not a regular file", path);
    if (stat.st_uid != geteuid() && stat.st_uid != 0)
        return err_set(err, EPERM, "key file %s: owned by uid %u, should be by uid %u", path,
                       (unsigned)stat.st_uid, (unsigned)geteuid());
    if (stat.st_mode & 077)
        return err_set(err, EPERM, "key file %s: mode %04o lets others in, should be 0600", path,
                       (unsigned)stat.st_mode & 07777);
    if (stat.st_size != CRYPT_SEED_N)
        return err_set(err, EINVAL, "key file %s: %lld bytes, should be %d", path,
                       (long long)stat.st_size, CRYPT_SEED_N);
    return 0;
}

int crypt_sign_key_load(const char *path, struct crypt_sign_key *ret_key, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    uint8_t seed[CRYPT_SEED_N];
    int rc;

    if (fd < 0)
        return err_set(err, errno, "key file %s: %s", path, strerror(errno));
    rc = check_key_file(fd, path, err);
    if (rc < 0)
        return rc;
    if (read(fd, seed, sizeof(seed)) != sizeof(seed))
        return err_set(err, EIO, "key file %s: cannot be read whole", path);
    crypt_sign_key_from_seed(ret_key, seed);
    wipe(seed, sizeof(seed));
    return 0;
}

/* Flushes the directory of a file, so that its new name survives a power loss too. */
static int sync_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    AUTO_FREE char *parent = slash == path ? xstrdup("/")
                             : slash       ? xstrndup(path, (size_t)(slash - path))
                                           : xstrdup(".");
    AUTO_CLOSE int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    return fd < 0 ? -errno : fsync(fd) < 0 ? -errno : 0;
}

int crypt_sign_key_store(const char *path, const struct crypt_sign_key *key, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    int code;

    if (fd < 0)
        return err_set(err, errno, "key file %s: cannot create: %s", path, strerror(errno));
    errno = EIO; /* of a short write, which sets none */
    if (write(fd, key->seed, CRYPT_SEED_N) == CRYPT_SEED_N && fsync(fd) == 0 &&
        sync_parent(path) == 0)
        return 0;
    code = errno;
    unlink(path);
    return err_set(err, code, "key file %s: cannot write: %s", path, strerror(code));
}

/* ---- signing ---- */

void crypt_sign(const struct crypt_sign_key *key, const void *bytes, size_t n,
                uint8_t ret_signature[CRYPT_SIGN_N])
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    size_t sign_n = CRYPT_SIGN_N;

    if (!context || EVP_DigestSignInit(context, NULL, NULL, NULL, key->prepared) <= 0 ||
        EVP_DigestSign(context, ret_signature, &sign_n, n ? bytes : "", n) <= 0)
        abort();
    EVP_MD_CTX_free(context);
}

bool crypt_verify(const uint8_t public[CRYPT_PUBLIC_N], const void *bytes, size_t n,
                  const uint8_t signature[CRYPT_SIGN_N])
{
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, public, CRYPT_PUBLIC_N);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool good;

    if (!context)
        abort();
    good = key && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) > 0 &&
           EVP_DigestVerify(context, signature, CRYPT_SIGN_N, n ? bytes : "", n) > 0;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return good;
}
