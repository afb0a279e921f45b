/* script.h - what a job was submitted with: its script (-B), its environment (--env-vars). */
#pragma once

#include "common/client/client.h"
#include "common/msg/job.h"

/* Who is asked, and for what. */
struct acct_script {
    struct client *client;
    const char *cluster; /* of the job */
    bool environment;    /* and not the script */
};

/*
 * Appends the whole block that is printed for the job, under its name. Writes "NONE" for a job that
 * has none, or none any more; another failure is an error.
 */
int acct_script_add(const struct acct_script *asked, const struct history_job *history,
                    struct strbuf *out, struct err *err);
