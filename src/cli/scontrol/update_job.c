#include "cli/scontrol/update_job.h"

#include <errno.h>
#include <string.h>

#include "cli/lib/mail_events.h"
#include "cli/scontrol/update.h"
#include "common/text/duration.h"
#include "common/text/size.h"
#include "common/text/timetext.h"
#include "common/text/words.h"

#define NICE_ALONE 100 /* what Nice without a value means */
#define NICE_MAX   2147483645

/* What is read so far. */
struct reading {
    struct job_update *update;
    int64_t now;
    const char *pair; /* the one that is read */
    char *value;      /* its value, without quotes */
};

static int err_invalid(const struct reading *reading, struct err *err)
{
    return err_set(err, EINVAL, "Invalid input: %.200s\nRequest aborted", reading->pair);
}

static void set(struct reading *reading, uint32_t tag)
{
    *ARRAY_PUSH(reading->update->set, reading->update->set_n) = tag;
}

static void *member_of(struct reading *reading, uint32_t tag)
{
    const struct schema_field *field = schema_find_tag(job_spec_schema(), tag);

    return (char *)reading->update->spec + field->offset;
}

/* ---- values; each fails with EINVAL ---- */

static int read_text(struct reading *reading, uint32_t tag, struct err *err)
{
    char **text = member_of(reading, tag);

    (void)err;
    xstrset(text, reading->value);
    set(reading, tag);
    return 0;
}

static int read_count(struct reading *reading, uint32_t tag, struct err *err)
{
    uint64_t number;

    if (number_parse(reading->value, 0, COUNT_UNSET - 1, &number, NULL) < 0)
        return err_invalid(reading, err);
    *(uint32_t *)member_of(reading, tag) = (uint32_t)number;
    set(reading, tag);
    return 0;
}

static int read_size(struct reading *reading, uint32_t tag, struct err *err)
{
    if (size_parse_mb(reading->value, member_of(reading, tag), NULL) < 0)
        return err_invalid(reading, err);
    set(reading, tag);
    return 0;
}

static int read_yes(const struct reading *reading, bool *ret, struct err *err)
{
    if (word_is(reading->value, "yes") || word_is(reading->value, "1"))
        *ret = true;
    else if (word_is(reading->value, "no") || word_is(reading->value, "0"))
        *ret = false;
    else
        return err_invalid(reading, err);
    return 0;
}

static int read_bool(struct reading *reading, uint32_t tag, struct err *err)
{
    int rc = read_yes(reading, member_of(reading, tag), err);

    if (rc == 0)
        set(reading, tag);
    return rc;
}

static int read_time(struct reading *reading, uint32_t tag, struct err *err)
{
    if (time_parse(reading->value, reading->now, member_of(reading, tag), err) < 0)
        return -EINVAL;
    set(reading, tag);
    return 0;
}

static int read_limit(struct reading *reading, uint32_t tag, struct err *err)
{
    const char sign = reading->value[0];
    int64_t seconds;

    /* "-1" is no limit to other commands, a minute less to this one. */
    if (tag == SPEC_TAG_time_limit && (sign == '+' || sign == '-')) {
        if (duration_parse(reading->value + 1, &seconds, NULL) < 0 || seconds < 0)
            return err_invalid(reading, err);
        reading->update->more_time_s = sign == '-' ? -seconds : seconds;
        return 0;
    }
    if (duration_parse(reading->value, &seconds, NULL) < 0)
        return err_invalid(reading, err);
    *(int64_t *)member_of(reading, tag) = seconds < 0 ? LIMIT_INFINITE : duration_round_up(seconds);
    set(reading, tag);
    return 0;
}

/* "2" or "2-4". */
static int read_range(const struct reading *reading, uint32_t *ret_min, uint32_t *ret_max,
                      struct err *err)
{
    AUTO_FREE char *low = xstrdup(reading->value);
    char *dash = strchr(low, '-');
    uint64_t min, max;

    if (dash)
        *dash = '\0';
    if (number_parse(low, 0, COUNT_UNSET - 1, &min, NULL) < 0 ||
        number_parse(dash ? dash + 1 : low, 0, COUNT_UNSET - 1, &max, NULL) < 0)
        return err_invalid(reading, err);
    *ret_min = (uint32_t)min;
    *ret_max = dash ? (uint32_t)max : COUNT_UNSET;
    return 0;
}

static int read_nodes(struct reading *reading, uint32_t tag, struct err *err)
{
    struct job_spec *spec = reading->update->spec;
    int rc = read_range(reading, &spec->min_nodes, &spec->max_nodes, err);

    if (rc < 0)
        return rc;
    set(reading, tag);
    if (spec->max_nodes != COUNT_UNSET)
        set(reading, SPEC_TAG_max_nodes);
    return 0;
}

static int read_priority(struct reading *reading, uint32_t tag, struct err *err)
{
    if (word_is(reading->value, "TOP"))
        return err_set(err, EINVAL, "Priority=TOP: use scontrol top");
    return read_count(reading, tag, err);
}

/* From -NICE_MAX to NICE_MAX. */
static int read_factor(const char *text, int32_t *ret)
{
    const bool negative = text[0] == '-';
    uint64_t number;
    int rc = number_parse(text + negative, 0, NICE_MAX, &number, NULL);

    if (rc == 0)
        *ret = negative ? -(int32_t)number : (int32_t)number;
    return rc;
}

static int read_nice(struct reading *reading, uint32_t tag, struct err *err)
{
    reading->update->spec->nice = NICE_ALONE;
    if (strchr(reading->pair, '=') && read_factor(reading->value, &reading->update->spec->nice) < 0)
        return err_set(err, EINVAL, "Invalid nice value, must be between -%d and %d", NICE_MAX,
                       NICE_MAX);
    set(reading, tag);
    return 0;
}

static int read_site_factor(struct reading *reading, uint32_t tag, struct err *err)
{
    if (read_factor(reading->value, &reading->update->spec->site_factor) < 0)
        return err_set(err, EINVAL, "SiteFactor value out of range (+/- %d). Value ignored",
                       NICE_MAX);
    set(reading, tag);
    return 0;
}

static int read_requeue(struct reading *reading, uint32_t tag, struct err *err)
{
    uint64_t number;

    if (number_parse(reading->value, 0, UINT16_MAX, &number, NULL) < 0)
        return err_invalid(reading, err);
    reading->update->spec->requeue = number ? REQUEUE_YES : REQUEUE_NO;
    set(reading, tag);
    return 0;
}

static int read_share(struct reading *reading, uint32_t tag, struct err *err)
{
    bool yes = false;
    int rc = read_yes(reading, &yes, err);

    reading->update->spec->share = yes ? SHARE_OVERSUBSCRIBE : SHARE_EXCLUSIVE;
    if (rc == 0)
        set(reading, tag);
    return rc;
}

/* "1@10:00": how few switches, and how long to wait for them. */
static int read_switches(struct reading *reading, uint32_t tag, struct err *err)
{
    char *at = strchr(reading->value, '@');
    int64_t wait_s;

    if (at) {
        *at = '\0';
        if (duration_parse(at + 1, &wait_s, NULL) < 0 || wait_s < 0 || wait_s >= COUNT_UNSET)
            return err_invalid(reading, err);
        reading->update->spec->switch_wait_s = (uint32_t)wait_s;
        set(reading, SPEC_TAG_switch_wait_s);
    }
    return read_count(reading, tag, err);
}

static int read_end(struct reading *reading, uint32_t tag, struct err *err)
{
    (void)tag;
    return time_parse(reading->value, reading->now, &reading->update->end_time, err) < 0 ? -EINVAL
                                                                                         : 0;
}

static int read_throttle(struct reading *reading, uint32_t tag, struct err *err)
{
    uint64_t number;

    (void)tag;
    if (number_parse(reading->value, 0, COUNT_UNSET - 1, &number, NULL) < 0)
        return err_invalid(reading, err);
    reading->update->array_limit = (uint32_t)number;
    return 0;
}

static int read_mail_type(struct reading *reading, uint32_t tag, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    uint32_t events = 0;

    if (mail_events_read(reading->value, &events) < 0)
        return err_invalid(reading, err);
    mail_events_format(events, &text);
    xstrset(member_of(reading, tag), events ? strbuf_text(&text) : NULL);
    set(reading, tag);
    return 0;
}

/* ---- keys ---- */

/* Where several begin as a word that was cut short, the first is meant. */
static const struct {
    const char *key;
    uint32_t tag;
    int (*read)(struct reading *reading, uint32_t tag, struct err *err);
} keys[] = {
    { "Account", SPEC_TAG_account, read_text },
    { "AdminComment", SPEC_TAG_admin_comment, read_text },
    { "ArrayTaskThrottle", 0, read_throttle },
    { "Comment", SPEC_TAG_comment, read_text },
    { "Contiguous", SPEC_TAG_contiguous, read_bool },
    { "CoreSpec", SPEC_TAG_core_spec, read_count },
    { "CPUsPerTask", SPEC_TAG_cpus_per_task, read_count },
    { "Deadline", SPEC_TAG_deadline, read_time },
    { "Dependency", SPEC_TAG_dependency, read_text },
    { "EligibleTime", SPEC_TAG_begin, read_time },
    { "EndTime", 0, read_end },
    { "ExcNodeList", SPEC_TAG_exc_nodes, read_text },
    { "Features", SPEC_TAG_features, read_text },
    { "Gres", SPEC_TAG_tres_per_node, read_text },
    { "JobName", SPEC_TAG_name, read_text },
    { "Licenses", SPEC_TAG_licenses, read_text },
    { "MailType", SPEC_TAG_mail_type, read_mail_type },
    { "MailUser", SPEC_TAG_mail_user, read_text },
    { "MinCPUsNode", SPEC_TAG_min_cpus_per_node, read_count },
    { "MinMemoryCPU", SPEC_TAG_mem_per_cpu, read_size },
    { "MinMemoryNode", SPEC_TAG_mem_per_node, read_size },
    { "MinTmpDiskNode", SPEC_TAG_tmp_disk, read_size },
    { "Name", SPEC_TAG_name, read_text },
    { "Nice", SPEC_TAG_nice, read_nice },
    { "NodeList", SPEC_TAG_req_nodes, read_text },
    { "NumNodes", SPEC_TAG_min_nodes, read_nodes },
    { "NumTasks", SPEC_TAG_ntasks, read_count },
    { "OverSubscribe", SPEC_TAG_share, read_share },
    { "Partition", SPEC_TAG_partition, read_text },
    { "Prefer", SPEC_TAG_prefer, read_text },
    { "Priority", SPEC_TAG_priority, read_priority },
    { "QOS", SPEC_TAG_qos, read_text },
    { "ReqCores", SPEC_TAG_cores_per_socket, read_count },
    { "ReqNodeList", SPEC_TAG_req_nodes, read_text },
    { "ReqNodes", SPEC_TAG_min_nodes, read_nodes },
    { "ReqSockets", SPEC_TAG_sockets_per_node, read_count },
    { "ReqThreads", SPEC_TAG_threads_per_core, read_count },
    { "Requeue", SPEC_TAG_requeue, read_requeue },
    { "ReservationName", SPEC_TAG_reservation, read_text },
    { "Shared", SPEC_TAG_share, read_share },
    { "SiteFactor", SPEC_TAG_site_factor, read_site_factor },
    { "StartTime", SPEC_TAG_begin, read_time },
    { "StdOut", SPEC_TAG_std_out, read_text },
    { "Switches", SPEC_TAG_switches, read_switches },
    { "TasksPerNode", SPEC_TAG_ntasks_per_node, read_count },
    { "ThreadSpec", SPEC_TAG_thread_spec, read_count },
    { "TimeLimit", SPEC_TAG_time_limit, read_limit },
    { "TimeMin", SPEC_TAG_time_min, read_limit },
    { "WCKey", SPEC_TAG_wckey, read_text },
    { "WorkDir", SPEC_TAG_work_dir, read_text },
};

static int read_pair(struct reading *reading, struct err *err)
{
    const bool is_nice = word_is(reading->pair, "Nice"); /* may stand alone */

    if (!strchr(reading->pair, '=') && !is_nice)
        return err_invalid(reading, err);
    for (size_t i = 0; i < ARRAY_N(keys); i++) {
        if (update_has_key(reading->pair, keys[i].key) || (is_nice && word_is(keys[i].key, "Nice")))
            return keys[i].read(reading, keys[i].tag, err);
    }
    return err_set(err, EINVAL,
                   "Update of this parameter is not supported: %.200s\nRequest aborted",
                   reading->pair);
}

/* "JobId=5", "Job=5", or as two words; JobName= chooses only where nothing else does. */
static const char *take_choice(int argc, char *const *argv, int *at, struct job_choice *choice)
{
    const char *pair = argv[*at];

    if (update_has_key(pair, "JobId"))
        return choice->ids = strchr(pair, '=') + 1;
    if ((word_is(pair, "JobId") || word_is(pair, "Job")) && *at + 1 < argc)
        return choice->ids = argv[++*at];
    if (update_has_key(pair, "UserID"))
        return choice->user = strchr(pair, '=') + 1;
    return NULL;
}

static bool names_ids(int argc, char *const *argv)
{
    struct job_choice choice = { 0 };

    for (int i = 0; i < argc; i++)
        take_choice(argc, argv, &i, &choice);
    return choice.ids;
}

/* "KEY=VALUE", or as two words. To be freed. */
static char *take_pair(int argc, char *const *argv, int *at)
{
    const char *pair = argv[*at];

    if (strchr(pair, '=') || word_is(pair, "Nice") || *at + 1 == argc)
        return xstrdup(pair);
    ++*at;
    return xasprintf("%s=%s", pair, argv[*at]);
}

static int read_change(struct reading *reading, const char *pair, struct err *err)
{
    int rc;

    reading->pair = pair;
    reading->value = strchr(pair, '=') ? update_value(pair) : xstrdup("");
    rc = read_pair(reading, err);
    free(reading->value);
    return rc;
}

static bool changes_nothing(const struct job_update *update)
{
    return update->set_n == 0 && update->more_time_s == 0 && update->end_time == 0 &&
           update->array_limit == COUNT_UNSET;
}

int update_parse_job(int argc, char *const *argv, int64_t now, struct job_choice *ret_choice,
                     struct job_update *ret_update, struct err *err)
{
    const bool by_name = !names_ids(argc, argv);
    struct reading reading = { .update = ret_update, .now = now };
    int rc = 0;

    *ret_choice = (struct job_choice){ 0 };
    if (!ret_update->spec) {
        ret_update->spec = xmalloc(sizeof(*ret_update->spec));
        job_spec_init(ret_update->spec);
    }
    for (int i = 0; i < argc && rc == 0; i++) {
        if (take_choice(argc, argv, &i, ret_choice))
            continue;
        if (by_name && !ret_choice->name && update_has_key(argv[i], "JobName")) {
            ret_choice->name = strchr(argv[i], '=') + 1;
            continue;
        }
        AUTO_FREE char *pair = take_pair(argc, argv, &i);

        rc = read_change(&reading, pair, err);
    }
    if (rc == 0 && changes_nothing(ret_update))
        rc = err_set(err, EINVAL, "No changes specified");
    return rc;
}
