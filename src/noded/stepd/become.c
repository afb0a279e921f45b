#include "noded/stepd/become.h"

#include <errno.h>
#include <grp.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int refuse(const struct launch_cred *cred, const char *what, struct err *err)
{
    return err_set(err, errno, "cannot become user %s (uid %u, gid %u): %s: %s", cred->user_name,
                   cred->uid, cred->gid, what, strerror(errno));
}

static int take_ids(const struct launch_cred *cred, struct err *err)
{
    /* U32S holds uint32_t, which is what gid_t is here. */
    _Static_assert(sizeof(gid_t) == sizeof(uint32_t), "groups are copied as they are");

    if (setgroups(cred->groups_n, cred->groups) < 0)
        return refuse(cred, "setgroups", err);
    if (setresgid(cred->gid, cred->gid, cred->gid) < 0)
        return refuse(cred, "setresgid", err);
    if (setresuid(cred->uid, cred->uid, cred->uid) < 0)
        return refuse(cred, "setresuid", err);
    return 0;
}

static int check_ids(const struct launch_cred *cred, struct err *err)
{
    uid_t real, effective, saved;
    gid_t real_gid, effective_gid, saved_gid;

    if (getresuid(&real, &effective, &saved) < 0 ||
        getresgid(&real_gid, &effective_gid, &saved_gid) < 0)
        return refuse(cred, "getresuid", err);
    errno = EPERM;
    if (real != cred->uid || effective != cred->uid || saved != cred->uid ||
        real_gid != cred->gid || effective_gid != cred->gid || saved_gid != cred->gid)
        return refuse(cred, "the ids did not change", err);
    if (cred->uid != 0 && setresuid(0, 0, 0) == 0) {
        errno = EPERM;
        return refuse(cred, "there is a way back to root", err);
    }
    return 0;
}

int as_root_become(const struct launch_cred *cred, struct err *err)
{
    int rc;

    if (geteuid() != 0) {
        errno = EPERM;
        return geteuid() == cred->uid ? 0 : refuse(cred, "this node daemon is not root", err);
    }
    rc = take_ids(cred, err);
    if (rc == 0)
        rc = check_ids(cred, err);
    (void)prctl(PR_SET_DUMPABLE, 0);
    return rc;
}
