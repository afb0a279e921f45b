/* Sessions over TCP with real daemons: the authd of this build, each with a key of its own. */
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "common/crypt/crypt.h"
#include "unit/common/rpc/pair.h"

struct authd {
    char dir[32];
    char *socket;
    pid_t pid;
};

/* The daemons are beside this test: build/unit/TEST and build/bin/munged. */
static char *program(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

    ck_assert_int_gt(n, 0);
    path[n] = '\0';
    *strrchr(path, '/') = '\0';
    return xasprintf("%s/../bin/munged", path);
}

static void write_key(const char *path, const char *seed)
{
    uint8_t key[4][CRYPT_SHA256_N];
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    for (unsigned i = 0; i < 4; i++) {
        AUTO_FREE char *text = xasprintf("%s %u", seed, i);

        crypt_sha256(text, strlen(text), key[i]);
    }
    ck_assert_int_eq(write(fd, key, sizeof(key)), sizeof(key));
    close(fd);
}

static NO_RETURN void run_authd(const struct authd *authd, const char *skew)
{
    AUTO_FREE char *path = program();
    AUTO_FREE char *key = xasprintf("--key-file=%s/key", authd->dir);
    AUTO_FREE char *socket = xasprintf("--socket=%s", authd->socket);
    AUTO_FREE char *pid = xasprintf("--pid-file=%s/pid", authd->dir);
    AUTO_FREE char *log = xasprintf("--log-file=%s/log", authd->dir);
    AUTO_FREE char *seed = xasprintf("--seed-file=%s/seed", authd->dir);
    int null = open("/dev/null", O_RDWR);

    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    setenv("SLUICE_CLOCK_SKEW", skew, 1);
    execl(path, "munged", "-F", "--origin=127.0.0.1", key, socket, pid, log, seed, (char *)NULL);
    _exit(127);
}

static void authd_start(struct authd *authd, const char *seed, const char *skew)
{
    struct authc_options asked = { 0 };
    char fingerprint[AUTHC_FINGERPRINT_SIZE];

    strcpy(authd->dir, "/tmp/authd_test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(authd->dir));
    ck_assert_int_eq(chmod(authd->dir, 0755), 0);
    authd->socket = xasprintf("%s/socket", authd->dir);
    AUTO_FREE char *key = xasprintf("%s/key", authd->dir);

    write_key(key, seed);
    authd->pid = fork();
    ck_assert_int_ge(authd->pid, 0);
    if (authd->pid == 0)
        run_authd(authd, skew);
    asked.socket_path = authd->socket;
    for (int i = 0; authc_fingerprint(&asked, fingerprint, NULL) < 0; i++) {
        ck_assert_msg(i < 2000 && waitpid(authd->pid, NULL, WNOHANG) == 0, "authd does not answer");
        usleep(5000);
    }
}

static void authd_stop(struct authd *authd)
{
    static const char *const files[] = { "key", "socket", "socket.lock", "pid", "log", "seed" };

    kill(authd->pid, SIGTERM);
    waitpid(authd->pid, NULL, 0);
    for (unsigned i = 0; i < ARRAY_N(files); i++) {
        AUTO_FREE char *path = xasprintf("%s/%s", authd->dir, files[i]);

        unlink(path);
    }
    ck_assert_int_eq(rmdir(authd->dir), 0);
    free(authd->socket);
}

static void side_asks(struct side *side, const struct authd *authd)
{
    side->options.make_credential = NULL;
    side->options.check_credential = NULL;
    side->options.get_fingerprint = NULL;
    side->options.authc.socket_path = authd->socket;
}

/* Two hosts with these keys and clocks open a session. */
static void meet(struct pair *pair, const char *key_b, const char *skew_b)
{
    struct authd a, b;

    authd_start(&a, "apple", "0");
    authd_start(&b, key_b, skew_b);
    pair_init(pair, true);
    side_asks(&pair->a, &a);
    side_asks(&pair->b, &b);
    pair->b.options.clock.skew_s = atoi(skew_b);
    pair_start(pair);
    PAIR_UNTIL(pair, (pair->a.ready && pair->b.ready) || (pair->a.closed && pair->b.closed));
    authd_stop(&a);
    authd_stop(&b);
}

START_TEST(the_same_key_opens_a_session)
{
    struct pair pair;

    meet(&pair, "apple", "0");

    ck_assert_msg(pair.a.ready && pair.b.ready, "a: %s; b: %s", pair.a.why.text, pair.b.why.text);
    ck_assert_uint_eq(rpc_session_peer(pair.a.session)->uid, getuid());
    ck_assert_uint_eq(rpc_session_peer(pair.b.session)->uid, getuid());
    pair_clear(&pair);
}
END_TEST

START_TEST(other_keys_are_told_by_both_fingerprints)
{
    struct pair pair;
    char a_here[40], a_there[40], b_here[40], b_there[40];
    const char *where_a, *where_b;

    meet(&pair, "bread", "0");
    where_a = strstr(pair.a.why.text, "fingerprint here ");
    where_b = strstr(pair.b.why.text, "fingerprint here ");

    ck_assert_ptr_nonnull(where_a);
    ck_assert_ptr_nonnull(where_b);
    ck_assert_int_eq(sscanf(where_a, "fingerprint here %39[^,], there %39s", a_here, a_there), 2);
    ck_assert_int_eq(sscanf(where_b, "fingerprint here %39[^,], there %39s", b_here, b_there), 2);
    ck_assert_str_eq(a_here, b_there);
    ck_assert_str_eq(a_there, b_here);
    ck_assert_str_ne(a_here, b_here);
    pair_clear(&pair);
}
END_TEST

START_TEST(a_clock_beyond_the_ttl_is_told)
{
    struct pair pair;
    long difference = 0;

    meet(&pair, "apple", _i ? "1000" : "-1000");
    const char *where = strstr(pair.a.why.text, "differ by ");

    ck_assert_msg(where, "a: %s; b: %s", pair.a.why.text, pair.b.why.text);
    ck_assert_int_eq(sscanf(where, "differ by %ld s", &difference), 1);
    ck_assert_int_ge(difference, 999);
    ck_assert_int_le(difference, 1001);
    ck_assert_int_eq(pair.a.why.code, E_CLOCK_SKEW);
    ck_assert_int_eq(pair.b.why.code, E_CLOCK_SKEW);
    pair_clear(&pair);
}
END_TEST

static struct rpc_question *unanswered;

static void make_later(const void *claim, size_t n, struct rpc_question *question, void *ctx)
{
    (void)claim;
    (void)n;
    (void)ctx;
    unanswered = question;
}

/* Where the other side's credential was to be checked, too, either may be the first to fail. */
START_TEST(no_authd_is_told_on_both_sides)
{
    struct pair pair;
    struct authd none = { .socket = (char *)(uintptr_t) "/nonexistent/authd.socket" };

    pair_init(&pair, true);
    side_asks(&pair.a, &none);
    pair.b.options.make_credential = make_later;
    pair_start(&pair);
    PAIR_UNTIL(&pair, pair.a.closed && pair.b.closed);
    rpc_answer_credential(unanswered, NULL, &pair.b.why);

    ck_assert_ptr_nonnull(strstr(pair.a.why.text, "no credential can be made on this side"));
    ck_assert_ptr_nonnull(strstr(pair.a.why.text, "/nonexistent/authd.socket"));
    ck_assert_ptr_nonnull(strstr(pair.b.why.text, "refused the connection"));
    pair_clear(&pair);
}
END_TEST

CHECK_MAIN(authd, CASE(the_same_key_opens_a_session),
           CASE(other_keys_are_told_by_both_fingerprints),
           LOOP_CASE(a_clock_beyond_the_ttl_is_told, 2), CASE(no_authd_is_told_on_both_sides))
