/* Who may change what: levels of users, coordinators of accounts and of those below them. */
#include <string.h>

#include "common/text/words.h"
#include "ctld/control/acct/common.h"
#include "ctld/control/act/state.h"

/* What a user of each AdminLevel may. */
static const enum caller_level levels[ADMIN_LEVELS_N] = {
    [ADMIN_NONE] = LEVEL_USER,
    [ADMIN_OPERATOR] = LEVEL_OPERATOR,
    [ADMIN_ADMINISTRATOR] = LEVEL_ADMINISTRATOR,
};

enum caller_level acct_level(struct control *control, const char *user)
{
    const struct user_record *rec = user ? acct_find_user(control, user) : NULL;

    return rec && rec->admin_level < ADMIN_LEVELS_N ? levels[rec->admin_level] : LEVEL_USER;
}

bool acct_gives_level(const struct caller *caller, uint32_t level)
{
    return level < ADMIN_LEVELS_N && caller_has_level(caller, levels[level]);
}

/* Returns whether the caller is named as a coordinator of the account, or is one because he is in
 * it; `cluster` NULL: on any. */
static bool is_coordinator(struct control *control, const struct account_record *account,
                           const char *cluster, const struct caller *caller)
{
    if (!account || !caller->user_name)
        return false;
    for (uint32_t i = 0; i < account->coordinators_n; i++) {
        if (strcmp(account->coordinators[i], caller->user_name) == 0)
            return true;
    }
    return account->flags & ACCOUNT_USERS_ARE_COORDS &&
           acct_user_is_in(control, cluster, account->name, caller->user_name);
}

static bool coordinates_on(struct control *control, const struct caller *caller,
                           const char *cluster, const char *account)
{
    for (const char *at = account; at;) {
        const struct assoc_record *assoc = acct_find_assoc(control, cluster, at, NULL, NULL);

        if (is_coordinator(control, acct_find_account(control, at), cluster, caller))
            return true;
        at = assoc ? assoc->parent : NULL;
    }
    return false;
}

bool acct_coordinates(struct control *control, const struct caller *caller, const char *cluster,
                      const char *account)
{
    const struct cluster_record *any;
    uint64_t serial = 0;

    if (cluster)
        return coordinates_on(control, caller, cluster, account);
    while ((any = kept_next(control_kept(control, KEPT_CLUSTER), &serial))) {
        if (!any->deleted && coordinates_on(control, caller, any->name, account))
            return true;
    }
    return false;
}

/* Returns whether the caller is a coordinator of an account of this cluster. */
static bool coordinates_here(const struct control *control, const struct caller *caller,
                             const char *account)
{
    struct control *mine = (struct control *)(uintptr_t)control;

    return acct_coordinates(mine, caller, control->model->config.cluster_name, account);
}

bool acct_coordinates_any(struct control *control, const struct caller *caller)
{
    struct kept_table *accounts = control_kept(control, KEPT_ACCOUNT);
    const struct account_record *account;
    uint64_t serial = 0;

    while ((account = kept_next(accounts, &serial))) {
        if (!account->deleted && is_coordinator(control, account, NULL, caller))
            return true;
    }
    return false;
}

bool acct_may_alter_job(const struct control *control, const struct caller *caller,
                        const struct job_record *job)
{
    return job->uid == caller->uid || caller_has_level(caller, LEVEL_OPERATOR) ||
           (job->spec && coordinates_here(control, caller, job->spec->account));
}

bool acct_sees_usage(struct control *control, const struct caller *caller, const char *cluster,
                     const char *account, const char *user)
{
    if (!(control->model->config.private_data & PRIVATE_USAGE) ||
        caller_has_level(caller, LEVEL_OPERATOR))
        return true;
    return (user && text_is(caller->user_name, user)) ||
           (account && acct_coordinates(control, caller, cluster, account));
}

int acct_check_range(const struct control *control, const struct caller *caller, int64_t from,
                     int64_t until, struct err *err)
{
    const int64_t most = INT64_C(60) * control->model->config.max_query_min;

    if (!most || !from || until - from <= most || caller_has_level(caller, LEVEL_OPERATOR))
        return 0;
    return err_set(err, E_QUERY_TOO_WIDE, "%s", err_string(E_QUERY_TOO_WIDE));
}

bool acct_sees_jobs_of_others(const struct control *control, const struct caller *caller)
{
    struct control *mine = (struct control *)(uintptr_t)control;

    return acct_sees(control, caller, PRIVATE_JOBS) || acct_coordinates_any(mine, caller);
}

bool acct_sees_job(const struct control *control, const struct caller *caller, const char *cluster,
                   const struct job_record *job)
{
    struct control *mine = (struct control *)(uintptr_t)control;

    return job->uid == caller->uid || acct_sees(control, caller, PRIVATE_JOBS) ||
           (job->spec && acct_coordinates(mine, caller, cluster, job->spec->account));
}

bool acct_sees_changes(const struct control *control, const struct caller *caller)
{
    return acct_sees(control, caller, PRIVATE_ACCOUNTS | PRIVATE_USERS | PRIVATE_EVENTS);
}
