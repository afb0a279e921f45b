#include "cli/import/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/base/plain.h"
#include "common/text/words.h"

enum {
    TRES_CPU_ID = 1,
    TRES_MEM_ID = 2,
    TRES_NODE_ID = 4,
    TRES_BILLING_ID = 5,
    TRES_LAST_PLAIN = 8
};

struct holding {
    const struct foreign *foreign;
    struct portion *held;
};

static void add(uint32_t id, uint64_t amount, void *ctx)
{
    const struct holding *holding = ctx;
    struct portion *held = holding->held;
    const char *name = foreign_tres(holding->foreign, id);
    struct acct_amount *more;

    if (id == TRES_CPU_ID) {
        held->cpus = amount;
    } else if (id == TRES_MEM_ID) {
        held->mem_mb = amount;
        held->has_mem = true;
    } else if (id == TRES_NODE_ID) {
        held->nodes = amount;
    } else if (id == TRES_BILLING_ID) {
        held->billing = amount;
        held->has_billing = true;
    } else if (id > TRES_LAST_PLAIN && name && amount) {
        more = ARRAY_PUSH(held->more, held->more_n);
        *more = (struct acct_amount){ .tres = (char *)(uintptr_t)name, .amount = amount };
    }
}

struct portion portion_of(const struct foreign *foreign, struct foreign_row *row, int column)
{
    struct portion held = { 0 };
    struct holding holding = { foreign, &held };

    foreign_each_amount(row, column, add, &holding);
    if (held.cpus > UINT32_MAX || held.nodes > UINT32_MAX || held.billing > UINT32_MAX)
        foreign_refuse(row, column, "more than 32 bits hold");
    return held;
}

void portion_auto_(struct portion *held)
{
    free(held->more);
}

char *clean_text(const struct foreign_row *row, int column)
{
    char *text = xstrdup(foreign_text(row, column));
    int64_t at;

    while (text && (at = plain_find_control(text)) >= 0)
        text[at] = '?';
    return text;
}

char *clean_lines(const struct foreign_row *row, int column)
{
    char *text = xstrdup(foreign_text(row, column));
    int64_t at;

    while (text && (at = plain_find_control_in_lines(text)) >= 0)
        text[at] = '?';
    return text;
}

uint64_t share_of(uint64_t amount, uint32_t i, uint32_t n)
{
    return amount / n + (i < amount % n);
}

/* Splits "gres/gpu:a100" into "gpu" and "a100". Returns false for another kind of TRES. */
static bool split_gres(const char *tres, char *name, size_t size, const char **type)
{
    const char *rest, *colon;

    if (!word_starts(tres, "gres/", &rest))
        return false;
    colon = strchr(rest, ':');
    *type = colon ? colon + 1 : NULL;
    snprintf(name, size, "%.*s", colon ? (int)(colon - rest) : (int)strlen(rest), rest);
    return *name != '\0';
}

/* Returns how much of a resource without a type is not in the amounts of its types. */
static uint64_t untyped(const struct portion *held, const struct acct_amount *whole)
{
    const size_t n = strlen(whole->tres);
    uint64_t typed = 0;

    for (uint32_t i = 0; i < held->more_n; i++) {
        const char *tres = held->more[i].tres;

        if (strncmp(tres, whole->tres, n) == 0 && tres[n] == ':')
            typed += held->more[i].amount;
    }
    return whole->amount > typed ? whole->amount - typed : 0;
}

static uint64_t amount_of(const struct portion *held, const struct acct_amount *more,
                          const char *type)
{
    return type ? more->amount : untyped(held, more);
}

char *portion_gres(const struct portion *held)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    for (uint32_t i = 0; i < held->more_n; i++) {
        char name[128];
        const char *type;
        uint64_t amount;

        if (!split_gres(held->more[i].tres, name, sizeof(name), &type))
            continue;
        amount = amount_of(held, &held->more[i], type);
        if (amount)
            strbuf_addf(&text, "%s%s%s%s:%llu", text.len ? "," : "", name, type ? ":" : "",
                        type ? type : "", (unsigned long long)amount);
    }
    return text.len ? strbuf_steal(&text) : NULL;
}

char *portion_licenses(const struct portion *held)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    for (uint32_t i = 0; i < held->more_n; i++) {
        const char *name;

        if (word_starts(held->more[i].tres, "license/", &name))
            strbuf_addf(&text, "%s%s:%llu", text.len ? "," : "", name,
                        (unsigned long long)held->more[i].amount);
    }
    return text.len ? strbuf_steal(&text) : NULL;
}

void portion_add_gres(const struct portion *held, uint32_t i, uint32_t n, struct job_gres **list,
                      uint32_t *list_n)
{
    for (uint32_t k = 0; k < held->more_n; k++) {
        char name[128];
        const char *type;
        struct job_gres *gres;
        uint64_t share;

        if (!split_gres(held->more[k].tres, name, sizeof(name), &type))
            continue;
        share = share_of(amount_of(held, &held->more[k], type), i, n);
        if (!share)
            continue;
        gres = ARRAY_PUSH(*list, *list_n);
        job_gres_init(gres);
        gres->name = xstrdup(name);
        gres->type = xstrdup(type);
        gres->count = share;
    }
}
