/* update_values.c - one value of scontrol update job, by the kind of its key. */
#include "cli/scontrol/update_values.h"

#include <errno.h>
#include <string.h>

#include "cli/lib/mail_events.h"
#include "common/text/duration.h"
#include "common/text/size.h"
#include "common/text/timetext.h"
#include "common/text/words.h"

#define NICE_ALONE 100 /* what Nice without a value means */
#define NICE_MAX   2147483645

static int err_invalid(const struct reading *reading, struct err *err)
{
    return err_set(err, EINVAL, "scontrol: error: Invalid %s value: %.200s", reading->key,
                   reading->value);
}

static int err_duration(const struct reading *reading, struct err *err)
{
    return err_set(err, EINVAL, "scontrol: error: Invalid %s value", reading->key);
}

static void set(struct reading *reading, uint32_t tag)
{
    *ARRAY_PUSH(reading->update->set, reading->update->set_n) = tag;
}

static void *member_of(struct reading *reading, uint32_t tag)
{
    const struct schema_field *field = schema_find_tag(job_spec_schema(), tag);

    if (field)
        return (char *)reading->update->spec + field->offset;
    field = schema_find_tag(job_body_schema(), tag);
    if (!reading->update->body) {
        reading->update->body = xmalloc(sizeof(*reading->update->body));
        job_body_init(reading->update->body);
    }
    return (char *)reading->update->body + field->offset;
}

/* ---- values; each fails with EINVAL ---- */

int update_read_text(struct reading *reading, uint32_t tag, struct err *err)
{
    char **text = member_of(reading, tag);

    (void)err;
    xstrset(text, reading->value);
    set(reading, tag);
    return 0;
}

int update_read_count(struct reading *reading, uint32_t tag, struct err *err)
{
    uint64_t number;

    if (number_parse(reading->value, 0, COUNT_UNSET - 1, &number, NULL) < 0)
        return err_invalid(reading, err);
    *(uint32_t *)member_of(reading, tag) = (uint32_t)number;
    set(reading, tag);
    return 0;
}

int update_read_size(struct reading *reading, uint32_t tag, struct err *err)
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

int update_read_bool(struct reading *reading, uint32_t tag, struct err *err)
{
    int rc = read_yes(reading, member_of(reading, tag), err);

    if (rc == 0)
        set(reading, tag);
    return rc;
}

int update_read_time(struct reading *reading, uint32_t tag, struct err *err)
{
    if (time_parse(reading->value, reading->now, member_of(reading, tag), err) < 0)
        return -EINVAL;
    set(reading, tag);
    return 0;
}

int update_read_limit(struct reading *reading, uint32_t tag, struct err *err)
{
    const char sign = reading->value[0];
    int64_t seconds;

    /* "-1" means no limit to other commands, a minute less to this one. */
    if (tag == SPEC_TAG_time_limit && (sign == '+' || sign == '-')) {
        if (duration_parse(reading->value + 1, &seconds, NULL) < 0 || seconds < 0)
            return err_duration(reading, err);
        reading->update->more_time_s = sign == '-' ? -seconds : seconds;
        return 0;
    }
    if (duration_parse(reading->value, &seconds, NULL) < 0)
        return err_duration(reading, err);
    if (tag == SPEC_TAG_time_min && seconds == 0)
        seconds = LIMIT_UNSET;
    else
        seconds = seconds < 0 ? LIMIT_INFINITE : duration_round_up(seconds);
    *(int64_t *)member_of(reading, tag) = seconds;
    set(reading, tag);
    return 0;
}

/*
 * Checks the value, which has no effect, as with --delay-boot: no node is booted for its features,
 * so there is nothing to put off.
 */
int update_read_delay_boot(struct reading *reading, uint32_t tag, struct err *err)
{
    int64_t seconds;

    (void)tag;
    if (duration_parse(reading->value, &seconds, NULL) < 0)
        return err_duration(reading, err);
    reading->has_no_effect = true;
    return 0;
}

/* Reads "2" or "2-4". */
static int read_range(const struct reading *reading, uint32_t *ret_min, uint32_t *ret_max)
{
    AUTO_FREE char *low = xstrdup(reading->value);
    char *dash = strchr(low, '-');
    uint64_t min, max;

    if (dash)
        *dash = '\0';
    if (number_parse(low, 0, COUNT_UNSET - 1, &min, NULL) < 0 ||
        number_parse(dash ? dash + 1 : low, 0, COUNT_UNSET - 1, &max, NULL) < 0)
        return -EINVAL;
    *ret_min = (uint32_t)min;
    *ret_max = dash ? (uint32_t)max : COUNT_UNSET;
    return 0;
}

int update_read_nodes(struct reading *reading, uint32_t tag, struct err *err)
{
    struct job_spec *spec = reading->update->spec;

    if (read_range(reading, &spec->min_nodes, &spec->max_nodes) < 0)
        return err_set(
            err, EINVAL,
            "scontrol: error: Invalid numeric value \"%.200s\" for requested node count.",
            reading->value);
    set(reading, tag);
    if (spec->max_nodes != COUNT_UNSET)
        set(reading, SPEC_TAG_max_nodes);
    return 0;
}

/*
 * Reads the cpus. No job is given more than it asks for, so that the most it may have decides
 * nothing.
 */
int update_read_cpus(struct reading *reading, uint32_t tag, struct err *err)
{
    uint32_t min, max;

    (void)tag;
    if (read_range(reading, &min, &max) < 0 || min == 0 || max < min)
        return err_invalid(reading, err);
    reading->update->cpus = min;
    return 0;
}

int update_read_priority(struct reading *reading, uint32_t tag, struct err *err)
{
    return update_read_count(reading, tag, err);
}

/* Reads a number from -NICE_MAX to NICE_MAX. */
static int read_factor(const char *text, int32_t *ret)
{
    const bool negative = text[0] == '-';
    uint64_t number;
    int rc = number_parse(text + negative, 0, NICE_MAX, &number, NULL);

    if (rc == 0)
        *ret = negative ? -(int32_t)number : (int32_t)number;
    return rc;
}

int update_read_nice(struct reading *reading, uint32_t tag, struct err *err)
{
    reading->update->spec->nice = NICE_ALONE;
    if (strchr(reading->pair, '=') && read_factor(reading->value, &reading->update->spec->nice) < 0)
        return err_set(err, EINVAL,
                       "scontrol: error: Nice value out of range (+/- %d). Value ignored",
                       NICE_MAX);
    set(reading, tag);
    return 0;
}

int update_read_site_factor(struct reading *reading, uint32_t tag, struct err *err)
{
    if (read_factor(reading->value, &reading->update->spec->site_factor) < 0)
        return err_set(err, EINVAL,
                       "scontrol: error: SiteFactor value out of range (+/- %d). Value ignored",
                       NICE_MAX);
    set(reading, tag);
    return 0;
}

int update_err_not_supported(const struct reading *reading, struct err *err)
{
    return err_set(err, EINVAL,
                   "Update of this parameter is not supported: %.200s\nRequest aborted",
                   reading->pair);
}

int update_read_reset(struct reading *reading, uint32_t tag, struct err *err)
{
    (void)tag;
    if (strchr(reading->pair, '='))
        return update_err_not_supported(reading, err);
    reading->update->reset_accrue = true;
    return 0;
}

int update_read_requeue(struct reading *reading, uint32_t tag, struct err *err)
{
    uint64_t number;

    if (number_parse(reading->value, 0, UINT16_MAX, &number, NULL) < 0)
        return err_invalid(reading, err);
    reading->update->spec->requeue = number ? REQUEUE_YES : REQUEUE_NO;
    set(reading, tag);
    return 0;
}

int update_read_share(struct reading *reading, uint32_t tag, struct err *err)
{
    bool yes = false;
    int rc = read_yes(reading, &yes, err);

    reading->update->spec->share = yes ? SHARE_OVERSUBSCRIBE : SHARE_EXCLUSIVE;
    if (rc == 0)
        set(reading, tag);
    return rc;
}

/* Reads "1@10:00": how few switches, and how long to wait for them. */
int update_read_switches(struct reading *reading, uint32_t tag, struct err *err)
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
    return update_read_count(reading, tag, err);
}

int update_read_end(struct reading *reading, uint32_t tag, struct err *err)
{
    (void)tag;
    return time_parse(reading->value, reading->now, &reading->update->end_time, err) < 0 ? -EINVAL
                                                                                         : 0;
}

int update_read_throttle(struct reading *reading, uint32_t tag, struct err *err)
{
    uint64_t number;

    (void)tag;
    if (number_parse(reading->value, 0, COUNT_UNSET - 1, &number, NULL) < 0)
        return err_invalid(reading, err);
    reading->update->array_limit = (uint32_t)number;
    return 0;
}

int update_read_mail_type(struct reading *reading, uint32_t tag, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    uint32_t events = 0;

    if (mail_events_read(reading->value, &events) < 0)
        return err_set(err, EINVAL, "Invalid MailType: %.200s", reading->value);
    mail_events_format(events, &text);
    xstrset(member_of(reading, tag), events ? strbuf_text(&text) : NULL);
    set(reading, tag);
    return 0;
}
