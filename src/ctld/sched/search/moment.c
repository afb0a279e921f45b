/*
 * One moment tried on all nodes: those that are awake are asked what they can hold, and of the able
 * ones a set is chosen. Where none will do, the next moment that is worth a try is looked for.
 */
#include <string.h>

#include "ctld/sched/pick/choose.h"
#include "ctld/sched/search/look.h"

/* Keeps what is free on the node, which is still in the window since look_at_node has just
 * looked. */
static void keep_free(struct search *search, const struct look *look, uint32_t node)
{
    struct supply *kept = &search->frees[look->able_n];

    memcpy(kept->bits, search->window.bits,
           search->cluster->nodes[node].words * sizeof(*kept->bits));
    memcpy(kept->amounts, search->window.amounts, sizeof(kept->amounts));
}

static bool is_full(const struct kind_need *need, uint32_t tasks, const struct gres_share *share)
{
    return tasks == need->tasks_max && memcmp(share, &need->pooled_max, sizeof(*share)) == 0;
}

/* Returns whether the able nodes, the last of which was just added, are sure to be enough. */
static bool will_do(const struct look *look)
{
    const struct pick_rule *rule = &look->rule;

    return look->able_n == rule->nodes_min && look->tasks >= rule->tasks && pick_is_plain(rule);
}

static void add_able(struct search *search, struct look *look, uint32_t node, uint32_t tasks,
                     const struct gres_share *share)
{
    if (look->now || look->rule.offers)
        keep_free(search, look, node);
    search->able[look->able_n] = (struct pick_node){
        .node = node,
        .weight = search->cluster->nodes[node].weight,
        .tasks = tasks,
        .share = *share,
        .of = &search->cluster->nodes[node],
        .free = &search->frees[look->able_n],
        .features = look->kind->needs[search->cluster->nodes[node].model].features,
    };
    look->able_n++;
    look->tasks += tasks;
    look->will_do = look->will_do || will_do(look);
    if (look->rule.offers ||
        !is_full(&look->kind->needs[search->cluster->nodes[node].model], tasks, share)) {
        const int64_t grows = look_next_release(search, node, look->at);

        look->grows_at = grows < look->grows_at ? grows : look->grows_at;
    }
}

/* Returns whether the most preferred nodes will do, so that the least preferred ones need no
 * look. */
static bool is_settled(const struct look *look)
{
    return look->will_do && look->able_n >= look->wants;
}

/* Returns whether the node may not be taken, or would be one more than may come beside the known
 * ones. */
static bool is_barred(const struct look *look, uint32_t node)
{
    if (look->allowed && !bitset_has(look->allowed, node))
        return true;
    return look->known && look->others == 0 && !bitset_has(look->known, node);
}

static void visit(struct search *search, struct look *look, int64_t *wakes, uint32_t position)
{
    const int64_t enough = look->rule.nodes_min == 1 ? look->first_wait : look->at;
    const uint32_t node = search->cluster->order[position];
    struct gres_share share = { 0 };
    int64_t wake;
    uint32_t tasks;

    if (is_barred(look, node))
        return;
    tasks = look_at_node(search, look, node, enough, &wake, &share);
    if (tasks) {
        add_able(search, look, node, tasks, &share);
        look->others -= look->known && !bitset_has(look->known, node);
        return;
    }
    look->first_wait = wake < look->first_wait ? wake : look->first_wait;
    wakes[position % SIGHT_GROUP] = wake;
}

static void look_at_group(struct search *search, struct look *look, uint32_t group)
{
    const uint32_t first = group * SIGHT_GROUP;
    int64_t *wakes = look_group(search, look, group);

    for (uint32_t i = 0; i < SIGHT_GROUP && !is_settled(look); i++) {
        if (look_is_awake(search, look, wakes, first + i))
            visit(search, look, wakes, first + i);
    }
    sight_refresh(look->sight, group);
}

static void look_at_block(struct search *search, struct look *look, uint32_t block)
{
    const uint32_t first = block * SIGHT_GROUPS;

    for (uint32_t group = first; group < first + SIGHT_GROUPS && !is_settled(look); group++) {
        if (look->sight->groups[group] <= look->at)
            look_at_group(search, look, group);
    }
}

static void look_round(struct search *search, struct look *look)
{
    const uint32_t blocks_n = (search->cluster->nodes_n + SIGHT_BLOCK - 1) / SIGHT_BLOCK;

    for (uint32_t block = 0; block < blocks_n && !is_settled(look); block++) {
        if (look->kind->open.words[block] && look->sight->first[block] <= look->at)
            look_at_block(search, look, block);
    }
}

/* Returns when the first of the block's nodes that sleep wakes. */
static int64_t block_wakes(struct search *search, const struct look *look, uint32_t block)
{
    int64_t first = FUTURE_END;

    for (uint64_t word = look->kind->open.words[block]; word; word &= word - 1) {
        const uint32_t position = block * SIGHT_BLOCK + (uint32_t)__builtin_ctzll(word);
        const int64_t wake = look_wake(search, look, position);

        if (wake > look->at && wake < first)
            first = wake;
    }
    return first;
}

static int64_t first_to_wake(struct search *search, const struct look *look)
{
    const uint32_t blocks_n = (search->cluster->nodes_n + SIGHT_BLOCK - 1) / SIGHT_BLOCK;
    int64_t first = FUTURE_END;

    for (uint32_t block = 0; block < blocks_n; block++) {
        if (look->kind->open.words[block] && look->sight->first[block] < first) {
            const int64_t wake = block_wakes(search, look, block);

            first = wake < first ? wake : first;
        }
    }
    return first;
}

/* Returns a moment before which some required node is not ready. */
static int64_t required_wake(struct search *search, const struct look *look)
{
    int64_t last = INT64_MIN;

    BITSET_FOREACH (&look->kind->open, position) {
        const int64_t wake = look_wake(search, look, (uint32_t)position);

        if (wake > last && bitset_has(look->rule.required, search->cluster->order[position]))
            last = wake;
    }
    return last;
}

/*
 * Returns the next moment to try. With too few nodes, enough must wake. With enough, but not the
 * right ones or not for all tasks, one more must wake, or one must be able to hold more.
 */
static int64_t next_moment(struct search *search, const struct look *look)
{
    const uint32_t min = look->rule.nodes_min;
    int64_t next, required;

    next = first_to_wake(search, look);
    if (look->able_n + 1 < min) {
        search->shortage = (struct node_shortage){ min - look->able_n, next };
        next = look_enough(search, look);
    }
    if (look->able_n >= min && look->grows_at < next)
        next = look->grows_at;
    if (!look->rule.required)
        return next;
    required = required_wake(search, look);
    return required > next ? required : next;
}

static uint32_t choose(struct search *search, const struct look *look)
{
    if (look->able_n < look->rule.nodes_min || look->tasks < look->rule.tasks)
        return 0;
    if (look->now)
        return choose_nodes(search->cluster, look->kind, search->able, search->frees, look->able_n,
                            search->picked);
    return pick_nodes(&look->rule, search->able, look->able_n, search->picked);
}

uint32_t moment_try(struct search *search, struct look *look, struct sched_place **ret_places,
                    int64_t *ret_next)
{
    uint32_t n;

    look_round(search, look);
    n = choose(search, look);
    if (n)
        *ret_places = look_places(search, look, n);
    else
        *ret_next = next_moment(search, look);
    return n;
}

/* Where some nodes are barred it is not known when enough may be awake, so the next moment is when
 * one more wakes. */
uint32_t moment_try_within(struct search *search, struct look *look,
                           struct sched_place **ret_places, int64_t *ret_next)
{
    uint32_t n;

    look_round(search, look);
    n = choose(search, look);
    if (n) {
        *ret_places = look_places(search, look, n);
        return n;
    }
    *ret_next = first_to_wake(search, look);
    *ret_next = look->grows_at < *ret_next ? look->grows_at : *ret_next;
    return 0;
}
