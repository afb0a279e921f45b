#include "common/names/run_as.h"

#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/proc/daemon.h"

#define CANNOT_BECOME 126
#define CANNOT_RUN    127

int run_as_main(int argc, char **argv)
{
    AUTO(proc_user) struct proc_user user = { 0 };
    const struct passwd *entry;
    struct err err = { 0 };

    if (argc < 3 || proc_user_lookup(argv[1], &user, &err) < 0)
        return CANNOT_BECOME;
    entry = getpwuid(user.uid);
    if (entry) {
        (void)setenv("HOME", entry->pw_dir, 1);
        (void)setenv("USER", entry->pw_name, 1);
        (void)setenv("LOGNAME", entry->pw_name, 1);
        (void)setenv("SHELL", entry->pw_shell, 1);
    }
    if (proc_become(&user, false, &err) < 0)
        return CANNOT_BECOME;
    if ((!entry || chdir(entry->pw_dir) < 0) && chdir("/") < 0)
        return CANNOT_BECOME;
    execv(argv[2], argv + 2);
    return CANNOT_RUN;
}
