/* When programs of the administrator are started. */
#include "unit/check_main.h"

#include <event2/event.h>

#include "common/base/alloc.h"
#include "ctld/dispatch/programs.h"

struct rig {
    struct event_base *base;
    struct log *log;
    struct programs *programs;
    int over_n, code;
};

struct asked {
    struct rig *rig;
};

static void rig_open(struct rig *rig)
{
    *rig = (struct rig){ .base = event_base_new(), .log = log_new_daemon("test", LOG_FATAL) };
    rig->programs = programs_new(rig->base, rig->log);
}

static void rig_close(struct rig *rig)
{
    programs_free(rig->programs);
    log_free(rig->log);
    event_base_free(rig->base);
}

static void on_over(void *ctx, int code)
{
    struct rig *rig = ((struct asked *)ctx)->rig;

    rig->over_n++;
    rig->code = code;
}

static void run(struct rig *rig, char *path, uint64_t turn)
{
    char *paths[] = { path, NULL }, *none[] = { NULL };
    struct asked *asked = xmalloc(sizeof(*asked));

    *asked = (struct asked){ rig };
    programs_run(rig->programs, &(struct program_run){ .paths = paths,
                                                       .environment = none,
                                                       .what = "test",
                                                       .turn = turn,
                                                       .on_over = on_over,
                                                       .ctx = asked });
}

static void settle(struct rig *rig)
{
    (void)event_base_dispatch(rig->base); /* returns when nothing is waited for */
}

START_TEST(a_program_waits_until_its_turn_is_committed)
{
    struct rig rig;

    rig_open(&rig);
    run(&rig, (char *)"/bin/true", 0);
    run(&rig, (char *)"/bin/true", 2);
    run(&rig, (char *)"/bin/false", 3);
    settle(&rig);
    ck_assert_int_eq(rig.over_n, 1);
    programs_release(rig.programs, 1);
    settle(&rig);
    ck_assert_int_eq(rig.over_n, 1);
    programs_release(rig.programs, 2);
    settle(&rig);
    ck_assert_int_eq(rig.over_n, 2);
    ck_assert_int_eq(rig.code, 0);
    programs_release(rig.programs, 3);
    settle(&rig);
    ck_assert_int_eq(rig.over_n, 3);
    ck_assert_int_ne(rig.code, 0);
    rig_close(&rig);
}
END_TEST

CHECK_MAIN(programs, CASE(a_program_waits_until_its_turn_is_committed))
