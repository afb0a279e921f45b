/* columns.h - what sshare can say of an association. Pure. */
#pragma once

#include "cli/sacct/layout.h"
#include "common/msg/share.h"

/* An association and how deep below others in the list it stands. */
struct share_row {
    const struct share_info *info;
    uint32_t depth;
};

extern const struct acct_choice share_choice;
