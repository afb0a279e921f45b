#include "ctld/control/acct/leave.h"

#include <string.h>

#include "ctld/control/acct/common.h"
#include "ctld/control/acct/in_use.h"
#include "ctld/control/act/state.h"

/* Returns the next wckey that the user has, as kept_next does. */
static struct wckey_record *next_wckey(struct control *control, const char *user, uint64_t *serial)
{
    struct kept_table *wckeys = control_kept(control, KEPT_WCKEY);
    struct wckey_record *wckey;

    while ((wckey = kept_next(wckeys, serial))) {
        if (!wckey->deleted && strcmp(wckey->user, user) == 0)
            return wckey;
    }
    return NULL;
}

int acct_check_leave(struct control *control, const char *user, struct err *err)
{
    const struct wckey_record *wckey;
    uint64_t serial = 0;
    int rc = 0;

    while (rc == 0 && (wckey = next_wckey(control, user, &serial))) {
        if (wckey->name)
            rc = in_use_check_wckey(control, wckey, err);
    }
    return rc;
}

static void drop_wckey(struct act *act, struct wckey_record *wckey)
{
    AUTO(wckey_record) struct wckey_record before;

    schema_copy(wckey_record_schema(), &before, wckey);
    wckey->deleted = act->now.wall_s;
    wckey->is_default = false;
    acct_stamp(act, &wckey_rules, &before, wckey);
    kept_note(act, KEPT_WCKEY, wckey);
    acct_tell(act, wckey_record_schema(), &before, wckey, "WCKeys", wckey->key);
}

static void leave_account(struct act *act, struct account_record *account, const char *user)
{
    AUTO(account_record) struct account_record before;
    uint32_t kept = 0;

    schema_copy(account_record_schema(), &before, account);
    for (uint32_t i = 0; i < account->coordinators_n; i++) {
        if (strcmp(account->coordinators[i], user) == 0)
            free(account->coordinators[i]);
        else
            account->coordinators[kept++] = account->coordinators[i];
    }
    if (kept < account->coordinators_n) {
        account->coordinators_n = kept;
        acct_stamp(act, &account_rules, &before, account);
        kept_note(act, KEPT_ACCOUNT, account);
        acct_tell_coordinators(act, &before, account);
    }
}

void acct_leave(struct act *act, const char *user)
{
    struct control *control = act->control;
    struct kept_table *accounts = control_kept(control, KEPT_ACCOUNT);
    struct account_record *account;
    struct wckey_record *wckey;
    uint64_t serial = 0;

    if (control->is_following)
        return;
    while ((wckey = next_wckey(control, user, &serial)))
        drop_wckey(act, wckey);
    serial = 0;
    while ((account = kept_next(accounts, &serial))) {
        if (!account->deleted)
            leave_account(act, account, user);
    }
}
