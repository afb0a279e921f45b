#include "cli/lib/select_document.h"

#include "common/base/alloc.h"
#include "common/msg/node.h"

void document_select(struct json_writer *json, const char *key, uint32_t select)
{
    static const struct {
        uint32_t flag;
        const char *word;
    } words[] = {
        { SELECT_CPU, "CPU" },
        { SELECT_SOCKET, "SOCKET" },
        { SELECT_CORE, "CORE" },
        { SELECT_MEMORY, "MEMORY" },
        { SELECT_ONE_TASK_PER_CORE, "ONE_TASK_PER_CORE" },
        { SELECT_PACK_NODES, "PACK_NODES" },
        { SELECT_CORE_DIST_BLOCK, "CORE_DEFAULT_DIST_BLOCK" },
        { SELECT_LLN, "LLN" },
        { SELECT_LINEAR, "LINEAR" },
    };

    json_open_array(json, key);
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (select & words[i].flag)
            json_add_text(json, NULL, words[i].word);
    }
    json_close(json);
}
