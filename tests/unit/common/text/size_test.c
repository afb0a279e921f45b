#include "unit/check_main.h"

#include <string.h>

#include "common/text/size.h"

/* `sbatch --mem=TEXT`, then MinMemoryNode of scontrol, Slurm 22.05.8. */
static const struct {
    const char *text;
    uint64_t mb;
    const char *printed;
} sizes[] = {
    { "0", 0, "0" },
    { "1", 1, "1M" },
    { "954M", 954, "954M" },
    { "1GB", 1024, "1G" },
    { "1gb", 1024, "1G" },
    { "2g", 2048, "2G" },
    { "12K", 1, "1M" },
    { "1K", 1, "1M" },
    { "1024k", 1, "1M" },
    { "1025K", 2, "2M" },
    { "2048K", 2, "2M" },
    { "0K", 0, "0" },
    { "10KB", 1, "1M" },
    { "1T", 1048576, "1T" },
    { "1TB", 1048576, "1T" },
    { "1024", 1024, "1G" },
    { "1500", 1500, "1500M" },
    { "4000M", 4000, "4000M" },
    { "4096", 4096, "4G" },
    { "1000G", 1024000, "1000G" },
    { "1025G", 1049600, "1025G" },
    { "1048576", 1048576, "1T" },
    { "1050000", 1050000, "1050000M" },
    { "1048576T", SIZE_MB_MAX, "1E" },
};

START_TEST(a_size_is_read_and_printed_as_slurm_does)
{
    AUTO(strbuf) struct strbuf printed = { 0 };
    struct err err = { 0 };
    uint64_t mb = 7;

    ck_assert_msg(size_parse_mb(sizes[_i].text, &mb, &err) == 0, "%s", err.text);
    size_format_mb(&printed, mb);

    ck_assert_uint_eq(mb, sizes[_i].mb);
    ck_assert_str_eq(strbuf_text(&printed), sizes[_i].printed);
}
END_TEST

/* Slurm refuses these too, but for "+5" and the sizes past our limit. */
static const char *const refused[] = {
    "",
    "G",
    "1P",
    "10 MB",
    "1.5G",
    "10X",
    "10MM",
    "10MiB",
    "-1",
    "10B",
    "+5",
    " 1",
    "1 ",
    "0x10",
    "1048577T",
    "99999999999999999999999",
    "1099511627777",
};

START_TEST(a_bad_size_is_refused_by_name)
{
    AUTO(strbuf) struct strbuf start = { 0 };
    struct err err = { 0 };
    uint64_t mb = 7;

    ck_assert_int_lt(size_parse_mb(refused[_i], &mb, &err), 0);

    strbuf_addf(&start, "size '%s' is ", refused[_i]);
    ck_assert_msg(strncmp(err.text, strbuf_text(&start), start.len) == 0, "%s", err.text);
    ck_assert_uint_eq(mb, 7);
}
END_TEST

CHECK_MAIN(size, LOOP_CASE(a_size_is_read_and_printed_as_slurm_does, ARRAY_N(sizes)),
           LOOP_CASE(a_bad_size_is_refused_by_name, ARRAY_N(refused)))
