#include "noded/hooks/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/safe_path.h"
#include "noded/stepd/spool.h"

const char *const hook_results[HOOK_KINDS_N] = { "prolog", "epilog" };
const char *const hook_beginnings[HOOK_KINDS_N] = { "prolog.begun", "epilog.begun" };

void hook_record_name(const struct hook_key *key, char ret[HOOK_NAME_MAX])
{
    snprintf(ret, HOOK_NAME_MAX, "%u.%u", key->job_id, key->launch_number);
}

int hook_record_open(int dir_fd, const struct hook_key *key)
{
    char name[HOOK_NAME_MAX];

    hook_record_name(key, name);
    return safe_own_dir(dir_fd, name, 0700, name, NULL);
}

void hook_record_remove(int dir_fd, const char *name)
{
    static const char *const files[] = { "lock",         "prolog",           "prolog.new",
                                         "prolog.begun", "prolog.begun.new", "epilog",
                                         "epilog.new",   "epilog.begun",     "epilog.begun.new" };
    AUTO_CLOSE int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    for (size_t i = 0; fd >= 0 && i < ARRAY_N(files); i++)
        (void)unlinkat(fd, files[i], 0);
    (void)unlinkat(dir_fd, name, AT_REMOVEDIR);
}

bool hook_record_has_begun(int record_fd, uint32_t kind)
{
    return record_fd >= 0 &&
           faccessat(record_fd, hook_beginnings[kind], F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool hook_records_are_of(int dir_fd, const char *boot_id)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    return spool_read(dir_fd, HOOK_BOOT_FILE, &text, NULL) == 0 &&
           strcmp(strbuf_text(&text), boot_id) == 0;
}
