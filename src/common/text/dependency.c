#include "common/text/dependency.h"

#include <string.h>

#include "common/base/alloc.h"
#include "common/text/jobid.h"
#include "common/text/words.h"

static const char *const kinds[DEPEND_KINDS_N] = {
    [DEPEND_AFTER] = "after",          [DEPEND_AFTER_ANY] = "afterany",
    [DEPEND_AFTER_OK] = "afterok",     [DEPEND_AFTER_NOT_OK] = "afternotok",
    [DEPEND_AFTER_CORR] = "aftercorr", [DEPEND_BURST_BUFFER] = "afterburstbuffer",
    [DEPEND_SINGLETON] = "singleton",
};

/* What scontrol shows behind a job. */
static const char *const states[] = { "(unfulfilled)", "(fulfilled)", "(failed)" };

static int refuse(const char *text, size_t n, const char *why, struct err *err)
{
    return err_set(err, E_DEPENDENCY, "%s: '%.*s' %s", err_string(E_DEPENDENCY),
                   (int)(n < 80 ? n : 80), text, why);
}

static int add(struct dependencies *list, const struct dependency *new, struct err *err)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->at[i].kind == new->kind && list->at[i].job == new->job &&
            list->at[i].task == new->task)
            return 0;
    }
    if (list->n == DEPENDENCIES_MAX)
        return err_set(err, E_DEPENDENCY, "%s: more than %d", err_string(E_DEPENDENCY),
                       DEPENDENCIES_MAX);
    *ARRAY_PUSH(list->at, list->n) = *new;
    return 0;
}

/* Returns the length of one target, up to what divides jobs and dependencies; "3_[1,4]" is one. */
static size_t target_length(const char *text)
{
    size_t n = strcspn(text, "[:,?+(");

    if (text[n] == '[')
        n += strcspn(text + n, "]");
    return n + strcspn(text + n, ":,?+(");
}

/* Skips a state, so that a dependency can be given as it is shown. */
static void skip_state(const char **at)
{
    for (size_t i = 0; i < ARRAY_N(states); i++) {
        if (word_starts(*at, states[i], at))
            return;
    }
}

/*
 * Takes "+5", which holds for the jobs that follow too, as in Slurm. Slurm accepts it behind any
 * kind and shows it, but waits only for 'after'.
 */
static int take_minutes(const char **at, uint32_t *minutes, struct err *err)
{
    const size_t n = strcspn(*at, ":,?(");
    AUTO_FREE char *text = xstrndup(*at, n);
    uint64_t value;

    if (text[0] != '+')
        return 0;
    if (number_parse(text + 1, 1, DEPENDENCY_MINUTES_MAX, &value, NULL) < 0)
        return refuse(text + 1, n, "is no number of minutes", err);
    *minutes = (uint32_t)value;
    *at += n;
    return 0;
}

static int add_refs(struct dependencies *list, const struct job_refs *refs, uint32_t kind,
                    uint32_t minutes, struct err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < refs->n && rc == 0; i++) {
        const struct dependency new = {
            .kind = kind,
            .job = refs->at[i].job,
            .task = refs->at[i].array_task,
            .all_tasks = refs->at[i].all_tasks,
            .minutes = minutes,
        };

        if (refs->at[i].step != NO_VAL)
            rc = err_set(err, E_DEPENDENCY, "%s: a job can not wait for a step",
                         err_string(E_DEPENDENCY));
        else
            rc = add(list, &new, err);
    }
    return rc;
}

/* Takes "12", "12_3+5" or "12_*(unfulfilled)"; *at moves behind it. */
static int take_target(const char **at, uint32_t kind, uint32_t *minutes, struct dependencies *list,
                       struct err *err)
{
    const size_t n = target_length(*at);
    AUTO_FREE char *name = xstrndup(*at, n);
    AUTO(job_refs) struct job_refs refs = { 0 };
    int rc;

    if (strspn(name, "0123456789") == 0 || job_refs_parse(name, &refs, NULL) < 0)
        return refuse(*at, n, "is no job or task of an array", err);
    *at += n;
    rc = take_minutes(at, minutes, err);
    skip_state(at);
    return rc < 0 ? rc : add_refs(list, &refs, kind, *minutes, err);
}

static uint32_t find_kind(const char *word)
{
    uint32_t kind = 0;

    while (kind < DEPEND_KINDS_N && !word_is(word, kinds[kind]))
        kind++;
    return kind;
}

/* Takes "KIND:JOB:JOB", "singleton", or a job alone; *at moves behind it. */
static int take_one(const char **at, struct dependencies *list, struct err *err)
{
    const size_t n = strcspn(*at, ":,?(");
    AUTO_FREE char *word = xstrndup(*at, n);
    const uint32_t kind = find_kind(word);
    uint32_t minutes = 0;
    int rc;

    if (n > 0 && strspn(word, "0123456789") == n)
        return take_target(at, DEPEND_AFTER_ANY, &minutes, list, err);
    if (kind == DEPEND_KINDS_N)
        return refuse(*at, n, "is no kind of dependency", err);
    *at += n;
    if (kind == DEPEND_SINGLETON) {
        skip_state(at);
        return add(list, &(struct dependency){ .kind = kind, .task = NO_VAL }, err);
    }
    rc = **at == ':' ? 0 : refuse(word, n, "names no job", err);
    while (rc == 0 && text_take_char(at, ':'))
        rc = take_target(at, kind, &minutes, list, err);
    return rc;
}

/* Takes a ',' or '?'. A '?' anywhere makes all dependencies alternatives, as in Slurm. */
static bool take_divider(const char **at, struct dependencies *list)
{
    if (text_take_char(at, ','))
        return true;
    if (!text_take_char(at, '?'))
        return false;
    list->any = true;
    return true;
}

int dependencies_parse(const char *text, struct dependencies *ret, struct err *err)
{
    AUTO(dependencies) struct dependencies list = { 0 };
    const char *at = text;
    int rc;

    if (!*text || strcmp(text, "0") == 0) {
        *ret = list;
        return 0;
    }
    do
        rc = take_one(&at, &list, err);
    while (rc == 0 && take_divider(&at, &list));
    if (rc == 0 && *at)
        rc = refuse(at, strlen(at), "can not stand there", err);
    if (rc < 0)
        return rc;
    *ret = list;
    list = (struct dependencies){ 0 };
    return 0;
}

void dependencies_clear(struct dependencies *list)
{
    free(list->at);
    *list = (struct dependencies){ 0 };
}

void dependencies_auto_(struct dependencies *list)
{
    dependencies_clear(list);
}

void dependency_format(const struct dependency *dependency, struct strbuf *out)
{
    strbuf_adds(out, dependency->kind < DEPEND_KINDS_N ? kinds[dependency->kind] : "?");
    if (dependency->kind == DEPEND_SINGLETON)
        return;
    strbuf_addf(out, ":%u", dependency->job);
    if (dependency->task != NO_VAL)
        strbuf_addf(out, "_%u", dependency->task);
    else if (dependency->all_tasks)
        strbuf_adds(out, "_*");
    if (dependency->minutes)
        strbuf_addf(out, "+%u", dependency->minutes);
}

void dependencies_format(const struct dependencies *list, struct strbuf *out)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (i > 0)
            strbuf_addc(out, list->any ? '?' : ',');
        dependency_format(&list->at[i], out);
    }
}
