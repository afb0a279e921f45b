#include "unit/check_main.h"

#include "common/schema/view.h"

#define LEAF(FIELD, LIST, PART)                                                                    \
    FIELD(1, U32, id, FIELD_REQUIRED, "")                                                          \
    FIELD(2, STR, name, 0, "")                                                                     \
    FIELD(3, STR, secret, 0, "")
SCHEMA_DECLARE(leaf, LEAF);
SCHEMA_DEFINE(leaf, LEAF)

#define TREE(FIELD, LIST, PART)                                                                    \
    PART(1, leaf, first, FIELD_REQUIRED, "")                                                       \
    LIST(2, leaf, more, 0, "")                                                                     \
    FIELD(3, U32, number, 0, "")                                                                   \
    PART(4, leaf, last, 0, "")
SCHEMA_DECLARE(tree, TREE);
SCHEMA_DEFINE(tree, TREE)

static void make_leaf(struct leaf *leaf, uint32_t id)
{
    *leaf = (struct leaf){ id, xstrdup("n"), xstrdup("s") };
}

static void make_tree(struct tree *tree)
{
    tree_init(tree);
    tree->number = 7;
    tree->first = xcalloc(1, sizeof(*tree->first));
    make_leaf(tree->first, 1);
    make_leaf(ARRAY_PUSH(tree->more, tree->more_n), 2);
    make_leaf(ARRAY_PUSH(tree->more, tree->more_n), 3);
}

/* What arrives of a tree, as schema_print shows it. */
static char *told(const struct schema_view *view)
{
    AUTO(tree) struct tree tree, copy;
    AUTO(strbuf) struct strbuf bytes = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    make_tree(&tree);
    schema_view_encode(view, &tree, &bytes);
    ck_assert_int_eq(schema_decode(tree_schema(), bytes.data, bytes.len, &copy, NULL), 0);
    schema_print(tree_schema(), &copy, &text);
    return strbuf_steal(&text);
}

static const struct {
    const char *paths[3];
    const char *told;
} views[] = {
    { { NULL }, "first={id=1}" },
    { { "number" }, "first={id=1} number=7" },
    { { "first.name" }, "first={id=1 name='n'}" },
    { { "first" }, "first={id=1 name='n' secret='s'}" },
    { { "first", "first.name" }, "first={id=1 name='n' secret='s'}" },
    { { "more.name", "number", "number" },
      "first={id=1} more={id=2 name='n'} {id=3 name='n'} number=7" },
    { { "last" }, "first={id=1}" },
};

static struct schema_view *view_of(const char *const paths[3])
{
    struct schema_view *view = schema_view_new(tree_schema());

    for (int i = 0; i < 3 && paths[i]; i++)
        ck_assert_int_eq(schema_view_add(view, paths[i], NULL), 0);
    return view;
}

START_TEST(only_the_fields_of_a_view_and_required_ones_are_told)
{
    AUTO(schema_view) struct schema_view *view = view_of(views[_i].paths);
    AUTO_FREE char *text = told(view);

    ck_assert_str_eq(text, views[_i].told);
}
END_TEST

START_TEST(a_view_goes_over_as_numbers)
{
    AUTO(schema_view) struct schema_view *view = view_of(views[_i].paths);
    AUTO(schema_view) struct schema_view *other = schema_view_new(tree_schema());
    uint32_t *numbers, n;
    AUTO_FREE char *text = NULL;

    schema_view_write(view, &numbers, &n);
    ck_assert_int_eq(schema_view_read(other, numbers, n, NULL), 0);
    text = told(other);

    ck_assert_str_eq(text, views[_i].told);
    free(numbers);
}
END_TEST

#define AT(depth, tag) ((uint32_t)(depth) << 16 | (tag))

static const struct {
    uint32_t numbers[4], n;
    const char *told;
} foreign[] = {
    { { AT(0, 99), AT(1, 2), AT(0, 3) }, 3, "first={id=1} number=7" },
    { { AT(0, 1), AT(1, 99), AT(1, 2) }, 3, "first={id=1 name='n'}" },
    { { AT(0, 3), AT(1, 1), AT(2, 1) }, 3, "first={id=1} number=7" },
    { { AT(5, 1), AT(4, 1), AT(0, 3) }, 3, "first={id=1} number=7" },
    { { AT(0, 1), AT(2, 3), AT(1, 2), AT(0, 3) }, 4, "first={id=1} number=7" },
    { { AT(0xffff, 0xffff), AT(0xffff, 0) }, 2, "first={id=1}" },
};

START_TEST(what_another_version_or_nobody_writes_is_passed_over)
{
    AUTO(schema_view) struct schema_view *view = schema_view_new(tree_schema());
    AUTO_FREE char *text = NULL;

    ck_assert_int_eq(schema_view_read(view, foreign[_i].numbers, foreign[_i].n, NULL), 0);
    text = told(view);

    ck_assert_str_eq(text, foreign[_i].told);
}
END_TEST

START_TEST(a_view_has_its_bound)
{
    AUTO(schema_view) struct schema_view *view = schema_view_new(tree_schema());
    AUTO_FREE uint32_t *numbers = xcalloc(SCHEMA_VIEW_MAX + 1, sizeof(*numbers));

    ck_assert_int_eq(schema_view_read(view, numbers, SCHEMA_VIEW_MAX, NULL), 0);
    ck_assert_int_eq(schema_view_read(view, numbers, SCHEMA_VIEW_MAX + 1, NULL), -E_TOO_BIG);
}
END_TEST

START_TEST(a_path_that_leads_nowhere_is_refused)
{
    AUTO(schema_view) struct schema_view *view = schema_view_new(tree_schema());
    struct err err = { 0 };

    ck_assert_int_lt(schema_view_add(view, "first.nome", &err), 0);
    ck_assert_str_eq(err.text, "message leaf has no field 'nome'");
    ck_assert_int_lt(schema_view_add(view, "number.name", NULL), 0);
    ck_assert_int_lt(schema_view_add(view, "", NULL), 0);
}
END_TEST

CHECK_MAIN(schema_view,
           LOOP_CASE(only_the_fields_of_a_view_and_required_ones_are_told, ARRAY_N(views)),
           LOOP_CASE(a_view_goes_over_as_numbers, ARRAY_N(views)),
           LOOP_CASE(what_another_version_or_nobody_writes_is_passed_over, ARRAY_N(foreign)),
           CASE(a_view_has_its_bound), CASE(a_path_that_leads_nowhere_is_refused))
