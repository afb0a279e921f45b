#include "cli/scontrol/ask_reservation.h"

#include <string.h>
#include <strings.h>

#include "cli/scontrol/ask_values.h"
#include "common/text/words.h"

#define NAME_LEAST 3 /* res */
#define AT(member) offsetof(struct reservation_ask, member)

/*
 * Keys. Where a word that was cut short begins several, the first is meant; `least`: so many
 * letters will do.
 */
static const struct row {
    const char *key;
    size_t least;
    bool is_signed; /* += and -= */
    size_t member;
    ask_read_fn *read;
} keys[] = {
    { "ReservationName", NAME_LEAST, false, AT(name), ask_read_text },
    { "StartTime", 2, false, AT(start), ask_read_time },
    { "EndTime", 1, false, AT(end), ask_read_time },
    { "Duration", 1, true, AT(duration), ask_read_duration },
    { "Flags", 2, true, AT(flags), ask_read_flags },
    { "NodeCnt", 5, false, AT(node_cnt), ask_read_node_counts },
    { "NodeCount", 5, false, AT(node_cnt), ask_read_node_counts },
    { "CoreCnt", 5, false, AT(core_cnt), ask_read_core_counts },
    { "CoreCount", 5, false, AT(core_cnt), ask_read_core_counts },
    { "CPUCnt", 5, false, AT(core_cnt), ask_read_core_counts },
    { "Nodes", 5, true, AT(nodes), ask_read_nodes },
    { "Features", 2, false, AT(features), ask_read_text },
    { "Licenses", 2, false, AT(licenses), ask_read_text },
    { "PartitionName", 1, false, AT(partition), ask_read_text },
    { "Users", 1, true, AT(users), ask_read_words },
    { "Groups", 1, true, AT(groups), ask_read_words },
    { "Accounts", 1, true, AT(accounts), ask_read_words },
    { "AllowedPartitions", 2, true, AT(partitions), ask_read_words },
    { "QOS", 1, true, AT(qos), ask_read_words },
    { "TRES", 1, false, 0, ask_read_tres },
    { "TRESPerNode", 5, false, AT(gres_per_node), ask_read_per_node },
    { "MaxStartDelay", 2, false, AT(max_start_delay_s), ask_read_delay },
    { "PurgeComp", 2, false, AT(purge_comp_s), ask_read_purge },
    { "Comment", 3, false, AT(comment), ask_read_text },
    { "BurstBuffer", 2, false, 0, ask_read_burst_buffer },
    { "Watts", 1, false, 0, ask_read_watts },
};

bool ask_is_reservation(const char *word)
{
    const size_t n = strcspn(word, "=");

    return n >= NAME_LEAST && n <= strlen(keys[0].key) && strncasecmp(word, keys[0].key, n) == 0;
}

bool ask_means_reservation(int argc, char *const *argv)
{
    for (int i = 0; i < argc; i++) {
        if (ask_is_reservation(argv[i]) && (i == 0 || strchr(argv[i], '=')))
            return true;
    }
    return false;
}

static const struct row *find_key(const char *pair, size_t n)
{
    for (size_t i = 0; i < ARRAY_N(keys); i++) {
        if (n >= keys[i].least && n <= strlen(keys[i].key) &&
            strncasecmp(pair, keys[i].key, n) == 0)
            return &keys[i];
    }
    return NULL;
}

/* Takes a word without value: that of the thing itself, which may be there, and Skip. */
static int read_word(struct asking *asking, const char *word, struct err *err)
{
    if (word_is(word, "skip"))
        asking->ask->skip = true;
    else if (!word_starts(word, "res", NULL))
        return ask_refuse(asking, err,
                          "Misformatted parameter '%.200s', most options have a parameter after "
                          "'='.",
                          word);
    return 0;
}

static int read_pair(struct asking *asking, const char *pair, struct err *err)
{
    const char *equals = strchr(pair, '=');
    const struct row *row;
    size_t n;

    if (!equals)
        return read_word(asking, pair, err);
    n = (size_t)(equals - pair);
    asking->how = RESV_SET;
    if (n > 0 && (pair[n - 1] == '+' || pair[n - 1] == '-'))
        asking->how = pair[--n] == '+' ? RESV_MORE : RESV_LESS;
    asking->pair = pair;
    asking->value = equals + 1;
    row = find_key(pair, n);
    if (!row)
        return ask_refuse(asking, err, "Unknown parameter %.200s.", pair);
    if (asking->how != RESV_SET && !row->is_signed)
        return ask_refuse(asking, err, "The +=/-= notation is not supported when updating %.*s.",
                          (int)n, pair);
    return row->read(asking, row->member, err);
}

/* ---- what a new one needs ---- */

static bool has_words(const struct reservation_words *words)
{
    return words && words->words && *words->words;
}

static bool has_text(const char *text)
{
    return text && *text;
}

static int check_times(const struct asking *asking, struct err *err)
{
    const struct reservation_ask *ask = asking->ask;
    const bool has_duration = ask->duration != LIMIT_UNSET;

    if (!ask->start)
        return ask_refuse(asking, err, "A start time must be given.");
    if (!ask->end && !has_duration)
        return ask_refuse(asking, err, "An end time or duration must be given.");
    if (ask->end && has_duration &&
        (ask->duration == LIMIT_INFINITE || ask->start + ask->duration != ask->end))
        return ask_refuse(asking, err, "StartTime + Duration does not equal EndTime.");
    if (ask->end && ask->start > ask->end)
        return ask_refuse(asking, err, "Start time cannot be after end time.");
    return 0;
}

static bool asks_for_something(const struct reservation_ask *ask)
{
    return has_words(ask->nodes) || (ask->node_cnt_n && ask->node_cnt[0]) || ask->core_cnt_n ||
           has_text(ask->licenses) || has_text(ask->gres) || has_text(ask->partition);
}

static int check_amounts(const struct asking *asking, struct err *err)
{
    const struct reservation_ask *ask = asking->ask;
    const bool has_all = has_words(ask->nodes) && word_is(ask->nodes->words, "ALL");

    if ((ask->flags & RESV_PART_NODES) && !(has_text(ask->partition) && has_all))
        return ask_refuse(asking, err,
                          "PART_NODES flag requires specifying a Partition and ALL nodes.");
    if (!asks_for_something(ask))
        return ask_refuse(asking, err,
                          "CoreCnt, Nodes, NodeCnt, BurstBuffer, Licenses or Watts must be "
                          "specified.");
    return 0;
}

static int check_people(const struct asking *asking, struct err *err)
{
    const struct reservation_ask *ask = asking->ask;

    if (!has_words(ask->users) && !has_words(ask->groups) && !has_words(ask->accounts) &&
        !has_words(ask->qos) && !has_words(ask->partitions))
        return ask_refuse(asking, err, "Either Users/Groups and/or Accounts must be specified.");
    if (has_words(ask->users) && ask->groups)
        return ask_refuse(asking, err,
                          "Users and Groups are mutually exclusive.  You can have one or the "
                          "other, but not both.");
    return 0;
}

int ask_parse_reservation(enum reservation_verb verb, int argc, char *const *argv, int64_t now,
                          struct reservation_ask *ret_ask, struct err *err)
{
    struct asking asking = { .ask = ret_ask, .now = now, .is_new = verb == RESV_CREATE };
    int rc = 0;

    for (int i = 0; i < argc && rc == 0; i++)
        rc = read_pair(&asking, argv[i], err);
    if (rc == 0 && ret_ask->name && !*ret_ask->name && asking.is_new)
        xstrset(&ret_ask->name, NULL);
    if (rc == 0 && !ret_ask->name && !asking.is_new)
        rc = ask_refuse(&asking, err, "Reservation must be given.");
    if (rc < 0 || !asking.is_new)
        return rc;
    rc = check_times(&asking, err);
    if (rc == 0)
        rc = check_amounts(&asking, err);
    return rc == 0 ? check_people(&asking, err) : rc;
}
