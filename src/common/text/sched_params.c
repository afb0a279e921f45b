#include "common/text/sched_params.h"

#include <stddef.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "common/text/words.h"

struct row {
    const char *name;
    enum { NUMBER, SWITCH, KNOWN } kind;
    size_t at;
    uint64_t least, most;
};

#define AT(name)                      offsetof(struct sched_params, name)
#define NUMBER_ROW(name, least, most) { #name, NUMBER, AT(name), least, most },
#define SWITCH_ROW(name)              { #name, SWITCH, AT(name), 0, 0 },
#define KNOWN_ROW(name)                                                                            \
    {                                                                                              \
#name, KNOWN, 0, 0, 0                                                                      \
    }

static const struct row rows[] = {
    SCHED_PARAMS(NUMBER_ROW, SWITCH_ROW)

    /* Parameters that are known, and on which nothing here acts. */
    KNOWN_ROW(allow_zero_lic),
    KNOWN_ROW(batch_sched_delay),
    KNOWN_ROW(bb_array_stage_cnt),
    KNOWN_ROW(bf_allow_magnetic_slot),
    KNOWN_ROW(bf_busy_nodes),
    KNOWN_ROW(bf_continue),
    KNOWN_ROW(bf_hetjob_immediate),
    KNOWN_ROW(bf_hetjob_prio),
    KNOWN_ROW(bf_job_part_count_reserve),
    KNOWN_ROW(bf_licenses),
    KNOWN_ROW(bf_max_job_array_resv),
    KNOWN_ROW(bf_max_job_assoc),
    KNOWN_ROW(bf_max_job_user_part),
    KNOWN_ROW(bf_max_time),
    KNOWN_ROW(bf_node_space_size),
    KNOWN_ROW(bf_one_resv_per_job),
    KNOWN_ROW(bf_running_job_reserve),
    KNOWN_ROW(bf_topopt_enable),
    KNOWN_ROW(bf_topopt_iterations),
    KNOWN_ROW(bf_window_linear),
    KNOWN_ROW(bf_yield_interval),
    KNOWN_ROW(bf_yield_rpc_cnt),
    KNOWN_ROW(bf_yield_sleep),
    KNOWN_ROW(build_queue_timeout),
    KNOWN_ROW(correspond_after_task_cnt),
    KNOWN_ROW(default_queue_depth),
    KNOWN_ROW(defer),
    KNOWN_ROW(defer_batch),
    KNOWN_ROW(delay_boot),
    KNOWN_ROW(disable_hetjob_steps),
    KNOWN_ROW(disable_job_shrink),
    KNOWN_ROW(enable_hetjob_steps),
    KNOWN_ROW(enable_job_state_cache),
    KNOWN_ROW(enable_user_top),
    KNOWN_ROW(extra_constraints),
    KNOWN_ROW(ignore_constraint_validation),
    KNOWN_ROW(Ignore_NUMA),
    KNOWN_ROW(ignore_prefer_validation),
    KNOWN_ROW(inventory_interval),
    KNOWN_ROW(max_array_tasks),
    KNOWN_ROW(max_depend_depth),
    KNOWN_ROW(max_rpc_cnt),
    KNOWN_ROW(max_sched_time),
    KNOWN_ROW(max_script_size),
    KNOWN_ROW(max_submit_line_size),
    KNOWN_ROW(no_backup_scheduling),
    KNOWN_ROW(no_env_cache),
    KNOWN_ROW(pack_serial_at_end),
    KNOWN_ROW(partition_job_depth),
    KNOWN_ROW(permit_job_expansion),
    KNOWN_ROW(preempt_reorder_count),
    KNOWN_ROW(preempt_send_user_signal),
    KNOWN_ROW(preempt_strict_order),
    KNOWN_ROW(preempt_youngest_first),
    KNOWN_ROW(reduce_completing_frag),
    KNOWN_ROW(requeue_setup_env_fail),
    KNOWN_ROW(salloc_wait_nodes),
    KNOWN_ROW(sbatch_wait_nodes),
    KNOWN_ROW(sched_interval),
    KNOWN_ROW(sched_max_job_start),
    KNOWN_ROW(sched_min_interval),
    KNOWN_ROW(step_retry_count),
    KNOWN_ROW(step_retry_time),
    KNOWN_ROW(time_min_as_soft_limit),
    KNOWN_ROW(whole_hetjob),
    KNOWN_ROW(whole_pack),
};

struct parser {
    struct sched_params *params;
    bool seen[ARRAY_N(rows)];
    sched_remark_fn *remark;
    void *ctx;
};

static void say(const struct parser *parser, enum sched_remark remark, const struct strbuf *text)
{
    if (parser->remark)
        parser->remark(parser->ctx, remark, strbuf_text(text));
}

static void say_unknown(const struct parser *parser, const char *name)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct word_search search = word_search_begin(name);

    for (size_t i = 0; i < ARRAY_N(rows); i++)
        word_search_offer(&search, rows[i].name);
    strbuf_addf(&text, "'%.80s' is not known and left out", name);
    if (search.nearest)
        strbuf_addf(&text, "; is %s meant?", search.nearest);
    say(parser, SCHED_UNKNOWN, &text);
}

static void say_no_effect(const struct parser *parser, const char *name)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    strbuf_addf(&text, "%s has no effect here", name);
    say(parser, SCHED_NO_EFFECT, &text);
}

static void set_number(const struct parser *parser, const struct row *row, const char *value)
{
    uint64_t *number = (uint64_t *)((char *)parser->params + row->at);
    AUTO(strbuf) struct strbuf text = { 0 };

    if (row->at == AT(bf_interval) && word_is(value, "-1")) {
        *number = SCHED_BF_OFF;
        return;
    }
    if (number_parse(value, row->least, row->most, number, NULL) == 0) {
        if (row->at == AT(bf_interval))
            say_no_effect(parser, "bf_interval, other than -1,");
        return;
    }
    strbuf_addf(&text, "%s=%.80s is not a number from %llu to %llu and left out", row->name, value,
                (unsigned long long)row->least, (unsigned long long)row->most);
    say(parser, SCHED_LEFT_OUT, &text);
}

static void set(struct parser *parser, size_t i, const char *value)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (rows[i].kind == KNOWN) {
        say_no_effect(parser, rows[i].name);
    } else if (parser->seen[i]) {
        strbuf_addf(&text, "%s is given again; the first value counts", rows[i].name);
        say(parser, SCHED_LEFT_OUT, &text);
    } else if (rows[i].kind == SWITCH) {
        *((bool *)((char *)parser->params + rows[i].at)) = true;
    } else {
        set_number(parser, &rows[i], value);
    }
    parser->seen[i] = true;
}

static void read_word(struct parser *parser, char *word)
{
    char *equals = strchr(word, '=');
    const char *value = "";

    if (equals) {
        *equals = '\0';
        value = word_trim(equals + 1);
    }
    word = word_trim(word);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (word_is(word, rows[i].name)) {
            set(parser, i, value);
            return;
        }
    }
    say_unknown(parser, word);
}

void sched_params_parse(const char *text, struct sched_params *ret, sched_remark_fn *remark,
                        void *ctx)
{
    struct parser parser = { .params = ret, .remark = remark, .ctx = ctx };
    AUTO(words) struct words words = words_split(text ? text : "", ",");

    *ret = (struct sched_params){ 0 };
    for (size_t i = 0; i < ARRAY_N(rows); i++)
        if (rows[i].kind == NUMBER)
            *((uint64_t *)((char *)ret + rows[i].at)) = SCHED_UNSET;
    for (uint32_t i = 0; i < words.n; i++)
        read_word(&parser, words.at[i]);
}
