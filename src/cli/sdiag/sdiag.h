/* sdiag.h - how busy the controller is. */
#pragma once

int sdiag_main(int argc, char **argv);
