/* show.c - what slurmdbd.conf says, for `sacctmgr show config`; what jobs were submitted with. */
#include <string.h>
#include <time.h>

#include "common/base/version.h"
#include "common/conf/beside.h"
#include "common/conf/keys.h"
#include "common/conf/value.h"
#include "common/msg/types.h"
#include "common/text/words.h"
#include "ctld/api/api.h"
#include "dbd/dbd.h"

struct show_cursor {
    const struct conf_dbd *conf;
    uint32_t row;     /* of the keys of slurmdbd.conf */
    uint32_t runtime; /* of what is in no file */
    int64_t started;
    uid_t uid; /* of SlurmUser */
    char *path;
};

static void release(void *ctx)
{
    struct show_cursor *cursor = ctx;

    free(cursor->path);
    free(cursor);
}

static void send_entry(struct stream *stream, const char *key, const struct strbuf *value)
{
    const struct config_entry entry = { .key = (char *)(uintptr_t)key,
                                        .value = (char *)(uintptr_t)strbuf_text(value) };

    stream_send(stream, MSG_CONFIG_ENTRY, &entry);
}

/* Passwords, and what prints them, are nobody's business. */
static bool is_shown(const struct conf_key *key)
{
    return key->at != CONF_NO_FIELD && key->status != CONF_REPLACED &&
           !word_is(key->name, "StoragePass") && !word_is(key->name, "StoragePassScript");
}

static bool send_runtime(struct stream *stream, struct show_cursor *cursor)
{
    AUTO(strbuf) struct strbuf value = { 0 };
    const time_t started = (time_t)cursor->started;
    struct tm local;
    char text[32];

    switch (cursor->runtime++) {
    case 0:
        strftime(text, sizeof(text), "%FT%T", localtime_r(&started, &local));
        strbuf_adds(&value, text);
        send_entry(stream, "BOOT_TIME", &value);
        return true;
    case 1:
        strbuf_adds(&value, cursor->path);
        send_entry(stream, "SLURMDBD_CONF", &value);
        return true;
    case 2:
        strbuf_adds(&value, SLURM_VERSION);
        send_entry(stream, "SLURMDBD_VERSION", &value);
        return true;
    default:
        return false;
    }
}

static bool produce(struct stream *stream)
{
    struct show_cursor *cursor = stream->ctx;
    AUTO(strbuf) struct strbuf value = { 0 };
    const struct conf_key *key = &conf_dbd_keys()[cursor->row];

    while (key->name && !is_shown(key))
        key = &conf_dbd_keys()[++cursor->row];
    if (!key->name)
        return send_runtime(stream, cursor);
    cursor->row++;
    conf_value_format(key, (const char *)cursor->conf + key->at, &value);
    if (key->kind == CONF_USER)
        strbuf_addf(&value, "(%u)", (unsigned)cursor->uid);
    send_entry(stream, key->name, &value);
    return true;
}

static int on_config_list(struct request *request, void *msg, struct err *err)
{
    struct dbd *dbd = dbd_of(request->ctld);
    struct show_cursor *cursor = xcalloc(1, sizeof(*cursor));

    (void)msg;
    (void)err;
    cursor->conf = &dbd->conf;
    cursor->started = dbd->ctld.started;
    cursor->uid = dbd->ctld.slurm_uid;
    cursor->path = conf_path_beside(dbd->conf_path, "slurmdbd.conf");
    request_stream(request, produce, release, cursor);
    return 0;
}

/* Scripts and environments that clusters have told, as their AccountingStoreFlags say. */
static int on_job_script(struct request *request, void *msg, struct err *err)
{
    const struct job_script *ask = msg;
    struct store *store = api_history_of(request, ask->cluster);

    if (!store)
        return err_set(err, ESRCH,
                       "nothing is known of the cluster: its controller has not registered");
    api_send_job_blob(request, store, ask);
    return 0;
}

const struct handler show_handlers[] = {
    { MSG_JOB_SCRIPT, ROLE_USER, HANDLER_RECALLS, on_job_script },
    { MSG_CONFIG_LIST, ROLE_USER, HANDLER_LOOKS, on_config_list },
};
const size_t show_handlers_n = ARRAY_N(show_handlers);
