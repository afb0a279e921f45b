/* scontrol.h - shows what the controller knows, and changes it. */
#pragma once

int scontrol_main(int argc, char **argv);
