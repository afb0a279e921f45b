/* verb_reboot.c - scontrol reboot, and cancel_reboot. */
#include <errno.h>

#include "cli/scontrol/session.h"
#include "cli/scontrol/update.h"
#include "common/msg/types.h"
#include "common/text/words.h"

#define REBOOT "scontrol_reboot_nodes"
#define UPDATE "slurm_update"

static const char missing[] = "Missing node list. Specify ALL|<NodeList>";

static int read_next(const char *pair, uint32_t *ret, struct err *err)
{
    AUTO_FREE char *word = update_value(pair);

    if (!word_is(word, "RESUME") && !word_is(word, "DOWN"))
        return err_set(err, EINVAL, "Invalid nextstate: %.200s\nNext state must be RESUME or DOWN",
                       word);
    *ret = word_is(word, "DOWN") ? NODE_REBOOT_THEN_DOWN : NODE_REBOOT_THEN_RESUME;
    return 0;
}

static int read_word(const char *word, struct node_reboot *request, struct err *err)
{
    if (update_has_key(word, "nextstate"))
        return read_next(word, &request->next, err);
    if (update_has_key(word, "reason")) {
        free(request->reason);
        request->reason = update_value(word);
    } else if (word_is(word, "ASAP")) {
        request->asap = true;
    } else if (request->names && *request->names) {
        return err_set(err, EINVAL, "too many arguments for keyword:reboot");
    } else {
        xstrset(&request->names, word);
    }
    return 0;
}

void scontrol_reboot(struct scontrol *session, int argc, char *const *argv)
{
    AUTO(node_reboot) struct node_reboot request;
    struct err err = { 0 };

    node_reboot_init(&request);
    for (int i = 1; i < argc; i++) {
        if (read_word(argv[i], &request, &err) < 0) {
            session_refuse(session, "%s", err.text);
            return;
        }
    }
    if (!request.names || !*request.names)
        session_refuse(session, "%s", missing);
    else if (session_name_all(session, REBOOT, &request.names))
        session_order(session, REBOOT, MSG_NODE_REBOOT, &request);
}

void scontrol_cancel_reboot(struct scontrol *session, int argc, char *const *argv)
{
    AUTO(node_update) struct node_update update;

    node_update_init(&update);
    update.state = NODE_UPDATE_CANCEL_REBOOT;
    if (argc < 2) {
        session_refuse(session, "%s", missing);
        return;
    }
    xstrset(&update.names, argv[1]);
    if (session_name_all(session, UPDATE, &update.names))
        session_order(session, UPDATE, MSG_NODE_UPDATE, &update);
}
