/* helper.c - the process that waits for the name service, so that no loop has to. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/names/names.h"
#include "common/names/packet.h"

static void fill_groups(struct identity *identity)
{
    int n = NAMES_GROUPS_MAX;
    AUTO_FREE gid_t *groups = xcalloc((size_t)n, sizeof(*groups));

    if (getgrouplist(identity->user_name, identity->gid, groups, &n) < 0)
        n = NAMES_GROUPS_MAX; /* more than we carry: the first ones count */
    for (int i = 0; i < n; i++)
        *ARRAY_PUSH(identity->groups, identity->groups_n) = groups[i];
}

static void fill(struct identity *identity)
{
    const struct passwd *user = getpwuid(identity->uid);
    const struct group *group;

    if (user) {
        identity->user_name = xstrdup(user->pw_name);
        identity->home = xstrdup(user->pw_dir);
        identity->shell = xstrdup(user->pw_shell);
        fill_groups(identity);
    }
    group = getgrgid(identity->gid);
    if (group)
        identity->group_name = xstrdup(group->gr_name);
}

int names_main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    for (;;) {
        AUTO(identity) struct identity identity;

        if (names_receive(STDIN_FILENO, &identity) < 0)
            return 0; /* our owner is gone */
        fill(&identity);
        if (names_send(STDIN_FILENO, &identity) < 0)
            return 1;
    }
}
