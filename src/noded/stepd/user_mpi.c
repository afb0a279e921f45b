/* Sends through srun what MPI tasks of this node say to others. */
#include "noded/stepd/user_inside.h"

static void on_relay(void *ctx, const uint32_t *nodes, uint32_t nodes_n, const struct strbuf *bytes)
{
    struct user *user = ctx;

    srun_link_relay(user->srun, nodes, nodes_n, bytes);
}

static void on_abort(void *ctx, const char *why)
{
    struct user *user = ctx;

    srun_link_abort(user->srun, why);
}

int user_open_mpi(struct user *user, struct err *err)
{
    const struct mpi_callbacks callbacks = { on_relay, on_abort };

    if (!user->srun)
        return 0;
    return mpi_new(user->base, &user->body, user_node_index(user), &callbacks, user, &user->mpi,
                   err);
}

void user_on_relay(void *ctx, uint32_t from, const void *bytes, size_t n)
{
    struct user *user = ctx;

    if (user->mpi)
        mpi_relayed(user->mpi, from, bytes, n);
}
