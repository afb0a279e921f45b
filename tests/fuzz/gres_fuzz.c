/* Lists of resources and licenses: what parses is kept in a form that parses to itself. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/text/gres.h"
#include "common/text/licenses.h"
#include "common/text/sched_params.h"
#include "common/text/tres_weights.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void keep_form(const struct gres_list *list)
{
    AUTO_FREE char *kept = gres_format(list);
    AUTO(gres) struct gres_list again = { 0 };

    if (gres_parse(kept, &again, NULL) < 0)
        abort();
    AUTO_FREE char *kept_again = gres_format(&again);

    if ((kept == NULL) != (kept_again == NULL) || (kept && strcmp(kept, kept_again) != 0))
        abort();
}

static void on_remark(void *ctx, enum sched_remark kind, const char *text)
{
    (void)kind;
    if (!*text)
        abort();
    ++*(uint32_t *)ctx;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO_FREE char *text = size ? xstrndup((const char *)data, size) : xstrdup("");
    AUTO(gres) struct gres_list list = { 0 };
    AUTO(gres) struct gres_list gpus = { 0 };
    AUTO(licenses) struct licenses licenses = { 0 };
    AUTO(tres_weights) struct tres_weights weights = { 0 };
    struct sched_params params;
    uint32_t remarks_n = 0;

    if (gres_parse(text, &list, NULL) == 0)
        keep_form(&list);
    if (gres_parse_of("gpu", text, &gpus, NULL) == 0)
        keep_form(&gpus);
    if (licenses_parse(text, &licenses, NULL) == 0 && licenses.n > LICENSES_MAX)
        abort();
    if (tres_weights_parse(text, &weights, NULL) == 0 && size == 0 && weights.n)
        abort();
    sched_params_parse(text, &params, on_remark, &remarks_n);
    return 0;
}
