#include <event2/bufferevent.h>
#include <stdio.h>
#include <string.h>

#include "noded/mpi/pmi_inside.h"

const struct step_node *pmi_here(const struct pmi *pmi)
{
    return &pmi->context.body->nodes[pmi->context.node_index];
}

void pmi_give_up(struct pmi *pmi, const char *why)
{
    pmi->context.callbacks->abort(pmi->context.ctx, why);
}

/* ---- answers ---- */

static void begin(const struct client *client, const char *command, struct pmi_answer *answer)
{
    pmi_begin(answer, client->version, command);
    if (client->thread_id && client->version == PMI_2)
        pmi_add(answer, "thrid", "%s", client->thread_id);
}

static void finish(struct client *client, struct pmi_answer *answer)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    pmi_end(answer, &out);
    if (client->events)
        (void)bufferevent_write(client->events, out.data, out.len);
}

/* Answers most commands: with a result of 0, or -1. */
static void answer_result(struct client *client, const char *command, int result)
{
    struct pmi_answer answer;

    begin(client, command, &answer);
    pmi_add(&answer, "rc", "%d", result);
    if (client->version == PMI_1)
        pmi_add(&answer, "msg", "%s", result == 0 ? "success" : "failed");
    finish(client, &answer);
}

/* ---- beginning ---- */

static void on_init(struct client *client, const struct pmi_message *message)
{
    const char *wanted = pmi_get(message, "pmi_version");
    const bool second = wanted && strcmp(wanted, "2") == 0;
    const bool known = second || (wanted && strcmp(wanted, "1") == 0);
    struct pmi_answer answer;

    begin(client, "response_to_init", &answer);
    pmi_add(&answer, "pmi_version", "%d", second ? 2 : 1);
    pmi_add(&answer, "pmi_subversion", "%d", second ? 0 : 1);
    pmi_add(&answer, "rc", "%d", known ? 0 : -1);
    finish(client, &answer);
    client->version = second ? PMI_2 : PMI_1;
    client->inside = known;
}

static void on_fullinit(struct client *client, const struct pmi_message *message)
{
    const struct pmi *pmi = client->pmi;
    struct pmi_answer answer;

    (void)message;
    begin(client, "fullinit-response", &answer);
    pmi_add(&answer, "pmi-version", "2");
    pmi_add(&answer, "pmi-subversion", "0");
    pmi_add(&answer, "rank", "%u", pmi_here(pmi)->tasks[client->local]);
    pmi_add(&answer, "size", "%u", pmi->context.body->ntasks);
    pmi_add(&answer, "appnum", "0");
    pmi_add(&answer, "debugged", "FALSE");
    pmi_add(&answer, "pmiverbose", "FALSE");
    pmi_add(&answer, "rc", "0");
    finish(client, &answer);
}

static void on_get_maxes(struct client *client, const struct pmi_message *message)
{
    struct pmi_answer answer;

    (void)message;
    begin(client, "maxes", &answer);
    pmi_add(&answer, "kvsname_max", "%d", PMI_SPACE_MAX);
    pmi_add(&answer, "keylen_max", "%d", PMI_KEY_MAX);
    pmi_add(&answer, "vallen_max", "%d", PMI_VALUE_MAX);
    pmi_add(&answer, "rc", "0");
    finish(client, &answer);
}

static void answer_one(struct client *client, const char *command, const char *key,
                       const char *value)
{
    struct pmi_answer answer;

    begin(client, command, &answer);
    pmi_add(&answer, key, "%s", value);
    pmi_add(&answer, "rc", "0");
    finish(client, &answer);
}

static void on_get_universe_size(struct client *client, const struct pmi_message *message)
{
    AUTO_FREE char *size = xasprintf("%u", client->pmi->context.body->ntasks);

    (void)message;
    answer_one(client, "universe_size", "size", size);
}

static void on_get_appnum(struct client *client, const struct pmi_message *message)
{
    (void)message;
    answer_one(client, "appnum", "appnum", "0");
}

static void on_get_space(struct client *client, const struct pmi_message *message)
{
    (void)message;
    answer_one(client, "my_kvsname", "kvsname", client->pmi->space);
}

static void on_get_id(struct client *client, const struct pmi_message *message)
{
    (void)message;
    answer_one(client, "job-getid-response", "jobid", client->pmi->space);
}

/* ---- pairs ---- */

static int put(struct keyval *pairs, const struct pmi_message *message)
{
    const char *key = pmi_get(message, "key"), *value = pmi_get(message, "value");

    if (!key || !value || strlen(key) > PMI_KEY_MAX || strlen(value) > PMI_VALUE_MAX)
        return -1;
    return keyval_put(pairs, key, value) < 0 ? -1 : 0;
}

static void on_put(struct client *client, const struct pmi_message *message)
{
    answer_result(client, client->version == PMI_1 ? "put_result" : "kvs-put-response",
                  put(client->pmi->pairs, message));
}

static void on_get(struct client *client, const struct pmi_message *message)
{
    const char *key = pmi_get(message, "key");
    const char *value = key ? keyval_get(client->pmi->pairs, key) : NULL;
    struct pmi_answer answer;

    begin(client, "get_result", &answer);
    pmi_add(&answer, "rc", "%d", value ? 0 : -1);
    pmi_add(&answer, "msg", "%s", value ? "success" : "key_not_found");
    pmi_add(&answer, "value", "%s", value ? value : "unknown");
    finish(client, &answer);
}

static void on_get_by_index(struct client *client, const struct pmi_message *message)
{
    const char *index = pmi_get(message, "idx");
    const unsigned long i = index ? strtoul(index, NULL, 10) : 0;
    const char *key, *value;
    struct pmi_answer answer;
    const bool found = i < KEYVAL_MAX && keyval_at(client->pmi->pairs, (uint32_t)i, &key, &value);

    begin(client, "getbyidx_results", &answer);
    pmi_add(&answer, "rc", "%d", found ? 0 : -2);
    if (found) {
        pmi_add(&answer, "nextidx", "%lu", i + 1);
        pmi_add(&answer, "key", "%s", key);
        pmi_add(&answer, "val", "%s", value);
    } else {
        pmi_add(&answer, "reason", "no_more_keyvals");
    }
    finish(client, &answer);
}

static void answer_value(struct client *client, const char *command, const char *value)
{
    struct pmi_answer answer;

    begin(client, command, &answer);
    pmi_add(&answer, "found", value ? "TRUE" : "FALSE");
    if (value)
        pmi_add(&answer, "value", "%s", value);
    pmi_add(&answer, "rc", "0");
    finish(client, &answer);
}

static void on_kvs_get(struct client *client, const struct pmi_message *message)
{
    const char *key = pmi_get(message, "key");

    answer_value(client, "kvs-get-response", key ? keyval_get(client->pmi->pairs, key) : NULL);
}

/* Answers from the attributes of the job, which only the server itself has put. */
static void on_get_job_attribute(struct client *client, const struct pmi_message *message)
{
    AUTO(strbuf) struct strbuf number = { 0 };
    const char *key = pmi_get(message, "key"), *value = NULL;

    if (key && strcmp(key, PMI_MAPPING_KEY) == 0)
        value = keyval_get(client->pmi->pairs, key);
    if (key && strcmp(key, "universeSize") == 0) {
        strbuf_addf(&number, "%u", client->pmi->context.body->ntasks);
        value = strbuf_text(&number);
    }
    answer_value(client, "info-getjobattr-response", value);
}

static void on_put_node_attribute(struct client *client, const struct pmi_message *message)
{
    struct pmi *pmi = client->pmi;
    const char *key = pmi_get(message, "key");

    answer_result(client, "info-putnodeattr-response", put(pmi->node_pairs, message));
    for (uint32_t i = 0; i < pmi->clients_n && key; i++) {
        struct client *other = &pmi->clients[i];

        if (!other->awaits || strcmp(other->awaits, key) != 0)
            continue;
        answer_value(other, "info-getnodeattr-response", keyval_get(pmi->node_pairs, key));
        xstrset(&other->awaits, NULL);
    }
}

static void on_get_node_attribute(struct client *client, const struct pmi_message *message)
{
    const char *key = pmi_get(message, "key"), *wait = pmi_get(message, "wait");
    const char *value = key ? keyval_get(client->pmi->node_pairs, key) : NULL;

    if (key && !value && wait && strcmp(wait, "TRUE") == 0)
        xstrset(&client->awaits, key);
    else
        answer_value(client, "info-getnodeattr-response", value);
}

/* ---- barriers ---- */

static void leave_barrier(struct pmi *pmi, int result)
{
    pmi->in_barrier_n = 0;
    for (uint32_t i = 0; i < pmi->clients_n; i++) {
        struct client *client = &pmi->clients[i];

        if (!client->in_barrier)
            continue;
        client->in_barrier = false;
        answer_result(client, client->version == PMI_1 ? "barrier_out" : "kvs-fence-response",
                      result);
    }
}

static void on_gathered(void *arg, const void *bytes, size_t n)
{
    struct pmi *pmi = arg;

    leave_barrier(pmi, keyval_merge(pmi->pairs, bytes, n) < 0 ? -1 : 0);
}

static void on_barrier(struct client *client, const struct pmi_message *message)
{
    struct pmi *pmi = client->pmi;
    AUTO(strbuf) struct strbuf news = { 0 };
    struct err err = { 0 };

    (void)message;
    if (client->in_barrier) {
        pmi_give_up(pmi, "a task entered a PMI barrier twice");
        return;
    }
    client->in_barrier = true;
    if (++pmi->in_barrier_n < pmi->clients_n)
        return;
    keyval_take_news(pmi->pairs, &news);
    if (gather_enter(pmi->context.gather, "pmi", pmi->all_nodes, pmi->context.body->nodes_n,
                     news.data, news.len, on_gathered, pmi, &err) < 0)
        pmi_give_up(pmi, err.text);
}

/* ---- the end, and what is not offered ---- */

static void on_finalize(struct client *client, const struct pmi_message *message)
{
    (void)message;
    client->inside = false;
    answer_result(client, client->version == PMI_1 ? "finalize_ack" : "finalize-response", 0);
}

static void on_abort(struct client *client, const struct pmi_message *message)
{
    const char *said = pmi_get(message, "msg");
    char why[160];

    snprintf(why, sizeof(why), "task %u called abort%s%.100s",
             pmi_here(client->pmi)->tasks[client->local], said ? ": " : "", said ? said : "");
    pmi_give_up(client->pmi, why);
}

static void on_spawn(struct client *client, const struct pmi_message *message)
{
    (void)message;
    answer_result(client, client->version == PMI_1 ? "spawn_result" : "spawn-response", -1);
}

static void on_publish(struct client *client, const struct pmi_message *message)
{
    const char *command = pmi_get(message, "cmd");
    struct pmi_answer answer;

    if (client->version == PMI_2) {
        AUTO_FREE char *name = xasprintf("%s-response", command ? command : "name-lookup");

        answer_result(client, name, -1);
        return;
    }
    begin(client,
          command && strncmp(command, "lookup", 6) == 0    ? "lookup_result"
          : command && strncmp(command, "publish", 7) == 0 ? "publish_result"
                                                           : "unpublish_result",
          &answer);
    pmi_add(&answer, "rc", "-1");
    pmi_add(&answer, "info", "not_supported");
    pmi_add(&answer, "msg", "not_supported");
    finish(client, &answer);
}

static const struct {
    const char *command;
    void (*handle)(struct client *client, const struct pmi_message *message);
} commands[] = {
    { "init", on_init },
    { "fullinit", on_fullinit },
    { "get_maxes", on_get_maxes },
    { "get_universe_size", on_get_universe_size },
    { "get_appnum", on_get_appnum },
    { "get_my_kvsname", on_get_space },
    { "put", on_put },
    { "get", on_get },
    { "getbyidx", on_get_by_index },
    { "barrier_in", on_barrier },
    { "finalize", on_finalize },
    { "abort", on_abort },
    { "spawn", on_spawn },
    { "publish_name", on_publish },
    { "lookup_name", on_publish },
    { "unpublish_name", on_publish },
    { "job-getid", on_get_id },
    { "kvs-put", on_put },
    { "kvs-get", on_kvs_get },
    { "kvs-fence", on_barrier },
    { "info-getjobattr", on_get_job_attribute },
    { "info-putnodeattr", on_put_node_attribute },
    { "info-getnodeattr", on_get_node_attribute },
    { "name-publish", on_publish },
    { "name-lookup", on_publish },
    { "name-unpublish", on_publish },
};

void pmi_obey(struct client *client, const struct pmi_message *message)
{
    const char *command = message->pairs[0].value;
    char why[160];

    /* A PMI 1 spawn is several lines that begin with "mcmd=spawn" and end with "endcmd"; of them
     * only the first comes here, because who gets no for an answer does not go on. */
    xstrset(&client->thread_id, pmi_get(message, "thrid"));
    for (size_t i = 0; i < ARRAY_N(commands); i++) {
        if (strcmp(commands[i].command, command) == 0) {
            commands[i].handle(client, message);
            return;
        }
    }
    snprintf(why, sizeof(why), "task %u: PMI command '%.60s' is not known",
             pmi_here(client->pmi)->tasks[client->local], command);
    pmi_give_up(client->pmi, why);
}
