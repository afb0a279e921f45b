/*
 * version.h - the version of this program, and the version of Slurm that it behaves like, which
 * tools read.
 */
#pragma once

#define SLURM_VERSION "25.05.0"

/* The whole output of -V. Scripts parse its second word, and some the whole line. */
#define VERSION_TEXT "slurm " SLURM_VERSION "\n"

/* The last line of a help text. */
#define VERSION_OURS "Sluice " SLUICE_VERSION ", which behaves like Slurm " SLURM_VERSION "\n"
