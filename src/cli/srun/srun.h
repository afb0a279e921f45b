/* srun.h - runs a command as the tasks of a step, in a job of its own or inside an allocation. */
#pragma once

int srun_main(int argc, char **argv);
