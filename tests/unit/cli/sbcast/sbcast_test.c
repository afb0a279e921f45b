/* A file through the stream of sbcast and out again, without a cluster between. */
#include "unit/check_main.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/sbcast/pack.h"
#include "cli/sbcast/packing.h"
#include "cli/sbcast/receive.h"

struct lab {
    char dir[64];
    char *from, *to;
    char *content;
    size_t n;
    struct bcast_head head;
};

static void open_lab(struct lab *lab)
{
    FILE *file;

    *lab = (struct lab){ .dir = "/tmp/sbcast_test.XXXXXX" };
    ck_assert_ptr_nonnull(mkdtemp(lab->dir));
    lab->from = xasprintf("%s/from", lab->dir);
    lab->to = xasprintf("%s/to", lab->dir);
    lab->n = 300000;
    lab->content = xmalloc(lab->n);
    for (size_t i = 0; i < lab->n; i++) /* some of it packs well, some does not */
        lab->content[i] = (char)(i < 100000 ? 'x' : (i * 2654435761u) >> 13);
    file = fopen(lab->from, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(lab->content, 1, lab->n, file), lab->n);
    ck_assert_int_eq(fclose(file), 0);
    bcast_head_init(&lab->head);
    lab->head.path = xstrdup(lab->to);
    lab->head.mode = 0640;
    lab->head.size = lab->n;
}

static uint32_t count_files(const struct lab *lab)
{
    AUTO_FREE char *command = xasprintf("ls -A %s | wc -l", lab->dir);
    FILE *out = popen(command, "r");
    unsigned n = 0;

    ck_assert_int_eq(fscanf(out, "%u", &n), 1);
    pclose(out);
    return n;
}

static void close_lab(struct lab *lab)
{
    (void)unlink(lab->from);
    (void)unlink(lab->to);
    ck_assert_int_eq(rmdir(lab->dir), 0);
    bcast_head_clear(&lab->head);
    free(lab->from);
    free(lab->to);
    free(lab->content);
}

static int copy(struct lab *lab, int *ret_packer)
{
    AUTO_CLOSE int fd = open(lab->from, O_RDONLY | O_CLOEXEC);
    const struct pack_source source = { .fd = fd, .head = &lab->head, .block = 65536 };
    AUTO_CLOSE int stream = -1;
    pid_t pid;
    int rc, status;

    ck_assert_int_eq(pack_start(&source, &pid, &stream, NULL), 0);
    rc = receive_file(stream, NULL);
    close(steal_fd(&stream));
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    *ret_packer = WEXITSTATUS(status);
    return rc;
}

static bool is_same(const struct lab *lab)
{
    AUTO_FREE char *got = xcalloc(1, lab->n + 1);
    AUTO_CLOSE int fd = open(lab->to, O_RDONLY | O_CLOEXEC);

    return read(fd, got, lab->n + 1) == (ssize_t)lab->n && memcmp(got, lab->content, lab->n) == 0;
}

START_TEST(a_file_comes_out_as_it_went_in)
{
    static const enum bcast_packing packings[] = { BCAST_PLAIN, BCAST_LZ4, BCAST_ZLIB };
    struct lab lab;
    struct stat made;
    int packer;

    if (!packing_is_there(packings[_i]))
        return;
    open_lab(&lab);
    lab.head.packing = packings[_i];

    ck_assert_int_eq(copy(&lab, &packer), 0);
    ck_assert_int_eq(packer, 0);
    ck_assert(is_same(&lab));
    ck_assert_int_eq(stat(lab.to, &made), 0);
    ck_assert_uint_eq(made.st_mode & 07777, 0640);
    ck_assert_uint_eq(count_files(&lab), 2);
    close_lab(&lab);
}
END_TEST

START_TEST(times_are_kept_when_asked)
{
    struct lab lab;
    struct stat made;
    int packer;

    open_lab(&lab);
    lab.head.keep_times = true;
    lab.head.access_ns = 1000000000000000001;
    lab.head.modify_ns = 999999999000000002;

    ck_assert_int_eq(copy(&lab, &packer), 0);
    ck_assert_int_eq(stat(lab.to, &made), 0);
    ck_assert_int_eq(made.st_mtim.tv_sec, 999999999);
    ck_assert_int_eq(made.st_mtim.tv_nsec, 2);
    close_lab(&lab);
}
END_TEST

START_TEST(a_file_that_is_there_is_replaced_only_when_asked)
{
    struct lab lab;
    int packer;

    open_lab(&lab);
    ck_assert_int_eq(close(open(lab.to, O_CREAT | O_WRONLY | O_CLOEXEC, 0600)), 0);

    ck_assert_int_eq(copy(&lab, &packer), -EEXIST);
    ck_assert(!is_same(&lab));
    lab.head.force = true;
    ck_assert_int_eq(copy(&lab, &packer), 0);
    ck_assert(is_same(&lab));
    ck_assert_uint_eq(count_files(&lab), 2);
    close_lab(&lab);
}
END_TEST

START_TEST(a_file_that_changes_meanwhile_leaves_nothing)
{
    struct lab lab;
    int packer;

    open_lab(&lab);
    lab.head.size = lab.n + 1;

    ck_assert_int_eq(copy(&lab, &packer), -EPIPE);
    ck_assert_int_eq(packer, EBADMSG);
    ck_assert_uint_eq(count_files(&lab), 1);
    close_lab(&lab);
}
END_TEST

/* One byte of the stream is another: whatever it meant, no file comes of it. */
START_TEST(a_changed_stream_leaves_nothing)
{
    AUTO(strbuf) struct strbuf stream = { 0 };
    AUTO_CLOSE int fd = -1;
    struct lab lab;
    char bytes[65536];
    int ends[2], source_fd;
    pid_t pid;
    ssize_t n;

    open_lab(&lab);
    source_fd = open(lab.from, O_RDONLY | O_CLOEXEC);
    const struct pack_source source = { .fd = source_fd, .head = &lab.head, .block = 65536 };
    ck_assert_int_eq(pack_start(&source, &pid, &fd, NULL), 0);
    while ((n = read(fd, bytes, sizeof(bytes))) > 0)
        strbuf_add(&stream, bytes, (size_t)n);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    close(source_fd);
    stream.data[stream.len / 2] ^= 1;
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    pid = fork();
    if (pid == 0) {
        close(ends[0]);
        _exit(write(ends[1], stream.data, stream.len) < 0);
    }
    close(ends[1]);

    ck_assert_int_eq(receive_file(ends[0], NULL), -EBADMSG);
    ck_assert_uint_eq(count_files(&lab), 1);
    close(ends[0]);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    close_lab(&lab);
}
END_TEST

static const struct {
    const char *text;
    bool good;
    uint32_t bytes;
} sizes[] = {
    { "4096", true, 4096 },
    { "8k", true, 8192 },
    { "2m", true, 2u << 20 },
    { "1", true, BCAST_BLOCK_MIN },
    { "100m", true, BCAST_BLOCK_MAX },
    { "1x", false, 0 },
    { "", false, 0 },
    { "-1", false, 0 },
    { "0", false, 0 },
    { "8kb", false, 0 },
};

START_TEST(sizes_are_read_as_slurm_reads_them)
{
    uint32_t bytes = 0;

    ck_assert(pack_parse_size(sizes[_i].text, &bytes) == sizes[_i].good);
    ck_assert_uint_eq(bytes, sizes[_i].bytes);
}
END_TEST

CHECK_MAIN(sbcast, LOOP_CASE(a_file_comes_out_as_it_went_in, 3), CASE(times_are_kept_when_asked),
           CASE(a_file_that_is_there_is_replaced_only_when_asked),
           CASE(a_file_that_changes_meanwhile_leaves_nothing),
           CASE(a_changed_stream_leaves_nothing),
           LOOP_CASE(sizes_are_read_as_slurm_reads_them, ARRAY_N(sizes)))
