/* user_rename.h - another name for a user: sacctmgr modify user set newname=. */
#pragma once

#include "cli/sacctmgr/user_line.h"

/*
 * Gives the one user whom the line means its new name: what he has is added again under it, with
 * all its values, and deleted under the old one. History has him under the name of its time.
 */
int user_rename(struct mgr *mgr, const struct book *book, const struct user_line *line);
