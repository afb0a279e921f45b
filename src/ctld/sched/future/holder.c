#include "ctld/sched/future/holder.h"

#include <string.h>

#include "ctld/sched/future/future.h"

void holders_init(struct holders *holders, uint32_t nodes_n)
{
    *holders = (struct holders){
        .nodes = xcalloc(nodes_n, sizeof(*holders->nodes)),
        .nodes_n = nodes_n,
    };
}

void holders_clear(struct holders *holders)
{
    for (uint32_t i = 0; i < holders->nodes_n; i++)
        free(holders->nodes[i].jobs);
    free(holders->nodes);
    *holders = (struct holders){ 0 };
}

void holders_add(struct holders *holders, struct sched_job *job)
{
    for (uint32_t i = 0; i < job->places_n; i++) {
        struct node_holders *of = &holders->nodes[job->places[i].node];

        *ARRAY_PUSH(of->jobs, of->n) = job;
        holders->alone_n += job->alone;
    }
}

/* Removes the job; the others stay in order. Plans are taken back in the reverse of the order they
 * were made in, so the search begins at the end. */
static bool drop_from(struct node_holders *of, const struct sched_job *job)
{
    uint32_t i = of->n;

    while (i > 0 && of->jobs[i - 1] != job)
        i--;
    if (i == 0)
        return false;
    memmove(&of->jobs[i - 1], &of->jobs[i], (of->n-- - i) * sizeof(struct sched_job *));
    return true;
}

void holders_drop(struct holders *holders, struct sched_job *job)
{
    for (uint32_t i = 0; i < job->places_n; i++)
        holders->alone_n -= drop_from(&holders->nodes[job->places[i].node], job) && job->alone;
}

bool holder_refuses(const struct sched_job *holder, const struct holder_user *user)
{
    return holder->uid != user->uid && (holder->alone || user->alone);
}

static bool matters(const struct holders *holders, const struct holder_user *user)
{
    return user->alone || holders->alone_n > 0;
}

int64_t holders_ready(const struct holders *holders, uint32_t node, const struct holder_user *user,
                      int64_t from, int64_t length)
{
    const struct node_holders *of = &holders->nodes[node];
    int64_t at = from;
    bool moved = matters(holders, user);

    while (moved) {
        moved = false;
        for (uint32_t i = 0; i < of->n; i++) {
            const struct sched_job *holder = of->jobs[i];

            if (!holder->claims || !holder_refuses(holder, user) || at >= holder->to ||
                future_add(at, length) <= holder->from)
                continue;
            at = holder->to;
            moved = true;
        }
    }
    return at;
}

int64_t holders_until(const struct holders *holders, uint32_t node, const struct holder_user *user,
                      int64_t from)
{
    const struct node_holders *of = &holders->nodes[node];
    int64_t until = FUTURE_END;

    for (uint32_t i = 0; matters(holders, user) && i < of->n; i++) {
        const struct sched_job *holder = of->jobs[i];

        if (holder->claims && holder_refuses(holder, user) && holder->to > from &&
            holder->from < until)
            until = holder->from;
    }
    return until > from ? until : from;
}
