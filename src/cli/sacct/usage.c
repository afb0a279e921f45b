#include "cli/sacct/usage.h"

#include "cli/lib/step_facts.h"
#include "cli/sacct/amount.h"

enum what { CPU, ENERGY, READ, MEMORY, PAGES, VIRTUAL, WRITTEN, IN, OUT };
enum which { AVERAGE, MAX, MAX_NODE, MAX_TASK, MIN, MIN_NODE, MIN_TASK, TOTAL };

/* One amount of one step, with how to write it. */
struct asked {
    const struct step_record *step;
    enum what what;
    enum which which;
    struct amount_manner manner;
};

static const struct usage_spread *spread_of(const struct step_usage *usage, enum what what)
{
    static const struct usage_spread nothing;
    const struct usage_spread *const spreads[] = {
        [CPU] = usage->cpu_us,
        [ENERGY] = &nothing,
        [READ] = usage->read_bytes,
        [MEMORY] = usage->memory_kb,
        [PAGES] = usage->pages,
        [VIRTUAL] = usage->virtual_kb,
        [WRITTEN] = usage->written_bytes,
    };

    return spreads[what];
}

static enum usage_pick pick_of(enum which which)
{
    switch (which) {
    case MAX:
    case MAX_NODE:
    case MAX_TASK:
        return PICK_MAX;
    case MIN:
    case MIN_NODE:
    case MIN_TASK:
        return PICK_MIN;
    case AVERAGE:
        return PICK_AVERAGE;
    case TOTAL:
        break;
    }
    return PICK_TOTAL;
}

/* Writes the amount's place and returns true, if it is a node or a task that is asked for. */
static bool add_place(const struct asked *asked, const struct usage_spread *spread,
                      struct strbuf *out)
{
    const enum usage_pick pick = pick_of(asked->which);

    switch (asked->which) {
    case MAX_NODE:
    case MIN_NODE:
        strbuf_adds(out, step_usage_node(asked->step, spread, pick));
        return true;
    case MAX_TASK:
    case MIN_TASK:
        strbuf_addu(out, step_usage_task(spread, pick));
        return true;
    default:
        return false;
    }
}

/* Appends one amount; with `in_list` as one of TRESUsage..., where files are counted in bytes. */
static void add_one(const struct asked *asked, bool in_list, struct strbuf *out)
{
    const struct usage_spread *spread = spread_of(asked->step->usage, asked->what);
    bool kilobytes = asked->what == MEMORY || asked->what == VIRTUAL;
    uint64_t amount;

    if (!spread || add_place(asked, spread, out))
        return;
    amount = step_usage_amount(asked->step, spread, pick_of(asked->which)) * (kilobytes ? 1024 : 1);
    if (asked->what == CPU)
        amount_format_cpu(amount / 1000000 * 1000000, out);
    else if (!in_list && (asked->what == READ || asked->what == WRITTEN))
        amount_format_small(amount, &asked->manner, out);
    else
        amount_format((double)amount, 'B', &asked->manner, out);
}

struct member {
    const char *name;
    enum what what;
};

/* Appends a list. In Slurm energy has a node, but no task. */
static void add_list(struct asked asked, const struct member *members, uint32_t n,
                     struct strbuf *out)
{
    bool is_task = asked.which == MAX_TASK || asked.which == MIN_TASK;
    const size_t begin = out->len;

    for (uint32_t i = 0; i < n; i++) {
        if (is_task && members[i].what == ENERGY)
            continue;
        strbuf_addf(out, "%s%s=", out->len > begin ? "," : "", members[i].name);
        asked.what = members[i].what;
        add_one(&asked, true, out);
    }
}

static void add_usage(const struct report_context *ctx, const struct acct_row *row, enum what what,
                      enum which which, struct strbuf *out)
{
    static const struct member in[] = { { "cpu", CPU },      { "energy", ENERGY },
                                        { "fs/disk", READ }, { "mem", MEMORY },
                                        { "pages", PAGES },  { "vmem", VIRTUAL } };
    static const struct member into[] = { { "energy", ENERGY }, { "fs/disk", WRITTEN } };
    const struct acct_context *context = ctx->user;
    const struct asked asked = { row->step, what, which, { context->unit, ctx->exact_units } };

    if (!row->step || !row->step->usage || !row->step->usage->tasks)
        return;
    if (what == IN)
        add_list(asked, in, ARRAY_N(in), out);
    else if (what == OUT)
        add_list(asked, into, ARRAY_N(into), out);
    else
        add_one(&asked, context->plain_bytes, out);
}

#define USAGE_DEFINE(column, what, which)                                                          \
    void usage_make_##column(const struct report_context *ctx, const void *row,                    \
                             struct strbuf *out)                                                   \
    {                                                                                              \
        add_usage(ctx, row, what, which, out);                                                     \
    }
USAGE_COLUMNS(USAGE_DEFINE)

/* ---- times of the whole job or step ---- */

static struct cpu_times times_of(const struct acct_row *row)
{
    return row->step ? step_cpu_times(row->step, 1) : step_cpu_times(row->steps, row->steps_n);
}

void usage_make_TotalCPU(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct cpu_times times = times_of(row);

    (void)ctx;
    amount_format_cpu(times.user_us + times.system_us, out);
}

void usage_make_UserCPU(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    amount_format_cpu(times_of(row).user_us, out);
}

void usage_make_SystemCPU(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    amount_format_cpu(times_of(row).system_us, out);
}
