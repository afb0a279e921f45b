/*
 * show.h - the configuration in effect, line by line, as `scontrol show config` prints it.
 *
 *     struct conf_show show = conf_show_begin(conf, &facts);
 *     while (conf_show_next(&show, &key, &value))
 *         printf("%-23s = %s\n", strbuf_text(&key), strbuf_text(&value));
 *
 * After slurm.conf comes what cgroup.conf says, where cgroups are used: first a line that is only a
 * key, the head of the others.
 *
 * Pure: what a configuration does not know comes from the caller. Without facts only keys of a file
 * are shown, but all of them that something acts on, and conf_show_where tells where each is from.
 */
#pragma once

#include "common/conf/cgroup_conf.h"
#include "common/conf/slurm_conf.h"

/* Returns the number of a user, or -1 when there is no such user. */
typedef int64_t (*conf_uid_fn)(void *ctx, const char *user);

struct conf_show_facts {
    const char *boot_time; /* as it is printed */
    const char *version;
    uint32_t next_job_id;
    const struct conf_cgroup *cgroup; /* what cgroup.conf says; NULL: not shown */
    conf_uid_fn find_uid;             /* NULL: numbers of users are not printed */
    void *ctx;
};

struct conf_show {
    const struct slurm_conf *conf;
    const struct conf_show_facts *facts;
    uint32_t row;
    uint32_t host;   /* which controller is next */
    uint32_t shown;  /* the row of the last line */
    uint32_t cgroup; /* the next line of cgroup.conf, its head counted */
};

/* Begins a walk. Both arguments are borrowed for as long as it lasts; `facts` may be NULL. */
struct conf_show conf_show_begin(const struct slurm_conf *conf,
                                 const struct conf_show_facts *facts);

/* Writes the next line over both buffers. Returns false after the last one. */
bool conf_show_next(struct conf_show *show, struct strbuf *key, struct strbuf *value);

/* Returns where the last line comes from; its file is NULL when it is a default. */
struct conf_at conf_show_where(const struct conf_show *show);
