/* sizes.c - how much time jobs of which sizes held, or how many they were. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/sreport/others.h"
#include "cli/sreport/past.h"
#include "cli/sreport/print.h"
#include "cli/sreport/tree.h"

enum sizes_by { SIZES_BY_ACCOUNT, SIZES_BY_BOTH, SIZES_BY_WCKEY };

#define GROUP_WIDTH   13
#define GROUP_PERCENT 20 /* of units with a percentage */
#define PART_TITLE    "% of cluster"
#define PART_WIDTH    12

/* What the report says of one cluster. */
struct part {
    struct held held;
    struct tree tree;
    uint64_t whole; /* that its lines show */
};

/* A line of the report. */
struct line {
    const struct part *part;
    struct row row;
    char *label;      /* owned: what the row's account is */
    uint64_t *groups; /* TRES seconds, or jobs, of each group of sizes; owned */
    uint64_t whole;
};

struct report {
    struct sreport *sreport;
    enum sizes_by by;
    struct ask ask;
    struct held held;
    struct words clusters;
    struct part *parts; /* of each cluster */
    struct part *part;  /* the one that lines are made of */
    uint64_t *begins;   /* sizes at which groups begin, the first 0 */
    uint32_t groups_n;
    struct line *lines;
    uint32_t lines_n;
};

/* ---- groups ---- */

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

static void push_begin(struct report *report, uint64_t size)
{
    *ARRAY_PUSH(report->begins, report->groups_n) = size;
}

static void add_sizes(struct report *report, const struct held *held)
{
    for (uint32_t i = 0; i < held->sums_n; i++) {
        const uint64_t size = held->sums[i].cpus;

        if (report->groups_n == 0 || report->begins[report->groups_n - 1] != size)
            push_begin(report, size);
    }
}

/* Makes a group of each size that jobs have. */
static void list_sizes(struct report *report)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < report->clusters.n; i++)
        add_sizes(report, &report->parts[i].held);
    if (report->groups_n == 0)
        return;
    qsort(report->begins, report->groups_n, sizeof(*report->begins), compare_numbers);
    for (uint32_t i = 1; i < report->groups_n; i++) {
        if (report->begins[i] != report->begins[kept])
            report->begins[++kept] = report->begins[i];
    }
    report->groups_n = kept + 1;
}

static void list_groups(struct report *report)
{
    static const uint64_t usual[] = { 0, 50, 250, 500, 1000 };
    const struct words *groups = &report->ask.groups;

    if (report->ask.individual) {
        list_sizes(report);
        return;
    }
    for (size_t i = 0; groups->n == 0 && i < ARRAY_N(usual); i++)
        push_begin(report, usual[i]);
    if (groups->n)
        push_begin(report, 0);
    for (uint32_t i = 0; i < groups->n; i++)
        push_begin(report, strtoull(groups->at[i], NULL, 10));
    if (groups->n)
        qsort(report->begins, report->groups_n, sizeof(*report->begins), compare_numbers);
}

/* Returns the group of a size. */
static uint32_t group_of(const struct report *report, uint64_t cpus)
{
    uint32_t group = 0;

    while (group + 1 < report->groups_n && report->begins[group + 1] <= cpus)
        group++;
    return group;
}

static void add_group_title(const struct report *report, uint32_t group, struct strbuf *out)
{
    const char *what = word_is(report->held.tres.at[0], "cpu") ? "CPUs" : "TRES";
    const uint64_t begin = report->begins[group];

    if (report->ask.individual)
        strbuf_addf(out, "%" PRIu64 " %s", begin, what);
    else if (group + 1 == report->groups_n)
        strbuf_addf(out, ">= %" PRIu64 " %s", begin, what);
    else
        strbuf_addf(out, "%" PRIu64 "-%" PRIu64 " %s", begin, report->begins[group + 1] - 1, what);
}

/* ---- lines ---- */

/* Returns the account under which the report shows a sum, or NULL: it does not. */
static const char *account_of(const struct report *report, const struct sum_info *sum)
{
    const struct ask *ask = &report->ask;
    const struct tree *tree = &report->part->tree;
    const char *name = sum->account ? sum->account : "";
    const int64_t at = *name ? tree_find(tree, name) : (int64_t)tree->root;
    int64_t shown;

    if (ask->flat)
        return ask_fits(ask, ASK_ACCOUNTS, name) ? name : NULL;
    if (!ask->parents && !ask->is_given[ASK_ACCOUNTS])
        return tree->at[tree->root].name;
    shown = at;
    if (!ask->parents)
        shown = tree_find_above(tree, at, &ask->lists[ASK_ACCOUNTS]);
    while (ask->parents && shown >= 0) {
        const int64_t above = tree->at[shown].parent;

        if (above >= 0 && (ask->is_given[ASK_ACCOUNTS]
                               ? words_have_exactly(&ask->lists[ASK_ACCOUNTS], tree->at[above].name)
                               : above == (int64_t)tree->root))
            break;
        shown = above;
    }
    return shown >= 0 ? tree->at[shown].name : NULL;
}

/* Returns what the line of a sum is called, to be freed, or NULL: it has none. Jobs without a wckey
 * are shown only where each account has its line. */
static char *label_of(const struct report *report, const struct sum_info *sum)
{
    const char *wckey = sum->wckey ? sum->wckey : "";
    const char *account;

    if (report->by == SIZES_BY_WCKEY)
        return *wckey ? xstrdup(wckey) : NULL;
    account = account_of(report, sum);
    if (!account)
        return NULL;
    if (report->by == SIZES_BY_ACCOUNT)
        return xstrdup(account);
    return *wckey || report->ask.flat ? xasprintf("%s:%s", account, wckey) : NULL;
}

static struct line *line_named(struct report *report, char *label)
{
    struct line *line;

    for (uint32_t i = 0; i < report->lines_n; i++) {
        if (report->lines[i].part == report->part && strcmp(report->lines[i].label, label) == 0) {
            free(label);
            return &report->lines[i];
        }
    }
    line = ARRAY_PUSH(report->lines, report->lines_n);
    *line = (struct line){ .part = report->part,
                           .label = label,
                           .groups = xcalloc((size_t)report->groups_n + 1, sizeof(uint64_t)) };
    line->row.cluster = report->part->held.book.cluster;
    line->row.account = line->row.wckey = label;
    return line;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(((const struct line *)a)->label, ((const struct line *)b)->label);
}

/* Adds the lines of a cluster, by their names. */
static void make_lines(struct report *report)
{
    const struct held *held = &report->part->held;
    const uint32_t first = report->lines_n;

    for (uint32_t i = 0; i < held->sums_n; i++) {
        const struct sum_info *sum = &held->sums[i];
        char *label = label_of(report, sum);
        const uint64_t amount =
            report->ask.counts ? sum->jobs : held_amount(sum->held, sum->held_n, held->tres.at[0]);
        struct line *line;

        if (!label || !amount) {
            free(label);
            continue;
        }
        line = line_named(report, label);
        line->groups[group_of(report, sum->cpus)] += amount;
        line->whole += amount;
        report->part->whole += amount;
    }
    if (report->lines_n > first)
        qsort(report->lines + first, report->lines_n - first, sizeof(*report->lines),
              compare_lines);
}

/* ---- columns ---- */

/* clang-format off */
static const struct report_column columns_of_accounts[] = {
    PRINT_TEXT("Account", 1, "Account", 9, print_account),
    PRINT_TEXT("Cluster", 2, "Cluster", 9, print_cluster),
    PRINT_AMOUNT("Count", 2, "TRES Count", 10, ROW_COUNT),
    PRINT_TEXT("Wckey", 1, "Wckey", 9, print_wckey),
};
/* clang-format on */

static const struct report_table table = { NULL, 0, columns_of_accounts,
                                           ARRAY_N(columns_of_accounts) };

/* Appends a field behind those of the columns. */
static void add_field(const struct report *report, const char *text, uint32_t width,
                      struct strbuf *line)
{
    if (print_style(report->sreport) == ACCT_COLUMNS)
        strbuf_addf(line, "%*.*s ", (int)width, (int)width, text);
    else
        strbuf_addf(line, "%s|", text);
}

static uint32_t group_width(const struct report *report)
{
    return report->sreport->unit > UNIT_PERCENT && !report->ask.counts ? GROUP_PERCENT
                                                                       : GROUP_WIDTH;
}

static void end_line(const struct report *report, struct strbuf *line)
{
    if (print_style(report->sreport) == ACCT_PARSABLE2 && line->len)
        strbuf_truncate(line, line->len - 1);
    puts(strbuf_text(line));
}

/* Takes the columns' part of a line, without its end. */
static void begin_line(struct strbuf *line)
{
    if (line->len && line->data[line->len - 1] == '\n')
        strbuf_truncate(line, line->len - 1);
}

static void print_header(struct report *report, struct report_format *format)
{
    AUTO(strbuf) struct strbuf line = { 0 };
    AUTO(strbuf) struct strbuf rule = { 0 };
    char dashes[GROUP_PERCENT + 1];

    memset(dashes, '-', sizeof(dashes));
    format->overflow = '\0';
    report_header(format, &line);
    format->overflow = '+';
    report_rule(format, '-', &rule);
    begin_line(&line);
    begin_line(&rule);
    dashes[group_width(report)] = '\0';
    for (uint32_t i = 0; i < report->groups_n; i++) {
        AUTO(strbuf) struct strbuf title = { 0 };

        add_group_title(report, i, &title);
        add_field(report, strbuf_text(&title), group_width(report), &line);
        add_field(report, dashes, group_width(report), &rule);
    }
    dashes[PART_WIDTH] = '\0';
    add_field(report, PART_TITLE, PART_WIDTH, &line);
    add_field(report, dashes, PART_WIDTH, &rule);
    end_line(report, &line);
    if (print_style(report->sreport) == ACCT_COLUMNS)
        puts(strbuf_text(&rule));
}

static void print_line(const struct report *report, const struct report_format *format,
                       const struct line *line)
{
    const struct report_context ctx = { .user = &report->sreport->unit };
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO(strbuf) struct strbuf part = { 0 };

    report_line(format, &ctx, &line->row, &text);
    begin_line(&text);
    for (uint32_t i = 0; i < report->groups_n; i++) {
        AUTO(strbuf) struct strbuf amount = { 0 };

        if (report->ask.counts)
            strbuf_addu(&amount, line->groups[i]);
        else
            unit_format(report->sreport->unit, line->groups[i], line->whole, &amount);
        add_field(report, strbuf_text(&amount), group_width(report), &text);
    }
    unit_format_percent(line->whole, line->part->whole, &part);
    add_field(report, strbuf_text(&part), PART_WIDTH, &text);
    end_line(report, &text);
}

/* ---- the report ---- */

static void print_head(const struct report *report)
{
    const struct sreport *sreport = report->sreport;
    AUTO(strbuf) struct strbuf title = { 0 };
    AUTO(strbuf) struct strbuf what = { 0 };

    strbuf_adds(&title, report->by == SIZES_BY_WCKEY ? "Job Sizes by Wckey " : "Job Sizes ");
    print_times(&report->ask, true, &title);
    if (sreport->tres_asked.n)
        strbuf_addf(&what, "TRES type is %s\n", report->held.tres.at[0]);
    if (report->ask.counts)
        strbuf_adds(&what, "Units are in number of jobs ran");
    else
        strbuf_addf(&what, "Time reported in %s", unit_name(sreport->unit));
    print_title(sreport, strbuf_text(&title), strbuf_text(&what));
}

static int print(struct report *report)
{
    const struct print columns = { .columns = &table,
                                   .fields = &report->ask.fields,
                                   .has_tree = report->by == SIZES_BY_BOTH };
    const enum acct_style style = print_style(report->sreport);
    AUTO(report_format) struct report_format format;

    if (!report->ask.has_fields)
        words_add(&report->ask.fields,
                  report->by == SIZES_BY_WCKEY ? "Cluster,Wckey" : "Cluster,Account", ",");
    print_layout(report->sreport, &columns, style == ACCT_COLUMNS ? style : ACCT_PARSABLE, &format);
    print_head(report);
    if (!report->sreport->no_header)
        print_header(report, &format);
    for (uint32_t i = 0; i < report->lines_n; i++)
        print_line(report, &format, &report->lines[i]);
    return fflush(stdout) == 0 ? 0 : 1;
}

/* Loads the sums of a cluster. */
static int load_part(struct report *report, const char *cluster)
{
    struct sums_list request = held_request(&report->ask);
    struct held *held = &report->part->held;

    held_begin_part(&report->held, cluster, held);
    if (past_is_asked(&report->ask))
        return past_load(report->sreport, &report->ask, held);
    request.sizes = true;
    return held_load_sums(report->sreport, &request, held);
}

static int load(struct report *report)
{
    int rc = held_begin(report->sreport, &report->held);

    if (rc == 0)
        held_clusters(report->sreport, &report->ask, &report->held, &report->clusters);
    report->parts = xcalloc((size_t)report->clusters.n + 1, sizeof(*report->parts));
    for (uint32_t i = 0; rc == 0 && i < report->clusters.n; i++) {
        report->part = &report->parts[i];
        rc = load_part(report, report->clusters.at[i]);
    }
    return rc;
}

static void add_part(struct report *report)
{
    AUTO(owners) struct owners owners = owners_of(&report->part->held, BY_ACCOUNT);

    report->part->tree = tree_of(&report->part->held.book, &owners);
    make_lines(report);
}

static int run(struct report *report, const char *const *words, uint32_t n)
{
    ask_read(report->sreport, ASK_SIZES, words, n, (int64_t)time(NULL), &report->ask);
    if (report->sreport->tres_asked.n > 1 || words_have(&report->sreport->tres_asked, "ALL")) {
        sreport_refuse(report->sreport, " Job report only supports a single --tres type.\n"
                                        " Generate a separate report for each TRES type.");
        return 1;
    }
    if (load(report) < 0)
        return 1;
    list_groups(report);
    for (uint32_t i = 0; i < report->clusters.n; i++) {
        report->part = &report->parts[i];
        add_part(report);
    }
    return print(report);
}

static void clear(struct report *report)
{
    for (uint32_t i = 0; i < report->lines_n; i++) {
        free(report->lines[i].label);
        free(report->lines[i].groups);
    }
    for (uint32_t i = 0; report->parts && i < report->clusters.n; i++) {
        tree_clear(&report->parts[i].tree);
        held_clear(&report->parts[i].held);
    }
    free(report->lines);
    free(report->begins);
    free(report->parts);
    words_clear(&report->clusters);
    held_clear(&report->held);
    ask_clear(&report->ask);
}

static int report_by(struct sreport *sreport, enum sizes_by by, const char *const *words,
                     uint32_t n)
{
    struct report report = { .sreport = sreport, .by = by };
    const int status = run(&report, words, n);

    clear(&report);
    return status;
}

int report_sizes(struct sreport *sreport, const char *const *words, uint32_t n)
{
    return report_by(sreport, SIZES_BY_ACCOUNT, words, n);
}

int report_sizes_and_wckey(struct sreport *sreport, const char *const *words, uint32_t n)
{
    return report_by(sreport, SIZES_BY_BOTH, words, n);
}

int report_sizes_of_wckeys(struct sreport *sreport, const char *const *words, uint32_t n)
{
    return report_by(sreport, SIZES_BY_WCKEY, words, n);
}
