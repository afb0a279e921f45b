/* option_mpi.c - --mpi: how the tasks of a step find one another. */
#include "cli/submit/option_table.h"

#include <errno.h>

#include "common/text/words.h"

const char *submit_mpi_type(const char *word)
{
    static const char *const types[] = { "none", "pmi2", "pmix" };
    const char *version;

    for (size_t i = 0; i < ARRAY_N(types); i++)
        if (word_is(word, types[i]))
            return types[i];
    if (word_starts(word, "pmix_v", &version)) /* libpmix serves all versions that it knows */
        return "pmix";
    return word_is(word, "openmpi") ? "none" : NULL;
}

int option_set_mpi(struct submit_options *options, const struct option_row *row, const char *value,
                   struct err *err)
{
    const char *type = word_is(value, "list") ? "list" : submit_mpi_type(value);

    if (!type)
        return err_set(err, ERANGE, "Invalid MPI type '%.100s', --mpi=list for acceptable types",
                       value);
    return option_set_text(options, row, type, err);
}
