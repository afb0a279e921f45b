/*
 * Any packet from the agent is a verb in the table's bounds or an error, and its parts decode
 * within them. The first byte says who receives and how many descriptors came along.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "noded/priv/verbs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void decode_parts(const struct priv_msg *msg)
{
    struct priv_launch launch;
    struct priv_end end;
    struct err err = { 0 };

    if (msg->verb == PRIV_LAUNCH && priv_launch_decode(msg, &launch, &err) == 0)
        assert(launch.cred + launch.cred_n <= msg->bytes + msg->bytes_n &&
               strlen(launch.controller) <= PRIV_ADDRESS_MAX);
    if (msg->verb == PRIV_END && priv_end_decode(msg, &end, &err) == 0)
        assert(strlen(end.reason) <= PRIV_REASON_MAX);
    if (msg->verb == PRIV_SIGNAL)
        (void)priv_signal_decode(msg);
    if (msg->verb == PRIV_FORGET)
        (void)priv_forget_decode(msg);
    if (msg->verb == PRIV_CONNECT)
        (void)priv_connect_decode(msg);
    if (msg->verb == PRIV_ANSWER)
        (void)priv_answer_decode(msg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct priv_msg msg;
    struct err err = { 0 };

    if (size < 1)
        return 0;
    if (priv_decode(data + 1, size - 1, data[0] >> 4, data[0] & 7u, &msg, &err) < 0)
        assert(err.code && err.text[0]);
    else
        decode_parts(&msg);
    return 0;
}
