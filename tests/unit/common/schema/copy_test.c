#include "unit/check_main.h"

#include "common/schema/schema.h"

#define MEMBER(FIELD, LIST, PART) FIELD(1, U32, number, 0, "")
SCHEMA_DECLARE(member, MEMBER);
SCHEMA_DEFINE(member, MEMBER)

#define BAG(FIELD, LIST, PART)                                                                     \
    FIELD(1, STRS, words, 0, "")                                                                   \
    FIELD(2, U32S, numbers, 0, "")                                                                 \
    LIST(3, member, members, 0, "")
SCHEMA_DECLARE(bag, BAG);
SCHEMA_DEFINE(bag, BAG)

static void add_to(struct bag *bag)
{
    struct member *member = ARRAY_PUSH(bag->members, bag->members_n);

    *ARRAY_PUSH(bag->words, bag->words_n) = xstrdup("w");
    *ARRAY_PUSH(bag->numbers, bag->numbers_n) = 7;
    member_init(member);
}

/* A copy without that room was written beyond its end when it had three of something. */
START_TEST(a_copy_grows_like_its_original)
{
    AUTO(bag) struct bag bag, copy;

    bag_init(&bag);
    for (int i = 0; i < _i; i++)
        add_to(&bag);
    schema_copy(bag_schema(), &copy, &bag);
    add_to(&bag);
    add_to(&copy);

    ck_assert(schema_equal(bag_schema(), &copy, &bag));
}
END_TEST

CHECK_MAIN(copy, LOOP_CASE(a_copy_grows_like_its_original, 10))
