/*
 * A number goes round, all add theirs. Then one of them may give up, or be lost while the others
 * wait for it, or all may fail, the last one not before there is a file "go": ring
 * [abort|crash|fail].
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TASKS_MAX 64

/* So that none is still about to connect when it ends. */
static void talk_to_all(int size)
{
    int sent[TASKS_MAX], got[TASKS_MAX];

    for (int i = 0; i < size; i++)
        sent[i] = i;
    for (int i = 0; i < 3; i++)
        MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
}

/*
 * In MPI_Finalize each task of MPICH over UCX wants a last answer of every other, and then sits in
 * the barrier of PMI, where it answers no more. One that was answered before the others came there
 * leaves them waiting for ever. So all meet first where MPI does not see it: in the directory.
 */
static void meet(int rank, int size)
{
    int key = (int)getpid();
    char name[64];

    MPI_Bcast(&key, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof(name), "met.%d.%d", key, rank);
    close(open(name, O_WRONLY | O_CREAT, 0600));
    for (int i = 0; i < size; i++) {
        snprintf(name, sizeof(name), "met.%d.%d", key, i);
        while (access(name, F_OK) != 0)
            usleep(1000);
    }
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
    if (argc > 1 && strcmp(argv[1], "crash") == 0) {
        if (rank == 1)
            _exit(9); /* as one that a signal ends: the others wait for it */
        while (1)
            pause();
    }
    meet(rank, size);
    MPI_Finalize();
    if (argc > 1 && strcmp(argv[1], "fail") == 0) {
        while (rank == size - 1 && access("go", F_OK) != 0)
            usleep(1000);
        return 5 + rank;
    }
    return 0;
}
