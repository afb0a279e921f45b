/* load_exclusive.c - keys that exclude one another in the file, or in a line of it. */
#include "common/conf/check.h"
#include "common/conf/load.h"
#include "common/text/words.h"

static const struct {
    const char *one, *other;
} exclusive[] = {
    { "DefMemPerCPU", "DefMemPerNode" },
    { "DefMemPerCPU", "DefMemPerGPU" },
    { "DefMemPerNode", "DefMemPerGPU" },
    { "MaxMemPerCPU", "MaxMemPerNode" },
    { "Sockets", "SocketsPerBoard" },
    { "PropagateResourceLimits", "PropagateResourceLimitsExcept" },
};

static void note(struct loader *loader, size_t row, struct conf_at at)
{
    conf_notes_add(loader->notes, CONF_NOTE_WRONG, at,
                   "%s= and %s= exclude each other: give one of them", exclusive[row].one,
                   exclusive[row].other);
}

static const struct conf_pair *find(struct conf_pairs pairs, const char *key)
{
    const struct conf_pair *found = NULL;

    for (uint32_t i = 0; i < pairs.n; i++) {
        if (pairs.at[i].value && word_is(pairs.at[i].key, key))
            found = &pairs.at[i];
    }
    return found;
}

void load_note_exclusive(struct loader *loader, struct conf_pairs pairs)
{
    for (size_t i = 0; i < ARRAY_N(exclusive); i++) {
        const struct conf_pair *one = find(pairs, exclusive[i].one);
        const struct conf_pair *other = find(pairs, exclusive[i].other);

        if (one && other)
            note(loader, i, one > other ? one->at : other->at);
    }
}

void load_note_exclusive_keys(struct loader *loader)
{
    for (size_t i = 0; i < ARRAY_N(exclusive); i++) {
        const struct conf_at one = conf_given_at(loader->conf, exclusive[i].one, NULL);
        const struct conf_at other = conf_given_at(loader->conf, exclusive[i].other, NULL);

        if (one.file && other.file)
            note(loader, i, one.line > other.line ? one : other);
    }
}
