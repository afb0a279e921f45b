#include "unit/check_main.h"

#include <errno.h>

#include "common/text/cpubind.h"

static const struct {
    const char *before, *text, *after;
} said[] = {
    { NULL, "v", "verbose" },
    { NULL, "none", "quiet,none" },
    { NULL, "q,no", "quiet,none" },
    { NULL, "V,COREs", "verbose,cores" },
    { NULL, "cores,v", "verbose,cores" },
    { NULL, "verbose,quiet,socket", "quiet,sockets" },
    { NULL, "cores,threads", "quiet,threads" },
    { NULL, "map_cpu:0*2,1", "quiet,map_cpu:0,0,1" },
    { NULL, "v,mask_cpu:0x3*4", "verbose,mask_cpu:3,3,3,3" },
    { NULL, "mask_cpu:0x1,F00", "quiet,mask_cpu:1,F00" },
    { NULL, "map_cpu:1,,2", "quiet,map_cpu:1,2" },
    { NULL, "mask_ldom:0x1,1", "quiet,mask_ldom:1,1" },
    { NULL, "rank_ldom", "quiet,rank_ldom" },
    { NULL, "cores,mask_cpu:1,2", "quiet,mask_cpu:1,2" },
    { "verbose", "cores", "verbose,cores" },
    { "verbose,map_cpu:1", "q", "quiet,map_cpu:1" },
    { "map_cpu:1", "cores", "quiet,cores" },
};

START_TEST(words_are_understood_as_slurm_does)
{
    AUTO(cpu_bind) struct cpu_bind bind = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct err err = { 0 };

    if (said[_i].before)
        ck_assert_int_eq(cpu_bind_add(&bind, said[_i].before, NULL), 0);
    ck_assert_msg(cpu_bind_add(&bind, said[_i].text, &err) == 0, "%s", err.text);
    cpu_bind_format(&bind, &text);

    ck_assert_str_eq(strbuf_text(&text), said[_i].after);
}
END_TEST

static const struct {
    const char *text, *why;
} wrong[] = {
    { "", "unrecognized --cpu-bind argument \"\"" },
    { "foo", "unrecognized --cpu-bind argument \"foo\"" },
    { "v,boards", "unrecognized --cpu-bind argument \"boards\"" },
    { "y,cores", "unrecognized --cpu-bind argument \"y\"" },
    { "map_cpu", "missing list for \"--cpu-bind=map_cpu:<list>\"" },
    { "map_cpu:", "missing list for \"--cpu-bind=map_cpu:<list>\"" },
    { "map_cpu:a", "Failed to validate number: a, the offending character is a" },
    { "map_cpu:0x1*2,3", "Failed to validate number: 0x1*2, the offending character is x" },
    { "mask_cpu:xyz", "Failed to validate number: xyz, the offending character is x" },
    { "mask_cpu:0x", "Failed to validate number: 0x" },
    { "map_cpu:-1", "Failed to validate number: -1, the offending character is -" },
    { "map_cpu:1*0", "Failed to validate number: 1*0, the offending character is *" },
    { "map_cpu:1*65536,2", "a list for --cpu-bind names at most 65536 tasks" },
};

START_TEST(what_means_nothing_is_refused_and_changes_nothing)
{
    AUTO(cpu_bind) struct cpu_bind bind = { 0 };
    struct err err = { 0 };

    ck_assert_int_eq(cpu_bind_add(&bind, wrong[_i].text, &err), -EINVAL);
    ck_assert_str_eq(err.text, wrong[_i].why);
    ck_assert_int_eq(bind.kind, CPU_BIND_UNSAID);
    ck_assert_ptr_null(bind.list);
}
END_TEST

CHECK_MAIN(cpubind, LOOP_CASE(words_are_understood_as_slurm_does, sizeof(said) / sizeof(said[0])),
           LOOP_CASE(what_means_nothing_is_refused_and_changes_nothing,
                     sizeof(wrong) / sizeof(wrong[0])))
