#include "cli/import/line.h"

#include <errno.h>

#include "common/base/alloc.h"
#include "common/text/words.h"

int import_read_line(const struct import_line *line, int argc, char **argv, const char *what,
                     const char **ret_file, struct err *err)
{
    AUTO(arg_reader)
    struct arg_reader reader = { .options = line->options,
                                 .options_n = line->options_n,
                                 .argv = argv,
                                 .argc = argc,
                                 .mixed = true,
                                 .at = 1 };
    const char *value;
    int id, rc;

    while ((rc = arg_next(&reader, &id, &value, err)) > 0)
        line->take(line->ctx, id, value);
    if (rc < 0)
        return rc;
    if (!text_is(reader.operands_n > 0 ? reader.operands[0] : NULL, what))
        return err_set(err, EINVAL,
                       "what is to be imported? sluice import slurmdbd: accounts and history; "
                       "sluice import queue: waiting jobs");
    if (reader.operands_n > 2)
        return err_set(err, EINVAL, "'%s' is one operand too many", reader.operands[2]);
    *ret_file = reader.operands_n > 1 ? reader.operands[1] : NULL;
    return 0;
}
