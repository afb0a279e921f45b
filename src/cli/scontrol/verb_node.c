/* verb_node.c - what runs on one node, as that node tells. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/scontrol/entities.h"
#include "cli/scontrol/local_node.h"
#include "common/msg/types.h"
#include "common/text/jobid.h"
#include "common/text/timetext.h"
#include "common/text/words.h"

#define STEP_WORD_MAX 32

static void word_of(uint32_t step_id, char ret[STEP_WORD_MAX])
{
    AUTO(strbuf) struct strbuf text = { 0 };

    step_id_format(&text, step_id);
    snprintf(ret, STEP_WORD_MAX, "%s", strbuf_text(&text));
}

/* Asks the node's daemon; prints what is wrong. *ret is to be cleared in any case. */
static bool ask(struct scontrol *session, const char *name, struct sight *ret)
{
    const struct conf_node *node;
    struct err err = { 0 };

    *ret = (struct sight){ 0 };
    if (!session_load(session))
        return false;
    node = local_node_find(session, name);
    if (!node && name)
        session_refuse(session, "scontrol: error: %s is no node in %s", name,
                       session->command.cli.conf->path);
    else if (!node)
        session_refuse(session, "scontrol: error: this host is no node in %s: name one",
                       session->command.cli.conf->path);
    else if (!local_node_ask(session, node, ret, &err))
        session_refuse(session, "scontrol: error: slurmd of %s", err.text);
    else
        return true;
    return false;
}

/* ---- listpids ---- */

/* True if the step was asked for; job_id 0: every step was. */
static bool is_wanted(const struct node_step *step, const void *ctx)
{
    const struct job_ref *wanted = ctx;

    return wanted->job == 0 || (wanted->job == step->job_id &&
                                (wanted->step == NO_VAL || wanted->step == step->step_id));
}

static void print_number(uint32_t number, int width)
{
    if (number == COUNT_UNSET)
        printf("%-*s", width, "-");
    else
        printf("%-*u", width, number);
}

static void print_pids(const struct step_sight *step)
{
    char word[STEP_WORD_MAX];

    word_of(step->step_id, word);
    for (uint32_t i = 0; i < step->processes_n; i++) {
        const struct step_process *process = &step->processes[i];

        printf("%-8u %-8u %-8s ", process->pid, step->job_id, word);
        print_number(process->local, 8);
        print_number(process->task, 8);
        printf("\n");
    }
}

static void say_nothing_runs(struct scontrol *session, const struct job_ref *wanted,
                             const char *node)
{
    AUTO(strbuf) struct strbuf id = { 0 };

    job_ref_format(&id, wanted);
    if (wanted->job == 0)
        session_refuse(session, "No job steps exist on this node.");
    else
        session_refuse(session, "%s=%s does not exist on node %s.",
                       wanted->step == NO_VAL ? "JobId" : "StepId", strbuf_text(&id), node);
}

static void list_pids(struct scontrol *session, const struct job_ref *wanted, const char *name)
{
    struct sight node, *steps = NULL;
    bool any = false;

    printf("PID      JOBID    STEPID   LOCALID GLOBALID\n");
    if (ask(session, name, &node)) {
        uint32_t n = local_node_steps(session, &node, is_wanted, wanted, &steps);

        for (uint32_t i = 0; i < n; i++)
            print_pids(&steps[i].step);
        for (uint32_t i = 0; i < node.info.steps_n; i++)
            any |= is_wanted(&node.info.steps[i], wanted);
        if (!any)
            say_nothing_runs(session, wanted, node.node);
        sights_clear(steps, n);
        free(steps);
    }
    sights_clear(&node, 1);
}

void scontrol_listpids(struct scontrol *session, int argc, char *const *argv)
{
    struct job_ref wanted = { 0, NO_VAL, NO_VAL, false };

    if (argc > 1 && !word_is(argv[1], "*") && job_ref_parse(argv[1], &wanted, NULL) < 0)
        session_refuse(session, "\"%s\" does not look like a jobid", argv[1]);
    else
        list_pids(session, &wanted, argc > 2 ? argv[2] : NULL);
}

/* ---- listjobs, liststeps ---- */

/* Ends the list; what runs there now has no time of its own. */
static void end_list(struct document *document, int64_t updated)
{
    (void)updated;
    json_close(&document->json);
    document_end(document);
}

static void add_job(struct entity_sink *sink, const void *row)
{
    const struct node_step *step = row;

    json_open_object(&sink->document.json, NULL);
    json_add_int(&sink->document.json, "job_id", step->job_id);
    json_close(&sink->document.json);
}

static void add_step(struct entity_sink *sink, const void *row)
{
    const struct node_step *step = row;
    char word[STEP_WORD_MAX];

    word_of(step->step_id, word);
    json_open_object(&sink->document.json, NULL);
    json_add_int(&sink->document.json, "job_id", step->job_id);
    json_add_text(&sink->document.json, "step_id", word);
    json_close(&sink->document.json);
}

static void list_jobs(struct scontrol *session, const struct sight *node)
{
    static const struct entity_kind job_kind = { "jobs", NULL, add_job, end_list };
    struct entity_sink sink;
    uint32_t last = 0;

    if (!entity_sink_begin(session, &job_kind, &sink))
        return;
    if (!sink.is_document)
        printf("JOBID\n");
    for (uint32_t i = 0; i < node->info.steps_n; i++) {
        const struct node_step *step = &node->info.steps[i];

        if (step->job_id != last && !entity_sink_take(&sink, step))
            printf("%u\n", step->job_id);
        last = step->job_id;
    }
    entity_sink_end(&sink);
}

static void list_steps(struct scontrol *session, const struct sight *node)
{
    static const struct entity_kind step_kind = { "steps", NULL, add_step, end_list };
    struct entity_sink sink;
    char word[STEP_WORD_MAX];

    if (!entity_sink_begin(session, &step_kind, &sink))
        return;
    if (!sink.is_document)
        printf("%-8s %s\n", "JOBID", "STEPID");
    for (uint32_t i = 0; i < node->info.steps_n; i++) {
        const struct node_step *step = &node->info.steps[i];

        word_of(step->step_id, word);
        if (!entity_sink_take(&sink, step))
            printf("%-8u %s\n", step->job_id, word);
    }
    entity_sink_end(&sink);
}

void scontrol_listjobs(struct scontrol *session, int argc, char *const *argv)
{
    struct sight node;

    if (ask(session, argc > 1 ? argv[1] : NULL, &node))
        list_jobs(session, &node);
    sights_clear(&node, 1);
}

void scontrol_liststeps(struct scontrol *session, int argc, char *const *argv)
{
    struct sight node;

    if (ask(session, argc > 1 ? argv[1] : NULL, &node))
        list_steps(session, &node);
    sights_clear(&node, 1);
}

/* ---- pidinfo ---- */

static uint32_t find_job(struct scontrol *session, uint32_t pid)
{
    struct sight node, *steps = NULL;
    uint32_t job_id = 0, n = 0;

    if (ask(session, NULL, &node))
        n = local_node_steps(session, &node, NULL, NULL, &steps);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < steps[i].step.processes_n; j++) {
            if (steps[i].step.processes[j].pid == pid)
                job_id = steps[i].step.job_id;
        }
    }
    sights_clear(steps, n);
    free(steps);
    sights_clear(&node, 1);
    return job_id;
}

static void print_end(const struct job_record *job)
{
    AUTO(strbuf) struct strbuf end = { 0 };
    const int64_t now = (int64_t)time(NULL);

    if (job->end_time == 0) {
        printf("Slurm JobId=%u has no time limit\n", job->id);
        return;
    }
    time_format(&end, job->end_time, "%a %b %d %H:%M:%S %Y", now, "");
    printf("Slurm JobId=%u ends at %s\n", job->id, strbuf_text(&end));
    printf("Job remaining time is %lld seconds\n", (long long)(job->end_time - now));
}

void scontrol_pidinfo(struct scontrol *session, int argc, char *const *argv)
{
    AUTO(records) struct records jobs = { 0 };
    struct job_list list;
    uint64_t pid;
    uint32_t job_id = 0;

    if (argc != 2) {
        session_refuse(session,
                       argc < 2 ? "missing argument for keyword:%s"
                                : "too many arguments for keyword:%s",
                       argv[0]);
        return;
    }
    if (number_parse(argv[1], 1, INT32_MAX, &pid, NULL) == 0)
        job_id = find_job(session, (uint32_t)pid);
    if (job_id == 0) {
        session_refuse(session, "Failed to locate job for requested pid");
        return;
    }
    job_list_init(&list);
    list.job_ids = &job_id;
    list.job_ids_n = 1;
    if (session_records(session, "slurm_load_job", MSG_JOB_LIST, &list, MSG_JOB_INFO, &jobs) &&
        jobs.n > 0)
        print_end(((const struct job_info *)record_at(&jobs, 0))->job);
}

/* ---- show slurmd ---- */

static void print_time(const char *title, int64_t at)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    time_format(&text, at, NULL, 0, "NONE");
    printf("%-24s = %s\n", title, strbuf_text(&text));
}

static void print_steps(const struct node_sight *info)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    for (uint32_t i = 0; i < info->steps_n; i++) {
        const struct node_step *step = &info->steps[i];
        const bool is_batch = step->step_id == STEP_BATCH; /* Slurm names it by its job alone */
        const struct job_ref ref = { step->job_id, NO_VAL, is_batch ? NO_VAL : step->step_id,
                                     false };

        strbuf_adds(&text, i ? ", " : "");
        job_ref_format(&text, &ref);
    }
    printf("%-24s = %s\n", "Active Steps", info->steps_n ? strbuf_text(&text) : "NONE");
}

static void print_slurmd(const struct node_sight *info)
{
    const struct node_hardware *has = info->hardware;

    print_steps(info);
    if (has) {
        printf("%-24s = %u\n", "Actual CPUs", has->cpus);
        printf("%-24s = %u\n", "Actual Boards", has->boards);
        printf("%-24s = %u\n", "Actual sockets", has->sockets);
        printf("%-24s = %u\n", "Actual cores", has->cores_per_socket);
        printf("%-24s = %u\n", "Actual threads per core", has->threads_per_core);
        printf("%-24s = %llu MB\n", "Actual real memory", (unsigned long long)has->memory_mb);
        printf("%-24s = %llu MB\n", "Actual temp disk space", (unsigned long long)has->tmp_disk_mb);
    }
    print_time("Boot time", info->started);
    printf("%-24s = %s\n", "Hostname", info->name);
    print_time("Last slurmctld msg time", info->last_heard);
    printf("%-24s = %u\n", "Slurmd PID", info->pid);
    printf("%-24s = %u\n", "Slurmd Debug", info->debug);
    printf("%-24s = %s\n", "Slurmd Logfile", info->log_file ? info->log_file : "(null)");
    printf("%-24s = %s\n", "Version", info->version);
}

void show_slurmd(struct scontrol *session, const char *id)
{
    struct sight node;

    if (ask(session, id, &node))
        print_slurmd(&node.info);
    sights_clear(&node, 1);
}
