#include "cli/sreport/ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sacctmgr/words.h"
#include "common/text/numbers.h"
#include "common/text/period.h"
#include "common/text/timetext.h"

#define MINUTE_S 60
#define HOUR_S   3600

/* What a word sets: one of the lists, or: */
enum {
    SET_END = ASK_LISTS_N,
    SET_FIELDS,
    SET_GROUPS,
    SET_START,
    SET_TOP,
    SET_ALL_CLUSTERS,
    SET_FLAT,
    SET_GROUP,
    SET_COUNTS,
    SET_PARENTS,
    SET_TREE,
};

#define ASK_ANY  127
#define ASK_MOST (ASK_ANY & ~ASK_SIZES & ~ASK_RESERVATION)

struct ask_key {
    uint32_t about; /* enum ask_about: the reports that know it */
    struct acct_key key;
};

/* Conditions, and how many of their letters are enough. */
static const struct ask_key conditions[] = {
    { ASK_OWNERS | ASK_SIZES | ASK_TOP, { "Accounts", 2, ASK_ACCOUNTS } },
    { ASK_OWNERS | ASK_SIZES | ASK_TOP, { "Acct", 2, ASK_ACCOUNTS } },
    { ASK_ANY & ~(ASK_USER_WCKEYS | ASK_WCKEYS), { "Clusters", 1, ASK_CLUSTERS } },
    { ASK_USER_WCKEYS | ASK_WCKEYS, { "Clusters", 3, ASK_CLUSTERS } },
    { ASK_ANY, { "End", 1, SET_END } },
    { ASK_MOST, { "Format", 1, SET_FIELDS } },
    { ASK_SIZES | ASK_RESERVATION, { "Format", 2, SET_FIELDS } },
    { ASK_RESERVATION, { "Flags", 2, ASK_NAMES } },
    { ASK_SIZES, { "GID", 2, ASK_GIDS } },
    { ASK_SIZES, { "Grouping", 2, SET_GROUPS } },
    { ASK_RESERVATION, { "Ids", 1, ASK_NAMES } },
    { ASK_SIZES, { "Jobs", 1, ASK_JOBS } },
    { ASK_RESERVATION, { "Names", 1, ASK_NAMES } },
    { ASK_SIZES | ASK_RESERVATION, { "Nodes", 1, ASK_NODES } },
    { ASK_SIZES, { "Partitions", 2, ASK_PARTITIONS } },
    { ASK_ANY, { "Start", 1, SET_START } },
    { ASK_TOP, { "TopCount", 1, SET_TOP } },
    { ASK_ANY & ~ASK_UTILIZATION & ~ASK_RESERVATION, { "Users", 1, ASK_USERS } },
    { ASK_USER_WCKEYS | ASK_WCKEYS, { "Wckeys", 3, ASK_WCKEY_NAMES } },
    { ASK_SIZES, { "Wckeys", 2, ASK_WCKEY_NAMES } },
};

/* Words that stand alone. */
static const struct ask_key switches[] = {
    { ASK_ANY, { "All_Clusters", 1, SET_ALL_CLUSTERS } },
    { ASK_SIZES, { "AcctAsParent", 2, SET_PARENTS } },
    { ASK_SIZES, { "FlatView", 2, SET_FLAT } },
    { ASK_TOP, { "Group", 1, SET_GROUP } },
    { ASK_SIZES, { "PrintJobCount", 2, SET_COUNTS } },
    { ASK_OWNERS, { "Tree", 4, SET_TREE } },
};

static int find(const struct ask_key *keys, size_t n, enum ask_about about, const char *word)
{
    for (size_t i = 0; i < n; i++) {
        if ((keys[i].about & about) && acct_key_find(&keys[i].key, 1, word) >= 0)
            return keys[i].key.id;
    }
    return -1;
}

static void set_switch(struct ask *ask, int id)
{
    ask->all_clusters |= id == SET_ALL_CLUSTERS;
    ask->parents |= id == SET_PARENTS;
    ask->flat |= id == SET_FLAT;
    ask->group |= id == SET_GROUP;
    ask->counts |= id == SET_COUNTS;
    ask->tree |= id == SET_TREE;
}

/* Adds names to a list. A list without any name is given all the same. */
static void add_names(struct ask *ask, int list, const char *names)
{
    ask->is_given[list] = true;
    acct_names_add(&ask->lists[list], names);
}

static void read_time(struct sreport *sreport, const char *text, int64_t now, int64_t *ret)
{
    struct err err = { 0 };

    if (!*text || time_parse_past(text, now, ret, &err) == 0)
        return;
    fflush(stdout);
    fprintf(stderr, "%s\n", err.text);
    (void)sreport; /* as in Slurm, the report is about the usual time, and succeeds */
}

static void read_top(struct sreport *sreport, const char *text, struct ask *ask)
{
    char *end;
    const long top = strtol(text, &end, 10);

    if (end == text && *text)
        sreport_refuse(sreport, "sreport: error: Invalid value for TopCount (%s)", text);
    else
        ask->top = top < 0 || top > INT32_MAX ? UINT32_MAX : (uint32_t)top;
}

/* Reads sizes at which groups of jobs begin; "individual" is one for each size that there is. */
static void read_groups(struct sreport *sreport, const char *text, struct ask *ask)
{
    AUTO(words) struct words sizes = words_split(text, ",");

    for (uint32_t i = 0; i < sizes.n; i++) {
        static const struct acct_key individual = { "individual", 3, 0 };
        uint64_t size;

        if (acct_key_find(&individual, 1, sizes.at[i]) == 0)
            ask->individual = true;
        else if (number_parse(sizes.at[i], 1, UINT32_MAX, &size, NULL) == 0)
            *ARRAY_PUSH(ask->groups.at, ask->groups.n) = xstrdup(sizes.at[i]);
        else
            sreport_refuse(sreport, " Invalid size of a group: %s", sizes.at[i]);
    }
}

static void read_condition(struct sreport *sreport, enum ask_about about,
                           const struct acct_word *word, int64_t now, struct ask *ask)
{
    const int id = find(conditions, ARRAY_N(conditions), about, word->key);

    if (id == SET_START)
        read_time(sreport, word->value, now, &ask->start);
    else if (id == SET_END)
        read_time(sreport, word->value, now, &ask->end);
    else if (id == SET_TOP)
        read_top(sreport, word->value, ask);
    else if (id == SET_GROUPS)
        read_groups(sreport, word->value, ask);
    else if (id >= 0 && id < ASK_LISTS_N)
        add_names(ask, id, word->value);
    else if (id == SET_FIELDS) {
        ask->has_fields = true;
        words_add(&ask->fields, word->value, ",");
    } else
        sreport_refuse(sreport, " Unknown condition: %s\nUse keyword set to modify value",
                       word->text);
}

/* Reads a word that stands alone: what is no switch is a name, of a user or wckey where reports are
 * about these, else of a cluster. */
static void read_alone(enum ask_about about, const struct acct_word *word, struct ask *ask)
{
    const int id = find(switches, ARRAY_N(switches), about, word->value);

    if (id >= 0)
        set_switch(ask, id);
    else
        add_names(ask,
                  about & (ASK_OWNERS | ASK_TOP)           ? ASK_USERS
                  : about & (ASK_USER_WCKEYS | ASK_WCKEYS) ? ASK_WCKEY_NAMES
                                                           : ASK_CLUSTERS,
                  word->value);
}

/* Rounds to the minute, then to the hour, as Slurm does. */
static int64_t nearest_hour(int64_t t)
{
    const int64_t minute = (t + MINUTE_S / 2) / MINUTE_S * MINUTE_S;

    return period_start(PERIOD_HOUR, minute + HOUR_S / 2);
}

/* Times are rounded to full hours; without any it is yesterday. What is to come is cut off after
 * the hour of `now`, which has begun. */
static void set_times(struct ask *ask, int64_t now)
{
    const int64_t today = period_start(PERIOD_DAY, now);

    ask->start = ask->start ? nearest_hour(ask->start) : period_start(PERIOD_DAY, today - 1);
    if (!ask->end)
        ask->end = today;
    else
        ask->end = ask->end < now ? nearest_hour(ask->end) : period_next(PERIOD_HOUR, now);
    if (ask->end <= ask->start)
        ask->end = ask->start + HOUR_S;
}

void ask_read(struct sreport *sreport, enum ask_about about, const char *const *words, uint32_t n,
              int64_t now, struct ask *ret)
{
    struct acct_line line = { 0 };

    *ret = (struct ask){ .top = ASK_TOP_USUAL };
    acct_line_read(words, n, false, &line);
    for (uint32_t i = 0; i < line.where.n; i++) {
        if (line.where.at[i].key)
            read_condition(sreport, about, &line.where.at[i], now, ret);
        else
            read_alone(about, &line.where.at[i], ret);
    }
    acct_line_clear(&line);
    set_times(ret, now);
}

void ask_clear(struct ask *ask)
{
    for (int i = 0; i < ASK_LISTS_N; i++)
        words_clear(&ask->lists[i]);
    words_clear(&ask->fields);
    words_clear(&ask->groups);
}

void ask_auto_(struct ask *ask)
{
    ask_clear(ask);
}

bool ask_fits(const struct ask *ask, enum ask_list list, const char *text)
{
    return !ask->is_given[list] || words_have_exactly(&ask->lists[list], text ? text : "");
}
