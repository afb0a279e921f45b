#include "ctld/dispatch/turn_stream.h"

#include <string.h>

#include <utlist.h>

struct item {
    uint64_t turn;
    struct change change;
};

struct turn_stream {
    struct turn_reader *readers;
    struct item *items; /* items[0] has the number `first` */
    uint32_t items_n;
    uint64_t first;
};

struct turn_stream *turn_stream_new(void)
{
    return xcalloc(1, sizeof(struct turn_stream));
}

static void drop_items(struct turn_stream *stream, uint32_t n)
{
    if (n == 0)
        return;
    for (uint32_t i = 0; i < n; i++)
        change_clear(&stream->items[i].change);
    stream->items_n -= n;
    stream->first += n;
    memmove(stream->items, stream->items + n, stream->items_n * sizeof(*stream->items));
}

struct turn_stream *turn_stream_free(struct turn_stream *stream)
{
    if (!stream)
        return NULL;
    drop_items(stream, stream->items_n);
    free(stream->items);
    free(stream);
    return NULL;
}

void turn_stream_add(struct turn_stream *stream, struct turn_reader *reader)
{
    reader->next = stream->first + stream->items_n;
    LL_PREPEND2(stream->readers, reader, link);
}

void turn_stream_remove(struct turn_stream *stream, struct turn_reader *reader)
{
    struct turn_reader *found;

    LL_FOREACH2(stream->readers, found, link)
    {
        if (found == reader)
            break;
    }
    if (found)
        LL_DELETE2(stream->readers, reader, link);
}

static bool wants(const struct turn_reader *reader, const struct change *change)
{
    return (reader->kinds & TURN_KIND(change->kind)) && (!reader->wants || reader->wants(change));
}

static bool is_wanted(const struct turn_stream *stream, const struct change *change)
{
    const struct turn_reader *reader;

    LL_FOREACH2(stream->readers, reader, link)
    {
        if (wants(reader, change))
            return true;
    }
    return false;
}

/* Loses the readers that have not taken the first change, because too many wait for the slowest. */
static void lose_slowest(struct turn_stream *stream)
{
    struct turn_reader *reader, *next;

    LL_FOREACH_SAFE2(stream->readers, reader, next, link)
    {
        if (reader->next > stream->first || !reader->on_lost)
            continue;
        LL_DELETE2(stream->readers, reader, link);
        reader->on_lost(reader->ctx);
    }
}

void turn_stream_offer(struct turn_stream *stream, const struct turn_changes *changes)
{
    if (stream->items_n >= TURN_STREAM_MAX)
        lose_slowest(stream);
    for (uint32_t i = 0; i < changes->changes_n; i++) {
        struct item *item;

        if (!is_wanted(stream, &changes->changes[i]))
            continue;
        item = ARRAY_PUSH(stream->items, stream->items_n);
        item->turn = changes->turn;
        schema_copy(change_schema(), &item->change, &changes->changes[i]);
    }
}

static void tell(struct turn_stream *stream, struct turn_reader *reader, uint64_t committed)
{
    while (reader->next < stream->first + stream->items_n) {
        const struct item *item = &stream->items[reader->next - stream->first];

        if (item->turn > committed)
            return;
        if (wants(reader, &item->change) && !reader->take(&item->change, item->turn, reader->ctx))
            return;
        reader->next++;
    }
}

void turn_stream_release(struct turn_stream *stream, uint64_t committed)
{
    uint64_t taken = stream->first + stream->items_n;
    struct turn_reader *reader;

    LL_FOREACH2(stream->readers, reader, link)
    {
        tell(stream, reader, committed);
        if (reader->next < taken)
            taken = reader->next;
    }
    drop_items(stream, (uint32_t)(taken - stream->first));
}
