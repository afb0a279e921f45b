#include "ctld/control/acct/usage_record.h"

#include <math.h>

#include "common/text/words.h"
#include "ctld/control/acct/acct.h"

#define THOUSAND 1000.0
#define MOST     1e19 /* what 64 bits hold, in thousandths */

const struct kept_rules usage_rules = { .kind = KEPT_USAGE };

double usage_left(int64_t half_life_ms, int64_t passed_ms)
{
    if (half_life_ms <= 0 || passed_ms <= 0)
        return 1;
    return exp2(-(double)passed_ms / (double)half_life_ms);
}

/* The integral of 2^(-t / half_life) from 0 to `passed`; expm1 keeps what is short exact. */
double usage_span(int64_t half_life_ms, int64_t passed_ms)
{
    const double life_s = (double)half_life_ms / THOUSAND / log(2);

    if (passed_ms <= 0)
        return 0;
    if (half_life_ms <= 0)
        return (double)passed_ms / THOUSAND;
    return -life_s * expm1(-(double)passed_ms / THOUSAND / life_s);
}

static uint64_t thousandths(double amount)
{
    return (uint64_t)fmin(amount * THOUSAND + 0.5, MOST);
}

static uint64_t left_of(uint64_t amount, double left)
{
    return (uint64_t)fmin((double)amount * left + 0.5, MOST);
}

void usage_record_decay(struct usage_record *rec, int64_t half_life_ms, int64_t now_ms)
{
    const double left = usage_left(half_life_ms, now_ms - rec->at_ms);

    if (left < 1) {
        for (uint32_t i = 0; i < rec->used_n; i++)
            rec->used[i].amount = left_of(rec->used[i].amount, left);
        rec->wall_ms = left_of(rec->wall_ms, left);
    }
    if (now_ms > rec->at_ms)
        rec->at_ms = now_ms;
}

static void add_amount(struct usage_record *rec, const char *tres, uint64_t amount)
{
    uint32_t i = 0;

    while (i < rec->used_n && !text_is(rec->used[i].tres, tres))
        i++;
    if (i == rec->used_n) {
        struct acct_amount *used = ARRAY_PUSH(rec->used, rec->used_n);

        acct_amount_init(used);
        used->tres = xstrdup(tres);
    }
    rec->used[i].amount += amount;
}

void usage_record_add(struct act *act, const char *key, int64_t half_life_ms,
                      const struct usage_amounts *amounts)
{
    struct usage_record *rec = kept_find(control_kept(act->control, KEPT_USAGE), key);

    if (!rec) {
        AUTO(usage_record) struct usage_record empty;

        usage_record_init(&empty);
        empty.key = xstrdup(key);
        empty.at_ms = act->now.cluster_ms;
        rec = kept_create(act, KEPT_USAGE, &empty);
    }
    usage_record_decay(rec, half_life_ms, act->now.cluster_ms);
    for (uint32_t i = 0; i < amounts->n; i++) {
        if (amounts->values[i] > 0)
            add_amount(rec, amounts->names[i], thousandths(amounts->values[i]));
    }
    rec->wall_ms += thousandths(amounts->values[amounts->n]);
    kept_note(act, KEPT_USAGE, rec);
}
