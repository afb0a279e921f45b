#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

#include <stdio.h>
#include <string.h>

#include "common/base/alloc.h"
#include "ctld/sched/place/constraint.h"

/* Six nodes of a Slurm 22.05.8, which gave the answers below. */
#define NODES 6
#define W(n)  (1u << ((n)-1))
static const struct {
    char *features[3];
    uint32_t n;
} nodes[NODES] = {
    { { "a", "r1" }, 2 },      { { "a", "c", "r1" }, 3 }, { { "b", "r2" }, 2 },
    { { "b", "c", "r2" }, 3 }, { { "x", "r3" }, 2 },      { { "a", "b", "r3" }, 3 },
};

static uint64_t bits_of(const struct constraint *constraint, uint32_t node)
{
    return constraint_bits(constraint, nodes[node].features, nodes[node].n);
}

static bool is_enough(const struct constraint *constraint,
                      const struct constraint_alternative *alternative, uint32_t set)
{
    uint32_t met[256] = { 0 };

    for (uint32_t node = 0; node < NODES; node++) {
        const uint64_t bits = bits_of(constraint, node);

        if (!(set >> node & 1))
            continue;
        if (!constraint_meets(&alternative->filter, bits))
            return false;
        for (uint32_t i = 0; i < alternative->quotas_n; i++)
            met[i] += constraint_meets(&alternative->quotas[i].predicate, bits);
    }
    return constraint_missing(alternative, met) == 0;
}

static bool may_be(const struct constraint *constraint, uint32_t set)
{
    for (uint32_t i = 0; i < constraint->alternatives_n; i++) {
        if (is_enough(constraint, &constraint->alternatives[i], set))
            return true;
    }
    return false;
}

static bool is_possible(const struct constraint *constraint, uint32_t nodes_n)
{
    for (uint32_t set = 0; set < 1u << NODES; set++) {
        if ((uint32_t)__builtin_popcount(set) == nodes_n && may_be(constraint, set))
            return true;
    }
    return false;
}

static struct constraint parse(const char *text)
{
    struct constraint constraint = { 0 };
    struct err err = { 0 };

    ck_assert_msg(constraint_parse(text, &constraint, &err) == 0, "%s: %s", text, err.text);
    return constraint;
}

/* salloc -N -C, and the nodes given; none: "Requested node configuration is not available". */
static const struct {
    uint32_t nodes_n;
    const char *text;
    uint32_t chosen;
} answers[] = {
    { 3, "a", W(1) | W(2) | W(6) },
    { 4, "a", 0 },
    { 1, "(a)", W(6) },
    { 1, "a&b", W(6) },
    { 1, "a,b", W(6) },
    { 5, "a|b", W(1) | W(2) | W(3) | W(4) | W(6) },
    { 6, "a|b", 0 },
    { 3, "a&b|c", W(2) | W(4) | W(6) },
    { 4, "a&b|c", 0 },
    { 2, "a|b&c", W(2) | W(4) },
    { 3, "a|b&c", 0 },
    { 2, "a&b|c&a", W(2) | W(6) },
    { 3, "a&b|c&a", 0 },
    { 2, "x|a&b", 0 },
    { 3, "(a&b)|c", W(2) | W(4) | W(6) },
    { 3, "c|(a&b)", W(2) | W(4) | W(6) },
    { 2, "c&(a|b)", W(2) | W(4) },
    { 3, "c&(a|b)", 0 },
    { 3, "a&(b|c)|x", W(2) | W(5) | W(6) },
    { 1, "[a]", W(6) },
    { 1, "[(a|b)]", W(6) },
    { 2, "[a|b]", W(1) | W(2) },
    { 3, "[a|b]", W(1) | W(2) | W(6) },
    { 4, "[a|b]", 0 },
    { 2, "[r2|r1]", W(3) | W(4) },
    { 3, "[r1|r2|r3]", 0 },
    { 2, "[(r1|r2)|r3]", W(1) | W(2) },
    { 1, "x&[r3|r1]", W(5) },
    { 2, "a&[r3|r1]", W(1) | W(2) },
    { 2, "c&[r3|r1]", 0 },
    { 2, "[r3|r1]&a", W(1) | W(2) },
    { 1, "a&[(b&r3)|(c&r1)]", W(6) },
    { 2, "a&[(b&r3)|(c&r1)]", 0 },
    { 1, "a*1", W(6) },
    { 6, "a*1", W(1) | W(2) | W(3) | W(4) | W(5) | W(6) },
    { 4, "x*1", W(3) | W(4) | W(5) | W(6) },
    { 4, "a*3", W(1) | W(2) | W(3) | W(6) },
    { 4, "a*4", 0 },
    { 1, "a*2", 0 },
    { 1, "a*5", 0 },
    { 4, "(a&c)*1", W(2) | W(3) | W(4) | W(5) },
    { 2, "(a&c)*2", 0 },
    { 2, "(a|b)*2", W(1) | W(2) },
    { 1, "a*1&b*1", W(6) },
    { 3, "a*1&b*2", W(3) | W(4) | W(6) },
    { 4, "x*1&b*2", 0 },
    { 3, "a*1&x*1", 0 },
    { 1, "[a*1&b*1]", 0 },
    { 2, "[r1*1&(a|b)*1]", W(1) | W(2) },
    { 3, "[a*1&b*2]", W(3) | W(4) | W(6) },
    { 4, "[a*1&b*2]", W(2) | W(3) | W(4) | W(6) },
    { 6, "[a*1&b*5]", 0 },
    { 4, "[x*1&b*3]", W(3) | W(4) | W(5) | W(6) },
    { 5, "[a*1&x*1]", 0 },
    { 3, "[(a&c)*1&r2*2]", W(2) | W(3) | W(4) },
    { 2, "[(a&c)*1&r2*2]", 0 },
    { 4, "[(a&c)*1&r2*2]", 0 },
    { 4, "[(a&c)*1&r2*2&x*1]", W(2) | W(3) | W(4) | W(5) },
};

START_TEST(nodes_are_those_that_slurm_gives)
{
    AUTO(constraint) struct constraint constraint = parse(answers[_i].text);
    const uint32_t chosen = answers[_i].chosen;

    ck_assert_msg(is_possible(&constraint, answers[_i].nodes_n) == (chosen != 0), "%s on %u",
                  answers[_i].text, answers[_i].nodes_n);
    ck_assert_msg(!chosen || may_be(&constraint, chosen), "%s: not on %x", answers[_i].text,
                  chosen);
}
END_TEST

/* There Slurm gives 5 and 6, of which 5 has nothing that was asked for. */
START_TEST(beside_a_count_a_name_alone_is_for_every_node)
{
    AUTO(constraint) struct constraint constraint = parse("a*1&b");

    ck_assert(!may_be(&constraint, W(5) | W(6)));
    ck_assert(may_be(&constraint, W(3) | W(6)));
    ck_assert(!may_be(&constraint, W(3) | W(4)));
}
END_TEST

/* As the manual page has it; Slurm 22.05.8 refuses it as not available. */
START_TEST(parentheses_with_or_may_be_counted)
{
    AUTO(constraint) struct constraint constraint = parse("[(a|c)*1&r2*2]");

    ck_assert(may_be(&constraint, W(1) | W(3) | W(4)));
    ck_assert(!may_be(&constraint, W(3) | W(4)));
}
END_TEST

START_TEST(options_keep_the_order_in_which_they_were_written)
{
    AUTO(constraint) struct constraint constraint = parse("[r2|r1|r3]");

    ck_assert_uint_eq(constraint.alternatives_n, 3);
    for (uint32_t i = 0; i < 3; i++) {
        static const uint32_t node_of[] = { 2, 0, 4 };

        for (uint32_t j = 0; j < 3; j++)
            ck_assert_int_eq(constraint_meets(&constraint.alternatives[i].filter,
                                              bits_of(&constraint, node_of[j])),
                             i == j);
    }
}
END_TEST

START_TEST(most_missing_quota_tells_how_many_nodes_are_needed)
{
    AUTO(constraint) struct constraint constraint = parse("[a*1&b*2&x*3]");
    const struct constraint_alternative *only = &constraint.alternatives[0];
    const uint32_t none[7] = { 0 };

    ck_assert_uint_eq(only->quotas_n, 7);
    ck_assert_uint_eq(constraint_missing(only, none), 6);
}
END_TEST

START_TEST(case_matters)
{
    AUTO(constraint) struct constraint constraint = parse("A");

    ck_assert(!is_possible(&constraint, 1));
}
END_TEST

static const struct {
    const char *text;
    const char *says;
} refused[] = {
    { "", "column 1: the name of a feature is missing here" },
    { "&a", "column 1: the name of a feature is missing here" },
    { "|a", "column 1: the name of a feature is missing here" },
    { "a&", "column 3: the name of a feature is missing here" },
    { "a&&b", "column 3: the name of a feature is missing here" },
    { "a||b", "column 3: the name of a feature is missing here" },
    { "*2", "column 1: the name of a feature is missing here" },
    { "()", "column 2: the name of a feature is missing here" },
    { "[]", "column 2: the name of a feature is missing here" },
    { "[a", "column 3: ']' or an operator is missing here" },
    { "[a|(b", "column 6: ')' is missing here" },
    { "(a", "column 3: ')' is missing here" },
    { "((a))", "column 2: parentheses do not nest" },
    { "([a|b])", "column 2: brackets do not stand in parentheses" },
    { "(a*1)", "column 3: counts do not stand in parentheses" },
    { "a)", "column 2: an operator" },
    { "a]", "column 2: an operator" },
    { "a b", "column 2: an operator" },
    { "a*2*3", "column 4: an operator" },
    { "a*0", "column 4: a count is a number from 1 to 1000000" },
    { "a*", "column 3: a count" },
    { "a*x", "column 3: a count" },
    { "a*-1", "column 3: a count" },
    { "a*1000001", "column 10: a count" },
    { "a*99999999999999999999", "a count" },
    { "[a|[b]]", "column 4: only one pair of brackets" },
    { "[a|b]&[a|c]", "column 7: only one pair of brackets" },
    { "[[a]]", "column 2: only one pair of brackets" },
    { "[a&b]", "column 4: in brackets stand either" },
    { "[a*2&b]", "column 6: in brackets stand either" },
    { "[a*1|b*1]", "column 6: in brackets stand either" },
    { "[a|b|c*2]", "column 6: in brackets stand either" },
    { "a|[b|c]", "column 2: beside a count or brackets only & is possible" },
    { "a*1|b*1", "column 4: beside a count or brackets only & is possible" },
    { "[a*1&b*1&c*1&d*1&e*1&f*1&g*1&h*1&i*1]", "column 34: more than 8 counts" },
};

START_TEST(error_names_text_and_column)
{
    struct constraint constraint = { 0 };
    struct err err = { 0 };

    ck_assert_int_eq(constraint_parse(refused[_i].text, &constraint, &err), -E_FEATURE);

    ck_assert_msg(strstr(err.text, refused[_i].says) != NULL, "%s", err.text);
    ck_assert_msg(strstr(err.text, refused[_i].text) != NULL, "%s", err.text);
    ck_assert_ptr_null(constraint.names);
}
END_TEST

static int parse_names(uint32_t n)
{
    struct constraint constraint = { 0 };
    char text[512] = "";
    size_t len = 0;
    int rc;

    for (uint32_t i = 0; i < n; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%sn%u", i ? "|" : "", i);
    rc = constraint_parse(text, &constraint, NULL);
    constraint_clear(&constraint);
    return rc;
}

START_TEST(names_have_a_limit)
{
    ck_assert_int_eq(parse_names(CONSTRAINT_NAMES_MAX), 0);
    ck_assert_int_eq(parse_names(CONSTRAINT_NAMES_MAX + 1), -E_FEATURE);
}
END_TEST

START_TEST(length_has_a_limit)
{
    char text[CONSTRAINT_TEXT_MAX + 2];

    memset(text, 'a', sizeof(text));
    text[CONSTRAINT_TEXT_MAX] = '\0';
    AUTO(constraint) struct constraint constraint = parse(text);
    text[CONSTRAINT_TEXT_MAX] = 'a';
    text[CONSTRAINT_TEXT_MAX + 1] = '\0';

    ck_assert_int_eq(constraint_parse(text, &constraint, NULL), -E_FEATURE);
}
END_TEST

START_TEST(three_counts_are_met_wherever_they_can_be)
{
    struct sim *sim = sim_new("nodes=6x1 select=core");
    sim_node(sim, "0: features=z");
    sim_node(sim, "1: features=z");
    sim_node(sim, "2: features=a,b,d");
    sim_node(sim, "3: features=b");
    sim_node(sim, "4: features=d");
    sim_node(sim, "5: features=z");
    sim_job(sim, "run: time=10 on=5 running");
    sim_job(sim, "now: nodes=4-4 features=a*1&b*2&d*2 time=10");
    sim_job(sim, "later: nodes=4-4 features=a*1&b*2&d*2 time=10");
    sim_job(sim, "never: nodes=3-3 features=a*1&b*2&d*2&z*1 time=10");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "now"), "0:0 2:0 3:0 4:0");
    ck_assert_int_eq(sim_start_of(sim, "later"), 10);
    ck_assert_str_eq(sim_places(sim, "later"), "0:0 2:0 3:0 4:0");
    ck_assert_str_eq(sim_why(sim, "never"), "NeverFits");
    sim_free(sim);
}
END_TEST

START_TEST(what_is_preferred_stands_before_what_is_asked)
{
    AUTO(constraint) struct constraint both = { 0 };
    AUTO(constraint) struct constraint any = { 0 };
    AUTO(constraint) struct constraint none = { 0 };

    ck_assert_int_eq(constraint_parse_both("[a|b]", "a&c", &both, NULL), 0);
    ck_assert_int_eq(constraint_parse_both("c", "", &any, NULL), 0);
    ck_assert_int_eq(constraint_parse_both("", NULL, &none, NULL), 0);

    ck_assert_uint_eq(both.names_n, 3);
    ck_assert_uint_eq(both.alternatives_n, 3);
    ck_assert(is_enough(&both, &both.alternatives[1], W(3)));
    ck_assert(!is_enough(&both, &both.alternatives[2], W(3)));
    ck_assert(is_enough(&both, &both.alternatives[2], W(2)));
    ck_assert_uint_eq(any.alternatives_n, 2);
    ck_assert(is_enough(&any, &any.alternatives[1], W(5)));
    ck_assert_uint_eq(none.alternatives_n, 0);
    ck_assert_int_eq(constraint_parse_both("a", "b|", &none, NULL), -E_FEATURE);
}
END_TEST

/* As a Slurm 22.05.8 starts them; the last one it refuses, unless told not to. */
START_TEST(preferred_nodes_are_tried_first_but_not_waited_for)
{
    struct sim *sim = sim_new("nodes=4x1 select=core");
    sim_node(sim, "0: features=x");
    sim_node(sim, "1: features=y,x");
    sim_node(sim, "2: features=z");
    sim_job(sim, "idle: prefer=y time=10");
    sim_job(sim, "busy: prefer=y time=20");
    sim_job(sim, "instead: prefer=z features=x time=10");
    sim_job(sim, "later: prefer=x features=z|y time=10");
    sim_job(sim, "many: nodes=4 prefer=y time=10");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "idle"), "1:0");
    ck_assert_str_eq(sim_places(sim, "busy"), "0:0");
    ck_assert_str_eq(sim_places(sim, "instead"), "2:0");
    ck_assert_int_eq(sim_start_of(sim, "later"), 10);
    ck_assert_str_eq(sim_places(sim, "later"), "1:0");
    ck_assert_int_eq(sim_start_of(sim, "many"), 20);
    sim_free(sim);
}
END_TEST

START_TEST(counts_of_what_is_preferred_are_not_asked_otherwise)
{
    struct sim *sim = sim_new("nodes=4x1 select=core");
    sim_node(sim, "0: features=x");
    sim_node(sim, "1: features=y");
    sim_node(sim, "2: features=y");
    sim_node(sim, "3: features=y");
    sim_job(sim, "few: prefer=[x*1&y*1] features=y*3 time=10");
    sim_job(sim, "much: prefer=x features=y*2 time=10");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "few"), "0:0 1:0");
    ck_assert_str_eq(sim_places(sim, "much"), "2:0 3:0");
    sim_free(sim);
}
END_TEST

START_TEST(a_named_node_may_stand_beside_those_that_count)
{
    struct sim *sim = sim_new("nodes=3x2 select=core");
    sim_node(sim, "1: features=x");
    sim_job(sim, "a: tasks=1 on=0 features=x*1 time=10");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:0 1:0");
    sim_free(sim);
}
END_TEST

CHECK_MAIN(constraint, LOOP_CASE(nodes_are_those_that_slurm_gives, ARRAY_N(answers)),
           CASE(beside_a_count_a_name_alone_is_for_every_node),
           CASE(parentheses_with_or_may_be_counted),
           CASE(options_keep_the_order_in_which_they_were_written),
           CASE(most_missing_quota_tells_how_many_nodes_are_needed), CASE(case_matters),
           LOOP_CASE(error_names_text_and_column, ARRAY_N(refused)), CASE(names_have_a_limit),
           CASE(length_has_a_limit), CASE(three_counts_are_met_wherever_they_can_be),
           CASE(a_named_node_may_stand_beside_those_that_count),
           CASE(what_is_preferred_stands_before_what_is_asked),
           CASE(preferred_nodes_are_tried_first_but_not_waited_for),
           CASE(counts_of_what_is_preferred_are_not_asked_otherwise))
