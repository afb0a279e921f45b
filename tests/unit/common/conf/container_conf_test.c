#include "unit/check_main.h"

#include "common/conf/container_conf.h"
#include "unit/common/conf/text_files.h"

static int load(const char *text, const char *node, struct conf_container *ret, struct err *err)
{
    struct text_file files[] = { { text ? "/etc/slurm/job_container.conf" : "none", text },
                                 { NULL, NULL } };

    return conf_container_load("/etc/slurm/slurm.conf", node, read_text_file, files, NULL, ret,
                               err);
}

static const struct {
    const char *text, *node, *base_path, *dirs;
    bool auto_base_path, shared;
} good[] = {
    { "", "tux1", NULL, "/tmp,/dev/shm", false, false },
    { "AutoBasePath=true\nBasePath=/var/jobs\nShared=true\n", "tux1", "/var/jobs", "/tmp,/dev/shm",
      true, true },
    { "BasePath=/a\nNodeName=tux[1-2] BasePath=/b Dirs=/tmp,/var/tmp\n", "tux2", "/b",
      "/tmp,/var/tmp", false, false },
    { "BasePath=/a\nNodeName=tux[1-2] BasePath=/b\n", "tux3", "/a", "/tmp,/dev/shm", false, false },
    { "BasePath=/a\nNodeName=tux[1-2] BasePath=none\n", "tux2", NULL, "/tmp,/dev/shm", false,
      false },
    { "BasePath=/a\nNodeName=tux[1-2] BasePath=none\n", "tux3", "/a", "/tmp,/dev/shm", false,
      false },
    { "BasePath=/tmp/jobs Dirs=/var/tmp,/tm\n", "tux3", "/tmp/jobs", "/var/tmp,/tm", false, false },
};

START_TEST(lines_count_for_their_nodes)
{
    AUTO(conf_container) struct conf_container conf;
    struct err err = { 0 };

    ck_assert_msg(load(good[_i].text, good[_i].node, &conf, &err) == 0, "%s", err.text);

    ck_assert_pstr_eq(conf.base_path, good[_i].base_path);
    ck_assert_str_eq(conf.dirs, good[_i].dirs);
    ck_assert_int_eq(conf.auto_base_path, good[_i].auto_base_path);
    ck_assert_int_eq(conf.shared, good[_i].shared);
}
END_TEST

static const struct {
    const char *text, *error;
} wrong[] = {
    { NULL, "cannot read" },
    { "BasePath=jobs\n", "BasePath=jobs: not a full path" },
    { "BasePath=/jobs Dirs=/tmp,/\n", "Dirs=/tmp,/: '/' cannot be one" },
    { "BasePath=/jobs Dirs=tmp\n", "Dirs=tmp: 'tmp' cannot be one" },
    { "BasePath=/tmp\n", "BasePath=/tmp is in /tmp, which jobs have" },
    { "BasePath=/var/tmp/jobs Dirs=/tmp,/var/tmp\n", "BasePath=/var/tmp/jobs is in /var/tmp, " },
    { "NodeName=a[ BasePath=/jobs\n", "job_container.conf:1:10: NodeName: " },
    { "BasePath=/jobs InitScript=init\n", "InitScript=init: not a full path" },
    { "CloneNSScript=/etc/s\n", "CloneNSScript=/etc/s is not supported" },
    { "CloneNSEpilog=/etc/s\n", "CloneNSEpilog=/etc/s is not supported" },
    { "AutoBasePath=maybe\n", "job_container.conf:1:14: " },
};

START_TEST(what_cannot_be_meant_is_named)
{
    AUTO(conf_container) struct conf_container conf;
    struct err err = { 0 };

    ck_assert_int_lt(load(wrong[_i].text, "tux1", &conf, &err), 0);

    ck_assert_msg(strstr(err.text, wrong[_i].error) != NULL, "%s", err.text);
}
END_TEST

CHECK_MAIN(container_conf, LOOP_CASE(lines_count_for_their_nodes, ARRAY_N(good)),
           LOOP_CASE(what_cannot_be_meant_is_named, ARRAY_N(wrong)))
