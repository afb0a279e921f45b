/* entity_job.c - scontrol show job and step. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/lib/job_document.h"
#include "cli/lib/step_document.h"
#include "cli/lib/tasks.h"
#include "cli/scontrol/entities.h"
#include "common/msg/types.h"
#include "common/text/jobid.h"
#include "common/text/words.h"

typedef int parse_refs_fn(const char *text, struct job_refs *ret_refs, struct err *err);

static bool read_jobs(struct scontrol *session, const char *what, const char *id,
                      parse_refs_fn *parse, struct job_refs *ret_refs, struct job_list *ret_list)
{
    struct err err = { 0 };

    job_list_init(ret_list);
    ret_list->hide = !id && session_hides(session);
    if (!id)
        return true;
    if (parse(id, ret_refs, &err) < 0) {
        err_fill(&err, E_JOB_ID, "%s", err_string(E_JOB_ID));
        session_report(session, what, &err);
        return false;
    }
    for (uint32_t i = 0; i < ret_refs->n; i++)
        *ARRAY_PUSH(ret_list->job_ids, ret_list->job_ids_n) = ret_refs->at[i].job;
    return true;
}

/* True if the id names any job: "0" is all jobs, "0_3" task 3 of every array, as in Slurm. */
static bool names_any_job(const char *id, uint32_t *ret_task)
{
    uint64_t task = NO_VAL;
    const char *digits;

    if (!id || !word_starts(id, "0", &digits))
        return false;
    if (*digits && (*digits != '_' || number_parse(digits + 1, 0, NO_VAL - 1, &task, NULL) < 0))
        return false;
    *ret_task = (uint32_t)task;
    return true;
}

static const struct entity_kind job_kind = { "jobs", &job_document, NULL, job_document_end };

static void print_job(struct entity_sink *sink, const struct job_info *info)
{
    const struct job_row row = { .info = info, .job = info->job, .cluster = sink->cluster };
    AUTO(strbuf) struct strbuf text = { 0 };

    if (entity_sink_take(sink, &row))
        return;
    show_job(&sink->show, info, &text);
    entity_print(&text);
}

/* Prints the record, or those of its tasks that were asked for. Returns how many were printed. */
static uint32_t print_wanted(struct entity_sink *sink, const struct job_refs *refs,
                             const struct job_info *info)
{
    AUTO(bitset) struct bitset tasks = { 0 };

    if (refs_name_job(refs, info->job)) {
        print_job(sink, info);
        return 1;
    }
    refs_name_tasks(refs, info->job, &tasks);
    BITSET_FOREACH (&tasks, task) {
        struct job_record job = job_as_task(info->job, (uint32_t)task);
        struct job_info one = *info;

        one.job = &job;
        print_job(sink, &one);
    }
    return bitset_count(&tasks);
}

static uint32_t print_task(struct entity_sink *sink, uint32_t task, const struct job_info *info)
{
    struct job_ref ref = { info->job->array_job_id, task, NO_VAL, false };

    return print_wanted(sink, &(struct job_refs){ &ref, 1 }, info);
}

/* Tells, after Slurm's words, that the history has a job which the controller has forgotten. */
static void tell_of_history(const struct scontrol *session, const char *id,
                            const struct job_refs *refs)
{
    AUTO(history_list) struct history_list list;
    AUTO(records) struct records jobs = { 0 };

    history_list_init(&list);
    for (uint32_t i = 0; i < refs->n; i++)
        *ARRAY_PUSH(list.job_ids, list.job_ids_n) = refs->at[i].job;
    if (session->options.quiet || !refs->n || !session->command.cli.client ||
        records_load(session->command.cli.client, MSG_HISTORY_LIST, &list, MSG_HISTORY_JOB, &jobs,
                     NULL) < 0 ||
        jobs.n == 0)
        return;
    fflush(stdout); /* Slurm's words come first where both go to one file */
    fprintf(stderr, "scontrol: what has ended is shown for MinJobAge only: sacct -j %s\n", id);
}

void show_jobs(struct scontrol *session, const char *id)
{
    AUTO(job_refs) struct job_refs refs = { 0 };
    AUTO(job_list) struct job_list list;
    AUTO(records) struct records jobs = { 0 };
    AUTO_FREE struct report_path *paths = NULL;
    struct entity_sink sink;
    uint32_t printed = 0, task = NO_VAL;
    const bool any = names_any_job(id, &task);

    if (!read_jobs(session, "scontrol_print_job", any ? NULL : id, job_refs_parse_jobs, &refs,
                   &list))
        return;
    if (!session_records(session, "slurm_load_jobs", MSG_JOB_LIST, &list, MSG_JOB_INFO, &jobs)) {
        tell_of_history(session, id, &refs);
        return;
    }
    if (!entity_sink_begin(session, &job_kind, &sink))
        return;
    sink.show.paths = paths = report_table_paths(&show_job_table);
    entity_say_updated(session, &sink, jobs.n);
    for (uint32_t i = 0; i < jobs.n; i++)
        printed += task == NO_VAL ? print_wanted(&sink, &refs, record_at(&jobs, i))
                                  : print_task(&sink, task, record_at(&jobs, i));
    entity_sink_end(&sink);
    if (printed == 0 && id && !sink.is_document) {
        entity_say_missing(session, "Job", id);
        tell_of_history(session, id, &refs);
    } else if (printed == 0 && !sink.is_document) {
        entity_say(session, "No jobs in the system");
    }
}

/* Orders steps by job; batch and its like come before the numbered ones. */
static int compare_steps(const void *a, const void *b)
{
    const struct step_record *one = a, *other = b;
    bool special = one->step_id >= STEP_MAX, other_special = other->step_id >= STEP_MAX;

    if (one->job_id != other->job_id)
        return one->job_id < other->job_id ? -1 : 1;
    if (special != other_special)
        return special ? -1 : 1;
    return (one->step_id > other->step_id) - (one->step_id < other->step_id);
}

static void add_step(struct entity_sink *sink, const void *row)
{
    const struct step_document_row step = step_document_row(row, &sink->show.ctx);

    step_document(&step, &sink->document.json);
}

static const struct entity_kind step_kind = { "steps", NULL, add_step, NULL };

static void print_step(struct entity_sink *sink, const struct step_record *step)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (entity_sink_take(sink, step))
        return;
    show_step(&sink->show, step, &text);
    entity_print(&text);
}

/* Returns the step's full id: "220." is step 0, as in Slurm. */
static char *whole_step_id(const char *id)
{
    const size_t n = id ? strlen(id) : 0;

    return n > 1 && id[n - 1] == '.' ? xasprintf("%s0", id) : xstrdup(id);
}

void show_steps(struct scontrol *session, const char *asked)
{
    AUTO_FREE char *id = whole_step_id(asked);
    AUTO(job_refs) struct job_refs refs = { 0 };
    AUTO(job_list) struct job_list list;
    AUTO(records) struct records steps = { 0 };
    struct entity_sink sink;
    uint32_t shown = 0;

    if (!read_jobs(session, "slurm_get_job_steps", id, job_refs_parse, &refs, &list) ||
        !session_records(session, "slurm_get_job_steps", MSG_STEP_LIST, &list, MSG_STEP_INFO,
                         &steps) ||
        !entity_sink_begin(session, &step_kind, &sink))
        return;
    if (steps.n)
        qsort(steps.at, steps.n, sizeof(struct step_record), compare_steps);
    entity_say_updated(session, &sink, steps.n);
    for (uint32_t i = 0; i < steps.n; i++) {
        const struct step_record *step = record_at(&steps, i);

        if (step->state == STEP_ENDED || !refs_name_step(&refs, step))
            continue;
        print_step(&sink, step);
        shown++;
    }
    entity_sink_end(&sink);
    if (sink.is_document)
        return;
    if (shown == 0 && id)
        entity_say_missing(session, "Job step", id);
    else if (shown == 0)
        entity_say(session, "No job steps in the system");
}
