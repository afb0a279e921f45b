/* trial.c - slurmctld -t: would it start here, with this file? Nothing is opened or written. */
#include <stdio.h>
#include <unistd.h>

#include "common/conf/found.h"
#include "ctld/main/start.h"

/* Tries what the file alone does not tell: who this machine is, and whom it knows. */
static int try_here(const struct slurm_conf *conf, struct err *err)
{
    AUTO(proc_user) struct proc_user user = { 0 };
    AUTO_FREE char *host = NULL, *socket = NULL;
    struct start_place place;
    int rc = start_find_place(conf, &host, err);

    start_place_of(conf, &place, &socket);
    return rc < 0 ? rc : start_find_user(&place, &user, err);
}

int start_try(const char *path)
{
    AUTO(conf_found) struct conf_found found = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    uint32_t counts[CONF_WEIGHTS_N];
    struct err err = { 0 };
    int rc = 0;

    conf_find(path, &found);
    conf_found_count(&found, counts);
    conf_found_format(&found, CONF_WEIGHT_WARNING, &text);
    if (!found.is_refused)
        rc = try_here(found.conf, &err);
    if (rc < 0)
        strbuf_addf(&text, "%s:1:1: error: %s\n", path, err.text);
    fputs(strbuf_text(&text), stdout);
    return rc < 0 || found.is_refused || counts[CONF_WEIGHT_ERROR] ? 1 : 0;
}
