#include "unit/check_main.h"

#include "unit/common/conf/text_files.h"

static int parse(const char *text, struct conf_file **ret_file, struct err *err)
{
    struct text_file files[] = { { "a.conf", text }, { NULL, NULL } };

    return conf_file_parse("a.conf", read_text_file, files, ret_file, err);
}

/* All pairs as "key=value" with '|' between pairs and '/' between records. */
static char *flat(const struct conf_file *file)
{
    struct strbuf out = { 0 };

    for (uint32_t i = 0; i < file->records_n; i++) {
        strbuf_adds(&out, i ? "/" : "");
        for (uint32_t k = 0; k < file->records[i].pairs_n; k++) {
            const struct conf_pair *pair = &file->records[i].pairs[k];

            strbuf_addf(&out, "%s%s%s%s", k ? "|" : "", pair->key, pair->value ? "=" : "",
                        pair->value ? pair->value : "");
        }
    }
    return strbuf_steal(&out);
}

static const struct {
    const char *text;
    const char *means;
} grammar[] = {
    { "", "" },
    { "\n\n  # nothing\n", "" },
    { "A=1", "A=1" },
    { "A=1\nB=2\n", "A=1/B=2" },
    { "A=1 B=2\tC=3\n", "A=1|B=2|C=3" },
    { "A = 1 B= 2 C =3\n", "A=1|B=2|C=3" },
    { "  A=1  \r\nB=2\r\n", "A=1/B=2" },
    { "A=1 # more\n", "A=1" },
    { "A=1# more\n", "A=1" },
    { "A=x\\#y # more\n", "A=x#y" },
    { "A=\"two words\" B=1\n", "A=two words|B=1" },
    { "A=\"a # b\"\n", "A=a # b" },
    { "A=\"\"\n", "A=" },
    { "A=\nB=1\n", "A=/B=1" },
    { "A= # none\n", "A=" },
    { "A=x\"y\"z\n", "A=x\"y\"z" },
    { "A=b=c,d=e\n", "A=b=c,d=e" },
    { "A=1 \\\n B=2\n", "A=1|B=2" },
    { "A=a,\\\nb\n", "A=a,b" },
    { "A=a,\\\r\nb\r\n", "A=a,b" },
    { "A=\"a\\\nb\"\n", "A=ab" },
    { "A=C:\\dir\n", "A=C:\\dir" },
    { "# gone \\\nA=1\n", "A=1" },
    { "A=1 # gone \\\nB=2\n", "A=1/B=2" },
    { "A=1 \\\n", "A=1" },
    { "A word B=2\n", "A|word|B=2" },
    { "\xef\xbb\xbf"
      "A=1\n",
      "A=1" },
    { "A.b_9=1", "A.b_9=1" },
};

START_TEST(text_means_these_records)
{
    struct conf_file *file = NULL;
    struct err err = { 0 };
    int rc = parse(grammar[_i].text, &file, &err);

    ck_assert_msg(rc == 0, "%s", err.text);
    AUTO_FREE char *text = flat(file);

    ck_assert_str_eq(text, grammar[_i].means);
    conf_file_free(file);
}
END_TEST

static const struct {
    const char *text;
    const char *says;
} broken[] = {
    { "A=1\nB=\"open\n", "a.conf:2:3: this quote is not closed on its line" },
    { "A=\"a\"b\n", "a.conf:1:6: text follows a closing quote without a space" },
    { "A=1\n  -x=2\n", "a.conf:2:3: '-x=2' where a key is expected" },
    { "a-b=2\n", "a.conf:1:2: 'a' is followed by what is no part of a key" },
    { "A=1 \\", "a.conf:1:5: '\\' where a key is expected" },
    { "Include\n", "a.conf:1:1: Include names no file" },
    { "Include b.conf c.conf\n", "a.conf:1:16: text follows Include 'b.conf'" },
    { "A=1\nInclude b.conf\n",
      "a.conf:2:1: cannot read the included 'b.conf': No such file or directory" },
};

START_TEST(broken_text_is_named_with_its_place)
{
    struct conf_file *file = NULL;
    struct err err = { 0 };

    ck_assert_int_lt(parse(broken[_i].text, &file, &err), 0);

    ck_assert_str_eq(err.text, broken[_i].says);
    ck_assert_ptr_null(file);
}
END_TEST

START_TEST(places_count_lines_of_the_file_across_joined_lines)
{
    struct conf_file *file = NULL;

    ck_assert_int_eq(parse("# one\nA=1 \\\n   B = 2\nC=3\n", &file, NULL), 0);
    const struct conf_pair *b = conf_record_find(&file->records[0], "b");
    const struct conf_pair *c = conf_record_find(&file->records[1], "C");

    ck_assert_str_eq(b->at.file, "a.conf");
    ck_assert_uint_eq(b->at.line, 3);
    ck_assert_uint_eq(b->at.column, 4);
    ck_assert_uint_eq(b->value_at.column, 8);
    ck_assert_uint_eq(c->at.line, 4);
    conf_file_free(file);
}
END_TEST

START_TEST(an_included_file_stands_where_it_is_included)
{
    struct text_file files[] = {
        { "/etc/s/a.conf", "ClusterName=big\nA=1\nInclude sub/b.conf\nD=4\n" },
        { "/etc/s/sub/b.conf", "B=2\ninclude c-%c.conf\n" },
        { "/etc/s/sub/c-big.conf", "C=3" },
        { NULL, NULL },
    };
    struct conf_file *file = NULL;

    ck_assert_int_eq(conf_file_parse("/etc/s/a.conf", read_text_file, files, &file, NULL), 0);
    AUTO_FREE char *text = flat(file);

    ck_assert_str_eq(text, "ClusterName=big/A=1/B=2/C=3/D=4");
    ck_assert_str_eq(file->records[3].pairs[0].at.file, "/etc/s/sub/c-big.conf");
    ck_assert_uint_eq(file->names_n, 3);
    conf_file_free(file);
}
END_TEST

START_TEST(a_file_that_includes_itself_is_refused)
{
    struct text_file files[] = {
        { "a.conf", "A=1\nInclude b.conf\n" },
        { "b.conf", "Include a.conf\n" },
        { NULL, NULL },
    };
    struct conf_file *file = NULL;
    struct err err = { 0 };

    int rc = conf_file_parse("a.conf", read_text_file, files, &file, &err);

    ck_assert_int_eq(rc, -ELOOP);
    ck_assert_str_eq(err.text, "b.conf:1:1: 'a.conf' includes itself");
}
END_TEST

/* Every path leads one deeper. */
static int read_deeper(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    (void)ctx;
    (void)err;
    strbuf_addf(text, "Include x%s\n", path);
    return 0;
}

START_TEST(files_inside_one_another_have_a_limit)
{
    struct conf_file *file = NULL;
    struct err err = { 0 };

    int rc = conf_file_parse("a", read_deeper, NULL, &file, &err);

    ck_assert_int_eq(rc, -ELOOP);
    ck_assert_msg(strstr(err.text, "more than 8 files inside one another") != NULL, "%s", err.text);
}
END_TEST

static int read_too_much(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    (void)ctx;
    (void)path;
    (void)err;
    memset(strbuf_reserve(text, CONF_FILE_MAX + 1), '\n', CONF_FILE_MAX + 1);
    strbuf_grown(text, CONF_FILE_MAX + 1);
    return 0;
}

START_TEST(a_file_above_the_limit_is_refused)
{
    struct conf_file *file = NULL;
    struct err err = { 0 };

    int rc = conf_file_parse("big.conf", read_too_much, NULL, &file, &err);

    ck_assert_int_eq(rc, -E_TOO_BIG);
    ck_assert_str_eq(err.text, "big.conf: more than 8388608 bytes");
}
END_TEST

START_TEST(a_key_above_the_limit_is_refused)
{
    struct conf_file *file = NULL;
    struct err err = { 0 };
    char text[100];

    memset(text, 'k', 70);
    strcpy(text + 70, "=1");

    ck_assert_int_eq(parse(text, &file, &err), -E_SYNTAX);
    ck_assert_msg(strstr(err.text, "longer than a key can be (64)") != NULL, "%s", err.text);
}
END_TEST

CHECK_MAIN(conf_file, LOOP_CASE(text_means_these_records, ARRAY_N(grammar)),
           LOOP_CASE(broken_text_is_named_with_its_place, ARRAY_N(broken)),
           CASE(places_count_lines_of_the_file_across_joined_lines),
           CASE(an_included_file_stands_where_it_is_included),
           CASE(a_file_that_includes_itself_is_refused),
           CASE(files_inside_one_another_have_a_limit), CASE(a_file_above_the_limit_is_refused),
           CASE(a_key_above_the_limit_is_refused))
