/*
 * root.h - the agent's end of the socket to the monitor: requests with their answers, and what the
 * monitor says by itself.
 */
#pragma once

#include "common/msg/hook.h"
#include "common/msg/step.h"
#include "noded/priv/verbs.h"

struct event_base;
struct root;

struct root_callbacks {
    void (*on_report)(void *ctx, const struct step_report *report);
    void (*on_job_clean)(void *ctx, uint32_t job_id);
    void (*on_hook_report)(void *ctx, const struct hook_report *report);
    /* Called when the log goes on in this file. `fd` is closed afterwards. */
    void (*on_log)(void *ctx, int fd);
    /* Called when the monitor is gone, or says what nobody understands. */
    void (*on_gone)(void *ctx, const struct err *why);
};

/* Runs once, from the loop; `code` is 0 or an errno or E_ number, `text` the answer or why not. */
typedef void root_answer_fn(void *ctx, int code, const char *text);

/* Makes the agent's end of its connection to the monitor; owns fd. */
struct root *root_new(struct event_base *base, int fd, const struct root_callbacks *callbacks,
                      void *ctx);
struct root *root_free(struct root *root); /* answers that are open never come */

/* Asks the monitor; `fn` may be NULL. Descriptors are copied. */
void root_ask(struct root *root, enum priv_verb verb, const struct strbuf *bytes, const int *fds,
              uint32_t fds_n, root_answer_fn *fn, void *ctx);
