/*
 * errnum.h - what the number of an error says, for `scontrol errnumstr`. Pure.
 */
#pragma once

/* Of errors that ours never tell, too; else as err_string. Never NULL. */
const char *errnum_text(int number);
