/*
 * The helper is this executable under another name: the test's own main() therefore serves as one
 * when it is called so.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/names/names.h"

#define main check_main
#include "unit/check_main.h"

struct answer {
    struct event_base *base;
    uint32_t count;
    char user[64];
    char group[64]; /* the first name of a group */
    uint32_t wanted_uid;
    bool has_groups, failed;
};

static void on_identity(const struct identity *identity, const struct err *err, void *ctx)
{
    struct answer *answer = ctx;

    answer->count++;
    answer->failed = err;
    answer->user[0] = '\0';
    if (identity && identity->user_name)
        snprintf(answer->user, sizeof(answer->user), "%s", identity->user_name);
    answer->wanted_uid = identity ? identity->wanted_uid : 0;
    answer->has_groups = identity && identity->groups_n > 0;
    if (identity && identity->group_names_n)
        snprintf(answer->group, sizeof(answer->group), "%s", identity->group_names[0]);
    event_base_loopbreak(answer->base);
}

static struct names *make_names(struct answer *answer)
{
    *answer = (struct answer){ .base = event_base_new() };
    return names_new(answer->base);
}

static void drop_names(struct names *names, struct answer *answer)
{
    names_free(names);
    event_base_free(answer->base);
}

START_TEST(a_user_is_known_with_name_and_groups)
{
    struct answer answer;
    struct names *names = make_names(&answer);

    names_lookup(names, 0, 0, on_identity, &answer);
    event_base_dispatch(answer.base);

    ck_assert_str_eq(answer.user, "root");
    ck_assert(answer.has_groups);
    ck_assert_str_eq(answer.group, "root");
    drop_names(names, &answer);
}
END_TEST

START_TEST(a_uid_without_a_name_is_an_answer_and_no_failure)
{
    struct answer answer;
    struct names *names = make_names(&answer);

    names_lookup(names, 3999999999u, 3999999999u, on_identity, &answer);
    event_base_dispatch(answer.base);

    ck_assert(!answer.failed);
    ck_assert_str_eq(answer.user, "");
    drop_names(names, &answer);
}
END_TEST

START_TEST(a_second_question_is_answered_at_once)
{
    struct answer answer;
    struct names *names = make_names(&answer);

    names_lookup(names, 0, 0, on_identity, &answer);
    event_base_dispatch(answer.base);
    names_lookup(names, 0, 0, on_identity, &answer);

    ck_assert_uint_eq(answer.count, 2);
    drop_names(names, &answer);
}
END_TEST

START_TEST(who_forgets_its_question_is_not_called)
{
    struct answer answer, other = { 0 };
    struct names *names = make_names(&answer);

    names_lookup(names, 1, 1, on_identity, &other);
    names_lookup(names, 0, 0, on_identity, &answer);
    names_forget(names, &other);
    event_base_dispatch(answer.base);

    ck_assert_uint_eq(other.count, 0);
    ck_assert_str_eq(answer.user, "root");
    drop_names(names, &answer);
}
END_TEST

START_TEST(a_name_is_looked_up_beside_the_number)
{
    struct answer answer;
    struct names *names = make_names(&answer);

    names_compare(names, 3999999999u, 0, "root", on_identity, &answer);
    event_base_dispatch(answer.base);
    ck_assert_str_eq(answer.user, "");
    ck_assert_uint_eq(answer.wanted_uid, 0);

    names_compare(names, 0, 0, "no such user", on_identity, &answer);
    ck_assert_uint_eq(answer.count, 1); /* nothing was kept */
    event_base_dispatch(answer.base);
    ck_assert_str_eq(answer.user, "root");
    ck_assert_uint_eq(answer.wanted_uid, COUNT_UNSET);
    drop_names(names, &answer);
}
END_TEST

CHECK_MAIN(names, CASE(a_user_is_known_with_name_and_groups),
           CASE(a_uid_without_a_name_is_an_answer_and_no_failure),
           CASE(a_second_question_is_answered_at_once), CASE(a_name_is_looked_up_beside_the_number),
           CASE(who_forgets_its_question_is_not_called))

#undef main
int main(int argc, char **argv)
{
    return strcmp(argv[0], NAMES_ROLE) == 0 ? names_main(argc, argv) : check_main();
}
