/* What was on disk and is not any more: it is noticed, and no number comes twice. */
#include "unit/check_main.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "unit/ctld/store/store_rig.h"

#define TURNS 20

static char *file_named(const char *suffix)
{
    return xasprintf("%s/sluice.db%s", rig_dir, suffix);
}

/* Each turn gives an id; the clock is told at first only. */
static void commit_turns(struct store *store, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i <= to; i++) {
        struct turn_changes turn;

        turn_changes_init(&turn);
        turn.turn = i;
        rig_note(&turn, CHANGE_NUMBER, NULL, NULL, 0, 0);
        turn.changes[0].name = xstrdup("next_job");
        turn.changes[0].number = i + 1;
        store_commit(store, &turn);
        rig_wait_until_committed(store, i); /* each in a transaction of its own */
    }
}

/* A controller that commits so many turns and is killed; its log is left as it was. */
static void crash_after(uint32_t turns)
{
    int ready[2];
    char byte;

    ck_assert_int_eq(pipe(ready), 0);
    pid_t child = fork();

    if (child == 0) {
        commit_turns(rig_start(), 1, turns);
        _exit(write(ready[1], "x", 1) == 1 && pause());
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ready[0]);
    close(ready[1]);
}

static void see_number(const char *name, int64_t number, void *ctx)
{
    if (strcmp(name, "next_job") == 0)
        *(int64_t *)ctx = number;
}

static void see_kept(const struct kept_kind *kind, const void *record, void *ctx)
{
    (void)kind;
    (void)record;
    (void)ctx;
}

static void see_job(struct job_record *job, const struct job_body *body, void *ctx)
{
    (void)body;
    (void)job;
    (void)ctx;
}

static void see_step(const struct step_record *step, void *ctx)
{
    (void)step;
    (void)ctx;
}

static int64_t next_job(struct store *store)
{
    const struct store_loader loader = { see_number, see_kept, see_job, see_step };
    int64_t number = 0;

    ck_assert_int_eq(store_load(store, &loader, &number, NULL), 0);
    return number;
}

START_TEST(a_crash_loses_nothing_and_is_taken_for_no_loss)
{
    rig_make_dir();
    crash_after(TURNS);

    struct store *store = rig_open();

    ck_assert_ptr_null(store_loss(store));
    ck_assert_int_eq(next_job(store), TURNS + 1);
    store_free(store);
    store = rig_open(); /* and after a good end */
    ck_assert_ptr_null(store_loss(store));
    store_free(store);
    rig_remove_dir();
}
END_TEST

static void cut(const char *path)
{
    struct stat st;

    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_eq(truncate(path, 40000), 0);
}

static void flip_bit(const char *path)
{
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    uint8_t byte;

    ck_assert_int_eq(pread(fd, &byte, 1, 20000), 1);
    byte ^= 4;
    ck_assert_int_eq(pwrite(fd, &byte, 1, 20000), 1);
    close(fd);
}

static void take_away(const char *path)
{
    ck_assert_int_eq(unlink(path), 0);
}

static const struct {
    const char *suffix;
    void (*spoil)(const char *path);
} losses[] = {
    { "-wal", cut },
    { "-wal", flip_bit },
    { "-wal", take_away },
};

START_TEST(a_log_that_lost_commits_is_told_and_numbers_go_on)
{
    AUTO_FREE char *path = file_named(losses[_i].suffix), *whole = NULL;

    rig_make_dir();
    free(path);
    path = file_named(losses[_i].suffix);
    crash_after(TURNS);
    losses[_i].spoil(path);

    struct store *store = rig_open();

    ck_assert_ptr_nonnull(store_loss(store));
    whole = xasprintf(" turns of %d, which were on disk", TURNS);
    ck_assert_msg(strstr(store_loss(store), whole) != NULL, "%s", store_loss(store));
    ck_assert_int_eq(next_job(store), TURNS + 1);
    ck_assert_uint_eq(store_committed(store), TURNS);
    store_free(store);
    store = rig_open();
    ck_assert_ptr_null(store_loss(store)); /* it is told once */
    store_free(store);
    rig_remove_dir();
}
END_TEST

START_TEST(an_older_copy_of_the_database_is_told)
{
    AUTO_FREE char *move = NULL;

    rig_make_dir();
    struct store *store = rig_start();

    commit_turns(store, 1, 3);
    store_free(store);
    move = xasprintf("cp '%s/sluice.db' '%s/older'", rig_dir, rig_dir);
    ck_assert_int_eq(system(move), 0);
    store = rig_start();
    commit_turns(store, 4, 9);
    store_free(store);
    free(move);
    move = xasprintf("mv '%s/older' '%s/sluice.db'", rig_dir, rig_dir);
    ck_assert_int_eq(system(move), 0);

    store = rig_start();

    ck_assert_ptr_nonnull(store_loss(store));
    ck_assert_int_eq(next_job(store), 10);
    commit_turns(store, 10, 11);
    store_free(store);
    store = rig_open();
    ck_assert_ptr_null(store_loss(store));
    store_free(store);
    rig_remove_dir();
}
END_TEST

START_TEST(a_damaged_mark_is_told_and_begun_anew)
{
    AUTO_FREE char *path = NULL;

    rig_make_dir();
    crash_after(3);
    path = file_named("-mark");
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    ck_assert_int_eq(pwrite(fd, "?", 1, 30), 1);
    close(fd);

    struct store *store = rig_open();

    ck_assert_ptr_null(store_loss(store));
    ck_assert_ptr_nonnull(store_remark(store));
    ck_assert_ptr_nonnull(strstr(store_remark(store), "-mark' is damaged"));
    ck_assert_int_eq(next_job(store), 4);
    store_free(store);
    store = rig_open();
    ck_assert_ptr_null(store_remark(store));
    store_free(store);
    rig_remove_dir();
}
END_TEST

CHECK_MAIN(loss, CASE(a_crash_loses_nothing_and_is_taken_for_no_loss),
           LOOP_CASE(a_log_that_lost_commits_is_told_and_numbers_go_on, ARRAY_N(losses)),
           CASE(an_older_copy_of_the_database_is_told), CASE(a_damaged_mark_is_told_and_begun_anew))
