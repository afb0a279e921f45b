/*
 * step_rig.h - a spool directory, orders and blobs for tests that start real steps.
 *
 * `struct step_rig rig; rig_open(&rig); ... rig_close(&rig);` leaves nothing behind, or fails.
 */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/crypt/crypt.h"
#include "noded/cgroup/cgroup.h"
#include "noded/priv/channel.h"
#include "noded/stepd/spool.h"
#include "noded/stepd/stepd.h"

#define RIG_DEADLINE_MS 20000
#define RIG_NODE        "tux1"

struct step_rig {
    char dir[32]; /* the user's too: output goes there */
    char *spool;
    int spool_fd, steps_fd;
    struct cgroup_root *cgroups;
    struct bounds bounds; /* nothing is bounded */
    struct launch_cred cred;
    struct launch_body body;
    struct strbuf environment, script;
    int body_fd, environment_fd, script_fd;
};

static inline uint32_t rig_uid(void)
{
    return geteuid() == 0 ? 54321 : geteuid();
}

static inline void rig_open(struct step_rig *rig)
{
    AUTO_FREE char *node = xasprintf("test%d", (int)getpid());

    memset(rig, 0, sizeof(*rig));
    strcpy(rig->dir, "/tmp/step_test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(rig->dir));
    ck_assert_int_eq(chmod(rig->dir, 0755), 0);
    AUTO_FREE char *out = xasprintf("%s/out", rig->dir);
    AUTO_FREE char *steps = xasprintf("%s/spool/steps", rig->dir);
    rig->spool = xasprintf("%s/spool", rig->dir);
    ck_assert_int_eq(mkdir(rig->spool, 0755), 0);
    ck_assert_int_eq(mkdir(steps, 0700), 0);
    ck_assert_int_eq(mkdir(out, 0777), 0);
    if (geteuid() == 0)
        ck_assert_int_eq(chown(out, rig_uid(), rig_uid()), 0);
    rig->spool_fd = open(rig->spool, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    rig->steps_fd = open(steps, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    rig->cgroups = cgroup_root_find(&CGROUP_WHERE, &(struct cgroup_options){ .node = node });
    rig->body_fd = rig->environment_fd = rig->script_fd = -1;
}

static inline void rig_close(struct step_rig *rig)
{
    AUTO_FREE char *clean = xasprintf("rm -r '%s'", rig->dir);

    launch_cred_clear(&rig->cred);
    launch_body_clear(&rig->body);
    strbuf_clear(&rig->environment);
    strbuf_clear(&rig->script);
    close(rig->spool_fd);
    close(rig->steps_fd);
    if (rig->body_fd >= 0)
        close(rig->body_fd);
    if (rig->environment_fd >= 0)
        close(rig->environment_fd);
    if (rig->script_fd >= 0)
        close(rig->script_fd);
    free(rig->spool);
    cgroup_root_free(rig->cgroups);
    ck_assert_int_eq(system(clean), 0);
}

static inline int rig_memfd(const struct strbuf *bytes)
{
    int fd = memfd_create("rig", MFD_CLOEXEC);

    ck_assert_int_ge(fd, 0);
    if (bytes->len)
        ck_assert_int_eq(write(fd, bytes->data, bytes->len), (ssize_t)bytes->len);
    return fd;
}

static inline void rig_hash(const struct strbuf *bytes, struct blob *ret)
{
    uint8_t hash[CRYPT_SHA256_N];

    crypt_sha256(bytes->len ? bytes->data : "", bytes->len, hash);
    free(ret->data);
    ret->data = xmemdup(hash, sizeof(hash));
    ret->n = sizeof(hash);
}

/* Job 7's batch step with this script; its output is to be out/log. Change what differs after. */
static inline void rig_batch(struct step_rig *rig, const char *script)
{
    launch_cred_init(&rig->cred);
    launch_body_init(&rig->body);
    strbuf_adds(&rig->script, script);
    strbuf_adds(&rig->environment, "PATH=/usr/local/bin:/usr/bin:/bin");
    strbuf_addc(&rig->environment, '\0');
    strbuf_adds(&rig->environment, "COLOUR=blue");
    strbuf_addc(&rig->environment, '\0');

    rig->body.job_id = 7;
    rig->body.step_id = STEP_BATCH;
    rig->body.umask = 022;
    rig->body.work_dir = xasprintf("%s/out", rig->dir);
    rig->body.std_out = xstrdup("log");
    rig->body.job_name = xstrdup("rig");
    rig->body.user_name = xstrdup("rigger");
    rig->body.ntasks = 1;
    step_node_init(ARRAY_PUSH(rig->body.nodes, rig->body.nodes_n));
    rig->body.nodes[0].name = xstrdup(RIG_NODE);
    *ARRAY_PUSH(rig->body.nodes[0].tasks, rig->body.nodes[0].tasks_n) = 0;
    *ARRAY_PUSH(rig->body.nodes[0].cpus, rig->body.nodes[0].cpus_n) = 0;

    rig->cred.label = xstrdup(LAUNCH_CRED_LABEL);
    rig->cred.cluster = xstrdup("rig");
    rig->cred.incarnation = 1;
    rig->cred.node = xstrdup(RIG_NODE);
    rig->cred.boot_id = xstrdup("boot");
    rig->cred.job_id = 7;
    rig->cred.step_id = STEP_BATCH;
    rig->cred.launch_number = 1;
    rig->cred.uid = rig_uid();
    rig->cred.gid = geteuid() == 0 ? 54322 : getegid();
    if (geteuid() == 0) {
        *ARRAY_PUSH(rig->cred.groups, rig->cred.groups_n) = 54322;
        *ARRAY_PUSH(rig->cred.groups, rig->cred.groups_n) = 54323;
    }
    rig->cred.user_name = xstrdup("rigger");
    rig->cred.tasks_n = 1;
    rig->cred.kill_wait_s = 1;
}

/* Hashes what was put together, as the controller does before it signs. Appends to `body`. */
static inline void rig_seal(struct step_rig *rig, struct strbuf *body)
{
    rig_hash(&rig->environment, &rig->body.environment_sha256);
    if (rig->script.len)
        rig_hash(&rig->script, &rig->body.script_sha256);
    schema_encode(launch_body_schema(), &rig->body, body);
    rig_hash(body, &rig->cred.body_sha256);
    rig->body_fd = rig_memfd(body);
    rig->environment_fd = rig_memfd(&rig->environment);
    rig->script_fd = rig->script.len ? rig_memfd(&rig->script) : -1;
}

/* All that out/FILE holds; to be freed. */
static inline char *rig_output(const struct step_rig *rig, const char *file)
{
    AUTO_FREE char *path = xasprintf("%s/out/%s", rig->dir, file);
    AUTO(strbuf) struct strbuf text = { 0 };
    FILE *in = fopen(path, "r");
    size_t n = 1;

    ck_assert_msg(in != NULL, "%s: %s", path, strerror(errno));
    while (n > 0) {
        n = fread(strbuf_reserve(&text, 4096), 1, 4096, in);
        strbuf_grown(&text, n);
    }
    fclose(in);
    return strbuf_steal(&text);
}

/* Waits until the file is there and holds something: the step says that it has come so far. */
static inline void rig_wait_for(const struct step_rig *rig, const char *file)
{
    AUTO_FREE char *path = xasprintf("%s/out/%s", rig->dir, file);
    struct stat status;
    int waited = 0;

    while (stat(path, &status) < 0 || status.st_size == 0) {
        ck_assert_msg(waited++ < RIG_DEADLINE_MS, "%s did not appear", path);
        (void)poll(NULL, 0, 1);
    }
}
