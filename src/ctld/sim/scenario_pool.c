#include "ctld/sim/scenario_pool.h"

#include <errno.h>
#include <string.h>

#include "common/msg/job.h"

/* Reads "12" up to the end of the text, or to one of `ends`. */
static int read_number(struct reader *in, const char *text, const char *ends, uint64_t *ret,
                       const char **ret_end)
{
    char *end;

    errno = 0;
    *ret = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || errno || (*end && !strchr(ends, *end)))
        return reader_fail(in, "'%s': a number is expected", text);
    *ret_end = end;
    return 0;
}

static int64_t find_pool(const struct scenario *scenario, const char *name)
{
    for (uint32_t i = 0; i < scenario->pools_n; i++) {
        if (strcmp(scenario->pools[i].name, name) == 0)
            return i;
    }
    return -1;
}

static int need_pool(const struct reader *in, const struct scenario *scenario, const char *name,
                     uint32_t *ret)
{
    const int64_t pool = find_pool(scenario, name);

    if (pool < 0)
        return reader_fail(in, "no pool '%s' is described before this line", name);
    *ret = (uint32_t)pool;
    return 0;
}

/* ---- what there is ---- */

static int read_name(struct reader *in, const struct scenario *scenario, struct plan_pool *pool)
{
    const int rc = reader_need(in, "a name for the pool");

    if (rc < 0)
        return rc;
    if (in->word[strcspn(in->word, ":,/=")])
        return reader_fail(in, "'%s' is no name for a pool: it has one of : , / =", in->word);
    if (find_pool(scenario, in->word) >= 0)
        return reader_fail(in, "there is a pool '%s' already", in->word);
    if (scenario->pools_n == SCENARIO_POOLS_MAX)
        return reader_fail(in, "more than %d pools", SCENARIO_POOLS_MAX);
    pool->name = STEAL(in->word);
    return 0;
}

static int read_kind(struct reader *in, struct plan_pool *pool)
{
    static const char *const words[] = {
        [PLAN_POOL_SUM] = "sum",
        [PLAN_POOL_RAMP] = "ramp",
        [PLAN_POOL_NODES] = "nodes",
        [PLAN_POOL_GATE] = "gate",
    };
    const int rc = reader_need(in, "sum, nodes, ramp or gate");

    for (uint32_t i = 0; rc == 0 && i < ARRAY_N(words); i++) {
        if (strcmp(in->word, words[i]) != 0)
            continue;
        pool->kind = (enum plan_pool_kind)i;
        return 0;
    }
    return rc < 0 ? rc : reader_fail(in, "'%s' is neither sum, nodes, ramp nor gate", in->word);
}

/* Reads a total, or the moment at which a gate opens. */
static int read_amount(struct reader *in, enum plan_pool_kind kind, uint64_t *ret_total,
                       int64_t *ret_opens_ms)
{
    const bool is_gate = kind == PLAN_POOL_GATE;
    const int rc = reader_need(in, is_gate ? "a time" : "a total");
    const char *end;

    if (rc < 0)
        return rc;
    return is_gate ? reader_time(in, in->word, ret_opens_ms)
                   : read_number(in, in->word, "", ret_total, &end);
}

static int read_reason(struct reader *in, const char *word, struct plan_pool *pool)
{
#define REASON_NUMBER(name, number, text) REASON_##name,
    static const uint32_t reasons[] = { JOB_REASONS(REASON_NUMBER) };
#undef REASON_NUMBER

    for (uint32_t i = 0; i < ARRAY_N(reasons); i++) {
        if (strcmp(job_reason_name(reasons[i]), word) != 0)
            continue;
        pool->reason = reasons[i];
        return 0;
    }
    return reader_fail(in, "no job waits for the reason '%s'", word);
}

static int read_words(struct reader *in, struct plan_pool *pool)
{
    int rc;

    while ((rc = reader_next(in)) > 0) {
        const char *rest;

        if (strcmp(in->word, "private") == 0)
            pool->is_private = true;
        else if (!word_starts(in->word, "reason=", &rest))
            return reader_fail(in, "'%s' is neither private nor reason=WORD", in->word);
        else if ((rc = read_reason(in, rest, pool)) < 0)
            return rc;
    }
    return rc;
}

int scenario_read_pool(struct reader *in, struct scenario *scenario)
{
    struct plan_pool pool = { .reason = REASON_LICENSES };
    int rc = read_name(in, scenario, &pool);

    if (rc == 0)
        rc = read_kind(in, &pool);
    if (rc == 0)
        rc = read_amount(in, pool.kind, &pool.total, &pool.opens_ms);
    if (rc == 0)
        rc = read_words(in, &pool);
    if (rc < 0) {
        free((void *)pool.name);
        return rc;
    }
    *ARRAY_PUSH(scenario->pools, scenario->pools_n) = pool;
    return 0;
}

int scenario_read_change(struct reader *in, const struct scenario *scenario,
                         struct scenario_line *line)
{
    int rc = reader_need(in, "the name of a pool");

    if (rc == 0)
        rc = need_pool(in, scenario, in->word, &line->pool);
    if (rc == 0)
        rc = read_amount(in, scenario->pools[line->pool].kind, &line->amount, &line->time_ms);
    return rc < 0 ? rc : reader_end(in);
}

/* ---- what a job claims ---- */

void scenario_claims_free(struct plan_claim *claims, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        free((void *)claims[i].gres_name);
        free((void *)claims[i].gres_type);
    }
    free(claims);
}

/* Reads what stands behind the slash: of what the amount is given. */
static int read_of(struct reader *in, const char *text, struct plan_claim *claim)
{
    static const struct {
        const char *word;
        enum plan_claim_of of;
    } words[] = {
        { "cpu", PLAN_CLAIM_CPUS },
        { "node", PLAN_CLAIM_NODES },
        { "mb", PLAN_CLAIM_MEMORY },
    };
    const char *gres;

    for (uint32_t i = 0; i < ARRAY_N(words); i++) {
        if (strcmp(text, words[i].word) != 0)
            continue;
        claim->of = words[i].of;
        return 0;
    }
    if (!word_starts(text, "gres/", &gres) || *gres == '\0' || *gres == ':')
        return reader_fail(in, "'%s' is neither cpu, node, mb nor gres/NAME", text);
    claim->of = PLAN_CLAIM_GRES;
    claim->gres_name = xstrndup(gres, strcspn(gres, ":"));
    gres += strlen(claim->gres_name);
    if (gres[0] == ':' && gres[1])
        claim->gres_type = xstrdup(gres + 1);
    return 0;
}

static int read_claim(struct reader *in, const struct scenario *scenario, const char *text,
                      struct plan_claim *claim)
{
    AUTO_FREE char *name = xstrndup(text, strcspn(text, ":"));
    int rc = need_pool(in, scenario, name, &claim->pool);

    text += strlen(name);
    if (rc == 0 && *text != ':')
        return reader_fail(in, "how much of pool '%s'? NAME:AMOUNT is expected", name);
    if (rc == 0)
        rc = read_number(in, text + 1, "/", &claim->amount, &text);
    return rc == 0 && *text == '/' ? read_of(in, text + 1, claim) : rc;
}

int scenario_read_claims(struct reader *in, const struct scenario *scenario, const char *text,
                         struct scenario_line *line)
{
    int rc = 0;

    while (rc == 0) {
        AUTO_FREE char *one = xstrndup(text, strcspn(text, ","));
        struct plan_claim *claim = ARRAY_PUSH(line->claims, line->claims_n);

        *claim = (struct plan_claim){ 0 };
        rc = read_claim(in, scenario, one, claim);
        text += strlen(one);
        if (*text == '\0')
            break;
        text++;
    }
    return rc;
}
