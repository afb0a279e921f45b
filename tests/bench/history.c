/*
 * history - puts jobs that have ended, and events of nodes, into a state directory, as a controller
 * would have done.
 *
 *     bench_history DIR N       N random jobs of the last 400 days
 *     bench_history DIR - DAY   those of standard input, with times from DAY, seconds since 1970
 *     bench_history DIR copy OTHER  what OTHER has, as a slurmdbd gets it first; tells how long it
 * took
 *
 * Instead of DIR, mariadb:SOCKET is tables of a MariaDB server, as a slurmdbd would have them.
 *
 * A line is one of (times in seconds, 0 is never):
 *     job ID USER UID ACCOUNT PARTITION WCKEY CPUS MB NODES ELIGIBLE START END STATE
 *     event NODE SINCE UNTIL STATE CPUS MB     NODE "-" is the cluster; UNTIL 0: it goes on
 * where WCKEY and ACCOUNT may be "-". No controller may run on the directory.
 */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/clock.h"
#include "common/msg/cluster_event.h"
#include "common/msg/node.h"
#include "ctld/store/sql/mariadb.h"
#include "ctld/store/store.h"

#define TURN_JOBS 2000

struct putting {
    struct store *store;
    struct turn_changes turn;
    uint64_t number;
    int64_t day;
};

static struct change *note(struct putting *putting, uint32_t kind, const struct schema *schema,
                           const void *record)
{
    struct change *change = ARRAY_PUSH(putting->turn.changes, putting->turn.changes_n);

    change_init(change);
    change->kind = kind;
    change->record = schema ? schema_encode_blob(schema, record) : (struct blob){ 0 };
    return change;
}

static void commit(struct putting *putting)
{
    putting->turn.turn = ++putting->number;
    store_commit(putting->store, &putting->turn);
    turn_changes_init(&putting->turn);
    while (store_committed(putting->store) < putting->number) {
        struct pollfd news = { .fd = store_fd(putting->store), .events = POLLIN };
        struct err err = { 0 };

        poll(&news, 1, -1);
        store_dispatch(putting->store);
        if (!store_failed(putting->store, &err))
            continue;
        fprintf(stderr, "bench_history: %s\n", err.text);
        exit(1);
    }
}

static char *text_or_null(const char *text)
{
    return strcmp(text, "-") == 0 ? NULL : xstrdup(text);
}

/* A job of the text's words. */
struct ended {
    uint32_t id, uid, cpus, nodes, state;
    uint64_t mb;
    char user[64], account[64], partition[64], wckey[64];
    int64_t eligible, start, end;
};

static void put_job(struct putting *putting, const struct ended *ended)
{
    AUTO(job_record) struct job_record job;
    struct change *change;

    job_record_init(&job);
    job.spec = xmalloc(sizeof(*job.spec));
    job_spec_init(job.spec);
    job.id = ended->id;
    job.uid = job.gid = ended->uid;
    job.user_name = xstrdup(ended->user);
    job.spec->account = text_or_null(ended->account);
    job.spec->wckey = text_or_null(ended->wckey);
    job.spec->name = xstrdup("bench");
    job.partition = xstrdup(ended->partition);
    job.ncpus = ended->cpus;
    job.state = ended->state;
    job.launch_number = ended->start ? 1 : 0;
    job.submit_time = job.eligible_time = ended->eligible;
    job.start_time = ended->start ? ended->start : ended->end;
    job.end_time = ended->end;
    for (uint32_t i = 0; ended->start && i < ended->nodes; i++) {
        struct job_node *node = ARRAY_PUSH(job.nodes, job.nodes_n);

        job_node_init(node);
        node->name = xasprintf("worker-%u", i + 1);
        node->memory = ended->mb / ended->nodes;
        node->clean = true;
    }
    change = note(putting, CHANGE_JOB, job_record_schema(), &job);
    change->job_id = job.id;
    change->run = job.launch_number;
    change->is_end = true;
    change = note(putting, CHANGE_JOB_RETIRE, NULL, NULL);
    change->job_id = job.id;
    change->run = job.launch_number;
    if (putting->turn.changes_n >= 2 * TURN_JOBS)
        commit(putting);
}

static void put_random(struct putting *putting, uint32_t n)
{
    const int64_t now = (int64_t)time(NULL);

    srand(1);
    for (uint32_t i = 1; i <= n; i++) {
        const uint32_t user = (uint32_t)rand() % 200;
        struct ended job = { .id = i,
                             .uid = 2000 + user,
                             .cpus = 1u << (rand() % 8),
                             .nodes = 1,
                             .mb = 1000,
                             .state = JOB_COMPLETE,
                             .partition = "main",
                             .wckey = "-" };

        snprintf(job.user, sizeof(job.user), "user%u", user);
        snprintf(job.account, sizeof(job.account), "account%u", user % 20);
        job.eligible = now - 400 * 86400 + (int64_t)i * 398 * 86400 / n;
        job.start = job.eligible + rand() % 3600;
        job.end = job.start + rand() % (rand() % 10 ? 1800 : 86400);
        put_job(putting, &job);
    }
}

/* A piece of a copy that has been read. */
struct piece {
    struct putting *putting;
    bool is_there;
    uint64_t turn;
};

static void on_piece(struct turn_changes *changes, uint64_t turn, const struct err *err, void *ctx)
{
    struct piece *piece = ctx;

    if (err) {
        fprintf(stderr, "bench_history: %s\n", err->text);
        exit(1);
    }
    piece->is_there = true;
    piece->turn = turn;
    piece->putting->turn = *changes;
    turn_changes_init(changes);
}

/* Copies a store piece by piece, each on disk before the next one is read, as a slurmdbd gets it.
 */
static int put_copy(struct putting *putting, const char *dir, struct err *err)
{
    const struct store_place place = { .dir = dir };
    struct piece piece = { .putting = putting };
    const int64_t begin = clock_mono_ms();
    struct store *from = NULL;
    bool begins = true;
    int rc = store_open(&place, &from, err);

    if (rc == 0)
        rc = store_start(from, err);
    while (rc == 0 && !piece.turn) {
        piece.is_there = false;
        store_copy(from, begins, on_piece, &piece);
        while (!piece.is_there) {
            struct pollfd news = { .fd = store_fd(from), .events = POLLIN };

            poll(&news, 1, -1);
            store_dispatch(from);
        }
        putting->turn.merge = begins ? TURN_MERGE_BEGINS : TURN_MERGE_RIGHT;
        begins = false;
        commit(putting);
    }
    store_free(from);
    printf("copied in %.1f s\n", (double)(clock_mono_ms() - begin) / 1000);
    return rc;
}

static int64_t moment(const struct putting *putting, int64_t t)
{
    return t ? putting->day + t : 0;
}

static void put_event(struct putting *putting, const char *line)
{
    AUTO(cluster_event) struct cluster_event event;
    static const char *const names[] = { "cpu", "mem", "node", "billing" };
    char node[64];
    int64_t since, until;
    uint64_t amounts[4] = { 0, 0, 1, 0 };
    uint32_t state;

    cluster_event_init(&event);
    if (sscanf(line, "event %63s %" SCNd64 " %" SCNd64 " %u %" SCNu64 " %" SCNu64, node, &since,
               &until, &state, &amounts[0], &amounts[1]) != 6)
        return;
    amounts[3] = amounts[0];
    event.node = text_or_null(node);
    event.since = putting->day + since;
    event.until = moment(putting, until);
    event.state = state;
    event.reason = xstrdup("bench");
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        struct acct_amount *amount = ARRAY_PUSH(event.tres, event.tres_n);

        acct_amount_init(amount);
        amount->tres = xstrdup(names[i]);
        amount->amount = amounts[i];
    }
    note(putting, CHANGE_CLUSTER_EVENT, cluster_event_schema(), &event);
}

static int put_lines(struct putting *putting)
{
    char line[1024];

    while (fgets(line, sizeof(line), stdin)) {
        struct ended job;

        if (strncmp(line, "event ", 6) == 0) {
            put_event(putting, line);
        } else if (strncmp(line, "job ", 4) == 0) {
            if (sscanf(line,
                       "job %u %63s %u %63s %63s %63s %u %" SCNu64 " %u %" SCNd64 " %" SCNd64
                       " %" SCNd64 " %u",
                       &job.id, job.user, &job.uid, job.account, job.partition, job.wckey,
                       &job.cpus, &job.mb, &job.nodes, &job.eligible, &job.start, &job.end,
                       &job.state) != 13)
                return -1;
            job.eligible = moment(putting, job.eligible);
            job.start = moment(putting, job.start);
            job.end = moment(putting, job.end);
            put_job(putting, &job);
        }
    }
    return 0;
}

#define SERVER "mariadb:"

int main(int argc, char **argv)
{
    struct mariadb_server server = { .user = "root", .database = "bench" };
    struct store_place place = { .prefix = "sluice_bench_" };
    struct putting putting = { 0 };
    struct err err = { 0 };
    int rc = 0;

    if (argc < 3) {
        fprintf(stderr, "bench_history: DIR and a number of jobs, or DIR - DAY\n");
        return 2;
    }
    place.dir = argv[1];
    if (strncmp(argv[1], SERVER, strlen(SERVER)) == 0) {
        server.host = argv[1] + strlen(SERVER);
        place.server = &server;
        place.dir = NULL;
    }
    if (store_open(&place, &putting.store, &err) < 0 || store_start(putting.store, &err) < 0) {
        fprintf(stderr, "bench_history: %s\n", err.text);
        return 1;
    }
    putting.number = store_committed(putting.store);
    putting.day = argc > 3 ? strtoll(argv[3], NULL, 10) : 0; /* of a copy nothing */
    if (strcmp(argv[2], "-") == 0)
        rc = put_lines(&putting);
    else if (strcmp(argv[2], "copy") == 0 && argc > 3)
        rc = put_copy(&putting, argv[3], &err);
    else
        put_random(&putting, (uint32_t)strtoul(argv[2], NULL, 10));
    commit(&putting);
    store_free(putting.store);
    if (rc < 0 && err.text[0])
        fprintf(stderr, "bench_history: %s\n", err.text);
    return rc < 0;
}
