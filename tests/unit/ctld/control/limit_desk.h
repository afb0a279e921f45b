/*
 * limit_desk.h - a cluster with limits, for tests: ann and bob are in the account organic, which is
 * below chem; their jobs have the QOS work; the partition main has the QOS part.
 */
#pragma once

#include "unit/ctld/control/acct_desk.h"

#define LIMITS_CLUSTER                                                                             \
    "nodes=2 cpus=4 memory=4000 gpus=2 licenses=4 main_qos=part backfill=1 "                       \
    "tres=gres/gpu,license/matlab "

#define ENFORCED "enforce=19" /* associations, limits and QOS */

static inline void put_qos(struct desk *desk, const char *name, uint32_t flags)
{
    struct qos_record qos;

    qos_record_init(&qos);
    qos.name = TEXT(name);
    qos.flags = flags;
    put(desk, KEPT_ADD, KEPT_QOS, &qos);
}

static inline struct desk limit_desk(const char *more)
{
    AUTO_FREE char *config = xasprintf("%s%s " LIMITS_CLUSTER, more,
                                       strstr(more, "share_memory") ? "" : " share_memory=1");
    struct desk desk = desk_new(config);
    struct assoc_record root = assoc_of("root", NULL, NULL);
    char *list[] = { TEXT("normal"), TEXT("work") };

    ck_assert_int_eq(add_account(&desk, 0, "chem", "root"), 0);
    ck_assert_int_eq(add_account(&desk, 0, "organic", "chem"), 0);
    put_qos(&desk, "work", 0);
    put_qos(&desk, "part", 0);
    ck_assert_int_eq(send(&desk, 0), 0);
    root.qos = list;
    root.qos_n = 2;
    root.default_qos = TEXT("work");
    set_assoc(&desk, "root", NULL, "qos default_qos", root);
    ck_assert_int_eq(send(&desk, 0), 0);
    put_user(&desk, "ann", ADMIN_NONE);
    put_user(&desk, "bob", ADMIN_NONE);
    for (uint32_t i = 0; i < 2; i++) {
        struct assoc_record assoc = assoc_of("organic", i ? "bob" : "ann", NULL);

        assoc.is_default = true;
        put(&desk, KEPT_ADD, KEPT_ASSOC, &assoc);
    }
    ck_assert_int_eq(send(&desk, 0), 0);
    return desk;
}

/* Sets a member of a record to "8", or to "cpu=8"; `amount` is room for that, and is borrowed. */
static inline void fill_limit(const struct schema *schema, const char *member, const char *value,
                              struct acct_amount *amount, void *record)
{
    const struct schema_field *field = schema_find(schema, member);
    const char *equals = strchr(value, '=');
    char *base = record;

    ck_assert_msg(field != NULL, "no limit %s", member);
    if (!equals) {
        *(uint32_t *)(base + field->offset) = (uint32_t)strtoul(value, NULL, 10);
        return;
    }
    acct_amount_init(amount);
    amount->tres = xstrndup(value, (size_t)(equals - value));
    amount->amount = strtoull(equals + 1, NULL, 10);
    *(struct acct_amount **)(base + field->offset) = amount;
    *(uint32_t *)(base + field->count_offset) = 1;
}

/* Sets "grp_tres" to "cpu=8" at a level: user (ann), account (organic), above (chem), root, qos
 * (work) or partqos (part). */
static inline void set_limit(struct desk *desk, const char *level, const char *member,
                             const char *value)
{
    struct acct_amount amount = { 0 };
    struct assoc_record assoc = assoc_of("organic", NULL, NULL);
    struct qos_record qos;

    qos_record_init(&qos);
    if (strstr(level, "qos")) {
        fill_limit(qos_record_schema(), member, value, &amount, &qos);
        set_qos(desk, strcmp(level, "qos") == 0 ? "work" : "part", member, qos);
    } else {
        if (strcmp(level, "user") == 0)
            assoc.user = TEXT("ann");
        if (strcmp(level, "above") == 0)
            assoc.account = TEXT("chem");
        if (strcmp(level, "root") == 0)
            assoc.account = TEXT("root");
        fill_limit(assoc_record_schema(), member, value, &amount, &assoc);
        set_assoc(desk, assoc.account, assoc.user, member, assoc);
    }
    ck_assert_int_eq(send(desk, 0), 0);
    free(amount.tres);
}

/* Submits jobs, "ntasks=2 ; @bob ntasks=1", and returns what becomes of each: "RUNNING", a reason
 * or an error's first words, separated by blanks; to be freed. */
static inline char *submit_all(struct desk *desk, const char *jobs)
{
    AUTO(words) struct words specs = words_split(jobs, ";");
    AUTO(strbuf) struct strbuf out = { 0 };
    uint32_t ids[16] = { 0 };

    for (uint32_t i = 0; i < specs.n; i++) {
        const char *spec = specs.at[i] + strspn(specs.at[i], " ");
        const bool is_bobs = strncmp(spec, "@bob", 4) == 0;

        ids[i] = lab_submit_as(desk->lab, is_bobs ? BOB : ANN, is_bobs ? spec + 4 : spec);
        strbuf_adds(&out, i ? " " : "");
        if (ids[i] == 0)
            strbuf_addf(&out, "E%d", -desk->lab->rc);
        else if (strcmp(lab_state(desk->lab, ids[i]), "PENDING") == 0)
            strbuf_adds(&out, lab_reason(desk->lab, ids[i]));
        else
            strbuf_adds(&out, lab_state(desk->lab, ids[i]));
    }
    return strbuf_steal(&out);
}

/* A limit at a level, as for set_limit; jobs that are submitted, and what becomes of them. */
struct limited {
    const char *level, *member, *value, *jobs, *becomes;
};

static inline void expect_limited(const char *more, const struct limited *row)
{
    struct desk desk = limit_desk(more);
    AUTO_FREE char *became = NULL;

    set_limit(&desk, row->level, row->member, row->value);
    became = submit_all(&desk, row->jobs);
    ck_assert_msg(strcmp(became, row->becomes) == 0, "%s %s=%s: %s: %s, not %s", row->level,
                  row->member, row->value, row->jobs, became, row->becomes);
    desk_free(&desk);
}
