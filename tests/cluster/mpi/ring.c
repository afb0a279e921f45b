/* A number goes round, all add theirs, one of them may give up: ring [abort]. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define TASKS_MAX 64

/*
 * MPICH over UCX may wait for ever in MPI_Finalize where two tasks are still about to connect: one
 * of them sits in the barrier of PMI by then and does not look at the network any more.
 */
static void talk_to_all(int size)
{
    int sent[TASKS_MAX], got[TASKS_MAX];

    for (int i = 0; i < size; i++)
        sent[i] = i;
    for (int i = 0; i < 3; i++)
        MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size, token = 0, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0)
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    token++;
    if (size > 1)
        MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    if (rank == 0 && size > 1)
        MPI_Recv(&token, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    talk_to_all(size);
    if (rank == 0)
        printf("ring of %d, sum %d\n", token, sum);
    if (argc > 1 && strcmp(argv[1], "abort") == 0) {
        if (rank == 1)
            MPI_Abort(MPI_COMM_WORLD, 7);
        MPI_Barrier(MPI_COMM_WORLD); /* without rank 1 nobody leaves it */
    }
    MPI_Finalize();
    return 0;
}
