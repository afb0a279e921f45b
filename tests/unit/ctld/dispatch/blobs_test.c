/* Scripts and environments that wait on their connection for the request that names them. */
#include "unit/check_main.h"

#include <errno.h>
#include <string.h>

#include "common/crypt/crypt.h"
#include "ctld/dispatch/conn.h"
#include "ctld/control/act/turn.h"

#define USER 1000u

struct scene {
    struct ctld ctld;
    struct conn conn;
    struct turn turn;
};

static void set_scene(struct scene *scene, enum caller_level level)
{
    *scene = (struct scene){ .ctld = { .quota = quota_new() } };
    scene->conn = (struct conn){ .ctld = &scene->ctld, .caller = { .uid = USER, .level = level } };
    quota_take(scene->ctld.quota, USER);
}

static void clear_scene(struct scene *scene)
{
    conn_drop_blobs(&scene->conn);
    turn_clear(&scene->turn);
    quota_free(scene->ctld.quota);
}

/* Puts a text of less than a chunk under a name that may not be its own. */
static int put(struct scene *scene, const char *text, uint8_t sha256[SHA256_BYTES])
{
    const struct blob_chunk chunk = { .sha256 = { sha256, SHA256_BYTES },
                                      .total = (uint32_t)strlen(text),
                                      .data = { (uint8_t *)(uintptr_t)text,
                                                (uint32_t)strlen(text) } };

    return conn_put_blob(&scene->conn, &chunk, NULL);
}

static int put_whole(struct scene *scene, const char *text, uint8_t ret_sha256[SHA256_BYTES])
{
    crypt_sha256(text, strlen(text), ret_sha256);
    return put(scene, text, ret_sha256);
}

START_TEST(what_has_another_hash_is_not_there_for_a_request_to_name)
{
    struct scene scene;
    uint8_t sha256[SHA256_BYTES];

    set_scene(&scene, LEVEL_USER);
    crypt_sha256("good", 4, sha256);

    ck_assert_int_eq(put(&scene, "evil", sha256), -E_PROTO);

    ck_assert_int_eq(
        conn_need_blob(&scene.conn, &(struct blob){ sha256, SHA256_BYTES }, "script", NULL),
        -E_PROTO);
    ck_assert_int_eq(put(&scene, "good", sha256), 0);
    clear_scene(&scene);
}
END_TEST

START_TEST(who_has_too_much_unnamed_is_refused_until_a_request_has_named_some)
{
    struct scene scene;
    uint8_t sha256[SHA256_BYTES], other[SHA256_BYTES];

    set_scene(&scene, LEVEL_USER);
    ck_assert_int_eq(put_whole(&scene, "script", sha256), 0);
    quota_take_blob(scene.ctld.quota, USER, (QUOTA_BLOBS_MB << 20) - 6, NULL); /* elsewhere */
    ck_assert_int_eq(put_whole(&scene, "more", other), -EDQUOT);
    ck_assert_uint_eq(scene.conn.blobs_n, 1);

    conn_note_blob(&scene.conn, &(struct blob){ sha256, SHA256_BYTES }, &scene.turn);

    ck_assert_uint_eq(scene.turn.changes.changes_n, 1);
    ck_assert_uint_eq(scene.conn.blobs_n, 0);
    ck_assert_int_eq(put_whole(&scene, "more", other), 0);
    clear_scene(&scene);
}
END_TEST

START_TEST(root_and_slurm_user_are_not_counted)
{
    struct scene scene;
    uint8_t sha256[SHA256_BYTES];

    set_scene(&scene, LEVEL_ROOT);
    quota_take_blob(scene.ctld.quota, USER, QUOTA_BLOBS_MB << 20, NULL);

    ck_assert_int_eq(put_whole(&scene, "script", sha256), 0);
    clear_scene(&scene);
}
END_TEST

START_TEST(the_oldest_of_too_many_on_a_connection_goes)
{
    static const char *const texts[CONN_BLOBS_MAX + 1] = { "a", "b", "c", "d", "e" };
    struct scene scene;
    uint8_t first[SHA256_BYTES], sha256[SHA256_BYTES];

    set_scene(&scene, LEVEL_USER);
    ck_assert_int_eq(put_whole(&scene, texts[0], first), 0);
    for (size_t i = 1; i < ARRAY_N(texts); i++) {
        ck_assert_int_eq(put_whole(&scene, texts[i], sha256), 0);
        ck_assert_int_eq(
            conn_need_blob(&scene.conn, &(struct blob){ sha256, SHA256_BYTES }, "script", NULL), 0);
    }

    ck_assert_int_eq(
        conn_need_blob(&scene.conn, &(struct blob){ first, SHA256_BYTES }, "script", NULL),
        -E_PROTO);
    clear_scene(&scene);
}
END_TEST

CHECK_MAIN(blobs, CASE(what_has_another_hash_is_not_there_for_a_request_to_name),
           CASE(who_has_too_much_unnamed_is_refused_until_a_request_has_named_some),
           CASE(root_and_slurm_user_are_not_counted),
           CASE(the_oldest_of_too_many_on_a_connection_goes))
