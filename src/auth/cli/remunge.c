#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "auth/cli/args.h"
#include "auth/cli/cli.h"
#include "auth/cli/common.h"
#include "common/authc/authc.h"
#include "common/base/clock.h"

enum {
    WORKERS_MAX = 256,
    DURATION_DEFAULT_S = 1,
    DURATION_MAX_S = 365 * 86400,
    ACCURATE_MS = 500, /* a shorter run says little */
};

/* Numbers that the workers, which are processes, count together. */
struct counts {
    atomic_uint_fast64_t begun, done;
    atomic_bool failed;
    char why[ERR_TEXT_MAX]; /* of the first that failed */
};

struct remunge {
    int action; /* an option's letter that prints something and ends, or 0 */
    bool quiet, decode;
    uint64_t duration_s, most, workers, length, warn_s; /* 0: not given */
    struct authc_options options;
    struct authc_what what;
    struct counts *counts;
    uint64_t until_us;
};

/* ---- options ---- */

struct unit {
    char letter;
    uint64_t factor;
};
static const struct unit sizes[] = { { 'k', 1000 },     { 'm', 1000000 },  { 'g', 1000000000 },
                                     { 'K', 1u << 10 }, { 'M', 1u << 20 }, { 'G', 1u << 30 },
                                     { 0, 1 } };
static const struct unit times[] = {
    { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 0, 1 }
};

static const struct unit plain[] = { { 0, 1 } };

/* Reads a number from 1 to `max`, with one of the units behind it or none. */
static int parse_count(const char *text, const struct unit *unit, uint64_t max, const char *what,
                       uint64_t *ret, struct err *err)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);

    while (unit->letter && unit->letter != *end)
        unit++;
    if (end == text || *text == '-' || (*end && (!unit->letter || end[1])) || value == 0 ||
        value > max / unit->factor)
        return err_set(err, EINVAL, "Invalid %s '%s'", what, text);
    *ret = value * unit->factor;
    return 0;
}

static int parse_duration(const char *text, uint64_t *ret, struct err *err)
{
    if (strcmp(text, "-1") != 0)
        return parse_count(text, times, DURATION_MAX_S, "duration", ret, err);
    *ret = DURATION_MAX_S;
    return 0;
}

static int take(void *arg, const struct arg_row *row, const char *value, struct err *err)
{
    struct remunge *remunge = arg;

    switch (row->code) {
    case 'q':
        remunge->quiet = true;
        return 0;
    case 'e':
    case 'd':
        remunge->decode = row->code == 'd';
        return 0;
    case 'l':
        return parse_count(value, sizes, AUTHC_PAYLOAD_MAX, "number of bytes", &remunge->length,
                           err);
    case 'S':
        remunge->options.socket_path = value;
        return 0;
    case 'D':
        return parse_duration(value, &remunge->duration_s, err);
    case 'N':
        return parse_count(value, sizes, UINT32_MAX, "number of credentials", &remunge->most, err);
    case 'T':
        return parse_count(value, plain, WORKERS_MAX, "number of threads", &remunge->workers, err);
    case 'W':
        return parse_count(value, plain, 86400, "number of seconds", &remunge->warn_s, err);
    case 'h':
    case 'L':
    case 'V':
    case 'C':
    case 'M':
    case 'Z':
        remunge->action = row->code;
        return 0;
    default:
        return cli_take_what(&remunge->what, row->code, value, err);
    }
}

static const struct arg_row rows[] = {
    { "help", 'h', NULL, "print this text" },
    { "license", 'L', NULL, "print the license's name" },
    { "version", 'V', NULL, "print the version" },
    { "quiet", 'q', NULL, "print nothing but the number of credentials a second" },
    CLI_CODE_ROWS,
    { "encode", 'e', NULL, "make credentials (the default)" },
    { "decode", 'd', NULL, "make each and check it" },
    { "length", 'l', "BYTES", "size of the payload; may end in k, m, g, K, M or G [0]" },
    { "restrict-uid", 'u', "USER", "who may decode the credentials" },
    { "restrict-gid", 'g', "GROUP", "whose members may decode them" },
    { "ttl", 't', "SECS", "time to live; 0 the default, -1 the most allowed" },
    { "socket", 'S', "PATH", "the daemon's socket" },
    { "duration", 'D', "TIME", "how long, -1 for ever; may end in s, m, h or d [1]" },
    { "num-creds", 'N', "N", "how many at most; may end as a size does" },
    { "num-threads", 'T', "N", "how many ask at the same time [1]" },
    { "warn-time", 'W', "SECS", "how long one may take [5]" },
};
static const struct arg_table table = { rows, ARRAY_N(rows), take, false };

/* ---- working ---- */

static int make_one(const struct remunge *remunge, struct err *err)
{
    AUTO(authc_identity) struct authc_identity identity = { 0 };
    AUTO_FREE char *cred = NULL;
    int rc = authc_encode_as(&remunge->options, &remunge->what, &cred, err);

    return rc < 0 || !remunge->decode ? rc : authc_decode(&remunge->options, cred, &identity, err);
}

static void work(const struct remunge *remunge)
{
    struct counts *counts = remunge->counts;
    struct err err = { 0 };

    while (!atomic_load(&counts->failed) && clock_mono_us() < remunge->until_us &&
           (!remunge->most || atomic_fetch_add(&counts->begun, 1) < remunge->most)) {
        if (make_one(remunge, &err) >= 0)
            atomic_fetch_add(&counts->done, 1);
        else if (!atomic_exchange(&counts->failed, true)) /* all others would say the same */
            snprintf(counts->why, sizeof(counts->why), "%s", err.text);
    }
}

static int run_workers(const struct remunge *remunge, struct err *err)
{
    uint64_t started = 0;
    int rc = 0;

    for (; rc == 0 && started < remunge->workers; started++) {
        pid_t pid = fork();

        if (pid == 0) {
            work(remunge);
            _exit(0);
        }
        if (pid < 0)
            rc = err_set(err, errno, "Failed to start thread: %s", strerror(errno));
    }
    if (rc < 0)
        atomic_store(&remunge->counts->failed, true);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        ;
    if (rc == 0 && atomic_load(&remunge->counts->failed))
        rc = err_set(err, EIO, "%s", remunge->counts->why);
    return rc;
}

/* ---- telling ---- */

static void say_time(void)
{
    const time_t now = time(NULL);
    struct tm local;
    char text[32];

    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", localtime_r(&now, &local));
    printf("%s ", text);
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void say_begin(const struct remunge *remunge)
{
    unsigned long long most = remunge->most, seconds = remunge->duration_s;

    say_time();
    printf("Spawning %llu thread%s for %s\n", (unsigned long long)remunge->workers,
           plural(remunge->workers), remunge->decode ? "encoding/decoding" : "encoding");
    say_time();
    if (!most)
        printf("Processing credentials for %llu second%s\n", seconds, plural(seconds));
    else if (seconds == DURATION_MAX_S)
        printf("Processing %llu credential%s\n", most, plural(most));
    else
        printf("Processing %llu credential%s for up to %llu second%s\n", most, plural(most),
               seconds, plural(seconds));
    fflush(stdout);
}

static void say_end(const struct remunge *remunge, uint64_t took_us)
{
    uint64_t done = atomic_load(&remunge->counts->done);
    double seconds = (double)(took_us ? took_us : 1) / 1e6;

    if (remunge->quiet) {
        printf("%.0f\n", (double)done / seconds);
        return;
    }
    say_time();
    printf("Processed %llu credential%s in %.3fs (%.0f creds/sec)\n", (unsigned long long)done,
           plural(done), seconds, (double)done / seconds);
    if (took_us < ACCURATE_MS * 1000)
        printf("\nWARNING: Results based on such a short time interval are of low accuracy\n\n");
}

static int run(struct remunge *remunge, struct err *err)
{
    AUTO_FREE uint8_t *payload = xcalloc(1, remunge->length + 1);
    uint64_t began = clock_mono_us();
    int rc;

    remunge->what.payload = payload;
    remunge->what.payload_n = remunge->length;
    remunge->until_us = began + remunge->duration_s * 1000000;
    remunge->options.timeout_ms = (int)remunge->warn_s * 1000;
    remunge->counts = mmap(NULL, sizeof(*remunge->counts), PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (remunge->counts == MAP_FAILED)
        return err_set(err, errno, "Failed to share memory: %s", strerror(errno));
    if (!remunge->quiet)
        say_begin(remunge);
    rc = run_workers(remunge, err);
    if (rc == 0)
        say_end(remunge, clock_mono_us() - began);
    return rc;
}

static int print_and_end(int action)
{
    AUTO(strbuf) struct strbuf help = { 0 };

    if (cli_print_asked("remunge", action))
        return 0;
    args_help(&table, "remunge", &help);
    fputs(help.data, stdout);
    return 0;
}

int remunge_main(int argc, char **argv)
{
    struct remunge remunge = { .what = AUTHC_WHAT, .workers = 1, .warn_s = 5 };
    struct err err = { 0 };
    int rc = args_parse(&table, argc, argv, &remunge, &err);

    if (rc == 0 && remunge.action)
        return print_and_end(remunge.action);
    if (!remunge.duration_s)
        remunge.duration_s = remunge.most ? DURATION_MAX_S : DURATION_DEFAULT_S;
    if (rc == 0)
        rc = run(&remunge, &err);
    if (rc == 0)
        return 0;
    cli_complain("remunge", &err);
    return 1;
}
