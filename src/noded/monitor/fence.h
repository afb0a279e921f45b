/*
 * fence.h - what must never happen twice on this node, across restarts of the daemon: the highest
 * controller incarnation, and the launches of which nothing else is left.
 *
 * Two files in the spool directory. A forgotten Prolog or Epilog is kept as one of a step that no
 * job has. Forgotten launches count for one boot only, as orders do; the
 * oldest go when there are more than FENCE_MAX. All belongs to one controller key: a state
 * directory made anew has another key, and counts jobs and incarnations from the start.
 */
#pragma once

#include <stdint.h>

#include "common/base/err.h"
#include "common/msg/step.h"

#define FENCE_MAX   1000000u
#define FENCE_KEY_N 32

/* Stands in the place of a step for its Prolog or Epilog, by enum hook_kind. */
#define FENCE_HOOK(kind) (STEP_MAX + 1 + (kind))

struct fence;

int fence_open(int spool_fd, const char *boot_id, struct fence **ret, struct err *err);
struct fence *fence_free(struct fence *fence); /* NULL is fine */

uint64_t fence_incarnation(const struct fence *fence);
/* Remembers a higher incarnation; a lower one changes nothing. */
int fence_raise(struct fence *fence, uint64_t incarnation, struct err *err);

/*
 * Takes the controller's key, as just proved. The known one with a lower incarnation fails with
 * E_STALE; another one begins anew, and returns 1.
 */
int fence_take_key(struct fence *fence, const uint8_t key[FENCE_KEY_N], uint64_t incarnation,
                   struct err *err);

/* Returns the highest launch number of this step that was forgotten, 0 when none was. */
uint32_t fence_forgotten(const struct fence *fence, uint32_t job_id, uint32_t step_id);
int fence_forget(struct fence *fence, uint32_t job_id, uint32_t step_id, uint32_t launch_number,
                 struct err *err);
