#include "common/text/oversubscribe.h"

#include <errno.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/text/words.h"

#define JOBS_DEFAULT 4 /* of YES and FORCE without a count */
#define JOBS_LIMIT   32767

static const char *const names[] = {
    [OVERSUBSCRIBE_NO] = "NO",
    [OVERSUBSCRIBE_YES] = "YES",
    [OVERSUBSCRIBE_FORCE] = "FORCE",
    [OVERSUBSCRIBE_EXCLUSIVE] = "EXCLUSIVE",
};

static bool takes_count(size_t mode)
{
    return mode == OVERSUBSCRIBE_YES || mode == OVERSUBSCRIBE_FORCE;
}

int oversubscribe_parse(const char *text, struct oversubscribe *ret, struct err *err)
{
    const char *colon = strchr(text, ':');
    AUTO_FREE char *name = colon ? xstrndup(text, (size_t)(colon - text)) : xstrdup(text);
    uint64_t jobs_max;
    size_t mode = 0;
    int rc = 0;

    while (mode < ARRAY_N(names) && !word_is(name, names[mode]))
        mode++;
    if (mode == ARRAY_N(names) || (colon && !takes_count(mode)))
        return err_set(err, EINVAL, "'%s' is none of NO, YES[:COUNT], FORCE[:COUNT], EXCLUSIVE",
                       text);
    jobs_max = takes_count(mode) ? JOBS_DEFAULT : 1;
    if (colon)
        rc = number_parse(colon + 1, 1, JOBS_LIMIT, &jobs_max, err);
    if (rc < 0)
        return rc;
    *ret = (struct oversubscribe){ (enum oversubscribe_mode)mode, (uint32_t)jobs_max };
    return 0;
}

void oversubscribe_format(const struct oversubscribe *share, struct strbuf *out)
{
    strbuf_adds(out, names[share->mode]);
    if (takes_count(share->mode))
        strbuf_addf(out, ":%u", share->jobs_max);
}
