#include "cli/sacctmgr/level.h"

#include <pwd.h>
#include <unistd.h>

#include "cli/lib/records.h"
#include "common/text/words.h"

static bool has_level(const struct user_record *user, enum admin_level least)
{
    return !user->deleted && user->admin_level >= (uint32_t)least;
}

bool level_reached(const struct mgr *mgr, enum admin_level least)
{
    const struct passwd *self = getpwuid(getuid());
    AUTO(records) struct records users = { 0 };
    AUTO(kept_list) struct kept_list own;

    kept_list_init(&own);
    own.kind = KEPT_USER;
    if (getuid() == 0 || (self && text_is(self->pw_name, mgr->command->cli.conf->slurm_user)))
        return true;
    if (!self)
        return false;
    own.like =
        schema_encode_blob(user_record_schema(), &(struct user_record){ .name = self->pw_name });
    *ARRAY_PUSH(own.match, own.match_n) = schema_find(user_record_schema(), "name")->tag;
    return records_load_kept(mgr->command->cli.client, &own, &users, NULL) == 0 && users.n == 1 &&
           has_level(record_at(&users, 0), least);
}

void level_refuse(struct mgr *mgr, const char *why)
{
    struct err err = { 0 };

    err_set(&err, E_ACCESS, "%s", why);
    mgr_refuse_value(mgr, &err);
    mgr_refuse(mgr, " Error with request: %s", err_string(E_ACCESS));
}
