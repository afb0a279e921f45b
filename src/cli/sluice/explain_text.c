#include "cli/sluice/explain_text.h"

#include <string.h>

#include "cli/lib/job_facts.h"
#include "common/base/plain.h"
#include "common/msg/tres.h"
#include "common/text/duration.h"
#include "common/text/timetext.h"

static void add_time(struct strbuf *out, int64_t t)
{
    time_format(out, t, NULL, 0, "an unknown time");
}

static void add_limit(struct strbuf *out, int64_t limit_s)
{
    if (limit_s < 0) {
        strbuf_adds(out, " without a time limit");
        return;
    }
    strbuf_adds(out, " for ");
    duration_format(out, limit_s);
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- a waiting job ---- */

static void add_request(const struct job_record *job, struct strbuf *out)
{
    const struct job_spec *spec = job->spec;
    AUTO(tres) struct tres tres = tres_requested(job);

    strbuf_addf(out, "  It asks for %u node%s and %u cpu%s", spec->min_nodes,
                plural(spec->min_nodes), job->ncpus, plural(job->ncpus));
    if (tres.mem_mb != MB_UNSET && tres.mem_mb > 0)
        strbuf_addf(out, " with %lluM of memory", (unsigned long long)tres.mem_mb);
    strbuf_addf(out, " in partition %s,", job->partition);
    add_limit(out, spec->time_limit);
    strbuf_adds(out, ".\n");
}

/* Returns what the reason's word means, where the figures behind it do not tell. */
static const char *meaning_of(const struct job_info *info)
{
    switch (info->job->reason) {
    case REASON_RESOURCES:
        return "It is first in line; what it asks for is in use.";
    case REASON_PRIORITY:
        return "Jobs of higher priority come first.";
    case REASON_HELD_USER:
        return "It is held until its owner or an operator releases it.";
    case REASON_MAX_REQUEUE:
        return "Nodes lost its script again and again; it is held until somebody releases it.";
    case REASON_HELD_ADMIN:
        return "It is held until an operator releases it.";
    case REASON_ARRAY_LIMIT:
        return "As many tasks of its array run as may run at once.";
    case REASON_LICENSES:
        return "Licenses that it asks for are in use, or there are not so many.";
    case REASON_RESERVATION:
        return "The reservation that it asks for is not open.";
    case REASON_BAD_CONSTRAINTS:
        return "No set of nodes that the partition has could ever hold it.";
    case REASON_PARTITION_DOWN:
        return "The partition starts no jobs.";
    case REASON_NODES_UNAVAILABLE:
        return info->unavailable_nodes ? NULL : "Nodes that it needs are reserved for other jobs.";
    default:
        return NULL;
    }
}

/* Appends the dependencies whatever the reason is: a job that is held may wait for others too. */
static void add_dependencies(const struct job_record *job, struct strbuf *out)
{
    bool is_failed = false;

    if (job->dependencies_n == 0)
        return;
    for (uint32_t i = 0; i < job->dependencies_n; i++)
        is_failed |= job->dependencies[i].is_failed;
    strbuf_addf(out, "  It waits for %s: ",
                job->dependencies_n == 1 ? "another job"
                : job->any_dependency    ? "one of these"
                                         : "all of these");
    job_dependencies_format(job, out);
    strbuf_adds(out, is_failed ? "; what failed can not come true any more.\n" : ".\n");
}

static void add_deadline(const struct job_spec *spec, struct strbuf *out)
{
    if (!spec->deadline)
        return;
    strbuf_adds(out, "  It is not started when it could not be over by ");
    add_time(out, spec->deadline);
    strbuf_adds(out, ".\n");
}

static void add_meaning(const struct job_info *info, struct strbuf *out)
{
    const char *meaning = meaning_of(info);

    if (meaning)
        strbuf_addf(out, "  %s\n", meaning);
    if (info->unavailable_nodes)
        strbuf_addf(out,
                    "  It needs nodes of these, which are down, drained or do not respond: %s "
                    "(sinfo -R -n %s and "
                    "sluice doctor tell why)\n",
                    info->unavailable_nodes, info->unavailable_nodes);
    if (info->job->reason != REASON_BEGIN_TIME)
        return;
    strbuf_adds(out, "  It is not to start before ");
    add_time(out, info->job->spec->begin);
    strbuf_adds(out, ".\n");
}

struct list {
    struct strbuf *out;
    bool has_begun;
};

static void add_lack(struct list *list, const char *what)
{
    strbuf_addf(list->out, "%s%s", list->has_begun ? ", " : "  It lacks ", what);
    list->has_begun = true;
}

/* True if several nodes that are alike are what is short, whatever of each is. */
static bool lacks_nodes(const struct standing *standing)
{
    return standing && standing->nodes_n > 0 && standing->needs_n > 1 &&
           standing->matches_n < standing->needs_n;
}

/* True if all that the job asks of nodes is free, but promised. */
static bool is_promised(const struct job_info *info, const struct standing *standing)
{
    return standing && info->job->reason == REASON_PRIORITY && standing_has_nodes(standing);
}

static void add_lacks(const struct job_info *info, const struct standing *standing,
                      struct strbuf *out)
{
    static const struct {
        uint32_t lack;
        const char *word;
        bool is_of_nodes;
    } words[] = {
        { JOB_LACKS_CPUS, "cpus", true },
        { JOB_LACKS_MEMORY, "memory", true },
        { JOB_LACKS_GRES, "gres", true },
        { JOB_LACKS_LICENSES, "licenses", false },
        { JOB_LACKS_NODES, "nodes that are free as a whole", true },
    };
    const bool are_told = lacks_nodes(standing) || is_promised(info, standing);
    struct list list = { .out = out };

    if (lacks_nodes(standing)) {
        AUTO_FREE char *nodes =
            xasprintf("%u of %u nodes", standing->needs_n - standing->matches_n, standing->needs_n);

        add_lack(&list, nodes);
    }
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if ((info->lacks & words[i].lack) && !(words[i].is_of_nodes && are_told))
            add_lack(&list, words[i].word);
    }
    if (list.has_begun)
        strbuf_adds(out, ".\n");
    if (is_promised(info, standing))
        strbuf_adds(out, "  Enough nodes match, and are kept for jobs that come before it.\n");
}

static void add_kind(const struct standing_row *row, struct strbuf *out)
{
    static const char *const words[STANDING_KINDS_N] = {
        [STANDING_MATCHES] = "match now",
        [STANDING_DRAINED] = "drained",
        [STANDING_DOWN] = "down or not responding",
        [STANDING_EXCLUDED] = "excluded",
    };

    if (row->kind == STANDING_UNFIT) {
        strbuf_addf(out, "without the %s that it asks of a node", row->lacks);
    } else if (row->kind == STANDING_BUSY && !row->until) {
        strbuf_adds(out, "busy, without an end that is known");
    } else if (row->kind == STANDING_BUSY) {
        strbuf_adds(out, "busy until ");
        add_time(out, row->until);
        strbuf_adds(out, row->or_later ? " or later" : "");
    } else {
        strbuf_adds(out, words[row->kind]);
    }
}

static void add_nodes(const struct job_record *job, const struct standing *standing,
                      struct strbuf *out)
{
    if (!standing || standing->nodes_n == 0)
        return;
    strbuf_addf(out, "  Of the %u node%s of partition %s, for what it asks of each:\n",
                standing->nodes_n, plural(standing->nodes_n), job->partition);
    for (uint32_t i = 0; i < standing->rows_n; i++) {
        const struct standing_row *row = &standing->rows[i];
        AUTO_FREE char *names = hostlist_format(row->nodes);

        strbuf_addf(out, "    %u ", hostlist_count(row->nodes));
        add_kind(row, out);
        strbuf_addf(out, ": %s\n", names);
    }
}

/* True if the job waits for others to end, which hold nothing that it needs. */
static bool waits_for_ends(const struct job_info *info)
{
    return info->job->reason == REASON_DEPENDENCY || info->job->reason == REASON_ARRAY_LIMIT;
}

static void add_blocker(const struct job_info *info, const struct job_blocker *blocker,
                        struct strbuf *out)
{
    const char *holds = waits_for_ends(info) ? "runs" : "holds it";

    strbuf_addf(out, "    job %u", blocker->job_id);
    if (blocker->array_task != COUNT_UNSET)
        strbuf_addf(out, "_%u", blocker->array_task);
    if (blocker->user_name)
        strbuf_addf(out, " of %s", blocker->user_name);
    if (blocker->waits) {
        strbuf_adds(out, waits_for_ends(info) ? " waits itself" : " is planned to start before it");
    } else if (blocker->until) {
        strbuf_addf(out, " %s until ", holds);
        add_time(out, blocker->until);
        strbuf_adds(out, " at the latest");
    } else {
        strbuf_addf(out, " %s without a time limit", holds);
    }
    strbuf_addc(out, '\n');
}

static void add_blockers(const struct job_info *info, struct strbuf *out)
{
    if (info->blockers_n == 0)
        return;
    strbuf_addf(out, "  %s%s:\n",
                waits_for_ends(info) ? "These are not over" : "What it needs is taken",
                info->blockers_n < JOB_BLOCKERS_MAX ? "" : " (others may be in the way too)");
    for (uint32_t i = 0; i < info->blockers_n; i++)
        add_blocker(info, &info->blockers[i], out);
}

static const char *what_may_change(uint32_t estimate)
{
    if (estimate == ESTIMATE_BEGIN)
        return ", if there is room then.\n";
    if (estimate == ESTIMATE_DECAY)
        return ":\n  decay will have made room in its limit, if nothing else is used of it until "
               "then.\n";
    if (estimate == ESTIMATE_FORECAST)
        return ":\n  a forecast, no promise. Earlier when jobs end before their limits, later when "
               "others fit in between.\n";
    return ":\n  earlier when jobs end before their limits, later when jobs of "
           "higher priority come.\n";
}

static bool is_held_without_end(const struct job_info *info)
{
    for (uint32_t i = 0; i < info->blockers_n; i++) {
        if (!info->blockers[i].waits && !info->blockers[i].until)
            return true;
    }
    return false;
}

static void add_ahead(const struct standing *standing, const char *partition, struct strbuf *out)
{
    const bool is_one = standing->ahead_n == 1;

    strbuf_addf(out, "  No start is planned yet: %u job%s of partition %s come%s before it: ",
                standing->ahead_n, plural(standing->ahead_n), partition, is_one ? "s" : "");
    for (uint32_t i = 0; i < standing->ahead_n && i < STANDING_AHEAD_MAX; i++)
        strbuf_addf(out, "%s%u", i ? ", " : "", standing->ahead[i]);
    strbuf_adds(out, standing->ahead_n > STANDING_AHEAD_MAX ? " ...\n" : ".\n");
}

static void add_room(int64_t at, struct strbuf *out)
{
    strbuf_adds(out, "  Decay will have made room for all of it at ");
    add_time(out, at);
    strbuf_adds(out, ", if nothing else is used of that limit until then.\n");
}

static void add_used_up(const struct job_info *info, struct strbuf *out)
{
    strbuf_addf(out, "  Jobs that run will have used up %s at ", info->used_up);
    add_time(out, info->used_up_time);
    strbuf_adds(out, ", and are ended then.\n  No start is planned before decay has made room "
                     "again.\n");
}

static void add_no_plan(const struct job_info *info, const struct standing *standing,
                        struct strbuf *out)
{
    static const uint32_t of_others[] = { REASON_RESOURCES, REASON_PRIORITY, REASON_LICENSES };
    bool waits_for_others = false;

    for (size_t i = 0; i < ARRAY_N(of_others); i++)
        waits_for_others |= info->job->reason == of_others[i];
    if (waits_for_ends(info) && info->blockers_n)
        strbuf_adds(out, "  No start is planned before these are over.\n");
    else if (info->used_up)
        add_used_up(info, out);
    else if (is_held_without_end(info))
        strbuf_adds(out, "  No start is planned: what it needs is held without an end that is "
                         "known.\n");
    else if (waits_for_others && standing && standing->ahead_n)
        add_ahead(standing, info->job->partition, out);
    else if (waits_for_others)
        strbuf_adds(out, "  No start is planned yet: the scheduler has not come to it.\n");
    else if (info->room_time)
        add_room(info->room_time, out);
    else
        strbuf_adds(out, "  No start is planned while that is so.\n");
}

static void add_plan(const struct job_info *info, const struct standing *standing,
                     struct strbuf *out)
{
    if (!info->planned_start) {
        add_no_plan(info, standing, out);
        return;
    }
    strbuf_adds(out, "  It is planned to start at ");
    add_time(out, info->planned_start);
    if (info->planned_nodes)
        strbuf_addf(out, " on %s", info->planned_nodes);
    strbuf_adds(out, what_may_change(info->estimate));
}

static void explain_waiting(const struct job_info *info, const struct standing *standing,
                            struct strbuf *out)
{
    const struct job_record *job = info->job;

    strbuf_addf(out, " waits: %s\n",
                job->reason_text ? job->reason_text : job_reason_name(job->reason));
    add_request(job, out);
    add_meaning(info, out);
    add_dependencies(job, out);
    add_deadline(job->spec, out);
    add_lacks(info, standing, out);
    add_nodes(job, standing, out);
    add_blockers(info, out);
    add_plan(info, standing, out);
}

/* ---- others ---- */

static void explain_running(const struct job_record *job, struct strbuf *out)
{
    if (job->state == JOB_SUSPENDED) {
        strbuf_addf(out, " is suspended on %s since ", job->node_list ? job->node_list : "no node");
        add_time(out, job->suspend_time);
        strbuf_addf(out, "; scontrol resume %u lets it go on.\n", job->id);
        return;
    }
    strbuf_addf(out, " runs on %s since ", job->node_list ? job->node_list : "no node");
    add_time(out, job->start_time);
    if (job->spec->time_limit < 0) {
        strbuf_adds(out, ", without a time limit.\n");
        return;
    }
    strbuf_adds(out, "; its limit ends it at ");
    add_time(out, job_end_from(job, job->start_time));
    strbuf_adds(out, ".\n");
}

static void explain_ended(const struct job_record *job, struct strbuf *out)
{
    strbuf_addf(out, " is over: %s", job_state_name(job->state, 0));
    if (job->reason != REASON_NONE)
        strbuf_addf(out, " (%s)",
                    job->reason_text ? job->reason_text : job_reason_name(job->reason));
    strbuf_adds(out, job->flags & JOB_FLAG_COMPLETING ? "; its nodes are being cleaned.\n" : ".\n");
}

void explain_job(const struct job_info *info, const struct standing *standing, struct strbuf *out)
{
    const struct job_record *job = info->job;
    AUTO_FREE char *name = plain_copy(job->spec->name);

    strbuf_adds(out, "Job ");
    job_name_format(job, 0, out);
    strbuf_addf(out, " (%s) of %s", name ? name : "no name",
                job->user_name ? job->user_name : "an unknown user");
    if (job->state == JOB_PENDING)
        explain_waiting(info, standing, out);
    else if (job_state_is_over(job->state))
        explain_ended(job, out);
    else
        explain_running(job, out);
}
