/*
 * amount.h - so much of a resource that is counted.
 */
#pragma once

#include "common/schema/schema.h"

#define ACCT_AMOUNT(FIELD, LIST, PART)                                                             \
    FIELD(1, STR, tres, FIELD_REQUIRED, "name of a TRES: cpu, gres/gpu:a100")                      \
    FIELD(2, U64, amount, 0, "in its unit; memory in MB")
SCHEMA_DECLARE(acct_amount, ACCT_AMOUNT);
