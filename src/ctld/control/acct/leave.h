/*
 * leave.h - what goes with a user who is deleted, by whomever: his wckeys, and his name among the
 * coordinators of accounts. For this room only.
 */
#pragma once

#include "ctld/control/act/act.h"

/* Fails with EBUSY, naming jobs, where a wckey of the user is in use. */
int acct_check_leave(struct control *control, const char *user, struct err *err);

/* Deletes his wckeys, takes his name from the accounts, and notes both. Records that another daemon
 * owns are left to it. */
void acct_leave(struct act *act, const char *user);
