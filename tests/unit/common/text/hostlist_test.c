#include "unit/check_main.h"

#include <string.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "common/text/hostlist.h"

static struct hostlist *parsed(const char *text)
{
    struct hostlist *list = NULL;
    struct err err = { 0 };

    ck_assert_msg(hostlist_parse(text, &list, &err) == 0, "%s", err.text);
    return list;
}

static char *joined(const struct hostlist *list)
{
    struct strbuf out = { 0 };

    for (uint32_t i = 0; i < hostlist_count(list); i++)
        strbuf_addf(&out, "%s%s", i ? " " : "", hostlist_get(list, i));
    return strbuf_steal(&out);
}

/* What `scontrol show hostnames|hostlist|hostlistsorted` of Slurm 22.05.8 prints. */
static const struct {
    const char *text;
    const char *names;
    const char *folded;
    const char *sorted;
} slurm_prints[] = {
    { "worker-[1-3]", "worker-1 worker-2 worker-3", "worker-[1-3]", "worker-[1-3]" },
    { "worker-1,worker-2,worker-3", "worker-1 worker-2 worker-3", "worker-[1-3]", "worker-[1-3]" },
    { "a[1-2]b[01-03,15]", "a1b01 a1b02 a1b03 a1b15 a2b01 a2b02 a2b03 a2b15",
      "a1b[01-03,15],a2b[01-03,15]", "a1b[01-03,15],a2b[01-03,15]" },
    { "a[0-1]b[2-3]c[4-5]", "a0b2c4 a0b2c5 a1b2c4 a1b2c5 a0b3c4 a0b3c5 a1b3c4 a1b3c5",
      "a0b2c[4-5],a1b2c[4-5],a0b3c[4-5],a1b3c[4-5]",
      "a0b2c[4-5],a0b3c[4-5],a1b2c[4-5],a1b3c[4-5]" },
    { "x01,x02,worker-1,worker-2", "x01 x02 worker-1 worker-2", "x[01-02],worker-[1-2]",
      "worker-[1-2],x[01-02]" },
    { "foo", "foo", "foo", "foo" },
    { "foo,foo,bar", "foo foo bar", "foo,foo,bar", "bar,foo,foo" },
    { "foo,foo1,foo,foo", "foo foo1 foo foo", "foo,foo1,foo,foo", "foo,foo,foo,foo1" },
    { "", "", "", "" },
    { ",,a,,b,", "a b", "a,b", "a,b" },
    { " x1 , x2 ", "x1 x2", "x[1-2]", "x[1-2]" },
    { "a b", "a b", "a,b", "a,b" },
    { "1,2,3", "1 2 3", "[1-3]", "[1-3]" },
    { "[1-3]", "1 2 3", "[1-3]", "[1-3]" },
    { "2,10,a", "2 10 a", "[2,10],a", "[2,10],a" },
    { "10.0.0.1,10.0.0.2", "10.0.0.1 10.0.0.2", "10.0.0.[1-2]", "10.0.0.[1-2]" },
    /* repeats stay */
    { "x1,x1,x2", "x1 x1 x2", "x[1,1-2]", "x[1,1-2]" },
    { "x[1,1,1]", "x1 x1 x1", "x[1,1,1]", "x[1,1,1]" },
    { "x1,x2,x1,x2", "x1 x2 x1 x2", "x[1-2,1-2]", "x[1,1-2,2]" },
    { "x[1-3],x[2-5]", "x1 x2 x3 x2 x3 x4 x5", "x[1-3,2-5]", "x[1-2,2-3,3-5]" },
    { "tux2,tux1,tux2", "tux2 tux1 tux2", "tux[2,1-2]", "tux[1-2,2]" },
    /* order stays until sorted, and then numbers count as numbers */
    { "x3,x1,x2", "x3 x1 x2", "x[3,1-2]", "x[1-3]" },
    { "x100,x20,x3", "x100 x20 x3", "x[100,20,3]", "x[3,20,100]" },
    { "tux[1-2],tux4,y[1-2],tux5", "tux1 tux2 tux4 y1 y2 tux5", "tux[1-2,4],y[1-2],tux5",
      "tux[1-2,4-5],y[1-2]" },
    { "a10b1,a2b1", "a10b1 a2b1", "a10b1,a2b1", "a2b1,a10b1" },
    { "n10a,n1a,n2a", "n10a n1a n2a", "n10a,n1a,n2a", "n1a,n2a,n10a" },
    { "x-10,x-9", "x-10 x-9", "x-[10,9]", "x-[9-10]" },
    { "x1,x", "x1 x", "x1,x", "x,x1" },
    { "xa,x1", "xa x1", "xa,x1", "x1,xa" },
    { "x1a,x1,x1b", "x1a x1 x1b", "x1a,x1,x1b", "x1,x1a,x1b" },
    { "a1,ab1,b1,a2", "a1 ab1 b1 a2", "a1,ab1,b1,a2", "a[1-2],ab1,b1" },
    { "B1,a1,C1", "B1 a1 C1", "B1,a1,C1", "B1,C1,a1" },
    { "X1,x1,x2", "X1 x1 x2", "X1,x[1-2]", "X1,x[1-2]" },
    { "a.b.c,a1.b.c,a2.b.c", "a.b.c a1.b.c a2.b.c", "a.b.c,a1.b.c,a2.b.c", "a.b.c,a1.b.c,a2.b.c" },
    { "node1-1,node1-2,node2-1,node10-1", "node1-1 node1-2 node2-1 node10-1",
      "node1-[1-2],node2-1,node10-1", "node1-[1-2],node2-1,node10-1" },
    /* only the last number folds */
    { "a1b,a2b,a3b", "a1b a2b a3b", "a1b,a2b,a3b", "a1b,a2b,a3b" },
    { "a1b1,a1b2,a2b1,a2b2", "a1b1 a1b2 a2b1 a2b2", "a1b[1-2],a2b[1-2]", "a1b[1-2],a2b[1-2]" },
    /* padding: the low end says how wide; other widths do not fold together */
    { "x[9-11]", "x9 x10 x11", "x[9-11]", "x[9-11]" },
    { "x09,x10,x11", "x09 x10 x11", "x[09-11]", "x[09-11]" },
    { "x[099-101]", "x099 x100 x101", "x[099-101]", "x[099-101]" },
    { "x99,x100", "x99 x100", "x[99-100]", "x[99-100]" },
    { "x[01-3]", "x01 x02 x03", "x[01-03]", "x[01-03]" },
    { "x[1-03]", "x1 x2 x3", "x[1-3]", "x[1-3]" },
    { "x1,x01", "x1 x01", "x[1,01]", "x[1,01]" },
    { "x2,x01", "x2 x01", "x[2,01]", "x[2,01]" },
    { "x02,x1", "x02 x1", "x[02,1]", "x[1,02]" },
    { "x0,x1,x00", "x0 x1 x00", "x[0-1,00]", "x[0-1,00]" },
    { "x1,x01,x2,x02", "x1 x01 x2 x02", "x[1,01,2,02]", "x[1-2,01-02]" },
    { "x5,x05,x005,x6,x06,x006", "x5 x05 x005 x6 x06 x006", "x[5,05,005,6,06,006]",
      "x[5-6,05-06,005-006]" },
    { "x010,x9,x10,x11", "x010 x9 x10 x11", "x[010,9-11]", "x[9-11,010]" },
};

START_TEST(names_fold_and_sort_as_slurm_prints_them)
{
    AUTO(hostlist) struct hostlist *list = parsed(slurm_prints[_i].text);
    AUTO_FREE char *names = joined(list);
    AUTO_FREE char *folded = hostlist_format(list);

    hostlist_sort(list);
    AUTO_FREE char *sorted = hostlist_format(list);

    ck_assert_str_eq(names, slurm_prints[_i].names);
    ck_assert_str_eq(folded, slurm_prints[_i].folded);
    ck_assert_str_eq(sorted, slurm_prints[_i].sorted);
}
END_TEST

/* Where we part from Slurm 22.05, which refuses, mangles, or orders by half-defined rules. */
static const struct {
    const char *text;
    const char *folded;
    const char *sorted;
} ours[] = {
    { "a[1-2]-ib", "a1-ib,a2-ib", "a1-ib,a2-ib" },               /* refused */
    { "n0[1-9],n[10-12]", "n[01-12]", "n[01-12]" },              /* n0[1-9],n[10-12] */
    { "x[9-12],x[01-02]", "x[9-12,01-02]", "x[9,01-02,10-12]" }, /* x[9-12,01-02] */
    { "x99999999999999999999999", "x99999999999999999999999", "x99999999999999999999999" },
};

START_TEST(a_few_lists_are_read_better_than_slurm_does)
{
    AUTO(hostlist) struct hostlist *list = parsed(ours[_i].text);
    AUTO_FREE char *folded = hostlist_format(list);

    hostlist_sort(list);
    AUTO_FREE char *sorted = hostlist_format(list);

    ck_assert_str_eq(folded, ours[_i].folded);
    ck_assert_str_eq(sorted, ours[_i].sorted);
}
END_TEST

static const struct {
    const char *text;
    const char *error;
} refused[] = {
    { "x[3-1]", "host list 'x[3-1]': range '3-1' runs backwards" },
    { "ok,x[3-1],y", "host list 'x[3-1]': range '3-1' runs backwards" },
    { "x[1-3]y[2-1]", "host list 'x[1-3]y[2-1]': range '2-1' runs backwards" },
    { "x[1-70000]", "host list 'x[1-70000]': more than 65536 hosts" },
    { "x[1-300]y[1-300]", "host list 'x[1-300]y[1-300]': more than 65536 hosts" },
    { "x[1-40000],y[1-40000]", "host list 'y[1-40000]': more than 65536 hosts" },
    { "x[1-", "host list 'x[1-': a bracket is not closed" },
    { "x[1,2", "host list 'x[1,2': a bracket is not closed" },
    { "x1]", "host list 'x1]': brackets do not match" },
    { "x[1-2]]", "host list 'x[1-2]]': brackets do not match" },
    { "x[[1-2]]", "host list 'x[[1-2]]': brackets do not match" },
    { "x[]", "host list 'x[]': range '' is not a number or two with '-' between" },
    { "x[1,]", "host list 'x[1,]': range '' is not a number or two with '-' between" },
    { "x[a-b]", "host list 'x[a-b]': range 'a-b' is not a number or two with '-' between" },
    { "x[1--2]", "host list 'x[1--2]': range '1--2' is not a number or two with '-' between" },
    { "x[-1]", "host list 'x[-1]': range '-1' is not a number or two with '-' between" },
    { "x[1-2-3]", "host list 'x[1-2-3]': range '1-2-3' is not a number or two with '-' between" },
    { "x[1, 2]", "host list 'x[1, 2]': range ' 2' is not a number or two with '-' between" },
    { "x[1234567890123456789]",
      "host list 'x[1234567890123456789]': range '1234567890123456789' has a number of more than "
      "18 digits" },
    { "x[1]x[1]x[1]x[1]x[1]x[1]x[1]x[1]x[1]",
      "host list 'x[1]x[1]x[1]x[1]x[1]x[1]x[1]x[1]x[1]': more than 8 brackets" },
    { "a\033b", "host list 'a\033b': a control character is not part of a name" },
    { "^/etc/hosts", "host list '^/etc/hosts': names from a file are not possible here" },
};

START_TEST(a_bad_list_is_refused_by_name)
{
    struct hostlist *list = NULL;
    struct err err = { 0 };

    ck_assert_int_lt(hostlist_parse(refused[_i].text, &list, &err), 0);

    ck_assert_str_eq(err.text, refused[_i].error);
    ck_assert_ptr_null(list);
}
END_TEST

START_TEST(the_limits_themselves_are_allowed)
{
    AUTO(hostlist) struct hostlist *list = parsed("x[0-65535]");
    AUTO_FREE char *text = hostlist_format(list);
    char longest[HOSTLIST_NAME_MAX + 2];
    struct err err = { 0 };

    ck_assert_uint_eq(hostlist_count(list), HOSTLIST_MAX);
    ck_assert_str_eq(text, "x[0-65535]");

    memset(longest, 'a', sizeof(longest));
    longest[HOSTLIST_NAME_MAX + 1] = '\0';
    list = hostlist_free(list);
    ck_assert_int_lt(hostlist_parse(longest, &list, &err), 0);
    longest[HOSTLIST_NAME_MAX] = '\0';
    list = parsed(longest);
    ck_assert_uint_eq(hostlist_count(list), 1);
}
END_TEST

START_TEST(uniq_keeps_the_first_of_each_name)
{
    AUTO(hostlist) struct hostlist *list = parsed("b,a,b,c,a,b");

    hostlist_uniq(list);
    hostlist_add(list, "d");
    hostlist_add(list, "e");
    AUTO_FREE char *names = joined(list);

    ck_assert_str_eq(names, "b a c d e");
}
END_TEST

START_TEST(names_of_a_text_are_counted)
{
    ck_assert_uint_eq(hostlist_count_names("b,a[1-2],b", false), 4);
    ck_assert_uint_eq(hostlist_count_names("b,a[1-2],b", true), 3);
    ck_assert_uint_eq(hostlist_count_names("a[", false), 0);
    ck_assert_uint_eq(hostlist_count_names(NULL, false), 0);
}
END_TEST

START_TEST(an_empty_list_can_be_asked_anything)
{
    AUTO(hostlist) struct hostlist *list = hostlist_new();

    hostlist_sort(list);
    hostlist_uniq(list);
    AUTO_FREE char *text = hostlist_format(list);

    ck_assert_str_eq(text, "");
    ck_assert_int_eq(hostlist_find(list, "a"), -1);
    ck_assert_uint_eq(hostlist_count(list), 0);
}
END_TEST

START_TEST(find_gives_the_first_place)
{
    AUTO(hostlist) struct hostlist *list = parsed("a,b,a");
    AUTO(hostlist) struct hostlist *copy = hostlist_copy(list);

    ck_assert_int_eq(hostlist_find(copy, "a"), 0);
    ck_assert_int_eq(hostlist_find(copy, "b"), 1);
    ck_assert_int_eq(hostlist_find(copy, "c"), -1);
}
END_TEST

static char *file_with(const char *text)
{
    char *path = xstrdup("/tmp/hostlist_test.XXXXXX");
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    return path;
}

START_TEST(a_file_holds_names_line_by_line_with_comments)
{
    AUTO_FREE char *path = file_with("# the rack\nn[1-2]\nn5,n6 # new\n\nn9");
    AUTO(hostlist) struct hostlist *list = NULL;
    struct err err = { 0 };

    int rc = hostlist_read_file(path, &list, &err);
    unlink(path);

    ck_assert_msg(rc == 0, "%s", err.text);
    AUTO_FREE char *text = hostlist_format(list);
    ck_assert_str_eq(text, "n[1-2,5-6,9]");
}
END_TEST

START_TEST(a_file_that_is_not_there_is_named)
{
    struct hostlist *list = NULL;
    struct err err = { 0 };

    ck_assert_int_lt(hostlist_read_file("/nonexistent/hosts", &list, &err), 0);

    ck_assert_str_eq(err.text,
                     "cannot open host file '/nonexistent/hosts': No such file or directory");
}
END_TEST

CHECK_MAIN(hostlist, LOOP_CASE(names_fold_and_sort_as_slurm_prints_them, ARRAY_N(slurm_prints)),
           LOOP_CASE(a_few_lists_are_read_better_than_slurm_does, ARRAY_N(ours)),
           LOOP_CASE(a_bad_list_is_refused_by_name, ARRAY_N(refused)),
           CASE(the_limits_themselves_are_allowed), CASE(uniq_keeps_the_first_of_each_name),
           CASE(names_of_a_text_are_counted), CASE(an_empty_list_can_be_asked_anything),
           CASE(find_gives_the_first_place), CASE(a_file_holds_names_line_by_line_with_comments),
           CASE(a_file_that_is_not_there_is_named))
