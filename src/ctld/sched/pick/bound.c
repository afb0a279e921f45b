#include "ctld/sched/pick/bound.h"

#include <string.h>

#include "common/base/minmax.h"
#include "ctld/sched/place/demand.h"

#define SETS_MAX (PICK_WORK_MAX / 10)

/* Tasks for a share; `state` is the share as a number, by which shares add up. */
struct point {
    struct gres_share share;
    uint32_t state, tasks;
};

/* A node that may be chosen, and its points: the largest share first. */
struct offer {
    struct pick_node node;
    bool required;
    struct point *points;
    uint32_t points_n;
};

struct book {
    const struct pick_rule *rule;
    uint32_t steps[GRES_POOLED_MAX]; /* of a share's number, for one device more */
    uint32_t states;                 /* shares from none up to all, which has the last number */
    struct offer *offers;
    uint32_t n, counts; /* offers, and the most nodes to choose */
    /* [offer][nodes][share]: the most tasks of so many nodes, of this offer and those behind it,
     * that give exactly this share; -1: none do. */
    int32_t *best;
};

uint32_t pick_bound_tasks(const struct pick_rule *rule, const struct pick_node *node,
                          const struct gres_share *share)
{
    const uint32_t tasks = demand_tasks_sharing(rule->offers, node->of, node->free, share);

    return MIN(tasks, node->tasks);
}

/* ---- offers ---- */

static struct book book_new(const struct pick_rule *rule)
{
    struct book book = { .rule = rule, .states = 1 };

    for (uint32_t i = rule->pooled_n; i-- > 0;) {
        book.steps[i] = book.states;
        book.states *= (uint32_t)rule->pooled[i] + 1;
    }
    return book;
}

static void book_clear(struct book *book)
{
    for (uint32_t i = 0; i < book->n; i++)
        free(book->offers[i].points);
    free(book->offers);
    free(book->best);
}

static uint32_t state_of(const struct book *book, const struct gres_share *share)
{
    uint32_t state = 0;

    for (uint32_t i = 0; i < book->rule->pooled_n; i++)
        state += (uint32_t)share->pooled[i] * book->steps[i];
    return state;
}

static int largest_first(const void *a, const void *b)
{
    const struct point *left = a, *right = b;

    return left->state > right->state ? -1 : left->state < right->state;
}

static struct offer offer_of(const struct book *book, const struct pick_node *node)
{
    struct offer offer = { .node = *node, .required = pick_is_required(book->rule, node->node) };
    struct gres_share share = { 0 };

    while (gres_share_next(&share, &node->share, book->rule->pooled_n)) {
        const uint32_t tasks = pick_bound_tasks(book->rule, node, &share);

        if (tasks)
            *ARRAY_PUSH(offer.points, offer.points_n) =
                (struct point){ .share = share, .state = state_of(book, &share), .tasks = tasks };
    }
    if (offer.points_n)
        qsort(offer.points, offer.points_n, sizeof(*offer.points), largest_first);
    return offer;
}

static bool is_same(const struct offer *a, const struct offer *b)
{
    if (a->node.weight != b->node.weight || a->points_n != b->points_n)
        return false;
    for (uint32_t i = 0; i < a->points_n; i++) {
        if (a->points[i].state != b->points[i].state || a->points[i].tasks != b->points[i].tasks)
            return false;
    }
    return true;
}

/* Returns whether the offer is of use: of nodes that offer the same, no more are than may be
 * chosen. */
static bool is_of_use(const struct book *book, const struct offer *offer)
{
    uint32_t same = 0;

    for (uint32_t i = 0; i < book->n && same < book->rule->nodes_max; i++)
        same += is_same(&book->offers[i], offer);
    return offer->points_n && same < book->rule->nodes_max;
}

static void add_offer(struct book *book, const struct pick_node *node)
{
    struct offer offer = offer_of(book, node);

    if (is_of_use(book, &offer) || offer.required)
        *ARRAY_PUSH(book->offers, book->n) = offer;
    else
        free(offer.points);
}

/* ---- which of them ---- */

static int32_t *cell(const struct book *book, uint32_t offer, uint32_t nodes, uint32_t state)
{
    return &book->best[((size_t)offer * (book->counts + 1) + nodes) * book->states + state];
}

static bool is_within(const struct book *book, const struct point *point, uint32_t state)
{
    for (uint32_t i = 0; i < book->rule->pooled_n; i++) {
        const uint64_t each = book->rule->pooled[i] + 1;

        if (point->share.pooled[i] > state / book->steps[i] % each)
            return false;
    }
    return true;
}

/* Returns the most tasks when the offer is taken at this point, or -1 when the others do not bring
 * the rest. */
static int32_t tasks_at(const struct book *book, uint32_t i, const struct point *point,
                        uint32_t nodes, uint32_t state)
{
    int32_t others;

    if (nodes == 0 || !is_within(book, point, state))
        return -1;
    others = *cell(book, i + 1, nodes - 1, state - point->state);
    return others < 0 ? -1 : others + (int32_t)point->tasks;
}

static int32_t best_of(const struct book *book, uint32_t i, uint32_t nodes, uint32_t state)
{
    const struct offer *offer = &book->offers[i];
    int32_t best = offer->required ? -1 : *cell(book, i + 1, nodes, state);

    for (uint32_t p = 0; p < offer->points_n; p++) {
        const int32_t tasks = tasks_at(book, i, &offer->points[p], nodes, state);

        best = tasks > best ? tasks : best;
    }
    return best;
}

static void fill(struct book *book)
{
    const uint64_t row = (uint64_t)(book->counts + 1) * book->states;

    while (book->n && (book->n + 1) * row > PICK_CELLS_MAX)
        free(book->offers[--book->n].points);
    free(book->best);
    book->best = xcalloc((book->n + 1) * row, sizeof(*book->best));
    for (uint32_t i = 1; i < row; i++)
        book->best[book->n * row + i] = -1;
    for (uint32_t i = book->n; i-- > 0;) {
        for (uint32_t nodes = 0; nodes <= book->counts; nodes++) {
            for (uint32_t state = 0; state < book->states; state++)
                *cell(book, i, nodes, state) = best_of(book, i, nodes, state);
        }
    }
}

/* Returns the point at which the offer is taken when this many tasks are still due, or NULL when it
 * is not taken. */
static const struct point *point_for(const struct book *book, uint32_t i, uint32_t nodes,
                                     uint32_t state, int64_t due)
{
    const struct offer *offer = &book->offers[i];

    for (uint32_t p = 0; p < offer->points_n; p++) {
        const int32_t tasks = tasks_at(book, i, &offer->points[p], nodes, state);

        if (tasks >= 0 && tasks >= due)
            return &offer->points[p];
    }
    return NULL;
}

static uint32_t take(const struct book *book, uint32_t nodes, struct pick_node *ret)
{
    int64_t due = (int64_t)book->rule->tasks;
    uint32_t taken = 0, state = book->states - 1;

    for (uint32_t i = 0; i < book->n && taken < nodes; i++) {
        const struct point *point = point_for(book, i, nodes - taken, state, due);

        if (!point)
            continue;
        ret[taken] = book->offers[i].node;
        ret[taken].tasks = point->tasks;
        ret[taken++].share = point->share;
        state -= point->state;
        due -= point->tasks;
    }
    return taken;
}

static bool holds(const struct book *book, uint32_t nodes)
{
    const int32_t tasks = *cell(book, 0, nodes, book->states - 1);

    return tasks >= 0 && (uint64_t)tasks >= book->rule->tasks;
}

/* Returns how many nodes to choose; 0: no number will do. */
static uint32_t count_needed(const struct book *book)
{
    for (uint32_t i = book->rule->nodes_min; i <= book->counts; i++) {
        const uint32_t nodes = book->rule->many ? book->counts - (i - book->rule->nodes_min) : i;

        if (holds(book, nodes))
            return nodes;
    }
    return 0;
}

/* ---- nodes that follow one another, or all of some ---- */

bool pick_bound_deal(const struct pick_rule *rule, struct pick_node *nodes, uint32_t n)
{
    struct book book = book_new(rule);
    bool found;

    for (uint32_t i = 0; i < n; i++) {
        *ARRAY_PUSH(book.offers, book.n) = offer_of(&book, &nodes[i]);
        book.offers[i].required = true;
    }
    book.counts = n;
    fill(&book);
    found = book.n == n && holds(&book, n);
    if (found)
        take(&book, n, nodes);
    book_clear(&book);
    return found;
}

/* Returns whether the nodes, by rising number or not, follow one another where they must. */
static bool is_joined(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n)
{
    uint32_t first = UINT32_MAX, last = 0;

    for (uint32_t i = 0; i < n && rule->contiguous; i++) {
        first = MIN(first, nodes[i].node);
        last = nodes[i].node > last ? nodes[i].node : last;
    }
    return !rule->contiguous || last - first + 1 == n;
}

/* Picks exactly `size` of the nodes, which are sorted by number, one beside the other. */
static uint32_t pick_run(const struct pick_rule *rule,
                         const struct constraint_alternative *alternative,
                         const struct pick_node *sorted, uint32_t n, uint32_t size,
                         struct pick_node *ret)
{
    for (uint32_t from = 0; size && from + size <= n; from++) {
        memcpy(ret, sorted + from, size * sizeof(*ret));
        if (is_joined(rule, ret, size) && pick_keeps(rule, alternative, ret, size) &&
            pick_bound_deal(rule, ret, size))
            return size;
    }
    return 0;
}

static uint32_t pick_runs(const struct pick_rule *rule,
                          const struct constraint_alternative *alternative,
                          const struct pick_node *nodes, uint32_t n, struct pick_node *ret)
{
    AUTO_FREE struct pick_node *sorted = xmemdup(nodes, n * sizeof(*nodes));
    const uint32_t most = MIN(n, rule->nodes_max);
    uint32_t chosen = 0;

    pick_sort(sorted, n);
    for (uint32_t i = rule->nodes_min; i <= most && !chosen; i++) {
        const uint32_t size = rule->many ? most - (i - rule->nodes_min) : i;

        chosen = pick_run(rule, alternative, sorted, n, size, ret);
    }
    return chosen;
}

/* ---- set by set ---- */

static bool is_last_of_weight(const struct pick_node *nodes, uint32_t n, uint32_t i)
{
    return i + 1 == n || nodes[i + 1].weight != nodes[i].weight;
}

/* A constraint with counts: which sets keep it is known of whole sets only. */
struct sets {
    const struct pick_rule *rule;
    const struct constraint_alternative *alternative;
    const struct pick_node *nodes;
    uint32_t n; /* that may be taken */
    struct pick_node *ret;
    uint32_t work;
};

/* Tries `left` more of the nodes from `from` on; stops at the first set that will do. */
static bool try_sets(struct sets *sets, uint32_t taken, uint32_t left, uint32_t from)
{
    AUTO_FREE struct pick_node *set = NULL;

    if (left > 0) {
        for (uint32_t i = from; i + left <= sets->n && sets->work < SETS_MAX; i++) {
            sets->ret[taken] = sets->nodes[i];
            if (try_sets(sets, taken + 1, left - 1, i + 1))
                return true;
        }
        return false;
    }
    sets->work++;
    if (!is_joined(sets->rule, sets->ret, taken) ||
        !pick_keeps(sets->rule, sets->alternative, sets->ret, taken))
        return false;
    set = xmemdup(sets->ret, taken * sizeof(*set));
    if (!pick_bound_deal(sets->rule, set, taken))
        return false;
    memcpy(sets->ret, set, taken * sizeof(*set));
    return true;
}

static uint32_t pick_counted(const struct pick_rule *rule,
                             const struct constraint_alternative *alternative,
                             const struct pick_node *nodes, uint32_t n, struct pick_node *ret)
{
    struct sets sets = { .rule = rule, .alternative = alternative, .nodes = nodes, .ret = ret };

    for (sets.n = rule->many ? n : 1; sets.n <= n; sets.n++) {
        const uint32_t most = MIN(sets.n, rule->nodes_max);

        if (!rule->many && !is_last_of_weight(nodes, n, sets.n - 1))
            continue;
        for (uint32_t i = rule->nodes_min; i <= most; i++) {
            const uint32_t size = rule->many ? most - (i - rule->nodes_min) : i;

            if (try_sets(&sets, 0, size, 0))
                return size;
        }
    }
    return 0;
}

/* ---- any ---- */

static uint32_t pick_any(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n,
                         struct pick_node *ret)
{
    struct book book = book_new(rule);
    uint32_t chosen = 0;

    book.counts = MIN(n, rule->nodes_max);
    for (uint32_t i = 0; i < n && rule->required; i++) {
        if (pick_is_required(rule, nodes[i].node))
            add_offer(&book, &nodes[i]);
    }
    for (uint32_t i = 0; i < n && !chosen; i++) {
        if (!pick_is_required(rule, nodes[i].node))
            add_offer(&book, &nodes[i]);
        if (rule->many ? i + 1 < n : !is_last_of_weight(nodes, n, i))
            continue;
        fill(&book);
        chosen = count_needed(&book);
    }
    if (chosen)
        take(&book, chosen, ret);
    book_clear(&book);
    return chosen;
}

uint32_t pick_bound(const struct pick_rule *rule, const struct constraint_alternative *alternative,
                    const struct pick_node *nodes, uint32_t n, struct pick_node *ret_nodes)
{
    uint32_t required = 0;

    for (uint32_t i = 0; i < n; i++)
        required += pick_is_required(rule, nodes[i].node);
    if (n == 0 || n < rule->nodes_min ||
        (rule->required && required < bitset_count(rule->required)))
        return 0;
    if (alternative && alternative->quotas_n)
        return pick_counted(rule, alternative, nodes, n, ret_nodes);
    if (rule->contiguous)
        return pick_runs(rule, alternative, nodes, n, ret_nodes);
    return pick_any(rule, nodes, n, ret_nodes);
}
