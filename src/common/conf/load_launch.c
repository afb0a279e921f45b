#include "common/conf/load.h"

#include "common/text/cpubind.h"
#include "common/text/words.h"

static void note_idle(struct loader *loader, const char *key, const char *word)
{
    conf_notes_add(loader->notes, CONF_NOTE_NO_EFFECT, load_find_pair(loader, key)->value_at,
                   "%s: %s has no effect here", key, word);
}

/* Notes the words of these keys that have no effect, which most have not. */
static void note_params(struct loader *loader)
{
    const struct {
        const char *key, *text, *acted_on;
    } params[] = {
        { "SlurmctldParameters", loader->conf->slurmctld_params, "allow_user_triggers" },
        { "SlurmdParameters", loader->conf->slurmd_params, "config_overrides" },
        { "JobAcctGatherParams", loader->conf->gather_params, "OverMemoryKill,UsePss,NoShared" },
    };

    for (size_t i = 0; i < ARRAY_N(params); i++) {
        AUTO(words) struct words words = words_split(params[i].text ? params[i].text : "", ",");
        AUTO(words) struct words acted_on = words_split(params[i].acted_on, ",");

        for (uint32_t k = 0; k < words.n; k++) {
            if (!words_have(&acted_on, words.at[k]))
                note_idle(loader, params[i].key, words.at[k]);
        }
    }
}

static void note_prolog_flags(struct loader *loader)
{
    static const struct {
        uint32_t flag;
        const char *text;
    } idle[] = {
        { CONF_PROLOG_X11, "X11 is not supported, there is no X11 forwarding: it means Contain" },
        { CONF_PROLOG_RUN_IN_JOB, "RunInJob has no effect here" },
    };

    for (size_t i = 0; i < ARRAY_N(idle); i++) {
        if (loader->conf->prolog_flags & idle[i].flag)
            conf_notes_add(loader->notes, CONF_NOTE_NO_EFFECT,
                           load_find_pair(loader, "PrologFlags")->value_at, "PrologFlags: %s",
                           idle[i].text);
    }
}

static bool read_bind(const char *word, uint32_t *ret)
{
    static const enum cpu_bind_kind kinds[] = { CPU_BIND_NONE, CPU_BIND_SOCKETS, CPU_BIND_CORES,
                                                CPU_BIND_THREADS };

    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (word_is(word, cpu_bind_word(kinds[i]))) {
            *ret = kinds[i];
            return true;
        }
    }
    return false;
}

static void load_task_params(struct loader *loader)
{
    struct slurm_conf *conf = loader->conf;
    AUTO(words)
    struct words words = words_split(conf->task_plugin_param ? conf->task_plugin_param : "", ",");

    for (uint32_t i = 0; i < words.n; i++) {
        const char *otherwise = words.at[i];

        if (word_is(words.at[i], "verbose"))
            conf->task_bind_verbose = true;
        else if (word_is(words.at[i], "OOMKillStep"))
            conf->oom_kill_step = true;
        else if (!read_bind(words.at[i], &conf->task_bind) &&
                 !(word_starts(words.at[i], "autobind=", &otherwise) &&
                   read_bind(otherwise, &conf->autobind)))
            note_idle(loader, "TaskPluginParam", words.at[i]);
    }
}

/* Reads the one word of many that has an effect here. */
void load_launch(struct loader *loader)
{
    const char *params = loader->conf->launch_params ? loader->conf->launch_params : "";
    AUTO(words) struct words words = words_split(params, ",");

    for (uint32_t i = 0; i < words.n; i++) {
        if (word_is(words.at[i], "use_interactive_step"))
            loader->conf->use_interactive_step = true;
        else
            note_idle(loader, "LaunchParameters", words.at[i]);
    }
    note_prolog_flags(loader);
    note_params(loader);
    load_task_params(loader);
}
