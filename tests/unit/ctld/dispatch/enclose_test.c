/* Which scripts and environments go with an order. */
#include "unit/check_main.h"

#include <string.h>

#include "common/crypt/crypt.h"
#include "ctld/dispatch/conn.h"
#include "ctld/control/act/turn.h"

struct scene {
    struct turn turn;
    struct order_launch launch;
    uint8_t sha256[SHA256_BYTES];
};

/* A blob of `n` bytes comes in this turn, and an order whose body names it. */
static void set_scene(struct scene *scene, uint32_t n)
{
    AUTO_FREE uint8_t *data = xcalloc(1, n);

    *scene = (struct scene){ 0 };
    crypt_sha256(data, n, scene->sha256);
    turn_note_blob(&scene->turn, scene->sha256, data, n);
    order_launch_init(&scene->launch);
    scene->launch.body.n = 5 + SHA256_BYTES;
    scene->launch.body.data = xcalloc(1, scene->launch.body.n);
    memcpy(scene->launch.body.data + 5, scene->sha256, SHA256_BYTES);
}

static void clear_scene(struct scene *scene)
{
    order_launch_clear(&scene->launch);
    turn_clear(&scene->turn);
}

START_TEST(what_came_in_this_turn_goes_with_the_order)
{
    struct scene scene;

    set_scene(&scene, 1000);
    blobs_enclose(&scene.turn, &scene.launch);

    ck_assert_uint_eq(scene.launch.blobs_n, 1);
    ck_assert_uint_eq(scene.launch.blobs[0].total, 1000);
    ck_assert_uint_eq(scene.launch.blobs[0].data.n, 1000);
    ck_assert_mem_eq(scene.launch.blobs[0].sha256.data, scene.sha256, SHA256_BYTES);
    clear_scene(&scene);
}
END_TEST

START_TEST(what_is_large_is_asked_for)
{
    struct scene scene;

    set_scene(&scene, BLOB_ENCLOSED_MAX + 1);
    blobs_enclose(&scene.turn, &scene.launch);

    ck_assert_uint_eq(scene.launch.blobs_n, 0);
    clear_scene(&scene);
}
END_TEST

START_TEST(what_another_request_brought_does_not_go_along)
{
    struct scene scene;

    set_scene(&scene, 1000);
    scene.launch.body.data[5] ^= 1;
    blobs_enclose(&scene.turn, &scene.launch);

    ck_assert_uint_eq(scene.launch.blobs_n, 0);
    clear_scene(&scene);
}
END_TEST

CHECK_MAIN(enclose, CASE(what_came_in_this_turn_goes_with_the_order),
           CASE(what_is_large_is_asked_for), CASE(what_another_request_brought_does_not_go_along))
