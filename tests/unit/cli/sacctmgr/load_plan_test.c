/* What a file says of an association that is there. */
#include "unit/check_main.h"

#include "cli/sacctmgr/load_plan.h"

static void add(struct assoc_record *assoc, const char *tres, uint64_t amount)
{
    struct acct_amount *one = ARRAY_PUSH(assoc->grp_tres, assoc->grp_tres_n);

    acct_amount_init(one);
    one->tres = xstrdup(tres);
    one->amount = amount;
}

/* What is there, what the file says, and whether that is as before. */
static const struct {
    const char *before[2], *after[2];
    uint64_t amount;
    bool is_same;
} rows[] = {
    { { "mem", "gres/gpu" }, { "gres/gpu", "mem" }, 2, true },
    { { "mem", "gres/gpu" }, { "gres/gpu", "node" }, 2, false },
    { { "mem", "gres/gpu" }, { "gres/gpu", "mem" }, 3, false },
    { { "mem", NULL }, { "gres/gpu", "mem" }, 2, false },
    { { "mem", "gres/gpu" }, { "gres/gpu", NULL }, 2, false },
};

START_TEST(another_order_of_amounts_is_no_difference)
{
    const struct book book = { .cluster = NULL };
    const struct load_plan plan = { .book = &book };
    AUTO(assoc_record) struct assoc_record before;
    struct load_assoc assoc = { .is_new = false };

    assoc_record_init(&before);
    assoc_record_init(&assoc.now);
    for (int i = 0; i < 2; i++) {
        if (rows[_i].before[i])
            add(&before, rows[_i].before[i], 2);
        if (rows[_i].after[i])
            add(&assoc.now, rows[_i].after[i], rows[_i].amount);
    }
    load_say_differences(&plan, "Account", "chem", &before, &assoc);
    ck_assert_int_eq(schema_equal(assoc_record_schema(), &before, &assoc.now), rows[_i].is_same);
    assoc_record_clear(&assoc.now);
}
END_TEST

CHECK_MAIN(load_plan, LOOP_CASE(another_order_of_amounts_is_no_difference, ARRAY_N(rows)))
