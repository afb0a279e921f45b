#include "ctld/model/exempt.h"

#include <string.h>

struct exempt {
    char *qos;
    uint32_t flags;
    UT_hash_handle hh;
};

void model_clear_exempt(struct model *model)
{
    struct exempt *exempt, *next;

    HASH_ITER (hh, model->exempt, exempt, next) {
        HASH_DEL(model->exempt, exempt);
        free(exempt->qos);
        free(exempt);
    }
}

void model_add_exempt(struct model *model, const char *qos, uint32_t flags)
{
    struct exempt *exempt;

    if (flags == 0)
        return;
    exempt = xcalloc(1, sizeof(*exempt));
    exempt->qos = xstrdup(qos);
    exempt->flags = flags;
    HASH_ADD_KEYPTR(hh, model->exempt, exempt->qos, strlen(exempt->qos), exempt);
}

uint32_t model_exempt(const struct model *model, const char *qos)
{
    struct exempt *exempt = NULL;

    if (qos)
        HASH_FIND_STR(model->exempt, qos, exempt);
    return exempt ? exempt->flags : 0;
}
