/* held_orders.c - passes orders on to the step daemons. */
#include <errno.h>
#include <event2/event.h>
#include <signal.h>

#include "common/msg/job.h"
#include "noded/monitor/held_inside.h"

/* Sends the verb to the step daemon; `fd` goes along unless it is -1. */
static void tell(struct held *it, enum priv_verb verb, const struct strbuf *bytes, int fd)
{
    struct priv_msg msg = { .verb = verb,
                            .bytes = (const uint8_t *)bytes->data,
                            .bytes_n = (uint32_t)bytes->len,
                            .fds_n = fd >= 0,
                            .fds = { fd } };

    (void)priv_send(it->ctl, &msg, NULL); /* reading finds out when it is gone */
    if (priv_channel_wants_write(it->ctl))
        event_add(it->writable, NULL);
}

static bool is_meant(const struct held *it, uint32_t job_id, uint32_t step_id)
{
    return it->ctl && it->name.job_id == job_id &&
           (step_id == COUNT_UNSET || it->name.step_id == step_id);
}

/* Returns whether the signal is for the step. One for a whole job goes to its steps; the batch
 * shell gets it when that is asked for. */
static bool flags_allow(const struct held *it, const struct priv_signal *signal)
{
    bool batch = it->name.step_id == STEP_BATCH;

    if (signal->step_id != COUNT_UNSET)
        return true;
    if (signal->flags & SIGNAL_BATCH_ONLY)
        return batch;
    if (it->name.step_id == STEP_EXTERN) /* what is in it follows the job, but hears no signals */
        return signal->signal == SIGSTOP || signal->signal == SIGCONT || signal->signal == SIGKILL;
    return !batch || (signal->flags & SIGNAL_WITH_BATCH) || signal->signal == SIGKILL;
}

uint32_t held_signal(struct held_table *table, const struct priv_signal *signal)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    uint32_t n = 0;

    priv_signal_encode(signal, &bytes);
    for (struct held *it = table->all; it; it = it->hh.next) {
        if (!is_meant(it, signal->job_id, signal->step_id) || !flags_allow(it, signal))
            continue;
        tell(it, PRIV_SIGNAL, &bytes, -1);
        n++;
    }
    return n;
}

uint32_t held_end(struct held_table *table, const struct priv_end *end)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    uint32_t n = 0;

    priv_end_encode(end, &bytes);
    for (struct held *it = table->all; it; it = it->hh.next) {
        const struct spool_name *name = &it->name;

        if (!it->ctl || !priv_end_means(end, name->job_id, name->step_id, name->launch_number))
            continue;
        tell(it, PRIV_END, &bytes, -1);
        n++;
    }
    return n;
}

uint32_t held_say(struct held_table *table, const struct priv_say *say)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    uint32_t n = 0;

    priv_say_encode(say, &bytes);
    for (struct held *it = table->all; it; it = it->hh.next) {
        if (!is_meant(it, say->job_id, say->step_id))
            continue;
        tell(it, PRIV_SAY, &bytes, -1);
        n++;
    }
    return n;
}

uint32_t held_log(struct held_table *table, int fd)
{
    const struct strbuf nothing = { 0 };
    uint32_t n = 0;

    for (struct held *it = table->all; it; it = it->hh.next) {
        if (!it->ctl)
            continue;
        tell(it, PRIV_LOG, &nothing, fd);
        n++;
    }
    return n;
}

int held_connect(struct held_table *table, const struct priv_connect *connect, int fd,
                 struct err *err)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    priv_connect_encode(connect, &bytes);
    for (struct held *it = table->all; it; it = it->hh.next) {
        if (!is_meant(it, connect->job_id, connect->step_id))
            continue;
        if (priv_channel_wants_write(it->ctl))
            return err_set(err, EBUSY, "step %s has not taken the connections before", it->title);
        tell(it, PRIV_CONNECT, &bytes, fd);
        return 0;
    }
    return err_set(err, E_ALREADY_DONE, "job %u step %u does not run here", connect->job_id,
                   connect->step_id);
}
