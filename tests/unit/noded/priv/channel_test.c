#include "unit/check_main.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "noded/priv/channel.h"

static void make_pair(struct priv_channel *ends[2])
{
    int fds[2];
    struct err err = { 0 };

    ck_assert_msg(priv_socketpair(fds, &err) == 0, "%s", err.text);
    ends[0] = priv_channel_new(fds[0]);
    ends[1] = priv_channel_new(fds[1]);
}

static int file_with(const char *text)
{
    int fd = memfd_create("test", MFD_CLOEXEC);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    return fd;
}

START_TEST(descriptors_arrive_with_their_packet)
{
    struct priv_channel *ends[2];
    struct priv_launch launch = { .cred = (const uint8_t *)"c",
                                  .cred_n = 1,
                                  .signature = (const uint8_t[PRIV_SIGNATURE_N]){ 0 },
                                  .has_script = true };
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct priv_msg got = { 0 };
    char text[8] = "";

    make_pair(ends);
    AUTO_CLOSE int body = file_with("body");
    AUTO_CLOSE int script = file_with("script");
    priv_launch_encode(&launch, &bytes);
    struct priv_msg msg = { .verb = PRIV_LAUNCH,
                            .bytes = (const uint8_t *)bytes.data,
                            .bytes_n = (uint32_t)bytes.len,
                            .fds_n = 2,
                            .fds = { body, script } };
    ck_assert_int_eq(priv_send(ends[0], &msg, NULL), 0);
    ck_assert_int_eq(priv_receive(ends[1], PRIV_MONITOR, &got, NULL), 1);

    ck_assert_uint_eq(got.fds_n, 2);
    ck_assert_int_eq(pread(got.fds[1], text, sizeof(text), 0), 6);
    ck_assert_str_eq(text, "script");
    priv_msg_close(&got);
    priv_channel_free(ends[0]);
    priv_channel_free(ends[1]);
}
END_TEST

/* A report of the largest size, many times: far more than a socket holds. */
START_TEST(what_the_kernel_does_not_take_is_sent_later_in_order)
{
    enum { PACKETS = 40 };
    struct priv_channel *ends[2];
    AUTO_FREE uint8_t *big = xcalloc(1, PRIV_BYTES_MAX);
    struct priv_msg got = { 0 };

    make_pair(ends);
    for (uint32_t i = 0; i < PACKETS; i++) {
        struct priv_msg msg = {
            .verb = PRIV_STEP_REPORT, .request = i, .bytes = big, .bytes_n = PRIV_BYTES_MAX
        };
        ck_assert_int_eq(priv_send(ends[0], &msg, NULL), 0);
    }
    ck_assert(priv_channel_wants_write(ends[0]));
    for (uint32_t i = 0; i < PACKETS; i++) {
        ck_assert_int_eq(priv_receive(ends[1], PRIV_AGENT, &got, NULL), 1);
        ck_assert_uint_eq(got.request, i);
        ck_assert_uint_eq(got.bytes_n, PRIV_BYTES_MAX);
        ck_assert_int_eq(priv_channel_flush(ends[0], NULL), 0);
    }

    ck_assert(!priv_channel_wants_write(ends[0]));
    ck_assert_int_eq(priv_receive(ends[1], PRIV_AGENT, &got, NULL), 0);
    priv_channel_free(ends[0]);
    ck_assert_int_eq(priv_receive(ends[1], PRIV_AGENT, &got, NULL), -E_CLOSED);
    priv_channel_free(ends[1]);
}
END_TEST

START_TEST(a_receiver_that_never_reads_is_given_up)
{
    struct priv_channel *ends[2];
    AUTO_FREE uint8_t *big = xcalloc(1, PRIV_BYTES_MAX);
    struct priv_msg msg = { .verb = PRIV_STEP_REPORT, .bytes = big, .bytes_n = PRIV_BYTES_MAX };
    int rc = 0;

    make_pair(ends);
    for (uint32_t i = 0; i <= PRIV_QUEUE_MAX / PRIV_BYTES_MAX + 100 && rc == 0; i++)
        rc = priv_send(ends[0], &msg, NULL);

    ck_assert_int_eq(rc, -E_TOO_BIG);
    priv_channel_free(ends[0]);
    priv_channel_free(ends[1]);
}
END_TEST

START_TEST(too_many_descriptors_are_refused_and_closed)
{
    struct priv_channel *ends[2];
    struct priv_msg got = { 0 };
    char header[PRIV_HEADER_N] = { 0 };
    int fds[8];
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(fds))];
    } control = { 0 };
    struct iovec part = { header, sizeof(header) };
    struct msghdr head = { .msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof(control.bytes) };

    make_pair(ends);
    for (int i = 0; i < 8; i++)
        fds[i] = 1;
    struct cmsghdr *rights = CMSG_FIRSTHDR(&head);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(fds));
    memcpy(CMSG_DATA(rights), fds, sizeof(fds));
    ck_assert_int_eq(sendmsg(priv_channel_fd(ends[0]), &head, 0), sizeof(header));
    int before = dup(0);
    close(before);

    ck_assert_int_eq(priv_receive(ends[1], PRIV_MONITOR, &got, NULL), -E_TOO_BIG);
    int after = dup(0);
    ck_assert_int_eq(before, after);
    close(after);
    priv_channel_free(ends[0]);
    priv_channel_free(ends[1]);
}
END_TEST

CHECK_MAIN(channel, CASE(descriptors_arrive_with_their_packet),
           CASE(what_the_kernel_does_not_take_is_sent_later_in_order),
           CASE(a_receiver_that_never_reads_is_given_up),
           CASE(too_many_descriptors_are_refused_and_closed))
