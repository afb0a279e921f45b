/* entity_config.c - scontrol show config, and whether the controllers answer. */
#include <stdio.h>
#include <time.h>

#include "cli/scontrol/entities.h"
#include "common/msg/types.h"
#include "common/text/timetext.h"
#include "common/text/words.h"

static const char *title_of(uint32_t controller, uint32_t controllers, char *buf, size_t n)
{
    if (controller == 0)
        return "primary";
    if (controllers == 2)
        return "backup";
    snprintf(buf, n, "backup%u", controller);
    return buf;
}

static bool is_up(struct scontrol *session, uint32_t controller)
{
    struct client *client = NULL;
    bool is_up = cli_try_controller(&session->command.cli, controller, &client, NULL) == 0 &&
                 client_call(client, MSG_PING, NULL, MSG_PONG, NULL, NULL) == 0;

    client_free(client);
    return is_up;
}

/* Returns the name of a controller; of another cluster only its address is known. */
static const char *name_of(const struct scontrol *session, uint32_t controller)
{
    const struct cli *cli = &session->command.cli;

    return cli->abroad ? cli->hosts[controller] : cli->conf->controllers[controller].name;
}

bool show_controllers(struct scontrol *session)
{
    const uint32_t n = session->command.cli.hosts_n;
    bool one_is_up = false;
    char title[32];

    for (uint32_t i = 0; i < n; i++) {
        bool up = is_up(session, i);

        printf("Slurmctld(%s) at %s is %s\n", title_of(i, n, title, sizeof(title)),
               name_of(session, i), up ? "UP" : "DOWN");
        one_is_up |= up;
    }
    return one_is_up;
}

/* ---- ping as a document ---- */

static void add_ping(struct json_writer *json, struct scontrol *session, uint32_t controller)
{
    const uint32_t n = session->command.cli.hosts_n;
    const uint64_t begin = clock_mono_us();
    const bool up = is_up(session, controller);
    char title[32];

    json_open_object(json, NULL);
    json_add_text(json, "hostname", name_of(session, controller));
    json_add_text(json, "pinged", up ? "UP" : "DOWN");
    json_add_bool(json, "responding", up);
    json_add_int(json, "latency", (int64_t)(clock_mono_us() - begin));
    json_add_text(json, "mode", title_of(controller, n, title, sizeof(title)));
    json_add_bool(json, "primary", controller == 0);
    json_close(json);
    if (up)
        session->status = 0;
}

void ping_document(struct scontrol *session)
{
    static const struct entity_kind ping_kind = { .list = "pings" };
    struct entity_sink sink;

    if (!session_load(session) || !entity_sink_begin(session, &ping_kind, &sink))
        return;
    session->status = 1; /* until one answers */
    for (uint32_t i = 0; i < session->command.cli.hosts_n; i++)
        add_ping(&sink.document.json, session, i);
    json_close(&sink.document.json);
    document_end(&sink.document);
}

/* ---- config ---- */

void show_config(struct scontrol *session, const char *id)
{
    AUTO(records) struct records entries = { 0 };
    AUTO(strbuf) struct strbuf now = { 0 };
    uint32_t shown = 0;

    if (!session_records(session, "slurm_load_ctl_conf", MSG_CONFIG_LIST, NULL, MSG_CONFIG_ENTRY,
                         &entries))
        return;
    time_format(&now, (int64_t)time(NULL), NULL, 0, "");
    if (!id)
        printf("Configuration data as of %s\n", strbuf_text(&now));
    for (uint32_t i = 0; i < entries.n; i++) {
        const struct config_entry *entry = record_at(&entries, i);

        if (id && !word_is(entry->key, id))
            continue;
        if (!entry->value)
            printf("\n%s\n", entry->key);
        else
            printf("%-23s = %s\n", entry->key, entry->value);
        shown++;
    }
    if (id && shown == 0)
        entity_say_missing(session, "Configuration parameter", id);
    if (id)
        return;
    printf("\n");
    show_controllers(session);
}
