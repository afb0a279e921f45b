/*
 * From node to node, in the order in which they wake: each that may take its part then, by the
 * numbers of what is free, stays until its room is taken by others. When enough stay at the same
 * time, that may be the moment: only now the very cpus and devices are looked at, of the preferred
 * ones of those that stay and of those that wake at that moment too.
 */
#include "ctld/sched/search/look.h"

/* A sweep leaves further looks to another try: what was found out about nodes is not lost. */
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
        const int64_t least = lesser(tree[i], tree[i ^ 1]);

        i /= 2;
        if (tree[i] == least)
            return;
        tree[i] = least;
    }
}

/* Returns when the block wakes. What an earlier try of the same search has found out counts,
 * too. */
static int64_t block_wake(const struct search *search, const struct look *look, uint32_t block)
{
    const struct outlook *outlook = &search->outlook;

    return outlook->block_numbers[block] == outlook->number
               ? outlook_least(&outlook->groups[block * SIGHT_GROUPS])
               : look->sight->first[block];
}

static void begin(struct search *search, const struct look *look)
{
    const uint32_t blocks_n = (search->cluster->nodes_n + SIGHT_BLOCK - 1) / SIGHT_BLOCK;
    int64_t *tree = search->soonest;

    for (uint32_t block = 0; block < search->leaves_n; block++) {
        int64_t first = FUTURE_END;

        if (block < blocks_n && look->kind->open.words[block])
            first = block_wake(search, look, block);
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

/* Drops the first stay to go; n is the number before. */
static void drop_stay(struct search *search, uint32_t n)
{
    struct stay *stays = search->stays;
    uint32_t i = 0;

    bitset_del(&search->held, stays[0].position);
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

/*
 * Lets the first node go that no longer stays. It may take its part again from `wake` on, or from
 * the moment that add_able noted when the node was found not to hold it.
 */
static void let_go(struct search *search, const struct look *look, uint32_t n, int64_t wake)
{
    const uint32_t position = search->stays[0].position;
    const uint32_t block = position / SIGHT_BLOCK;
    int64_t *group = &search->outlook.groups[position / SIGHT_GROUP];

    if (bitset_has(&search->held, position))
        search->outlook.wakes[position] = wake;
    else
        wake = search->outlook.wakes[position];
    *group = lesser(*group, wake);
    wake = wake > look->at ? wake : look->at;
    set_soonest(search, block, lesser(wake, search->soonest[search->leaves_n + block]));
    drop_stay(search, n);
}

/* Returns whether the node stays now; while it does, it counts as one that never wakes. */
static bool visit_node(struct search *search, const struct look *look, int64_t *wake,
                       uint32_t position, uint32_t n)
{
    int64_t until;

    *wake = look_at_counts(search, look, search->cluster->order[position], &until);
    if (*wake > look->at)
        return false;
    *wake = FUTURE_END;
    add_stay(search, n, position, until);
    return true;
}

/* Visits the nodes of the group that are awake, until enough stay. Returns their number. */
static uint32_t visit_group(struct search *search, const struct look *look, uint32_t group,
                            uint32_t n)
{
    const uint32_t first = group * SIGHT_GROUP;
    int64_t *wakes = look_group(search, look, group);

    for (uint32_t i = 0; i < SIGHT_GROUP; i++) {
        if (!look_is_awake(search, look, wakes, first + i))
            continue;
        if (n == look->rule.nodes_min)
            return n;
        n += visit_node(search, look, &wakes[i], first + i, n);
    }
    sight_refresh(look->sight, group);
    search->outlook.groups[group] = outlook_least(wakes);
    return n;
}

static uint32_t visit_block(struct search *search, const struct look *look, uint32_t block,
                            uint32_t n)
{
    const int64_t *groups = look_block(search, look, block);

    for (uint32_t i = 0; i < SIGHT_GROUPS; i++) {
        if (groups[i] > look->at)
            continue;
        n = visit_group(search, look, block * SIGHT_GROUPS + i, n);
        if (n == look->rule.nodes_min)
            return n;
    }
    set_soonest(search, block, outlook_least(groups));
    return n;
}

/* ---- the nodes at a moment ---- */

/* Adds the nodes of the group that can take a part at the moment, until there are enough. */
static uint32_t add_able(struct search *search, const struct look *look, uint32_t group, uint32_t n)
{
    const uint32_t first = group * SIGHT_GROUP;
    const uint64_t held = sight_in_group(&search->held, group);
    int64_t *wakes = look_group(search, look, group);

    for (uint32_t i = 0; i < SIGHT_GROUP && n < look->rule.nodes_min; i++) {
        const bool is_held = held >> i & 1;
        struct pick_node *able = &search->able[n];
        uint32_t node;

        if (!is_held && !look_is_awake(search, look, wakes, first + i))
            continue;
        node = search->cluster->order[first + i];
        *able = (struct pick_node){ .node = node, .weight = search->cluster->nodes[node].weight };
        able->tasks = look_at_node(search, look, node, look->at, &wakes[i], &able->share);
        n += able->tasks > 0;
        if (is_held && able->tasks)
            wakes[i] = FUTURE_END;
        else if (is_held)
            bitset_del(&search->held, first + i);
    }
    return n;
}

/* Adds such nodes of the block. */
static uint32_t add_able_block(struct search *search, const struct look *look, uint32_t block,
                               uint32_t n)
{
    const int64_t *groups = look_block(search, look, block);
    const uint32_t first = block * SIGHT_GROUPS;

    for (uint32_t i = 0; i < SIGHT_GROUPS; i++) {
        if (groups[i] <= look->at || sight_in_group(&search->held, first + i))
            n = add_able(search, look, first + i, n);
    }
    return n;
}

/*
 * Takes the preferred ones of the nodes that have stayed until this moment, which may be enough,
 * and of all that wake just now, if they hold what the numbers promised.
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
        let_go(search, look, n, look->at);
    return found;
}
