/* main.h - slurmd. */
#pragma once

int slurmd_main(int argc, char **argv);
