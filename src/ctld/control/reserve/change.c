/* The verbs: create, update, delete. */
#include <string.h>

#include "common/base/minmax.h"
#include "common/text/words.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/reserved.h"
#include "ctld/control/feed/resv.h"
#include "ctld/control/reserve/ask.h"
#include "ctld/control/reserve/choose.h"
#include "ctld/control/reserve/reserve.h"
#include "ctld/control/resv/resv.h"
#include "ctld/control/resv/span.h"

static int refuse(int code, struct err *err)
{
    return err_set(err, code, "%s", err_string(code));
}

/* ---- names ---- */

/* Returns the first user, group or account of a list, for a name. */
static void add_first(const char *list, struct strbuf *out)
{
    const char *word = list + (list[0] == '-');

    strbuf_add(out, word, strcspn(word, ","));
}

/* Names a reservation as Slurm does: after who may use it, with the next number. */
static char *make_name(const struct control *control, const struct reservation_record *resv)
{
    const struct kept_table *table = control_kept((struct control *)control, KEPT_RESERVATION);
    uint32_t number = table->last_number + 1;
    AUTO(strbuf) struct strbuf name = { 0 };

    for (;; number++) {
        strbuf_truncate(&name, 0);
        add_first(resv->accounts ? resv->accounts
                  : resv->users  ? resv->users
                  : resv->groups ? resv->groups
                                 : "resv",
                  &name);
        strbuf_addf(&name, "_%u", number);
        if (!resv_find(control, strbuf_text(&name)))
            return strbuf_steal(&name);
    }
}

#define NAME_MAX_BYTES 255

/* Refuses a name that could not be asked for: jobs name several with commas between. */
static int check_name(const char *name, struct err *err)
{
    if (name[0] && strlen(name) <= NAME_MAX_BYTES && !strpbrk(name, ", \t\"'="))
        return 0;
    return err_set(
        err, E_RESERVATION,
        "%s: '%s' is no name for one: 1 to %d bytes without blanks, commas, quotes and =",
        err_string(E_RESERVATION), name, NAME_MAX_BYTES);
}

/* ---- nodes ---- */

static bool is_all(const char *hosts)
{
    return word_is(hosts, "ALL");
}

/* Returns the partition of Nodes=ALL or of none: whose nodes the reservation has. */
static const struct partition_info *partition_of(const struct control *control,
                                                 const struct reservation_record *resv)
{
    const struct partition *part =
        resv->partition ? model_find_partition(control->model, resv->partition) : NULL;

    return part ? part->conf : NULL;
}

static char *all_nodes(const struct model *model)
{
    AUTO(bitset) struct bitset nodes = { 0 };

    bitset_init(&nodes, model->nodes_n);
    bitset_fill(&nodes);
    return model_node_names(model, &nodes);
}

/* Returns the list with more nodes, or without some. E_NODE_NAME. */
static int change_nodes(const struct model *model, const struct reservation_record *resv,
                        const struct reservation_words *asked, char **ret, struct err *err)
{
    AUTO(bitset) struct bitset nodes = { 0 }, other = { 0 };

    if (model_known_nodes(model, resv->nodes ? resv->nodes : "", &nodes, err) < 0 ||
        model_node_set(model, asked->words, &other, err) < 0)
        return err_set(err, E_NODE_NAME, "%s: %s", err_string(E_NODE_NAME), asked->words);
    if (asked->how == RESV_MORE)
        bitset_or(&nodes, &other);
    else
        bitset_minus(&nodes, &other);
    *ret = model_node_names(model, &nodes);
    return 0;
}

/* Finds which nodes are named: by Nodes=, or as all of the partition; NULL: none, so that they are
 * chosen. */
static int name_nodes(const struct act *act, const struct reservation_ask *ask,
                      struct reservation_record *resv, char **ret, struct err *err)
{
    const struct partition_info *part = partition_of(act->control, resv);
    const struct reservation_words *asked = ask->nodes;
    const bool counts = resv->nodes_asked_n || resv->cores_asked_n;

    *ret = NULL;
    if (asked && asked->how != RESV_SET)
        return change_nodes(act->control->model, resv, asked, ret, err);
    if (part && (asked ? is_all(asked->words) : !counts && !(resv->flags & RESV_SPEC_NODES))) {
        resv->flags |= RESV_SPEC_NODES | RESV_PART_NODES;
        *ret = xstrdup(part->nodes);
    } else if (asked && is_all(asked->words)) {
        resv->flags |= RESV_SPEC_NODES | RESV_ALL_NODES;
        *ret = all_nodes(act->control->model);
    } else if (asked && asked->words && !*asked->words) { /* those that it has, but not by name */
        resv->flags &= ~(uint64_t)(RESV_ALL_NODES | RESV_PART_NODES | RESV_SPEC_NODES);
        *ret = resv->nodes ? xstrdup(resv->nodes) : NULL;
    } else if (asked && asked->words) {
        resv->flags &= ~(uint64_t)(RESV_ALL_NODES | RESV_PART_NODES);
        resv->flags |= RESV_SPEC_NODES;
        *ret = xstrdup(asked->words);
    } else if (resv->flags & RESV_SPEC_NODES && !ask->node_cnt_n) {
        *ret = xstrdup(resv->nodes);
    }
    return 0;
}

/* Gives the reservation its nodes. One of licenses alone has none. */
static int give_nodes(struct act *act, const struct reservation_ask *ask,
                      struct reservation_record *resv, struct err *err)
{
    AUTO_FREE char *named = NULL;
    int rc;

    if (resv->flags & RESV_ANY_NODES && resv->licenses && !ask->nodes && !resv->nodes_asked_n &&
        !resv->cores_asked_n)
        return 0;
    rc = name_nodes(act, ask, resv, &named, err);
    if (rc == 0 && !named && !resv->nodes_asked_n && !resv->cores_asked_n)
        return refuse(E_NODE_NAME, err);
    return rc < 0 ? rc : reserve_choose(act, resv, named, err);
}

/* ---- what follows ---- */

/* Tells the planner. Who is drawn into a magnetic one is told with each job. */
static void tell(struct act *act, uint64_t flags_before, const struct reservation_record *resv)
{
    feed_watch_reserved(act);
    feed_reservation(act, resv);
    act->control->resv_marked = false;
    if ((flags_before | resv->flags) & RESV_MAGNETIC)
        act->control->planner_stale = true;
    control_wake_at(act->control, act->now.cluster_ms);
}

void reserve_gone(struct act *act, struct reservation_record *resv)
{
    const uint32_t id = resv->id;

    if (resv->flags & RESV_MAGNETIC)
        act->control->planner_stale = true;
    kept_drop(act, KEPT_RESERVATION, resv);
    feed_watch_reserved(act);
    feed_reservation_gone(act, id);
    act->control->resv_marked = false;
    control_wake_at(act->control, act->now.cluster_ms);
}

/* Has jobs that run in it end with its new end. */
static void move_ends(struct act *act, const struct reservation_record *resv)
{
    for (struct job *job = act->control->model->jobs; job; job = job->hh.next) {
        if (job->rec.resv_id != resv->id || !job_state_is_active(job->rec.state) ||
            job->rec.resv_end == resv->end)
            continue;
        job->rec.resv_end = resv->end;
        turn_note_job(act->turn, &job->rec);
        feed_job_end(act, job);
    }
}

/* Gives the record in the table what the other has; its name, by which the table finds it, is the
 * same. */
static void become(struct reservation_record *resv, struct reservation_record *other)
{
    const struct reservation_record was = *resv;

    *resv = *other;
    *other = was;
    other->name = resv->name;
    resv->name = was.name;
}

/* ---- the verbs ---- */

static int create(struct act *act, const struct reservation_ask *ask,
                  struct reservation_changed *ret, struct err *err)
{
    AUTO(reservation_record) struct reservation_record resv;
    struct reservation_record *made;
    bool chooses;
    int rc;

    reservation_record_init(&resv);
    resv.creator = xstrdup(act->caller->user_name);
    resv.made = act->now.wall_s;
    rc = ask_write(act, ask, NULL, &resv, &chooses, err);
    if (rc == 0 && ask->name)
        rc = check_name(ask->name, err);
    if (rc < 0)
        return rc;
    resv.name = ask->name ? xstrdup(ask->name) : make_name(act->control, &resv);
    resv.first_start = resv.start;
    rc = give_nodes(act, ask, &resv, err);
    if (rc < 0)
        return rc;
    if (resv_find(act->control, resv.name))
        return refuse(E_RESERVATION_NAME, err);
    made = kept_create(act, KEPT_RESERVATION, &resv);
    tell(act, 0, made);
    ret->name = xstrdup(made->name);
    return 0;
}

/* Leaves out the present or next time of one that comes again. */
static int skip(const struct act *act, struct reservation_record *resv, struct err *err)
{
    const int64_t next = resv_next_start(resv, MAX(resv->start, act->now.wall_s));
    const int64_t length = resv_length(resv);

    if (next == 0)
        return refuse(E_RESERVATION_NO_SKIP, err);
    if (resv_is_used(act->control, resv))
        return refuse(E_RESERVATION_IN_USE, err);
    resv->start = next;
    resv->end = next + length;
    return 0;
}

static int update(struct act *act, const struct reservation_ask *ask,
                  struct reservation_record *resv, struct err *err)
{
    AUTO(reservation_record) struct reservation_record other;
    bool chooses;
    int rc;

    schema_copy(reservation_record_schema(), &other, resv);
    rc = ask_write(act, ask, resv, &other, &chooses, err);
    if (rc == 0 && ask->skip)
        rc = skip(act, &other, err);
    if (rc == 0 && chooses)
        rc = give_nodes(act, ask, &other, err);
    if (rc < 0)
        return rc;
    become(resv, &other);
    kept_note(act, KEPT_RESERVATION, resv);
    tell(act, other.flags, resv);
    move_ends(act, resv);
    return 0;
}

static bool is_named(const struct act *act, const struct reservation_record *resv)
{
    for (const struct job *job = act->control->model->jobs; job; job = job->hh.next) {
        if (!job_state_is_over(job->rec.state) && resv_is_named(&job->rec, resv))
            return true;
    }
    return false;
}

static int delete (struct act *act, struct reservation_record *resv, struct err *err)
{
    if (is_named(act, resv))
        return refuse(E_RESERVATION_IN_USE, err);
    reserve_gone(act, resv);
    return 0;
}

int reserve_change(struct act *act, const struct reservation_change *request,
                   struct reservation_changed *ret, struct err *err)
{
    const struct reservation_ask *ask = request->ask;
    struct reservation_record *resv = ask->name ? resv_find(act->control, ask->name) : NULL;
    int rc = ask_check_caller(act, (enum reservation_verb)request->verb, resv, err);

    if (rc < 0)
        return rc;
    if (request->verb == RESV_CREATE)
        return create(act, ask, ret, err);
    if (!resv)
        return err_set(err, E_RESERVATION, "%s: there is no reservation %s",
                       err_string(E_RESERVATION), ask->name ? ask->name : "");
    ret->name = xstrdup(resv->name);
    return request->verb == RESV_DELETE ? delete (act, resv, err) : update(act, ask, resv, err);
}
