/*
 * run_as.h - a process that becomes a user for good and then a program of that user.
 *
 * The controller runs programs of users so when it is root: it must neither wait for the name
 * service nor fork itself.
 */
#pragma once

#define RUN_AS_ROLE "sluice-run-as"

/*
 * Runs `RUN_AS_ROLE UID PROGRAM [ARGUMENT]...` in the user's home, or in "/", with HOME, USER,
 * LOGNAME and SHELL. Returns only on failure: 127, or 126 when it cannot become the user.
 */
int run_as_main(int argc, char **argv);
