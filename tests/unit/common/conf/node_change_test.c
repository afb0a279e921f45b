/* What is refused here, a Slurm 22.05 refused too, but for what gres.conf describes. */
#include "unit/check_main.h"

#include "common/conf/beside.h"
#include "common/conf/node_change.h"
#include "common/text/cpubind.h"
#include "unit/common/conf/text_files.h"

#define KEEP .weight = CONF_UNSET, .cpu_bind = CONF_UNSET

#define LAB                                                                                        \
    HEAD "GresTypes=gpu,net\n"                                                                     \
         "NodeName=n[1-3] CPUs=2 Features=a,b Weight=5 Gres=gpu:2,net:4\n"

static struct slurm_conf *load_lab(void)
{
    struct text_file files[] = { { "etc/slurm.conf", LAB },
                                 { "etc/gres.conf", "NodeName=n3 Name=gpu File=/dev/g[0-1]\n" },
                                 { NULL, NULL } };
    struct slurm_conf *conf = NULL;

    ck_assert_int_eq(
        slurm_conf_load_from("etc/slurm.conf", read_text_file, files, &conf, NULL, NULL), 0);
    ck_assert_int_eq(conf_load_beside_from(conf, read_text_file, files, NULL, NULL), 0);
    return conf;
}

static int change(struct slurm_conf *conf, const struct conf_node_change *how)
{
    return conf_nodes_change(conf, how, NULL);
}

START_TEST(weight_and_binding_are_those_of_the_named_nodes)
{
    struct slurm_conf *conf = load_lab();

    ck_assert_int_eq(change(conf, &(struct conf_node_change){ .names = "n[1,3]",
                                                              .weight = 9,
                                                              .cpu_bind = CPU_BIND_CORES }),
                     0);

    ck_assert_uint_eq(conf->nodes[0].weight, 9);
    ck_assert_uint_eq(conf->nodes[1].weight, 5);
    ck_assert_uint_eq(conf->nodes[2].cpu_bind, CPU_BIND_CORES);
    ck_assert_uint_eq(conf->nodes[1].cpu_bind, CPU_BIND_UNSAID);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *features, *active; /* first */
    const char *features2, *active2;
    int rc;                       /* of the second */
    const char *now, *now_active; /* NULL: as available */
} features[] = {
    { NULL, NULL, "a,b,c", NULL, 0, "a,b,c", NULL },
    { NULL, NULL, NULL, "a", 0, "a,b", "a" },
    { NULL, NULL, NULL, "zz", -E_ACTIVE_FEATURES, "a,b", NULL },
    { NULL, "a", "a,b,c", NULL, 0, "a,b,c", NULL },
    { NULL, "a", "b", NULL, -E_ACTIVE_FEATURES, "a,b", "a" },
    { NULL, "a", "b,c", "b", 0, "b,c", "b" },
    { NULL, "", "q", NULL, 0, "q", NULL },
    { NULL, "", "", NULL, 0, NULL, NULL },
    { NULL, NULL, NULL, "", 0, "a,b", "" },
};

START_TEST(active_features_are_some_of_those_available)
{
    struct slurm_conf *conf = load_lab();
    const struct conf_node_change first = { .names = "n1",
                                            KEEP,
                                            .features = features[_i].features,
                                            .active_features = features[_i].active };
    const struct conf_node_change second = { .names = "n1",
                                             KEEP,
                                             .features = features[_i].features2,
                                             .active_features = features[_i].active2 };

    ck_assert_int_eq(change(conf, &first), 0);
    ck_assert_int_eq(change(conf, &second), features[_i].rc);

    ck_assert_pstr_eq(conf->nodes[0].features, features[_i].now);
    ck_assert_pstr_eq(conf->nodes[0].active_features, features[_i].now_active);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *names, *gres;
    int rc;
    uint64_t gpus, nets;
} gres[] = {
    { "n1", "gpu:3,net:1K", 0, 3, 1024 },
    { "n1", "gpu:a:1,gpu:b:2", 0, 3, 0 },
    { "n1", "", 0, 0, 0 },
    { "n1", "foo:2", -E_GRES, 2, 4 },
    { "n1", "gpu:a:2Q", -EINVAL, 2, 4 },
    { "n3", "gpu:2,net:7", 0, 2, 7 },
    { "n3", "gpu:1,net:7", -E_GRES, 2, 4 },
    { "n3", "gpu:3,net:7", -E_GRES, 2, 4 },
    { "n3", "", -E_GRES, 2, 4 },
};

static uint64_t count_of(const struct conf_node *node, const char *name)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < node->devices_n; i++)
        sum += strcmp(node->devices[i].name, name) == 0 ? node->devices[i].count : 0;
    return sum;
}

START_TEST(gres_are_counted_anew_but_for_what_gres_conf_describes)
{
    struct slurm_conf *conf = load_lab();
    const struct conf_node *node = slurm_conf_find_node(conf, gres[_i].names);

    ck_assert_int_eq(
        change(conf,
               &(struct conf_node_change){ .names = gres[_i].names, KEEP, .gres = gres[_i].gres }),
        gres[_i].rc);

    ck_assert_uint_eq(count_of(node, "gpu"), gres[_i].gpus);
    ck_assert_uint_eq(count_of(node, "net"), gres[_i].nets);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *names, *addrs, *hostnames;
    int rc;
    const char *addr2, *hostname2; /* of n2 */
} addresses[] = {
    { "n[1-2]", "10.0.0.1,10.0.0.2", NULL, 0, "10.0.0.2", "n2" },
    { "n[2,1]", "10.0.0.1,10.0.0.1", "h2,h1", 0, "10.0.0.1", "h2" },
    { "n2", NULL, "cloud-7", 0, "n2", "cloud-7" },
    { "n[1-2]", "10.0.0.1", NULL, -E_NODE_NAME, "n2", "n2" },
    { "n[1-2]", NULL, "h1", -E_NODE_NAME, "n2", "n2" },
    { "n[1-2]", "10.0.0.[1-3]", NULL, -E_NODE_NAME, "n2", "n2" },
    { "n9", "10.0.0.1", NULL, -E_NODE_NAME, "n2", "n2" },
};

START_TEST(there_is_an_address_for_each_node)
{
    struct slurm_conf *conf = load_lab();

    ck_assert_int_eq(
        change(conf, &(struct conf_node_change){ .names = addresses[_i].names,
                                                 KEEP,
                                                 .addrs = addresses[_i].addrs,
                                                 .hostnames = addresses[_i].hostnames }),
        addresses[_i].rc);

    ck_assert_str_eq(conf->nodes[1].addr, addresses[_i].addr2);
    ck_assert_str_eq(conf->nodes[1].hostname, addresses[_i].hostname2);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(what_was_changed_can_be_taken_back)
{
    struct slurm_conf *conf = load_lab();
    struct conf_nodes was = conf_nodes_copy(conf);

    ck_assert_int_eq(change(conf, &(struct conf_node_change){ .names = "n[1-3]",
                                                              .weight = 1,
                                                              .cpu_bind = CONF_UNSET,
                                                              .features = "a,b,c" }),
                     0);
    conf_nodes_swap(&was, conf);

    ck_assert_uint_eq(conf->nodes[2].weight, 5);
    ck_assert_str_eq(conf->nodes[2].features, "a,b");
    ck_assert_str_eq(conf->nodes[2].devices[0].files[1], "/dev/g1");
    conf_nodes_clear(&was);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *names, *nodes;
} named[] = {
    { "n[1-2]", "n[1-2]" },           { "few", "n[2-3]" }, { "n1,few", "n[1-3]" },
    { "fast,nix", "n[1-3],nix" },     { "host-1", "v1" }, /* of two on that host */
    { "host-[1-2],n1", "v[1,3],n1" },
};

START_TEST(a_set_of_nodes_stands_for_them)
{
    struct text_file files[] = { { "etc/slurm.conf", LAB "NodeSet=few Nodes=n[2-3]\n"
                                                         "NodeSet=fast Feature=a\n"
                                                         "NodeName=v[1-2] NodeHostName=host-1\n"
                                                         "NodeName=v3 NodeHostName=host-2\n" },
                                 { NULL, NULL } };
    struct slurm_conf *conf = NULL;
    AUTO_FREE char *nodes = NULL;

    ck_assert_int_eq(
        slurm_conf_load_from("etc/slurm.conf", read_text_file, files, &conf, NULL, NULL), 0);

    ck_assert_int_eq(conf_nodes_named(conf, named[_i].names, &nodes, NULL), 0);

    ck_assert_str_eq(nodes, named[_i].nodes);
    slurm_conf_free(conf);
}
END_TEST

CHECK_MAIN(node_change, CASE(weight_and_binding_are_those_of_the_named_nodes),
           LOOP_CASE(active_features_are_some_of_those_available, ARRAY_N(features)),
           LOOP_CASE(gres_are_counted_anew_but_for_what_gres_conf_describes, ARRAY_N(gres)),
           LOOP_CASE(there_is_an_address_for_each_node, ARRAY_N(addresses)),
           LOOP_CASE(a_set_of_nodes_stands_for_them, ARRAY_N(named)),
           CASE(what_was_changed_can_be_taken_back))
