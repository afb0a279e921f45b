#include "unit/check_main.h"

#include "common/conf/check.h"
#include "common/conf/show.h"
#include "unit/common/conf/text_files.h"

START_TEST(an_error_is_a_note_for_who_wants_to_hear_of_all_of_them)
{
    AUTO(conf_notes) struct conf_notes notes = { .goes_on = true };
    struct slurm_conf *conf = must_load(
        HEAD "KillWait=x\nSlurmdPort=y\nNodeName=a[1 CPUs=1\nNodeName=b CPUs=1\n", &notes);

    ck_assert_uint_eq(notes.notes_n, 3);
    ck_assert(has_note(&notes, "slurm.conf:3:10: KillWait: 'x'"));
    ck_assert(has_note(&notes, "slurm.conf:4:12: SlurmdPort: 'y'"));
    ck_assert(has_note(&notes, "slurm.conf:5:1: NodeName: host list 'a[1'"));
    ck_assert_uint_eq(conf->kill_wait_s, 30);
    ck_assert_uint_eq(conf->nodes_n, 1);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(a_second_default_partition_is_told_of)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = must_load(HEAD "NodeName=a CPUs=1\nPartitionName=p Default=YES\n"
                                             "PartitionName=q Default=YES\n",
                                        &notes);

    ck_assert(has_note(&notes,
                       "slurm.conf:5:1: partition q: Default=YES, and partition p of line 4 "
                       "has it too; the last one counts"));
    ck_assert_str_eq(slurm_conf_default_partition(conf)->name, "q");
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *lines, *says;
} faults[] = {
    { "PartitionName=q TRESBillingWeights=CPU=1,Mem=0.2X",
      "partition q: TRESBillingWeights: 'Mem=0.2X' is not NAME=WEIGHT" },
    { "PartitionName=q TRESBillingWeights=CPUS=1", "TRESBillingWeights: there is no 'cpus'" },
    { "PartitionName=q TRESBillingWeights=GRES/gpu=1", "there is no 'gres/gpu'" },
    { "PriorityWeightTRES=cpu=1,license/x=2", "PriorityWeightTRES: there is no 'license/x'" },
    { "StateSaveLocation=here", "StateSaveLocation=here is no whole path" },
    { "Prolog=bin/check", "Prolog=bin/check is no whole path" },
};

START_TEST(what_would_count_for_nothing_is_told)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO_FREE char *text =
        xasprintf(HEAD "NodeName=a CPUs=1\nPartitionName=p\n%s\n", faults[_i].lines);
    struct slurm_conf *conf = must_load(text, NULL);

    conf_check(conf, &notes);

    ck_assert(has_note(&notes, faults[_i].says));
    slurm_conf_free(conf);
}
END_TEST

START_TEST(weights_of_what_there_is_are_fine)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf =
        must_load(HEAD "GresTypes=gpu\nLicenses=x:2\nNodeName=a CPUs=1\n"
                       "PartitionName=p Nodes=a TRESBillingWeights=CPU=1,Mem=0.25G,GRES/gpu:a=2\n"
                       "PriorityWeightTRES=node=1,license/x=2\n",
                  NULL);

    conf_check(conf, &notes);

    ck_assert(!has_note(&notes, "there is no '"));
    ck_assert(!has_note(&notes, "NAME=WEIGHT"));
    slurm_conf_free(conf);
}
END_TEST

START_TEST(notes_stand_in_the_order_of_the_file_and_once)
{
    char *files[] = { "b.conf", "a.conf" };
    const struct conf_at places[] = { { "a.conf", 1, 1 }, { "b.conf", 9, 2 }, { "b.conf", 9, 1 },
                                      { "b.conf", 2, 1 }, { "b.conf", 9, 2 }, { "0.conf", 1, 1 } };
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO(strbuf) struct strbuf order = { 0 };

    for (size_t i = 0; i < ARRAY_N(places); i++)
        conf_notes_add(&notes, CONF_NOTE_VALUE, places[i], "text");
    conf_notes_sort(&notes, files, ARRAY_N(files));

    for (uint32_t i = 0; i < notes.notes_n; i++)
        strbuf_addf(&order, "%s:%u:%u ", notes.notes[i].file, notes.notes[i].line,
                    notes.notes[i].column);
    ck_assert_str_eq(strbuf_text(&order),
                     "b.conf:2:1 b.conf:9:1 b.conf:9:2 a.conf:1:1 0.conf:1:1 ");
}
END_TEST

START_TEST(long_lists_of_nodes_are_cut_in_messages)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct slurm_conf *conf;

    strbuf_adds(&text, HEAD "NodeName=n0 CPUs=1\nPartitionName=p Nodes=n0 Default=YES\n");
    for (int i = 0; i < 100; i++)
        strbuf_addf(&text, "NodeName=node%dx CPUs=1\n", i);
    conf = must_load(strbuf_text(&text), NULL);
    conf_check(conf, &notes);

    ck_assert(has_note(&notes, "... (100): no job runs there"));
    slurm_conf_free(conf);
}
END_TEST

START_TEST(each_value_tells_where_it_comes_from)
{
    struct slurm_conf *conf = must_load("ClusterName=c\nControlMachine=h\nDefMemPerCPU=5\n", NULL);
    struct conf_show show = conf_show_begin(conf, NULL);
    AUTO(strbuf) struct strbuf key = { 0 };
    AUTO(strbuf) struct strbuf value = { 0 };
    AUTO(strbuf) struct strbuf given = { 0 };

    while (conf_show_next(&show, &key, &value)) {
        struct conf_at at = conf_show_where(&show);

        if (at.file)
            strbuf_addf(&given, "%s=%s %u\n", strbuf_text(&key), strbuf_text(&value), at.line);
    }

    ck_assert_str_eq(strbuf_text(&given),
                     "ClusterName=c 1\nDefMemPerCPU=5 3\nSlurmctldHost[0]=h 2\n");
    slurm_conf_free(conf);
}
END_TEST

CHECK_MAIN(conf_check, CASE(an_error_is_a_note_for_who_wants_to_hear_of_all_of_them),
           LOOP_CASE(what_would_count_for_nothing_is_told, ARRAY_N(faults)),
           CASE(weights_of_what_there_is_are_fine), CASE(a_second_default_partition_is_told_of),
           CASE(notes_stand_in_the_order_of_the_file_and_once),
           CASE(long_lists_of_nodes_are_cut_in_messages),
           CASE(each_value_tells_where_it_comes_from))
