/* main.h - slurmctld. */
#pragma once

int slurmctld_main(int argc, char **argv);
