#include "ctld/control/reserve/ask.h"

#include <string.h>

#include "common/text/licenses.h"
#include "common/text/words.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/act/state.h"
#include "ctld/control/resv/resv.h"
#include "ctld/control/resv/span.h"
#include "ctld/model/license.h"

#define YEAR_S       (INT64_C(365) * 24 * 3600)
#define PURGE_COMP_S 300 /* of PURGE_COMP alone */
#define LATE_S       600 /* a start may be so long ago: the request took its time */

int ask_check_caller(const struct act *act, enum reservation_verb verb,
                     const struct reservation_record *resv, struct err *err)
{
    const struct caller *caller = act->caller;
    const struct resv_guest guest = { .user = caller->user_name,
                                      .groups = caller->group_names,
                                      .groups_n = caller->group_names_n };

    if (caller_has_level(caller, LEVEL_OPERATOR))
        return 0;
    if (verb == RESV_DELETE && resv && resv->flags & RESV_USER_DELETE && resv->users &&
        resv_admits(act->control, resv, &guest))
        return 0;
    return err_set(err, E_USER_ID, "%s", err_string(E_USER_ID));
}

/* ---- lists ---- */

static bool has(const struct words *words, const char *word)
{
    for (uint32_t i = 0; i < words->n; i++) {
        if (text_is(words->at[i] + resv_keeps_out(words->at[i]), word))
            return true;
    }
    return false;
}

static void append(struct strbuf *out, const char *sign, const char *word)
{
    strbuf_addf(out, "%s%s%s", out->len ? "," : "", sign, word);
}

/* Returns whether all words have the sign, or none has. */
static bool is_of_one_sign(const struct words *words)
{
    for (uint32_t i = 1; i < words->n; i++) {
        if (resv_keeps_out(words->at[i]) != resv_keeps_out(words->at[0]))
            return false;
    }
    return true;
}

/* Adds words to a list, or takes them out of it. Those of a list of who is kept out have signs. */
static void change_list(char **list, const struct words *words, bool adds)
{
    const bool denies = resv_keeps_out(*list);
    AUTO(words) struct words old = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };

    if (*list)
        old = words_split(*list, ",");
    for (uint32_t i = 0; i < old.n; i++) {
        if (adds || !has(words, old.at[i] + denies))
            append(&out, "", old.at[i]);
    }
    for (uint32_t i = 0; i < words->n && adds; i++) {
        if (!has(&old, words->at[i]))
            append(&out, denies ? "-" : "", words->at[i]);
    }
    xstrset(list, out.len ? strbuf_text(&out) : NULL);
}

static void deny_all(char **list, const struct words *words)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    for (uint32_t i = 0; i < words->n; i++)
        append(&out, "-", words->at[i] + resv_keeps_out(words->at[i]));
    xstrset(list, strbuf_text(&out));
}

/* What a list names, and how it is refused. */
struct list_rule {
    int code;
    bool denies;                                                       /* "-a" is allowed */
    bool (*is_there)(const struct control *control, const char *name); /* NULL: not looked up */
};

static int refuse_word(const struct list_rule *rule, const char *word, struct err *err)
{
    return err_set(err, rule->code, "%s: %s", err_string(rule->code), word);
}

static int check_words(const struct control *control, const struct words *words,
                       const struct list_rule *rule, struct err *err)
{
    if (!is_of_one_sign(words) || (words->n && resv_keeps_out(words->at[0]) && !rule->denies))
        return refuse_word(rule, words->at[0], err);
    for (uint32_t i = 0; i < words->n && rule->is_there; i++) {
        const char *word = words->at[i] + resv_keeps_out(words->at[i]);

        if (!rule->is_there(control, word))
            return refuse_word(rule, word, err);
    }
    return 0;
}

/* Writes a list. A new one cannot be added to; what is taken out of nothing is kept out. As in
 * Slurm "=-a" takes out of a list of those that are let in. */
static int write_list(const struct control *control, const struct reservation_words *asked,
                      const struct list_rule *rule, char **list, struct err *err)
{
    AUTO(words) struct words words = { 0 };
    int rc;

    if (!asked)
        return 0;
    words = words_split(asked->words ? asked->words : "", ",");
    rc = check_words(control, &words, rule, err);
    if (rc < 0)
        return rc;
    if (asked->how != RESV_SET && words.n && resv_keeps_out(words.at[0]))
        return refuse_word(rule, words.at[0], err);
    if (!*list && asked->how == RESV_MORE)
        return refuse_word(rule, asked->words ? asked->words : "", err);
    if (asked->how == RESV_SET && *list && !resv_keeps_out(*list) && words.n &&
        resv_keeps_out(words.at[0]))
        change_list(list, &words, false);
    else if (asked->how == RESV_SET)
        xstrset(list, words.n ? asked->words : NULL);
    else if (!*list)
        deny_all(list, &words);
    else
        change_list(list, &words, (asked->how == RESV_MORE) != resv_keeps_out(*list));
    return 0;
}

static bool is_account(const struct control *control, const char *name)
{
    return acct_find_account((struct control *)control, name);
}

static bool is_qos(const struct control *control, const char *name)
{
    return acct_find_qos((struct control *)control, name);
}

static bool is_partition(const struct control *control, const char *name)
{
    return model_find_partition(control->model, name);
}

static int write_lists(const struct control *control, const struct reservation_ask *ask,
                       struct reservation_record *resv, struct err *err)
{
    static const struct list_rule users = { E_USER_ID, true, NULL };
    static const struct list_rule groups = { E_GROUP_ID, false, NULL };
    static const struct list_rule accounts = { E_ACCOUNT, true, is_account };
    static const struct list_rule qos = { E_QOS, true, is_qos };
    static const struct list_rule partitions = { E_PARTITION_NAME, true, is_partition };
    int rc = write_list(control, ask->users, &users, &resv->users, err);

    if (rc == 0)
        rc = write_list(control, ask->groups, &groups, &resv->groups, err);
    if (rc == 0)
        rc = write_list(control, ask->accounts, &accounts, &resv->accounts, err);
    if (rc == 0)
        rc = write_list(control, ask->qos, &qos, &resv->qos, err);
    if (rc == 0)
        rc = write_list(control, ask->partitions, &partitions, &resv->partitions, err);
    if (rc == 0 && resv->users && resv->groups)
        return err_set(err, E_RESERVATION_BOTH, "%s", err_string(E_RESERVATION_BOTH));
    if (rc == 0 && !resv->users && !resv->groups && !resv->accounts && !resv->qos &&
        !resv->partitions)
        return err_set(err, E_RESERVATION_EMPTY, "%s", err_string(E_RESERVATION_EMPTY));
    return rc;
}

/* ---- times ---- */

static int err_time(struct err *err)
{
    return err_set(err, E_TIME_VALUE, "%s", err_string(E_TIME_VALUE));
}

static int64_t duration_of(const struct reservation_ask *ask, const struct reservation_record *resv)
{
    const int64_t asked = ask->duration == LIMIT_INFINITE ? YEAR_S : ask->duration;

    if (ask->duration_how == RESV_MORE)
        return resv_length(resv) + asked;
    if (ask->duration_how == RESV_LESS)
        return resv_length(resv) - asked;
    return asked;
}

/* As in Slurm, a duration counts from the start, and an end that is said without one ends it
 * then. */
static int write_times(const struct act *act, const struct reservation_ask *ask,
                       const struct reservation_record *was, struct reservation_record *resv,
                       struct err *err)
{
    const int64_t now_s = act->now.wall_s;
    const int64_t length = was ? resv_length(was) : 0;

    if (ask->start && was && was->start <= now_s && !(was->flags & RESV_TIME_FLOAT))
        return err_set(err, E_RESERVATION_STARTED, "%s", err_string(E_RESERVATION_STARTED));
    if (ask->start) {
        if (ask->start < now_s - LATE_S && !(resv->flags & RESV_FORCE_START))
            return err_time(err);
        resv->start = resv->first_start = ask->start;
        resv->end = ask->start + length;
        resv->made = now_s;
    }
    if (ask->end)
        resv->end = ask->end;
    if (ask->duration != LIMIT_UNSET)
        resv->end = resv->start + duration_of(ask, resv);
    if (resv->end < resv->start || (!was && resv->start == 0) || (was && ask->duration == 0))
        return err_time(err);
    if (ask->end && resv->end < now_s - LATE_S)
        return err_time(err);
    return 0;
}

/* ---- the rest ---- */

static int refuse(int code, const char *why, struct err *err)
{
    return err_set(err, code, "%s: %s", err_string(code), why);
}

/* Refuses what does not go with the flags, or is not changed any more. */
static int check_flags(const struct reservation_ask *ask, const struct reservation_record *was,
                       const struct reservation_record *resv, struct err *err)
{
    const bool replaces = resv->flags & (RESV_REPLACE | RESV_REPLACE_DOWN);

    if (resv->flags & RESV_ANY_NODES && (ask->node_cnt_n || ask->core_cnt_n))
        return refuse(E_RESERVATION, "ANY_NODES is for licenses alone", err);
    if (was && replaces && !(was->flags & (RESV_REPLACE | RESV_REPLACE_DOWN)))
        return refuse(E_NOT_SUPPORTED, "nodes are replaced only where that was asked at first",
                      err);
    if (replaces && ask->nodes)
        return refuse(E_NODE_NAME, "nodes that are named are not replaced", err);
    if (replaces && ask->core_cnt_n)
        return refuse(E_RESERVATION, "parts of nodes are not replaced", err);
    if (was && ask->flags & RESV_PART_NODES && !resv->partition && !ask->partition)
        return refuse(E_PARTITION_NAME, "PART_NODES is for the nodes of a partition", err);
    return 0;
}

static int write_flags(const struct reservation_ask *ask, struct reservation_record *resv,
                       struct err *err)
{
    resv->flags |= ask->flags;
    resv->flags &= ~ask->flags_less;
    if (ask->flags & RESV_LICENSE_ONLY)
        resv->flags |= RESV_ANY_NODES;
    if (resv->flags & RESV_PURGE_COMP && (ask->flags & RESV_PURGE_COMP || !resv->purge_comp_s))
        resv->purge_comp_s = ask->purge_comp_s == COUNT_UNSET ? PURGE_COMP_S : ask->purge_comp_s;
    if (resv->flags & RESV_TIME_FLOAT && resv->flags & RESV_COMES_AGAIN)
        return err_set(err, E_NOT_SUPPORTED, "%s: TIME_FLOAT of a reservation that comes again",
                       err_string(E_NOT_SUPPORTED));
    return 0;
}

static int check_licenses(const struct act *act, const struct reservation_record *resv,
                          struct err *err)
{
    AUTO(licenses) struct licenses list = { 0 };
    struct err why;

    if (licenses_parse(resv->licenses, &list, &why) < 0)
        return err_set(err, E_LICENSES, "%s: %s", err_string(E_LICENSES), why.text);
    for (uint32_t i = 0; i < list.n; i++) {
        const struct license_info *there = model_find_license(act->control->model, list.at[i].name);
        uint64_t wanted = list.at[i].count;
        const struct reservation_record *other;
        uint64_t at = 0;

        while ((other = resv_next(act->control, &at))) {
            AUTO(licenses) struct licenses others = { 0 };

            if (text_is(other->name, resv->name) || !resv_times_meet(resv, other) ||
                licenses_parse(other->licenses, &others, &why) < 0)
                continue;
            wanted += licenses_count(&others, list.at[i].name);
        }
        if (!there || wanted > there->total)
            return err_set(err, E_LICENSES, "%s: %s", err_string(E_LICENSES), list.at[i].name);
    }
    return 0;
}

static void write_numbers(uint32_t **to, uint32_t *to_n, const uint32_t *from, uint32_t n)
{
    free(*to);
    *to = n ? xmemdup(from, n * sizeof(*from)) : NULL;
    *to_n = n;
}

static bool is_more_than_none(const uint32_t *numbers, uint32_t n)
{
    uint32_t i = 0;

    while (i < n && numbers[i] == 0)
        i++;
    return i < n;
}

static int write_rest(const struct act *act, const struct reservation_ask *ask,
                      const struct reservation_record *was, struct reservation_record *resv,
                      struct err *err)
{
    if (ask->gres || ask->gres_per_node)
        return err_set(err, E_NOT_SUPPORTED, "%s: generic resources in a reservation",
                       err_string(E_NOT_SUPPORTED));
    if (was && is_more_than_none(ask->core_cnt, ask->core_cnt_n))
        return err_set(err, E_RESERVATION_PARTS, "%s", err_string(E_RESERVATION_PARTS));
    if (was && ask->node_cnt_n && !is_more_than_none(ask->node_cnt, ask->node_cnt_n))
        return refuse(E_RESERVATION, "no nodes", err);
    if (was && ask->features && *ask->features)
        return refuse(E_NOT_SUPPORTED, "other features", err);
    if (ask->node_cnt_n)
        write_numbers(&resv->nodes_asked, &resv->nodes_asked_n, ask->node_cnt, ask->node_cnt_n);
    if (ask->core_cnt_n)
        write_numbers(&resv->cores_asked, &resv->cores_asked_n, ask->core_cnt, ask->core_cnt_n);
    if (ask->features)
        xstrset(&resv->features, was && !*ask->features ? NULL : ask->features);
    if (ask->partition)
        xstrset(&resv->partition, *ask->partition ? ask->partition : NULL);
    if (resv->partition && !model_find_partition(act->control->model, resv->partition))
        return err_set(err, E_PARTITION_NAME, "%s: %s", err_string(E_PARTITION_NAME),
                       resv->partition);
    if (ask->comment)
        xstrset(&resv->comment, *ask->comment ? ask->comment : NULL);
    if (ask->max_start_delay_s != COUNT_UNSET)
        resv->max_start_delay_s = ask->max_start_delay_s;
    if (ask->licenses)
        xstrset(&resv->licenses, *ask->licenses ? ask->licenses : NULL);
    return ask->licenses ? check_licenses(act, resv, err) : 0;
}

int ask_write(const struct act *act, const struct reservation_ask *ask,
              const struct reservation_record *was, struct reservation_record *resv,
              bool *ret_chooses, struct err *err)
{
    int rc = write_flags(ask, resv, err);

    *ret_chooses = !was || ask->nodes || ask->node_cnt_n || ask->core_cnt_n || ask->features ||
                   ask->partition || ask->start || ask->end || ask->duration != LIMIT_UNSET;
    if (rc == 0)
        rc = check_flags(ask, was, resv, err);
    if (rc == 0)
        rc = write_times(act, ask, was, resv, err);
    if (rc == 0)
        rc = write_lists(act->control, ask, resv, err);
    return rc < 0 ? rc : write_rest(act, ask, was, resv, err);
}
