#include "common/msg/types.h"

#include "common/msg/acct_use.h"
#include "common/msg/alter.h"
#include "common/msg/amend.h"
#include "common/msg/archive.h"
#include "common/msg/dbd.h"
#include "common/msg/hook.h"
#include "common/msg/import.h"
#include "common/msg/job.h"
#include "common/msg/join.h"
#include "common/msg/move.h"
#include "common/msg/priority.h"
#include "common/msg/reservation.h"
#include "common/msg/session.h"
#include "common/msg/event.h"
#include "common/msg/kept.h"
#include "common/msg/share.h"
#include "common/msg/cluster_event.h"
#include "common/msg/sums.h"
#include "common/msg/trigger.h"
#include "common/msg/visit.h"

static const struct {
    uint32_t number;
    const char *name;
    schema_fn *schema;
} types[] = {
#define MSG_TYPE_ROW(name, number, schema) { number, #name, schema##_schema },
    MSG_TYPES(MSG_TYPE_ROW)
#undef MSG_TYPE_ROW
};

const struct schema *msg_schema(uint32_t type)
{
    for (size_t i = 0; i < ARRAY_N(types); i++) {
        if (types[i].number == type)
            return types[i].schema();
    }
    return NULL;
}

const char *msg_name(uint32_t type)
{
    for (size_t i = 0; i < ARRAY_N(types); i++) {
        if (types[i].number == type)
            return types[i].name;
    }
    return "message of unknown type";
}

uint32_t msg_type_at(size_t i)
{
    return i < ARRAY_N(types) ? types[i].number : 0;
}

SCHEMA_DEFINE(msg_error, MSG_ERROR_FIELDS)
SCHEMA_DEFINE(msg_ok, MSG_OK_FIELDS)
SCHEMA_DEFINE(blob_chunk, BLOB_CHUNK_FIELDS)
SCHEMA_DEFINE(blob_get, BLOB_GET_FIELDS)
SCHEMA_DEFINE(pong, PONG_FIELDS)
SCHEMA_DEFINE(config_entry, CONFIG_ENTRY_FIELDS)
SCHEMA_DEFINE(setting_change, SETTING_CHANGE)
SCHEMA_DEFINE(step_update, STEP_UPDATE)
SCHEMA_DEFINE(rpc_count, RPC_COUNT_FIELDS)
SCHEMA_DEFINE(diag, DIAG_FIELDS)
SCHEMA_DEFINE(priority_part, PRIORITY_TRES)
SCHEMA_DEFINE(priority_info, PRIORITY_INFO)
SCHEMA_DEFINE(share_list, SHARE_LIST)
SCHEMA_DEFINE(share_info, SHARE_INFO)
SCHEMA_DEFINE(acct_use, ACCT_USE)
SCHEMA_DEFINE(trigger_record, TRIGGER_RECORD)
SCHEMA_DEFINE(kept_edit, KEPT_EDIT)
SCHEMA_DEFINE(kept_change, KEPT_CHANGE)
SCHEMA_DEFINE(kept_ref, KEPT_REF)
SCHEMA_DEFINE(kept_changed, KEPT_CHANGED)
SCHEMA_DEFINE(kept_list, KEPT_LIST)
SCHEMA_DEFINE(kept_info, KEPT_INFO)
