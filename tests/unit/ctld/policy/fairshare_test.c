#include "unit/check_main.h"

#include <math.h>
#include <string.h>

#include "common/base/alloc.h"
#include "ctld/policy/fairshare.h"

#define NEAR      1e-4 /* Slurm shows six digits of usage that it counted in steps of a second */
#define NOT_SHOWN FAIR_NOT_SHOWN
#define PARENT    FAIR_PARENT

/*
 * A tree on a Slurm 22.05.8 in which jobs of 47.8, 23.9 ... cpu seconds ran, and what its
 * `sshare -al` said. Users of b have Fairshare=parent or no shares, as have the accounts p and z.
 */
enum {
    ROOT,
    ROOT_USER,
    A,
    A1,
    A1_ALICE,
    A1_BOB,
    P,
    P_DAVE,
    A2,
    A2_CAROL,
    B,
    B_ALICE,
    B_BOB,
    B_CAROL,
    B_DAVE,
    C,
    C_BOB,
    C1,
    C1_ALICE,
    C1_BOB,
    LAB,
    Z,
    Z_DAVE,
    REAL_N,
};

static const struct {
    uint32_t parent;
    bool is_user;
    uint32_t shares;
    double usage; /* of users */
    double norm_usage, fair_shares, fair_usage, level, fair_factor;
    double shares_classic, usage_classic, factor_classic;
} real[REAL_N] = {
    [ROOT] = { FAIR_TOP, false, 1, 0, 1, 0, 1, NOT_SHOWN, NOT_SHOWN, 1, 1, 0.5 },
    [ROOT_USER] = { ROOT, true, 1, 0, 0, 0.015385, 0, INFINITY, 1, 0.015385, 0, 1 },
    [A] = { ROOT, false, 30, 0, 0.622884, 0.461538, 0.622884, 0.740970, NOT_SHOWN, 0.461538,
            0.622884, 0.392406 },
    [A1] = { A, false, 10, 0, 0.521192, 0.333333, 0.836739, 0.398372, NOT_SHOWN, 0.153846, 0.555089,
             0.082009 },
    [A1_ALICE] = { A1, true, 3, 47.8, 0.203385, 0.3, 0.390231, 0.768774, 0.307692, 0.046154,
                   0.308896, 0.009667 },
    [A1_BOB] = { A1, true, 5, 23.9, 0.101693, 0.5, 0.195116, 2.562582, 0.384615, 0.076923, 0.328391,
                 0.051865 },
    [P] = { A1, false, PARENT, 0, 0.216114, 0.333333, 0.414653, NOT_SHOWN, NOT_SHOWN, 0.153846,
            0.555089, 0.082009 },
    [P_DAVE] = { P, true, 2, 50.7911, 0.216114, 0.2, 0.414653, 0.482331, 0.230769, 0.030769,
                 0.283909, 0.001669 },
    [A2] = { A, false, 20, 0, 0.101693, 0.666667, 0.163261, 4.083442, NOT_SHOWN, 0.307692, 0.449154,
             0.363556 },
    [A2_CAROL] = { A2, true, 1, 23.9, 0.101693, 1, 1, 1, 0.461538, 0.307692, 0.449154, 0.363556 },
    [B] = { ROOT, false, 20, 0, 0.173731, 0.307692, 0.173731, 1.771090, NOT_SHOWN, 0.307692,
            0.173731, 0.676132 },
    [B_ALICE] = { B, true, PARENT, 0, 0, 0.307692, 0, NOT_SHOWN, 0.769231, 0.307692, 0.173731,
                  0.676132 },
    [B_BOB] = { B, true, 0, 0, 0, 0, 0, 0, 0.538462, 0, 0, 0 },
    [B_CAROL] = { B, true, 4, 16.9304, 0.072038, 1, 0.414653, 2.411656, 0.615385, 0.307692,
                  0.173731, 0.676132 },
    [B_DAVE] = { B, true, PARENT, 23.9, 0.101693, 0.307692, 0.585347, NOT_SHOWN, 0.769231, 0.307692,
                 0.173731, 0.676132 },
    [C] = { ROOT, false, PARENT, 0, 0.203385, 0, 0.203385, NOT_SHOWN, NOT_SHOWN, 1, 0.203385,
            0.868510 },
    [C_BOB] = { C, true, 6, 47.8, 0.203385, 0.092308, 0.203385, 0.453856, 0.153846, 0.092308,
                0.203385, 0.217134 },
    [C1] = { C, false, 7, 0, 0, 0.107692, 0, INFINITY, NOT_SHOWN, 0.107692, 0, 1 },
    [C1_ALICE] = { C1, true, 2, 0, 0, 0.4, 0, INFINITY, 1, 0.043077, 0, 1 },
    [C1_BOB] = { C1, true, 3, 0, 0, 0.6, 0, INFINITY, 1, 0.064615, 0, 1 },
    [LAB] = { ROOT, false, 1, 0, 0, 0.015385, 0, INFINITY, NOT_SHOWN, 0.015385, 0, 1 },
    [Z] = { ROOT, false, 0, 0, 0, 0, 0, 0, NOT_SHOWN, 0, 0, 0 },
    [Z_DAVE] = { Z, true, 3, 0, 0, 1, 0, INFINITY, 0.076923, 0, 0, 0 },
};

/* Adds what each user has used to the accounts above. */
static void sum_up(struct fair_node *nodes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!nodes[i].is_user)
            continue;
        for (uint32_t at = nodes[i].parent; at != FAIR_TOP; at = nodes[at].parent)
            nodes[at].usage += nodes[i].usage;
    }
}

static void fill_real(struct fair_node *nodes)
{
    for (uint32_t i = 0; i < REAL_N; i++)
        nodes[i] =
            (struct fair_node){ real[i].parent, real[i].is_user, real[i].shares, real[i].usage };
    sum_up(nodes, REAL_N);
}

static void assert_near(double is, double should, const char *what, int row)
{
    ck_assert_msg((isinf(should) && isinf(is)) || fabs(is - should) <= NEAR * fmax(1, should),
                  "row %d: %s is %f, not %f", row, what, is, should);
}

START_TEST(a_fair_tree_is_that_of_slurm)
{
    struct fair_node nodes[REAL_N];
    struct fair_share shares[REAL_N];

    fill_real(nodes);
    fair_shares(FAIR_TREE, 1, nodes, REAL_N, shares);

    assert_near(shares[_i].norm_shares, real[_i].fair_shares, "NormShares", _i);
    assert_near(shares[_i].norm_usage, real[_i].norm_usage, "NormUsage", _i);
    assert_near(shares[_i].effective_usage, real[_i].fair_usage, "EffectvUsage", _i);
    assert_near(shares[_i].level, real[_i].level, "LevelFS", _i);
    assert_near(shares[_i].factor, real[_i].fair_factor, "FairShare", _i);
}
END_TEST

START_TEST(the_classic_way_is_that_of_slurm)
{
    struct fair_node nodes[REAL_N];
    struct fair_share shares[REAL_N];

    fill_real(nodes);
    fair_shares(FAIR_CLASSIC, 1, nodes, REAL_N, shares);

    assert_near(shares[_i].norm_shares, real[_i].shares_classic, "NormShares", _i);
    assert_near(shares[_i].norm_usage, real[_i].norm_usage, "NormUsage", _i);
    assert_near(shares[_i].effective_usage, real[_i].usage_classic, "EffectvUsage", _i);
    assert_near(shares[_i].factor, real[_i].factor_classic, "FairShare", _i);
    ck_assert(shares[_i].level == NOT_SHOWN);
}
END_TEST

/* The example of Slurm's page on the classic way: users 1 to 5 in accounts B, C, E and F. */
START_TEST(the_classic_way_is_that_of_its_page)
{
    enum { TOP, PA, PD, PB, PC, PE, PF, U1, U2, U3, U4, U5, N };
    struct fair_node nodes[N] = {
        [TOP] = { FAIR_TOP, false, 1, 30 }, /* the page says 70 of 100 were used */
        [PA] = { TOP, false, 40, 0 },       [PD] = { TOP, false, 60, 0 },
        [PB] = { PA, false, 30, 0 },        [PC] = { PA, false, 10, 0 },
        [PE] = { PD, false, 25, 0 },        [PF] = { PD, false, 35, 0 },
        [U1] = { PB, true, 1, 20 },         [U2] = { PC, true, 1, 25 },
        [U3] = { PC, true, 1, 0 },          [U4] = { PE, true, 1, 25 },
        [U5] = { PF, true, 1, 0 },
    };
    static const double factors[] = { 0.408479, 0.022097, 0.125, 0.5, 0.749154 };
    struct fair_share shares[N];

    sum_up(nodes, N);
    fair_shares(FAIR_CLASSIC, 1, nodes, N, shares);

    for (int i = 0; i < 5; i++)
        assert_near(shares[U1 + i].factor, factors[i], "FairShare", i);
}
END_TEST

START_TEST(dampening_takes_the_classic_factor_to_a_root)
{
    struct fair_node nodes[REAL_N];
    struct fair_share plain[REAL_N], dampened[REAL_N];

    fill_real(nodes);
    fair_shares(FAIR_CLASSIC, 1, nodes, REAL_N, plain);
    fair_shares(FAIR_CLASSIC, 2, nodes, REAL_N, dampened);

    for (int i = 0; i < REAL_N; i++)
        assert_near(dampened[i].factor, sqrt(plain[i].factor), "FairShare", i);
}
END_TEST

/* Worked out by hand from the formula of Slurm's page: account 1 has used twice its share, of which
 * its user 1 used a third although he has half of it; ratio = 2 * (2/3)^(1 / (1 + 25 (ln 2)^2)). */
START_TEST(the_depth_oblivious_way_is_that_of_its_page)
{
    enum { TOP, ACCOUNT_1, ACCOUNT_2, ACCOUNT_3, USER_1, USER_2, USER_3, N };
    struct fair_node nodes[N] = {
        [TOP] = { FAIR_TOP, false, 1, 0 },     [ACCOUNT_1] = { TOP, false, 1, 0 },
        [ACCOUNT_2] = { TOP, false, 1, 0 },    [ACCOUNT_3] = { TOP, false, 1, 0 },
        [USER_1] = { ACCOUNT_1, true, 1, 20 }, [USER_2] = { ACCOUNT_1, true, 1, 40 },
        [USER_3] = { ACCOUNT_2, true, 1, 30 },
    };
    struct fair_share shares[N];
    const double k = 1 / (1 + 25 * log(1.8 / 0.9) * log(2));
    const double twice = 60.0 / 90 * 3;

    sum_up(nodes, N);
    fair_shares(FAIR_DEPTH_OBLIVIOUS, 1, nodes, N, shares);

    assert_near(shares[ACCOUNT_1].factor, pow(2, -twice), "account 1", 1);
    assert_near(shares[ACCOUNT_3].factor, 1, "account 3", 3);
    assert_near(shares[USER_1].factor, pow(2, -twice * pow(2.0 / 3, k)), "user 1", 4);
    assert_near(shares[USER_2].factor, pow(2, -twice * 4 / 3), "user 2", 5);
    assert_near(shares[USER_3].factor, 0.5, "user 3", 6);
}
END_TEST

/* ---- ties; ranks are counted from the best user, who has as many as there are users ---- */

#define TIES_MAX 12

static const struct {
    const char *what;
    uint32_t n;
    struct fair_node nodes[TIES_MAX]; /* the first one is the root */
    int ranks[TIES_MAX];
} ties[] = {
    { "users that are alike share a rank, and the next one is as many behind",
      4,
      { { FAIR_TOP, false, 1, 0 }, { 0, true, 1, 10 }, { 0, true, 2, 20 }, { 0, true, 1, 30 } },
      { 0, 3, 3, 1 } },
    { "accounts that are alike are as one: the levels of their users decide",
      9,
      { { FAIR_TOP, false, 1, 0 },
        { 0, false, 1, 0 },
        { 0, false, 1, 0 },
        { 1, true, 1, 10 },
        { 1, true, 1, 30 },
        { 2, true, 1, 20 },
        { 2, true, 1, 20 },
        { 0, false, 1, 0 },
        { 7, true, 1, 99 } },
      { 0, 0, 0, 5, 2, 4, 4, 0, 1 } },
    { "a user beside an account that is alike shares the rank of its best users",
      6,
      { { FAIR_TOP, false, 1, 0 },
        { 0, true, 1, 30 },
        { 0, false, 1, 0 },
        { 2, true, 1, 10 },
        { 2, true, 1, 20 },
        { 0, true, 1, 60 } },
      { 0, 4, 0, 4, 2, 1 } },
    { "the best user may be deeper, below another account",
      6,
      { { FAIR_TOP, false, 1, 0 },
        { 0, true, 1, 30 },
        { 0, false, 1, 0 },
        { 2, false, 1, 0 },
        { 3, true, 1, 10 },
        { 2, true, 1, 20 } },
      { 0, 3, 0, 0, 3, 1 } },
    { "an account that is alike and has nobody passes no rank on",
      5,
      { { FAIR_TOP, false, 1, 0 },
        { 0, true, 1, 0 },
        { 0, false, 1, 0 },
        { 0, false, 1, 0 },
        { 3, true, 1, 20 } },
      { 0, 2, 0, 0, 1 } },
    { "accounts that are alike without a user beside them pass no rank on",
      6,
      { { FAIR_TOP, false, 1, 0 },
        { 0, true, 1, 10 },
        { 0, false, 1, 0 },
        { 0, false, 1, 0 },
        { 2, true, 1, 20 },
        { 3, true, 1, 20 } },
      { 0, 3, 0, 0, 2, 2 } },
    { "those below an account with Fairshare=parent compete one level higher",
      6,
      { { FAIR_TOP, false, 1, 0 },
        { 0, true, 1, 20 },
        { 0, false, PARENT, 0 },
        { 2, true, 1, 10 },
        { 2, false, PARENT, 0 },
        { 4, true, 1, 30 } },
      { 0, 2, 0, 3, 0, 1 } },
    { "where nobody has shares all are as if they had used nothing",
      4,
      { { FAIR_TOP, false, 1, 0 }, { 0, false, 1, 0 }, { 1, true, 0, 0 }, { 0, true, 1, 0 } },
      { 0, 0, 2, 2 } },
    { "a user with Fairshare=parent comes before those with shares",
      4,
      { { FAIR_TOP, false, 1, 0 }, { 0, true, PARENT, 90 }, { 0, true, 5, 10 }, { 0, true, 5, 0 } },
      { 0, 3, 1, 3 } },
};

START_TEST(ties_are_those_of_the_page)
{
    struct fair_node nodes[TIES_MAX];
    struct fair_share shares[TIES_MAX];
    int users = 0;

    memcpy(nodes, ties[_i].nodes, sizeof(nodes));
    for (uint32_t i = 0; i < ties[_i].n; i++)
        users += nodes[i].is_user;
    sum_up(nodes, ties[_i].n);
    fair_shares(FAIR_TREE, 1, nodes, ties[_i].n, shares);

    for (uint32_t i = 0; i < ties[_i].n; i++) {
        const int rank = nodes[i].is_user ? (int)lround(shares[i].factor * users) : 0;

        ck_assert_msg(rank == ties[_i].ranks[i], "%s: node %u has rank %d, not %d", ties[_i].what,
                      i, rank, ties[_i].ranks[i]);
    }
}
END_TEST

/* ---- any tree ---- */

#define TREE_MAX 60

static uint32_t seed;

static uint32_t dice(uint32_t below)
{
    seed = seed * 1103515245 + 12345;
    return (seed >> 16) % below;
}

static uint32_t random_tree(struct fair_node *nodes)
{
    const uint32_t n = 2 + dice(TREE_MAX - 2);

    nodes[0] = (struct fair_node){ FAIR_TOP, false, 1, 0 };
    for (uint32_t i = 1; i < n; i++) {
        uint32_t parent = dice(i);

        while (nodes[parent].is_user)
            parent = nodes[parent].parent;
        nodes[i] = (struct fair_node){ parent, dice(2) == 0, dice(8) ? dice(4) : PARENT, 0 };
        if (nodes[i].is_user)
            nodes[i].usage = dice(3) * 10; /* few values, so that there are ties */
    }
    sum_up(nodes, n);
    return n;
}

/* Returns the nearest account above that has shares, for accounts without are as if not there. */
static uint32_t level_above(const struct fair_node *nodes, uint32_t node)
{
    uint32_t at = nodes[node].parent;

    while (at != FAIR_TOP && nodes[at].parent != FAIR_TOP && nodes[at].shares == PARENT)
        at = nodes[at].parent;
    return at;
}

static bool is_below(const struct fair_node *nodes, uint32_t node, uint32_t above)
{
    while (node != above && node != FAIR_TOP)
        node = level_above(nodes, node);
    return node == above;
}

static void assert_better_first(const struct fair_node *nodes, uint32_t n,
                                const struct fair_share *shares, uint32_t better, uint32_t worse)
{
    for (uint32_t a = 0; a < n; a++) {
        if (!nodes[a].is_user || !is_below(nodes, a, better))
            continue;
        for (uint32_t b = 0; b < n; b++) {
            if (nodes[b].is_user && is_below(nodes, b, worse))
                ck_assert_msg(shares[a].factor > shares[b].factor, "user %u before %u", b, a);
        }
    }
}

START_TEST(nobody_below_a_lower_level_comes_before_one_below_a_higher)
{
    struct fair_node nodes[TREE_MAX];
    struct fair_share shares[TREE_MAX];

    seed = (uint32_t)_i;
    const uint32_t n = random_tree(nodes);

    fair_shares(FAIR_TREE, 1, nodes, n, shares);

    for (uint32_t i = 1; i < n; i++) {
        for (uint32_t k = 1; k < n; k++) {
            if (nodes[i].shares != PARENT && nodes[k].shares != PARENT &&
                level_above(nodes, i) == level_above(nodes, k) && shares[i].level > shares[k].level)
                assert_better_first(nodes, n, shares, i, k);
        }
    }
}
END_TEST

START_TEST(the_best_user_has_1_and_all_others_more_than_0)
{
    struct fair_node nodes[TREE_MAX];
    struct fair_share shares[TREE_MAX];
    double best = 0;
    bool has_users = false;

    seed = (uint32_t)_i;
    const uint32_t n = random_tree(nodes);

    fair_shares(FAIR_TREE, 1, nodes, n, shares);

    for (uint32_t i = 0; i < n; i++) {
        if (!nodes[i].is_user) {
            ck_assert(shares[i].factor == NOT_SHOWN);
            continue;
        }
        has_users = true;
        best = fmax(best, shares[i].factor);
        ck_assert(shares[i].factor > 0);
    }
    ck_assert(best == (has_users ? 1 : 0));
}
END_TEST

/* Moves each node to another place of the array. */
static void shuffle(const struct fair_node *nodes, uint32_t n, struct fair_node *ret,
                    uint32_t *place)
{
    for (uint32_t i = 0; i < n; i++)
        place[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t other = dice(i), was = place[i - 1];

        place[i - 1] = place[other];
        place[other] = was;
    }
    for (uint32_t i = 0; i < n; i++) {
        ret[place[i]] = nodes[i];
        if (nodes[i].parent != FAIR_TOP)
            ret[place[i]].parent = place[nodes[i].parent];
    }
}

START_TEST(the_order_of_nodes_means_nothing)
{
    static const enum fair_way ways[] = { FAIR_TREE, FAIR_CLASSIC, FAIR_DEPTH_OBLIVIOUS };
    struct fair_node nodes[TREE_MAX], moved[TREE_MAX];
    struct fair_share shares[TREE_MAX], other[TREE_MAX];
    uint32_t place[TREE_MAX];

    seed = (uint32_t)_i;
    const uint32_t n = random_tree(nodes);

    shuffle(nodes, n, moved, place);
    for (uint32_t way = 0; way < ARRAY_N(ways); way++) {
        fair_shares(ways[way], 1, nodes, n, shares);
        fair_shares(ways[way], 1, moved, n, other);
        for (uint32_t i = 0; i < n; i++)
            ck_assert_mem_eq(&shares[i], &other[place[i]], sizeof(shares[i]));
    }
}
END_TEST

/* Usage is whole numbers here, so sums are exact and only the tree could make a difference. */
START_TEST(who_uses_more_does_not_rise)
{
    struct fair_node nodes[TREE_MAX];
    struct fair_share before[TREE_MAX], after[TREE_MAX];

    seed = (uint32_t)_i;
    const uint32_t n = random_tree(nodes);
    const uint32_t who = dice(n);

    fair_shares(FAIR_TREE, 1, nodes, n, before);
    if (!nodes[who].is_user)
        return;
    for (uint32_t at = who; at != FAIR_TOP; at = nodes[at].parent)
        nodes[at].usage += 15;
    fair_shares(FAIR_TREE, 1, nodes, n, after);

    if (nodes[who].shares != PARENT)
        ck_assert(after[who].level <= before[who].level);
}
END_TEST

START_TEST(a_chain_of_100000_accounts_is_no_matter_of_stack)
{
    const uint32_t n = 100000;
    AUTO_FREE struct fair_node *nodes = xcalloc(n, sizeof(*nodes));
    AUTO_FREE struct fair_share *shares = xcalloc(n, sizeof(*shares));

    for (uint32_t i = 0; i < n; i++)
        nodes[i] = (struct fair_node){ i ? i - 1 : FAIR_TOP, i == n - 1, 1, 7 };
    fair_shares(FAIR_TREE, 1, nodes, n, shares);

    ck_assert(shares[n - 1].factor == 1);
}
END_TEST

CHECK_MAIN(fairshare, LOOP_CASE(a_fair_tree_is_that_of_slurm, REAL_N),
           LOOP_CASE(the_classic_way_is_that_of_slurm, REAL_N),
           CASE(the_classic_way_is_that_of_its_page),
           CASE(dampening_takes_the_classic_factor_to_a_root),
           CASE(the_depth_oblivious_way_is_that_of_its_page),
           LOOP_CASE(ties_are_those_of_the_page, ARRAY_N(ties)),
           LOOP_CASE(nobody_below_a_lower_level_comes_before_one_below_a_higher, 200),
           LOOP_CASE(the_best_user_has_1_and_all_others_more_than_0, 100),
           LOOP_CASE(the_order_of_nodes_means_nothing, 200),
           LOOP_CASE(who_uses_more_does_not_rise, 200),
           CASE(a_chain_of_100000_accounts_is_no_matter_of_stack))
