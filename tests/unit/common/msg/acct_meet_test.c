/* What becomes of a cluster's record where slurmdbd has one of its key, or none. */
#include "unit/check_main.h"

#include <string.h>

#include "common/msg/acct_meet.h"

#define AT INT64_C(1795651200)

/* A text of a table as a member, which nobody clears. */
#define TEXT(text)    ((char *)(uintptr_t)(text))
#define QOS(...)      (&(const struct qos_record){ .name = TEXT("high"), __VA_ARGS__ })
#define ACCOUNT(...)  (&(const struct account_record){ .name = TEXT("chem"), __VA_ARGS__ })
#define USER(...)     (&(const struct user_record){ __VA_ARGS__ })
#define CLUSTER(...)  (&(const struct cluster_record){ .name = TEXT("lab"), __VA_ARGS__ })
#define WCKEY(...)    (&(const struct wckey_record){ .user = TEXT("al"), __VA_ARGS__ })
#define TRES(...)     (&(const struct tres_record){ .name = TEXT("gres/gpu"), __VA_ARGS__ })
#define RESOURCE(...) (&(const struct resource_record){ .name = TEXT("lic"), __VA_ARGS__ })
#define ASSOC(...)                                                                                 \
    (&(const struct assoc_record){ .cluster = TEXT("lab"), .account = TEXT("chem"), __VA_ARGS__ })

static const struct {
    const char *title;
    uint32_t kind;
    const void *own, *there;
    enum acct_met expected;
    const char *how; /* of a conflict: the words for it; NULL: none */
} rows[] = {
    { "what is not there comes", KEPT_QOS, QOS(.priority = 5), NULL, ACCT_COMES, NULL },
    { "what was deleted comes, for the history's names", KEPT_ACCOUNT, ACCOUNT(.deleted = AT), NULL,
      ACCT_COMES, NULL },
    { "so does an association, which is of one cluster", KEPT_ASSOC, ASSOC(.deleted = AT), NULL,
      ACCT_COMES, NULL },
    { "what is alike stays", KEPT_QOS, QOS(.priority = 5), QOS(.priority = 5), ACCT_ALIKE, NULL },
    { "when and where it was made is no difference", KEPT_QOS,
      QOS(.id = 2, .created = 1, .modified = 2, .usage_resets = 1),
      QOS(.id = 9, .created = 3, .modified = 4), ACCT_ALIKE, NULL },
    { "nor is the order of a tree", KEPT_ASSOC, ASSOC(.added_ms = 1, .id = 4),
      ASSOC(.added_ms = 2, .id = 7), ACCT_ALIKE, NULL },
    { "nor where a controller listens", KEPT_CLUSTER,
      CLUSTER(.host = TEXT("a"), .port = 1, .classification = TEXT("x")),
      CLUSTER(.host = TEXT("b"), .port = 2, .classification = TEXT("x")), ACCT_ALIKE, NULL },
    { "a TRES is a name, whose number is each place's own", KEPT_TRES, TRES(.id = 1001),
      TRES(.id = 1002), ACCT_ALIKE, NULL },
    { "both deleted are alike", KEPT_QOS, QOS(.deleted = 1, .priority = 1),
      QOS(.deleted = 2, .priority = 2), ACCT_ALIKE, NULL },
    { "one that lives takes the place of a deleted one", KEPT_QOS, QOS(.priority = 1),
      QOS(.deleted = AT, .priority = 2), ACCT_COMES, NULL },
    { "what another cluster may use stays, though deleted here", KEPT_QOS, QOS(.deleted = AT),
      QOS(.priority = 2), ACCT_YIELDS, NULL },
    { "a user, too", KEPT_USER, USER(.name = TEXT("al"), .deleted = AT), USER(.name = TEXT("al")),
      ACCT_YIELDS, NULL },
    { "an association of the cluster alone does not come back unasked", KEPT_ASSOC,
      ASSOC(.deleted = AT), ASSOC(.shares = 3), ACCT_CONFLICT, "deleted, in slurmdbd it is there" },
    { "nor does a wckey", KEPT_WCKEY, WCKEY(.deleted = AT), WCKEY(.id = 3), ACCT_CONFLICT,
      "deleted, in slurmdbd it is there" },
    { "one member differs, and is named with both", KEPT_QOS, QOS(.priority = 5),
      QOS(.priority = 7), ACCT_CONFLICT, "priority=5, in slurmdbd priority=7" },
    { "several do, the cluster's before slurmdbd's", KEPT_ACCOUNT,
      ACCOUNT(.description = TEXT("own"), .organization = TEXT("o")),
      ACCOUNT(.description = TEXT("theirs"), .organization = TEXT("p")), ACCT_CONFLICT,
      "description='own', in slurmdbd description='theirs'; "
      "organization='o', in slurmdbd organization='p'" },
    { "what is only here is a difference", KEPT_ACCOUNT, ACCOUNT(.description = TEXT("own")),
      ACCOUNT(.description = NULL), ACCT_CONFLICT, "description='own', in slurmdbd description=" },
    { "the other way round as well", KEPT_ACCOUNT, ACCOUNT(.description = NULL),
      ACCOUNT(.description = TEXT("theirs")), ACCT_CONFLICT,
      "description=, in slurmdbd description='theirs'" },
    { "a list is compared whole", KEPT_ACCOUNT,
      ACCOUNT(.coordinators = (char *[]){ TEXT("al"), TEXT("bo") }, .coordinators_n = 2),
      ACCOUNT(.coordinators = (char *[]){ TEXT("al") }, .coordinators_n = 1), ACCT_CONFLICT,
      "coordinators='al','bo', in slurmdbd coordinators='al'" },
    { "a cluster that has said nothing of itself yields", KEPT_CLUSTER, CLUSTER(.port = 1),
      CLUSTER(.classification = TEXT("capability")), ACCT_YIELDS, NULL },
    { "and takes the place of one of which nothing is said", KEPT_CLUSTER,
      CLUSTER(.classification = TEXT("capability")), CLUSTER(.port = 1), ACCT_COMES, NULL },
    { "two that have said different things are asked about", KEPT_CLUSTER,
      CLUSTER(.classification = TEXT("a")), CLUSTER(.classification = TEXT("b")), ACCT_CONFLICT,
      "classification='a', in slurmdbd classification='b'" },
    { "a user root as every database begins with yields", KEPT_USER,
      USER(.name = TEXT("root"), .admin_level = ADMIN_ADMINISTRATOR),
      USER(.name = TEXT("root"), .admin_level = ADMIN_OPERATOR), ACCT_YIELDS, NULL },
    { "another user of that level does not", KEPT_USER,
      USER(.name = TEXT("al"), .admin_level = ADMIN_ADMINISTRATOR), USER(.name = TEXT("al")),
      ACCT_CONFLICT, "admin_level=2, in slurmdbd admin_level=" },
};

START_TEST(of_two_records_it_is_said_what_becomes)
{
    AUTO(strbuf) struct strbuf how = { 0 };
    const char *expected = rows[_i].how ? rows[_i].how : "";

    ck_assert_msg(acct_meet(rows[_i].kind, rows[_i].own, rows[_i].there, &how) == rows[_i].expected,
                  "%s", rows[_i].title);
    ck_assert_msg(strcmp(strbuf_text(&how), expected) == 0, "%s: '%s', not '%s'", rows[_i].title,
                  strbuf_text(&how), expected);
    ck_assert_int_eq(acct_meet(rows[_i].kind, rows[_i].own, rows[_i].there, NULL),
                     rows[_i].expected);
}
END_TEST

/* ---- what every database begins with ---- */

union begun {
    struct qos_record qos;
    struct account_record account;
    struct user_record user;
    struct assoc_record assoc;
};

static void fill_assoc_of_account(union begun *ret)
{
    acct_fill_assoc_root("lab", NULL, &ret->assoc);
}

static void fill_assoc_of_user(union begun *ret)
{
    acct_fill_assoc_root("lab", "root", &ret->assoc);
}

static void fill_qos(union begun *ret)
{
    acct_fill_qos_normal(&ret->qos);
}

static void fill_account(union begun *ret)
{
    acct_fill_account_root(&ret->account);
}

static void fill_user(union begun *ret)
{
    acct_fill_user_root(&ret->user);
}

static void say_qos(union begun *ret)
{
    ret->qos.priority++;
}

static void say_account(union begun *ret)
{
    ret->account.flags++;
}

static void say_user(union begun *ret)
{
    ret->user.admin_level = ADMIN_OPERATOR;
}

static void say_assoc(union begun *ret)
{
    ret->assoc.comment = TEXT("ours");
}

static const struct {
    uint32_t kind;
    void (*fill)(union begun *ret);
    void (*say)(union begun *ret);
} begins[] = {
    { KEPT_QOS, fill_qos, say_qos },
    { KEPT_ACCOUNT, fill_account, say_account },
    { KEPT_USER, fill_user, say_user },
    { KEPT_ASSOC, fill_assoc_of_account, say_assoc },
    { KEPT_ASSOC, fill_assoc_of_user, say_assoc },
};

START_TEST(a_record_that_only_says_what_every_database_begins_with_gives_way)
{
    AUTO(strbuf) struct strbuf how = { 0 };
    union begun begun, said;

    begins[_i].fill(&begun);
    begins[_i].fill(&said);
    begins[_i].say(&said);

    ck_assert_int_eq(acct_meet(begins[_i].kind, &begun, &begun, &how), ACCT_ALIKE);
    ck_assert_int_eq(acct_meet(begins[_i].kind, &begun, &said, &how), ACCT_YIELDS);
    ck_assert_int_eq(acct_meet(begins[_i].kind, &said, &begun, &how), ACCT_COMES);
    ck_assert_uint_eq(how.len, 0);
}
END_TEST

START_TEST(answers_are_found_by_their_words)
{
    for (uint32_t keep = 0; keep < ACCT_KEEPS_N; keep++)
        ck_assert_int_eq(acct_keep_find(acct_keep_name(keep)), (int)keep);
    ck_assert_int_eq(acct_keep_find("Cluster"), -1);
    ck_assert_int_eq(acct_keep_find(""), -1);
    ck_assert_str_eq(acct_keep_name(ACCT_KEEPS_N), "?");
    ck_assert_str_eq(acct_keep_name(UINT32_MAX), "?");
}
END_TEST

CHECK_MAIN(acct_meet, LOOP_CASE(of_two_records_it_is_said_what_becomes, ARRAY_N(rows)),
           LOOP_CASE(a_record_that_only_says_what_every_database_begins_with_gives_way,
                     ARRAY_N(begins)),
           CASE(answers_are_found_by_their_words))
