/*
 * From node to node, in the order in which they wake: each that can take its part then stays, until
 * its room is taken by others; when enough stay at the same time, that is the moment. The nodes are
 * then the preferred ones of those that stay and of those that wake at that very moment.
 */
#include "ctld/sched/look.h"

/* More is left to another try: what was found out about nodes is not lost. */
#define LOOKS_MAX 512

/* ---- blocks of nodes: a tree, the soonest to wake on top, of equal ones the first ---- */

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void set_soonest(struct search *search, uint32_t block, int64_t wake)
{
    int64_t *tree = search->soonest;
    uint32_t i = search->leaves_n + block;

    tree[i] = wake;
    while (i > 1) {
        i /= 2;
        tree[i] = lesser(tree[2 * i], tree[2 * i + 1]);
    }
}

static void begin(struct search *search, const struct look *look)
{
    const uint32_t blocks_n = (search->cluster->nodes_n + SIGHT_BLOCK - 1) / SIGHT_BLOCK;
    int64_t *tree = search->soonest;

    for (uint32_t block = 0; block < search->leaves_n; block++) {
        int64_t first = FUTURE_END;

        if (block < blocks_n && look->kind->open.words[block])
            first = look->sight->first[block];
        tree[search->leaves_n + block] = first > look->at ? first : look->at;
    }
    for (uint32_t i = search->leaves_n - 1; i > 0; i--)
        tree[i] = lesser(tree[2 * i], tree[2 * i + 1]);
}

static uint32_t soonest_block(const struct search *search)
{
    const int64_t *tree = search->soonest;
    uint32_t i = 1;

    while (i < search->leaves_n)
        i = tree[2 * i] <= tree[2 * i + 1] ? 2 * i : 2 * i + 1;
    return i - search->leaves_n;
}

/* ---- those that stay: a heap, the first to go on top ---- */

static void swap(struct stay *a, struct stay *b)
{
    const struct stay kept = *a;

    *a = *b;
    *b = kept;
}

static void add_stay(struct search *search, uint32_t n, uint32_t position, int64_t until)
{
    struct stay *stays = search->stays;

    stays[n] = (struct stay){ until, position };
    for (; n > 0 && stays[(n - 1) / 2].until > stays[n].until; n = (n - 1) / 2)
        swap(&stays[n], &stays[(n - 1) / 2]);
    bitset_add(&search->held, position);
}

/* The first one goes; n is the number before. */
static void drop_stay(struct search *search, uint32_t n)
{
    struct stay *stays = search->stays;
    uint32_t i = 0;

    bitset_del(&search->held, stays[0].position);
    search->group_visits[stays[0].position / SIGHT_GROUP].number = 0; /* it was left out there */
    stays[0] = stays[--n];
    for (;;) {
        uint32_t least = i;

        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < n; child++)
            least = stays[child].until < stays[least].until ? child : least;
        if (least == i)
            return;
        swap(&stays[i], &stays[least]);
        i = least;
    }
}

/* ---- the sweep ---- */

/* No part on those nodes of the group before that, besides those that stay. */
static int64_t group_wake(const struct search *search, const struct look *look, uint32_t group)
{
    const struct visit *visit = &search->group_visits[group];
    const int64_t seen = look->sight->groups[group];

    return visit->number == search->number && visit->ready > seen ? visit->ready : seen;
}

/* The first to go no longer stays: it may take its part again from `wake` on. */
static void let_go(struct search *search, const struct look *look, uint32_t n, int64_t wake)
{
    const uint32_t position = search->stays[0].position;
    const uint32_t block = position / SIGHT_BLOCK;

    search->visits[position] = (struct visit){ search->number, wake };
    if (wake < look->at)
        wake = look->at;
    set_soonest(search, block, lesser(wake, search->soonest[search->leaves_n + block]));
    drop_stay(search, n);
}

/* True: the node stays. */
static bool visit_node(struct search *search, struct look *look, uint32_t position, uint32_t n)
{
    const uint32_t node = search->cluster->order[position];
    struct gres_share share;
    int64_t wake;

    if (look_at_node(search, look, node, look->at, &wake, &share)) {
        add_stay(search, n, position, look_until(search, look, node));
        return true;
    }
    look_learn(search, position, wake);
    return false;
}

/* Visits the nodes of the group that are awake, until enough stay. Returns their number, and when
 * the first of the others wakes. */
static uint32_t visit_group(struct search *search, struct look *look, uint32_t group, uint32_t n,
                            int64_t *ret_soonest)
{
    uint64_t left =
        sight_in_group(&look->kind->open, group) & ~sight_in_group(&search->held, group);

    *ret_soonest = FUTURE_END;
    for (; left; left &= left - 1) {
        const uint32_t position = group * SIGHT_GROUP + (uint32_t)__builtin_ctzll(left);

        if (look_is_awake(search, look, position)) {
            if (n == look->rule.nodes_min)
                return n;
            if (visit_node(search, look, position, n)) {
                n++;
                continue;
            }
        }
        *ret_soonest = lesser(*ret_soonest, look_wake(search, look, position));
    }
    sight_refresh(look->sight, group);
    search->group_visits[group] = (struct visit){ search->number, *ret_soonest };
    return n;
}

static uint32_t visit_block(struct search *search, struct look *look, uint32_t block, uint32_t n)
{
    const uint32_t first = block * SIGHT_GROUPS;
    int64_t soonest = FUTURE_END;

    for (uint32_t group = first; group < first + SIGHT_GROUPS; group++) {
        int64_t wakes;

        if (!sight_in_group(&look->kind->open, group))
            continue;
        wakes = group_wake(search, look, group);
        if (wakes <= look->at) {
            n = visit_group(search, look, group, n, &wakes);
            if (n == look->rule.nodes_min)
                return n;
        }
        soonest = lesser(soonest, wakes);
    }
    set_soonest(search, block, soonest);
    return n;
}

/* The nodes of the group that can take a part at the moment, until there are enough. */
static uint32_t add_able(struct search *search, struct look *look, uint32_t group, uint32_t n)
{
    for (uint64_t left = sight_in_group(&look->kind->open, group); left && n < look->rule.nodes_min;
         left &= left - 1) {
        const uint32_t position = group * SIGHT_GROUP + (uint32_t)__builtin_ctzll(left);
        const uint32_t node = search->cluster->order[position];
        struct pick_node *able = &search->able[n];
        int64_t wake;

        if (!bitset_has(&search->held, position) && !look_is_awake(search, look, position))
            continue;
        *able = (struct pick_node){ .node = node, .weight = search->cluster->nodes[node].weight };
        able->tasks = look_at_node(search, look, node, look->at, &wake, &able->share);
        if (able->tasks)
            n++;
        else
            look_learn(search, position, wake);
    }
    return n;
}

/* The same of the block. */
static uint32_t add_able_block(struct search *search, struct look *look, uint32_t block, uint32_t n)
{
    const uint32_t first = block * SIGHT_GROUPS;

    for (uint32_t group = first; group < first + SIGHT_GROUPS; group++) {
        if (sight_in_group(&search->held, group) || group_wake(search, look, group) <= look->at)
            n = add_able(search, look, group, n);
    }
    return n;
}

/*
 * Enough have stayed until this moment. The preferred ones are taken of those and of all that wake
 * just now. (Of some that stayed only the least was still there, not their part.)
 */
static uint32_t take_preferred(struct search *search, struct look *look,
                               struct sched_place **ret_places)
{
    const uint32_t blocks_n = (search->cluster->nodes_n + SIGHT_BLOCK - 1) / SIGHT_BLOCK;
    uint32_t n = 0;

    for (uint32_t block = 0; block < blocks_n && n < look->rule.nodes_min; block++) {
        if (search->held.words[block] || search->soonest[search->leaves_n + block] <= look->at)
            n = add_able_block(search, look, block, n);
    }
    if (n < look->rule.nodes_min || pick_nodes(&look->rule, search->able, n, search->picked) < n)
        return 0;
    *ret_places = look_places(search, look, n);
    return n;
}

uint32_t sweep(struct search *search, struct look *look, struct sched_place **ret_places)
{
    const uint32_t enough = search->looks_n + LOOKS_MAX + 2 * look->rule.nodes_min;
    uint32_t n = 0, found = 0;

    if (look->rule.nodes_min > 1)
        look->at = look_enough(search, look);
    begin(search, look);
    while (found == 0 && search->looks_n < enough) {
        look->at = search->soonest[1] > look->at ? search->soonest[1] : look->at;
        if (look->at >= FUTURE_END)
            break;
        if (n > 0 && search->stays[0].until < look->at) {
            let_go(search, look, n, search->stays[0].until + 1);
            n--;
            continue;
        }
        n = visit_block(search, look, soonest_block(search), n);
        if (n < look->rule.nodes_min)
            continue;
        found = take_preferred(search, look, ret_places);
        for (; n > 0; n--)
            let_go(search, look, n, look->at);
    }
    for (; n > 0; n--)
        drop_stay(search, n);
    return found;
}
