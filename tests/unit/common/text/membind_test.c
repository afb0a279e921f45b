#include "unit/check_main.h"

#include <errno.h>

#include "common/text/membind.h"

static const struct {
    const char *text, *after;
} said[] = {
    { "v", "verbose" },
    { "q,nosort", "quiet" },
    { "no", "quiet,none" },
    { "local", "quiet,local" },
    { "v,prefer,local", "verbose,prefer,local" },
    { "rank,prefer", "quiet,prefer,rank" },
    { "sort,rank", "quiet,rank" },
    { "map_mem:0*2,1", "quiet,map_mem:0,0,1" },
    { "V,MASK_MEM:0x1,0x3*2", "verbose,mask_mem:1,3,3" },
    { "map_mem:1,local", NULL },
    { "local,map_mem:1", "quiet,map_mem:1" },
    { "map_mem:", NULL },
    { "mask_mem:x", NULL },
    { "foo", NULL },
    { "local,x", NULL },
};

START_TEST(words_are_understood_as_slurm_does)
{
    AUTO(mem_bind) struct mem_bind bind = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    const int rc = mem_bind_add(&bind, said[_i].text, NULL);

    ck_assert_int_eq(rc, said[_i].after ? 0 : -EINVAL);
    mem_bind_format(&bind, &text);
    ck_assert_str_eq(strbuf_text(&text), said[_i].after ? said[_i].after : "quiet");
}
END_TEST

START_TEST(what_is_wrong_is_told)
{
    struct mem_bind bind = { 0 };
    struct err err = { 0 };

    ck_assert_int_eq(mem_bind_add(&bind, "v,map_mem:", &err), -EINVAL);
    ck_assert_str_eq(err.text, "missing list for \"--mem-bind=map_mem:<list>\"");
    ck_assert_int_eq(mem_bind_add(&bind, "local,x", &err), -EINVAL);
    ck_assert_str_eq(err.text, "unrecognized --mem-bind argument \"local,x\"");
    ck_assert(mem_bind_says_nothing(&bind));
}
END_TEST

CHECK_MAIN(membind, LOOP_CASE(words_are_understood_as_slurm_does, sizeof(said) / sizeof(said[0])),
           CASE(what_is_wrong_is_told))
