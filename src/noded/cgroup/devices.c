#include "noded/cgroup/devices.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "noded/cgroup/files.h"
#include "noded/cgroup/hierarchy.h"

bool cgroup_device_find(const char *path, struct cgroup_device *ret)
{
    struct stat status;

    if (stat(path, &status) < 0 || (!S_ISCHR(status.st_mode) && !S_ISBLK(status.st_mode)))
        return false;
    *ret = (struct cgroup_device){ .is_block = S_ISBLK(status.st_mode),
                                   .major = major(status.st_rdev),
                                   .minor = minor(status.st_rdev) };
    return true;
}

/* ---- v1 ---- */

static int deny_v1(const char *dir, const struct cgroup_device *devices, uint32_t devices_n)
{
    for (uint32_t i = 0; i < devices_n; i++) {
        AUTO_FREE char *rule = xasprintf("%c %u:%u rwm", devices[i].is_block ? 'b' : 'c',
                                         devices[i].major, devices[i].minor);
        int rc = cgroup_file_write(dir, "devices.deny", rule);

        if (rc < 0)
            return rc;
    }
    return 0;
}

/* ---- v2: a program that the kernel runs for each open of a device ---- */

struct program {
    struct bpf_insn *insns;
    uint32_t insns_n;
};

static void add(struct program *program, struct bpf_insn insn)
{
    *ARRAY_PUSH(program->insns, program->insns_n) = insn;
}

/* Appends: register `to` = a member of the context, to which register 1 points. */
static void add_load(struct program *program, unsigned to, size_t offset)
{
    add(program, (struct bpf_insn){ .code = BPF_LDX | BPF_MEM | BPF_W,
                                    .dst_reg = to & 0xfu,
                                    .src_reg = BPF_REG_1,
                                    .off = (int16_t)offset });
}

/* Appends: skip this many instructions more unless the register has the value. */
static void add_skip_unless(struct program *program, unsigned reg, uint32_t value, int16_t skip)
{
    add(program, (struct bpf_insn){ .code = BPF_JMP32 | BPF_JNE | BPF_K,
                                    .dst_reg = reg & 0xfu,
                                    .off = skip,
                                    .imm = (int32_t)value });
}

static void add_return(struct program *program, int32_t value)
{
    add(program, (struct bpf_insn){
                     .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = value });
    add(program, (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT });
}

/* Compiles the program. Whether a block or a character device is meant is in the lower half of
 * access_type. */
static struct program compile(const struct cgroup_device *devices, uint32_t devices_n)
{
    struct program program = { 0 };

    add_load(&program, BPF_REG_2, offsetof(struct bpf_cgroup_dev_ctx, access_type));
    add(&program, (struct bpf_insn){
                      .code = BPF_ALU | BPF_AND | BPF_K, .dst_reg = BPF_REG_2, .imm = 0xffff });
    add_load(&program, BPF_REG_3, offsetof(struct bpf_cgroup_dev_ctx, major));
    add_load(&program, BPF_REG_4, offsetof(struct bpf_cgroup_dev_ctx, minor));
    for (uint32_t i = 0; i < devices_n; i++) {
        add_skip_unless(&program, BPF_REG_2,
                        devices[i].is_block ? BPF_DEVCG_DEV_BLOCK : BPF_DEVCG_DEV_CHAR, 4);
        add_skip_unless(&program, BPF_REG_3, devices[i].major, 3);
        add_skip_unless(&program, BPF_REG_4, devices[i].minor, 2);
        add_return(&program, 0);
    }
    add_return(&program, 1);
    return program;
}

static int bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
    long rc = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

    return rc < 0 ? -errno : (int)rc;
}

static int load(const struct program *program)
{
    union bpf_attr attr;

    memset(&attr, 0, sizeof(attr)); /* the kernel wants all that is not used to be zero */
    attr.prog_type = BPF_PROG_TYPE_CGROUP_DEVICE;
    attr.insns = (uint64_t)(uintptr_t)program->insns;
    attr.insn_cnt = program->insns_n;
    attr.license = (uint64_t)(uintptr_t) "Apache-2.0";
    return bpf(BPF_PROG_LOAD, &attr);
}

/* Attaches the program, which stays as long as the group does; those of other owners above it count
 * as well. */
static int attach(int group_fd, int program_fd)
{
    union bpf_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.target_fd = (uint32_t)group_fd;
    attr.attach_bpf_fd = (uint32_t)program_fd;
    attr.attach_type = BPF_CGROUP_DEVICE;
    attr.attach_flags = BPF_F_ALLOW_MULTI;
    return bpf(BPF_PROG_ATTACH, &attr);
}

static int deny_v2(const char *dir, const struct cgroup_device *devices, uint32_t devices_n)
{
    AUTO_CLOSE int group = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct program program = compile(devices, devices_n);
    AUTO_CLOSE int fd = -1;
    int rc = group < 0 ? -errno : load(&program);

    free(program.insns);
    if (rc < 0)
        return rc;
    fd = rc;
    return attach(group, fd);
}

int cgroup_deny_devices(const struct cgroup *cgroup, const struct cgroup_device *devices,
                        uint32_t devices_n, struct err *err)
{
    const char *dir = cgroup_bounds_dir(cgroup, DEVICES);
    int rc = -ENOTSUP;

    if (dir && cgroup->mode == CGROUP_V1)
        rc = deny_v1(dir, devices, devices_n);
    else if (dir)
        rc = deny_v2(dir, devices, devices_n);
    if (rc < 0)
        return err_set(err, -rc, "cannot keep %s from the devices of others: %s",
                       dir ? dir : "step", strerror(-rc));
    return 0;
}
