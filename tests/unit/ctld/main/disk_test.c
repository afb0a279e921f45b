/* A disk that is full, or stands still: who looks is answered, and nobody is told what is not on
 * it. */
#include <pthread.h>
#include <sqlite3.h>

#include "common/msg/trigger.h"
#include "unit/ctld/main/head.h"

#define KNOWN "NodeName=n[1-4] CPUs=4 State=UNKNOWN\nPartitionName=main Nodes=n[1-4] Default=YES\n"

/* ---- the disk, between SQLite and the kernel ---- */

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    enum disk { DISK_WELL, DISK_FULL, DISK_STANDS_STILL } state;
    ssize_t (*write)(int fd, const void *bytes, size_t n, off_t at);
} disk = { .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static void disk_set(enum disk state)
{
    pthread_mutex_lock(&disk.mutex);
    disk.state = state;
    pthread_cond_broadcast(&disk.changed);
    pthread_mutex_unlock(&disk.mutex);
}

static ssize_t disk_write(int fd, const void *bytes, size_t n, off_t at)
{
    bool is_full;

    pthread_mutex_lock(&disk.mutex);
    while (disk.state == DISK_STANDS_STILL)
        pthread_cond_wait(&disk.changed, &disk.mutex);
    is_full = disk.state == DISK_FULL;
    pthread_mutex_unlock(&disk.mutex);
    if (!is_full)
        return disk.write(fd, bytes, n, at);
    errno = ENOSPC;
    return -1;
}

static void disk_come_between(void)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find("unix");

    disk.write = (ssize_t(*)(int, const void *, size_t, off_t))vfs->xGetSystemCall(vfs, "pwrite64");
    if (!disk.write)
        disk.write = pwrite;
    ck_assert_int_eq(vfs->xSetSystemCall(vfs, "pwrite64", (sqlite3_syscall_ptr)disk_write),
                     SQLITE_OK);
}

/* ---- the controller on it ---- */

static struct head head;
static struct guest guest, other;
static struct job_spec spec;
static struct job_body body;
static char first[] = "first", second[] = "second", work_dir[] = "/tmp";

static void ask_for_job(struct guest *who)
{
    guest_ask_for_job(who, &spec, &body, "#!/bin/sh\n");
}

static void begin(void)
{
    disk_come_between();
    head_start(&head, KNOWN);
    guest_connect(&guest, &head);
    guest_connect(&other, &head);
    job_spec_init(&spec);
    spec.name = first;
    job_body_init(&body);
    body.work_dir = work_dir;
    ask_for_job(&guest);
    ck_assert_int_eq(guest_wait(&guest, &head), 0);
    spec.name = second;
}

static void end(void)
{
    disk_set(DISK_WELL);
    rpc_session_free(other.session);
    guest_leave(&guest, &head);
    head_stop(&head);
}

/* The names that a list tells of. */
static void note_job(const struct rpc_frame *frame, void *ctx)
{
    AUTO(job_info) struct job_info info;

    job_info_init(&info);
    ck_assert_int_eq(rpc_decode(frame, job_info_schema(), &info, NULL), 0);
    strbuf_addf(ctx, "%s ", info.job->spec->name);
}

static char *job_names(struct guest *who)
{
    struct strbuf names = { 0 };

    who->on_record = note_job;
    who->ctx = &names;
    ck_assert_msg(guest_ask_and_wait(who, &head, MSG_JOB_LIST, &(struct job_list){ 0 }) == 0, "%s",
                  who->last_error.text);
    who->on_record = NULL;
    return strbuf_steal(&names);
}

/* Every question that a user may ask gets an answer; how many there are. */
static uint32_t ask_everything(struct guest *who)
{
    uint32_t type, asked_n = 0;

    for (size_t i = 0; (type = msg_type_at(i)); i++) {
        const struct handler *handler = api_find(type);

        if (!handler || handler->role != ROLE_USER ||
            (handler->kind != HANDLER_LOOKS && handler->kind != HANDLER_RECALLS))
            continue;
        ck_assert_msg(guest_ask_and_wait(who, &head, type, guest_message_of(type)) == 0, "%s: %s",
                      msg_name(type), who->last_error.text);
        asked_n++;
    }
    return asked_n;
}

/* The other guest's job is not on the disk: he is told nothing, and others nothing of it. */
static void check_lookers(void)
{
    const uint32_t answers_n = other.over_n;
    AUTO_FREE char *names = job_names(&guest);
    const struct job_list unwritten = { .job_ids = (uint32_t[]){ 2 }, .job_ids_n = 1 };

    ck_assert_str_eq(names, "first ");
    ck_assert_uint_ge(ask_everything(&guest), 12);
    ck_assert_int_eq(guest_ask_and_wait(&guest, &head, MSG_JOB_LIST, &unwritten), -E_JOB_ID);
    ck_assert_uint_eq(other.over_n, answers_n);
}

static void check_all_is_well(void)
{
    AUTO_FREE char *names = NULL;

    disk_set(DISK_WELL);
    HEAD_UNTIL(&head, other.over_n == other.asked_n);
    ck_assert_uint_eq(other.errors_n, 0);
    names = job_names(&other);
    ck_assert_str_eq(names, "first second ");
}

START_TEST(who_looks_is_answered_while_the_disk_is_full)
{
    begin();
    disk_set(DISK_FULL);
    ask_for_job(&other);
    HEAD_UNTIL(&head, head.ctld.in_trouble);

    check_lookers();
    ask_for_job(&guest);
    ck_assert_int_eq(guest_wait(&guest, &head), -ENOSPC);
    check_lookers();

    check_all_is_well();
    end();
}
END_TEST

START_TEST(who_looks_is_answered_while_the_disk_stands_still)
{
    begin();
    disk_set(DISK_STANDS_STILL);
    ask_for_job(&other);

    check_lookers(); /* the first of them before it is known */

    check_all_is_well();
    end();
}
END_TEST

/* Who began to read from memory goes on there; and a snapshot ends with what it was needed for. */
START_TEST(what_is_on_disk_is_shown_anew_in_each_trouble)
{
    begin();
    for (uint32_t i = 0; i < 3; i++) {
        AUTO_FREE char *before = job_names(&guest), *during = NULL, *after = NULL;

        disk_set(DISK_STANDS_STILL);
        ask_for_job(&other);
        during = job_names(&guest);
        ck_assert_str_eq(during, before);
        disk_set(DISK_WELL);
        HEAD_UNTIL(&head, other.over_n == other.asked_n);
        after = job_names(&guest);
        ck_assert_uint_eq(strlen(after), strlen(before) + strlen("second "));
    }
    end();
}
END_TEST

CHECK_MAIN(disk, CASE(who_looks_is_answered_while_the_disk_is_full),
           CASE(who_looks_is_answered_while_the_disk_stands_still),
           CASE(what_is_on_disk_is_shown_anew_in_each_trouble))

#undef main
HEAD_MAIN
