#include "auth/replay/census.h"

#include "common/base/alloc.h"

enum { SPAN_S = 8 };

struct account {
    uint32_t n;      /* entries that are counted and not struck */
    uint32_t first;  /* the first span that is not struck */
    uint32_t *spans; /* entries of each */
};

struct census {
    int64_t begin; /* of the first span */
    int64_t now;
    uint32_t spans_n;
    uint32_t *spans; /* of all accounts */
    struct account accounts[CENSUS_ACCOUNTS];
};

static void count(struct census *census, const struct slot *slot)
{
    struct account *account = &census->accounts[slot->account];
    int64_t span = ((int64_t)slot->encoded_at - census->begin) / SPAN_S;

    if ((int64_t)slot->encoded_at < census->begin || span >= census->spans_n)
        return;
    account->spans[span]++;
    account->n++;
}

struct census *census_new(const struct slots *slots, int64_t now, int32_t reach_s)
{
    struct census *census = xcalloc(1, sizeof(*census));

    census->now = now;
    census->begin = now - reach_s;
    census->spans_n = 2 * (uint32_t)reach_s / SPAN_S + 1;
    census->spans = xcalloc((size_t)census->spans_n * CENSUS_ACCOUNTS, sizeof(*census->spans));
    for (unsigned i = 0; i < CENSUS_ACCOUNTS; i++)
        census->accounts[i].spans = census->spans + (size_t)i * census->spans_n;
    for (uint32_t i = 0; i < slots->size; i++) {
        if (slots->at[i].is_used)
            count(census, &slots->at[i]);
    }
    return census;
}

struct census *census_free(struct census *census)
{
    if (census)
        free(census->spans);
    free(census);
    return NULL;
}

static int64_t end_of(const struct census *census, uint32_t span)
{
    return census->begin + ((int64_t)span + 1) * SPAN_S - 1;
}

/* Returns how much an account has of what may be asked back. */
static uint32_t weight_of(const struct census *census, unsigned i, uint32_t allowance)
{
    uint32_t n = census->accounts[i].n;
    uint32_t kept = i < CENSUS_RESERVED ? allowance : 0;

    return n > kept ? n - kept : 0;
}

/* Returns the account that is to give entries up; -1 when none has anything to give. */
static int find_victim(struct census *census, int32_t young_s, uint32_t allowance)
{
    uint32_t most = 0;
    bool is_old = false;
    int victim = -1;

    for (unsigned i = 0; i < CENSUS_ACCOUNTS; i++) {
        struct account *account = &census->accounts[i];
        uint32_t weight = weight_of(census, i, allowance);

        if (!weight)
            continue;
        while (account->n && !account->spans[account->first])
            account->first++;

        bool old = end_of(census, account->first) < census->now - young_s;

        if (old < is_old || (old == is_old && weight <= most))
            continue;
        victim = (int)i;
        most = weight;
        is_old = old;
    }
    return victim;
}

uint32_t census_strike(struct census *census, int32_t young_s, uint32_t allowance,
                       struct census_victim *ret)
{
    int victim = find_victim(census, young_s, allowance);

    if (victim < 0)
        return 0;

    struct account *account = &census->accounts[victim];
    uint32_t struck = account->spans[account->first];

    *ret = (struct census_victim){ (uint8_t)victim, end_of(census, account->first) };
    account->spans[account->first++] = 0;
    account->n -= struck;
    return struck;
}
