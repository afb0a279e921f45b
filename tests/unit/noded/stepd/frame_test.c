#include "unit/check_main.h"

#include <sys/socket.h>
#include <unistd.h>

#include "common/base/err.h"
#include "noded/stepd/frame.h"

START_TEST(what_was_said_before_an_end_with_something_unread_is_heard)
{
    const struct frame last = { .kind = FRAME_EXIT, .task = 7 }, unread = { .kind = FRAME_END };
    struct frame frame;
    int pair[2], passed;

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    ck_assert_int_eq(frame_send(pair[1], &last), 0);
    ck_assert_int_eq(frame_send(pair[0], &unread), 0);
    close(pair[1]);

    ck_assert_int_eq(
        _i ? frame_receive_fd(pair[0], &frame, &passed) : frame_receive(pair[0], &frame), 1);
    ck_assert_uint_eq(frame.kind, FRAME_EXIT);
    ck_assert_uint_eq(frame.task, 7);
    ck_assert_int_eq(frame_receive(pair[0], &frame), -E_CLOSED);
    close(pair[0]);
}
END_TEST

CHECK_MAIN(frame, LOOP_CASE(what_was_said_before_an_end_with_something_unread_is_heard, 2))
