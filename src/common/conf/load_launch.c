#include "common/conf/load.h"

#include "common/text/words.h"

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
}
