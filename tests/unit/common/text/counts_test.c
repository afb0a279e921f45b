#include "unit/check_main.h"

#include "common/text/counts.h"

static const struct {
    uint32_t counts[5], n;
    const char *text;
} folds[] = {
    { { 0 }, 0, "" },
    { { 2 }, 1, "2" },
    { { 2, 1 }, 2, "2,1" },
    { { 2, 2 }, 2, "2(x2)" },
    { { 2, 2, 2, 1, 1 }, 5, "2(x3),1(x2)" },
    { { 1, 2, 1 }, 3, "1,2,1" },
};

START_TEST(counts_are_folded)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    counts_format(folds[_i].counts, folds[_i].n, &out);
    ck_assert_str_eq(strbuf_text(&out), folds[_i].text);
}
END_TEST

CHECK_MAIN(counts, LOOP_CASE(counts_are_folded, ARRAY_N(folds)))
