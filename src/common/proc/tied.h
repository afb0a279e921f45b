/*
 * tied.h - a role that runs a program which ends with the process that started it, however that
 * ends.
 *
 * PR_SET_PDEATHSIG alone reaches one process, and a script would leave what it has started. So a
 * process of this role stands between: it leads the program's process group, and ends all of it.
 */
#pragma once

#define TIED_ROLE "sluice-tied"

/*
 * Runs TIED_ROLE PARENT PROGRAM ARGUMENT... as leader of a session. PARENT is the pid of the
 * process that starts it. Ends as the program did: with its status, or by its signal.
 */
int tied_main(int argc, char **argv);
