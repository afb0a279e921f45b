/* squeue.h - `squeue`: the jobs and steps there are. */
#pragma once

int squeue_main(int argc, char **argv);
