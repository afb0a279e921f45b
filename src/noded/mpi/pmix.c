#include "noded/mpi/pmix.h"

#include <errno.h>

#ifdef SLUICE_PMIX

#include <event2/event.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "noded/mpi/pmix_facts.h"
#include "noded/mpi/task_map.h"

#define REMOVE_FDS 16 /* directories open at a time while files are removed */

struct pmix {
    struct mpi_context context;
    struct pmix_lib lib;
    pmix_nspace_t nspace;
    char dir[64];
    uint32_t *node_of;   /* of each task */
    atomic_bool *inside; /* of each task; the library's thread writes */
    int pipe[2];         /* from the library's thread to our loop: pointers to wishes */
    struct event *event;
};

/* What the library asks of us, owned by who has it at the time. */
struct wish {
    enum { WISH_FENCE, WISH_ABORT } kind;
    struct pmix *pmix;
    char *name;        /* of the fence */
    uint32_t *members; /* positions of its nodes */
    uint32_t members_n;
    char *data;
    size_t n;
    pmix_modex_cbfunc_t done;
    char *why; /* of the abort */
    void *done_data;
};

/* A process has one server, and the library passes us nothing of our own with a fence. */
static struct pmix *the_server;

static void wish_free(struct wish *wish)
{
    free(wish->name);
    free(wish->members);
    free(wish->data);
    free(wish->why);
    free(wish);
}

/* ---- on the library's thread ---- */

static void make_wish(struct wish *wish)
{
    ssize_t n;

    do
        n = write(wish->pmix->pipe[1], &wish, sizeof(wish));
    while (n < 0 && errno == EINTR);
    if (n != (ssize_t)sizeof(wish))
        wish_free(wish); /* the loop is gone, and with it all that could be done */
}

static int compare(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void add_member(struct wish *wish, uint32_t node)
{
    *ARRAY_PUSH(wish->members, wish->members_n) = node;
}

/* Finds the nodes of the named tasks, and a name that tells this set of tasks from others. */
static void name_fence(const struct pmix *pmix, const pmix_proc_t *procs, size_t n,
                       struct wish *wish)
{
    AUTO(strbuf) struct strbuf name = { 0 };
    uint32_t kept = 0;

    strbuf_adds(&name, "pmix");
    for (size_t i = 0; i < n; i++) {
        if (procs[i].rank < pmix->context.body->ntasks) {
            strbuf_addf(&name, ".%u", procs[i].rank);
            add_member(wish, pmix->node_of[procs[i].rank]);
            continue;
        }
        for (uint32_t k = 0; k < pmix->context.body->nodes_n; k++)
            add_member(wish, k);
    }
    if (wish->members_n)
        qsort(wish->members, wish->members_n, sizeof(*wish->members), compare);
    for (uint32_t i = 0; i < wish->members_n; i++) {
        if (kept == 0 || wish->members[kept - 1] != wish->members[i])
            wish->members[kept++] = wish->members[i];
    }
    wish->members_n = kept;
    wish->name = strbuf_steal(&name);
}

static pmix_status_t on_fence(const pmix_proc_t procs[], size_t procs_n, const pmix_info_t infos[],
                              size_t infos_n, char *data, size_t n, pmix_modex_cbfunc_t done,
                              void *done_data)
{
    struct wish *wish = xcalloc(1, sizeof(*wish));

    (void)infos;
    (void)infos_n;
    *wish = (struct wish){ .kind = WISH_FENCE,
                           .pmix = the_server,
                           .data = data,
                           .n = n,
                           .done = done,
                           .done_data = done_data };
    name_fence(the_server, procs, procs_n, wish);
    make_wish(wish);
    return PMIX_SUCCESS;
}

static pmix_status_t on_abort(const pmix_proc_t *proc, void *object, int status, const char text[],
                              pmix_proc_t procs[], size_t procs_n, pmix_op_cbfunc_t done,
                              void *done_data)
{
    struct wish *wish = xcalloc(1, sizeof(*wish));

    (void)object;
    (void)procs;
    (void)procs_n;
    (void)done;
    (void)done_data;
    wish->kind = WISH_ABORT;
    wish->pmix = the_server;
    wish->why = xasprintf("task %u called abort with status %d%s%.100s", proc->rank, status,
                          text && *text ? ": " : "", text ? text : "");
    make_wish(wish);
    return PMIX_OPERATION_SUCCEEDED;
}

static void note_inside(const pmix_proc_t *proc, bool is_inside)
{
    if (proc->rank < the_server->context.body->ntasks)
        atomic_store(&the_server->inside[proc->rank], is_inside);
}

static pmix_status_t on_connected(const pmix_proc_t *proc, void *object, pmix_op_cbfunc_t done,
                                  void *done_data)
{
    (void)object;
    (void)done;
    (void)done_data;
    note_inside(proc, true);
    return PMIX_OPERATION_SUCCEEDED;
}

static pmix_status_t on_finalized(const pmix_proc_t *proc, void *object, pmix_op_cbfunc_t done,
                                  void *done_data)
{
    (void)object;
    (void)done;
    (void)done_data;
    note_inside(proc, false);
    return PMIX_OPERATION_SUCCEEDED;
}

/* ---- on our loop ---- */

static void on_gathered(void *arg, const void *bytes, size_t n)
{
    struct wish *wish = arg;
    char *copy = n ? xmemdup(bytes, n) : NULL;

    wish->done(PMIX_SUCCESS, copy, n, wish->done_data, free, copy);
    wish_free(wish);
}

static void fulfil(struct wish *wish)
{
    const struct mpi_context *context = &wish->pmix->context;
    struct err err = { 0 };

    if (wish->kind == WISH_ABORT) {
        context->callbacks->abort(context->ctx, wish->why);
        wish_free(wish);
        return;
    }
    if (gather_enter(context->gather, wish->name, wish->members, wish->members_n, wish->data,
                     wish->n, on_gathered, wish, &err) < 0) {
        context->callbacks->abort(context->ctx, err.text);
        wish_free(wish);
    }
}

static void on_wish(evutil_socket_t fd, short what, void *arg)
{
    struct wish *wish;

    (void)what;
    (void)arg;
    if (read(fd, &wish, sizeof(wish)) == (ssize_t)sizeof(wish)) /* a pipe keeps them whole */
        fulfil(wish);
}

/* ---- tasks ---- */

static int add_task(void *server, uint32_t local, struct mpi_task *ret, struct err *err)
{
    struct pmix *pmix = server;
    const struct launch_body *body = pmix->context.body;
    pmix_proc_t task = { .rank = body->nodes[pmix->context.node_index].tasks[local] };
    char **environment = NULL;
    pmix_status_t rc;

    memcpy(task.nspace, pmix->nspace, sizeof(task.nspace));
    rc = pmix->lib.PMIx_server_setup_fork(&task, &environment);
    for (char **at = environment; at && *at; at++)
        *ARRAY_PUSH(ret->environment, ret->environment_n) = *at;
    free(environment);
    if (rc == PMIX_SUCCESS)
        return 0;
    return err_set(err, ENOTSUP, "--mpi=pmix: task %u: %s", task.rank,
                   pmix->lib.PMIx_Error_string(rc));
}

static bool is_inside(const void *server, uint32_t local)
{
    const struct pmix *pmix = server;
    const struct step_node *here = &pmix->context.body->nodes[pmix->context.node_index];

    return atomic_load(&pmix->inside[here->tasks[local]]);
}

/* ---- from beginning to end ---- */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
    (void)status;
    (void)type;
    (void)ftw;
    (void)remove(path);
    return 0;
}

static void close_server(void *server)
{
    struct pmix *pmix = server;

    if (the_server == pmix)
        (void)pmix->lib.PMIx_server_finalize();
    the_server = NULL;
    if (pmix->event)
        event_free(pmix->event);
    for (int i = 0; i < 2; i++) {
        if (pmix->pipe[i] >= 0)
            close(pmix->pipe[i]);
    }
    if (pmix->dir[0])
        (void)nftw(pmix->dir, remove_one, REMOVE_FDS, FTW_DEPTH | FTW_PHYS);
    free(pmix->node_of);
    free(pmix->inside);
    free(pmix);
}

static int make_place(struct pmix *pmix, struct err *err)
{
    const struct launch_body *body = pmix->context.body;

    snprintf(pmix->nspace, sizeof(pmix->nspace), "slurm.pmix.%u.%u", body->job_id, body->step_id);
    snprintf(pmix->dir, sizeof(pmix->dir), "/tmp/pmix.%u.%u.XXXXXX", body->job_id, body->step_id);
    if (!mkdtemp(pmix->dir)) {
        const int why = errno;

        pmix->dir[0] = '\0';
        return err_set(err, why, "--mpi=pmix: cannot make a directory in /tmp: %s", strerror(why));
    }
    if (pipe2(pmix->pipe, O_CLOEXEC) < 0)
        return err_set(err, errno, "cannot make a pipe: %s", strerror(errno));
    pmix->event = event_new(pmix->context.base, pmix->pipe[0], EV_READ | EV_PERSIST, on_wish, pmix);
    event_add(pmix->event, NULL);
    return 0;
}

static void set_text(pmix_info_t *info, const char *key, char *text)
{
    memcpy(info->key, key, strlen(key) + 1);
    info->value.type = PMIX_STRING;
    info->value.data.string = text;
}

static int start_library(struct pmix *pmix, struct err *err)
{
    /* The library itself refuses what would need a function that is NULL here. It keeps the
     * pointer. */
    static pmix_server_module_t module = { .client_connected = on_connected,
                                           .client_finalized = on_finalized,
                                           .abort = on_abort,
                                           .fence_nb = on_fence };
    pmix_info_t infos[2] = { 0 };
    pmix_status_t rc;

    set_text(&infos[0], PMIX_SERVER_TMPDIR, pmix->dir);
    set_text(&infos[1], PMIX_SYSTEM_TMPDIR, pmix->dir);
    /* Tasks get names of nodes as plain text, and facts without files in shared memory. */
    (void)setenv("PMIX_MCA_preg", "native", 1);
    (void)setenv("PMIX_MCA_gds", "hash", 1);
    the_server = pmix;
    rc = pmix->lib.PMIx_server_init(&module, infos, ARRAY_N(infos));
    if (rc == PMIX_SUCCESS)
        return 0;
    the_server = NULL;
    return err_set(err, ENOTSUP, "--mpi=pmix: libpmix does not start: %s",
                   pmix->lib.PMIx_Error_string(rc));
}

static int open_server(const struct mpi_context *context, void **ret_server, struct err *err)
{
    struct pmix *pmix = xcalloc(1, sizeof(*pmix));
    struct pmix_facts_of facts = { .lib = &pmix->lib,
                                   .body = context->body,
                                   .node_index = context->node_index,
                                   .nspace = pmix->nspace,
                                   .dir = pmix->dir };
    int rc;

    pmix->context = *context;
    pmix->pipe[0] = pmix->pipe[1] = -1;
    pmix->node_of = task_map_nodes(context->body);
    pmix->inside = xcalloc(context->body->ntasks, sizeof(*pmix->inside));
    rc = pmix_lib_load(&pmix->lib, err);
    if (rc == 0)
        rc = make_place(pmix, err);
    if (rc == 0)
        rc = start_library(pmix, err);
    if (rc == 0)
        rc = pmix_facts_register(&facts, err);
    if (rc < 0)
        close_server(pmix);
    else
        *ret_server = pmix;
    return rc;
}

#else

static int add_task(void *server, uint32_t local, struct mpi_task *ret, struct err *err)
{
    (void)server;
    (void)local;
    (void)ret;
    return err_set(err, ENOTSUP, "--mpi=pmix is not in this build");
}

static int open_server(const struct mpi_context *context, void **ret_server, struct err *err)
{
    (void)context;
    (void)ret_server;
    return err_set(err, ENOTSUP, "--mpi=pmix: slurmd was built without libpmix-dev");
}

static void close_server(void *server)
{
    (void)server;
}

static bool is_inside(const void *server, uint32_t local)
{
    (void)server;
    (void)local;
    return false;
}

#endif

const struct mpi_server_class pmix_class = {
    .word = "pmix",
    .open = open_server,
    .close = close_server,
    .add_task = add_task,
    .is_inside = is_inside,
};
