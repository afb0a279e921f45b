/*
 * store_rig.h - a store in a directory of its own, for tests: rig_make_dir, rig_start, hand in
 * turns made with rig_note, rig_wait_until_committed, rig_remove_dir.
 */
#pragma once

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ctld/store/sql/mariadb.h"
#include "ctld/store/store.h"

static char rig_dir[64];

static inline void rig_make_dir(void)
{
    snprintf(rig_dir, sizeof(rig_dir), "%s/sluice-store-XXXXXX",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(rig_dir));
}

/* With SLUICE_TEST_MARIADB, the path of its socket, stores are tables of that server. */
static inline bool rig_is_mariadb(void)
{
    return getenv("SLUICE_TEST_MARIADB") != NULL;
}

/* The test that calls this looks into SQLite's file, whatever the others use. */
static inline void rig_is_about_a_file(void)
{
    unsetenv("SLUICE_TEST_MARIADB");
}

static inline const struct store_place *rig_place(void)
{
    static struct mariadb_server server;
    static struct store_place place;
    static char prefix[80];

    snprintf(prefix, sizeof(prefix), "%s_", strrchr(rig_dir, '/') + 1);
    server = (struct mariadb_server){ .host = getenv("SLUICE_TEST_MARIADB"),
                                      .user = "root",
                                      .database = "stores" };
    if (rig_is_mariadb())
        place = (struct store_place){ .server = &server, .prefix = prefix };
    else
        place = (struct store_place){ .dir = rig_dir };
    return &place;
}

static inline void rig_exec_mariadb(const char *text)
{
    const struct store_place *place = rig_place();
    struct sql *sql;

    ck_assert_int_eq(mariadb_open(place->server, place->prefix, false, &sql, NULL), 0);
    ck_assert_int_eq(sql_exec(sql, text, NULL), 0);
    sql_close(sql);
}

static inline void rig_drop_tables(void)
{
    rig_exec_mariadb("DROP TABLE IF EXISTS {schema}, {numbers}, {kept}, {jobs}, {steps}, {runs},"
                     " {blobs}, {events}, {sum_owners}, {sums}, {sums_more}, {cluster_events},"
                     " {outgoing}");
}

static inline void rig_remove_dir(void)
{
    AUTO_FREE char *command = xasprintf("rm -rf '%s'", rig_dir);

    if (rig_is_mariadb())
        rig_drop_tables();
    ck_assert_int_eq(system(command), 0);
}

static inline struct store *rig_open(void)
{
    struct store *store = NULL;
    struct err err = { 0 };

    ck_assert_msg(store_open(rig_place(), &store, &err) == 0, "%s", err.text);
    return store;
}

static inline struct store *rig_start(void)
{
    struct store *store = rig_open();

    ck_assert_int_eq(store_start(store, NULL), 0);
    return store;
}

static inline void rig_note(struct turn_changes *turn, uint32_t kind, const struct schema *schema,
                            const void *record, uint32_t job_id, uint32_t step_id)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct change *change = ARRAY_PUSH(turn->changes, turn->changes_n);

    change_init(change);
    change->kind = kind;
    change->job_id = job_id;
    change->step_id = step_id;
    if (schema) {
        schema_encode(schema, record, &bytes);
        change->record.n = (uint32_t)bytes.len;
        change->record.data = (uint8_t *)strbuf_steal(&bytes);
    }
}

/* A blob of that name; what `data` points to is copied. */
static inline void rig_note_blob(struct turn_changes *turn, const uint8_t sha256[SHA256_BYTES],
                                 const void *data, uint32_t n)
{
    struct change *change;

    rig_note(turn, CHANGE_BLOB, NULL, NULL, 0, 0);
    change = &turn->changes[turn->changes_n - 1];
    change->record = (struct blob){ xmemdup(data, n), n };
    change->sha256 = (struct blob){ xmemdup(sha256, SHA256_BYTES), SHA256_BYTES };
}

/* The job's body names that script, and its own name is the script's but for the last byte. */
static inline void rig_note_body(struct turn_changes *turn, struct job_record *job,
                                 uint8_t script[SHA256_BYTES])
{
    const struct job_body body = { .script_sha256 = { script, SHA256_BYTES } };
    struct blob bytes = schema_encode_blob(job_body_schema(), &body);

    job->body_sha256 = (struct blob){ xmemdup(script, SHA256_BYTES), SHA256_BYTES };
    job->body_sha256.data[SHA256_BYTES - 1] = 'b';
    rig_note_blob(turn, job->body_sha256.data, bytes.data, bytes.n);
    free(bytes.data);
}

static inline void rig_wait_for_news(struct store *store)
{
    struct pollfd fd = { .fd = store_fd(store), .events = POLLIN };

    ck_assert_int_eq(poll(&fd, 1, 20000), 1);
    store_dispatch(store);
}

static inline void rig_wait_until_committed(struct store *store, uint64_t turn)
{
    while (store_committed(store) < turn)
        rig_wait_for_news(store);
}

struct rig_answer {
    bool came;
    void *rows;
    uint32_t n;
};

static inline void rig_on_rows(void *rows, uint32_t n, const struct err *err, void *ctx)
{
    ck_assert_msg(!err, "%s", err ? err->text : "");
    *(struct rig_answer *)ctx = (struct rig_answer){ true, rows, n };
}

/* Asks for rows, which store_rows_free frees. */
static inline struct rig_answer rig_ask(struct store *store, uint32_t type, const void *request,
                                        int64_t now)
{
    struct rig_answer answer = { 0 };

    store_rows(store, 0, type, request, now, rig_on_rows, &answer);
    while (!answer.came)
        rig_wait_for_news(store);
    return answer;
}
