/* entities.c - what scontrol show asks the controller for. */
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/lib/tasks.h"
#include "cli/lib/listing.h"
#include "cli/lib/nodes.h"
#include "cli/scontrol/session.h"
#include "common/msg/types.h"
#include "common/text/hostlist.h"
#include "common/text/jobid.h"
#include "common/text/timetext.h"
#include "common/text/words.h"

static char *user_name(uint32_t uid)
{
    const struct passwd *entry = getpwuid(uid);

    return entry ? xstrdup(entry->pw_name) : NULL;
}

static struct show show_of(const struct scontrol *session)
{
    const struct scontrol_options *options = &session->options;

    return (struct show){
        .ctx = { .now = (int64_t)time(NULL), .time_manner = options->time_format },
        .details = options->details,
        .one_line = options->one_line,
        .slurmd_port = session->command.cli.conf ? session->command.cli.conf->slurmd_port : 0,
        .mail_domain = session->command.cli.conf ? session->command.cli.conf->mail_domain : NULL,
        .user_name = user_name,
    };
}

static void print_text(const struct strbuf *text)
{
    fwrite(strbuf_text(text), 1, text->len, stdout);
}

static void say(const struct scontrol *session, const char *text)
{
    if (!session->options.quiet)
        printf("%s\n", text);
}

/* What is not there is said on stdout, as Slurm does. */
static void say_missing(struct scontrol *session, const char *kind, const char *name)
{
    session->status = 1;
    if (!session->options.quiet)
        printf("%s %s not found\n", kind, name);
}

/* ---- jobs and steps ---- */

/* Arrays are not known: a task of one is a job that does not exist. */
static bool read_jobs(struct scontrol *session, const char *what, const char *id,
                      struct job_refs *ret_refs, struct job_list *ret_list)
{
    struct err err = { 0 };

    job_list_init(ret_list);
    if (!id)
        return true;
    if (job_refs_parse(id, ret_refs, &err) < 0) {
        err_fill(&err, E_JOB_ID, "%s", err_string(E_JOB_ID));
        session_report(session, what, &err);
        return false;
    }
    for (uint32_t i = 0; i < ret_refs->n; i++)
        *ARRAY_PUSH(ret_list->job_ids, ret_list->job_ids_n) = ret_refs->at[i].job;
    return true;
}

/* As in Slurm, "0" stands for all jobs, and "0_3" for task 3 of every array. */
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

static void print_job(const struct show *show, const struct job_info *info)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    show_job(show, info, &text);
    print_text(&text);
}

/* The record, or those of its tasks that were asked for. Returns how many were printed. */
static uint32_t print_wanted(const struct show *show, const struct job_refs *refs,
                             const struct job_info *info)
{
    AUTO(bitset) struct bitset tasks = { 0 };

    if (refs_name_job(refs, info->job)) {
        print_job(show, info);
        return 1;
    }
    refs_name_tasks(refs, info->job, &tasks);
    BITSET_FOREACH (&tasks, task) {
        struct job_record job = job_as_task(info->job, (uint32_t)task);
        struct job_info one = *info;

        one.job = &job;
        print_job(show, &one);
    }
    return bitset_count(&tasks);
}

static uint32_t print_task(const struct show *show, uint32_t task, const struct job_info *info)
{
    struct job_ref ref = { info->job->array_job_id, task, NO_VAL, false };

    return print_wanted(show, &(struct job_refs){ &ref, 1 }, info);
}

void show_jobs(struct scontrol *session, const char *id)
{
    AUTO(job_refs) struct job_refs refs = { 0 };
    AUTO(job_list) struct job_list list;
    AUTO(records) struct records jobs = { 0 };
    AUTO_FREE struct report_path *paths = NULL;
    struct show show;
    uint32_t printed = 0, task = NO_VAL;
    const bool any = names_any_job(id, &task);

    if (!read_jobs(session, "scontrol_print_job", any ? NULL : id, &refs, &list) ||
        !session_records(session, "slurm_load_jobs", MSG_JOB_LIST, &list, MSG_JOB_INFO, &jobs))
        return;
    show = show_of(session);
    show.paths = paths = report_table_paths(&show_job_table);
    for (uint32_t i = 0; i < jobs.n; i++)
        printed += task == NO_VAL ? print_wanted(&show, &refs, record_at(&jobs, i))
                                  : print_task(&show, task, record_at(&jobs, i));
    if (printed == 0 && id)
        say_missing(session, "Job", id);
    else if (printed == 0)
        say(session, "No jobs in the system");
}

/* By job; batch and its like before the numbered ones. */
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

static bool is_wanted(const struct step_record *step, const struct job_refs *refs)
{
    if (step->state == STEP_ENDED)
        return false;
    for (uint32_t i = 0; i < refs->n; i++) {
        if (refs->at[i].job == step->job_id &&
            (refs->at[i].step == NO_VAL || refs->at[i].step == step->step_id))
            return true;
    }
    return refs->n == 0;
}

void show_steps(struct scontrol *session, const char *id)
{
    AUTO(job_refs) struct job_refs refs = { 0 };
    AUTO(job_list) struct job_list list;
    AUTO(records) struct records steps = { 0 };
    struct show show;
    uint32_t shown = 0;

    if (!read_jobs(session, "slurm_get_job_steps", id, &refs, &list) ||
        !session_records(session, "slurm_get_job_steps", MSG_STEP_LIST, &list, MSG_STEP_INFO,
                         &steps))
        return;
    if (steps.n)
        qsort(steps.at, steps.n, sizeof(struct step_record), compare_steps);
    show = show_of(session);
    for (uint32_t i = 0; i < steps.n; i++) {
        AUTO(strbuf) struct strbuf text = { 0 };

        if (!is_wanted(record_at(&steps, i), &refs))
            continue;
        show_step(&show, record_at(&steps, i), &text);
        print_text(&text);
        shown++;
    }
    if (shown == 0 && id)
        say_missing(session, "Job step", id);
    else if (shown == 0)
        say(session, "No job steps in the system");
}

/* ---- nodes ---- */

static void print_node(const struct show *show, const struct node_info *info)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    show_node(show, info, &text);
    print_text(&text);
}

static void print_named(struct scontrol *session, const struct hostlist *names,
                        const struct records *nodes)
{
    const struct show show = show_of(session);

    for (uint32_t i = 0; i < hostlist_count(names); i++) {
        const struct node_info *info = nodes_find(nodes, hostlist_get(names, i));

        if (info)
            print_node(&show, info);
        else
            say_missing(session, "Node", hostlist_get(names, i));
    }
}

/* One node is asked for by its name; of several, those not known are told apart here. */
static bool load_nodes(struct scontrol *session, const struct hostlist *names,
                       struct records *ret_nodes)
{
    struct node_list list;
    struct err err = { 0 };
    bool is_one = names && hostlist_count(names) == 1;

    node_list_init(&list);
    if (!session_connect(session, "slurm_load_node"))
        return false;
    if (is_one)
        list.names = (char *)(uintptr_t)hostlist_get(names, 0);
    if (records_load(session->command.cli.client, MSG_NODE_LIST, &list, MSG_NODE_INFO, ret_nodes,
                     &err) == 0)
        return true;
    if (is_one && err.code == E_NODE_NAME)
        say_missing(session, "Node", list.names);
    else
        session_report(session, "slurm_load_node", &err);
    return false;
}

void show_nodes(struct scontrol *session, const char *id)
{
    AUTO(hostlist) struct hostlist *names = NULL;
    AUTO(records) struct records nodes = { 0 };
    struct show show;

    if (id && hostlist_parse(id, &names, NULL) < 0) {
        say_missing(session, "Node", id);
        return;
    }
    if (!load_nodes(session, names, &nodes))
        return;
    if (names) {
        print_named(session, names, &nodes);
        return;
    }
    show = show_of(session);
    for (uint32_t i = 0; i < nodes.n; i++)
        print_node(&show, record_at(&nodes, i));
    if (nodes.n == 0)
        say(session, "No nodes in the system");
}

/* ---- partitions ---- */

static bool is_member(const struct node_info *info, const char *partition)
{
    for (uint32_t i = 0; i < info->partitions_n; i++) {
        if (strcmp(info->partitions[i], partition) == 0)
            return true;
    }
    return false;
}

static uint64_t memory_of(const struct partition_info *part, const struct records *nodes)
{
    uint64_t mb = 0;

    for (uint32_t i = 0; i < nodes->n; i++) {
        const struct node_info *info = record_at(nodes, i);

        if (is_member(info, part->name))
            mb += info->memory_mb;
    }
    return mb;
}

static bool load_partitions(struct scontrol *session, const char *id, struct records *ret_parts)
{
    AUTO(partition_list) struct partition_list list;
    struct err err = { 0 };

    partition_list_init(&list);
    if (!session_connect(session, "slurm_load_partitions"))
        return false;
    if (id)
        *ARRAY_PUSH(list.names, list.names_n) = xstrdup(id);
    if (records_load(session->command.cli.client, MSG_PARTITION_LIST, &list, MSG_PARTITION_INFO,
                     ret_parts, &err) == 0)
        return true;
    if (err.code == E_PARTITION_NAME)
        say_missing(session, "Partition", id);
    else
        session_report(session, "slurm_load_partitions", &err);
    return false;
}

void show_partitions(struct scontrol *session, const char *id)
{
    AUTO(records) struct records parts = { 0 };
    AUTO(records) struct records nodes = { 0 };
    bool see_all =
        session->options.all || id ||
        (!session->options.hide && session_load(session) && listing_sees_all(&session->command));
    struct show show;

    if (!load_partitions(session, id, &parts) || !load_nodes(session, NULL, &nodes))
        return;
    show = show_of(session);
    for (uint32_t i = 0; i < parts.n; i++) {
        const struct partition_info *info = record_at(&parts, i);
        AUTO(strbuf) struct strbuf text = { 0 };

        if (info->hidden && !see_all)
            continue;
        show_partition(&show, info, memory_of(info, &nodes), &text);
        print_text(&text);
    }
    if (parts.n == 0)
        say(session, "No partitions in the system");
}

/* ---- configuration and controllers ---- */

static const char *title_of(uint32_t controller, uint32_t controllers, char *buf, size_t n)
{
    if (controller == 0)
        return "primary";
    if (controllers == 2)
        return "backup";
    snprintf(buf, n, "backup%u", controller);
    return buf;
}

static bool is_up(struct scontrol *session, uint32_t controller)
{
    struct client *client = NULL;
    bool is_up = cli_try_controller(&session->command.cli, controller, &client, NULL) == 0 &&
                 client_call(client, MSG_PING, NULL, MSG_PONG, NULL, NULL) == 0;

    client_free(client);
    return is_up;
}

bool show_controllers(struct scontrol *session)
{
    const struct slurm_conf *conf = session->command.cli.conf;
    bool one_is_up = false;
    char title[32];

    for (uint32_t i = 0; i < conf->controllers_n; i++) {
        bool up = is_up(session, i);

        printf("Slurmctld(%s) at %s is %s\n",
               title_of(i, conf->controllers_n, title, sizeof(title)), conf->controllers[i].name,
               up ? "UP" : "DOWN");
        one_is_up |= up;
    }
    return one_is_up;
}

void show_config(struct scontrol *session, const char *id)
{
    AUTO(records) struct records entries = { 0 };
    AUTO(strbuf) struct strbuf now = { 0 };
    uint32_t shown = 0;

    if (!session_records(session, "slurm_load_ctl_conf", MSG_CONFIG_LIST, NULL, MSG_CONFIG_ENTRY,
                         &entries))
        return;
    time_format(&now, (int64_t)time(NULL), NULL, 0, "");
    if (!id)
        printf("Configuration data as of %s\n", strbuf_text(&now));
    for (uint32_t i = 0; i < entries.n; i++) {
        const struct config_entry *entry = record_at(&entries, i);

        if (id && !word_is(entry->key, id))
            continue;
        printf("%-23s = %s\n", entry->key, entry->value ? entry->value : "(null)");
        shown++;
    }
    if (id && shown == 0)
        say_missing(session, "Configuration parameter", id);
    if (id)
        return;
    printf("\n");
    show_controllers(session);
}
