/* salloc.h - gets nodes for a job, and runs a command or a shell here while it has them. */
#pragma once

int salloc_main(int argc, char **argv);
