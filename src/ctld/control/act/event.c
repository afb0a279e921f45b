#include "ctld/control/act/event.h"

#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#include "common/base/strbuf.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"

static struct event_record begin(const struct act *act, enum event_kind kind)
{
    struct event_record event;

    event_record_init(&event);
    event.kind = kind;
    event.time_ms = act->now.wall_s * INT64_C(1000) + act->now.wall_part_ms;
    if (act->caller) {
        event.has_caller = true;
        event.uid = act->caller->uid;
        event.user = (char *)(uintptr_t)act->caller->user_name;
        event.host = (char *)(uintptr_t)act->caller->host;
    }
    return event;
}

void event_note(struct act *act, enum event_kind kind, const char *text)
{
    struct event_record event = begin(act, kind);

    event.text = (char *)(uintptr_t)text;
    turn_note_event(act->turn, &event);
}

void event_note_acct(struct act *act, const char *what, const char *name, const char *info)
{
    struct event_record event = begin(act, EVENT_ACCOUNTING);

    event.what = (char *)(uintptr_t)what;
    event.text = (char *)(uintptr_t)name;
    event.info = (char *)(uintptr_t)info;
    event.origin = act->control->acct_owner; /* which is told of it, and notes it itself */
    turn_note_event(act->turn, &event);
}

void event_note_job(struct act *act, enum event_kind kind, const struct job *job, const char *text)
{
    const struct job_record *rec = &job->rec;
    struct event_record event = begin(act, kind);

    event.job_id = rec->id;
    event.array_job_id = rec->array_job_id;
    event.array_task = rec->array_tasks ? COUNT_UNSET : rec->array_task;
    event.owner_uid = rec->uid;
    event.run = rec->launch_number;
    event.partition = rec->partition;
    event.nodes = kind == EVENT_JOB_STARTED ? rec->node_list : NULL;
    event.text = (char *)(uintptr_t)text;
    turn_note_event(act->turn, &event);
}

void event_note_submit(struct act *act, const struct job *job)
{
    AUTO_FREE char *text = xasprintf("priority %" PRIu64, job->rec.priority);

    event_note_job(act, EVENT_JOB_SUBMITTED, job, text);
}

void event_note_start(struct act *act, const struct job *job, bool backfilled)
{
    const uint32_t cpus = job->rec.ncpus;
    AUTO_FREE char *text =
        xasprintf("with %u cpu%s%s", cpus, cpus == 1 ? "" : "s", backfilled ? ", by backfill" : "");

    event_note_job(act, EVENT_JOB_STARTED, job, text);
}

void event_note_end(struct act *act, const struct job *job)
{
    const struct job_record *rec = &job->rec;
    AUTO(strbuf) struct strbuf text = { 0 };

    strbuf_addf(&text, "%s, exit code %d:%d", job_state_name(rec->state, 0),
                WIFEXITED(rec->exit_status) ? WEXITSTATUS(rec->exit_status) : 0,
                WIFSIGNALED(rec->exit_status) ? WTERMSIG(rec->exit_status) : 0);
    if (rec->start_cluster_ms) {
        strbuf_addf(&text, ", after %" PRId64 " s",
                    (rec->end_cluster_ms - rec->start_cluster_ms) / 1000);
        if (rec->reason_text) /* else it says why the job waited */
            strbuf_addf(&text, ": %s", rec->reason_text);
    }
    event_note_job(act, EVENT_JOB_ENDED, job, strbuf_text(&text));
}

/* Returns the node's states in words, "drain, down (disk full)", to be freed. That it is busy is
 * left out: the events of its jobs tell that. */
static char *describe(const struct node *node)
{
    const struct node_record *rec = &node->rec;
    struct strbuf out = { 0 };
    const struct {
        bool is;
        const char *word;
    } words[] = { { rec->down, "down" },
                  { rec->drain, "drain" },
                  { rec->fail, "fail" },
                  { rec->reboot != 0, "rebooting" },
                  { node_is_future(node), "future" } };

    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (words[i].is)
            strbuf_addf(&out, "%s%s", out.len ? ", " : "", words[i].word);
    }
    if (out.len == 0)
        strbuf_adds(&out, "up");
    if (rec->reason)
        strbuf_addf(&out, " (%s)", rec->reason);
    return strbuf_steal(&out);
}

void event_see_node(struct node *node)
{
    free(node->noted);
    node->noted = describe(node);
}

static void note_state(struct act *act, struct node *node)
{
    AUTO_FREE char *before = STEAL(node->noted);
    struct event_record event;

    event_see_node(node);
    if (before && strcmp(before, node->noted) == 0)
        return;
    event = begin(act, EVENT_NODE_CHANGED);
    event.nodes = node->rec.name;
    event.text = node->noted;
    turn_note_event(act->turn, &event);
}

void node_note(struct act *act, struct node *node)
{
    turn_note_node(act->turn, &node->rec);
    note_state(act, node);
    bitset_add(&act->control->outages_due, node->index);
}
