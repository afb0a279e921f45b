#include "common/text/jobid.h"

#include <ctype.h>
#include <string.h>

#include "common/text/words.h"

static const struct {
    const char *name;
    uint32_t step;
} special_steps[] = {
    { "batch", STEP_BATCH },
    { "extern", STEP_EXTERN },
    { "interactive", STEP_INTERACTIVE },
    { "TBD", STEP_TBD },
};

static int refuse(const char *text, size_t n, const char *why, struct err *err)
{
    return err_set(err, E_JOB_ID, "job id '%.*s' %s", (int)(n < 80 ? n : 80), text, why);
}

/*
 * Takes the decimal number at *at, which moves on. Returns false when there is none, or when it is
 * above max.
 */
static bool take_number(const char **at, uint32_t max, uint32_t *ret)
{
    uint64_t number = 0;

    if (!isdigit((unsigned char)**at))
        return false;
    for (; isdigit((unsigned char)**at); (*at)++) {
        if (number <= max)
            number = number * 10 + (uint64_t)(**at - '0');
    }
    if (number > max)
        return false;
    *ret = (uint32_t)number;
    return true;
}

/* Reads a step's name or number, which must reach to the end of the text. */
static bool read_step(const char *text, uint32_t *ret)
{
    for (size_t i = 0; i < ARRAY_N(special_steps); i++) {
        if (word_is(text, special_steps[i].name)) {
            *ret = special_steps[i].step;
            return true;
        }
    }
    return take_number(&text, STEP_MAX, ret) && !*text;
}

int step_id_parse(const char *text, uint32_t *ret_step, struct err *err)
{
    if (!read_step(text, ret_step))
        return err_set(err, E_STEP_ID, "step '%.80s' is not a number, batch, extern or interactive",
                       text);
    return 0;
}

void step_id_format(struct strbuf *out, uint32_t step)
{
    for (size_t i = 0; i < ARRAY_N(special_steps); i++) {
        if (step == special_steps[i].step) {
            strbuf_adds(out, special_steps[i].name);
            return;
        }
    }
    strbuf_addf(out, "%u", step);
}

int job_ref_parse(const char *text, struct job_ref *ret_ref, struct err *err)
{
    struct job_ref ref = { .array_task = NO_VAL, .step = NO_VAL };
    const size_t n = strlen(text);
    const char *at = text;

    if (!take_number(&at, JOB_ID_MAX, &ref.job) || ref.job == 0)
        return refuse(text, n, "does not begin with a number from 1 to 4294967280", err);
    if (*at == '+')
        return refuse(text, n, "names a part of a heterogeneous job, which do not exist here", err);
    if (*at == '_' && at[1] == '*' && !at[2]) {
        ref.all_tasks = true;
        at += 2;
    } else if (*at == '_') {
        at++;
        if (!take_number(&at, NO_VAL - 1, &ref.array_task))
            return refuse(text, n, "has no array task number after '_'", err);
    }
    if (*at == '.' && !read_step(at + 1, &ref.step))
        return refuse(text, n, "has no step number, batch, extern or interactive after '.'", err);
    if (*at && *at != '.')
        return refuse(text, n, "is not of the form JOB[_TASK][.STEP]", err);
    *ret_ref = ref;
    return 0;
}

void job_ref_format(struct strbuf *out, const struct job_ref *ref)
{
    strbuf_addf(out, "%u", ref->job);
    if (ref->all_tasks)
        strbuf_adds(out, "_*");
    else if (ref->array_task != NO_VAL)
        strbuf_addf(out, "_%u", ref->array_task);
    if (ref->step != NO_VAL) {
        strbuf_addc(out, '.');
        step_id_format(out, ref->step);
    }
}

/* One item of a list, and where its references are added. */
struct item {
    const char *text;
    size_t n;
    struct job_refs *refs;
    struct err *err;
};

static int add_ref(const struct item *item, const struct job_ref *ref)
{
    if (item->refs->n == JOB_REFS_MAX)
        return err_set(item->err, E_TOO_BIG, "job list ending in '%.*s': more than %d jobs",
                       (int)(item->n < 80 ? item->n : 80), item->text, JOB_REFS_MAX);
    *ARRAY_PUSH(item->refs->at, item->refs->n) = *ref;
    return 0;
}

/* Takes "4", "1-4" or "0-8:2" at *at, which moves on. */
static int take_tasks(const struct item *item, const char **at, uint32_t job)
{
    struct job_ref ref = { .job = job, .array_task = NO_VAL, .step = NO_VAL };
    uint32_t low, high, stride = 1;

    if (!take_number(at, NO_VAL - 1, &low))
        return refuse(item->text, item->n, "has no array task number in its brackets", item->err);
    high = low;
    if (**at == '-') {
        (*at)++;
        if (!take_number(at, NO_VAL - 1, &high) || high < low)
            return refuse(item->text, item->n, "has a task range that is not FROM-TO", item->err);
        if (**at == ':') {
            (*at)++;
            if (!take_number(at, NO_VAL - 1, &stride) || stride == 0)
                return refuse(item->text, item->n, "has no stride after ':'", item->err);
        }
    }
    for (uint64_t task = low; task <= high; task += stride) {
        int rc;

        ref.array_task = (uint32_t)task;
        rc = add_ref(item, &ref);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* Adds the tasks of "3_[1-4,9%2]". */
static int add_bracket(const struct item *item)
{
    const char *at = item->text;
    uint32_t job, at_once;
    int rc;

    if (!take_number(&at, JOB_ID_MAX, &job) || job == 0 || at[0] != '_' || at[1] != '[')
        return refuse(item->text, item->n, "is not of the form JOB_[TASKS]", item->err);
    at++;
    do {
        at++;
        rc = take_tasks(item, &at, job);
        if (rc < 0)
            return rc;
    } while (*at == ',');
    if (*at == '%') {
        at++;
        if (!take_number(&at, NO_VAL - 1, &at_once))
            return refuse(item->text, item->n, "has no number after '%'", item->err);
    }
    if (at + 1 != item->text + item->n || *at != ']')
        return refuse(item->text, item->n, "is not of the form JOB_[TASKS]", item->err);
    return 0;
}

static int add_item(const struct item *item)
{
    struct job_ref ref;
    int rc;

    if (memchr(item->text, '[', item->n))
        return add_bracket(item);

    AUTO_FREE char *text = xstrndup(item->text, item->n);

    rc = job_ref_parse(text, &ref, item->err);
    return rc < 0 ? rc : add_ref(item, &ref);
}

/* Returns the bytes up to the comma that ends an item; commas in brackets do not end it. */
static size_t item_length(const char *text)
{
    bool is_open = false;
    size_t n = 0;

    for (; text[n] && (is_open || text[n] != ','); n++) {
        if (text[n] == '[' || text[n] == ']')
            is_open = text[n] == '[';
    }
    return n;
}

int job_refs_parse(const char *text, struct job_refs *ret_refs, struct err *err)
{
    AUTO(job_refs) struct job_refs refs = { 0 };
    size_t n;

    for (; *text; text += n + (text[n] == ',')) {
        struct item item = { .refs = &refs, .err = err };
        size_t lead = 0;
        int rc;

        n = item_length(text);
        while (lead < n && isspace((unsigned char)text[lead]))
            lead++;
        item.text = text + lead;
        item.n = n - lead;
        while (item.n && isspace((unsigned char)item.text[item.n - 1]))
            item.n--;
        rc = item.n ? add_item(&item) : 0;
        if (rc < 0)
            return rc;
    }
    *ret_refs = refs;
    refs = (struct job_refs){ 0 };
    return 0;
}

int job_refs_parse_jobs(const char *text, struct job_refs *ret_refs, struct err *err)
{
    AUTO(job_refs) struct job_refs refs = { 0 };
    int rc = job_refs_parse(text, &refs, err);

    for (uint32_t i = 0; rc == 0 && i < refs.n; i++) {
        if (refs.at[i].step != NO_VAL)
            rc = err_set(err, E_JOB_ID, "'%.80s' names a step", text);
    }
    if (rc == 0) {
        *ret_refs = refs;
        refs = (struct job_refs){ 0 };
    }
    return rc;
}

void job_refs_clear(struct job_refs *refs)
{
    free(refs->at);
    *refs = (struct job_refs){ 0 };
}

void job_refs_auto_(struct job_refs *refs)
{
    job_refs_clear(refs);
}
