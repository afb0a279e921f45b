#include "cli/lib/clusters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/msg/acct.h"

#define LEFT_NONE                                                                                  \
    "'%.100s' can't be reached now, or it is an invalid entry for --cluster.  Use 'sacctmgr list " \
    "clusters' to see available clusters."
#define NO_DATABASE                                                                                \
    "There is a problem talking to the database: %s.  Only local cluster communication is "        \
    "available, remove --cluster from your command line or contact your admin to resolve the "     \
    "problem."

/* Returns the name of the cluster that the command is at: this one, before it goes over. */
static const char *here_of(const struct command *command)
{
    return command->cli.conf->cluster_name;
}

static void add(struct clusters *clusters, const struct cluster_record *cluster)
{
    for (uint32_t i = 0; i < clusters->n; i++) {
        if (clusters->at[i] == cluster)
            return;
    }
    *ARRAY_PUSH(clusters->at, clusters->n) = cluster;
}

static bool is_all(const char *name)
{
    return word_is(name, "all");
}

/* Returns the first name that means, or may mean, another cluster than this one, or NULL. Without a
 * slurmdbd this one is all there is. */
static const char *first_other(const struct command *command, const struct words *names)
{
    for (uint32_t i = 0; i < names->n; i++) {
        if (is_all(names->at[i]) ? slurm_conf_has_dbd(command->cli.conf)
                                 : !word_is(names->at[i], here_of(command)))
            return names->at[i];
    }
    return NULL;
}

static bool is_home(const struct command *command, const struct cluster_record *cluster)
{
    return strcmp(cluster->name, here_of(command)) == 0;
}

/* Adds the clusters of this name, or all, as far as they can be reached. */
static bool add_named(const struct command *command, struct clusters *clusters, const char *name)
{
    bool is_known = is_all(name);

    for (uint32_t i = 0; i < clusters->known.n; i++) {
        const struct cluster_record *cluster = record_at(&clusters->known, i);

        if (cluster->deleted || (!is_all(name) && !word_is(name, cluster->name)))
            continue;
        is_known = true;
        if (cluster->host || is_home(command, cluster))
            add(clusters, cluster);
    }
    return is_known;
}

static int by_name(const void *a, const void *b)
{
    const struct cluster_record *const *one = a, *const *other = b;

    return strcmp((*one)->name, (*other)->name);
}

static int load(struct command *command, struct clusters *clusters)
{
    struct cli *cli = &command->cli;
    struct err err = { 0 };
    int rc = cli_connect_accounting(cli, &err);

    if (rc == 0)
        rc = records_load_all(cli->client, KEPT_CLUSTER, &clusters->known, &err);
    cli->client = client_free(cli->client);
    if (rc < 0)
        log_error(command->log, NO_DATABASE, err.text);
    return rc;
}

/* Refuses another cluster where no slurmdbd could know it. */
static int refuse_other(const struct command *command, const char *name)
{
    log_error(command->log,
              "'%.100s' can't be reached now, or it is an invalid entry for --cluster: %s is "
              "about cluster '%s'",
              name, command->cli.conf->path, here_of(command));
    return -1;
}

static int find_others(struct command *command, const struct words *names,
                       struct clusters *clusters)
{
    if (load(command, clusters) < 0)
        return -1;
    for (uint32_t i = 0; i < names->n; i++) {
        if (!add_named(command, clusters, names->at[i]))
            log_error(command->log, "No cluster '%.100s' known by database.", names->at[i]);
    }
    if (clusters->n)
        qsort(clusters->at, clusters->n, sizeof(*clusters->at), by_name);
    return 0;
}

int clusters_find(struct command *command, const char *asked, struct clusters *ret)
{
    AUTO(words) struct words names = words_split(asked ? asked : here_of(command), ",");
    const char *other;

    if (names.n == 0) /* -M '' is wrong, -M , is not */
        *ARRAY_PUSH(names.at, names.n) = xstrdup(*asked ? here_of(command) : "");
    other = first_other(command, &names);
    if (!other) {
        add(ret, NULL);
        return 0;
    }
    if (!slurm_conf_has_dbd(command->cli.conf))
        return refuse_other(command, other);
    if (find_others(command, &names, ret) < 0)
        return -1;
    if (ret->n)
        return 0;
    log_error(command->log, LEFT_NONE, asked);
    return -1;
}

int clusters_choose(struct command *command, const char *asked)
{
    AUTO(clusters) struct clusters clusters = { 0 };
    int rc = clusters_find(command, asked, &clusters);

    if (rc < 0)
        return rc;
    if (clusters.n > 1) {
        log_at(command->log, LOG_FATAL, "Only one cluster can be used at a time with %s",
               command->name);
        return -1;
    }
    clusters_go(command, &clusters, 0);
    return 0;
}

void clusters_go(struct command *command, const struct clusters *clusters, uint32_t i)
{
    const struct cluster_record *cluster = clusters->at[i];

    if (cluster && strcmp(cluster->name, here_of(command)) != 0)
        cli_go_over(&command->cli, cluster->name, cluster->host, (uint16_t)cluster->port);
}

int clusters_each(struct command *command, const struct clusters *clusters, bool has_heads,
                  int (*show)(void *ctx), void *ctx)
{
    int status = 0;

    for (uint32_t i = 0; i < clusters->n; i++) {
        int failed;

        clusters_go(command, clusters, i);
        if (has_heads)
            printf("%sCLUSTER: %s\n", i ? "\n" : "", here_of(command));
        failed = show(ctx);
        status = status ? status : failed;
    }
    return status;
}

void clusters_add_names(const struct records *known, bool is_all, const struct words *named,
                        struct words *ret)
{
    for (uint32_t i = 0; i < known->n; i++) {
        const struct cluster_record *cluster = record_at(known, i);

        if (!cluster->deleted && (is_all || words_have(named, cluster->name)))
            *ARRAY_PUSH(ret->at, ret->n) = xstrdup(cluster->name);
    }
}

void clusters_clear(struct clusters *clusters)
{
    records_clear(&clusters->known);
    free(clusters->at);
    *clusters = (struct clusters){ 0 };
}

void clusters_auto_(struct clusters *clusters)
{
    clusters_clear(clusters);
}
