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

struct reservation_record *resv_find_id(const struct control *control, uint32_t id)
{
    struct reservation_record *resv;
    uint64_t at = 0;

    while ((resv = resv_next(control, &at)) && resv->id != id)
        ;
    return resv;
}

bool resv_any(const struct control *control)
{
    return table(control)->n > 0;
}

/* ---- who may use it ---- */

bool resv_keeps_out(const char *list)
{
    return list && list[0] == '-';
}

static bool has_word(const char *list, const char *word)
{
    AUTO(words) struct words words = words_split(list ? list : "", ",");

    for (uint32_t i = 0; word && i < words.n; i++) {
        if (text_is(words.at[i] + resv_keeps_out(words.at[i]), word))
            return true;
    }
    return false;
}

static bool list_admits(const char *list, const char *word)
{
    return !list || has_word(list, word) != resv_keeps_out(list);
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
    if (resv->groups && has_group(resv->groups, guest) == resv_keeps_out(resv->groups))
        return false;
    if (resv->accounts &&
        has_account(control, resv->accounts, guest) == resv_keeps_out(resv->accounts))
        return false;
    return list_admits(resv->users, guest->user) && list_admits(resv->qos, guest->qos) &&
           list_admits(resv->partitions, guest->partition);
}

bool resv_is_open(const struct reservation_record *resv, int64_t wall_s)
{
    return resv->start <= wall_s && wall_s < resv->end && !(resv->flags & RESV_TIME_FLOAT);
}

/* ---- jobs in it ---- */

int64_t resv_ends_job_ms(const struct control *control, struct moment now,
                         const struct job_record *rec)
{
    const struct reservation_record *resv =
        rec->resv_id && rec->resv_end ? resv_find_id(control, rec->resv_id) : NULL;
    const int64_t over_s = control->model->config.resv_over_run_s;

    if (!resv || resv->flags & RESV_FLEX || over_s == LIMIT_INFINITE)
        return INT64_MAX;
    return moment_ms_of_wall(now, rec->resv_end + over_s);
}

void resv_enter(struct job_record *rec, const struct reservation_record *resv)
{
    xstrset(&rec->resv_name, resv ? resv->name : NULL);
    rec->resv_id = resv ? resv->id : 0;
    rec->resv_end = resv ? resv->end : 0;
}

bool resv_is_own(const struct reservation_record *resv, const struct job_record *rec)
{
    return resv->id && rec->resv_id == resv->id;
}

bool resv_is_named(const struct job_record *rec, const struct reservation_record *resv)
{
    return resv_is_own(resv, rec) || has_word(rec->spec->reservation, resv->name);
}

bool resv_is_used(const struct control *control, const struct reservation_record *resv)
{
    for (const struct job *job = control->model->jobs; job; job = job->hh.next) {
        if (resv_is_own(resv, &job->rec) && job_state_is_active(job->rec.state))
            return true;
    }
    return false;
}

void resv_forget_name(struct job_record *rec, const char *name)
{
    AUTO(words) struct words names = { 0 };
    AUTO(strbuf) struct strbuf left = { 0 };

    if (rec->spec->reservation)
        names = words_split(rec->spec->reservation, ",");
    for (uint32_t i = 0; i < names.n; i++) {
        if (!text_is(names.at[i], name))
            strbuf_addf(&left, "%s%s", left.len ? "," : "", names.at[i]);
    }
    xstrset(&rec->spec->reservation, left.len ? strbuf_text(&left) : NULL);
}

/* ---- nodes in it ---- */

static void mark(const struct model *model, const struct reservation_record *resv)
{
    AUTO(bitset) struct bitset nodes = { 0 };
    struct err err;

    if (!resv->nodes || model_known_nodes(model, resv->nodes, &nodes, &err) < 0)
        return;
    BITSET_FOREACH (&nodes, i) {
        struct node *node = &model->nodes[i];

        xstrset(&node->resv_name, resv->name);
        node->in_maint = node->in_maint || resv->flags & RESV_MAINT;
    }
}

void resv_mark_nodes(const struct control *control, int64_t wall_s)
{
    const struct reservation_record *resv;
    uint64_t at = 0;

    for (uint32_t i = 0; i < control->model->nodes_n; i++) {
        xstrset(&control->model->nodes[i].resv_name, NULL);
        control->model->nodes[i].in_maint = false;
    }
    while ((resv = resv_next(control, &at))) {
        if (resv_is_open(resv, wall_s))
            mark(control->model, resv);
    }
}

/* ---- who asks for it ---- */

/* Nothing ever begins in one whose start stays away. */
static int check_one(const struct control *control, const char *name,
                     const struct resv_guest *guest, struct err *err)
{
    const struct reservation_record *resv = resv_find(control, name);

    if (!resv)
        return err_set(err, E_RESERVATION, "%s: there is no reservation %s",
                       err_string(E_RESERVATION), name);
    if (resv->flags & RESV_TIME_FLOAT)
        return err_set(err, E_RESERVATION_ACCESS, "%s: reservation %s never begins (TIME_FLOAT)",
                       err_string(E_RESERVATION_ACCESS), name);
    if (!resv_admits(control, resv, guest))
        return err_set(err, E_RESERVATION_ACCESS, "%s: reservation %s is not for you",
                       err_string(E_RESERVATION_ACCESS), name);
    return 0;
}

int resv_check(const struct control *control, const char *names, const struct resv_guest *guest,
               struct err *err)
{
    AUTO(words) struct words list = { 0 };
    int rc = 0;

    if (names)
        list = words_split(names, ",");
    for (uint32_t i = 0; i < list.n && rc == 0; i++)
        rc = check_one(control, list.at[i], guest, err);
    return rc;
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
