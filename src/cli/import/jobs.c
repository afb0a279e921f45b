#include "cli/import/jobs.h"

#include <stdlib.h>
#include <string.h>

#include "cli/import/values.h"
#include "common/base/alloc.h"
#include "common/msg/node.h"
#include "common/text/hostlist.h"
#include "common/text/tasks.h"
#include "common/text/words.h"

/* Numbers of the database, as its rows have them. */
#define NO_NUMBER       UINT32_C(0xfffffffe)
#define UNLIMITED       UINT32_C(0xffffffff)
#define STATE_BASE      0xff
#define STATE_REQUEUED  0x400
#define MEM_PER_CPU     (UINT64_C(1) << 63)
#define FLAG_BACKFILLED 8
#define NODES_MAX       65536 /* of a job, that are named one by one */

/* ---- what comes ---- */

/* Returns whether a row that is not the last one of its number is of the same job: who has a number
 * again after all were given has another name, or is another user's. */
static bool is_run(uint32_t state)
{
    const uint32_t base = state & STATE_BASE;

    return (state & STATE_REQUEUED) || base == JOB_NODE_FAIL || base == JOB_PREEMPTED ||
           job_state_is_over(base);
}

enum job_fate job_fate_of(const struct survey *survey, struct foreign_row *row)
{
    const uint32_t state = foreign_u32(row, JOB_state, 0), base = state & STATE_BASE;
    const uint32_t id = foreign_u32(row, JOB_id_job, 0);
    const bool is_last = survey_last_inx(survey, id) == foreign_u64(row, JOB_job_db_inx, 0);
    const int64_t end = foreign_time(row, JOB_time_end);

    if (base >= JOB_STATES_N)
        foreign_refuse(row, JOB_state, "no state");
    if (foreign_u32(row, JOB_deleted, 0))
        return JOB_IS_DELETED;
    if (!id || (end && end < foreign_time(row, JOB_time_start)))
        return JOB_IS_NONE;
    if (!end || (is_last && !job_state_is_over(base)))
        return JOB_IS_ALIVE;
    if (is_last)
        return JOB_COMES;
    return is_run(state) ? JOB_COMES_AS_RUN : JOB_IS_ALIVE;
}

/* ---- a job ---- */

static uint32_t count_of(uint32_t number)
{
    return number == NO_NUMBER || number == UNLIMITED ? COUNT_UNSET : number;
}

static int64_t limit_of(uint32_t minutes)
{
    return minutes == UNLIMITED   ? LIMIT_INFINITE
           : minutes == NO_NUMBER ? LIMIT_UNSET
                                  : (int64_t)minutes * 60;
}

/* What was asked of memory: for each cpu, for each node, or all of the nodes. */
static void set_memory(struct foreign_row *row, const struct portion *asked, struct job_spec *spec)
{
    const uint64_t memory = foreign_u64(row, JOB_mem_req, 0);

    if (memory & MEM_PER_CPU)
        spec->mem_per_cpu = memory & ~MEM_PER_CPU;
    else if (memory)
        spec->mem_per_node = memory;
    else if (asked->has_mem)
        spec->mem_per_node = asked->mem_mb / (asked->nodes ? asked->nodes : 1);
}

static void set_spec(const struct foreign *foreign, struct foreign_row *row,
                     const struct portion *asked, struct job_spec *spec)
{
    spec->name = clean_text(row, JOB_job_name);
    spec->account = clean_text(row, JOB_account);
    spec->partition = clean_text(row, JOB_partition);
    spec->qos = xstrdup(foreign_qos(foreign, foreign_u32(row, JOB_id_qos, 0)));
    spec->wckey = clean_text(row, JOB_wckey);
    spec->features = clean_text(row, JOB_constraints);
    spec->comment = clean_lines(row, JOB_derived_es);
    spec->admin_comment = clean_lines(row, JOB_admin_comment);
    spec->extra = clean_lines(row, JOB_extra);
    spec->reservation = xstrdup(foreign_resv(foreign, foreign_u32(row, JOB_id_resv, 0)));
    spec->time_limit = limit_of(foreign_u32(row, JOB_timelimit, NO_NUMBER));
    spec->min_nodes = asked->nodes ? (uint32_t)asked->nodes : COUNT_UNSET;
    spec->kind = foreign_u64(row, JOB_script_hash_inx, 0) ? JOB_KIND_BATCH : JOB_KIND_ALLOC;
    spec->tres_per_job = portion_gres(asked);
    set_memory(row, asked, spec);
}

/* Adds the nodes that it held, with their shares of all that it held. */
static void set_nodes(struct foreign_row *row, const struct portion *held, struct job_record *job)
{
    AUTO(hostlist) struct hostlist *list = NULL;
    const char *names = foreign_text(row, JOB_nodelist);
    const char *number = foreign_text(row, JOB_nodes_alloc); /* the list tells that, too */
    uint32_t n;

    if (!names || !held->cpus || (number && strcmp(number, "0") == 0))
        return;
    if (hostlist_parse(names, &list, NULL) < 0 || (n = hostlist_count(list)) == 0 ||
        n > NODES_MAX) {
        foreign_refuse(row, JOB_nodelist, "no list of nodes");
        return;
    }
    job->node_list = clean_text(row, JOB_nodelist);
    for (uint32_t i = 0; i < n; i++) {
        struct job_node *node = ARRAY_PUSH(job->nodes, job->nodes_n);

        job_node_init(node);
        node->name = xstrdup(hostlist_get(list, i));
        node->memory = held->has_mem ? share_of(held->mem_mb, i, n) : MB_UNSET;
        node->clean = true;
        portion_add_gres(held, i, n, &node->gres, &node->gres_n);
    }
    job->ncpus = (uint32_t)held->cpus;
    job->billing = held->has_billing ? (uint32_t)held->billing : COUNT_UNSET;
    free(job->spec->licenses);
    job->spec->licenses = portion_licenses(held);
}

/* Reads tasks that wait together: "0xE" is a number with a bit for each, here those of 1 to 3. */
static bool read_mask(const char *digits, struct bitset *ret)
{
    const size_t n = strlen(digits);

    if (n == 0 || n > ARRAY_TASKS_MAX / 4)
        return false;
    bitset_init(ret, (uint32_t)n * 4);
    for (uint32_t i = 0; i < n; i++) {
        const int value = dump_hex_digit((unsigned char)digits[n - 1 - i]);

        if (value < 0)
            return false;
        for (uint32_t bit = 0; bit < 4; bit++) {
            if (value & (1 << bit))
                bitset_add(ret, i * 4 + bit);
        }
    }
    return !bitset_is_empty(ret);
}

static bool read_tasks(const char *text, struct bitset *ret)
{
    const char *digits;
    uint32_t limit;

    if (word_starts(text, "0x", &digits))
        return read_mask(digits, ret);
    return tasks_parse(text, ARRAY_TASKS_MAX, ret, &limit, NULL) == 0;
}

static void set_array(struct foreign_row *row, struct job_record *job)
{
    AUTO(bitset) struct bitset tasks = { 0 };
    AUTO(strbuf) struct strbuf list = { 0 };
    const char *text = foreign_text(row, JOB_array_task_str);

    job->array_job_id = foreign_u32(row, JOB_id_array_job, 0);
    job->array_task = count_of(foreign_u32(row, JOB_id_array_task, NO_NUMBER));
    job->array_limit = foreign_u32(row, JOB_array_max_tasks, 0);
    if (!job->array_job_id || job->array_task != COUNT_UNSET || !text || !read_tasks(text, &tasks))
        return;
    tasks_format(&tasks, &list);
    job->array_tasks = strbuf_steal(&list);
}

static void set_times(const struct survey *survey, struct foreign_row *row, struct job_record *job)
{
    const int64_t suspended = foreign_i64(row, JOB_time_suspended, 0);
    const struct suspension *last;
    uint32_t n;

    job->submit_time = foreign_time(row, JOB_time_submit);
    job->eligible_time = foreign_time(row, JOB_time_eligible);
    job->start_time = foreign_time(row, JOB_time_start);
    job->end_time = foreign_time(row, JOB_time_end);
    if (suspended <= 0 || suspended > job->end_time - job->start_time)
        return;
    last = survey_suspensions(survey, foreign_u64(row, JOB_job_db_inx, 0), &n);
    job->suspend_time = n && last[n - 1].until ? last[n - 1].until : job->end_time;
    if (job->suspend_time > job->end_time)
        job->suspend_time = job->end_time;
    job->pre_suspend_s = job->suspend_time - job->start_time - suspended;
    if (job->pre_suspend_s < 0) { /* the rows do not agree: the sum counts */
        job->suspend_time = job->end_time;
        job->pre_suspend_s = job->end_time - job->start_time - suspended;
    }
}

static void set_outcome(struct foreign_row *row, struct job_record *job)
{
    const uint32_t base = foreign_u32(row, JOB_state, 0) & STATE_BASE;

    if (job->end_time)
        job->state = job_state_is_over(base) ? base : JOB_CANCELLED;
    else
        job->state = job->start_time ? JOB_RUNNING : JOB_PENDING;
    job->flags = JOB_FLAG_IMPORTED;
    if (foreign_u32(row, JOB_flags, 0) & FLAG_BACKFILLED)
        job->flags |= JOB_FLAG_BACKFILLED;
    job->exit_status = (int32_t)foreign_u32(row, JOB_exit_code, 0);
    job->derived_status = (int32_t)foreign_u32(row, JOB_derived_ec, 0);
    job->ended_by = count_of((uint32_t)foreign_i64(row, JOB_kill_requid, NO_NUMBER));
}

static void set_body(const struct foreign_row *row, struct job_body *body)
{
    body->work_dir = xstrdup(foreign_text(row, JOB_work_dir));
    body->std_in = xstrdup(foreign_text(row, JOB_std_in));
    body->std_out = xstrdup(foreign_text(row, JOB_std_out));
    body->std_err = xstrdup(foreign_text(row, JOB_std_err));
    body->submit_line = xstrdup(foreign_text(row, JOB_submit_line));
}

static void note_lost(const struct foreign_row *row, const struct job_record *job,
                      struct plan *plan)
{
    if (foreign_text(row, JOB_container))
        plan_note(plan, "jobs come without the name of their container", "%u", job->id);
    if (foreign_text(row, JOB_het_job_id) && strcmp(foreign_text(row, JOB_het_job_id), "0") != 0)
        plan_note(plan, "parts of heterogeneous jobs come as jobs of their own", "%u", job->id);
}

void job_convert(const struct foreign *foreign, struct foreign_row *row, struct plan *plan,
                 struct job_record *ret, struct job_body *ret_body)
{
    AUTO(portion) struct portion asked = portion_of(foreign, row, JOB_tres_req);
    AUTO(portion) struct portion held = portion_of(foreign, row, JOB_tres_alloc);
    const struct foreign_assoc *assoc = foreign_assoc(foreign, foreign_u32(row, JOB_id_assoc, 0));

    ret->spec = xmalloc(sizeof(*ret->spec));
    job_spec_init(ret->spec);
    ret->id = foreign_u32(row, JOB_id_job, 0);
    ret->uid = foreign_u32(row, JOB_id_user, 0);
    ret->gid = foreign_u32(row, JOB_id_group, 0);
    ret->user_name = xstrdup(assoc ? assoc->user : foreign_user(foreign, ret->uid));
    ret->group_name = xstrdup(foreign_group(foreign, ret->gid));
    ret->priority = foreign_u32(row, JOB_priority, 0);
    ret->system_comment = clean_lines(row, JOB_system_comment);
    ret->partition = clean_text(row, JOB_partition);
    ret->ncpus = foreign_u32(row, JOB_cpus_req, 0);
    set_spec(foreign, row, &asked, ret->spec);
    ret->spec->licenses = portion_licenses(&asked);
    set_times(foreign->survey, row, ret);
    set_outcome(row, ret);
    if (ret->state != JOB_PENDING)
        set_nodes(row, &held, ret);
    set_array(row, ret);
    set_body(row, ret_body);
    note_lost(row, ret, plan);
}

/* ---- an event ---- */

static void add_tres(struct cluster_event *event, const char *name, uint64_t amount)
{
    struct acct_amount *added = ARRAY_PUSH(event->tres, event->tres_n);

    acct_amount_init(added);
    added->tres = xstrdup(name);
    added->amount = amount;
}

/* What the database says of a node's state, in bits of its own. */
static void set_state(struct foreign_row *row, struct cluster_event *event)
{
    static const struct {
        uint32_t bit, flag;
    } flags[] = { { 0x200, NODE_FLAG_DRAIN },
                  { 0x800, NODE_FLAG_NO_RESPOND },
                  { 0x2000, NODE_FLAG_FAIL } };
    static const uint32_t bases[] = { NODE_UNKNOWN, NODE_DOWN, NODE_IDLE,  NODE_IDLE,
                                      NODE_DOWN,    NODE_IDLE, NODE_FUTURE };
    const uint32_t state = foreign_u32(row, EVENT_state, 0), base = state & 0xf;

    event->state = base < ARRAY_N(bases) ? bases[base] : NODE_UNKNOWN;
    for (size_t i = 0; i < ARRAY_N(flags); i++) {
        if (state & flags[i].bit)
            event->flags |= flags[i].flag;
    }
}

void event_convert(const struct foreign *foreign, struct foreign_row *row,
                   struct cluster_event *ret)
{
    AUTO(portion) struct portion held = portion_of(foreign, row, EVENT_tres);

    ret->node = clean_text(row, EVENT_node_name);
    ret->since = foreign_time(row, EVENT_time_start);
    ret->until = foreign_time(row, EVENT_time_end);
    ret->reason = clean_lines(row, EVENT_reason);
    ret->reason_uid = count_of(foreign_u32(row, EVENT_reason_uid, NO_NUMBER));
    if (ret->node)
        set_state(row, ret);
    else
        ret->nodes = clean_text(row, EVENT_cluster_nodes);
    add_tres(ret, "cpu", held.cpus);
    add_tres(ret, "mem", held.mem_mb);
    add_tres(ret, "node", ret->node ? 1 : held.nodes);
    add_tres(ret, "billing", held.billing);
    for (uint32_t i = 0; i < held.more_n; i++)
        add_tres(ret, held.more[i].tres, held.more[i].amount);
}
