#include "ctld/dispatch/asked.h"

#include <utlist.h>

#include "common/msg/types.h"
#include "ctld/control/answer/question.h"

struct asked_request {
    struct asked_request *next;
    uint64_t question;
    struct request request; /* its connection lives as long as this */
    void *msg;              /* owned, of the request's type */
    asked_fn *finish;
};

static void drop(struct ctld *ctld, struct asked_request *asked)
{
    LL_DELETE(ctld->asked, asked);
    schema_clear(msg_schema(asked->request.type), asked->msg);
    free(asked->msg);
    free(asked);
}

int request_ask(struct request *request, const struct job_spec *spec, const void *msg,
                asked_fn *finish, struct err *err)
{
    const struct schema *schema = msg_schema(request->type);
    struct ctld *ctld = request->ctld;
    struct asked_request *asked;
    uint64_t question;
    int rc = control_ask(&request->act, spec, &question, err);

    if (rc < 0)
        return rc;
    asked = xcalloc(1, sizeof(*asked));
    asked->question = question;
    asked->request = *request;
    asked->msg = xcalloc(1, schema->size);
    schema_copy(schema, asked->msg, msg);
    asked->finish = finish;
    LL_PREPEND(ctld->asked, asked);
    return 0;
}

static void finish(struct ctld *ctld, const struct control_answer *answer)
{
    struct asked_request *asked;
    struct err err = { 0 };
    int rc;

    LL_SEARCH_SCALAR(ctld->asked, asked, question, answer->question);
    if (!asked)
        return;
    asked->request.act.now = ctld_now(ctld);
    conn_caller(asked->request.conn);
    rc = conn_may_change(&asked->request, &err);
    asked->request.at_once = rc < 0;
    if (rc == 0)
        rc = asked->finish(&asked->request, asked->msg, answer, &err);
    if (rc < 0)
        request_refuse(&asked->request, rc, &err);
    drop(ctld, asked);
}

bool asked_finish(struct ctld *ctld)
{
    struct control_answer answer;
    bool found = false;

    while (control_answer(ctld->control, &answer)) {
        finish(ctld, &answer);
        job_submitted_clear(&answer.would);
        found = true;
    }
    return found;
}

void asked_drop_conn(struct ctld *ctld, const struct conn *conn)
{
    struct asked_request *asked, *next;

    LL_FOREACH_SAFE(ctld->asked, asked, next)
    {
        if (asked->request.conn != conn)
            continue;
        control_ask_no_more(ctld->control, asked->question);
        drop(ctld, asked);
    }
}
