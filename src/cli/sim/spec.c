#include "cli/sim/spec.h"

#include <errno.h>
#include <string.h>

#include "cli/submit/options.h"
#include "ctld/sim/reader.h"

static int parse(struct submit_options *options, const struct words *words, struct err *err)
{
    AUTO_FREE char **argv = xcalloc(words->n + 2, sizeof(*argv));
    int operand, rc;

    argv[0] = (char *)"sbatch";
    for (uint32_t i = 0; i < words->n; i++)
        argv[i + 1] = words->at[i];
    rc = submit_options_parse(options, FROM_COMMAND_LINE, (int)words->n + 1, argv, &operand, err);
    if (rc == 0 && operand <= (int)words->n)
        rc = err_set(err, EINVAL, "'%s' is no option of sbatch", argv[operand]);
    return rc == 0 ? submit_options_check(options, err) : rc;
}

int spec_from_words(const struct words *words, int64_t wall_s, struct job_spec *ret,
                    struct err *err)
{
    AUTO(submit_options) struct submit_options options;
    int rc;

    submit_options_init(&options, SUBMIT_SBATCH);
    options.now = wall_s;
    options.cwd = xstrdup("/");
    rc = parse(&options, words, err);
    if (rc < 0)
        return rc;
    job_spec_clear(ret);
    schema_copy(job_spec_schema(), ret, &options.job);
    return 0;
}

int spec_from_text(const char *text, int64_t wall_s, struct job_spec *ret, struct err *err)
{
    struct reader in = { .name = "options", .err = err };
    AUTO(words) struct words words = { 0 };
    int rc;

    reader_begin(&in, text, text + strlen(text));
    while ((rc = reader_next(&in)) > 0)
        *ARRAY_PUSH(words.at, words.n) = STEAL(in.word);
    reader_clear(&in);
    return rc < 0 ? rc : spec_from_words(&words, wall_s, ret, err);
}
