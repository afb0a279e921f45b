/* version.h - who we are, and which Slurm we behave like: tools read the latter. */
#pragma once

#define SLURM_VERSION "25.05.0"

/* All that -V prints: scripts parse the second word, some of whatever there is. */
#define VERSION_TEXT "slurm " SLURM_VERSION "\n"

/* What stands under a help text. */
#define VERSION_OURS "Sluice " SLUICE_VERSION ", which behaves like Slurm " SLURM_VERSION "\n"
