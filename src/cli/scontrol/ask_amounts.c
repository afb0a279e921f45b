/* ask_amounts.c - how much a reservation is to have: counts, and TRES=. */
#include "cli/scontrol/ask_values.h"

#include <string.h>

#include "common/text/gres.h"
#include "common/text/words.h"

#define NODES_MAX UINT64_C(1000000)
#define CORES_MAX UINT64_C(1000000000)

/* Reads a number, of nodes also with K or M behind it. */
static bool read_count(const char *text, uint64_t most, bool has_units, uint32_t *ret)
{
    uint64_t number;

    if (has_units ? gres_parse_count(text, &number, NULL) < 0 || number > most
                  : number_parse(text, 0, most, &number, NULL) < 0)
        return false;
    *ret = (uint32_t)number;
    return true;
}

/*
 * Reads counts between commas: several nodes of different sizes, or several groups of nodes. A 0
 * ends the list, as it does in Slurm; alone it stays, for the controller to refuse.
 */
static bool read_counts(const char *text, uint64_t most, bool has_units, uint32_t **counts,
                        uint32_t *n)
{
    AUTO(words) struct words words = words_split(text, ",");
    bool is_over = false;

    *n = 0;
    for (uint32_t i = 0; i < words.n; i++) {
        uint32_t count;

        if (!read_count(words.at[i], most, has_units, &count))
            return false;
        is_over = is_over || (i > 0 && count == 0);
        if (!is_over)
            *ARRAY_PUSH(*counts, *n) = count;
    }
    return true;
}

int ask_read_node_counts(struct asking *asking, size_t member, struct err *err)
{
    struct reservation_ask *ask = asking->ask;

    (void)member;
    if (read_counts(asking->value, NODES_MAX, true, &ask->node_cnt, &ask->node_cnt_n))
        return 0;
    return err_set(err, EINVAL, "scontrol: error: Invalid node count %.200s", asking->value);
}

int ask_read_core_counts(struct asking *asking, size_t member, struct err *err)
{
    struct reservation_ask *ask = asking->ask;

    (void)member;
    if (read_counts(asking->value, CORES_MAX, false, &ask->core_cnt, &ask->core_cnt_n))
        return 0;
    return err_set(err, EINVAL, "scontrol: error: Invalid core count %.200s", asking->value);
}

/* ---- TRES ---- */

static int set_nodes(struct reservation_ask *ask, const char *value, struct err *err)
{
    if (read_counts(value, NODES_MAX, true, &ask->node_cnt, &ask->node_cnt_n))
        return 0;
    return err_set(err, EINVAL, "scontrol: error: Invalid TRES node count %.200s", value);
}

static int set_cpus(struct reservation_ask *ask, const char *value, struct err *err)
{
    if (read_counts(value, CORES_MAX, false, &ask->core_cnt, &ask->core_cnt_n))
        return 0;
    return err_set(err, EINVAL, "scontrol: error: invalid TRES cpu value '%.200s'", value);
}

/* Appends "name:value" to a list. */
static int add_named(char **list, const char *what, const char *name, const char *value,
                     struct err *err)
{
    AUTO_FREE char *before = *list;
    uint64_t count;

    if (gres_parse_count(value, &count, NULL) < 0) {
        *list = STEAL(before);
        return err_set(err, EINVAL, "scontrol: error: invalid TRES %s%.100s value '%.200s'", what,
                       name, value);
    }
    *list = xasprintf("%s%s%s:%llu", before ? before : "", before && *before ? "," : "", name,
                      (unsigned long long)count);
    return 0;
}

/* True for what Slurm counts of jobs and nobody can reserve. */
static bool is_not_reservable(const char *name)
{
    static const char *const names[] = { "mem", "energy", "billing", "fs/disk", "vmem", "pages" };

    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (word_is(name, names[i]))
            return true;
    }
    return false;
}

static int read_tres_part(struct reservation_ask *ask, const char *part, struct err *err)
{
    const char *value = strchr(part, '=');
    AUTO_FREE char *name = NULL;
    const char *rest;

    name = xstrndup(part, value ? (size_t)(value - part) : strlen(part));
    if (!value || value == part || !value[1])
        return err_set(err, EINVAL, "scontrol: error: invalid TRES '%.200s'",
                       value == part ? part : name);
    value++;
    if (word_is(name, "node"))
        return set_nodes(ask, value, err);
    if (word_is(name, "cpu"))
        return set_cpus(ask, value, err);
    if (word_starts(name, "gres/", &rest) && *rest)
        return add_named(&ask->gres, "gres/", rest, value, err);
    if (word_starts(name, "license/", &rest) && *rest)
        return add_named(&ask->licenses, "license/", rest, value, err);
    if (is_not_reservable(name))
        return err_set(err, EINVAL,
                       "scontrol: error: TRES type '%.200s' not supported with reservations", name);
    return err_set(err, EINVAL, "scontrol: error: couldn't identify configured TRES '%.200s'",
                   name);
}

/* Reads a list by what reads each part of it. */
static int read_parts(struct asking *asking,
                      int (*read_part)(struct reservation_ask *ask, const char *part,
                                       struct err *err),
                      struct err *err)
{
    AUTO(words) struct words parts = words_split(asking->value, ",");
    int rc = 0;

    for (uint32_t i = 0; i < parts.n && rc == 0; i++)
        rc = read_part(asking->ask, parts.at[i], err);
    return rc;
}

/*
 * Reads what a reservation is to have together. Generic resources and licenses need not be in
 * AccountingStorageTRES, as they have to be in Slurm: the controller knows them all.
 */
int ask_read_tres(struct asking *asking, size_t member, struct err *err)
{
    (void)member;
    return read_parts(asking, read_tres_part, err);
}

/* Reads "gres/gpu=2", or "gres/gpu:2" as jobs ask for them. */
static int read_per_node(struct reservation_ask *ask, const char *part, struct err *err)
{
    AUTO(gres) struct gres_list list = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    const char *value = strchr(part, '=');
    AUTO_FREE char *name = xstrndup(part, value ? (size_t)(value - part) : strlen(part));
    const char *rest;

    if (!word_starts(name, "gres", &rest) || (*rest != '/' && *rest != ':') || !rest[1])
        return err_set(err, EINVAL, "scontrol: error: couldn't identify configured TRES '%.200s'",
                       name);
    if (value)
        return add_named(&ask->gres_per_node, "gres/", rest + 1, value + 1, err);
    if (gres_parse(part, &list, NULL) < 0)
        return err_set(err, EINVAL, "scontrol: error: invalid TRES '%.200s'", part);
    if (ask->gres_per_node && *ask->gres_per_node)
        strbuf_addf(&text, "%s,", ask->gres_per_node);
    gres_write(&list, "", &text);
    xstrset(&ask->gres_per_node, strbuf_text(&text));
    return 0;
}

int ask_read_per_node(struct asking *asking, size_t member, struct err *err)
{
    (void)member;
    return read_parts(asking, read_per_node, err);
}

/* ---- what there is not ---- */

int ask_read_burst_buffer(struct asking *asking, size_t member, struct err *err)
{
    (void)member;
    if (!*asking->value)
        return 0;
    return ask_refuse(asking, err, "There are no burst buffers to reserve: %.200s.", asking->pair);
}

/* Reads watts, of which a number with K or M behind it, and words for none, are well formed. */
int ask_read_watts(struct asking *asking, size_t member, struct err *err)
{
    const char *value = asking->value;
    uint64_t watts = 0;

    (void)member;
    if (word_is(value, "n/a") || word_is(value, "none"))
        return 0;
    if (!word_is(value, "infinite") && gres_parse_count(value, &watts, NULL) < 0)
        return err_set(err, EINVAL, "scontrol: error: Invalid Watts value: %.200s", value);
    return ask_refuse(asking, err, "There is no power management to reserve watts of: %.200s.",
                      asking->pair);
}
