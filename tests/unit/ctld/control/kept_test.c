/* Requests that add, alter and remove records, by the example of triggers. */
#include "unit/check_main.h"

#include <errno.h>

#include "common/msg/trigger.h"
#include "unit/ctld/control/lab.h"
#include "ctld/control/act/act.h"
#include "ctld/control/control.h"
#include "ctld/control/act/kept.h"

static struct kept_edit add(uint32_t events)
{
    const struct trigger_record trigger = { .events = events,
                                            .program = (char *)(uintptr_t) "/tell" };

    return (struct kept_edit){ .verb = KEPT_ADD,
                               .kind = KEPT_TRIGGER,
                               .record = schema_encode_blob(trigger_record_schema(), &trigger) };
}

static struct kept_edit drop(uint32_t id)
{
    const struct trigger_record like = { .id = id };
    struct kept_edit edit = { .verb = KEPT_REMOVE,
                              .kind = KEPT_TRIGGER,
                              .like = schema_encode_blob(trigger_record_schema(), &like) };

    lab_match(&edit, trigger_record_schema(), "id");
    return edit;
}

/* "1 2": the ids that there are. */
static char *ids(struct lab *lab)
{
    const struct kept_list all = { .kind = KEPT_TRIGGER };
    struct kept_listing *listing;
    const struct trigger_record *rec;
    struct strbuf out = { 0 };

    ck_assert_int_eq(control_kept_list(lab->control, NULL, &all, &listing, NULL), 0);
    while ((rec = control_kept_next(listing, NULL)))
        strbuf_addf(&out, "%s%u", out.len ? " " : "", rec->id);
    control_kept_list_free(listing);
    return out.data ? out.data : xstrdup("");
}

static void expect(struct lab *lab, const char *wanted)
{
    AUTO_FREE char *found = ids(lab);

    ck_assert_str_eq(found, wanted);
}

/* Both in one request. */
static int both(struct lab *lab, struct kept_edit first, struct kept_edit second)
{
    const struct caller root = lab_caller(0);
    struct kept_change request;
    AUTO(kept_changed) struct kept_changed changed;

    kept_change_init(&request);
    *ARRAY_PUSH(request.edits, request.edits_n) = first;
    *ARRAY_PUSH(request.edits, request.edits_n) = second;
    kept_changed_init(&changed);
    lab->rc = control_kept_change(lab_act(lab, &root), &request, &changed, &lab->err);
    kept_change_clear(&request);
    lab_settle(lab);
    return lab->rc;
}

START_TEST(one_request_does_all_or_nothing)
{
    struct lab *lab = lab_new("nodes=2 cpus=2");

    ck_assert_int_eq(both(lab, add(TRIGGER_UP), add(TRIGGER_DOWN)), 0);
    ck_assert_int_eq(both(lab, drop(1), add(1u << 20)), -EINVAL);
    expect(lab, "1 2");
    ck_assert_int_eq(both(lab, add(TRIGGER_IDLE), drop(9)), -ESRCH);
    expect(lab, "1 2");
    ck_assert_int_eq(both(lab, drop(1), add(TRIGGER_IDLE)), 0);
    expect(lab, "2 3");
    lab_free(lab);
}
END_TEST

START_TEST(each_is_checked_against_what_those_before_it_leave)
{
    struct lab *lab = lab_new("nodes=2 cpus=2");

    ck_assert_int_eq(both(lab, add(TRIGGER_UP), add(TRIGGER_UP)), -E_TRIGGER_DUPLICATE);
    expect(lab, "");
    ck_assert_int_eq(both(lab, add(TRIGGER_UP), drop(1)), 0);
    expect(lab, "");
    ck_assert_int_eq(both(lab, add(TRIGGER_UP), add(TRIGGER_DOWN)), 0);
    ck_assert_int_eq(both(lab, drop(2), add(TRIGGER_UP | TRIGGER_DOWN)), 0);
    expect(lab, "3 4");
    lab_free(lab);
}
END_TEST

START_TEST(what_is_kept_is_there_after_a_restart_and_so_is_the_last_number)
{
    struct lab *lab = lab_new("nodes=2 cpus=2");

    ck_assert_int_eq(both(lab, add(TRIGGER_UP), add(TRIGGER_DOWN)), 0);
    ck_assert_int_eq(both(lab, drop(2), add(TRIGGER_IDLE)), 0);
    ck_assert_int_eq(both(lab, drop(3), drop(1)), 0);
    ck_assert_uint_eq(control_incarnation(lab->control), 1);
    lab_restart(lab, "nodes=2 cpus=2");
    ck_assert_uint_eq(control_incarnation(lab->control), 2);
    expect(lab, "");
    ck_assert_int_eq(both(lab, add(TRIGGER_UP), add(TRIGGER_DOWN)), 0);
    expect(lab, "4 5");
    lab_free(lab);
}
END_TEST

START_TEST(a_request_that_makes_no_sense_changes_nothing)
{
    struct lab *lab = lab_new("nodes=2 cpus=2");
    const struct caller root = lab_caller(0);
    struct kept_edit edit = { .verb = KEPT_ALTER, .kind = KEPT_TRIGGER };

    ck_assert_int_eq(both(lab, add(TRIGGER_UP), add(TRIGGER_DOWN)), 0);
    *ARRAY_PUSH(edit.set, edit.set_n) = 1; /* the id */
    ck_assert_int_eq(lab_change_kept(lab, &root, &edit), -E_NOT_SUPPORTED);
    edit = (struct kept_edit){ .verb = KEPT_ALTER, .kind = KEPT_TRIGGER };
    *ARRAY_PUSH(edit.set, edit.set_n) = 4000;
    ck_assert_int_eq(lab_change_kept(lab, &root, &edit), -E_PROTO);
    edit = (struct kept_edit){ .verb = KEPT_REMOVE, .kind = KEPT_TRIGGER };
    *ARRAY_PUSH(edit.match, edit.match_n) = 4000;
    ck_assert_int_eq(lab_change_kept(lab, &root, &edit), -E_PROTO);
    edit = (struct kept_edit){ .verb = 17, .kind = KEPT_TRIGGER };
    ck_assert_int_eq(lab_change_kept(lab, &root, &edit), -E_PROTO);
    edit = (struct kept_edit){ .verb = KEPT_REMOVE, .kind = KEPT_NODE };
    ck_assert_int_eq(lab_change_kept(lab, &root, &edit), -E_NOT_SUPPORTED);
    edit = (struct kept_edit){ .verb = KEPT_REMOVE, .kind = 4000 };
    ck_assert_int_eq(lab_change_kept(lab, &root, &edit), -E_NOT_SUPPORTED);
    expect(lab, "1 2");
    lab_free(lab);
}
END_TEST

/* Alters all records, or the one that has the id. */
static int alter(struct lab *lab, uint32_t id, const char *field,
                 const struct trigger_record *values)
{
    const struct trigger_record like = { .id = id };
    struct kept_edit edit = { .verb = KEPT_ALTER,
                              .kind = KEPT_TRIGGER,
                              .record = schema_encode_blob(trigger_record_schema(), values),
                              .like = schema_encode_blob(trigger_record_schema(), &like) };
    const struct caller root = lab_caller(0);

    *ARRAY_PUSH(edit.set, edit.set_n) = schema_find(trigger_record_schema(), field)->tag;
    if (id)
        lab_match(&edit, trigger_record_schema(), "id");
    return lab_change_kept(lab, &root, &edit);
}

START_TEST(no_record_is_left_without_what_each_has)
{
    struct lab *lab = lab_new("nodes=2 cpus=2");
    const struct trigger_record nothing = { .id = 0 };

    ck_assert_int_eq(both(lab, add(TRIGGER_UP), add(TRIGGER_DOWN)), 0);
    ck_assert_int_eq(alter(lab, 1, "program", &nothing), -E_PROTO);
    ck_assert_int_eq(alter(lab, 0, "program", &nothing), -E_PROTO);
    expect(lab, "1 2");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(kept, CASE(one_request_does_all_or_nothing),
           CASE(each_is_checked_against_what_those_before_it_leave),
           CASE(what_is_kept_is_there_after_a_restart_and_so_is_the_last_number),
           CASE(a_request_that_makes_no_sense_changes_nothing),
           CASE(no_record_is_left_without_what_each_has))
