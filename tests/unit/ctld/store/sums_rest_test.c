/* Of whole sums the rest is kept that known jobs do not explain, however often they are told. */
#include "unit/check_main.h"

#include <time.h>

#include "common/msg/cluster_event.h"
#include "common/msg/job_sums.h"
#include "common/msg/types.h"
#include "common/text/period.h"
#include "unit/ctld/store/store_rig.h"

#define DAY  INT64_C(1795651200) /* 2026-11-26, UTC */
#define HOUR 3600

static void make_dir(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    rig_make_dir();
}

/* ---- what is told, as words ---- */

static char *name_of(char letter)
{
    return letter == '-' ? NULL : xasprintf("%c", letter);
}

static int64_t next_number(const char **at)
{
    char *end;
    const int64_t number = strtol(*at, &end, 10);

    *at = end;
    return number;
}

/* "jPW4": a job that held four cpus for the first ten seconds, in partition P and with wckey W, "-"
 * is none. It holds ten licences a too. */
static void note_job(struct turn_changes *turn, const char *word)
{
    static uint32_t id;
    AUTO(job_record) struct job_record job;
    struct job_node *node;

    job_record_init(&job);
    job.spec = xcalloc(1, sizeof(*job.spec));
    job_spec_init(job.spec);
    job.spec->account = xstrdup("chem");
    job.spec->wckey = name_of(word[2]);
    job.spec->licenses = xstrdup("a:10");
    job.user_name = xstrdup("bob");
    job.partition = name_of(word[1]);
    job.id = ++id;
    job.launch_number = 1;
    job.ncpus = (uint32_t)atoi(word + 3);
    job.state = JOB_COMPLETE;
    job.eligible_time = DAY - 10;
    job.start_time = DAY;
    job.end_time = DAY + 10;
    node = ARRAY_PUSH(job.nodes, job.nodes_n);
    job_node_init(node);
    node->name = xstrdup("n1");
    rig_note(turn, CHANGE_JOB, job_record_schema(), &job, job.id, 0);
    turn->changes[turn->changes_n - 1].run = 1;
    turn->changes[turn->changes_n - 1].is_end = true;
}

static void add_row(struct sums_whole *whole, int64_t at, uint64_t cpu, uint64_t more)
{
    struct sum_whole *row = ARRAY_PUSH(whole->rows, whole->rows_n);
    struct acct_amount *amount;

    sum_whole_init(row);
    row->at = at;
    row->cpu = cpu;
    if (!more)
        return;
    amount = ARRAY_PUSH(row->more, row->more_n);
    acct_amount_init(amount);
    amount->tres = xstrdup("license/a");
    amount->amount = more;
}

/* "wP120+30": bob held 120 cpu seconds and 30 of the licence in partition P in the first hour, the
 * day and the month; "w-120" in all partitions, "w-PQ120" in all but P and Q. "c120+30": so much
 * was held in the cluster. */
static void note_whole(struct turn_changes *turn, const char *word)
{
    const bool is_cluster = *word++ == 'c';
    const char partition = is_cluster ? '-' : *word++, *apart = word;
    uint64_t cpu, more;

    word += strcspn(word, "0123456789");
    cpu = (uint64_t)next_number(&word);
    more = *word == '+' ? (uint64_t)atoi(word + 1) : 0;
    for (uint32_t period = PERIOD_HOUR; period < (is_cluster ? PERIOD_DAY : PERIODS_N); period++) {
        AUTO(sums_whole) struct sums_whole whole;

        sums_whole_init(&whole);
        whole.period = period;
        whole.account = is_cluster ? NULL : xstrdup("chem");
        whole.user = is_cluster ? NULL : xstrdup("bob");
        whole.partition = name_of(partition);
        for (const char *at = apart; *at >= 'A'; at++)
            *ARRAY_PUSH(whole.apart, whole.apart_n) = name_of(*at);
        add_row(&whole, period_start((enum period)period, DAY), cpu, more);
        ck_assert_int_eq(sums_whole_check(&whole, NULL), 0);
        rig_note(turn, CHANGE_SUMS_WHOLE, sums_whole_schema(), &whole, 0, 0);
    }
}

static void note_words(struct turn_changes *turn, const char *words)
{
    turn_changes_init(turn);
    for (const char *word = words; *word; word += strspn(word, " ")) {
        if (*word == 'j')
            note_job(turn, word);
        else
            note_whole(turn, word);
        word += strcspn(word, " ");
    }
}

/* One turn, or a turn for each word, which are in one transaction then or in several. */
static void tell(struct store *store, const char *words)
{
    struct turn_changes turn;
    const uint64_t number = store_committed(store) + 1;

    note_words(&turn, words);
    turn.turn = number;
    store_commit(store, &turn);
    rig_wait_until_committed(store, number);
}

static void tell_apart(struct store *store, const char *words)
{
    for (const char *word = words; *word; word += strspn(word, " ")) {
        AUTO_FREE char *one = xstrndup(word, strcspn(word, " "));

        tell(store, one);
        word += strlen(one);
    }
}

/* ---- what is there ---- */

struct held {
    uint64_t cpu, licence, jobs;
};

static struct held held_between(struct store *store, int64_t from, int64_t until, bool sizes)
{
    const struct sums_list list = { .from = from, .until = until, .sizes = sizes };
    const struct rig_answer answer = rig_ask(store, MSG_SUMS_LIST, &list, DAY + 40 * 24 * HOUR);
    const struct sum_info *rows = answer.rows;
    struct held held = { 0 };

    for (uint32_t i = 0; i < answer.n; i++) {
        held.jobs += rows[i].jobs;
        held.cpu += rows[i].held[SUM_CPU].amount;
        held.licence += rows[i].held_n > SUM_TRES_N ? rows[i].held[SUM_TRES_N].amount : 0;
    }
    store_rows_free(MSG_SUM_INFO, answer.rows, answer.n);
    return held;
}

static const struct {
    const char *title;
    const char *told;
    struct held held;
    uint64_t known; /* cpu seconds among sizes */
} rows[] = {
    { "sums of no known jobs are a rest", "w-120+30", { 120, 30, 0 }, 0 },
    { "twice is as once", "w-120+30 w-120+30", { 120, 30, 0 }, 0 },
    { "the later one counts", "w-120+30 w-90", { 90, 0, 0 }, 0 },
    { "what a known job held is no rest", "j--4 w-120+130", { 120, 130, 1 }, 40 },
    { "nor with other partitions and wckeys", "jPW4 jQ-2 j-W1 w-120", { 120, 300, 3 }, 70 },
    { "a job that came later counts until they are told again", "w-120 j--4", { 160, 100, 1 }, 40 },
    { "and once then", "w-120 j--4 w-120", { 120, 100, 1 }, 40 },
    { "known jobs may have held more", "j--4 w-30", { 40, 100, 1 }, 40 },
    { "sums of a partition are of its jobs alone", "jP-4 jQ-2 wP120", { 140, 200, 2 }, 60 },
    { "and of the others without them", "jP-4 jQ-2 wP120 w-P50", { 170, 200, 2 }, 60 },
    { "several can be apart", "jP-4 jQ-2 jR-1 w-PQ50", { 110, 300, 3 }, 70 },
    { "each partition has a rest of its own", "wP10 wQ20 w-PQ30 wP10", { 60, 0, 0 }, 0 },
    { "none is left where it was and is no more", "w-120+30 w-0", { 0, 0, 0 }, 0 },
};

static void expect(struct store *store, int i)
{
    static const struct {
        int64_t from, until;
    } times[] = { { DAY, DAY + HOUR },
                  { DAY, DAY + 24 * HOUR },
                  { DAY - 25 * 24 * HOUR, DAY + 5 * 24 * HOUR } };

    for (size_t k = 0; k < ARRAY_N(times); k++) {
        const struct held held = held_between(store, times[k].from, times[k].until, false);
        const struct held sizes = held_between(store, times[k].from, times[k].until, true);

        ck_assert_msg(held.cpu == rows[i].held.cpu, "%s (%zu): %llu", rows[i].title, k,
                      (unsigned long long)held.cpu);
        ck_assert_msg(held.licence == rows[i].held.licence, "%s (%zu): licence %llu", rows[i].title,
                      k, (unsigned long long)held.licence);
        ck_assert_msg(held.jobs == rows[i].held.jobs, "%s (%zu): %llu jobs", rows[i].title, k,
                      (unsigned long long)held.jobs);
        ck_assert_msg(sizes.cpu == rows[i].known, "%s (%zu): sizes %llu", rows[i].title, k,
                      (unsigned long long)sizes.cpu);
    }
}

START_TEST(the_rest_is_what_known_jobs_do_not_explain)
{
    struct store *store = rig_start();

    tell_apart(store, rows[_i].told);

    expect(store, _i);
    store_free(store);
}
END_TEST

START_TEST(it_is_so_within_one_transaction)
{
    struct store *store = rig_start();

    tell(store, rows[_i].told);

    expect(store, _i);
    store_free(store);
}
END_TEST

/* ---- in another store ---- */

#define PIECES_MAX 20

struct copied {
    struct strbuf pieces[PIECES_MAX];
    uint32_t n;
    uint64_t turn;
    bool came;
};

static void on_piece(struct turn_changes *piece, uint64_t turn, const struct err *err, void *ctx)
{
    struct copied *copied = ctx;

    ck_assert_ptr_null(err);
    ck_assert_uint_lt(copied->n, PIECES_MAX);
    piece->turn = copied->n + 1;
    schema_encode(turn_changes_schema(), piece, &copied->pieces[copied->n++]);
    copied->turn = turn;
    copied->came = true;
}

static void copy_all(struct store *store, struct copied *copied)
{
    for (bool begins = true; !copied->turn; begins = false) {
        copied->came = false;
        store_copy(store, begins, on_piece, copied);
        while (!copied->came)
            rig_wait_for_news(store);
    }
}

/* Puts the pieces into a store that has nothing. */
static void take_all(struct store *store, struct copied *copied)
{
    for (uint32_t i = 0; i < copied->n; i++) {
        struct strbuf *piece = &copied->pieces[i];
        struct turn_changes turn;

        ck_assert_int_eq(schema_decode(turn_changes_schema(), piece->data, piece->len, &turn, NULL),
                         0);
        turn.merge = TURN_MERGE_LACKING;
        store_commit(store, &turn);
        rig_wait_until_committed(store, i + 1);
        strbuf_clear(piece);
    }
}

/* Returns the last word, if it is one of whole sums; else nothing. */
static const char *last_whole(const char *words)
{
    const char *last = strrchr(words, ' ') ? strrchr(words, ' ') + 1 : words;

    return *last == 'w' ? last : "";
}

START_TEST(a_copy_has_the_rest_which_is_made_anew_there)
{
    struct store *store = rig_start();
    struct copied copied = { .turn = 0 };

    tell_apart(store, rows[_i].told);
    copy_all(store, &copied);
    store_free(store);
    rig_remove_dir();
    rig_make_dir();
    store = rig_start();
    take_all(store, &copied);

    expect(store, _i);
    tell_apart(store, last_whole(rows[_i].told));
    expect(store, _i);
    store_free(store);
}
END_TEST

/* ---- told to a slurmdbd ---- */

struct logged {
    uint32_t wholes;
    bool came;
};

static void on_log(struct turn_changes *turns, uint32_t n, uint64_t from, const struct err *err,
                   void *ctx)
{
    struct logged *logged = ctx;

    ck_assert_ptr_null(err);
    ck_assert_uint_eq(from, 0);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < turns[i].changes_n; k++)
            logged->wholes += turns[i].changes[k].kind == CHANGE_SUMS_WHOLE;
    }
    logged->came = true;
}

START_TEST(a_slurmdbd_is_told_of_whole_sums)
{
    struct store *store = rig_start();
    struct logged logged = { 0 };

    store_log_keep(store, true);
    tell(store, "w-120");
    store_log(store, 0, on_log, &logged);
    while (!logged.came)
        rig_wait_for_news(store);

    ck_assert_uint_eq(logged.wholes, PERIODS_N);
    store_free(store);
}
END_TEST

/* ---- of the cluster ---- */

static uint64_t allocated(struct store *store)
{
    const struct utilization_list list = { .from = DAY, .until = DAY + HOUR };
    const struct rig_answer answer =
        rig_ask(store, MSG_UTILIZATION_LIST, &list, DAY + 40 * 24 * HOUR);
    const struct utilization_info *info = answer.rows;
    uint64_t cpu = 0;

    for (uint32_t i = 0; i < answer.n; i++)
        cpu += strcmp(info[i].tres, "cpu") == 0 ? info[i].allocated : 0;
    store_rows_free(MSG_UTILIZATION_INFO, answer.rows, answer.n);
    return cpu;
}

/* The cluster had ten cpus. */
static void tell_cluster(struct store *store)
{
    AUTO(cluster_event) struct cluster_event event;
    struct acct_amount *amount;
    struct turn_changes turn;
    const uint64_t number = store_committed(store) + 1;

    cluster_event_init(&event);
    event.since = DAY - 24 * HOUR;
    amount = ARRAY_PUSH(event.tres, event.tres_n);
    acct_amount_init(amount);
    amount->tres = xstrdup("cpu");
    amount->amount = 10;
    turn_changes_init(&turn);
    turn.turn = number;
    rig_note(&turn, CHANGE_CLUSTER_EVENT, cluster_event_schema(), &event, 0, 0);
    store_commit(store, &turn);
    rig_wait_until_committed(store, number);
}

START_TEST(the_cluster_has_a_rest_too)
{
    struct store *store = rig_start();

    tell_cluster(store);
    tell_apart(store, "j--4 c120+130 c120+130");

    ck_assert_uint_eq(allocated(store), 120);
    ck_assert_uint_eq(held_between(store, DAY, DAY + HOUR, false).cpu, 40);
    store_free(store);
}
END_TEST

CHECK_MAIN_WITH(sums_rest, make_dir, rig_remove_dir,
                LOOP_CASE(the_rest_is_what_known_jobs_do_not_explain, ARRAY_N(rows)),
                LOOP_CASE(it_is_so_within_one_transaction, ARRAY_N(rows)),
                LOOP_CASE(a_copy_has_the_rest_which_is_made_anew_there, ARRAY_N(rows)),
                CASE(a_slurmdbd_is_told_of_whole_sums), CASE(the_cluster_has_a_rest_too))
