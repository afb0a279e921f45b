#include "unit/check_main.h"

#include <errno.h>

#include "common/base/alloc.h"
#include "common/text/licenses.h"

/* `sbatch -L TEXT` with Licenses=matlab:4,ansys, Slurm 22.05.8. */
static const struct {
    const char *text;
    uint32_t matlab, ansys;
} lists[] = {
    { NULL, 0, 0 },
    { "matlab", 1, 0 },
    { "matlab:2", 2, 0 },
    { "matlab:2,ansys", 2, 1 },
    { "matlab;ansys", 1, 1 },
    { "matlab:0", 0, 0 },
    { "matlab,matlab", 2, 0 },
};

START_TEST(a_list_is_read_as_slurm_does)
{
    AUTO(licenses) struct licenses list = { 0 };
    struct err err = { 0 };

    ck_assert_msg(licenses_parse(lists[_i].text, &list, &err) == 0, "%s", err.text);

    ck_assert_uint_eq(licenses_count(&list, "matlab"), lists[_i].matlab);
    ck_assert_uint_eq(licenses_count(&list, "ansys"), lists[_i].ansys);
}
END_TEST

/* Slurm refuses all of them: Invalid license specification. */
static const struct {
    const char *text;
    int code;
} refused[] = {
    { "matlab=2", EINVAL },     { "matlab*2", EINVAL },     { "matlab:x", EINVAL },
    { "matlab|ansys", EINVAL }, { "matlab:2k", EINVAL },    { "matlab:", EINVAL },
    { ":2", EINVAL },           { "matlab:70000", ERANGE }, { "matlab:65534,matlab:1", ERANGE },
};

START_TEST(a_bad_list_is_refused_and_nothing_is_kept)
{
    struct licenses list = { .n = 7 };
    struct err err = { 0 };

    ck_assert_int_eq(licenses_parse(refused[_i].text, &list, &err), -refused[_i].code);

    ck_assert_uint_eq(list.n, 7);
}
END_TEST

CHECK_MAIN(licenses, LOOP_CASE(a_list_is_read_as_slurm_does, ARRAY_N(lists)),
           LOOP_CASE(a_bad_list_is_refused_and_nothing_is_kept, ARRAY_N(refused)))
