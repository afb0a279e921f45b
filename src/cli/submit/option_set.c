/* option_set.c - what each option does with its value. Wording that scripts match is Slurm's. */
#include "cli/submit/option_table.h"

#include <errno.h>
#include <string.h>

#include "cli/lib/mail_events.h"
#include "cli/lib/signals.h"
#include "common/base/log.h"
#include "common/text/duration.h"
#include "common/text/hostlist.h"
#include "common/text/size.h"
#include "common/text/timetext.h"
#include "common/text/words.h"

#define VALUE_MAX      (64u << 10) /* bytes of any value */
#define NICE_MAX       2147483645
#define PRIORITY_MAX   (UINT32_MAX - 2)
#define WARN_DEFAULT_S 60
#define VERBOSE_MAX    16

static void *member(struct submit_options *options, const struct option_row *row)
{
    return (char *)options + row->at;
}

static int err_value(const struct option_row *row, struct err *err)
{
    return err_set(err, EINVAL, "Invalid --%s specification", row->name);
}

static int err_number(const struct option_row *row, const char *value, struct err *err)
{
    return err_set(err, ERANGE, "Invalid numeric value \"%.100s\" for --%s.", value, row->name);
}

int option_set_flag(struct submit_options *options, const struct option_row *row, const char *value,
                    struct err *err)
{
    (void)value;
    (void)err;
    *(bool *)member(options, row) = true;
    return 0;
}

/* Adds one each time, or as much as a variable tells at once. */
int option_set_more(struct submit_options *options, const struct option_row *row, const char *value,
                    struct err *err)
{
    uint32_t *much = member(options, row);
    uint64_t number = 0;

    (void)err;
    if (value)
        (void)number_parse(value, 0, VERBOSE_MAX, &number, NULL);
    *much += value ? (uint32_t)number : 1;
    return 0;
}

int option_set_level(struct submit_options *options, const struct option_row *row,
                     const char *value, struct err *err)
{
    enum log_level level;

    if (log_level_parse(value, &level) < 0)
        return err_value(row, err);
    *(uint32_t *)member(options, row) = level;
    return 0;
}

int option_set_yes(struct submit_options *options, const struct option_row *row, const char *value,
                   struct err *err)
{
    (void)value;
    (void)err;
    *(uint32_t *)member(options, row) = SAID_YES;
    return 0;
}

int option_set_no(struct submit_options *options, const struct option_row *row, const char *value,
                  struct err *err)
{
    (void)value;
    (void)err;
    *(uint32_t *)member(options, row) = SAID_NO;
    return 0;
}

int option_set_text(struct submit_options *options, const struct option_row *row, const char *value,
                    struct err *err)
{
    if (strlen(value) > VALUE_MAX)
        return err_set(err, EINVAL, "Invalid --%s specification: longer than %u bytes", row->name,
                       VALUE_MAX);
    xstrset(member(options, row), value);
    return 0;
}

int option_set_text_or_none(struct submit_options *options, const struct option_row *row,
                            const char *value, struct err *err)
{
    return option_set_text(options, row, value ? value : "", err);
}

/* Checks "10", "S", "L", "10L": how long to wait for the login shell, and a mode that says nothing
   here. */
int option_set_get_user_env(struct submit_options *options, const struct option_row *row,
                            const char *value, struct err *err)
{
    const char *mode = value ? value + strspn(value, "0123456789") : "";

    if (*mode && (!strchr("sSlL", *mode) || mode[1]))
        return err_value(row, err);
    return option_set_text_or_none(options, row, value, err);
}

int option_set_name(struct submit_options *options, const struct option_row *row, const char *value,
                    struct err *err)
{
    if (*value)
        return option_set_text(options, row, value, err);
    xstrset(member(options, row), NULL);
    return 0;
}

/* Sets a stream's file; as in Slurm, an empty name is none to srun. */
int option_set_stdio(struct submit_options *options, const struct option_row *row,
                     const char *value, struct err *err)
{
    if (!*value && options->command == SUBMIT_SRUN)
        return option_set_name(options, row, value, err);
    return option_set_text(options, row, word_is(value, "none") ? "/dev/null" : value, err);
}

int option_set_directory(struct submit_options *options, const struct option_row *row,
                         const char *value, struct err *err)
{
    AUTO_FREE char *path = NULL;

    if (value[0] == '/' || !options->cwd)
        return option_set_text(options, row, value, err);
    path = xasprintf("%s/%.*s", options->cwd, (int)VALUE_MAX, value);
    return option_set_text(options, row, path, err);
}

int option_set_program(struct submit_options *options, const struct option_row *row,
                       const char *value, struct err *err)
{
    if (!*value || word_is(value, "none"))
        return option_set_text(options, row, "none", err);
    return option_set_directory(options, row, value, err);
}

static int set_number(struct submit_options *options, const struct option_row *row,
                      const char *value, uint64_t least, struct err *err)
{
    uint64_t number;

    if (number_parse(value, least, INT32_MAX, &number, NULL) < 0)
        return err_number(row, value, err);
    *(uint32_t *)member(options, row) = (uint32_t)number;
    return 0;
}

int option_set_count(struct submit_options *options, const struct option_row *row,
                     const char *value, struct err *err)
{
    return set_number(options, row, value, 1, err);
}

int option_check_count(struct submit_options *options, const struct option_row *row,
                       const char *value, struct err *err)
{
    uint64_t number;

    (void)options;
    return number_parse(value, 1, INT32_MAX, &number, NULL) < 0 ? err_number(row, value, err) : 0;
}

int option_set_count0(struct submit_options *options, const struct option_row *row,
                      const char *value, struct err *err)
{
    return set_number(options, row, value, 0, err);
}

int option_set_memory(struct submit_options *options, const struct option_row *row,
                      const char *value, struct err *err)
{
    uint64_t mb;

    if (size_parse_mb(value, &mb, NULL) < 0)
        return err_value(row, err);
    *(uint64_t *)member(options, row) = mb;
    return 0;
}

int option_set_limit(struct submit_options *options, const struct option_row *row,
                     const char *value, struct err *err)
{
    int64_t seconds;

    if (duration_parse(value, &seconds, NULL) < 0)
        return err_value(row, err);
    if (seconds == 0 || seconds == DURATION_INFINITE)
        *(int64_t *)member(options, row) = LIMIT_INFINITE;
    else
        *(int64_t *)member(options, row) = duration_round_up(seconds);
    return 0;
}

int option_set_host_file(struct submit_options *options, const struct option_row *row,
                         const char *value, struct err *err)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;
    AUTO_FREE char *text = NULL;

    int rc = hostlist_read_file(value, &hosts, err);
    if (rc < 0)
        return err_prefix(err, "--%s", row->name);
    text = hostlist_format(hosts);
    xstrset(member(options, row), text);
    return 0;
}

/* Sets the hosts; the controller says whether the names exist. */
int option_set_hosts(struct submit_options *options, const struct option_row *row,
                     const char *value, struct err *err)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;

    if (strchr(value, '/'))
        return option_set_host_file(options, row, value, err);
    if (hostlist_parse(value, &hosts, err) < 0) {
        err_prefix(err, "Invalid --%s specification", row->name);
        if (err)
            err->code = ERANGE; /* the controller would say so: the command was understood */
        return -ERANGE;
    }
    xstrset(member(options, row), value);
    return 0;
}

/* Reads "12" or "2k" (k is 1024, m 1024 k), ending where *ret_end points. */
static int parse_node_count(const char *text, const char **ret_end, uint32_t *ret_count)
{
    uint64_t n = 0;
    const char *at = text;

    while (*at >= '0' && *at <= '9' && n <= INT32_MAX)
        n = n * 10 + (uint64_t)(*at++ - '0');
    if (at == text)
        return -EINVAL;
    if (*at == 'k' || *at == 'K' || *at == 'm' || *at == 'M')
        n *= *at == 'k' || *at == 'K' ? 1024 : 1024 * 1024, at++;
    if (n > INT32_MAX)
        return -ERANGE;
    *ret_end = at;
    *ret_count = (uint32_t)n;
    return 0;
}

int option_set_nodes(struct submit_options *options, const struct option_row *row,
                     const char *value, struct err *err)
{
    const char *end = value, *bad = value;
    uint32_t min = 0, max = 0;

    (void)row;
    if (parse_node_count(value, &end, &min) < 0 || (*end && *end != '-'))
        return err_set(err, EINVAL, "\"%.100s\" is not a valid node count", bad);
    max = min;
    if (*end == '-') {
        bad = end + 1;
        if (parse_node_count(bad, &end, &max) < 0 || *end)
            return err_set(err, EINVAL, "\"%.100s\" is not a valid node count", bad);
    }
    if (max < min)
        return err_set(err, EINVAL, "Maximum node count %u is less than minimum node count %u", max,
                       min);
    options->job.min_nodes = min;
    options->job.max_nodes = max;
    return 0;
}

int option_set_begin(struct submit_options *options, const struct option_row *row,
                     const char *value, struct err *err)
{
    if (time_parse(value, options->now, member(options, row), err) < 0) {
        err_prefix(err, "Invalid --%s specification", row->name);
        if (err)
            err->code = EINVAL;
        return -EINVAL;
    }
    return 0;
}

int option_set_kill_invalid(struct submit_options *options, const struct option_row *row,
                            const char *value, struct err *err)
{
    if (!word_is(value, "yes") && !word_is(value, "no"))
        return err_value(row, err);
    options->job.kill_invalid_dep = word_is(value, "yes") ? KILL_INVALID_YES : KILL_INVALID_NO;
    return 0;
}

/* Takes "R:", "B:" or "RB:"; R is about reservations of jobs that are not there. */
static bool take_batch_mark(const char **value)
{
    const size_t n = strspn(*value, "RrBb");
    const bool is_marked = n > 0 && (*value)[n] == ':';
    const bool batch = is_marked && strcspn(*value, "Bb") < n;

    *value += is_marked ? n + 1 : 0;
    return batch;
}

/* Sets "[R][B]:SIGNAL[@SECONDS]". */
int option_set_signal(struct submit_options *options, const struct option_row *row,
                      const char *value, struct err *err)
{
    AUTO_FREE char *name = NULL;
    const char *at = strchr(value, '@');
    uint64_t seconds = WARN_DEFAULT_S;
    const bool batch = take_batch_mark(&value);
    int number;

    name = xstrndup(value, at ? (size_t)(at - value) : strlen(value));
    number = signal_parse(name);
    if (number < 0 || (at && at[1] && number_parse(at + 1, 0, UINT16_MAX, &seconds, NULL) < 0))
        return err_value(row, err);
    if (batch && options->command != SUBMIT_SBATCH)
        return err_value(row, err);
    options->job.warn_signal = (uint32_t)number;
    options->job.warn_before_s = (uint32_t)seconds;
    options->job.warn_batch = batch;
    return 0;
}

int option_set_kill_command(struct submit_options *options, const struct option_row *row,
                            const char *value, struct err *err)
{
    int number = value ? signal_parse(value) : 15;

    if (number < 0)
        return err_value(row, err);
    options->kill_command = (uint32_t)number;
    return 0;
}

/*
 * Sets --exclusive. Inside an allocation srun means by it that steps do not share cpus, which is so
 * anyway.
 */
int option_set_exclusive(struct submit_options *options, const struct option_row *row,
                         const char *value, struct err *err)
{
    options->step_exclusive = true;
    if (!value || word_is(value, "exclusive"))
        options->job.share = SHARE_EXCLUSIVE;
    else if (word_is(value, "user"))
        options->job.share = SHARE_USER;
    else if (word_is(value, "mcs") || word_is(value, "topo"))
        return err_set(err, EINVAL, "--exclusive=%s is not supported by this version", value);
    else
        return err_value(row, err);
    return 0;
}

int option_set_oversubscribe(struct submit_options *options, const struct option_row *row,
                             const char *value, struct err *err)
{
    (void)row;
    (void)value;
    (void)err;
    options->job.share = SHARE_OVERSUBSCRIBE;
    return 0;
}

int option_set_nice(struct submit_options *options, const struct option_row *row, const char *value,
                    struct err *err)
{
    bool negative = value && value[0] == '-';
    uint64_t number = 100;
    int rc = value ? number_parse(value + negative, 0, NICE_MAX, &number, NULL) : 0;

    if (rc == -ERANGE)
        return err_set(err, EINVAL, "Invalid --nice value, out of range (+/- %d)", NICE_MAX);
    if (rc < 0)
        return err_number(row, value, err);
    options->job.nice = negative ? -(int32_t)number : (int32_t)number;
    return 0;
}

int option_set_priority(struct submit_options *options, const struct option_row *row,
                        const char *value, struct err *err)
{
    uint64_t number = PRIORITY_MAX;
    int rc = word_is(value, "TOP") ? 0 : number_parse(value, 0, PRIORITY_MAX, &number, NULL);

    if (rc == -ERANGE)
        return err_set(err, EINVAL, "Priority must be < %u", PRIORITY_MAX + 1);
    if (rc < 0)
        return err_number(row, value, err);
    options->job.priority = (uint32_t)number;
    return 0;
}

int option_set_requeue(struct submit_options *options, const struct option_row *row,
                       const char *value, struct err *err)
{
    (void)row;
    (void)value;
    (void)err;
    options->job.requeue = REQUEUE_YES;
    return 0;
}

int option_set_no_requeue(struct submit_options *options, const struct option_row *row,
                          const char *value, struct err *err)
{
    (void)row;
    (void)value;
    (void)err;
    options->job.requeue = REQUEUE_NO;
    return 0;
}

int option_set_no_kill(struct submit_options *options, const struct option_row *row,
                       const char *value, struct err *err)
{
    if (value && !word_is(value, "off") && !word_is(value, "no") && !word_is(value, "1") &&
        !word_is(value, "0") && !word_is(value, "yes") && !word_is(value, "set"))
        return err_value(row, err);
    options->job.no_kill =
        !value || !(word_is(value, "off") || word_is(value, "no") || word_is(value, "0"));
    return 0;
}

int option_set_open_mode(struct submit_options *options, const struct option_row *row,
                         const char *value, struct err *err)
{
    if (word_is(value, "a") || word_is(value, "append"))
        options->body.open_mode = OPEN_APPEND;
    else if (word_is(value, "t") || word_is(value, "truncate"))
        options->body.open_mode = OPEN_TRUNCATE;
    else
        return err_value(row, err);
    return 0;
}

/* Adds to the events when given several times; NONE takes all back, also what comes with it. */
int option_set_mail_type(struct submit_options *options, const struct option_row *row,
                         const char *value, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    bool again =
        options->job.mail_type && submit_options_source(options, row->name) == options->source;
    uint32_t events = 0;

    if (again)
        (void)mail_events_read(options->job.mail_type, &events); /* we wrote it */
    if (!*value || mail_events_read(value, &events) < 0)
        return err_value(row, err);
    mail_events_format(events, &text);
    free(options->job.mail_type);
    options->job.mail_type = events ? strbuf_steal(&text) : NULL;
    return 0;
}

int option_set_propagate(struct submit_options *options, const struct option_row *row,
                         const char *value, struct err *err)
{
    static const char *const limits[] = { "ALL",   "NONE",    "AS",     "CORE",  "CPU", "DATA",
                                          "FSIZE", "MEMLOCK", "NOFILE", "NPROC", "RSS", "STACK" };
    AUTO(words) struct words words = words_split(value ? value : "ALL", ",");

    for (uint32_t i = 0; i < words.n; i++) {
        const char *name = words.at[i];
        size_t limit = 0;

        word_starts(name, "RLIMIT_", &name);
        while (limit < ARRAY_N(limits) && !word_is(name, limits[limit]))
            limit++;
        if (limit == ARRAY_N(limits))
            return err_set(err, ERANGE, "Bad rlimit name: %.100s\n--propagate=%.100s is not valid.",
                           words.at[i], value);
    }
    return option_set_text(options, row, value ? value : "ALL", err);
}

int option_set_immediate(struct submit_options *options, const struct option_row *row,
                         const char *value, struct err *err)
{
    uint64_t seconds = 0;

    if (value && number_parse(value, 0, INT32_MAX, &seconds, NULL) < 0)
        return err_number(row, value, err);
    options->immediate_s = (uint32_t)seconds;
    return 0;
}

int option_set_bad_exit(struct submit_options *options, const struct option_row *row,
                        const char *value, struct err *err)
{
    uint64_t yes = 1;

    if (value && number_parse(value, 0, UINT32_MAX, &yes, NULL) < 0)
        return err_number(row, value, err);
    options->kill_on_bad_exit = yes ? SAID_YES : SAID_NO;
    return 0;
}

int option_set_oom_kill(struct submit_options *options, const struct option_row *row,
                        const char *value, struct err *err)
{
    uint64_t yes = 1;

    if (value && number_parse(value, 0, UINT32_MAX, &yes, NULL) < 0)
        return err_number(row, value, err);
    options->job.oom_kill = yes ? OOM_KILL_STEP : OOM_KILL_PROCESS;
    return 0;
}

int option_set_nothing(struct submit_options *options, const struct option_row *row,
                       const char *value, struct err *err)
{
    (void)options;
    (void)row;
    (void)value;
    (void)err;
    return 0;
}
