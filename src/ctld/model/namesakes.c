/* Which jobs of a user have the same name. */
#include "ctld/model/namesakes.h"

#include <string.h>
#include <utlist.h>

void model_join_namesakes(struct model *model, struct job *job)
{
    const char *name = job->rec.spec->name;
    AUTO_FREE char *key = xasprintf("%u %s", job->rec.uid, name ? name : "");
    struct namesakes *namesakes;

    HASH_FIND(hh, model->namesakes, key, strlen(key), namesakes);
    if (!namesakes) {
        namesakes = xcalloc(1, sizeof(*namesakes));
        namesakes->key = STEAL(key);
        HASH_ADD_KEYPTR(hh, model->namesakes, namesakes->key, strlen(namesakes->key), namesakes);
    }
    DL_APPEND2(namesakes->jobs, job, namesake_prev, namesake_next);
    job->namesakes = namesakes;
}

void model_leave_namesakes(struct model *model, struct job *job)
{
    struct namesakes *namesakes = STEAL(job->namesakes);

    DL_DELETE2(namesakes->jobs, job, namesake_prev, namesake_next);
    if (namesakes->jobs)
        return;
    HASH_DEL(model->namesakes, namesakes);
    free(namesakes->waiting);
    free(namesakes->key);
    free(namesakes);
}

void model_name_changed(struct model *model, struct job *job)
{
    model_leave_namesakes(model, job);
    model_join_namesakes(model, job);
}
