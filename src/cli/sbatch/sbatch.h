/* sbatch.h - submits a batch script, and with --wait waits for its end. */
#pragma once

int sbatch_main(int argc, char **argv);
