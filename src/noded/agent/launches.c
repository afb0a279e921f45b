#include "noded/agent/launches.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/msg/types.h"
#include "noded/agent/blobs.h"

/* A launch on its way to root. */
struct launch {
    struct launch *next;
    struct launches *launches;
    struct order_launch order;
    struct launch_cred cred; /* read for names only: root checks it */
    uint8_t environment[SHA256_BYTES], script[SHA256_BYTES];
    bool has_environment, has_script;
    char *controller; /* address of the connection that it came by */
    bool asked;       /* root has it */
    bool outlived;    /* the session by which it came */
};

/* Which blob an answer is about. */
struct pull {
    struct pull *next;
    uint32_t request;
    uint8_t sha256[SHA256_BYTES];
};

struct launches {
    struct root *root;
    struct log *log;
    launches_report_fn *report;
    void *ctx;
    struct blobs *blobs;
    struct launch *first;
    struct pull *pulls;
    uint32_t last_request;
};

struct launches *launches_new(struct root *root, struct log *log, launches_report_fn *report,
                              void *ctx)
{
    struct launches *launches = xcalloc(1, sizeof(*launches));

    launches->root = root;
    launches->log = log;
    launches->report = report;
    launches->ctx = ctx;
    launches->blobs = blobs_new();
    launches->last_request = LAUNCHES_REQUEST_MIN;
    return launches;
}

static void launch_free(struct launch *launch)
{
    struct launch **at = &launch->launches->first;

    while (*at && *at != launch)
        at = &(*at)->next;
    if (*at)
        *at = launch->next;
    order_launch_clear(&launch->order);
    launch_cred_clear(&launch->cred);
    free(launch->controller);
    free(launch);
}

static void refuse(struct launch *launch, int code, const char *text)
{
    struct step_report report;

    step_report_init(&report);
    report.job_id = launch->cred.job_id;
    report.step_id = launch->cred.step_id;
    report.launch_number = launch->cred.launch_number;
    report.state = HELD_REFUSED;
    report.code = code;
    report.error = (char *)(uintptr_t)text;
    report.by_node = code != E_PROLOG; /* which is told on its own */
    log_error(launch->launches->log, "launch of job %u refused: %s", report.job_id, text);
    launch->launches->report(launch->launches->ctx, &report);
}

static void on_launched(void *ctx, int code, const char *text)
{
    struct launch *launch = ctx;

    if (code && code != EEXIST) /* a repeat: root has reported how the step is */
        refuse(launch, code, text);
    launch_free(launch);
}

static int body_file(const struct blob *body)
{
    int fd = memfd_create("body", MFD_CLOEXEC);

    if (fd >= 0 && write(fd, body->data, body->n) != (ssize_t)body->n) {
        close(fd);
        return -1;
    }
    return fd;
}

static void hand_over(struct launch *launch, int environment, int script)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    AUTO_CLOSE int body = body_file(&launch->order.body);
    struct priv_launch verb = { .cred = launch->order.cred.data,
                                .cred_n = launch->order.cred.n,
                                .signature = launch->order.signature.data,
                                .has_environment = environment >= 0,
                                .has_script = script >= 0 };
    int fds[PRIV_FDS_MAX] = { body };
    uint32_t n = 1;

    if (body < 0) {
        refuse(launch, ENOMEM, "no memory for the launch body");
        launch_free(launch);
        return;
    }
    if (environment >= 0)
        fds[n++] = environment;
    if (script >= 0)
        fds[n++] = script;
    if (strlen(launch->controller) <= PRIV_ADDRESS_MAX)
        strcpy(verb.controller, launch->controller);
    priv_launch_encode(&verb, &bytes);
    launch->asked = true;
    root_ask(launch->launches->root, PRIV_LAUNCH, &bytes, fds, n, on_launched, launch);
}

/* Asks the controller for a blob, unless it is here or on its way. Returns its file or -1. */
static int need_blob(struct launches *launches, struct rpc_session *session, const uint8_t *sha256)
{
    struct blob_get get = { .sha256 = { (uint8_t *)(uintptr_t)sha256, SHA256_BYTES } };
    int fd = blobs_find(launches->blobs, sha256);
    struct pull *pull;

    if (fd >= 0 || blobs_is_coming(launches->blobs, sha256))
        return fd;
    pull = xcalloc(1, sizeof(*pull));
    *pull = (struct pull){ .next = launches->pulls, .request = ++launches->last_request };
    memcpy(pull->sha256, sha256, SHA256_BYTES);
    launches->pulls = pull;
    blobs_begin(launches->blobs, sha256);
    (void)rpc_send(session, MSG_BLOB_GET, pull->request, 0, &get);
    return -1;
}

static void try_launch(struct launch *launch, struct rpc_session *session)
{
    struct launches *launches = launch->launches;
    int environment = -1, script = -1;

    if (launch->has_environment)
        environment = need_blob(launches, session, launch->environment);
    if (launch->has_script)
        script = need_blob(launches, session, launch->script);
    if ((launch->has_environment && environment < 0) || (launch->has_script && script < 0))
        return;
    hand_over(launch, environment, script);
}

static void try_launches(struct launches *launches, struct rpc_session *session)
{
    struct launch *next;

    for (struct launch *it = launches->first; it; it = next) {
        next = it->next;
        if (!it->asked)
            try_launch(it, session);
    }
}

static bool take_hash(const struct blob *sha256, uint8_t ret[SHA256_BYTES])
{
    if (sha256->n != SHA256_BYTES)
        return false;
    memcpy(ret, sha256->data, SHA256_BYTES);
    return true;
}

/* Reads the order; fails when its form is wrong. The content is root's and the user side's to
 * judge. */
static int read_order(struct launch *launch, struct err *err)
{
    AUTO(launch_body) struct launch_body body;
    const struct order_launch *order = &launch->order;
    int rc =
        schema_decode(launch_cred_schema(), order->cred.data, order->cred.n, &launch->cred, err);

    launch_body_init(&body);
    if (rc == 0)
        rc = schema_decode(launch_body_schema(), order->body.data, order->body.n, &body, err);
    if (rc < 0)
        return rc;
    if (order->signature.n != PRIV_SIGNATURE_N || order->cred.n > PRIV_CRED_MAX)
        return err_set(err, E_PROTO, "credential of %u bytes with a signature of %u", order->cred.n,
                       order->signature.n);
    launch->has_environment = take_hash(&body.environment_sha256, launch->environment);
    launch->has_script = take_hash(&body.script_sha256, launch->script);
    return 0;
}

int launches_order(struct launches *launches, struct rpc_session *session,
                   const struct order_launch *order, struct err *err)
{
    struct launch *launch = xcalloc(1, sizeof(*launch));
    const char *address = rpc_session_peer(session)->address;
    int rc;

    launch->launches = launches;
    launch_cred_init(&launch->cred);
    schema_copy(order_launch_schema(), &launch->order, order);
    launch->controller = xstrdup(address ? address : "");
    rc = read_order(launch, err);
    if (rc < 0) {
        if (launch->cred.job_id)
            refuse(launch, -rc, err->text);
        launch_free(launch);
        return rc;
    }
    for (uint32_t i = 0; i < order->blobs_n; i++)
        blobs_take(launches->blobs, &order->blobs[i]);
    launch->next = launches->first;
    launches->first = launch;
    try_launch(launch, session);
    return 0;
}

bool launches_is_ordered(const struct launches *launches, const struct step_report *step)
{
    for (const struct launch *it = launches->first; it; it = it->next) {
        if (!it->outlived && it->cred.job_id == step->job_id && it->cred.step_id == step->step_id &&
            it->cred.launch_number == step->launch_number)
            return true;
    }
    return false;
}

void launches_drop(struct launches *launches, const struct priv_end *end)
{
    struct launch *next;

    for (struct launch *it = launches->first; it; it = next) {
        next = it->next;
        if (it->asked ||
            !priv_end_means(end, it->cred.job_id, it->cred.step_id, it->cred.launch_number))
            continue;
        refuse(it, ECANCELED, "ended before it began");
        launch_free(it);
    }
}

/* ---- blobs that do not come ---- */

static struct pull **find_pull(struct launches *launches, uint32_t request)
{
    struct pull **at = &launches->pulls;

    while (*at && (*at)->request != request)
        at = &(*at)->next;
    return at;
}

static void end_pull(struct pull **at)
{
    struct pull *gone = *at;

    *at = gone->next;
    free(gone);
}

static void refuse_waiting(struct launches *launches, const uint8_t *sha256, const struct err *why)
{
    struct launch *next;

    for (struct launch *it = launches->first; it; it = next) {
        bool waits = (it->has_environment && memcmp(it->environment, sha256, SHA256_BYTES) == 0) ||
                     (it->has_script && memcmp(it->script, sha256, SHA256_BYTES) == 0);

        next = it->next;
        if (it->asked || !waits)
            continue;
        refuse(it, why->code, why->text);
        launch_free(it);
    }
}

bool launches_take_end(struct launches *launches, const struct rpc_frame *frame)
{
    struct pull **at = find_pull(launches, frame->request);
    struct err err = { 0 };

    if (!*at || !(frame->flags & (RPC_END | RPC_ERROR)))
        return false;
    if (frame->flags & RPC_ERROR)
        (void)rpc_decode_error(frame, &err);
    else if (blobs_is_coming(launches->blobs, (*at)->sha256))
        err_set(&err, EIO, "it ended before it was whole");
    if (err.code) {
        (void)err_prefix(&err, "script or environment from the controller");
        blobs_abort(launches->blobs, (*at)->sha256);
        refuse_waiting(launches, (*at)->sha256, &err);
    }
    end_pull(at);
    return true;
}

int launches_chunk(struct launches *launches, struct rpc_session *session,
                   const struct blob_chunk *chunk, struct err *err)
{
    int rc = blobs_chunk(launches->blobs, chunk, err);

    if (rc > 0)
        try_launches(launches, session);
    return rc;
}

void launches_session_lost(struct launches *launches)
{
    struct launch *next;

    for (struct launch *it = launches->first; it; it = next) {
        next = it->next;
        it->outlived = true;
        if (!it->asked)
            launch_free(it);
    }
    while (launches->pulls)
        end_pull(&launches->pulls);
    blobs_abort_all(launches->blobs);
}

struct launches *launches_free(struct launches *launches)
{
    if (!launches)
        return NULL;
    launches_session_lost(launches);
    while (launches->first)
        launch_free(launches->first);
    blobs_free(launches->blobs);
    free(launches);
    return NULL;
}
