#include "cli/scontrol/session.h"

#include <stdarg.h>

#include "cli/lib/clusters.h"
#include "common/msg/types.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"

bool session_load(struct scontrol *session)
{
    struct command *command = &session->command;
    struct err err = { 0 };

    if (command->cli.conf)
        return true;
    if (cli_load(&command->cli, &err) < 0) {
        command_report(command, NULL, &err);
        session->status = 1;
        return false;
    }
    if (clusters_choose(command, session->options.clusters) < 0) {
        session->status = 1;
        return false;
    }
    return true;
}

bool session_hides(const struct scontrol *session)
{
    return !session->options.all || session->options.hide;
}

bool session_connect(struct scontrol *session, const char *what)
{
    struct err err = { 0 };

    if (!session_load(session))
        return false;
    if (session->command.cli.client)
        return true;
    if (cli_connect(&session->command.cli, RPC_ROLE_CLIENT, &err) == 0)
        return true;
    session_report(session, what, &err);
    return false;
}

void session_check(struct scontrol *session, const struct err *err)
{
    struct cli *cli = &session->command.cli;

    if (err->code == E_CLOSED || err->code == E_TIMEOUT || err->code == E_CONTACT)
        cli->client = client_free(cli->client);
}

void session_report(struct scontrol *session, const char *what, const struct err *err)
{
    session->status = 1;
    if (!session->options.quiet) {
        AUTO_FREE char *which = xasprintf("%s error", what);

        records_report(&session->command, which, err);
    }
    session_check(session, err);
}

void session_refuse(struct scontrol *session, const char *fmt, ...)
{
    va_list args;

    session->status = 1;
    if (session->options.quiet)
        return;
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
}

bool session_fill(FILE *file, const struct strbuf *text)
{
    bool fine = file && fwrite(strbuf_text(text), 1, text->len, file) == text->len;

    if (file)
        fine = fclose(file) == 0 && fine;
    return fine;
}

bool session_records(struct scontrol *session, const char *what, uint32_t type, const void *msg,
                     uint32_t record_type, struct records *ret_records)
{
    struct err err = { 0 };

    if (!session_connect(session, what))
        return false;
    if (records_load(session->command.cli.client, type, msg, record_type, ret_records, &err) == 0)
        return true;
    session_report(session, what, &err);
    return false;
}

void session_order(struct scontrol *session, const char *what, uint32_t type, const void *msg)
{
    AUTO(msg_ok) struct msg_ok reply;
    struct err err = { 0 };

    msg_ok_init(&reply);
    if (!session_connect(session, what))
        return;
    if (client_call(session->command.cli.client, type, msg, MSG_OK, &reply, &err) < 0)
        session_report(session, what, &err);
    else if (reply.text)
        command_say(&session->command, reply.text);
}

bool session_name_all(struct scontrol *session, const char *what, char **names)
{
    AUTO(records) struct records nodes = { 0 };
    AUTO(hostlist) struct hostlist *all = hostlist_new();
    struct node_list list;

    if (!word_is(*names, "ALL"))
        return true;
    node_list_init(&list);
    if (!session_records(session, what, MSG_NODE_LIST, &list, MSG_NODE_INFO, &nodes))
        return false;
    for (uint32_t i = 0; i < nodes.n; i++)
        hostlist_add(all, ((const struct node_info *)record_at(&nodes, i))->node->name);
    free(*names);
    *names = hostlist_format(all);
    return true;
}
