/* A piece of a copy of another store comes into one that has something of its own. */
#include "unit/check_main.h"

#include <time.h>

#include "common/msg/acct.h"
#include "common/msg/node.h"
#include "common/msg/sums.h"
#include "common/msg/types.h"
#include "unit/ctld/store/intake_rig.h"

/* ---- jobs, as words ---- */

static bool says(const char *word, char what)
{
    const char *end = word + strcspn(word, " ");
    const char *at = strchr(word, what);

    return at && at < end;
}

static void note_of(struct turn_changes *turn, uint32_t kind, const struct schema *schema,
                    const void *record, uint32_t id, uint32_t run)
{
    rig_note(turn, kind, schema, record, id, 0);
    turn->changes[turn->changes_n - 1].run = run;
}

static void note_run(struct turn_changes *turn, const struct job_record *job)
{
    AUTO(job_record) struct job_record run;

    schema_copy(job_record_schema(), &run, job);
    run.launch_number = 1;
    run.state = JOB_COMPLETE;
    run.end_time = run.start_time;
    run.start_time -= HOUR / 2;
    note_of(turn, CHANGE_RUN, job_record_schema(), &run, run.id, 1);
}

static void note_steps(struct turn_changes *turn, const struct job_record *job, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        AUTO(step_record) struct step_record step;

        step_record_init(&step);
        step.job_id = job->id;
        step.step_id = i;
        step.launch_number = job->launch_number;
        step.state = STEP_ENDED;
        note_of(turn, CHANGE_STEP, step_record_schema(), &step, job->id, job->launch_number);
        turn->changes[turn->changes_n - 1].step_id = i;
    }
}

/*
 * Notes a job as a copy does. Its word is its number and name, and then:
 * ! it runs, ~ it was submitted a second later than others, s it had a step, S two steps,
 * r it runs a second time, R it does and its first run is not noted.
 */
static void note_word(struct turn_changes *turn, const char *word)
{
    AUTO(job_record) struct job_record job;
    struct job_node *node;
    char *name;

    job_record_init(&job);
    job.spec = xcalloc(1, sizeof(*job.spec));
    job_spec_init(job.spec);
    job.id = (uint32_t)strtoul(word, &name, 10);
    job.spec->name = xasprintf("%c", *name);
    job.spec->account = xstrdup("physics");
    job.user_name = xstrdup("alice");
    job.ncpus = 4;
    job.launch_number = says(word, 'r') || says(word, 'R') ? 2 : 1;
    job.submit_time = DAY + says(word, '~');
    job.start_time = job.eligible_time = DAY + job.id * HOUR;
    job.state = says(word, '!') ? JOB_RUNNING : JOB_COMPLETE;
    job.end_time = says(word, '!') ? 0 : job.start_time + HOUR;
    node = ARRAY_PUSH(job.nodes, job.nodes_n);
    job_node_init(node);
    node->name = xstrdup("n1");
    note_of(turn, CHANGE_JOB, job_record_schema(), &job, job.id, job.launch_number);
    turn->changes[turn->changes_n - 1].is_end = job.state == JOB_COMPLETE;
    if (job.state == JOB_COMPLETE)
        note_of(turn, CHANGE_JOB_RETIRE, NULL, NULL, job.id, job.launch_number);
    if (says(word, 'r'))
        note_run(turn, &job);
    note_steps(turn, &job, says(word, 'S') ? 2 : says(word, 's'));
}

static struct turn_changes turn_of(const char *words, enum turn_merge merge)
{
    struct turn_changes turn;

    begin_turn(&turn);
    turn.merge = merge;
    for (const char *word = words; *word; word += strspn(word, " ")) {
        note_word(&turn, word);
        word += strcspn(word, " ");
    }
    return turn;
}

/* ---- what is there ---- */

struct look {
    struct strbuf text;
    bool is_over;
};

static void wait_for(struct store *store, struct look *look)
{
    while (!look->is_over)
        rig_wait_for_news(store);
    look->is_over = false;
}

static void on_page(struct jobs_page *page, uint64_t next, const struct err *err, void *ctx)
{
    struct look *look = ctx;

    ck_assert(!err && next == 0);
    for (uint32_t i = 0; i < page->n; i++) {
        const struct job_record *job = page->jobs[i].job;

        strbuf_addf(&look->text, "%u%s%s.%u+%u ", job->id, job->spec->name,
                    job->state == JOB_RUNNING ? "!" : "", job->launch_number,
                    page->jobs[i].steps_n);
    }
    look->is_over = true;
}

static void skip_number(const char *name, int64_t number, void *ctx)
{
    (void)name, (void)number, (void)ctx;
}

static void on_kept(const struct kept_kind *kind, const void *record, void *ctx)
{
    if (kind->number == KEPT_USAGE)
        strbuf_addf(&((struct look *)ctx)->text, "used %s:%llu ",
                    ((const struct usage_record *)record)->key,
                    (unsigned long long)((const struct usage_record *)record)->wall_ms);
}

static void on_job(struct job_record *job, const struct job_body *body, void *ctx)
{
    (void)body;
    strbuf_addf(&((struct look *)ctx)->text, "%u lives ", job->id);
}

static void skip_step(const struct step_record *step, void *ctx)
{
    (void)step, (void)ctx;
}

static void on_alive(uint64_t turn, const struct err *err, void *ctx)
{
    (void)turn;
    ck_assert_ptr_null(err);
    ((struct look *)ctx)->is_over = true;
}

static void on_sums(void *rows, uint32_t n, const struct err *err, void *ctx)
{
    const struct sum_info *sums = rows;
    struct look *look = ctx;
    uint64_t cpu_s = 0;

    ck_assert_ptr_null(err);
    for (uint32_t i = 0; i < n; i++)
        cpu_s += sums[i].held[0].amount;
    strbuf_addf(&look->text, "%llu h ", (unsigned long long)cpu_s / 4 / HOUR);
    store_rows_free(MSG_SUM_INFO, rows, n);
    look->is_over = true;
}

static void on_events(void *rows, uint32_t n, const struct err *err, void *ctx)
{
    const struct cluster_event *events = rows;
    struct look *look = ctx;

    ck_assert_ptr_null(err);
    for (uint32_t i = 0; i < n; i++)
        strbuf_addf(&look->text, "%s:%s ", events[i].node, events[i].reason);
    store_rows_free(MSG_CLUSTER_EVENT, rows, n);
    look->is_over = true;
}

/* Jobs and runs, each with how many steps it has; which live; usage; hours that are
 * summed, of what lives until the fifth; events.
 */
static void expect(struct store *store, const char *title, const char *expected)
{
    static const struct store_loader loader = { skip_number, on_kept, on_job, skip_step };
    const struct sums_list sums = { .from = DAY, .until = LATER };
    const struct cluster_event_list events = { .from = DAY };
    AUTO(history_list) struct history_list filter;
    struct look look = { .is_over = false };

    history_list_init(&filter);
    filter.duplicates = true;
    store_history(store, 0, &filter, 0, on_page, &look);
    wait_for(store, &look);
    store_alive(store, &loader, on_alive, &look);
    wait_for(store, &look);
    store_rows(store, 0, MSG_SUMS_LIST, &sums, DAY + 5 * HOUR, on_sums, &look);
    wait_for(store, &look);
    store_rows(store, 0, MSG_CLUSTER_EVENT_LIST, &events, LATER, on_events, &look);
    wait_for(store, &look);
    ck_assert_msg(strcmp(strbuf_text(&look.text), expected) == 0, "%s: '%s', not '%s'", title,
                  strbuf_text(&look.text), expected);
    strbuf_clear(&look.text);
}

/* ---- jobs ---- */

static const struct {
    const char *title;
    const char *here;
    enum turn_merge how;
    const char *copy, *then;
} rows[] = {
    { "what is lacking comes, and is not summed", "1a", TURN_MERGE_LACKING, "2bS",
      "1a.1+0 2b.1+2 1 h " },
    { "what is here is right", "1a", TURN_MERGE_LACKING, "1x", "1a.1+0 1 h " },
    { "no job begins to live", "1a", TURN_MERGE_LACKING, "3c!s", "1a.1+0 3c!.1+1 1 h " },
    { "a job that is here lives as long as here", "1a!", TURN_MERGE_LACKING, "1x",
      "1a!.1+0 1 lives 4 h " },
    { "and does not live again", "1a", TURN_MERGE_LACKING, "1x!", "1a.1+0 1 h " },
    { "steps that are lacking come", "1as", TURN_MERGE_LACKING, "1aS", "1a.1+2 1 h " },
    { "a run that is lacking comes", "1aR", TURN_MERGE_LACKING, "1ar", "1a.1+0 1a.2+0 1 h " },
    { "another job with the number passes, with its run and steps", "1aR", TURN_MERGE_LACKING,
      "1x~rS", "1a.2+0 1 h " },
    { "what stands behind that comes", "1a", TURN_MERGE_LACKING, "1x~S 2bs 3cS",
      "1a.1+0 2b.1+1 3c.1+2 1 h " },
    { "into an empty store all comes", "", TURN_MERGE_LACKING, "1a! 2brs",
      "1a!.1+0 2b.1+0 2b.2+1 0 h " },
    { "where the copy is right it takes the place", "1a 2b", TURN_MERGE_RIGHT, "1x~",
      "1x.1+0 2b.1+0 2 h " },
    { "with its first piece all that lives is history", "1a! 2b", TURN_MERGE_BEGINS, "2c",
      "1a!.1+0 2c.1+0 1 h " },
    { "but what lives there", "1a! 2b!", TURN_MERGE_BEGINS, "2b!", "1a!.1+0 2b!.1+0 2 lives 3 h " },
    { "a later piece ends no life", "1a!", TURN_MERGE_RIGHT, "2b!",
      "1a!.1+0 2b!.1+0 1 lives 2 lives 7 h " },
    { "what the copy says has ended lives no more", "1a!", TURN_MERGE_RIGHT, "1a", "1a.1+0 0 h " },
    { "steps and runs come with it", "1a", TURN_MERGE_RIGHT, "1brS", "1b.1+0 1b.2+2 1 h " },
    { "an empty piece changes nothing", "1a! 2bs", TURN_MERGE_LACKING, "",
      "1a!.1+0 2b.1+1 1 lives 5 h " },
    { "but for the lives, if it is the first", "1a! 2bs", TURN_MERGE_BEGINS, "",
      "1a!.1+0 2b.1+1 1 h " },
};

START_TEST(a_piece_comes_as_is_decided_and_twice_changes_nothing)
{
    struct turn_changes here = turn_of(rows[_i].here, 0);
    struct turn_changes once = turn_of(rows[_i].copy, rows[_i].how);
    struct turn_changes twice = turn_of(rows[_i].copy, rows[_i].how);
    struct store *store = rig_start();

    commit(store, &here);
    commit(store, &once);
    expect(store, rows[_i].title, rows[_i].then);
    commit(store, &twice);

    expect(store, rows[_i].title, rows[_i].then);
    store_free(store);
}
END_TEST

START_TEST(it_comes_so_in_the_transaction_of_other_turns)
{
    struct turn_changes here = turn_of(rows[_i].here, 0);
    struct turn_changes once = turn_of(rows[_i].copy, rows[_i].how);
    struct turn_changes twice = turn_of(rows[_i].copy, rows[_i].how);
    struct store *store = rig_open();

    store_commit(store, &here); /* nobody writes yet */
    store_commit(store, &once);
    store_commit(store, &twice);
    ck_assert_int_eq(store_start(store, NULL), 0);
    rig_wait_until_committed(store, 3);

    expect(store, rows[_i].title, rows[_i].then);
    store_free(store);
}
END_TEST

/* ---- others ---- */

static void note_usage(struct turn_changes *turn, const char *key, uint64_t wall_ms)
{
    const struct usage_record usage = { .key = (char *)(uintptr_t)key, .wall_ms = wall_ms };

    rig_note(turn, CHANGE_KEPT, usage_record_schema(), &usage, 0, 0);
    turn->changes[turn->changes_n - 1].kept = KEPT_USAGE;
    turn->changes[turn->changes_n - 1].name = xstrdup(key);
}

static void note_event(struct turn_changes *turn, const char *node, int64_t since,
                       const char *reason)
{
    const struct cluster_event event = { .node = (char *)(uintptr_t)node,
                                         .since = since,
                                         .until = since + HOUR,
                                         .state = NODE_DOWN,
                                         .reason = (char *)(uintptr_t)reason };

    rig_note(turn, CHANGE_CLUSTER_EVENT, cluster_event_schema(), &event, 0, 0);
}

static const struct {
    const char *title;
    enum turn_merge how;
    const char *then;
} others[] = {
    { "usage is the cluster's own, and events that are lacking come", TURN_MERGE_LACKING,
      "used a:1 used b:1 0 h n1:here n2:here n2:there n3:there " },
    { "the copy's usage is all, and its events hold", TURN_MERGE_BEGINS,
      "used b:2 used c:2 0 h n1:here n2:there n2:there n3:there " },
    { "a later piece adds", TURN_MERGE_RIGHT,
      "used a:1 used b:2 used c:2 0 h n1:here n2:there n2:there n3:there " },
};

static struct turn_changes others_here(void)
{
    struct turn_changes turn = turn_of("", 0);

    note_usage(&turn, "a", 1);
    note_usage(&turn, "b", 1);
    note_event(&turn, "n1", DAY + HOUR, "here");
    note_event(&turn, "n2", DAY + 2 * HOUR, "here");
    return turn;
}

static struct turn_changes others_there(enum turn_merge how)
{
    struct turn_changes turn = turn_of("", how);

    note_usage(&turn, "b", 2);
    note_usage(&turn, "c", 2);
    note_event(&turn, "n2", DAY + 2 * HOUR, "there");
    note_event(&turn, "n2", DAY + 3 * HOUR, "there"); /* begins later: another one */
    note_event(&turn, "n3", DAY + 4 * HOUR, "there");
    return turn;
}

START_TEST(usage_and_events_come_as_is_decided)
{
    struct turn_changes here = others_here(), once = others_there(others[_i].how);
    struct turn_changes twice = others_there(others[_i].how);
    struct store *store = rig_start();

    commit(store, &here);
    commit(store, &once);
    expect(store, others[_i].title, others[_i].then);
    commit(store, &twice);

    expect(store, others[_i].title, others[_i].then);
    store_free(store);
}
END_TEST

static void make_dir(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    turn_number = 0;
    rig_make_dir();
}

CHECK_MAIN_WITH(merge, make_dir, rig_remove_dir,
                LOOP_CASE(a_piece_comes_as_is_decided_and_twice_changes_nothing, ARRAY_N(rows)),
                LOOP_CASE(it_comes_so_in_the_transaction_of_other_turns, ARRAY_N(rows)),
                LOOP_CASE(usage_and_events_come_as_is_decided, ARRAY_N(others)))
