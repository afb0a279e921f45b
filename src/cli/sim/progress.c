#include "cli/sim/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "common/base/clock.h"

#define QUIET_MS 1000
#define EVERY_MS 200
#define BAR      24

struct progress progress_begin(const char *what)
{
    return (
        struct progress){ .what = what, .on = isatty(STDERR_FILENO), .begun_ms = clock_mono_ms() };
}

static void draw(const struct progress *progress, int64_t now, uint32_t done_n, uint32_t all_n)
{
    const uint32_t filled = (uint32_t)((uint64_t)done_n * BAR / all_n);
    char bar[BAR + 1] = { 0 };

    for (uint32_t i = 0; i < BAR; i++)
        bar[i] = i < filled ? '#' : '.';
    fprintf(stderr, "\r%s [%s] %3u %%  %u of %u jobs, %lld a second\033[K", progress->what, bar,
            (unsigned)((uint64_t)done_n * 100 / all_n), done_n, all_n,
            (long long)done_n * 1000 / (now - progress->begun_ms));
}

void progress_tell(struct progress *progress, uint32_t done_n, uint32_t all_n)
{
    int64_t now;

    if (!progress->on || all_n == 0)
        return;
    now = clock_mono_ms();
    if (now - progress->begun_ms < QUIET_MS || now - progress->told_ms < EVERY_MS)
        return;
    draw(progress, now, done_n, all_n);
    progress->told_ms = now;
    progress->shown = true;
}

void progress_end(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
