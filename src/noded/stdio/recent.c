#include "noded/stdio/recent.h"

#include <string.h>

struct piece {
    uint32_t task, stream, n;
    uint8_t *data;
};

struct recent {
    struct piece pieces[RECENT_PIECES]; /* a ring */
    uint32_t first, n;
    uint32_t bytes;
};

struct recent *recent_new(void)
{
    return xcalloc(1, sizeof(struct recent));
}

static void drop_first(struct recent *recent)
{
    struct piece *gone = &recent->pieces[recent->first];

    recent->bytes -= gone->n;
    recent->first = (recent->first + 1) % RECENT_PIECES;
    recent->n--;
    free(STEAL(gone->data));
}

struct recent *recent_free(struct recent *recent)
{
    while (recent && recent->n)
        drop_first(recent);
    free(recent);
    return NULL;
}

void recent_add(struct recent *recent, uint32_t task, uint32_t stream, const void *data, uint32_t n)
{
    struct piece *piece;

    if (n == 0)
        return;
    while (recent->n && (recent->n == RECENT_PIECES || recent->bytes + n > RECENT_BYTES))
        drop_first(recent);
    if (n > RECENT_BYTES)
        return;
    piece = &recent->pieces[(recent->first + recent->n++) % RECENT_PIECES];
    *piece = (struct piece){ task, stream, n, xmemdup(data, n) };
    recent->bytes += n;
}

void recent_each(const struct recent *recent, recent_fn *fn, void *ctx)
{
    for (uint32_t i = 0; i < recent->n; i++) {
        const struct piece *piece = &recent->pieces[(recent->first + i) % RECENT_PIECES];

        fn(ctx, piece->task, piece->stream, piece->data, piece->n);
    }
}
