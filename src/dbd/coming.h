/*
 * coming.h - what a controller sends of its accounts before it has registered: pieces of a list of
 * records, and pages of transactions. All of it is taken at once, or nothing.
 */
#pragma once

#include "common/base/err.h"
#include "common/msg/dbd.h"

struct coming {
    struct dbd_records records;
    struct dbd_carried *carried;
    uint32_t carried_n;
    uint64_t bytes; /* that it takes, about */
};

/* So much may be on its way at one time, of all controllers. */
#define COMING_BYTES_MAX (512u << 20)

void coming_init(struct coming *coming);
void coming_clear(struct coming *coming);

/* Take what a message has over, where there is room for it beside `others`, the bytes that come of
 * other clusters. Fail with E_TOO_BIG. */
int coming_add_records(struct coming *coming, struct dbd_records *piece, uint64_t others,
                       struct err *err);
int coming_add_carried(struct coming *coming, struct dbd_carried *page, uint64_t others,
                       struct err *err);
