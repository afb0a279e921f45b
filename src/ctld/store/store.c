#include "ctld/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "ctld/store/inside.h"
#include "ctld/store/ledger.h"
#include "ctld/store/sql/mariadb.h"
#include "ctld/store/sql/sqlite.h"

#define NFS_MAGIC    0x6969
#define SMB2_MAGIC   0xfe534d42
#define CEPH_MAGIC   0x00c36400
#define LUSTRE_MAGIC 0x0bd00bd0
#define PATIENCE_MS  2000 /* with a lock that may go */
#define LOOK_MS      10

/* ---- opening ---- */

static bool is_network_fs(const char *dir)
{
    struct statfs fs;

    if (statfs(dir, &fs) < 0)
        return false;
    return fs.f_type == NFS_MAGIC || (uint32_t)fs.f_type == SMB2_MAGIC || fs.f_type == CEPH_MAGIC ||
           fs.f_type == LUSTRE_MAGIC;
}

/* Locks, waiting a little: a controller that was killed this moment holds its lock until the kernel
 * has done away with it. */
static bool lock_patiently(int fd)
{
    const int64_t deadline = clock_mono_ms() + PATIENCE_MS;

    while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
        if (errno != EWOULDBLOCK || clock_mono_ms() >= deadline)
            return false;
        (void)poll(NULL, 0, LOOK_MS);
    }
    return true;
}

static int take_lock(struct store *store, struct err *err)
{
    AUTO_FREE char *path = xasprintf("%s/sluice.lock", store->dir);

    store->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (store->lock_fd < 0)
        return err_set(err, errno, "state directory '%s': cannot write '%s': %s", store->dir, path,
                       strerror(errno));
    if (!lock_patiently(store->lock_fd))
        return err_set(err, EBUSY,
                       "state directory '%s' is in use by another controller; two on one directory "
                       "would run jobs twice",
                       store->dir);
    return 0;
}

static int open_file(struct store *store, struct err *err)
{
    bool network = is_network_fs(store->dir);
    int rc = take_lock(store, err);

    if (network)
        store->remark =
            xasprintf("state directory '%s' is on a network file system: no write-ahead "
                      "log, slower commits, and a second controller on another host "
                      "may go unnoticed",
                      store->dir);
    if (rc == 0)
        rc = sqlite_open_writer(store->path, !network, &store->writer_db, err);
    if (rc == 0)
        rc = db_migrate(store->writer_db, store->path, err);
    return rc;
}

static int open_server(struct store *store, const struct store_place *place, struct err *err)
{
    AUTO(strbuf) struct strbuf remark = { 0 };
    int rc = mariadb_open(place->server, place->prefix, true, &store->writer_db, err);

    if (rc == 0)
        rc = mariadb_remark(store->writer_db, &remark, err);
    if (rc == 0)
        rc = mariadb_migrate(store->writer_db, err);
    if (rc == 0 && remark.len)
        store->remark = xasprintf("%s%s", sql_where(store->writer_db), strbuf_text(&remark));
    return rc;
}

int store_open_reader(const struct store *store, struct sql **ret, struct err *err)
{
    return store->path ? sqlite_open_reader(store->path, ret, err)
                       : mariadb_open_reader(store->writer_db, ret, err);
}

static int open_all(struct store *store, const struct store_place *place, struct err *err)
{
    int64_t turn = 0;
    int rc = place->dir ? open_file(store, err) : open_server(store, place, err);

    if (rc == 0)
        rc = db_last_turn(store->writer_db, &turn, err);
    if (rc == 0)
        store->committed = (uint64_t)turn;
    if (rc == 0)
        rc = writer_new(store->writer_db, &store->writer, err);
    if (rc == 0)
        rc = outgoing_new(store->writer_db, &store->outgoing, err);
    if (rc == 0)
        store->outgoing_wish.is_kept = outgoing_is_kept(store->outgoing);
    if (rc == 0)
        rc = store_loss_find(store, err);
    if (rc == 0)
        rc = store_loss_begin(store, err);
    if (rc == 0)
        rc = store_open_reader(store, &store->reader_db, err);
    store->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return rc;
}

int store_open(const struct store_place *place, struct store **ret, struct err *err)
{
    const char *delay = getenv("SLUICE_STORE_DELAY_MS");
    struct store *store = xcalloc(1, sizeof(*store));
    int rc;

    store->dir = xstrdup(place->dir);
    store->path = place->dir ? xasprintf("%s/sluice.db", place->dir) : NULL;
    store->lock_fd = store->event_fd = -1;
    store->commit_delay_ms = delay ? (unsigned)strtoul(delay, NULL, 10) : 0;
    queries_init(&store->answered);
    pthread_mutex_init(&store->mutex, NULL);
    pthread_cond_init(&store->work, NULL);
    pthread_cond_init(&store->queries_work, NULL);
    rc = open_all(store, place, err);
    if (rc < 0) {
        store_free(store);
        return rc;
    }
    *ret = store;
    return 0;
}

const char *store_remark(const struct store *store)
{
    return store->remark;
}

int store_load(struct store *store, const struct store_loader *loader, void *ctx, struct err *err)
{
    return read_alive(store->writer_db, loader, ctx, err);
}

/* ---- the threads ---- */

void store_notify(struct store *store)
{
    const uint64_t one = 1;

    if (write(store->event_fd, &one, sizeof(one)) < 0) {
        /* The write fails only when the counter is full: then the owner has been told already. */
    }
}

static int draw_number(struct store *store, struct err *err)
{
    int rc = sql_begin(store->writer_db, err);

    if (rc == 0)
        rc = ledger_store(store->writer_db, &store->number, err);
    return rc == 0 ? sql_commit(store->writer_db, err) : rc;
}

uint64_t store_number(const struct store *store)
{
    return store->number;
}

int store_start(struct store *store, struct err *err)
{
    int rc = draw_number(store, err);

    if (rc < 0)
        return rc;
    rc = pthread_create(&store->writer_thread, NULL, store_turns_main, store);

    if (rc)
        return err_set(err, rc, "cannot start the thread that writes state: %s", strerror(rc));
    rc = pthread_create(&store->reader_thread, NULL, store_queries_main, store);
    if (rc)
        return err_set(err, rc, "cannot start the thread that reads history: %s", strerror(rc));
    store->running = true;
    return 0;
}

int store_fd(const struct store *store)
{
    return store->event_fd;
}

void store_dispatch(struct store *store)
{
    uint64_t count;

    if (read(store->event_fd, &count, sizeof(count)) < 0) {
        /* The counter may say nothing new, or tell it twice: the queues below say what there is. */
    }
    store_queries_dispatch(store);
    store_turns_dispatch(store);
}

static void stop_threads(struct store *store)
{
    pthread_mutex_lock(&store->mutex);
    store->stopping = true;
    pthread_cond_broadcast(&store->work);
    pthread_cond_broadcast(&store->queries_work);
    pthread_mutex_unlock(&store->mutex);
    pthread_join(store->writer_thread, NULL);
    pthread_join(store->reader_thread, NULL);
}

struct store *store_free(struct store *store)
{
    if (!store)
        return NULL;
    if (store->running)
        stop_threads(store);
    store_queries_clear(store);
    store_turns_clear(store);
    writer_free(store->writer);
    outgoing_free(store->outgoing);
    copying_free(store->copying);
    mark_free(store->mark);
    sql_close(store->reader_db);
    sql_close(store->writer_db);
    if (store->event_fd >= 0)
        close(store->event_fd);
    if (store->lock_fd >= 0)
        close(store->lock_fd);
    pthread_cond_destroy(&store->work);
    pthread_cond_destroy(&store->queries_work);
    pthread_mutex_destroy(&store->mutex);
    free(store->remark);
    free(store->loss);
    free(store->path);
    free(store->dir);
    free(store);
    return NULL;
}
