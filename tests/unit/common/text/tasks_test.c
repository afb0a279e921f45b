#include "unit/check_main.h"

#include <string.h>

#include "common/base/alloc.h"
#include "common/text/tasks.h"

static const struct {
    const char *text, *formatted;
    uint32_t limit;
} arrays[] = {
    { "0", "0", 0 },
    { "1-5", "1-5", 0 },
    { "5,1-3", "1-3,5", 0 },
    { "1,1,2", "1-2", 0 },
    { "0-8:2", "0,2,4,6,8", 0 },
    { "0-9:3%2", "0,3,6,9", 2 },
    { "1-3%0", "1-3", 0 },
    { "63-64,1000", "63-64,1000", 0 },
    { "1-2,4-5,7%10", "1-2,4-5,7", 10 },
};

START_TEST(tasks_are_read_and_shown_as_ranges)
{
    AUTO(bitset) struct bitset tasks = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };
    struct err err = { 0 };
    uint32_t limit = 99;

    ck_assert_msg(tasks_parse(arrays[_i].text, 1001, &tasks, &limit, &err) == 0, "%s", err.text);
    tasks_format(&tasks, &out);

    ck_assert_str_eq(strbuf_text(&out), arrays[_i].formatted);
    ck_assert_uint_eq(limit, arrays[_i].limit);
    ck_assert(bitset_has(&tasks, tasks.size - 1));
}
END_TEST

static const struct {
    const char *text, *named;
} refused[] = {
    { "", "''" },
    { "5-1", "'5-1'" },
    { "1-x", "'1-x'" },
    { "1-4:0", "'1-4:0'" },
    { "1001", "'1001'" },
    { "0-1001", "'0-1001'" },
    { "1,,2", "''" },
    { "1,", "''" },
    { "-1", "'-1'" },
    { "1-3%", "''" },
    { "1-3%x", "'x'" },
    { "1:2", "'1:2'" },
    { "1%2%3", "'2%3'" },
    { " 1", "' 1'" },
    { "99999999999999999999", "'99999999999999999999'" },
};

START_TEST(what_names_no_tasks_is_refused_by_name)
{
    struct bitset tasks = { 0 };
    struct err err = { 0 };
    uint32_t limit = 99;

    ck_assert_int_eq(tasks_parse(refused[_i].text, 1001, &tasks, &limit, &err), -E_ARRAY);
    ck_assert_msg(strstr(err.text, "Invalid job array specification: ") == err.text, "%s",
                  err.text);
    ck_assert_msg(strstr(err.text, refused[_i].named) != NULL, "%s", err.text);
    ck_assert_uint_eq(limit, 99);
    ck_assert_ptr_null(tasks.words);
}
END_TEST

CHECK_MAIN(tasks, LOOP_CASE(tasks_are_read_and_shown_as_ranges, ARRAY_N(arrays)),
           LOOP_CASE(what_names_no_tasks_is_refused_by_name, ARRAY_N(refused)))
