#include "cli/strigger/strigger.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/clusters.h"
#include "cli/lib/records.h"
#include "cli/strigger/options.h"
#include "common/base/plain.h"
#include "common/msg/types.h"

static int report(const struct command *command, const char *what, const struct err *err)
{
    records_report(command, what, err);
    return 1;
}

static int change(const struct command *command, struct kept_edit *edit, struct err *err)
{
    const struct kept_change request = { .edits = edit, .edits_n = 1 };

    return client_call(command->cli.client, MSG_KEPT_CHANGE, &request, MSG_KEPT_CHANGED, NULL, err);
}

static int set(const struct command *command, const struct trigger_options *options)
{
    const char *nodes = options->node && options->node[0] ? options->node : NULL;
    const struct trigger_record request = {
        .events = options->events,
        .job_id = options->job_id,
        .nodes = options->job ? NULL : (char *)(uintptr_t)nodes,
        .offset_s = options->offset_s,
        .program = (char *)(uintptr_t)options->program,
        .permanent = options->flags != NULL,
    };
    struct kept_edit edit = { .verb = KEPT_ADD, .kind = KEPT_TRIGGER };
    struct err err = { 0 };
    int rc;

    edit.record = schema_encode_blob(trigger_record_schema(), &request);
    rc = change(command, &edit, &err);
    free(edit.record.data);
    if (rc < 0)
        return report(command, "slurm_set_trigger", &err);
    if (options->verbose)
        fprintf(stderr, "strigger: trigger set\n");
    return 0;
}

static void say_cleared(const struct trigger_options *options)
{
    if (options->id)
        fprintf(stderr, "strigger: trigger %u cleared\n", options->trigger_id);
    else if (options->job)
        fprintf(stderr, "strigger: triggers for job %u cleared\n", options->job_id);
    else
        fprintf(stderr, "strigger: triggers for user %u cleared\n", options->uid);
}

/* Narrows the edit to triggers whose field has the value that the edit tells. */
static void match(struct kept_edit *edit, const char *field)
{
    *ARRAY_PUSH(edit->match, edit->match_n) = schema_find(trigger_record_schema(), field)->tag;
}

static int clear(const struct command *command, const struct trigger_options *options)
{
    const struct trigger_record like = { .id = options->trigger_id,
                                         .job_id = options->job_id,
                                         .uid = options->uid };
    struct kept_edit edit = { .verb = KEPT_REMOVE, .kind = KEPT_TRIGGER };
    struct err err = { 0 };
    int rc;

    edit.like = schema_encode_blob(trigger_record_schema(), &like);
    if (options->id)
        match(&edit, "id");
    if (options->job)
        match(&edit, "job_id");
    if (options->user)
        match(&edit, "uid");
    rc = change(command, &edit, &err);
    kept_edit_clear(&edit);
    if (rc == 0) {
        if (options->verbose)
            say_cleared(options);
        return 0;
    }
    if (options->quiet && err.code == ESRCH)
        return 0;
    return report(command, "slurm_clear_trigger", &err);
}

/* ---- listing ---- */

static bool is_of_controller(const struct trigger_record *trigger)
{
    return !trigger->job_id && trigger->events == TRIGGER_STARTED;
}

static bool is_wanted(const struct trigger_options *options, const struct trigger_record *trigger)
{
    if (options->node && (trigger->job_id || is_of_controller(trigger)))
        return false;
    return (trigger->events & options->events) == options->events &&
           (!options->id || trigger->id == options->trigger_id) &&
           (!options->job || trigger->job_id == options->job_id) &&
           (!options->user || trigger->uid == options->uid);
}

static void print(const struct trigger_record *trigger)
{
    AUTO_FREE char *job = xasprintf("%u", trigger->job_id);
    AUTO_FREE char *uid = xasprintf("%u", trigger->uid);
    const char *kind = trigger->job_id ? "job" : is_of_controller(trigger) ? "slurmctld" : "node";
    const char *nodes = trigger->nodes ? trigger->nodes : "*";
    AUTO(strbuf) struct strbuf line = { 0 };

    strbuf_addf(&line, "%7u %-9s %7s %-35s %6d %-8s %-5s %s", trigger->id, kind,
                trigger->job_id ? job : nodes, trigger_event_name(trigger->events),
                trigger->offset_s, trigger->user ? trigger->user : uid,
                trigger->permanent ? "PERM" : "", trigger->program);
    plain_escape(&line, 0);
    puts(strbuf_text(&line));
}

/* Lists triggers; an empty list has no titles either. */
static int list(const struct command *command, const struct trigger_options *options)
{
    const struct kept_list request = { .kind = KEPT_TRIGGER };
    AUTO(records) struct records triggers = { .schema = trigger_record_schema() };
    bool has_header = !options->no_header;
    struct err err = { 0 };

    if (records_load_kept(command->cli.client, &request, &triggers, &err) < 0)
        return report(command, "slurm_get_triggers", &err);
    if (options->verbose)
        fprintf(stderr, "strigger: Read %u trigger records\n", triggers.n);
    for (uint32_t i = 0; i < triggers.n; i++) {
        if (!is_wanted(options, record_at(&triggers, i)))
            continue;
        if (has_header)
            puts("TRIG_ID RES_TYPE   RES_ID TYPE                                OFFSET USER     "
                 "FLAGS PROGRAM");
        has_header = false;
        print(record_at(&triggers, i));
    }
    return 0;
}

static int run(struct command *command, int argc, char **argv)
{
    struct trigger_options options = { 0 };
    struct err err = { 0 };
    int status = trigger_options_read(command, argc, argv, &options);

    if (status >= 0)
        return status;
    if (cli_load(&command->cli, &err) < 0) {
        command_report(command, NULL, &err);
        return 1;
    }
    if (clusters_choose(command, options.clusters) < 0)
        return 1;
    if (cli_connect(&command->cli, RPC_ROLE_CLIENT, &err) < 0)
        return report(command,
                      options.set   ? "slurm_set_trigger"
                      : options.get ? "slurm_get_triggers"
                                    : "slurm_clear_trigger",
                      &err);
    return options.set   ? set(command, &options)
           : options.get ? list(command, &options)
                         : clear(command, &options);
}

int strigger_main(int argc, char **argv)
{
    AUTO(command) struct command command;

    command_init(&command, "strigger");
    return run(&command, argc, argv);
}
