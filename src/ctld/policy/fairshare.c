#include "ctld/policy/fairshare.h"

#include <math.h>

#include "common/base/alloc.h"

/* The nodes with who is below whom. A child that is an account with FAIR_PARENT stands for its own
 * children: `level` is the account with shares that a node competes under. */
struct tree {
    const struct fair_node *nodes;
    uint32_t n;
    uint32_t *order;  /* accounts come before what is below them */
    uint32_t *level;  /* of each node: position of an account, or n: it has none above it */
    uint32_t *first;  /* n + 2 offsets into `member`: of those of each level, and the end */
    uint32_t *member; /* the nodes by level */
    double *shares;   /* n + 1: the sum of those of each level */
    double *usage;    /* of all on the level */
    double *rated;    /* of those on the level that have shares of their own */
};

static bool has_own_shares(const struct fair_node *node)
{
    return node->shares != FAIR_PARENT;
}

/* Lists the positions by a group that each is in, below `groups`; nodes of one group keep their
 * order. `ret_first` has room for groups + 1. */
static void list_by_group(const uint32_t *group, uint32_t n, uint32_t groups, uint32_t *ret_first,
                          uint32_t *ret_list)
{
    AUTO_FREE uint32_t *at = xcalloc((size_t)groups + 1, sizeof(*at));

    for (uint32_t i = 0; i < n; i++)
        at[group[i] + 1]++;
    for (uint32_t g = 0; g < groups; g++)
        at[g + 1] += at[g];
    for (uint32_t g = 0; g <= groups; g++)
        ret_first[g] = at[g];
    for (uint32_t i = 0; i < n; i++)
        ret_list[at[group[i]]++] = i;
}

/* Orders the nodes from the top down. */
static void order_down(struct tree *tree)
{
    const uint32_t n = tree->n;
    AUTO_FREE uint32_t *parent = xcalloc((size_t)n + 1, sizeof(*parent));
    AUTO_FREE uint32_t *first = xcalloc((size_t)n + 2, sizeof(*first));
    AUTO_FREE uint32_t *child = xcalloc((size_t)n + 1, sizeof(*child));
    uint32_t found = 0;

    for (uint32_t i = 0; i < n; i++)
        parent[i] = tree->nodes[i].parent == FAIR_TOP ? n : tree->nodes[i].parent;
    list_by_group(parent, n, n + 1, first, child);
    for (uint32_t i = first[n]; i < first[n + 1]; i++)
        tree->order[found++] = child[i];
    for (uint32_t at = 0; at < found; at++) {
        for (uint32_t i = first[tree->order[at]]; i < first[tree->order[at] + 1]; i++)
            tree->order[found++] = child[i];
    }
}

static void find_levels(struct tree *tree)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        const uint32_t node = tree->order[i];
        const uint32_t parent = tree->nodes[node].parent;

        if (parent == FAIR_TOP)
            tree->level[node] = tree->n;
        else
            tree->level[node] = has_own_shares(&tree->nodes[parent]) ? parent : tree->level[parent];
    }
    list_by_group(tree->level, tree->n, tree->n + 1, tree->first, tree->member);
}

/* Sums up each level. What is used below an account with FAIR_PARENT is counted there. */
static void sum_levels(struct tree *tree)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        const struct fair_node *node = &tree->nodes[i];

        if (has_own_shares(node)) {
            tree->shares[tree->level[i]] += node->shares;
            tree->rated[tree->level[i]] += node->usage;
        }
        if (has_own_shares(node) || node->is_user)
            tree->usage[tree->level[i]] += node->usage;
    }
}

static void tree_init(struct tree *tree, const struct fair_node *nodes, uint32_t n)
{
    *tree = (struct tree){
        .nodes = nodes,
        .n = n,
        .order = xcalloc((size_t)n + 1, sizeof(*tree->order)),
        .level = xcalloc((size_t)n + 1, sizeof(*tree->level)),
        .first = xcalloc((size_t)n + 2, sizeof(*tree->first)),
        .member = xcalloc((size_t)n + 1, sizeof(*tree->member)),
        .shares = xcalloc((size_t)n + 1, sizeof(*tree->shares)),
        .usage = xcalloc((size_t)n + 1, sizeof(*tree->usage)),
        .rated = xcalloc((size_t)n + 1, sizeof(*tree->rated)),
    };
    order_down(tree);
    find_levels(tree);
    sum_levels(tree);
}

static void tree_clear(struct tree *tree)
{
    free(tree->order);
    free(tree->level);
    free(tree->first);
    free(tree->member);
    free(tree->shares);
    free(tree->usage);
    free(tree->rated);
}

static double part_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double total_usage(const struct tree *tree)
{
    return tree->usage[tree->n];
}

/* ---- the fair tree ---- */

static double level_of(const struct fair_share *share)
{
    if (share->norm_shares <= 0)
        return 0;
    return share->effective_usage > 0 ? share->norm_shares / share->effective_usage : INFINITY;
}

static void fill_fair(const struct tree *tree, struct fair_share *ret)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        const uint32_t node = tree->order[i], level = tree->level[node];
        const struct fair_node *at = &tree->nodes[node];
        struct fair_share *share = &ret[node];

        *share = (struct fair_share){
            .norm_usage = part_of(at->usage, total_usage(tree)),
            .effective_usage = level == tree->n ? 1 : part_of(at->usage, tree->usage[level]),
            .level = FAIR_NOT_SHOWN,
            .factor = FAIR_NOT_SHOWN,
        };
        if (level == tree->n)
            continue;
        if (!has_own_shares(at)) {
            share->norm_shares = ret[level].norm_shares;
            continue;
        }
        share->norm_shares = part_of(at->shares, tree->shares[level]);
        share->level = level_of(share);
    }
}

/* One of those who are compared: a user or account of a level, or of several that are tied. */
struct rival {
    uint32_t node;
    bool is_user;
    double level;
};

/* Rivals that wait for their turn, the best one first. */
struct round {
    struct rival *rivals; /* owned */
    uint32_t n, done_n;
    bool is_tied;    /* with users who got a rank before: the first user of these gets it, too */
    uint32_t left_n; /* users without a rank when the round began */
};

struct ranking {
    const struct tree *tree;
    struct fair_share *shares;
    struct round *rounds; /* the levels above, and that at which we are */
    uint32_t rounds_n;
    uint32_t users_n, left_n;
    uint32_t rank; /* the last one that was given */
};

/* Orders the best first, and equal ones by their position, so that there is one order. */
static int compare_rivals(const void *left, const void *right)
{
    const struct rival *a = left, *b = right;

    if (a->level != b->level)
        return a->level > b->level ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

/* Returns what is compared. Users with Fairshare=parent come before all others; where nobody on a
 * level has shares there is nothing to compare by, and all are as good as who has used nothing. */
static double rival_level(const struct ranking *ranking, uint32_t account, uint32_t at)
{
    const struct tree *tree = ranking->tree;

    if (!has_own_shares(&tree->nodes[at]) || tree->shares[account] <= 0)
        return INFINITY;
    return ranking->shares[at].level;
}

/* Adds who competes under an account. */
static void add_rivals(const struct ranking *ranking, uint32_t account, struct round *round)
{
    const struct tree *tree = ranking->tree;

    for (uint32_t i = tree->first[account]; i < tree->first[account + 1]; i++) {
        const uint32_t at = tree->member[i];
        const struct fair_node *node = &tree->nodes[at];

        if (!node->is_user && !has_own_shares(node))
            continue; /* what is below it is in the list by itself */
        *ARRAY_PUSH(round->rivals, round->n) = (struct rival){
            .node = at,
            .is_user = node->is_user,
            .level = rival_level(ranking, account, at),
        };
    }
}

static void begin_round(struct ranking *ranking, struct round *round)
{
    round->left_n = ranking->left_n;
    if (round->n > 1)
        qsort(round->rivals, round->n, sizeof(*round->rivals), compare_rivals);
    *ARRAY_PUSH(ranking->rounds, ranking->rounds_n) = *round;
}

static void rank_user(struct ranking *ranking, uint32_t node)
{
    ranking->shares[node].factor = (double)ranking->rank / ranking->users_n;
    ranking->left_n--;
}

/* Ranks the users of those who are tied for the next place, and begins a round with all that is
 * below the accounts among them. */
static void go_on(struct ranking *ranking)
{
    struct round *round = &ranking->rounds[ranking->rounds_n - 1];
    const double level = round->rivals[round->done_n].level;
    struct round below = { .is_tied = round->is_tied && round->left_n == ranking->left_n };
    const uint32_t next = below.is_tied ? ranking->rank : ranking->left_n;

    for (; round->done_n < round->n && round->rivals[round->done_n].level == level;
         round->done_n++) {
        const struct rival *rival = &round->rivals[round->done_n];

        if (!rival->is_user) {
            add_rivals(ranking, rival->node, &below);
            continue;
        }
        ranking->rank = next;
        below.is_tied = true;
        rank_user(ranking, rival->node);
    }
    if (below.n > 0)
        begin_round(ranking, &below);
}

static void rank_all(const struct tree *tree, struct fair_share *ret)
{
    struct ranking ranking = { .tree = tree, .shares = ret };
    struct round top = { 0 };

    for (uint32_t i = 0; i < tree->n; i++)
        ranking.users_n += tree->nodes[i].is_user;
    ranking.left_n = ranking.users_n;
    for (uint32_t i = tree->first[tree->n]; i < tree->first[tree->n + 1]; i++)
        add_rivals(&ranking, tree->member[i], &top);
    begin_round(&ranking, &top);
    while (ranking.rounds_n > 0) {
        struct round *round = &ranking.rounds[ranking.rounds_n - 1];

        if (round->done_n < round->n) {
            go_on(&ranking);
        } else {
            free(round->rivals);
            ranking.rounds_n--;
        }
    }
    free(ranking.rounds);
}

/* ---- the classic way ---- */

static struct fair_share classic_of(const struct tree *tree, uint32_t node,
                                    const struct fair_share *done)
{
    const struct fair_node *at = &tree->nodes[node];
    const uint32_t level = tree->level[node];
    const double used = part_of(at->usage, total_usage(tree));
    const bool is_top = level == tree->n;
    const double part =
        is_top || !has_own_shares(at) ? 1 : part_of(at->shares, tree->shares[level]);
    double effective = used;

    if (is_top)
        effective = 1;
    else if (tree->level[level] != tree->n)
        effective = used + (done[level].effective_usage - used) * part;
    return (struct fair_share){
        .norm_shares = is_top ? 1 : done[level].norm_shares * part,
        .norm_usage = used,
        .effective_usage = effective,
        .level = FAIR_NOT_SHOWN,
    };
}

/* Fills shares of the whole cluster, and usage to which that of siblings is added. */
static void fill_classic(const struct tree *tree, struct fair_share *ret)
{
    for (uint32_t i = 0; i < tree->n; i++)
        ret[tree->order[i]] = classic_of(tree, tree->order[i], ret);
}

static double factor_of(double over_use, double dampening)
{
    return pow(2, -over_use / (dampening > 0 ? dampening : 1));
}

static void rate_classic(const struct tree *tree, double dampening, struct fair_share *ret)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        struct fair_share *share = &ret[i];

        share->factor = share->norm_shares > 0
                            ? factor_of(share->effective_usage / share->norm_shares, dampening)
                            : 0;
    }
}

/* ---- the depth-oblivious way ---- */

/* Returns how much of the ratio of usage to shares is a node's own, beside that of its parent. */
static double own_part(double above, double local)
{
    const double far = log(above);

    return far * log(local) >= 0 ? 1 : 1 / (1 + 25 * far * far);
}

static double ratio_below(double above, double local)
{
    if (above <= 0 || local <= 0)
        return 0;
    return above * pow(local, own_part(above, local));
}

/* Returns the usage to shares of all on the level that have shares of their own. */
static double level_ratio(const struct tree *tree, uint32_t level, const struct fair_share *done)
{
    return part_of(part_of(tree->rated[level], total_usage(tree)), done[level].norm_shares);
}

/* Fills ratios of usage to shares that are as wide at the bottom of a deep tree as at its top. */
static void fill_depth_oblivious(const struct tree *tree, struct fair_share *ret)
{
    AUTO_FREE double *ratio = xcalloc((size_t)tree->n + 1, sizeof(*ratio));

    fill_classic(tree, ret);
    for (uint32_t i = 0; i < tree->n; i++) {
        const uint32_t node = tree->order[i], level = tree->level[node];
        const double own = part_of(ret[node].norm_usage, ret[node].norm_shares);

        if (level == tree->n)
            ratio[node] = 1;
        else if (tree->level[level] == tree->n)
            ratio[node] = own;
        else if (!has_own_shares(&tree->nodes[node]))
            ratio[node] = ratio[level];
        else
            ratio[node] = ratio_below(ratio[level], part_of(own, level_ratio(tree, level, ret)));
        ret[node].effective_usage = ratio[node] * ret[node].norm_shares;
    }
}

void fair_shares(enum fair_way way, double dampening, const struct fair_node *nodes, uint32_t n,
                 struct fair_share *ret)
{
    struct tree tree;

    tree_init(&tree, nodes, n);
    if (way == FAIR_TREE) {
        fill_fair(&tree, ret);
        rank_all(&tree, ret);
    } else {
        if (way == FAIR_CLASSIC)
            fill_classic(&tree, ret);
        else
            fill_depth_oblivious(&tree, ret);
        rate_classic(&tree, dampening, ret);
    }
    tree_clear(&tree);
}
