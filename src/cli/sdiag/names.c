#include "cli/sdiag/names.h"

#include "common/base/alloc.h"
#include "common/msg/types.h"

static const struct {
    uint32_t type, number;
    const char *name;
} names[] = {
    { 1401, 1401, "DBD_FINI" }, /* METER_ENDED */
    { MSG_PING, 1008, "REQUEST_PING" },
    { MSG_JOB_SUBMIT, 4003, "REQUEST_SUBMIT_BATCH_JOB" },
    { MSG_JOB_ALLOCATE, 4001, "REQUEST_RESOURCE_ALLOCATION" },
    { MSG_JOB_SIGNAL, 5032, "REQUEST_KILL_JOB" },
    { MSG_JOB_SCRIPT, 2051, "REQUEST_BATCH_SCRIPT" },
    { MSG_STEP_RUN, 5001, "REQUEST_JOB_STEP_CREATE" },
    { MSG_JOB_LIST, 2003, "REQUEST_JOB_INFO" },
    { MSG_STEP_LIST, 2005, "REQUEST_JOB_STEP_INFO" },
    { MSG_NODE_LIST, 2007, "REQUEST_NODE_INFO" },
    { MSG_PARTITION_LIST, 2009, "REQUEST_PARTITION_INFO" },
    { MSG_CONFIG_LIST, 2001, "REQUEST_BUILD_INFO" },
    { MSG_LICENSE_LIST, 1021, "REQUEST_LICENSE_INFO" },
    { MSG_NODE_UPDATE, 3002, "REQUEST_UPDATE_NODE" },
    { MSG_DIAG_GET, 2035, "REQUEST_STATS_INFO" },
    { MSG_RECONFIGURE, 1003, "REQUEST_RECONFIGURE" },
    { MSG_SHUTDOWN, 1005, "REQUEST_SHUTDOWN" },
    { MSG_NODE_REGISTER, 1002, "MESSAGE_NODE_REGISTRATION_STATUS" },
    { MSG_STEP_REPORT, 5016, "REQUEST_STEP_COMPLETE" },
};

struct rpc_name rpc_name_of(uint32_t type)
{
    for (size_t i = 0; i < ARRAY_N(names); i++)
        if (names[i].type == type)
            return (struct rpc_name){ names[i].name, names[i].number };
    return (struct rpc_name){ msg_name(type), type };
}
