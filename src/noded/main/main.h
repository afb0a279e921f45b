/* main.h - slurmd, and what it runs under another name. */
#pragma once

int slurmd_main(int argc, char **argv);

/* Runs the process of the step `extern` (EXTERN_ROLE). */
int extern_main(int argc, char **argv);
