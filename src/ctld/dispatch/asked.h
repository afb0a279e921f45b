/*
 * asked.h - requests whose answer depends on the plan, which is asked little by little while other
 * requests are served.
 *
 * Each is kept with a copy of its message until its question (control_ask) is answered; a
 * connection that goes away takes its questions with it.
 */
#pragma once

#include "ctld/dispatch/conn.h"
#include "ctld/control/answer/question.h"

/* Ends a request whose question is answered, as a handler does. The answer is borrowed. */
typedef int asked_fn(struct request *request, void *msg, const struct control_answer *answer,
                     struct err *err);

/* Asks about `spec`; `finish` is called in the turn of the answer. */
int request_ask(struct request *request, const struct job_spec *spec, const void *msg,
                asked_fn *finish, struct err *err);

/* Finishes the requests whose questions are answered; true: there were some. */
bool asked_finish(struct ctld *ctld);

void asked_drop_conn(struct ctld *ctld, const struct conn *conn);
