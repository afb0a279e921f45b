#include "noded/mpi/pmi.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "noded/mpi/pmi_inside.h"
#include "noded/mpi/task_map.h"

#define MAPPING_MAX 900 /* MPICH reads it as one line of 1024 bytes */

static void drop(struct client *client)
{
    bufferevent_free(client->events);
    client->events = NULL;
}

static void on_readable(struct bufferevent *events, void *arg)
{
    struct evbuffer *input = bufferevent_get_input(events);
    struct client *client = arg;

    while (client->events) {
        struct pmi_message message = { 0 };
        struct err err = { 0 };
        const size_t n = evbuffer_get_length(input);
        const char *bytes = n ? (const char *)evbuffer_pullup(input, -1) : NULL;
        const int64_t took = n ? pmi_decode(client->version, bytes, n, &message, &err) : 0;

        if (took == 0)
            return;
        if (took < 0) {
            pmi_give_up(client->pmi, err.text);
            drop(client);
            return;
        }
        evbuffer_drain(input, (size_t)took);
        pmi_obey(client, &message);
        pmi_message_clear(&message);
    }
}

static void on_event(struct bufferevent *events, short what, void *arg)
{
    (void)events;
    if (what & (BEV_EVENT_EOF | BEV_EVENT_ERROR))
        drop(arg);
}

static char **add_variable(struct mpi_task *task)
{
    return ARRAY_PUSH(task->environment, task->environment_n);
}

static int add_task(void *server, uint32_t local, struct mpi_task *ret, struct err *err)
{
    struct pmi *pmi = server;
    struct client *client = &pmi->clients[local];
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, errno, "cannot make a socket pair: %s", strerror(errno));
    (void)evutil_make_socket_nonblocking(pair[0]);
    *client = (struct client){ .pmi = pmi, .local = local, .version = PMI_1 };
    client->events = bufferevent_socket_new(pmi->context.base, pair[0], BEV_OPT_CLOSE_ON_FREE);
    bufferevent_setcb(client->events, on_readable, NULL, on_event, client);
    (void)bufferevent_enable(client->events, EV_READ | EV_WRITE);
    ret->fd = pair[1];
    *add_variable(ret) = xasprintf("PMI_FD=%d", pair[1]);
    *add_variable(ret) = xasprintf("PMI_RANK=%u", pmi_here(pmi)->tasks[local]);
    *add_variable(ret) = xasprintf("PMI_SIZE=%u", pmi->context.body->ntasks);
    *add_variable(ret) = xasprintf("PMI_JOBID=%s", pmi->space);
    return 0;
}

static bool is_inside(const void *server, uint32_t local)
{
    const struct pmi *pmi = server;

    return pmi->clients[local].inside;
}

/* ---- from beginning to end ---- */

static int open_server(const struct mpi_context *context, void **ret_server, struct err *err)
{
    const struct launch_body *body = context->body;
    struct pmi *pmi = xcalloc(1, sizeof(*pmi));
    AUTO_FREE char *mapping = task_map_format(body, MAPPING_MAX);

    (void)err;
    pmi->context = *context;
    snprintf(pmi->space, sizeof(pmi->space), "%u.%u", body->job_id, body->step_id);
    pmi->pairs = keyval_new();
    pmi->node_pairs = keyval_new();
    pmi->clients_n = pmi_here(pmi)->tasks_n;
    pmi->clients = xcalloc(pmi->clients_n, sizeof(*pmi->clients));
    pmi->all_nodes = xcalloc(body->nodes_n, sizeof(*pmi->all_nodes));
    for (uint32_t i = 0; i < body->nodes_n; i++)
        pmi->all_nodes[i] = i;
    if (mapping)
        (void)keyval_put(pmi->pairs, PMI_MAPPING_KEY, mapping);
    *ret_server = pmi;
    return 0;
}

static void close_server(void *server)
{
    struct pmi *pmi = server;

    for (uint32_t i = 0; i < pmi->clients_n; i++) {
        if (pmi->clients[i].events)
            bufferevent_free(pmi->clients[i].events);
        free(pmi->clients[i].awaits);
        free(pmi->clients[i].thread_id);
    }
    free(pmi->clients);
    free(pmi->all_nodes);
    keyval_free(pmi->pairs);
    keyval_free(pmi->node_pairs);
    free(pmi);
}

const struct mpi_server_class pmi_class = {
    .word = "pmi2",
    .open = open_server,
    .close = close_server,
    .add_task = add_task,
    .is_inside = is_inside,
};
