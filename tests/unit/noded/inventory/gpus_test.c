#include "unit/check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/strbuf.h"
#include "noded/inventory/gpus.h"

/* A directory of device files, which need be none. */
struct machine {
    char dev[64];
};

static const char *const files[] = { "nvidia10", "nvidia2", "nvidiactl", "nvidia-uvm", "null" };

static void machine_init(struct machine *machine)
{
    snprintf(machine->dev, sizeof(machine->dev), "/tmp/gpus_test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(machine->dev));
    for (size_t i = 0; i < ARRAY_N(files); i++) {
        AUTO_FREE char *path = xasprintf("%s/%s", machine->dev, files[i]);

        close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    }
}

static void machine_clear(struct machine *machine)
{
    for (size_t i = 0; i < ARRAY_N(files); i++) {
        AUTO_FREE char *path = xasprintf("%s/%s", machine->dev, files[i]);

        unlink(path);
    }
    rmdir(machine->dev);
}

/* "nvidia_a100 /dev/nvidia0 0;" for each; -ENOENT is fine with what it found. */
static void describe(const struct gpus *gpus, struct strbuf *out)
{
    for (uint32_t i = 0; i < gpus->n; i++) {
        strbuf_addf(out, "%s%s %s", i ? "; " : "", gpus->at[i].name, gpus->at[i].file);
        for (uint32_t k = 0; k < gpus->at[i].cpus_n; k++)
            strbuf_addf(out, " %u", gpus->at[i].cpus[k]);
    }
}

START_TEST(the_library_tells_model_file_and_near_cpus)
{
    const struct gpus_where where = { FAKE_NVML, "/dev" };
    AUTO(gpus) struct gpus gpus = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct err err = { 0 };

    setenv("FAKE_NVML_GPUS", "3", 1);
    ck_assert_msg(gpus_find(&where, &gpus, &err) == 0, "%s", err.text);
    describe(&gpus, &text);

    ck_assert_str_eq(strbuf_text(&text),
                     "nvidia_a100-pcie-40gb /dev/nvidia0 0; nvidia_a100-pcie-40gb /dev/nvidia1 1; "
                     "tesla_t4 /dev/nvidia2 2");
}
END_TEST

START_TEST(a_library_that_does_not_work_is_told)
{
    const struct gpus_where where = { FAKE_NVML, "/dev" };
    AUTO(gpus) struct gpus gpus = { 0 };
    struct err err = { 0 };

    setenv("FAKE_NVML_ERROR", "1", 1);

    ck_assert_int_eq(gpus_find(&where, &gpus, &err), -EIO);
    ck_assert_str_eq(err.text, FAKE_NVML ": nvmlInit_v2: Driver Not Loaded");
    ck_assert_uint_eq(gpus.n, 0);
}
END_TEST

START_TEST(a_library_that_tells_absurd_things_is_not_believed)
{
    const struct gpus_where where = { FAKE_NVML, "/dev" };
    AUTO(gpus) struct gpus gpus = { 0 };
    struct err err = { 0 };

    setenv("FAKE_NVML_GPUS", "100000", 1);

    ck_assert_int_eq(gpus_find(&where, &gpus, &err), -E_TOO_BIG);
}
END_TEST

static const char *const without[] = { NULL, "no-such-library.so.1" };

START_TEST(without_it_device_files_tell)
{
    struct machine machine;
    struct gpus_where where = { without[_i], machine.dev };
    AUTO(gpus) struct gpus gpus = { 0 };
    struct err err = { 0 };

    machine_init(&machine);
    ck_assert_int_eq(gpus_find(&where, &gpus, &err), without[_i] ? -ENOENT : 0);
    machine_clear(&machine);

    ck_assert_uint_eq(gpus.n, 2);
    ck_assert_str_eq(gpus.at[0].name, "gpu");
    ck_assert_str_eq(gpus.at[0].file + strlen(machine.dev), "/nvidia2");
    ck_assert_str_eq(gpus.at[1].file + strlen(machine.dev), "/nvidia10");
}
END_TEST

CHECK_MAIN(gpus, CASE(the_library_tells_model_file_and_near_cpus),
           CASE(a_library_that_does_not_work_is_told),
           CASE(a_library_that_tells_absurd_things_is_not_believed),
           LOOP_CASE(without_it_device_files_tell, ARRAY_N(without)))
