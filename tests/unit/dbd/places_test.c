#include "unit/check_main.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "dbd/places.h"

static struct conf_dbd server_conf(char *parameters)
{
    return (struct conf_dbd){ .storage = CONF_DBD_MYSQL,
                              .user = (char *)"slurm",
                              .storage_parameters = parameters };
}

static void open_places(struct places *places, char *parameters)
{
    const struct conf_dbd conf = server_conf(parameters);
    struct err err = { 0 };

    ck_assert_msg(places_init(places, &conf, "slurmdbd.conf", &err) == 0, "%s", err.text);
}

START_TEST(no_two_clusters_have_tables_of_one_name)
{
    static const char *const names[] = {
        "a",
        "A",
        "a_cluster",
        "a-cluster",
        "dbd",
        "DBD",
        "$64bd",
        "a$5fcluster",
        "x y",
        "x;drop table",
        "x}`{y",
        "a-name-of-fifty-bytes-and-more-that-ends-in-another-one",
        "a-name-of-fifty-bytes-and-more-that-ends-in-another-two",
    };
    struct place places_n[ARRAY_N(names) + 1];
    struct places places;

    open_places(&places, NULL);
    for (size_t i = 0; i < ARRAY_N(names); i++)
        places_n[i] = places_of_cluster(&places, names[i]);
    places_n[ARRAY_N(names)] = places_of_accounts(&places);

    for (size_t i = 0; i < ARRAY_N(places_n); i++) {
        const char *prefix = places_n[i].store.prefix;
        const char *name = prefix + strlen("sluice_");

        ck_assert_uint_le(strlen(prefix) + strlen("cluster_events"), 64);
        ck_assert_ptr_eq(strchr(name, '_'), name + strlen(name) - 1);
        ck_assert_ptr_null(strpbrk(prefix, "`{};' "));
        for (size_t k = 0; k < i; k++)
            ck_assert_int_ne(strcasecmp(prefix, places_n[k].store.prefix), 0);
    }
    for (size_t i = 0; i < ARRAY_N(places_n); i++)
        place_clear(&places_n[i]);
    places_clear(&places);
}
END_TEST

START_TEST(names_are_legible_in_those_of_tables)
{
    struct places places;

    open_places(&places, NULL);
    AUTO(place) struct place place = places_of_cluster(&places, "lab-7");
    AUTO(place) struct place accounts = places_of_accounts(&places);

    ck_assert_str_eq(place.store.prefix, "sluice_lab-7_");
    ck_assert_str_eq(accounts.store.prefix, "sluice_dbd_");
    ck_assert_str_eq(places_text(&places), "slurm_acct_db");
    ck_assert_str_eq(places.server.user, "slurm");
    places_clear(&places);
}
END_TEST

START_TEST(parameters_say_how_tls_is_spoken)
{
    struct places places;

    open_places(&places, (char *)"SSL_CA=/ca.pem,ssl_cert=/a b.pem,SSL_KEY=/key,SSL_CIPHER=A:B");

    ck_assert_str_eq(places.server.ssl_ca, "/ca.pem");
    ck_assert_str_eq(places.server.ssl_cert, "/a b.pem");
    ck_assert_str_eq(places.server.ssl_key, "/key");
    ck_assert_str_eq(places.server.ssl_cipher, "A:B");
    ck_assert_ptr_null(places.server.ssl_capath);
    places_clear(&places);
}
END_TEST

static const struct {
    struct conf_dbd conf;
    const char *says;
} bad[] = {
    { { .storage_loc = (char *)"var/lib" }, "full path" },
    { { .storage = CONF_DBD_MYSQL, .storage_loc = (char *)"/var/lib" }, "name of a database" },
    { { .storage = CONF_DBD_MYSQL, .storage_loc = (char *)"a`b" }, "name of a database" },
    { { .storage = CONF_DBD_MYSQL, .storage_parameters = (char *)"SSL_CE=x" }, "SSL_CA" },
    { { .storage = CONF_DBD_MYSQL, .storage_pass_script = (char *)"/x" }, "StoragePassScript=/x" },
};

START_TEST(what_is_no_place_is_refused_in_words)
{
    struct places places;
    struct err err = { 0 };

    ck_assert_int_lt(places_init(&places, &bad[_i].conf, "slurmdbd.conf", &err), 0);

    ck_assert_msg(strstr(err.text, bad[_i].says) != NULL, "%s", err.text);
    ck_assert_msg(strstr(err.text, "slurmdbd.conf") != NULL, "%s", err.text);
    places_clear(&places);
}
END_TEST

CHECK_MAIN(places, CASE(no_two_clusters_have_tables_of_one_name),
           CASE(names_are_legible_in_those_of_tables), CASE(parameters_say_how_tls_is_spoken),
           LOOP_CASE(what_is_no_place_is_refused_in_words, ARRAY_N(bad)))
