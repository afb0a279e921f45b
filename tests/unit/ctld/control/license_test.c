/* Licenses that a cluster has of resources: they come, change and go with the record. */
#include "unit/check_main.h"

#include "unit/ctld/control/acct_desk.h"
#include "ctld/control/answer/info.h"
#include "ctld/model/license.h"

/* "matlab@flex 4/10-1": used, total and what is missing, of each license. */
static const char *licenses(const struct desk *desk)
{
    static char text[256];
    AUTO(strbuf) struct strbuf out = { 0 };
    uint32_t n;
    struct license_info *list = control_licenses(desk->lab->control, desk->lab->now.wall_s, &n);

    for (uint32_t i = 0; i < n; i++) {
        strbuf_addf(&out, "%s%s %u/%u-%u", i ? " " : "", list[i].name, list[i].used, list[i].total,
                    list[i].last_deficit);
        license_info_clear(&list[i]);
    }
    free(list);
    snprintf(text, sizeof(text), "%s", strbuf_text(&out));
    return text;
}

static void set_resource(struct desk *desk, const char *field, struct resource_record values)
{
    const struct resource_record like = { .key = TEXT("matlab@flex") };

    set(desk, KEPT_RESOURCE, &like, field, &values);
    ck_assert_int_eq(send(desk, 0), 0);
}

static void set_share(struct desk *desk, uint32_t allowed)
{
    struct resource_share share = { .cluster = TEXT("lab"), .allowed = allowed };

    set_resource(desk, "shares", (struct resource_record){ .shares = &share, .shares_n = 1 });
}

START_TEST(a_share_of_a_resource_is_a_license)
{
    struct desk desk = desk_new(NODES " licenses=3");

    ck_assert_str_eq(licenses(&desk), "matlab 0/3-0");
    ck_assert_int_eq(add_resource(&desk, 0, "lab", 45), 0);
    ck_assert_str_eq(licenses(&desk), "matlab 0/3-0 matlab@flex 0/4-0");
    set_resource(&desk, "count", (struct resource_record){ .count = 20 });
    ck_assert_str_eq(licenses(&desk), "matlab 0/3-0 matlab@flex 0/9-0");
    set_share(&desk, 10);
    set_resource(&desk, "flags", (struct resource_record){ .flags = RESOURCE_ABSOLUTE });
    ck_assert_str_eq(licenses(&desk), "matlab 0/3-0 matlab@flex 0/10-0");
    set_share(&desk, 7);
    ck_assert_str_eq(licenses(&desk), "matlab 0/3-0 matlab@flex 0/7-0");
    lab_restart(desk.lab, NODES " licenses=2");
    ck_assert_str_eq(licenses(&desk), "matlab 0/2-0 matlab@flex 0/7-0");
    set_resource(&desk, "deleted", (struct resource_record){ .deleted = 1 });
    ck_assert_str_eq(licenses(&desk), "matlab 0/2-0");
    desk_free(&desk);
}
END_TEST

START_TEST(jobs_wait_for_licenses_of_a_share)
{
    struct desk desk = desk_new(NODES);

    add_resource(&desk, 0, "lab", 50);
    lab_submit(desk.lab, "ntasks=1 licenses=matlab@flex:3");
    lab_submit(desk.lab, "ntasks=1 licenses=matlab@flex:3");

    ck_assert_str_eq(lab_state(desk.lab, 1), "RUNNING");
    ck_assert_str_eq(lab_reason(desk.lab, 2), "Licenses");
    ck_assert_str_eq(licenses(&desk), "matlab@flex 3/5-0");
    set_share(&desk, 60);
    ck_assert_str_eq(lab_state(desk.lab, 2), "RUNNING");
    ck_assert_str_eq(licenses(&desk), "matlab@flex 6/6-0");
    desk_free(&desk);
}
END_TEST

START_TEST(jobs_go_on_waiting_for_a_share_that_is_gone)
{
    struct desk desk = desk_new(NODES);

    add_resource(&desk, 0, "lab", 50);
    lab_submit(desk.lab, "ntasks=1 licenses=matlab@flex:5");
    lab_submit(desk.lab, "ntasks=1 licenses=matlab@flex:4");
    set_share(&desk, 30);
    ck_assert_str_eq(licenses(&desk), "matlab@flex 5/3-0");
    ck_assert_str_eq(lab_reason(desk.lab, 2), "Licenses");

    set_resource(&desk, "deleted", (struct resource_record){ .deleted = 1 });
    ck_assert_str_eq(lab_state(desk.lab, 1), "RUNNING");
    lab_exit(desk.lab, 1, STEP_BATCH, 0);
    ck_assert_str_eq(lab_reason(desk.lab, 2), "Licenses");

    set_resource(&desk, "deleted", (struct resource_record){ 0 });
    ck_assert_str_eq(lab_reason_text(desk.lab, 2),
                     "Licenses: Invalid license specification: 4 of 'matlab@flex', there are 3");
    set_share(&desk, 50);
    ck_assert_str_eq(lab_state(desk.lab, 2), "RUNNING");
    desk_free(&desk);
}
END_TEST

START_TEST(what_the_server_gave_to_others_is_missing)
{
    struct desk desk = desk_new(NODES);

    add_resource(&desk, 0, "lab", 50);
    lab_submit(desk.lab, "ntasks=1 licenses=matlab@flex:2");
    set_resource(&desk, "last_consumed", (struct resource_record){ .last_consumed = 7 });
    ck_assert_str_eq(licenses(&desk), "matlab@flex 2/5-0");
    set_resource(&desk, "last_consumed", (struct resource_record){ .last_consumed = 9 });
    ck_assert_str_eq(licenses(&desk), "matlab@flex 2/5-2");

    lab_submit(desk.lab, "ntasks=1 licenses=matlab@flex:2");
    ck_assert_str_eq(lab_reason(desk.lab, 2), "Licenses");
    set_resource(&desk, "last_consumed", (struct resource_record){ .last_consumed = 8 });
    ck_assert_str_eq(lab_state(desk.lab, 2), "RUNNING");
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(license, CASE(a_share_of_a_resource_is_a_license),
           CASE(jobs_wait_for_licenses_of_a_share),
           CASE(jobs_go_on_waiting_for_a_share_that_is_gone),
           CASE(what_the_server_gave_to_others_is_missing))
