#include "cli/scontrol/write_conf.h"

#include <string.h>
#include <strings.h>

#include "common/conf/keys.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"

/* ---- keys ---- */

static bool is_nothing(const char *value)
{
    return !value || !*value || strcmp(value, "(null)") == 0 || strcmp(value, "N/A") == 0;
}

/*
 * Returns the length of the value without what only the reader of a screen needs, as in "300 sec"
 * or "slurm(64030)".
 */
static size_t bare_length(const struct conf_key *key, const char *value)
{
    size_t n = strlen(value), unit_n = key->unit ? strlen(key->unit) + 1 : 0;

    if (key->kind == CONF_USER)
        return strcspn(value, "(");
    if (unit_n && n > unit_n && value[n - unit_n] == ' ' &&
        strcmp(value + n - unit_n + 1, key->unit) == 0)
        n -= unit_n;
    return n;
}

/* Appends each key of "DefCpuPerGPU=4,DefMemPerGPU=100", which the screen has in one line. */
static void add_job_defaults(const char *value, const char *between, struct strbuf *out)
{
    AUTO(words) struct words words = words_split(value, ",");

    for (uint32_t i = 0; i < words.n; i++)
        strbuf_addf(out, "%s%s", i ? between : "", words.at[i]);
}

void write_conf_entry(const struct config_entry *entry, struct strbuf *out)
{
    AUTO_FREE char *name = xstrndup(entry->key, strcspn(entry->key, "[")); /* SlurmctldHost[0] */
    const struct conf_key *key = conf_key_find(conf_global_keys(), name);
    AUTO_FREE char *value = NULL;
    const char *quote;

    if (is_nothing(entry->value))
        return;
    if (word_is(name, "JobDefaults")) {
        add_job_defaults(entry->value, "\n", out);
        strbuf_addc(out, '\n');
        return;
    }
    if (!key || key->status == CONF_REMOVED)
        return;
    if (key->kind == CONF_MEM_NODE && strcmp(entry->value, "UNLIMITED") == 0)
        return;
    value = xstrndup(entry->value, bare_length(key, entry->value));
    quote = strpbrk(value, " \t") && !strchr(value, '"') ? "\"" : "";
    strbuf_addf(out, "%s=%s%s%s\n", key->name, quote, value, quote);
}

/* ---- records ---- */

static void add_value(const struct conf_key *table, const char *name, const char *value,
                      struct strbuf *out)
{
    const struct conf_key *key = conf_key_find(table, name);
    size_t n = strlen(value);

    while (n && value[n - 1] == ' ') /* some have one more on the screen */
        n--;
    if (key && n)
        strbuf_addf(out, " %s=%.*s", key->name, (int)n, value);
}

static void add_partition_value(void *ctx, const char *key, const char *value)
{
    struct strbuf *out = ctx;

    if (word_is(key, "PartitionName"))
        strbuf_addf(out, "PartitionName=%s", value);
    else if (word_is(key, "JobDefaults")) {
        strbuf_addc(out, ' ');
        add_job_defaults(value, " ", out);
    } else {
        add_value(conf_partition_keys(), key, value, out);
    }
}

void write_conf_partition(const struct show *show, const struct partition_info *info,
                          struct strbuf *out)
{
    show_partition_values(show, info, add_partition_value, out);
    strbuf_addc(out, '\n');
}

/*
 * Adds what nodes must have in common to share a line; where they are and in which state is left
 * out.
 */
static void add_node_value(void *ctx, const char *key, const char *value)
{
    static const struct {
        const char *shown, *written;
    } names[] = {
        { "NodeName", NULL }, { "NodeAddr", NULL }, { "NodeHostName", NULL },
        { "State", NULL },    { "Reason", NULL },   { "AvailableFeatures", "Features" },
        { "CPUTot", "CPUs" },
    };
    struct strbuf *out = ctx;

    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (!word_is(key, names[i].shown))
            continue;
        if (names[i].written)
            add_value(conf_node_keys(), names[i].written, value, out);
        return;
    }
    add_value(conf_node_keys(), key, value, out);
}

/* Nodes that share a line, with where each is found. */
struct node_line {
    struct hostlist *names, *addresses, *hosts;
};

static void add_node(struct node_line *line, const struct node_info *info)
{
    const char *name = info->node->name;

    hostlist_add(line->names, name);
    hostlist_add(line->addresses, info->address ? info->address : name);
    hostlist_add(line->hosts, info->host ? info->host : name);
}

static void print_node_line(const struct node_line *line, const char *values, struct strbuf *out)
{
    AUTO_FREE char *names = hostlist_format(line->names);
    AUTO_FREE char *addresses = hostlist_format(line->addresses);
    AUTO_FREE char *hosts = hostlist_format(line->hosts);

    strbuf_addf(out, "NodeName=%s", names);
    if (strcmp(addresses, names) != 0)
        strbuf_addf(out, " NodeAddr=%s", addresses);
    if (strcmp(hosts, names) != 0)
        strbuf_addf(out, " NodeHostname=%s", hosts);
    strbuf_addf(out, "%s\n", values);
}

void write_conf_nodes(const struct show *show, const struct node_info *const *infos, uint32_t n,
                      struct strbuf *out)
{
    AUTO(strbuf) struct strbuf values = { 0 }, next = { 0 };

    for (uint32_t i = 0, end; i < n; i = end) {
        AUTO(hostlist) struct hostlist *names = hostlist_new();
        AUTO(hostlist) struct hostlist *addresses = hostlist_new();
        AUTO(hostlist) struct hostlist *hosts = hostlist_new();
        struct node_line line = { names, addresses, hosts };

        strbuf_truncate(&values, 0);
        show_node_values(show, infos[i], add_node_value, &values);
        for (end = i; end < n; end++) {
            strbuf_truncate(&next, 0);
            show_node_values(show, infos[end], add_node_value, &next);
            if (strcmp(strbuf_text(&next), strbuf_text(&values)) != 0)
                break;
            add_node(&line, infos[end]);
        }
        print_node_line(&line, strbuf_text(&values), out);
    }
}
