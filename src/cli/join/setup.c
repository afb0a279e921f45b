#include "cli/join/setup.h"

#include <sys/stat.h>
#include <unistd.h>

#include "cli/join/files.h"
#include "common/crypt/crypt.h"
#include "common/text/words.h"

#define KEY_BYTES 1024

char *setup_host(void)
{
    char host[256] = "";

    (void)gethostname(host, sizeof(host) - 1);
    return xstrndup(host, strcspn(host, "."));
}

int setup_need_root(const char *verb, struct err *err)
{
    if (geteuid() == 0)
        return 0;
    return err_set(err, EPERM,
                   "`sluice %s` sets this machine up, which takes root; for a cluster of "
                   "your own on this machine see `sluice up`",
                   verb);
}

int setup_find_user(const char *name, struct proc_user *ret_user, struct err *err)
{
    int rc = proc_user_lookup(name, ret_user, err);

    if (rc == -ENOENT)
        return err_set(err, ENOENT,
                       "there is no user %s, whom the package would have made: `useradd --system "
                       "--no-create-home --shell /usr/sbin/nologin %s` (with the same number on "
                       "all hosts)",
                       name, name);
    return rc;
}

static int make_dir_of(const char *path, mode_t mode, uid_t uid, gid_t gid, struct err *err)
{
    AUTO_FREE char *dir = xstrndup(path, (size_t)(strrchr(path, '/') - path));

    return proc_make_dir(*dir ? dir : "/", mode, uid, gid, err);
}

static bool is_same(const char *path, const void *data, size_t n)
{
    AUTO(strbuf) struct strbuf old = { 0 };
    bool same =
        file_get(path, n, &old, NULL) == 0 && old.len == n && memcmp(old.data, data, n) == 0;

    if (old.len)
        wipe(old.data, old.len);
    return same;
}

int setup_put_key(const void *key, size_t n, struct err *err)
{
    AUTO(proc_user) struct proc_user user = { 0 };
    int rc = setup_find_user("munge", &user, err);

    if (rc == 0)
        rc = make_dir_of(FILES_KEY, 0700, user.uid, user.gid, err);
    if (rc < 0)
        return rc;
    return file_put(FILES_KEY, 0400, user.uid, user.gid, !is_same(FILES_KEY, key, n), key, n, err);
}

int setup_make_key(bool *ret_made, struct err *err)
{
    uint8_t key[KEY_BYTES];
    int rc;

    *ret_made = access(FILES_KEY, F_OK) < 0;
    if (!*ret_made)
        return 0;
    crypt_random(key, sizeof(key));
    rc = setup_put_key(key, sizeof(key), err);
    wipe(key, sizeof(key));
    return rc;
}

int setup_put_conf(const char *path, const void *text, size_t n, bool keep_old, struct err *err)
{
    int rc = make_dir_of(path, 0755, 0, 0, err);

    return rc < 0 ? rc : file_put(path, 0644, 0, 0, keep_old, text, n, err);
}

int setup_read_number(const char *text, uint64_t max, const char *what, uint32_t *ret,
                      struct err *err)
{
    uint64_t number;
    int rc = number_parse(text, 1, max, &number, err);

    if (rc < 0)
        return err_prefix(err, "%s", what);
    *ret = (uint32_t)number;
    return 0;
}
