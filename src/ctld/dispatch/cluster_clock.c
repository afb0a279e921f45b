#include "ctld/dispatch/cluster_clock.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"

#include <stdio.h>
#include <string.h>

#define JUMP_MS   2000
#define NOTE_MS   1000
#define BOOT_FILE "/proc/sys/kernel/random/boot_id"

/* Returns the kernel's boot id, folded to a number (FNV-1a); 0 when it cannot be read. */
static int64_t read_boot_tag(void)
{
    FILE *file = fopen(BOOT_FILE, "re");
    uint64_t tag = UINT64_C(0xcbf29ce484222325);
    int c;

    if (!file)
        return 0;
    while ((c = fgetc(file)) != EOF)
        tag = (tag ^ (uint64_t)(unsigned char)c) * UINT64_C(0x100000001b3);
    fclose(file);
    return (int64_t)(tag >> 1);
}

void cluster_clock_init(struct cluster_clock *clock, struct clock wall)
{
    *clock = (struct cluster_clock){ .clock = wall, .boot_tag = read_boot_tag() };
}

void cluster_clock_load(struct cluster_clock *clock, const char *name, int64_t number)
{
    if (strcmp(name, CONTROL_NUMBER_CLUSTER_MS) == 0)
        clock->saved.cluster_ms = number;
    else if (strcmp(name, "clock_boot_ms") == 0)
        clock->saved.boot_ms = number;
    else if (strcmp(name, "clock_boot_tag") == 0)
        clock->saved.boot_tag = number;
    else if (strcmp(name, "clock_wall_s") == 0)
        clock->saved.wall_s = number;
}

static int64_t elapsed_since_saved(const struct cluster_clock *clock)
{
    int64_t elapsed;

    if (clock->saved.boot_tag && clock->saved.boot_tag == clock->boot_tag)
        elapsed = clock_mono_ms() - clock->saved.boot_ms;
    else
        elapsed = (clock_wall_s(&clock->clock) - clock->saved.wall_s) * 1000;
    return elapsed > 0 ? elapsed : 0;
}

void cluster_clock_start(struct cluster_clock *clock)
{
    int64_t begin = clock->saved.wall_s ? clock->saved.cluster_ms + elapsed_since_saved(clock) : 1;

    clock->offset_ms = begin - clock_mono_ms();
    clock->wall_offset_ms = clock_wall_ms(&clock->clock) - clock_mono_ms();
}

struct moment cluster_clock_now(const struct cluster_clock *clock)
{
    const int64_t wall_ms = clock_wall_ms(&clock->clock);

    return (struct moment){ .wall_s = wall_ms / 1000,
                            .wall_part_ms = wall_ms % 1000,
                            .cluster_ms = clock_mono_ms() + clock->offset_ms };
}

int64_t cluster_clock_jump(struct cluster_clock *clock)
{
    int64_t offset = clock_wall_ms(&clock->clock) - clock_mono_ms();
    int64_t jump = offset - clock->wall_offset_ms;

    clock->wall_offset_ms = offset;
    return jump > JUMP_MS || jump < -JUMP_MS ? jump : 0;
}

void cluster_clock_note(struct cluster_clock *clock, struct turn *turn)
{
    struct moment now = cluster_clock_now(clock);

    if (now.cluster_ms - clock->kept_ms < NOTE_MS)
        return;
    clock->kept_ms = now.cluster_ms;
    turn_note_number(turn, CONTROL_NUMBER_CLUSTER_MS, now.cluster_ms);
    turn_note_number(turn, "clock_boot_ms", clock_mono_ms());
    turn_note_number(turn, "clock_boot_tag", clock->boot_tag);
    turn_note_number(turn, "clock_wall_s", now.wall_s);
}
