/* version.h - who we are, and which Slurm we behave like: tools read the latter. */
#pragma once

/* First line of -V in every command: "slurm 25.05.0"; tools parse its second word. */
#define SLURM_VERSION "25.05.0"

#define VERSION_TEXT(program) "slurm " SLURM_VERSION "\n" program " is Sluice " SLUICE_VERSION "\n"
