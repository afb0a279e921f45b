/* helper.c - the process that waits for the name service, so that no loop has to. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/names/names.h"
#include "common/names/packet.h"

/*
 * Adds names of groups, for lists like AllowGroups=, up to a number and size that a packet can
 * hold.
 */
static void fill_group_names(struct identity *identity)
{
    size_t bytes = 0;

    for (uint32_t i = 0; i < identity->groups_n && i < NAMES_NAMED_MAX; i++) {
        const struct group *group = getgrgid(identity->groups[i]);

        bytes += group ? strlen(group->gr_name) : 0;
        if (bytes > NAMES_NAMED_BYTES)
            return;
        if (group)
            *ARRAY_PUSH(identity->group_names, identity->group_names_n) = xstrdup(group->gr_name);
    }
}

static void fill_groups(struct identity *identity)
{
    int n = NAMES_GROUPS_MAX;
    AUTO_FREE gid_t *groups = xcalloc((size_t)n, sizeof(*groups));

    if (getgrouplist(identity->user_name, identity->gid, groups, &n) < 0)
        n = NAMES_GROUPS_MAX; /* more than we carry: the first ones count */
    for (int i = 0; i < n; i++)
        *ARRAY_PUSH(identity->groups, identity->groups_n) = groups[i];
    fill_group_names(identity);
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
    user = identity->wanted_name ? getpwnam(identity->wanted_name) : NULL;
    if (user) {
        identity->wanted_uid = user->pw_uid;
        identity->wanted_gid = user->pw_gid;
    }
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
