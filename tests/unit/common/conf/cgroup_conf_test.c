#include "unit/check_main.h"

#include "common/conf/cgroup_conf.h"
#include "unit/common/conf/text_files.h"

static int load(const char *text, struct conf_notes *notes, struct conf_cgroup *ret,
                struct err *err)
{
    struct text_file files[] = { { text ? "/etc/slurm/cgroup.conf" : "none", text },
                                 { NULL, NULL } };

    return conf_cgroup_load("/etc/slurm/slurm.conf", read_text_file, files, notes, ret, err);
}

START_TEST(without_the_file_nothing_is_bounded)
{
    AUTO(conf_cgroup) struct conf_cgroup conf = { 0 };

    ck_assert_int_eq(load(NULL, NULL, &conf, NULL), 0);

    ck_assert_uint_eq(conf.plugin, CONF_CGROUP_AUTODETECT);
    ck_assert(!conf.constrain_cores && !conf.constrain_ram && !conf.constrain_swap &&
              !conf.constrain_devices && !conf.ignore_systemd);
    ck_assert_uint_eq(conf.allowed_ram, 10000);
    ck_assert_uint_eq(conf.allowed_swap, 0);
    ck_assert_uint_eq(conf.max_ram, 10000);
    ck_assert_uint_eq(conf.min_ram_mb, 30);
}
END_TEST

START_TEST(what_the_file_says_counts)
{
    AUTO(conf_cgroup) struct conf_cgroup conf = { 0 };

    ck_assert_int_eq(load("ConstrainCores=yes\nconstrainramspace=Yes\nConstrainDevices=no\n"
                          "AllowedRAMSpace=98.5\nAllowedSwapSpace=50%\nMaxRAMPercent=80.257\n"
                          "MinRAMSpace=64\nCgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n",
                          NULL, &conf, NULL),
                     0);

    ck_assert(conf.constrain_cores && conf.constrain_ram && !conf.constrain_devices);
    ck_assert(conf.ignore_systemd);
    ck_assert_uint_eq(conf.plugin, CONF_CGROUP_V2);
    ck_assert_uint_eq(conf.allowed_ram, 9850);
    ck_assert_uint_eq(conf.allowed_swap, 5000);
    ck_assert_uint_eq(conf.max_ram, 8025);
    ck_assert_uint_eq(conf.min_ram_mb, 64);
}
END_TEST

static const struct {
    const char *text, *error;
} wrong[] = {
    { "AllowedRAMSpace=much\n", "/etc/slurm/cgroup.conf:1:17: AllowedRAMSpace: 'much' is not a "
                                "percentage from 0 to 1000000" },
    { "\nMaxRAMPercent=-1\n",
      "/etc/slurm/cgroup.conf:2:15: MaxRAMPercent: '-1' is not a percentage from 0 to 1000000" },
    { "MaxSwapPercent=1000001\n", "/etc/slurm/cgroup.conf:1:16: MaxSwapPercent: '1000001' is " },
    { "MemorySwappiness=101\n", "/etc/slurm/cgroup.conf:1:18: MemorySwappiness: " },
    { "CgroupPlugin=cgroup/v3\n", "/etc/slurm/cgroup.conf:1:14: " },
    { "ConstrainCores=perhaps\n", "/etc/slurm/cgroup.conf:1:16: " },
};

START_TEST(what_cannot_be_meant_is_named_with_its_place)
{
    AUTO(conf_cgroup) struct conf_cgroup conf = { 0 };
    struct err err = { 0 };

    ck_assert_int_lt(load(wrong[_i].text, NULL, &conf, &err), 0);

    ck_assert_msg(strncmp(err.text, wrong[_i].error, strlen(wrong[_i].error)) == 0, "%s", err.text);
    ck_assert_uint_eq(conf.max_ram, 10000);
}
END_TEST

static const struct {
    const char *text;
    enum conf_note_kind kind;
} noted[] = {
    { "CgroupAutomount=yes\n", CONF_NOTE_NO_EFFECT },
    { "ConstrainKmemSpace=no\n", CONF_NOTE_REMOVED },
    { "ConstrainCoress=yes\n", CONF_NOTE_UNKNOWN },
};

START_TEST(what_has_no_effect_is_noted)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO(conf_cgroup) struct conf_cgroup conf = { 0 };

    ck_assert_int_eq(load(noted[_i].text, &notes, &conf, NULL), 0);

    ck_assert_uint_eq(notes.notes_n, 1);
    ck_assert_int_eq(notes.notes[0].kind, noted[_i].kind);
}
END_TEST

/* What Slurm prints of a file, but for keys that its later versions have, or dropped. */
static const char shown[] = "AllowedRAMSpace=98.5%\n"
                            "AllowedSwapSpace=0.0%\n"
                            "CgroupAutomount=no\n"
                            "CgroupMountpoint=/cgroup\n"
                            "CgroupPlugin=autodetect\n"
                            "CgroupReleaseAgentDir=(null)\n"
                            "CgroupSlice=(null)\n"
                            "ConstrainCores=yes\n"
                            "ConstrainDevices=no\n"
                            "ConstrainRAMSpace=no\n"
                            "ConstrainSwapSpace=no\n"
                            "EnableControllers=no\n"
                            "EnableExtraControllers=(null)\n"
                            "IgnoreSystemd=no\n"
                            "IgnoreSystemdOnFailure=no\n"
                            "MaxRAMPercent=100.0%\n"
                            "MaxSwapPercent=100.0%\n"
                            "MemorySwappiness=(null)\n"
                            "MinRAMSpace=40 MB\n"
                            "SignalChildrenProcesses=no\n"
                            "SystemdTimeout=(null)\n";

START_TEST(all_of_it_is_shown_as_slurm_does)
{
    AUTO(conf_cgroup) struct conf_cgroup conf = { 0 };
    AUTO(strbuf) struct strbuf all = { 0 };

    ck_assert_int_eq(load("AllowedRAMSpace=98.5\nConstrainCores=yes\nMinRAMSpace=40\n"
                          "CgroupMountpoint=/cgroup\n",
                          NULL, &conf, NULL),
                     0);
    for (uint32_t row = 0;; row++) {
        AUTO(strbuf) struct strbuf key = { 0 }, value = { 0 };

        if (!conf_cgroup_show(&conf, row, &key, &value))
            break;
        strbuf_addf(&all, "%s=%s\n", strbuf_text(&key), strbuf_text(&value));
    }

    ck_assert_str_eq(strbuf_text(&all), shown);
}
END_TEST

CHECK_MAIN(cgroup_conf, CASE(without_the_file_nothing_is_bounded), CASE(what_the_file_says_counts),
           LOOP_CASE(what_cannot_be_meant_is_named_with_its_place, ARRAY_N(wrong)),
           CASE(all_of_it_is_shown_as_slurm_does),
           LOOP_CASE(what_has_no_effect_is_noted, ARRAY_N(noted)))
