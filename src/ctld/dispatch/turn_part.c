#include "ctld/dispatch/turn_part.h"

#include <inttypes.h>
#include <string.h>

#include "common/rpc/frame.h"

#define FRAME_BYTES  (RPC_BODY_MAX / 2) /* of records, at which a frame is sent */
#define CHANGE_BYTES 128                /* what a change takes beside its record, at most */

/* Returns how many changes from there on go into one frame; one alone may be all of it. */
static uint32_t fitting(const struct dbd_turn *whole, uint32_t begin)
{
    size_t bytes = 0;
    uint32_t end = begin;

    for (; end < whole->changes_n; end++) {
        bytes += whole->changes[end].record.n + CHANGE_BYTES;
        if (bytes > FRAME_BYTES && end > begin)
            break;
    }
    return end - begin;
}

bool turn_part_next(const struct dbd_turn *whole, struct dbd_turn *part)
{
    const bool is_first = !part->changes && !part->is_end;
    const uint32_t begin =
        is_first ? 0 : (uint32_t)(part->changes - whole->changes) + part->changes_n;

    if (part->is_end)
        return false;
    *part = *whole;
    part->begins = whole->begins && is_first;
    part->changes = whole->changes + begin;
    part->changes_n = fitting(whole, begin);
    part->is_end = begin + part->changes_n == whole->changes_n;
    return true;
}

/* Returns whether the change goes on with a blob whose beginning was the last one. */
static bool goes_on(const struct turn_changes *whole, const struct change *change)
{
    const struct change *last = whole->changes_n ? &whole->changes[whole->changes_n - 1] : NULL;

    return last && change->kind == CHANGE_BLOB && change->number > 0 && last->kind == CHANGE_BLOB &&
           last->record.n == (uint64_t)change->number && last->sha256.n == change->sha256.n &&
           memcmp(last->sha256.data, change->sha256.data, last->sha256.n) == 0;
}

static void append(struct blob *blob, const struct blob *more)
{
    if (!more->n)
        return;
    blob->data = xrealloc(blob->data, (size_t)blob->n + more->n);
    memcpy(blob->data + blob->n, more->data, more->n);
    blob->n += more->n;
}

static int check_size(const struct turn_changes *whole, uint64_t *bytes,
                      const struct dbd_turn *part, struct err *err)
{
    uint64_t n = whole->changes_n ? *bytes : 0;

    for (uint32_t i = 0; i < part->changes_n; i++)
        n += change_bytes(&part->changes[i]);
    if (n > TURN_BYTES_MAX)
        return err_set(err, E_TOO_BIG,
                       "turn %" PRIu64 " takes more than %u MiB and goes on; a Sluice of this "
                       "version tells of none that long: slurmctld and slurmdbd are to be of one "
                       "version",
                       part->turn, TURN_BYTES_MAX >> 20);
    *bytes = n;
    return 0;
}

int turn_part_join(struct turn_changes *whole, uint64_t *bytes, struct dbd_turn *part,
                   struct err *err)
{
    int rc = check_size(whole, bytes, part, err);

    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < part->changes_n; i++) {
        struct change *change = &part->changes[i];

        if (goes_on(whole, change)) {
            append(&whole->changes[whole->changes_n - 1].record, &change->record);
            change_clear(change);
        } else {
            *ARRAY_PUSH(whole->changes, whole->changes_n) = *change;
        }
    }
    part->changes_n = 0;
    return 0;
}
