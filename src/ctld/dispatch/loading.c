#include "ctld/dispatch/loading.h"

#include "ctld/control/act/kept.h"
#include "ctld/control/load.h"

static void on_number(const char *name, int64_t number, void *ctx)
{
    const struct loading *loading = ctx;

    if (loading->clock)
        cluster_clock_load(loading->clock, name, number);
    if (loading->completion)
        completion_load_number(loading->completion, name, number);
    control_load_number(loading->control, name, number);
}

static void on_kept(const struct kept_kind *kind, const void *record, void *ctx)
{
    control_kept_load(((struct loading *)ctx)->control, kind, record);
}

static void on_job(struct job_record *job, const struct job_body *body, void *ctx)
{
    control_load_job(((struct loading *)ctx)->control, job, body);
}

static void on_step(const struct step_record *step, void *ctx)
{
    control_load_step(((struct loading *)ctx)->control, step);
}

const struct store_loader loading_loader = { on_number, on_kept, on_job, on_step };
