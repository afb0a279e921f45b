#include "cli/scontrol/update.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "cli/scontrol/ask_reservation.h"
#include "common/text/cpubind.h"
#include "common/text/words.h"

#define KEY_LEAST   2 /* letters; a key may be cut short */
#define STATE_LEAST 3

bool update_has_key(const char *pair, const char *key)
{
    size_t n = strcspn(pair, "=");

    return pair[n] == '=' && n >= KEY_LEAST && n <= strlen(key) && strncasecmp(pair, key, n) == 0;
}

static bool names_job(const char *word)
{
    return update_has_key(word, "JobId") || update_has_key(word, "JobName") ||
           word_is(word, "JobId") || word_is(word, "Job");
}

/* Returns what the first word is about that is about anything but a reservation. */
static enum update_entity entity_of_word(int argc, char *const *argv, const char **ret_word)
{
    static const char *const others[] = { "FrontendName", "SlurmctldDebug", "SuspendExcNodes",
                                          "SuspendExcParts", "SuspendExcStates" };

    for (int i = 0; i < argc; i++) {
        *ret_word = "NodeName";
        if (update_has_key(argv[i], "NodeName"))
            return UPDATE_NODE;
        *ret_word = "JobId";
        if (names_job(argv[i]))
            return UPDATE_JOB;
        *ret_word = "PartitionName";
        if (update_has_key(argv[i], "PartitionName"))
            return UPDATE_PARTITION;
        *ret_word = "StepId";
        if (update_has_key(argv[i], "StepId"))
            return UPDATE_STEP;
        for (size_t j = 0; j < ARRAY_N(others); j++) {
            *ret_word = others[j];
            if (update_has_key(argv[i], others[j]))
                return UPDATE_OTHER;
        }
    }
    *ret_word = NULL;
    return UPDATE_NONE;
}

/* A reservation has keys of nodes and partitions; a job has one that names a reservation. */
enum update_entity update_entity_of(int argc, char *const *argv, const char **ret_word)
{
    const enum update_entity entity = entity_of_word(argc, argv, ret_word);

    if (entity == UPDATE_JOB || entity == UPDATE_STEP || !ask_means_reservation(argc, argv))
        return entity;
    *ret_word = "ReservationName";
    return UPDATE_RESERVATION;
}

char *update_value(const char *pair)
{
    const char *value = strchr(pair, '=') + 1;
    size_t n = strlen(value);

    if (n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n - 1] == value[0])
        return xstrndup(value + 1, n - 2);
    return xstrdup(value);
}

static int read_state(const char *pair, uint32_t *ret_state, struct err *err)
{
    static const struct {
        const char *word;
        uint32_t state;
    } states[] = {
        { "DOWN", NODE_UPDATE_DOWN },
        { "DRAIN", NODE_UPDATE_DRAIN },
        { "FAIL", NODE_UPDATE_FAIL },
        { "IDLE", NODE_UPDATE_IDLE },
        { "RESUME", NODE_UPDATE_RESUME },
        { "UNDRAIN", NODE_UPDATE_UNDRAIN },
        { "CANCEL_REBOOT", NODE_UPDATE_CANCEL_REBOOT },
        { "FUTURE", NODE_UPDATE_FUTURE },
        { "NORESP", NODE_UPDATE_NO_RESPOND },
    };
    AUTO_FREE char *word = update_value(pair);
    size_t n = strlen(word);

    for (size_t i = 0; i < ARRAY_N(states); i++) {
        if (n >= STATE_LEAST && n <= strlen(states[i].word) &&
            strncasecmp(word, states[i].word, n) == 0) {
            *ret_state = states[i].state;
            return 0;
        }
    }
    return err_set(err, EINVAL,
                   "Invalid input: %.200s\nRequest aborted\n"
                   "Valid states are: CANCEL_REBOOT DOWN DRAIN FAIL FUTURE IDLE NORESP RESUME "
                   "UNDRAIN%s\n"
                   "Not all states are valid given a node's prior state",
                   pair, word_starts(word, "POWER", NULL) ? "; there is no power saving" : "");
}

/* Reads the weight as Slurm does: an empty one is 0. */
static int read_weight(const char *pair, uint32_t *ret_weight, struct err *err)
{
    const uint64_t most = UINT32_MAX - 15;
    AUTO_FREE char *text = update_value(pair);
    const char *digits = text + (*text == '-');
    uint64_t number = 0;
    int rc = *digits ? number_parse(digits, 0, most, &number, NULL) : 0;

    if (rc == -EINVAL)
        return err_set(err, EINVAL, "scontrol: error: Weight value (%.80s) is not a valid number",
                       text);
    if (*text == '-')
        return err_set(err, EINVAL, "scontrol: error: Weight value (%.80s) is less than zero",
                       text);
    if (rc < 0)
        return err_set(err, EINVAL,
                       "scontrol: error: Weight value (%.80s) is greater than %" PRIu64, text,
                       most);
    *ret_weight = (uint32_t)number;
    return 0;
}

static int read_bind(const char *pair, uint32_t *ret_kind, struct err *err)
{
    static const struct {
        const char *word;
        enum cpu_bind_kind kind;
    } words[] = {
        { "none", CPU_BIND_NONE },       { "socket", CPU_BIND_SOCKETS },
        { "sockets", CPU_BIND_SOCKETS }, { "ldom", CPU_BIND_LDOMS },
        { "ldoms", CPU_BIND_LDOMS },     { "core", CPU_BIND_CORES },
        { "cores", CPU_BIND_CORES },     { "thread", CPU_BIND_THREADS },
        { "threads", CPU_BIND_THREADS }, { "off", CPU_BIND_UNSAID },
    };
    AUTO_FREE char *word = update_value(pair);

    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (word_is(word, words[i].word)) {
            *ret_kind = words[i].kind;
            return 0;
        }
    }
    return err_set(err, EINVAL,
                   "scontrol: error: Invalid input %.200s\n"
                   "Valid are: none, socket, ldom, core, thread and off",
                   pair);
}

/* Reads seconds; -1: never. */
static int read_resume(const char *pair, uint32_t *ret_after_s, struct err *err)
{
    const uint64_t most = COUNT_UNSET - 1;
    AUTO_FREE char *text = update_value(pair);
    uint64_t number = COUNT_INFINITE;

    if (strcmp(text, "-1") != 0 && number_parse(text, 0, most, &number, NULL) < 0)
        return err_set(err, EINVAL,
                       "scontrol: error: Invalid ResumeAfter value: %.80s: seconds, or -1 for "
                       "never",
                       text);
    *ret_after_s = (uint32_t)number;
    return 0;
}

/* Returns where a text that is taken as it stands goes; NULL: the pair is about something else. */
static char **text_of(const char *pair, struct node_update *update)
{
    const struct {
        const char *key;
        char **text;
    } texts[] = {
        { "NodeName", &update->names },
        { "Reason", &update->reason },
        { "Comment", &update->comment },
        { "Extra", &update->extra },
        { "Features", &update->features },
        { "AvailableFeatures", &update->features },
        { "ActiveFeatures", &update->active_features },
        { "Gres", &update->gres },
        { "NodeAddr", &update->addresses },
        { "NodeHostName", &update->hosts },
        { "InstanceId", &update->instance_ids },
        { "InstanceType", &update->instance_types },
    };

    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        if (update_has_key(pair, texts[i].key))
            return texts[i].text;
    }
    return NULL;
}

static int read_pair(const char *pair, struct node_update *update, struct err *err)
{
    char **text;

    if (!strchr(pair, '='))
        return err_set(err, EINVAL, "scontrol: error: Invalid input: %.200s  Request aborted",
                       pair);
    text = text_of(pair, update);
    if (text) {
        free(*text);
        *text = update_value(pair);
        return 0;
    }
    if (update_has_key(pair, "State"))
        return read_state(pair, &update->state, err);
    if (update_has_key(pair, "Weight"))
        return read_weight(pair, &update->weight, err);
    if (update_has_key(pair, "CpuBind"))
        return read_bind(pair, &update->cpu_bind, err);
    if (update_has_key(pair, "ResumeAfter"))
        return read_resume(pair, &update->resume_after_s, err);
    return err_set(err, EINVAL,
                   "Update of this parameter is not supported: %.200s\nRequest aborted", pair);
}

static bool is_empty(const struct node_update *update)
{
    return update->state == NODE_UPDATE_NONE && !update->reason && !update->comment &&
           !update->extra && !update->features && !update->active_features && !update->gres &&
           !update->addresses && !update->hosts && !update->instance_ids &&
           !update->instance_types && update->weight == COUNT_UNSET &&
           update->cpu_bind == COUNT_UNSET && update->resume_after_s == COUNT_UNSET;
}

static bool needs_reason(uint32_t state)
{
    return state == NODE_UPDATE_DOWN || state == NODE_UPDATE_DRAIN || state == NODE_UPDATE_FAIL;
}

int update_parse_node(int argc, char *const *argv, struct node_update *ret_update, struct err *err)
{
    for (int i = 0; i < argc; i++) {
        int rc = read_pair(argv[i], ret_update, err);

        if (rc < 0)
            return rc;
    }
    if (ret_update->reason && strcmp(ret_update->reason, "(null)") == 0)
        ret_update->reason[0] = '\0';
    if (needs_reason(ret_update->state) && (!ret_update->reason || !*ret_update->reason))
        return err_set(err, EINVAL,
                       "You must specify a reason when DOWNING or DRAINING a node. Request denied");
    if (is_empty(ret_update))
        return err_set(err, EINVAL, "No changes specified");
    return 0;
}
