/* private.c - what is kept from users: PrivateData, and partitions that are hidden or others'. */
#include "ctld/api/api.h"
#include "ctld/control/control.h"
#include "ctld/control/request/spec.h"

int api_check_private(const struct request *request, uint32_t data, struct err *err)
{
    if (caller_has_level(request->act.caller, LEVEL_OPERATOR) ||
        !(request->ctld->conf->private_data & data))
        return 0;
    return err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
}

void api_hidden_partitions(const struct request *request, struct bitset *ret)
{
    const struct model *model = control_model(request->act.control);

    bitset_init(ret, model->partitions_n);
    for (uint32_t i = 0; i < model->partitions_n; i++)
        if (control_hides_partition(model->partitions[i].conf, request->act.caller))
            bitset_add(ret, i);
}
