#include "noded/stepd/payload.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/crypt/crypt.h"

_Static_assert(SHA256_BYTES == CRYPT_SHA256_N, "one size of hash");

static int read_all(int fd, const char *what, size_t max, struct strbuf *bytes, struct err *err)
{
    ssize_t n = 1;

    while (n > 0 && bytes->len <= max) {
        n = pread(fd, strbuf_reserve(bytes, 64 << 10), 64 << 10, (off_t)bytes->len);
        if (n > 0)
            strbuf_grown(bytes, (size_t)n);
    }
    if (n < 0)
        return err_set(err, errno, "cannot read the %s: %s", what, strerror(errno));
    if (bytes->len > max)
        return err_set(err, E_TOO_BIG, "the %s has more than %zu bytes", what, max);
    return 0;
}

int payload_read(int fd, const char *what, const struct blob *sha256, size_t max,
                 struct strbuf *bytes, struct err *err)
{
    uint8_t hash[CRYPT_SHA256_N];
    int rc = read_all(fd, what, max, bytes, err);

    if (rc < 0)
        return rc;
    crypt_sha256(bytes->len ? bytes->data : "", bytes->len, hash);
    if (sha256->n != sizeof(hash) || !crypt_equal(hash, sha256->data, sizeof(hash)))
        return err_set(err, E_PROTO, "the %s (%zu bytes) is not the one that was ordered", what,
                       bytes->len);
    return 0;
}

static int check_body(const struct launch_body *body, const struct launch_cred *cred,
                      struct err *err)
{
    const struct step_node *here;

    if (body->job_id != cred->job_id || body->step_id != cred->step_id)
        return err_set(err, E_PROTO, "the launch body is of step %u.%u, the credential of %u.%u",
                       body->job_id, body->step_id, cred->job_id, cred->step_id);
    if (cred->node_index >= body->nodes_n)
        return err_set(err, E_PROTO, "node %u of a layout of %u", cred->node_index, body->nodes_n);
    here = &body->nodes[cred->node_index];
    if (strcmp(here->name, cred->node) != 0 || here->tasks_n != cred->tasks_n)
        return err_set(err, E_PROTO,
                       "the launch body has %u tasks for %s, the credential %u for %s",
                       here->tasks_n, here->name, cred->tasks_n, cred->node);
    if (here->tasks_n == 0)
        return err_set(err, E_PROTO, "no task for node %s", here->name);
    return 0;
}

int payload_decode_body(const struct strbuf *bytes, const struct launch_cred *cred,
                        struct launch_body *ret, struct err *err)
{
    int rc = schema_decode(launch_body_schema(), bytes->data, bytes->len, ret, err);

    if (rc == 0)
        rc = check_body(ret, cred, err);
    if (rc < 0)
        launch_body_clear(ret);
    return rc;
}
