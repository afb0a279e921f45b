#include "unit/check_main.h"

#include "common/conf/beside.h"
#include "unit/common/conf/text_files.h"

/* Two sockets of four cores; Gres= is of all three nodes unless a test says otherwise. */
#define NODES(gres)                                                                                \
    HEAD "GresTypes=gpu,mps,net\n"                                                                 \
         "NodeName=n[1-3] Sockets=2 CoresPerSocket=4 Gres=" gres "\n"

static int load(const char *conf_text, const char *gres_text, struct slurm_conf **ret,
                struct conf_notes *notes, struct err *err)
{
    struct text_file files[] = { { "etc/slurm.conf", conf_text },
                                 { "etc/gres.conf", gres_text },
                                 { NULL, NULL } };
    struct slurm_conf *conf = NULL;
    int rc;

    if (!gres_text)
        files[1].path = NULL;
    rc = slurm_conf_load_from("etc/slurm.conf", read_text_file, files, &conf, NULL, err);
    if (rc == 0)
        rc = conf_load_beside_from(conf, read_text_file, files, notes, err);
    if (rc == 0)
        *ret = conf;
    else
        slurm_conf_free(conf);
    return rc;
}

/* "gpu:tesla 2 /dev/a0,/dev/a1 0,1; ..." for each device of a node. */
static void describe(const struct conf_node *node, struct strbuf *out)
{
    for (uint32_t i = 0; i < node->devices_n; i++) {
        const struct conf_device *device = &node->devices[i];

        strbuf_addf(out, "%s%s%s%s %llu", i ? "; " : "", device->name, device->type ? ":" : "",
                    device->type ? device->type : "", (unsigned long long)device->count);
        for (uint32_t k = 0; k < device->files_n; k++)
            strbuf_addf(out, "%c%s", k ? ',' : ' ', device->files[k]);
        for (uint32_t k = 0; k < device->cores_n; k++)
            strbuf_addf(out, "%c%u", k ? ',' : ' ', device->cores[k]);
        strbuf_adds(out, device->found ? " found" : "");
    }
}

static const struct {
    const char *conf, *gres, *n2;
} nodes[] = {
    /* Without gres.conf, or without a line about it, a resource is only counted. */
    { NODES("gpu:2"), NULL, "gpu 2" },
    { NODES("gpu:tesla:2,net:4K"), "", "gpu:tesla 2; net 4096" },
    { NODES("gpu:2"), "NodeName=n1 Name=gpu File=/dev/a[0-1]\n", "gpu 2" },
    /* Files give the count, and the order of lines is that of the devices. */
    { NODES("gpu:2"), "NodeName=n[1-2] Name=gpu File=/dev/a[0-1]\n", "gpu 2 /dev/a0,/dev/a1" },
    { NODES("gpu:tesla:2,gpu:k80:1"),
      "Name=gpu Type=k80 File=/dev/b Cores=4-7\nName=gpu Type=tesla File=/dev/a[0-1] Cores=0-2,3\n",
      "gpu:k80 1 /dev/b 4,5,6,7; gpu:tesla 2 /dev/a0,/dev/a1 0,1,2,3" },
    /* A type on one side is enough. */
    { NODES("gpu:2"), "Name=gpu Type=tesla File=/dev/a[0-1]\n", "gpu:tesla 2 /dev/a0,/dev/a1" },
    { NODES("gpu:tesla:2"), "Name=gpu File=/dev/a[0-1]\n", "gpu:tesla 2 /dev/a0,/dev/a1" },
    { NODES("gpu:tesla:1,gpu:k80:1"), "Name=gpu File=/dev/a[0-1]\n",
      "gpu:tesla 1 /dev/a0; gpu:k80 1 /dev/a1" },
    /* slurm.conf says how many there are. */
    { NODES("gpu:1"), "Name=gpu File=/dev/a[0-1]\n", "gpu 1 /dev/a0" },
    { NODES("gpu:3"), "Name=gpu File=/dev/a[0-1]\n", "gpu 2 /dev/a0,/dev/a1; gpu 1" },
    { NODES("net:1"), "Name=gpu File=/dev/a[0-1]\n", "net 1" },
    { NODES("net:2K"), "Name=net Count=2K\n", "net 2048" },
    { NODES("net:1"), "Name=net\n", "net 1" },
    { NODES("net:1"), "Name=net CPUs=1\n", "net 1 1" },
    { NODES("mps:200"), "Name=mps Count=200 File=/dev/a[0-1]\n", "mps 200" },
    { NODES("gpu:1"), "AutoDetect=off\nName=gpu File=/dev/a\n", "gpu 1 /dev/a" },
    /* Files that are one device. */
    { NODES("gpu:2"),
      "Name=gpu MultipleFiles=/dev/a,/dev/c[1-2]\nName=gpu MultipleFiles=/dev/a,/dev/c3 Count=1\n",
      "gpu 1 /dev/a,/dev/c1,/dev/c2; gpu 1 /dev/a,/dev/c3" },
    /* Gpus that it does not describe are to be found, and nothing else is. */
    { NODES("gpu:a:2,net:1"), "AutoDetect=nvml\n", "gpu:a 2 found; net 1" },
    { NODES("gpu:3"), "AutoDetect=nvml\nName=gpu File=/dev/a[0-1]\n",
      "gpu 2 /dev/a0,/dev/a1; gpu 1 found" },
    { NODES("gpu:1"), "AutoDetect=nvml\nName=gpu Type=a100\n", "gpu:a100 1 found" },
    /* What is said of the node counts more than what is said of all. */
    { NODES("gpu:1"), "NodeName=n2 AutoDetect=off\nAutoDetect=nvml\n", "gpu 1" },
    { NODES("gpu:1"), "NodeName=n[2-3] Name=gpu AutoDetect=nvidia\n", "gpu 1 found" },
    { NODES("gpu:1"), "NodeName=n1 AutoDetect=nvml\n", "gpu 1" },
};

START_TEST(a_node_has_what_both_files_say)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    ck_assert_msg(load(nodes[_i].conf, nodes[_i].gres, &conf, &notes, &err) == 0, "%s", err.text);
    describe(slurm_conf_find_node(conf, "n2"), &text);

    ck_assert_str_eq(strbuf_text(&text), nodes[_i].n2);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *gres;
    uint32_t env; /* of the last device */
} variables[] = {
    { "", CONF_GPU_ALL },
    { "Name=gpu File=/dev/a\n", CONF_GPU_ALL },
    { "AutoDetect=nvml\n", CONF_GPU_NVIDIA },
    { "AutoDetect=nvml\nName=gpu Count=2 Flags=opencl_env,amd_gpu_env\n",
      CONF_GPU_OPENCL | CONF_GPU_AMD },
    { "AutoDetect=rsmi\nName=gpu File=/dev/a\n", CONF_GPU_AMD },
    { "NodeName=n2 AutoDetect=oneapi Name=gpu\n", CONF_GPU_INTEL },
    { "Name=gpu Count=2 Flags=no_gpu_env\n", 0 },
    /* What a line says holds for the next one of the same sort. */
    { "Name=gpu File=/dev/b Flags=nvidia_gpu_env\nName=gpu File=/dev/a\n", CONF_GPU_NVIDIA },
    { "Name=gpu Type=t File=/dev/b Flags=nvidia_gpu_env\nName=gpu File=/dev/a\n", CONF_GPU_ALL },
};

START_TEST(flags_and_detection_say_which_variables_tell_tasks_their_gpus)
{
    struct slurm_conf *conf = NULL;
    const struct conf_node *node;
    struct err err = { 0 };

    ck_assert_msg(load(NODES("gpu:2"), variables[_i].gres, &conf, NULL, &err) == 0, "%s", err.text);
    node = slurm_conf_find_node(conf, "n2");

    ck_assert_uint_eq(node->devices[node->devices_n > 1 ? 1 : 0].gpu_env, variables[_i].env);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *conf, *gres, *note;
} noted[] = {
    { NODES("gpu:1"), "AutoDetect=rsmi\n", "etc/gres.conf:1:1: AutoDetect=rsmi finds nothing" },
    { NODES("gpu:1"), "\nName=fpga Count=2\n",
      "etc/gres.conf:2:1: Name=fpga is not among GresTypes" },
    { NODES("gpu:1"), "NodeName=n9 Name=gpu\n", "slurm.conf has no node n9" },
    { NODES("gpu:1"), "NodeName=n1 Name=gpu File=/dev/a[0-2]\n",
      "node n1: 2 of these gpu are more" },
    { NODES("gpu:1"), "Name=gpu Links=-1,4\n", "Links=-1,4 has no effect" },
    { NODES("gpu:1"), "Name=gpu Flags=CountOnly\n", "Flags=CountOnly has no effect" },
    { NODES("gpu:1"), "Name=gpu CPUs=0\n", "CPUs is an old key; today it is Cores=" },
    { NODES("gpu:1"), "Name=gpu Fil=/dev/a\n", "is File meant?" },
    { NODES("fpga:1"), "", "node n1: Gres=fpga is not among GresTypes= and left out" },
};

START_TEST(what_is_left_out_is_noted_with_its_place)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    ck_assert_msg(load(noted[_i].conf, noted[_i].gres, &conf, &notes, &err) == 0, "%s", err.text);

    ck_assert_msg(has_note(&notes, noted[_i].note), "no note has: %s", noted[_i].note);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *conf, *gres, *error;
} refused[] = {
    { NODES("gpu:1"), "Name=gpu Count=2 File=/dev/a\n",
      "etc/gres.conf:1:1: Count=2, but File=/dev/a names 1 files" },
    { NODES("gpu:1"), "Name=gpu Count=2 MultipleFiles=/dev/a[1-2]\n",
      "Count=2, but /dev/a[1-2] are one device" },
    { NODES("gpu:1"), "Name=gpu File=/dev/a MultipleFiles=/dev/b\n",
      "etc/gres.conf:1:1: File= and MultipleFiles= exclude each other" },
    { NODES("gpu:1"), "\nName=gpu Count=x\n", "etc/gres.conf:2:1: Count: 'x' is not a count" },
    { NODES("gpu:1"), "Name=gpu Cores=8\n", "Cores=8: node n1 has cores 0 to 7" },
    { NODES("gpu:1"), "AutoDetect=nvlm\n", "etc/gres.conf:1:1: AutoDetect=nvlm: is not one of" },
    { NODES("gpu:1"), "Name=gpu Cores=3-2\n", "Cores=3-2: '2' is less than 3" },
    { NODES("gpu:1"), "Name=gpu Cores=a\n", "Cores=a: 'a' is not a number" },
    { NODES("gpu:1"), "NodeName=n1 File=/dev/a\n", "a line without Name=" },
    { NODES("gpu:1"), "NodeName=n[1 Name=gpu\n", "NodeName: " },
    { NODES("gpu:1"), "Name=gpu File=/dev/a[0-2000]\n", "names more than 1024 files" },
    { NODES("gpu:a:b:1"), NULL, "etc/slurm.conf:4:1: node n1: Gres: 'gpu:a:b:1'" },
    { NODES("gpu:1"), "Include missing.conf\n", "cannot read the included 'etc/missing.conf'" },
};

START_TEST(what_cannot_be_is_refused_with_its_place)
{
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    ck_assert_int_lt(load(refused[_i].conf, refused[_i].gres, &conf, NULL, &err), 0);

    ck_assert_msg(strstr(err.text, refused[_i].error) != NULL, "%s", err.text);
}
END_TEST

CHECK_MAIN(gres_conf, LOOP_CASE(a_node_has_what_both_files_say, ARRAY_N(nodes)),
           LOOP_CASE(flags_and_detection_say_which_variables_tell_tasks_their_gpus,
                     ARRAY_N(variables)),
           LOOP_CASE(what_is_left_out_is_noted_with_its_place, ARRAY_N(noted)),
           LOOP_CASE(what_cannot_be_is_refused_with_its_place, ARRAY_N(refused)))
