#include "noded/stepd/parent_inside.h"

#include <stdio.h>

#include "noded/stepd/frame.h"

#define KILL_AGAIN_MS 2   /* between rounds of killing, at first */
#define KILL_MOST_MS  200 /* and at most */
#define CHILD_GRACE_MS                                                                             \
    30000 /* for the user child of a step that was ended to give up its streams */
#define KILL_WAIT_MAX_S 86400u /* a longer one is a mistake */

void parent_start_killing(struct parent *parent)
{
    if (parent->killing)
        return;
    parent->killing = true;
    parent->kill_at_ms = 0;
    parent->kill_pause_ms = KILL_AGAIN_MS;
    parent->again_at_ms = clock_mono_ms();
}

void parent_end_step(struct parent *parent, uint32_t kill_wait_s, const char *reason)
{
    struct frame frame = { .kind = FRAME_END };
    uint32_t wait_s = kill_wait_s < KILL_WAIT_MAX_S ? kill_wait_s : KILL_WAIT_MAX_S;
    int64_t kill_at_ms = clock_mono_ms() + (int64_t)wait_s * 1000;

    log_info(parent->log, "step %s: ends%s%s, KILL after %u s", parent->title, *reason ? ": " : "",
             reason, wait_s);
    snprintf(frame.text, sizeof(frame.text), "%s", reason);
    (void)frame_send(parent->pair_fd, &frame); /* only words */
    parent->child_kill_at_ms = kill_at_ms + CHILD_GRACE_MS;
    if (wait_s == 0) {
        parent_start_killing(parent);
        return;
    }
    if (!parent->kill_at_ms || kill_at_ms < parent->kill_at_ms)
        parent->kill_at_ms = kill_at_ms;
    cgroup_freeze(parent->cgroup, false, parent->child);
    (void)cgroup_signal(parent->cgroup, SIGTERM, parent->child);
}

/* Kills in one round. Nobody but the child may be left, and it only as long as it delivers
 * output. */
void parent_kill_round(struct parent *parent)
{
    int64_t now = clock_mono_ms();
    bool child_too = parent->child_kill_at_ms && now >= parent->child_kill_at_ms;
    pid_t except = parent->child_gone || child_too ? 0 : parent->child;

    parent->was_empty = cgroup_kill(parent->cgroup, except) == 0;
    parent->again_at_ms = now + parent->kill_pause_ms;
    if (parent->kill_pause_ms < KILL_MOST_MS)
        parent->kill_pause_ms *= 2;
}
