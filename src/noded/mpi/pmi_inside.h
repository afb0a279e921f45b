/*
 * pmi_inside.h - what the files behind pmi.h share: pmi.c has the sockets of the tasks,
 * pmi_commands.c what is said there.
 */
#pragma once

#include "noded/mpi/keyval.h"
#include "noded/mpi/mpi_server.h"
#include "noded/mpi/pmi_wire.h"

struct bufferevent;

#define PMI_SPACE_MAX   64
#define PMI_MAPPING_KEY "PMI_process_mapping"

struct pmi;

struct client {
    struct pmi *pmi;
    uint32_t local;
    struct bufferevent *events; /* NULL: it is gone */
    enum pmi_version version;
    bool in_barrier;
    bool inside;     /* between init and finalize */
    char *awaits;    /* info-getnodeattr with wait: the key, else NULL */
    char *thread_id; /* of the request being answered, or awaited; NULL: none */
};

struct pmi {
    struct mpi_context context;
    char space[PMI_SPACE_MAX]; /* name of the step's key space */
    struct keyval *pairs;      /* of the step */
    struct keyval *node_pairs; /* of the tasks here */
    struct client *clients;
    uint32_t clients_n, in_barrier_n;
    uint32_t *all_nodes;
};

/* Returns this node in the step's layout. */
const struct step_node *pmi_here(const struct pmi *pmi);

/* Asks for the end of the step. */
void pmi_give_up(struct pmi *pmi, const char *why);

/* Does what a task has said, and answers it now or later. */
void pmi_obey(struct client *client, const struct pmi_message *message);
