#include "noded/inventory/inventory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/text/gres.h"
#include "noded/inventory/cpu_tree.h"

#define FILE_MAX_BYTES (1u << 20)

/* Appends a file; nothing when it cannot be read. */
static void read_text(const char *path, struct strbuf *text)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = 1;

    while (fd >= 0 && n > 0 && text->len < FILE_MAX_BYTES) {
        n = read(fd, strbuf_reserve(text, 4096), 4096);
        if (n > 0)
            strbuf_grown(text, (size_t)n);
    }
}

static char *read_line(const char *path)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    read_text(path, &text);
    strbuf_truncate(&text, strcspn(strbuf_text(&text), "\n"));
    return strbuf_steal(&text);
}

/* Returns the number behind `key` at the start of a line, or 0. */
static uint64_t number_after(const char *text, const char *key)
{
    for (const char *at = text; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, key, strlen(key)) == 0)
            return strtoull(at + strlen(key), NULL, 10);
    }
    return 0;
}

static uint64_t proc_number(const struct inventory_where *where, const char *file, const char *key)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO_FREE char *path = xasprintf("%s/%s", where->proc, file);

    read_text(path, &text);
    return number_after(strbuf_text(&text), key);
}

/* Reads the cpus. What cannot be found out counts as one socket of one core. */
static void read_cpus(const struct inventory_where *where, struct node_hardware *ret)
{
    AUTO(cpu_tree) struct cpu_tree tree = { 0 };
    const bool known = cpu_tree_read(where->synthetic, &tree, NULL) == 0;
    const uint32_t cores = known ? tree.cores_n : 1;

    ret->cpus = known ? tree.cpus_n : 1;
    ret->boards = 1;
    ret->sockets = known ? tree.sockets_n : 1;
    ret->cores_per_socket = cores / ret->sockets;
    ret->threads_per_core = ret->cpus / cores;
}

static uint64_t tmp_disk_mb(const char *path)
{
    struct statvfs fs;

    if (statvfs(path, &fs) < 0)
        return 0;
    return (uint64_t)fs.f_blocks * fs.f_frsize >> 20;
}

void inventory_read(const struct inventory_where *where, struct node_hardware *ret)
{
    struct utsname uts = { 0 };

    node_hardware_init(ret);
    read_cpus(where, ret);
    ret->memory_mb = proc_number(where, "meminfo", "MemTotal:") >> 10;
    ret->tmp_disk_mb = tmp_disk_mb(where->tmp_fs);
    ret->boot_time = (int64_t)proc_number(where, "stat", "btime ");
    (void)uname(&uts);
    ret->arch = xstrdup(uts.machine);
    ret->os = xasprintf("%s %s %s", uts.sysname, uts.release, uts.version);
}

/* Returns field 22 of /proc/1/stat; the name in parentheses may hold blanks. */
static const char *start_of_init(const char *stat)
{
    const char *at = strrchr(stat, ')');

    for (int field = 2; at && field < 22; field++) {
        at = strchr(at, ' ');
        at += at != NULL;
    }
    return at;
}

int inventory_boot_id(const struct inventory_where *where, char **ret, struct err *err)
{
    AUTO_FREE char *id_path = xasprintf("%s/sys/kernel/random/boot_id", where->proc);
    AUTO_FREE char *stat_path = xasprintf("%s/1/stat", where->proc);
    AUTO_FREE char *id = read_line(id_path);
    AUTO_FREE char *stat = read_line(stat_path);
    const char *start = start_of_init(stat);

    if (!*id)
        return err_set(err, ENOENT, "%s cannot be read: no boot identity", id_path);
    if (!start)
        return err_set(err, ENOENT, "%s cannot be read: no boot identity", stat_path);
    *ret = xasprintf("%s-%llu", id, strtoull(start, NULL, 10));
    return 0;
}

struct inventory_load inventory_load(const struct inventory_where *where)
{
    AUTO_FREE char *load_path = xasprintf("%s/loadavg", where->proc);
    AUTO_FREE char *load = read_line(load_path);
    char *end;
    uint64_t whole = strtoull(load, &end, 10);

    return (struct inventory_load){
        .load_percent = (uint32_t)(whole * 100 + (*end == '.' ? strtoull(end + 1, NULL, 10) : 0)),
        .free_memory_mb = proc_number(where, "meminfo", "MemFree:") >> 10,
        .uptime_s = proc_number(where, "uptime", ""),
    };
}

/* Appends as in "Gres=gpu:nvidia_a100:2,gpu:nvidia_t4:1"; a model that is not known is no type. */
static void add_gpus(const struct node_hardware *hw, struct strbuf *out)
{
    AUTO(gres) struct gres_list list = { 0 };

    for (uint32_t i = 0; i < hw->gpus_n; i++) {
        const char *model = hw->gpus[i].name;

        (void)gres_add(&list, "gpu", strcmp(model, "gpu") == 0 ? NULL : model, 1);
    }
    for (uint32_t i = 0; i < list.n; i++)
        strbuf_addf(out, "%sgpu%s%s:%llu", i ? "," : " Gres=", list.at[i].type ? ":" : "",
                    list.at[i].type ? list.at[i].type : "", (unsigned long long)list.at[i].count);
}

void inventory_format(const char *node, const struct node_hardware *hw, uint64_t uptime_s,
                      struct strbuf *out)
{
    strbuf_addf(out,
                "NodeName=%s CPUs=%u Boards=%u SocketsPerBoard=%u CoresPerSocket=%u "
                "ThreadsPerCore=%u RealMemory=%llu",
                node, hw->cpus, hw->boards, hw->sockets, hw->cores_per_socket, hw->threads_per_core,
                (unsigned long long)hw->memory_mb);
    add_gpus(hw, out);
    strbuf_addf(out, "\nUpTime=%llu-%02u:%02u:%02u\n", (unsigned long long)(uptime_s / 86400),
                (unsigned)(uptime_s / 3600 % 24), (unsigned)(uptime_s / 60 % 60),
                (unsigned)(uptime_s % 60));
}
