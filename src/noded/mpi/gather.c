#include "noded/mpi/gather.h"

#include <string.h>

#include "common/base/alloc.h"
#include "common/msg/mpi.h"

#define PIECE_BYTES (256u << 10)

/* What one member, or in the end all, have to say. */
struct part {
    struct strbuf bytes;
    bool whole;
};

struct gathering {
    struct gathering *next;
    char *name;
    uint32_t *members;
    uint32_t members_n;
    struct part *parts;   /* of the first member only: one for each */
    struct part result;   /* of the others */
    gather_done_fn *done; /* NULL: this node has not entered yet */
    void *arg;
};

struct gather {
    uint32_t self, nodes_n;
    gather_send_fn *send;
    void *ctx;
    struct gathering *all;
    uint32_t all_n;
};

struct gather *gather_new(uint32_t self, uint32_t nodes_n, gather_send_fn *send, void *ctx)
{
    struct gather *gather = xcalloc(1, sizeof(*gather));

    *gather = (struct gather){ .self = self, .nodes_n = nodes_n, .send = send, .ctx = ctx };
    return gather;
}

static void drop(struct gather *gather, struct gathering *it)
{
    struct gathering **at = &gather->all;

    while (*at != it)
        at = &(*at)->next;
    *at = it->next;
    gather->all_n--;
    for (uint32_t i = 0; it->parts && i < it->members_n; i++)
        strbuf_clear(&it->parts[i].bytes);
    strbuf_clear(&it->result.bytes);
    free(it->parts);
    free(it->members);
    free(it->name);
    free(it);
}

struct gather *gather_free(struct gather *gather)
{
    while (gather && gather->all)
        drop(gather, gather->all);
    free(gather);
    return NULL;
}

static int64_t place_of(const uint32_t *members, uint32_t n, uint32_t node)
{
    for (uint32_t i = 0; i < n; i++) {
        if (members[i] == node)
            return i;
    }
    return -1;
}

static int check_members(const struct gather *gather, const uint32_t *members, uint32_t n,
                         struct err *err)
{
    for (uint32_t i = 0; i < n; i++) {
        if (members[i] >= gather->nodes_n || (i > 0 && members[i] <= members[i - 1]))
            return err_set(err, E_PROTO, "a gathering of nodes that there are not");
    }
    if (place_of(members, n, gather->self) < 0)
        return err_set(err, E_PROTO, "a gathering without this node");
    return 0;
}

static int find(struct gather *gather, const char *name, const uint32_t *members, uint32_t n,
                struct gathering **ret, struct err *err)
{
    int rc = check_members(gather, members, n, err);
    struct gathering *it;

    if (rc < 0)
        return rc;
    for (it = gather->all; it; it = it->next) {
        if (it->members_n == n && strcmp(it->name, name) == 0 &&
            memcmp(it->members, members, n * sizeof(*members)) == 0) {
            *ret = it;
            return 0;
        }
    }
    if (gather->all_n == GATHER_OPEN_MAX)
        return err_set(err, E_TOO_BIG, "more than %u gatherings at once", GATHER_OPEN_MAX);
    it = xcalloc(1, sizeof(*it));
    it->name = xstrdup(name);
    it->members = xmemdup(members, n * sizeof(*members));
    it->members_n = n;
    if (members[0] == gather->self)
        it->parts = xcalloc(n, sizeof(*it->parts));
    it->next = gather->all;
    gather->all = it;
    gather->all_n++;
    *ret = it;
    return 0;
}

/* Sends bytes cut to size; no bytes are one empty piece. */
static void send_pieces(struct gather *gather, const struct gathering *it, const uint32_t *to,
                        uint32_t to_n, bool is_result, const struct strbuf *bytes)
{
    size_t at = 0;

    do {
        const size_t n = bytes->len - at < PIECE_BYTES ? bytes->len - at : PIECE_BYTES;
        AUTO(strbuf) struct strbuf encoded = { 0 };
        struct mpi_piece piece;

        mpi_piece_init(&piece);
        piece.name = it->name;
        piece.members = it->members;
        piece.members_n = it->members_n;
        piece.is_result = is_result;
        piece.data = (struct blob){ (uint8_t *)bytes->data + at, (uint32_t)n };
        at += n;
        piece.last = at == bytes->len;
        schema_encode(mpi_piece_schema(), &piece, &encoded);
        gather->send(gather->ctx, to, to_n, &encoded);
    } while (at < bytes->len);
}

static void finish(struct gather *gather, struct gathering *it, struct strbuf *result)
{
    gather_done_fn *done = it->done;
    void *arg = it->arg;

    drop(gather, it); /* who is told may enter the next one at once */
    done(arg, result->len ? result->data : "", result->len);
    strbuf_clear(result);
}

/* Spreads the result once the first member has heard all. */
static void check_parts(struct gather *gather, struct gathering *it)
{
    struct strbuf result = { 0 };

    for (uint32_t i = 0; i < it->members_n; i++) {
        if (!it->parts[i].whole)
            return;
    }
    for (uint32_t i = 0; i < it->members_n; i++) {
        const struct strbuf *part = &it->parts[i].bytes;

        if (part->len)
            strbuf_add(&result, part->data, part->len);
    }
    if (it->members_n > 1)
        send_pieces(gather, it, it->members + 1, it->members_n - 1, true, &result);
    finish(gather, it, &result);
}

int gather_enter(struct gather *gather, const char *name, const uint32_t *members,
                 uint32_t members_n, const void *bytes, size_t n, gather_done_fn *done, void *arg,
                 struct err *err)
{
    struct gathering *it;
    int rc = find(gather, name, members, members_n, &it, err);

    if (rc < 0)
        return rc;
    if (it->done)
        return err_set(err, E_PROTO, "entered a gathering twice");
    it->done = done;
    it->arg = arg;
    if (it->parts) {
        if (n)
            strbuf_add(&it->parts[0].bytes, bytes, n);
        it->parts[0].whole = true;
        check_parts(gather, it);
    } else {
        const struct strbuf own = { .data = (char *)(uintptr_t)bytes, .len = n };

        send_pieces(gather, it, it->members, 1, false, &own);
    }
    return 0;
}

static int take_piece(struct gather *gather, struct gathering *it, uint32_t from,
                      const struct mpi_piece *piece, struct err *err)
{
    const int64_t place = place_of(it->members, it->members_n, from);
    const bool fits = it->parts ? place > 0 && !piece->is_result : place == 0 && piece->is_result;
    struct part *part = it->parts && fits ? &it->parts[place] : &it->result;

    if (!fits || part->whole || (piece->is_result && !it->done))
        return err_set(err, E_PROTO, "a piece of a gathering out of turn");
    if (part->bytes.len + piece->data.n > GATHER_BYTES_MAX)
        return err_set(err, E_TOO_BIG, "a gathering of more than %u bytes", GATHER_BYTES_MAX);
    if (piece->data.n)
        strbuf_add(&part->bytes, piece->data.data, piece->data.n);
    part->whole = piece->last;
    if (!piece->last)
        return 0;
    if (it->parts) {
        check_parts(gather, it);
    } else {
        struct strbuf result = it->result.bytes;

        it->result.bytes = (struct strbuf){ 0 };
        finish(gather, it, &result);
    }
    return 0;
}

int gather_receive(struct gather *gather, uint32_t from, const void *bytes, size_t n,
                   struct err *err)
{
    AUTO(mpi_piece) struct mpi_piece piece;
    struct gathering *it;
    int rc = schema_decode(mpi_piece_schema(), bytes, n, &piece, err);

    if (rc == 0)
        rc = find(gather, piece.name, piece.members, piece.members_n, &it, err);
    if (rc == 0)
        rc = take_piece(gather, it, from, &piece, err);
    return rc;
}
