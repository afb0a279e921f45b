#include "unit/check_main.h"

#include "common/conf/beside.h"
#include "unit/common/conf/text_files.h"

#define TREE  HEAD "TopologyPlugin=topology/tree\n"
#define NODES "NodeName=n[1-6] CPUs=1\n"

static int load(const char *conf_text, const char *topology_text, struct slurm_conf **ret,
                struct conf_notes *notes, struct err *err)
{
    struct text_file files[] = { { "slurm.conf", conf_text },
                                 { "topology.conf", topology_text },
                                 { NULL, NULL } };
    struct slurm_conf *conf = NULL;
    int rc;

    if (!topology_text)
        files[1].path = NULL;
    rc = slurm_conf_load_from("slurm.conf", read_text_file, files, &conf, NULL, err);
    if (rc == 0)
        rc = conf_load_beside_from(conf, read_text_file, files, notes, err);
    if (rc == 0)
        *ret = conf;
    else
        slurm_conf_free(conf);
    return rc;
}

/* "leaf 0 <top n1,n2; ...": level, first switch above, nodes. */
static void describe(const struct slurm_conf *conf, struct strbuf *out)
{
    for (uint32_t i = 0; i < conf->switches_n; i++) {
        const struct conf_switch *sw = &conf->switches[i];

        strbuf_addf(out, "%s%s %u", i ? "; " : "", sw->name, sw->level);
        if (sw->parent != CONF_UNSET)
            strbuf_addf(out, " <%s", conf->switches[sw->parent].name);
        for (uint32_t k = 0; k < sw->nodes_n; k++)
            strbuf_addf(out, "%c%s", k ? ',' : ' ', conf->nodes[sw->nodes[k]].name);
    }
}

static const struct {
    const char *text, *tree;
} trees[] = {
    { "SwitchName=s1 Nodes=n[1-6]\n", "s1 0 n1,n2,n3,n4,n5,n6" },
    { "SwitchName=top Switches=s[1-2]\nSwitchName=s1 Nodes=n[1-3] LinkSpeed=9\n"
      "SwitchName=s2 Nodes=n[4-6]\n",
      "s1 0 <top n1,n2,n3; s2 0 <top n4,n5,n6; top 1 n1,n2,n3,n4,n5,n6" },
    { "SwitchName=a Switches=b,s3\nSwitchName=b Switches=s1,s2\nSwitchName=s1 Nodes=n[1-2]\n"
      "SwitchName=s2 Nodes=n[3-4]\nSwitchName=s3 Nodes=n[5-6]\n",
      "s1 0 <b n1,n2; s2 0 <b n3,n4; s3 0 <a n5,n6; b 1 <a n1,n2,n3,n4; a 2 n1,n2,n3,n4,n5,n6" },
    /* Two spines over the same leaves, as tools write it. */
    { "SwitchName=s1 Nodes=n[1-6]\nSwitchName=x Switches=s1\nSwitchName=y Switches=s1\n",
      "s1 0 <x n1,n2,n3,n4,n5,n6; x 1 n1,n2,n3,n4,n5,n6; y 1 n1,n2,n3,n4,n5,n6" },
    { "", "" },
};

START_TEST(switches_come_in_the_order_of_their_levels)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    ck_assert_msg(load(TREE NODES, trees[_i].text, &conf, &notes, &err) == 0, "%s", err.text);
    describe(conf, &text);

    ck_assert_str_eq(strbuf_text(&text), trees[_i].tree);
    ck_assert_uint_eq(notes.notes_n, 0);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *text, *error;
} refused[] = {
    { "SwitchName=a Switches=b\nSwitchName=b Switches=a\n", "among what is below itself" },
    { "SwitchName=a Switches=a\n",
      "topology.conf:1:23: switch a: it is among what is below itself, in Switches= a" },
    { "SwitchName=s Nodes=n[1-6]\nSwitchName=a Switches=s,b\nSwitchName=b Switches=c\n"
      "SwitchName=c Switches=b\n",
      "topology.conf:3:23: switch b: it is among what is below itself" },
    { "SwitchName=s Nodes=n[1-6]\nSwitchName=a Switches=t\n",
      "topology.conf:2:23: switch a: no line has SwitchName= t" },
    { "\nSwitchName=s Nodes=n[1-7]\n", "topology.conf:2:20: switch s: slurm.conf has no node n7" },
    { "SwitchName=s\n", "switch s: give Nodes= or Switches=" },
    { "SwitchName=s Nodes=n1 Switches=t\n", "switch s: give Nodes= or Switches=" },
    { "Nodes=n1\n", "a line without SwitchName=" },
    { "SwitchName=s Nodes=n1\nSwitchName=s Nodes=n2\n",
      "topology.conf:2:1: switch s has a line already, line 1" },
    { "SwitchName=s Nodes=n[1\n", "topology.conf:1:20: switch s: " },
    { NULL,
      "slurm.conf:3:1: TopologyPlugin=topology/tree: cannot read configuration 'topology.conf'" },
};

START_TEST(what_is_no_tree_is_refused_with_its_place)
{
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    ck_assert_int_lt(load(TREE NODES, refused[_i].text, &conf, NULL, &err), 0);

    ck_assert_msg(strstr(err.text, refused[_i].error) != NULL, "%s", err.text);
}
END_TEST

START_TEST(who_wants_all_errors_gets_them_at_their_place)
{
    AUTO(conf_notes) struct conf_notes notes = { .goes_on = true };
    const struct conf_at at = { "slurm.conf", 1, 1 };
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    ck_assert_int_lt(load(TREE NODES, "\nSwitchName=s Nodes=n[1-7]\n", &conf, &notes, &err), 0);
    ck_assert_int_eq(conf_notes_go_on(&notes, -err.code, at, &err), 0);

    ck_assert_uint_eq(notes.notes_n, 1);
    ck_assert_str_eq(notes.notes[0].file, "topology.conf");
    ck_assert_uint_eq(notes.notes[0].line, 2);
    ck_assert_uint_eq(notes.notes[0].column, 20);
    ck_assert_str_eq(notes.notes[0].text, "switch s: slurm.conf has no node n7");
}
END_TEST

START_TEST(nodes_without_a_switch_or_with_two_are_noted)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    ck_assert_msg(load(TREE NODES, "SwitchName=s Nodes=n[1-3]\nSwitchName=t Nodes=n[3-4]\n", &conf,
                       &notes, &err) == 0,
                  "%s", err.text);

    ck_assert(has_note(&notes, "2 nodes are connected to no switch: n5,n6"));
    ck_assert(has_note(&notes, "1 nodes are connected to more than one switch: n3"));
    slurm_conf_free(conf);
}
END_TEST

START_TEST(without_a_tree_the_file_is_not_read)
{
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    ck_assert_msg(load(HEAD NODES, "SwitchName=a Switches=a\n", &conf, NULL, &err) == 0, "%s",
                  err.text);

    ck_assert_uint_eq(conf->switches_n, 0);
    slurm_conf_free(conf);
}
END_TEST

CHECK_MAIN(topology_conf, LOOP_CASE(switches_come_in_the_order_of_their_levels, ARRAY_N(trees)),
           LOOP_CASE(what_is_no_tree_is_refused_with_its_place, ARRAY_N(refused)),
           CASE(who_wants_all_errors_gets_them_at_their_place),
           CASE(nodes_without_a_switch_or_with_two_are_noted),
           CASE(without_a_tree_the_file_is_not_read))
