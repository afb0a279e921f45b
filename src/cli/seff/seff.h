/* seff.h - how well a finished job used what it was given. */
#pragma once

int seff_main(int argc, char **argv);
