#include "ctld/model/license.h"

#include <string.h>

void model_clear_licenses(struct model *model)
{
    for (uint32_t i = 0; i < model->licenses_n; i++)
        license_info_clear(&model->licenses[i]);
    free(STEAL(model->licenses));
    model->licenses_n = 0;
}

void model_reset_licenses(struct model *model)
{
    model_clear_licenses(model);
    for (uint32_t i = 0; i < model->config.licenses_n; i++)
        model_add_license(model, &model->config.licenses[i]);
}

void model_add_license(struct model *model, const struct license_info *license)
{
    struct license_info *added;

    if (model_find_license(model, license->name))
        return;
    added = ARRAY_PUSH(model->licenses, model->licenses_n);
    license_info_init(added);
    schema_copy(license_info_schema(), added, license);
}

const struct license_info *model_find_license(const struct model *model, const char *name)
{
    for (uint32_t i = 0; i < model->licenses_n; i++) {
        if (strcmp(model->licenses[i].name, name) == 0)
            return &model->licenses[i];
    }
    return NULL;
}

/* True if the job holds what it asked for. */
static bool holds(const struct job *job)
{
    return job->rec.nodes_n > 0 && !job_state_is_over(job->rec.state);
}

uint32_t *model_licenses_used(const struct model *model)
{
    uint32_t *used = xcalloc(model->licenses_n + 1, sizeof(*used));

    for (const struct job *job = model->jobs; job; job = job->hh.next) {
        const struct licenses *list = &job->request.licenses;

        for (uint32_t i = 0; i < list->n && holds(job); i++) {
            const struct license_info *license = model_find_license(model, list->at[i].name);

            if (license)
                used[license - model->licenses] += list->at[i].count;
        }
    }
    return used;
}
