#include "cli/sinfo/state.h"

#include <ctype.h>
#include <string.h>

#define STATE_NAMES                                                                                \
    "unknown,down,idle,allocated,mixed,future,drain,drained,draining,no_respond,reserved,"         \
    "perfctrs,cloud,completing,planned,powering_down,powered_down,power_down,powering_up,fail,"    \
    "maint,reboot_issued,reboot_requested,inval"

static bool has_work(const struct node_info *node)
{
    return node->state == NODE_ALLOCATED || node->state == NODE_MIXED ||
           (node->flags & NODE_FLAG_COMPLETING);
}

struct names {
    const char *brief, *full;
};

/* True if the node is to boot and nothing holds that up. */
static bool is_about_to_boot(const struct node_info *node)
{
    return (node->flags & NODE_FLAG_REBOOT_REQUESTED) && node->state == NODE_IDLE &&
           !(node->flags & (NODE_FLAG_DRAIN | NODE_FLAG_FAIL | NODE_FLAG_INVALID));
}

/* True if nothing is to be told of the node but that a reservation keeps it for maintenance. */
static bool is_in_maintenance(const struct node_info *node)
{
    return (node->flags & NODE_FLAG_MAINT) && node->state == NODE_IDLE &&
           !(node->flags & (NODE_FLAG_INVALID | NODE_FLAG_REBOOT_ISSUED | NODE_FLAG_DRAIN |
                            NODE_FLAG_COMPLETING | NODE_FLAG_NO_RESPOND));
}

/* Returns the names of all that is true of a node. */
static struct names names_of(const struct node_info *node)
{
    static const struct names bases[NODE_STATES_N] = {
        [NODE_UNKNOWN] = { "unk", "unknown" }, [NODE_DOWN] = { "down", "down" },
        [NODE_IDLE] = { "idle", "idle" },      [NODE_ALLOCATED] = { "alloc", "allocated" },
        [NODE_ERROR] = { "error", "error" },   [NODE_MIXED] = { "mix", "mixed" },
        [NODE_FUTURE] = { "futr", "future" },
    };

    if (node->flags & NODE_FLAG_INVALID)
        return (struct names){ "inval", "inval" };
    if (node->flags & NODE_FLAG_REBOOT_ISSUED)
        return (struct names){ "boot", "reboot" };
    if (node->flags & NODE_FLAG_DRAIN)
        return has_work(node) ? (struct names){ "drng", "draining" }
                              : (struct names){ "drain", "drained" };
    if (is_in_maintenance(node))
        return (struct names){ "maint", "maint" };
    if (node->flags & NODE_FLAG_FAIL)
        return has_work(node) ? (struct names){ "failg", "failing" }
                              : (struct names){ "fail", "fail" };
    if (is_about_to_boot(node))
        return (struct names){ "boot", "reboot" };
    if ((node->flags & NODE_FLAG_COMPLETING) && node->state == NODE_ALLOCATED)
        return (struct names){ "alloc+", "allocated+" };
    if ((node->flags & NODE_FLAG_COMPLETING) && node->state != NODE_DOWN)
        return (struct names){ "comp", "completing" };
    if ((node->flags & NODE_FLAG_MAINT) && node->state == NODE_MIXED)
        return bases[NODE_ALLOCATED];
    if ((node->flags & NODE_FLAG_RESERVED) && node->state == NODE_IDLE &&
        !(node->flags & NODE_FLAG_NO_RESPOND))
        return (struct names){ "resv", "reserved" };
    if ((node->flags & NODE_FLAG_PLANNED) && node->state == NODE_IDLE)
        return (struct names){ "plnd", "planned" };
    return node->state < NODE_STATES_N ? bases[node->state] : (struct names){ "?", "?" };
}

void node_state_short(const struct node_info *node, bool is_long, struct strbuf *out)
{
    struct names names = names_of(node);

    strbuf_adds(out, is_long ? names.full : names.brief);
    if (node->flags & NODE_FLAG_REBOOT_ISSUED)
        strbuf_addc(out, '^');
    else if ((node->flags & NODE_FLAG_REBOOT_REQUESTED) && !is_about_to_boot(node))
        strbuf_addc(out, '@');
    else if (node->flags & NODE_FLAG_NO_RESPOND)
        strbuf_addc(out, '*');
    else if ((node->flags & NODE_FLAG_MAINT) && !is_in_maintenance(node))
        strbuf_addc(out, '$');
    else if ((node->flags & NODE_FLAG_PLANNED) && node->state == NODE_MIXED)
        strbuf_addc(out, '-');
}

void node_state_complete(const struct node_info *node, struct strbuf *out)
{
    size_t at = out->len;

    node_state_format(node->state, node->flags, out);
    for (; at < out->len; at++)
        out->data[at] = (char)tolower((unsigned char)out->data[at]);
}

/* Returns the rank; the bits are those of Slurm's node states, so that "-t" sorts as there. */
int64_t node_state_rank(const struct node_info *node)
{
    static const struct {
        uint32_t flag;
        int64_t bit;
    } bits[] = {
        { NODE_FLAG_RESERVED, 1 << 5 },    { NODE_FLAG_MAINT, 1 << 15 },
        { NODE_FLAG_DRAIN, 1 << 9 },       { NODE_FLAG_COMPLETING, 1 << 10 },
        { NODE_FLAG_NO_RESPOND, 1 << 11 }, { NODE_FLAG_INVALID, 1 << 18 },
        { NODE_FLAG_FAIL, 1 << 13 },       { NODE_FLAG_REBOOT_REQUESTED, 1 << 17 },
        { NODE_FLAG_PLANNED, 1 << 21 },    { NODE_FLAG_REBOOT_ISSUED, 1 << 22 },
    };
    int64_t rank = node->state;

    for (size_t i = 0; i < ARRAY_N(bits); i++)
        rank |= node->flags & bits[i].flag ? bits[i].bit : 0;
    return rank;
}

enum node_use node_use(const struct node_info *node)
{
    if (node->state != NODE_DOWN && has_work(node))
        return NODE_USE_ALLOCATED;
    if (node->state == NODE_DOWN || node->state == NODE_ERROR || node->state == NODE_FUTURE ||
        (node->flags & (NODE_FLAG_DRAIN | NODE_FLAG_INVALID | NODE_FLAG_FAIL)))
        return NODE_USE_OTHER;
    return NODE_USE_IDLE;
}

/* ---- what -t asks for ---- */

struct wanted {
    const char *word;
    bool (*is)(const struct node_info *node);
};

static bool is_allocated(const struct node_info *node)
{
    return node->state == NODE_ALLOCATED || node->state == NODE_MIXED;
}

/* True if the node counts as mixed; a draining one counts as allocated only. */
static bool is_mixed(const struct node_info *node)
{
    return node->state == NODE_MIXED && !(node->flags & NODE_FLAG_DRAIN);
}

static bool is_idle(const struct node_info *node)
{
    return node->state == NODE_IDLE;
}

static bool is_down(const struct node_info *node)
{
    return node->state == NODE_DOWN;
}

static bool is_unknown(const struct node_info *node)
{
    return node->state == NODE_UNKNOWN;
}

static bool is_future(const struct node_info *node)
{
    return node->state == NODE_FUTURE;
}

static bool is_drain(const struct node_info *node)
{
    return node->flags & NODE_FLAG_DRAIN;
}

static bool is_draining(const struct node_info *node)
{
    return is_drain(node) && has_work(node);
}

static bool is_drained(const struct node_info *node)
{
    return is_drain(node) && !has_work(node);
}

static bool is_completing(const struct node_info *node)
{
    return node->flags & NODE_FLAG_COMPLETING;
}

static bool is_silent(const struct node_info *node)
{
    return node->flags & NODE_FLAG_NO_RESPOND;
}

static bool is_planned(const struct node_info *node)
{
    return node->flags & NODE_FLAG_PLANNED;
}

static bool is_invalid(const struct node_info *node)
{
    return node->flags & NODE_FLAG_INVALID;
}

static bool is_failing(const struct node_info *node)
{
    return node->flags & NODE_FLAG_FAIL;
}

static bool is_rebooting(const struct node_info *node)
{
    return node->flags & NODE_FLAG_REBOOT_ISSUED;
}

static bool is_to_reboot(const struct node_info *node)
{
    return node->flags & NODE_FLAG_REBOOT_REQUESTED;
}

static bool is_to_reboot_or_rebooting(const struct node_info *node)
{
    return is_rebooting(node) || is_to_reboot(node);
}

static bool is_reserved(const struct node_info *node)
{
    return node->flags & NODE_FLAG_RESERVED;
}

static bool is_kept_for_maintenance(const struct node_info *node)
{
    return node->flags & NODE_FLAG_MAINT;
}

static bool is_any(const struct node_info *node)
{
    return node != NULL;
}

/* True for states that no node here is ever in. */
static bool is_never(const struct node_info *node)
{
    return node == NULL;
}

static const struct wanted wanted[] = {
    { "all", is_any },
    { "alloc", is_allocated },
    { "allocated", is_allocated },
    { "mix", is_mixed },
    { "mixed", is_mixed },
    { "idle", is_idle },
    { "down", is_down },
    { "unk", is_unknown },
    { "unknown", is_unknown },
    { "futr", is_future },
    { "future", is_future },
    { "drain", is_drain },
    { "drng", is_draining },
    { "draining", is_draining },
    { "drained", is_drained },
    { "comp", is_completing },
    { "completing", is_completing },
    { "no_respond", is_silent },
    { "no_resp", is_silent },
    { "not_responding", is_silent },
    { "plnd", is_planned },
    { "planned", is_planned },
    { "inval", is_invalid },
    { "cloud", is_never },
    { "fail", is_failing },
    { "failing", is_failing },
    { "maint", is_kept_for_maintenance },
    { "npc", is_never },
    { "perfctrs", is_never },
    { "power_down", is_never },
    { "powering_down", is_never },
    { "powered_down", is_never },
    { "powering_up", is_never },
    { "power_up", is_never },
    { "reboot_issued", is_rebooting },
    { "reboot_requested", is_to_reboot },
    { "reboot", is_to_reboot_or_rebooting },
    { "resv", is_reserved },
    { "reserved", is_reserved },
};

/*
 * Finds a state whose word was cut short; what it is then is decided in the order of Slurm's
 * states.
 */
static const struct wanted *find_begun(const char *word)
{
    static const struct wanted begun[] = {
        { "unknown", is_unknown },     { "down", is_down },       { "idle", is_idle },
        { "allocated", is_allocated }, { "mixed", is_mixed },     { "future", is_future },
        { "draining", is_draining },   { "drained", is_drained },
    };

    for (size_t i = 0; *word && i < ARRAY_N(begun); i++) {
        if (word_starts(begun[i].word, word, NULL))
            return &begun[i];
    }
    return NULL;
}

static const struct wanted *find_wanted(const char *word)
{
    for (size_t i = 0; i < ARRAY_N(wanted); i++) {
        if (word_is(word, wanted[i].word))
            return &wanted[i];
    }
    return find_begun(word);
}

int node_states_parse(const char *text, struct node_states *ret_states, struct err *err)
{
    struct words words = words_split(text, ",&");

    for (uint32_t i = 0; i < words.n; i++) {
        if (!find_wanted(words.at[i])) {
            err_set(err, E_SYNTAX, "Bad state string: \"%.60s\"\nvalid states: %s", words.at[i],
                    STATE_NAMES);
            words_clear(&words);
            return -E_SYNTAX;
        }
    }
    *ret_states = (struct node_states){ words, strchr(text, '&') != NULL };
    return 0;
}

bool node_states_have(const struct node_states *states, const struct node_info *node)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < states->words.n; i++)
        found += find_wanted(states->words.at[i])->is(node);
    return states->all_of_them ? found == states->words.n : found > 0;
}
