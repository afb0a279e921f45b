#include "unit/check_main.h"

#include "cli/sluice/conf.h"
#include "unit/common/conf/text_files.h"

/* Two sockets of four cores with two threads each. */
static const struct node_hardware machine = {
    .cpus = 16,
    .boards = 1,
    .sockets = 2,
    .cores_per_socket = 4,
    .threads_per_core = 2,
    .memory_mb = 64000,
    .tmp_disk_mb = 1000,
};

static bool only_null_is_there(const char *path)
{
    return strcmp(path, "/dev/null") == 0;
}

static const struct {
    const char *line, *says; /* NULL: nothing */
} lines[] = {
    { "CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=64000", NULL },
    { "CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=60000", NULL },
    { "CPUs=32", "node n: 32 CPUs, this machine has 16: it would be drained; write CPUs=16" },
    { "CPUs=4", "node n: 4 of the 16 CPUs of this machine are used" },
    { "CPUs=16 Sockets=1 CoresPerSocket=16",
      "node n: Sockets=1, this machine has 2; jobs are bound to what is said" },
    { "CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=64001",
      "node n: RealMemory=64001, this machine has 64000 MB: it would be drained; write "
      "RealMemory=64000" },
    { "CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 TmpDisk=1001",
      "node n: TmpDisk=1001, this machine has 1000 MB: it would be drained" },
};

START_TEST(a_line_is_compared_with_the_machine)
{
    AUTO_FREE char *text = xasprintf(HEAD "NodeName=n %s\n", lines[_i].line);
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = must_load(text, NULL);

    conf_check_hardware(&conf->nodes[0], &machine, NULL, &notes);

    if (lines[_i].says)
        ck_assert_msg(has_note(&notes, lines[_i].says), "%s",
                      notes.notes ? notes.notes[0].text : "");
    else
        ck_assert_uint_eq(notes.notes_n, 0);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *line;
    bool overrides;
} overriding[] = {
    { "SlurmdParameters=config_overrides", true },
    { "SlurmdParameters=l3cache_as_socket,config_overrides", true },
    { "SlurmdParameters=numa_node_as_socket", false },
    { "", false },
};

START_TEST(lines_that_hold_whatever_the_machine_has_are_not_compared)
{
    AUTO_FREE char *text =
        xasprintf(HEAD "%s\nNodeName=n CPUs=32 RealMemory=64001\n", overriding[_i].line);
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = must_load(text, NULL);

    ck_assert_int_eq(conf_overrides(conf), overriding[_i].overrides);
    conf_check_hardware(&conf->nodes[0], conf_overrides(conf) ? NULL : &machine, NULL, &notes);

    ck_assert_int_eq(notes.notes_n == 0, overriding[_i].overrides);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(files_of_devices_have_to_be_there)
{
    char *files[] = { "/dev/null", "/dev/nvidia7" };
    struct conf_device device = { .name = "gpu", .count = 2, .files = files, .files_n = 2 };
    struct conf_node node = { .name = "n",
                              .cpus = 16,
                              .sockets = 2,
                              .cores_per_socket = 4,
                              .threads_per_core = 2,
                              .devices = &device,
                              .devices_n = 1,
                              .at = { "slurm.conf", 3, 1 } };
    AUTO(conf_notes) struct conf_notes notes = { 0 };

    conf_check_hardware(&node, &machine, only_null_is_there, &notes);

    ck_assert_uint_eq(notes.notes_n, 1);
    ck_assert_str_eq(notes.notes[0].text, "node n: gres gpu: /dev/nvidia7 is not there");
}
END_TEST

static const struct {
    const char *hostname, *host;
    bool here;
} hosts[] = {
    { "tux1", "tux1", true },   { "tux1", "tux1.example.org", true },
    { "TUX1", "tux1", true },   { "tux1.example.org", "tux1.example.org", true },
    { "tux1", "tux10", false }, { "tux10", "tux1", false },
};

START_TEST(a_node_is_here_by_its_host_name_with_or_without_domain)
{
    char hostname[64];
    struct conf_node node = { .hostname = hostname };

    snprintf(hostname, sizeof(hostname), "%s", hosts[_i].hostname);
    ck_assert_int_eq(slurm_conf_node_is_on(&node, hosts[_i].host), hosts[_i].here);
}
END_TEST

CHECK_MAIN(conf_hardware, LOOP_CASE(a_line_is_compared_with_the_machine, ARRAY_N(lines)),
           LOOP_CASE(lines_that_hold_whatever_the_machine_has_are_not_compared,
                     ARRAY_N(overriding)),
           CASE(files_of_devices_have_to_be_there),
           LOOP_CASE(a_node_is_here_by_its_host_name_with_or_without_domain, ARRAY_N(hosts)))
