#include "noded/mpi/mpi.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "noded/mpi/pmi.h"
#include "noded/mpi/pmix.h"

struct mpi {
    const struct mpi_server_class *class;
    void *server;
    struct mpi_context context;
    struct mpi_callbacks callbacks;
    void *ctx;
};

static const struct mpi_server_class *const classes[] = {
    &pmi_class,
    &pmix_class,
};

void mpi_task_clear(struct mpi_task *task)
{
    for (uint32_t i = 0; i < task->environment_n; i++)
        free(task->environment[i]);
    free(task->environment);
    if (task->fd >= 0)
        close(task->fd);
    *task = (struct mpi_task){ .fd = -1 };
}

void mpi_task_auto_(struct mpi_task *task)
{
    mpi_task_clear(task);
}

static void on_send(void *ctx, const uint32_t *nodes, uint32_t nodes_n, const struct strbuf *bytes)
{
    struct mpi *mpi = ctx;

    mpi->callbacks.relay(mpi->ctx, nodes, nodes_n, bytes);
}

static const struct mpi_server_class *find_class(const char *word)
{
    for (size_t i = 0; i < ARRAY_N(classes); i++) {
        if (strcmp(classes[i]->word, word) == 0)
            return classes[i];
    }
    return NULL;
}

int mpi_new(struct event_base *base, const struct launch_body *body, uint32_t node_index,
            const struct mpi_callbacks *callbacks, void *ctx, struct mpi **ret, struct err *err)
{
    const struct mpi_server_class *class = body->mpi ? find_class(body->mpi) : NULL;
    struct mpi *mpi;
    int rc;

    *ret = NULL;
    if (!body->mpi || strcmp(body->mpi, "none") == 0)
        return 0;
    if (!class)
        return err_set(err, EINVAL, "this node knows no MPI of type '%s'", body->mpi);
    mpi = xcalloc(1, sizeof(*mpi));
    mpi->class = class;
    mpi->callbacks = *callbacks;
    mpi->ctx = ctx;
    mpi->context = (struct mpi_context){ .base = base,
                                         .body = body,
                                         .node_index = node_index,
                                         .callbacks = &mpi->callbacks,
                                         .ctx = ctx };
    mpi->context.gather = gather_new(node_index, body->nodes_n, on_send, mpi);
    rc = class->open(&mpi->context, &mpi->server, err);
    if (rc < 0)
        mpi_free(mpi);
    else
        *ret = mpi;
    return rc;
}

struct mpi *mpi_free(struct mpi *mpi)
{
    if (!mpi)
        return NULL;
    if (mpi->server)
        mpi->class->close(mpi->server);
    gather_free(mpi->context.gather);
    free(mpi);
    return NULL;
}

int mpi_add_task(struct mpi *mpi, uint32_t local, struct mpi_task *ret, struct err *err)
{
    *ret = (struct mpi_task){ .fd = -1 };
    return mpi->class->add_task(mpi->server, local, ret, err);
}

bool mpi_is_inside(const struct mpi *mpi, uint32_t local)
{
    return mpi->class->is_inside(mpi->server, local);
}

void mpi_relayed(struct mpi *mpi, uint32_t from, const void *bytes, size_t n)
{
    struct err err = { 0 };

    if (gather_receive(mpi->context.gather, from, bytes, n, &err) < 0)
        mpi->callbacks.abort(mpi->ctx, err.text);
}
