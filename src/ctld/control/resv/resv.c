#include "ctld/control/resv/resv.h"

#include "common/text/words.h"
#include "ctld/control/acct/common.h"
#include "ctld/control/acct/tree.h"
#include "ctld/control/act/state.h"

static struct kept_table *table(const struct control *control)
{
    return control_kept((struct control *)control, KEPT_RESERVATION);
}

struct reservation_record *resv_find(const struct control *control, const char *name)
{
    return kept_find(table(control), name);
}

struct reservation_record *resv_next(const struct control *control, uint64_t *at)
{
    return kept_next(table(control), at);
}

/* ---- who may use it ---- */

/* Finds the words of a list; returns whether they are those that it keeps out, "-a,-b". */
static bool keeps_out(const char *list)
{
    return list && list[0] == '-';
}

static bool has_word(const char *list, const char *word)
{
    AUTO(words) struct words words = words_split(list, ",");

    for (uint32_t i = 0; word && i < words.n; i++) {
        if (text_is(words.at[i] + (words.at[i][0] == '-'), word))
            return true;
    }
    return false;
}

static bool list_admits(const char *list, const char *word)
{
    return !list || has_word(list, word) != keeps_out(list);
}

static bool has_group(const char *list, const struct resv_guest *guest)
{
    for (uint32_t i = 0; i < guest->groups_n; i++) {
        if (has_word(list, guest->groups[i]))
            return true;
    }
    return false;
}

/* Returns whether the list has the guest's account, or one above it. */
static bool has_account(const struct control *control, const char *list,
                        const struct resv_guest *guest)
{
    const struct assoc *assoc = NULL;

    if (has_word(list, guest->account))
        return true;
    if (guest->account)
        assoc = acct_tree_find((struct control *)control, guest->account, guest->user,
                               guest->partition);
    for (; assoc; assoc = assoc->parent) {
        if (has_word(list, assoc->rec.account))
            return true;
    }
    return false;
}

bool resv_admits(const struct control *control, const struct reservation_record *resv,
                 const struct resv_guest *guest)
{
    if (resv->groups && has_group(resv->groups, guest) == keeps_out(resv->groups))
        return false;
    if (resv->accounts && has_account(control, resv->accounts, guest) == keeps_out(resv->accounts))
        return false;
    return list_admits(resv->users, guest->user) && list_admits(resv->qos, guest->qos) &&
           list_admits(resv->partitions, guest->partition);
}

bool resv_is_open(const struct reservation_record *resv, int64_t wall_s)
{
    return resv->start <= wall_s && wall_s < resv->end;
}

/* ---- listings ---- */

/* True if some account of the user lets him use it. */
static bool admits_by_account(const struct control *control, const struct reservation_record *resv,
                              struct resv_guest *guest)
{
    const struct acct_user *user = acct_tree_user((struct control *)control, guest->user);

    if (!user)
        return resv_admits(control, resv, guest);
    for (const struct assoc *assoc = user->first; assoc; assoc = assoc->next_of_user) {
        guest->account = assoc->rec.account;
        if (resv_admits(control, resv, guest))
            return true;
    }
    return false;
}

/* With PrivateData=reservations users are shown those that they may use. */
static bool shows(const struct control *control, const struct caller *caller, const void *record)
{
    struct reservation_record resv = *(const struct reservation_record *)record;
    struct resv_guest guest = { .user = caller->user_name,
                                .groups = caller->group_names,
                                .groups_n = caller->group_names_n };

    resv.qos = resv.partitions = NULL; /* he may have jobs of any */
    return acct_sees(control, caller, PRIVATE_RESERVATIONS) ||
           admits_by_account(control, &resv, &guest);
}

/* Requests of their own change reservations (control/reserve). */
const struct kept_rules reservation_rules = { .kind = KEPT_RESERVATION, .shows = shows };
