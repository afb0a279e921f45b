/* sprio.h - what the priorities of waiting jobs are made of. */
#pragma once

int sprio_main(int argc, char **argv);
