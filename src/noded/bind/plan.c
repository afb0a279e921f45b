#include "noded/bind/plan.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "common/text/bindlist.h"
#include "noded/bind/deal.h"
#include "noded/bind/mask.h"

#define CPUS_MAX 8192 /* what Linux can be built for */

/* What is known while a plan is made. */
struct making {
    const struct bind_conf *conf;
    const struct launch_body *body;
    const struct cpu_tree *tree;
    uint32_t tasks_n;
    struct bitset usable;  /* places */
    struct bitset numbers; /* the same as the machine's numbers */
    struct cpu_plan *plan;
};

static void to_numbers(const struct cpu_tree *tree, const struct bitset *places, struct bitset *ret)
{
    bitset_init(ret, tree->numbers_end);
    BITSET_FOREACH (places, i)
        bitset_add(ret, tree->cpus[i].number);
}

static bool has_whole_node(const struct making *making)
{
    return bitset_count(&making->usable) == making->tree->cpus_n;
}

static struct bitset *new_mask(struct cpu_plan *plan)
{
    struct bitset *mask = ARRAY_PUSH(plan->masks, plan->masks_n);

    *mask = (struct bitset){ 0 };
    return mask;
}

static void give_all(struct making *making)
{
    for (uint32_t i = 0; i < making->tasks_n; i++)
        bitset_copy(new_mask(making->plan), &making->numbers);
}

static int err_bind(struct err *err, const char *why, const char *which)
{
    return err_set(err, E_CPU_BIND, "%s: %s%s", err_string(E_CPU_BIND), why, which);
}

static int err_partial(const struct making *making, struct err *err)
{
    const struct cpu_bind *shown = &making->plan->shown;
    const char *word = cpu_bind_word(shown->kind);
    AUTO_FREE char *which =
        xasprintf("%s%.*s", shown->verbose ? "verbose," : "", (int)strcspn(word, ":"), word);

    return err_bind(err, "Entire node must be allocated for ", which);
}

static int err_outside(const struct making *making, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    mask_format_wide(&making->numbers, &text);
    strbuf_adds(&text, ".");
    return err_bind(err, "CPU binding outside of job step allocation, allocated CPUs are: ",
                    strbuf_text(&text));
}

/* ---- lists ---- */

/* Reads the task's item as numbers: one of a map, those of a mask. Returns false when one is beyond
 * what there can be. */
static bool item_numbers(const struct cpu_plan *plan, uint32_t local, bool is_mask,
                         struct bitset *ret)
{
    size_t n;
    const char *item = bind_list_item(plan->shown.list, local, &n);
    uint64_t number;

    if (is_mask)
        return mask_parse(item, n, ret);
    number = strtoull(item, NULL, 10);
    if (number >= ret->size)
        return false;
    bitset_add(ret, (uint32_t)number);
    return true;
}

/* Shows an empty mask, as Slurm does, as one of all cpus of the step. */
static void show_empty_mask(struct making *making)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    mask_format(&making->numbers, &text);
    xstrset(&making->plan->shown.list, strbuf_text(&text));
}

static int bind_listed(struct making *making, bool is_mask, struct err *err)
{
    for (uint32_t i = 0; i < making->tasks_n; i++) {
        struct bitset *mask = new_mask(making->plan);

        bitset_init(mask, making->tree->numbers_end);
        if (!item_numbers(making->plan, i, is_mask, mask) ||
            !bitset_contains(&making->numbers, mask))
            return err_outside(making, err);
        if (!bitset_is_empty(mask))
            continue;
        bitset_copy(mask, &making->numbers);
        show_empty_mask(making);
    }
    return 0;
}

static int bind_rank(struct making *making, struct err *err)
{
    if (!has_whole_node(making))
        return err_partial(making, err);
    for (uint32_t i = 0; i < making->tasks_n; i++) {
        struct bitset *mask = new_mask(making->plan);
        int64_t number = -1;

        bitset_init(mask, making->tree->numbers_end);
        for (uint32_t k = 0; k <= i % making->tree->cpus_n; k++)
            number = bitset_next(&making->numbers, (uint32_t)(number + 1));
        bitset_add(mask, (uint32_t)number);
    }
    return 0;
}

/* ---- NUMA nodes ---- */

static void find_ldoms(const struct cpu_tree *tree, struct bitset *ret)
{
    uint32_t size = 1;

    for (uint32_t i = 0; i < tree->cpus_n; i++)
        size = tree->cpus[i].ldom >= size ? tree->cpus[i].ldom + 1 : size;
    bitset_init(ret, size);
    for (uint32_t i = 0; i < tree->cpus_n; i++)
        bitset_add(ret, tree->cpus[i].ldom);
}

static void add_ldoms(const struct cpu_tree *tree, const struct bitset *ldoms, struct bitset *mask)
{
    for (uint32_t i = 0; i < tree->cpus_n; i++) {
        if (bitset_has(ldoms, tree->cpus[i].ldom))
            bitset_add(mask, tree->cpus[i].number);
    }
}

/* Binds to NUMA nodes. What names none of the machine's names all. */
static int bind_ldoms(struct making *making, struct err *err)
{
    const enum cpu_bind_kind kind = making->plan->shown.kind;
    AUTO(bitset) struct bitset all = { 0 };

    if (!has_whole_node(making))
        return err_partial(making, err);
    find_ldoms(making->tree, &all);
    for (uint32_t i = 0; i < making->tasks_n; i++) {
        struct bitset *mask = new_mask(making->plan);
        AUTO(bitset) struct bitset ldoms = { 0 };
        bool known = true;

        bitset_init(mask, making->tree->numbers_end);
        bitset_init(&ldoms, all.size);
        if (kind == CPU_BIND_RANK_LDOM)
            bitset_add(&ldoms, i % all.size);
        else
            known = item_numbers(making->plan, i, kind == CPU_BIND_MASK_LDOM, &ldoms);
        bitset_and(&ldoms, &all);
        add_ldoms(making->tree, known && !bitset_is_empty(&ldoms) ? &ldoms : &all, mask);
    }
    return 0;
}

/* ---- what is found out by itself ---- */

static enum cpu_bind_kind level_of(const struct making *making)
{
    const enum cpu_bind_kind asked = making->plan->shown.kind;
    enum cpu_bind_kind found;

    if (asked != CPU_BIND_UNSAID)
        return asked;
    found =
        cpu_deal_level(making->tree, &making->usable, making->tasks_n, making->body->cpus_per_task);
    return found != CPU_BIND_UNSAID ? found : making->conf->otherwise;
}

static const char *suffix_of(enum cpu_bind_kind level)
{
    static const char *const suffixes[] = {
        [CPU_BIND_SOCKETS] = "-sockets",
        [CPU_BIND_CORES] = "-cores",
        [CPU_BIND_THREADS] = "-threads",
        [CPU_BIND_LDOMS] = "-ldoms",
    };

    return suffixes[level];
}

static void deal(struct making *making, enum cpu_bind_kind level)
{
    const struct launch_body *body = making->body;
    AUTO_FREE struct bitset *places = xcalloc(making->tasks_n, sizeof(*places));
    const struct cpu_deal ask = {
        .tree = making->tree,
        .usable = &making->usable,
        .tasks_n = making->tasks_n,
        .cpus_per_task = body->cpus_per_task ? body->cpus_per_task : 1,
        .level = level,
        .dist = body->dist_sockets == DIST_DEFAULT ? DIST_CYCLIC
                                                   : (enum distribution)body->dist_sockets,
        .threads_per_core = body->threads_per_core,
        .tasks_per_core = body->ntasks_per_core,
    };

    if (!cpu_deal(&ask, places))
        making->plan->suffix = suffix_of(level);
    for (uint32_t i = 0; i < making->tasks_n; i++) {
        to_numbers(making->tree, &places[i], new_mask(making->plan));
        bitset_clear(&places[i]);
    }
}

/* Shows the masks as a list; one mask for all tasks is shown once. */
static void show_masks(struct cpu_plan *plan, bool dealt)
{
    AUTO(strbuf) struct strbuf list = { 0 };

    for (uint32_t i = 0; i < (dealt ? plan->masks_n : 1); i++) {
        strbuf_adds(&list, i ? "," : "");
        mask_format_wide(&plan->masks[i], &list);
    }
    plan->shown.kind = CPU_BIND_MASK;
    xstrset(&plan->shown.list, strbuf_text(&list));
}

static void bind_by_itself(struct making *making)
{
    const enum cpu_bind_kind level = level_of(making);

    if (level == CPU_BIND_UNSAID || level == CPU_BIND_NONE)
        give_all(making);
    else
        deal(making, level);
    show_masks(making->plan,
               level != CPU_BIND_UNSAID && level != CPU_BIND_NONE && !making->plan->suffix);
}

/* ---- the plan ---- */

static int bind(struct making *making, struct err *err)
{
    switch (making->plan->shown.kind) {
    case CPU_BIND_NONE:
        /* Tasks are kept to what the step has, which on a whole node is everything. */
        if (!has_whole_node(making))
            bind_by_itself(making);
        return 0;
    case CPU_BIND_RANK:
        return bind_rank(making, err);
    case CPU_BIND_MAP:
        return bind_listed(making, false, err);
    case CPU_BIND_MASK:
        return bind_listed(making, true, err);
    case CPU_BIND_RANK_LDOM:
    case CPU_BIND_MAP_LDOM:
    case CPU_BIND_MASK_LDOM:
        return bind_ldoms(making, err);
    default:
        bind_by_itself(making);
        return 0;
    }
}

static int make(struct making *making, struct err *err)
{
    const struct launch_body *body = making->body;

    if (body->step_id == STEP_BATCH || body->cpu_unbound) {
        give_all(making);
        return 0;
    }
    if (body->cpu_bind && cpu_bind_add(&making->plan->shown, body->cpu_bind, err) < 0)
        return -EINVAL;
    return bind(making, err);
}

/* Binds no task, whatever was asked; but what was asked to be shown is. */
static int make_unknown(const struct launch_body *body, struct cpu_plan *plan, struct err *err)
{
    struct cpu_bind *shown = &plan->shown;

    if (body->step_id == STEP_BATCH || body->cpu_unbound || !body->cpu_bind)
        return 0;
    if (cpu_bind_add(shown, body->cpu_bind, err) < 0)
        return -EINVAL;
    shown->kind = CPU_BIND_NONE;
    xstrset(&shown->list, NULL);
    return 0;
}

int cpu_plan_make(const struct bind_conf *conf, const struct launch_body *body, uint32_t node_index,
                  struct cpu_plan *ret, struct err *err)
{
    const struct step_node *here = &body->nodes[node_index];
    struct cpu_plan plan = { .tree = conf ? conf->tree : NULL };
    struct making making = {
        .conf = conf,
        .body = body,
        .tree = plan.tree,
        .tasks_n = here->tasks_n,
        .plan = &plan,
    };
    int rc = 0;

    if (body->service || here->tasks_n == 0)
        return 0;
    if (!making.tree)
        return conf && conf->unknown ? make_unknown(body, ret, err) : 0;
    cpu_tree_places(making.tree, here->cpus, here->cpus_n, &making.usable);
    to_numbers(making.tree, &making.usable, &making.numbers);
    if (!bitset_is_empty(&making.usable))
        rc = make(&making, err);
    bitset_clear(&making.usable);
    bitset_clear(&making.numbers);
    if (rc < 0)
        cpu_plan_clear(&plan);
    else
        *ret = plan;
    return rc;
}

void cpu_plan_clear(struct cpu_plan *plan)
{
    for (uint32_t i = 0; i < plan->masks_n; i++)
        bitset_clear(&plan->masks[i]);
    free(plan->masks);
    cpu_bind_clear(&plan->shown);
    *plan = (struct cpu_plan){ 0 };
}

bool cpu_plan_is_told(const struct cpu_plan *plan)
{
    return plan->shown.kind != CPU_BIND_UNSAID;
}

void cpu_plan_cores(const struct cpu_plan *plan, uint32_t local, struct bitset *ret)
{
    if (local >= plan->masks_n)
        return;
    bitset_init(ret, plan->tree->cores_n);
    for (uint32_t i = 0; i < plan->tree->cpus_n; i++) {
        if (bitset_has(&plan->masks[local], plan->tree->cpus[i].number))
            bitset_add(ret, plan->tree->cpus[i].core);
    }
}

int cpu_plan_apply(const struct cpu_plan *plan, uint32_t local)
{
    const struct bitset *mask = local < plan->masks_n ? &plan->masks[local] : NULL;
    cpu_set_t sets[CPUS_MAX / CPU_SETSIZE] = { 0 };

    if (!mask)
        return 0;
    BITSET_FOREACH (mask, i)
        CPU_SET_S((size_t)i, sizeof(sets), sets);
    return sched_setaffinity(0, sizeof(sets), sets) < 0 ? -errno : 0;
}

static const char *label_of(enum cpu_bind_kind kind)
{
    static const char *const labels[] = {
        [CPU_BIND_NONE] = "NONE",        [CPU_BIND_RANK] = "RANK",
        [CPU_BIND_MAP] = "MAP ",         [CPU_BIND_MASK] = "MASK",
        [CPU_BIND_RANK_LDOM] = "LDRANK", [CPU_BIND_MAP_LDOM] = "LDMAP ",
        [CPU_BIND_MASK_LDOM] = "LDMASK",
    };

    return kind < ARRAY_N(labels) ? labels[kind] : "";
}

void cpu_plan_describe(const struct cpu_plan *plan, const struct bound_task *task, int rc,
                       struct strbuf *out)
{
    AUTO(strbuf) struct strbuf mask = { 0 };
    const bool bound = task->local < plan->masks_n;

    if (bound)
        mask_format(&plan->masks[task->local], &mask);
    strbuf_addf(out, "cpu-bind%s=%s - %s, task %2u %2u [%d]: mask 0x%s%s\n",
                plan->suffix ? plan->suffix : "", label_of(plan->shown.kind), task->node,
                task->task, task->local, (int)task->pid, bound ? strbuf_text(&mask) : "0",
                !bound   ? ""
                : rc < 0 ? " set FAILED"
                         : " set");
}
