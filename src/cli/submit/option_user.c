/* option_user.c - --uid and --gid: root asks for a job of somebody else. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "cli/submit/option_table.h"
#include "common/text/words.h"

static int refuse(const struct option_row *row, const char *value, struct err *err)
{
    return err_set(err, EINVAL, "Invalid --%s specification: %.100s", row->name, value);
}

static int check_root(const struct option_row *row, struct err *err)
{
    if (geteuid() == 0)
        return 0;
    return err_set(err, EINVAL, "--%s only permitted by root user", row->name);
}

int option_set_uid(struct submit_options *options, const struct option_row *row, const char *value,
                   struct err *err)
{
    const struct passwd *user;
    uint64_t number;
    int rc = check_root(row, err);

    if (rc < 0)
        return rc;
    user = number_parse(value, 0, UINT32_MAX - 1, &number, NULL) == 0 ? getpwuid((uid_t)number)
                                                                      : getpwnam(value);
    if (!user)
        return refuse(row, value, err);
    options->uid = user->pw_uid;
    options->user_gid = user->pw_gid;
    xstrset(&options->user_name, user->pw_name);
    return 0;
}

int option_set_gid(struct submit_options *options, const struct option_row *row, const char *value,
                   struct err *err)
{
    const struct group *group;
    uint64_t number;
    int rc = check_root(row, err);

    if (rc < 0)
        return rc;
    if (number_parse(value, 0, UINT32_MAX - 1, &number, NULL) == 0) {
        options->gid = (uint32_t)number;
        return 0;
    }
    group = getgrnam(value);
    if (!group)
        return refuse(row, value, err);
    options->gid = group->gr_gid;
    return 0;
}

int option_become_user(const struct submit_options *options, struct err *err)
{
    const bool other = options->uid != COUNT_UNSET;
    const gid_t gid = options->gid != COUNT_UNSET ? options->gid : options->user_gid;

    if (!other && options->gid == COUNT_UNSET)
        return 0;
    if ((other && initgroups(options->user_name, gid) < 0) || setresgid(gid, gid, gid) < 0 ||
        (other && setresuid(options->uid, options->uid, options->uid) < 0))
        return err_set(err, errno, "cannot become uid %u, gid %u: %s",
                       other ? options->uid : (unsigned)getuid(), (unsigned)gid, strerror(errno));
    return 0;
}
