#include "common/conf/load.h"

#include "common/text/words.h"

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

/* Of many words only one means something here. */
void load_launch(struct loader *loader)
{
    const char *params = loader->conf->launch_params ? loader->conf->launch_params : "";
    AUTO(words) struct words words = words_split(params, ",");

    for (uint32_t i = 0; i < words.n; i++) {
        if (word_is(words.at[i], "use_interactive_step"))
            loader->conf->use_interactive_step = true;
        else
            conf_notes_add(loader->notes, CONF_NOTE_NO_EFFECT,
                           load_find_pair(loader, "LaunchParameters")->value_at,
                           "LaunchParameters: %s has no effect here", words.at[i]);
    }
    note_prolog_flags(loader);
}
