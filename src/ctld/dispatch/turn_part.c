#include "ctld/dispatch/turn_part.h"

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
