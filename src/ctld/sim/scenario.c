#include "ctld/sim/scenario.h"

#include <string.h>

#include "common/text/words.h"
#include "ctld/sim/reader.h"
#include "ctld/sim/scenario_pool.h"

bool scenario_expects(const struct scenario_line *line)
{
    return line->kind >= EXPECT_START;
}

static void line_clear(struct scenario_line *line)
{
    words_clear(&line->options);
    scenario_claims_free(line->claims, line->claims_n);
    free(line->text);
}

void scenario_clear(struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->lines_n; i++)
        line_clear(&scenario->lines[i]);
    for (uint32_t i = 0; i < scenario->jobs_n; i++)
        free(scenario->jobs[i]);
    for (uint32_t i = 0; i < scenario->users_n; i++)
        free(scenario->users[i]);
    for (uint32_t i = 0; i < scenario->pools_n; i++)
        free((void *)scenario->pools[i].name);
    free(scenario->pools);
    free(scenario->lines);
    free(scenario->jobs);
    free(scenario->users);
    free(scenario->name);
    for (int i = 0; i < SCENARIO_CONFS; i++)
        strbuf_clear(&scenario->conf[i]);
    *scenario = (struct scenario){ 0 };
}

void scenario_auto_(struct scenario *scenario)
{
    scenario_clear(scenario);
}

/* What is read, and how far it is. */
struct parser {
    struct scenario *scenario;
    struct reader in;
    int64_t last_ms; /* of the last line that said when */
    uint32_t last_line;
};

static int need_time(struct parser *parser, int64_t *ret_ms)
{
    int rc = reader_need(&parser->in, "a time");

    return rc < 0 ? rc : reader_time(&parser->in, parser->in.word, ret_ms);
}

/* ---- names ---- */

static int64_t find_name(char *const *names, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(names[i], name) == 0)
            return i;
    }
    return -1;
}

static int need_job(struct parser *parser, uint32_t *ret)
{
    int rc = reader_need(&parser->in, "the name of a job");
    int64_t job;

    if (rc < 0)
        return rc;
    job = find_name(parser->scenario->jobs, parser->scenario->jobs_n, parser->in.word);
    if (job < 0)
        return reader_fail(&parser->in, "no job '%s' is submitted before this line",
                           parser->in.word);
    *ret = (uint32_t)job;
    return 0;
}

static int new_job(struct parser *parser, uint32_t *ret)
{
    struct scenario *scenario = parser->scenario;
    int rc = reader_need(&parser->in, "a name for the job");

    if (rc < 0)
        return rc;
    if (parser->in.word[0] == '-' || strchr(parser->in.word, '='))
        return reader_fail(&parser->in, "'%s' is no name: `submit NAME OPTION...` is expected",
                           parser->in.word);
    if (find_name(scenario->jobs, scenario->jobs_n, parser->in.word) >= 0)
        return reader_fail(&parser->in, "there is a job '%s' already", parser->in.word);
    *ret = scenario->jobs_n;
    *ARRAY_PUSH(scenario->jobs, scenario->jobs_n) = STEAL(parser->in.word);
    return 0;
}

static uint32_t user_of(struct scenario *scenario, const char *name)
{
    const int64_t user = find_name(scenario->users, scenario->users_n, name);

    if (user >= 0)
        return (uint32_t)user;
    *ARRAY_PUSH(scenario->users, scenario->users_n) = xstrdup(name);
    return scenario->users_n - 1;
}

/* ---- what happens ---- */

static int read_run(struct parser *parser, const char *text, struct scenario_line *line)
{
    if (strcmp(text, "forever") != 0)
        return reader_time(&parser->in, text, &line->time_ms);
    line->time_ms = INT64_MAX;
    return 0;
}

static int read_submit(struct parser *parser, struct scenario_line *line)
{
    int rc = new_job(parser, &line->job);
    bool has_run = false;

    while (rc == 0 && (rc = reader_next(&parser->in)) > 0) {
        const char *rest;

        if (word_starts(parser->in.word, "run=", &rest)) {
            rc = read_run(parser, rest, line);
            has_run = true;
        } else if (word_starts(parser->in.word, "claims=", &rest)) {
            rc = scenario_read_claims(&parser->in, parser->scenario, rest, line);
        } else if (word_starts(parser->in.word, "user=", &rest) && *rest) {
            line->user = user_of(parser->scenario, rest);
            rc = 0;
        } else {
            *ARRAY_PUSH(line->options.at, line->options.n) = STEAL(parser->in.word);
            rc = 0;
        }
    }
    if (rc == 0 && !has_run)
        return reader_fail(&parser->in, "how long does it run? run=TIME or run=forever is missing");
    return rc;
}

static int read_node(struct parser *parser, struct scenario_line *line)
{
    static const char *const words[] = {
        [SCENARIO_UP] = "up",
        [SCENARIO_DRAIN] = "drain",
        [SCENARIO_DOWN] = "down",
    };
    int rc = reader_need(&parser->in, "the name of a node");

    if (rc < 0)
        return rc;
    line->text = STEAL(parser->in.word);
    rc = reader_need(&parser->in, "up, drain or down");
    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < ARRAY_N(words); i++) {
        if (strcmp(parser->in.word, words[i]) == 0) {
            line->node = (enum scenario_node)i;
            return reader_end(&parser->in);
        }
    }
    return reader_fail(&parser->in, "'%s' is neither up, drain nor down", parser->in.word);
}

static int read_pool(struct parser *parser, struct scenario_line *line)
{
    return scenario_read_change(&parser->in, parser->scenario, line);
}

/* Its words are those of scontrol, which whoever plays it can read. */
static int read_reservation(struct parser *parser, struct scenario_line *line)
{
    static const char *const verbs[] = {
        [RESV_CREATE] = "create",
        [RESV_UPDATE] = "update",
        [RESV_DELETE] = "delete",
    };
    int rc = reader_need(&parser->in, "create, update or delete");

    for (uint32_t i = 0; rc == 0 && i < ARRAY_N(verbs); i++) {
        if (strcmp(parser->in.word, verbs[i]) != 0)
            continue;
        line->verb = (enum reservation_verb)i;
        while ((rc = reader_next(&parser->in)) > 0)
            *ARRAY_PUSH(line->options.at, line->options.n) = STEAL(parser->in.word);
        return rc;
    }
    return rc < 0 ? rc
                  : reader_fail(&parser->in, "'%s' is neither create, update nor delete",
                                parser->in.word);
}

static int read_cancel(struct parser *parser, struct scenario_line *line)
{
    int rc = need_job(parser, &line->job);

    return rc < 0 ? rc : reader_end(&parser->in);
}

/* ---- what is expected ---- */

/* Reads "on NODES", or nothing. */
static int read_on(struct parser *parser, struct scenario_line *line)
{
    int rc = reader_next(&parser->in);

    if (rc <= 0)
        return rc;
    if (strcmp(parser->in.word, "on") != 0)
        return reader_fail(&parser->in, "'%s': `on NODES` or the end of the line is expected",
                           parser->in.word);
    rc = reader_need(&parser->in, "a list of nodes");
    if (rc < 0)
        return rc;
    line->text = STEAL(parser->in.word);
    return reader_end(&parser->in);
}

static int read_start(struct parser *parser, struct scenario_line *line)
{
    int rc = reader_need(&parser->in, "a time");

    if (rc == 0 && strcmp(parser->in.word, "by") == 0) {
        line->kind = EXPECT_BY;
        rc = reader_need(&parser->in, "a time");
    }
    if (rc == 0)
        rc = reader_time(&parser->in, parser->in.word, &line->time_ms);
    return rc < 0 ? rc : read_on(parser, line);
}

static int read_planned(struct parser *parser, struct scenario_line *line)
{
    int rc = need_time(parser, &line->time_ms);

    return rc < 0 ? rc : read_on(parser, line);
}

/* Reads a word that may be left out. */
static int read_rest(struct parser *parser, struct scenario_line *line)
{
    int rc = reader_next(&parser->in);

    if (rc <= 0)
        return rc;
    line->text = STEAL(parser->in.word);
    return reader_end(&parser->in);
}

static int read_end(struct parser *parser, struct scenario_line *line)
{
    int rc = need_time(parser, &line->time_ms);

    return rc < 0 ? rc : read_rest(parser, line);
}

static int read_expect(struct parser *parser, struct scenario_line *line)
{
    static const struct {
        const char *word;
        enum scenario_kind kind;
        bool at_once; /* looked at in passing, else when all is over */
        int (*read)(struct parser *parser, struct scenario_line *line);
    } forms[] = {
        { "start", EXPECT_START, false, read_start },
        { "end", EXPECT_END, false, read_end },
        { "refused", EXPECT_REFUSED, false, read_rest },
        { "waits", EXPECT_WAITS, true, read_rest },
        { "planned", EXPECT_PLANNED, true, read_planned },
    };
    int rc = need_job(parser, &line->job);

    if (rc == 0)
        rc = reader_need(&parser->in, "start, end, refused, waits or planned");
    for (size_t i = 0; rc == 0 && i < ARRAY_N(forms); i++) {
        if (strcmp(parser->in.word, forms[i].word) != 0)
            continue;
        if (!forms[i].at_once && line->at_ms != SCENARIO_END)
            return reader_fail(&parser->in,
                               "'%s' is looked at when all is over: leave out `at TIME`",
                               parser->in.word);
        line->kind = forms[i].kind;
        return forms[i].read(parser, line);
    }
    return rc < 0
               ? rc
               : reader_fail(&parser->in, "'%s' is neither start, end, refused, waits nor planned",
                             parser->in.word);
}

static int read_at(struct parser *parser, struct scenario_line *line)
{
    static const struct {
        const char *word;
        enum scenario_kind kind;
        int (*read)(struct parser *parser, struct scenario_line *line);
    } forms[] = {
        { "submit", SCENARIO_SUBMIT, read_submit },
        { "cancel", SCENARIO_CANCEL, read_cancel },
        { "node", SCENARIO_NODE, read_node },
        { "pool", SCENARIO_POOL, read_pool },
        { "reservation", SCENARIO_RESERVATION, read_reservation },
        { "expect", EXPECT_WAITS, read_expect },
    };
    int rc = need_time(parser, &line->at_ms);

    if (rc == 0 && line->at_ms < parser->last_ms)
        rc = reader_fail(&parser->in, "line %u is later than this one", parser->last_line);
    parser->last_ms = line->at_ms;
    parser->last_line = line->line;
    if (rc == 0)
        rc = reader_need(&parser->in, "submit, cancel, node, pool, reservation or expect");
    for (size_t i = 0; rc == 0 && i < ARRAY_N(forms); i++) {
        if (strcmp(parser->in.word, forms[i].word) == 0) {
            line->kind = forms[i].kind;
            return forms[i].read(parser, line);
        }
    }
    return rc < 0
               ? rc
               : reader_fail(&parser->in,
                             "'%s' is neither submit, cancel, node, pool, reservation nor expect",
                             parser->in.word);
}

/* ---- the text ---- */

static int read_line(struct parser *parser, bool is_expectation)
{
    struct scenario *scenario = parser->scenario;
    struct scenario_line line = { .line = parser->in.number, .at_ms = SCENARIO_END };
    int rc = is_expectation ? read_expect(parser, &line) : read_at(parser, &line);

    if (rc == 0 && scenario->lines_n == SCENARIO_LINES_MAX)
        rc = reader_fail(&parser->in, "more than %d lines", SCENARIO_LINES_MAX);
    if (rc < 0) {
        line_clear(&line);
        return rc;
    }
    *ARRAY_PUSH(scenario->lines, scenario->lines_n) = line;
    return 0;
}

/* True if the last line of slurm.conf goes on behind a backslash, whatever the next begins with. */
static bool goes_on(const struct scenario *scenario)
{
    const struct strbuf *conf = &scenario->conf[SCENARIO_SLURM];

    return conf->len >= 2 && conf->data[conf->len - 2] == '\\';
}

/* Returns the file that the line belongs to; what it says there begins at *ret_from. */
static enum scenario_conf conf_of(const struct reader *in, const char **ret_from)
{
    *ret_from = in->at;
    if (strcmp(in->word, "gres.conf") == 0)
        return SCENARIO_GRES;
    if (strcmp(in->word, "topology.conf") == 0)
        return SCENARIO_TOPOLOGY;
    *ret_from = in->line;
    return SCENARIO_SLURM;
}

static void take_conf(struct parser *parser)
{
    const struct reader *in = &parser->in;
    const char *from = in->line;
    const enum scenario_conf conf = in->word ? conf_of(in, &from) : SCENARIO_SLURM;

    strbuf_add(&parser->scenario->conf[conf], from, (size_t)(in->end - from));
}

/* True if the line is one of these files: all have a '=', but for an include. */
static bool is_of_conf(const struct reader *in)
{
    return memchr(in->line, '=', (size_t)(in->end - in->line)) || word_is(in->word, "include");
}

static int take_line(struct parser *parser)
{
    const struct reader *in = &parser->in;
    int rc = 0;

    reader_clear(&parser->in);
    /* A quote that is not closed here may be one that only slurm.conf understands. */
    if (goes_on(parser->scenario) || reader_next(&parser->in) <= 0)
        take_conf(parser);
    else if (strcmp(in->word, "at") == 0 || strcmp(in->word, "expect") == 0)
        rc = read_line(parser, in->word[0] == 'e');
    else if (strcmp(in->word, "pool") == 0)
        rc = scenario_read_pool(&parser->in, parser->scenario);
    else if (is_of_conf(in))
        take_conf(parser);
    else
        rc = reader_fail(
            in, "'%s' is neither at, expect nor pool, nor KEY=VALUE of a configuration", in->word);
    for (int i = 0; i < SCENARIO_CONFS; i++)
        strbuf_addc(&parser->scenario->conf[i], '\n');
    return rc;
}

static int read_text(struct parser *parser, const char *text, size_t n)
{
    const char *const end = text + n;
    int rc = 0;

    while (rc == 0 && text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));

        reader_begin(&parser->in, text, newline ? newline : end);
        rc = take_line(parser);
        text = newline ? newline + 1 : end;
    }
    return rc;
}

int scenario_parse(const char *name, const char *text, size_t n, struct scenario *ret,
                   struct err *err)
{
    struct parser parser = { .scenario = ret, .in = { .err = err } };
    int rc;

    *ret = (struct scenario){ .name = xstrdup(name) };
    parser.in.name = ret->name;
    (void)user_of(ret, "user");
    if (n && memchr(text, 0, n))
        rc = err_set(err, E_SYNTAX, "%s: not a text", name);
    else
        rc = read_text(&parser, text, n);
    reader_clear(&parser.in);
    if (rc < 0)
        scenario_clear(ret);
    return rc;
}
